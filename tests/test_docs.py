"""The documentation: its examples are run, its settings are read, its tables are complete.

Each page, and the README, becomes a folder of one inner run against the example shop. Its Python
blocks with a `def test_` go into one test file in their order. An HTML comment on the line before
a block says what else it is:

- `<!-- file: conftest.py -->`: that file of the folder.
- `<!-- in: test_cart.py -->`: not run here; its lines stand in that file of the example suite.
- `<!-- fails -->`: a test that must fail.
- `<!-- output -->`: the lines of the block are lines of the run's output, in that order; `...`
  stands for any text, and a line of nothing else for any lines.

The tutorial has directives of its own, which `tests/e2e/test_tutorial.py` follows.
"""

import ast
import configparser
import json
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

import pytest_webtask.checks.kinds  # noqa: F401 - it registers the kinds
from pytest_webtask.agent.worker import worker_tools
from pytest_webtask.checks.base import Check
from pytest_webtask.journal.schema import VERSION
from pytest_webtask.run.options import OPTIONS
from scripts import reference
from scripts.pypi_readme import resolve_links
from scripts.schemas import FOLDER, SCHEMAS, recording_schema
from tests.nested import printed

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(
    r"(?:<!-- (?P<directive>[^\n]*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.S | re.M
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    language: str
    directive: str
    text: str

    @property
    def is_test(self) -> bool:
        return self.language == "python" and "def test_" in self.text and not self.directive


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in their order."""
    found = _BLOCK.finditer(page.read_text())
    return [Block(page, m["language"], m["directive"] or "", m["text"]) for m in found]


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


@pytest.mark.long
@pytest.mark.slow
def test_examples_of_the_docs_run(pytester: pytest.Pytester) -> None:
    """Every test in the documentation passes, or fails with the output that the page shows."""
    pytester.makeconftest("from tests.fresh_shop import base_url, fresh, shop")
    pytester.makeini(
        f"[pytest]\npythonpath = {ROOT / 'example_suite'} own-workflows\n"
        "addopts = --import-mode=importlib -W error\n"
    )
    passing = failing = 0
    for block in BLOCKS:
        folder = pytester.path / block.page.stem.lower()
        folder.mkdir(exist_ok=True)
        kind, _, name = block.directive.partition(": ")
        if kind == "file":
            passing += block.text.count("def test_")
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(block.text)
        elif kind == "fails":
            failing += block.text.count("def test_")
            (folder / f"test_fails_{failing}.py").write_text(block.text)
        elif block.is_test:
            passing += block.text.count("def test_")
            with (folder / "test_page.py").open("a") as file:
                file.write(block.text + "\n\n")
    fails = "test_fails_*.py"
    # The outputs are of failures, and pictures of each step take much of the time of a run.
    result = pytester.runpytest("--webtask-screenshots=off", f"--ignore-glob=*/{fails}")
    result.assert_outcomes(passed=passing)
    result = pytester.runpytest(*map(str, pytester.path.rglob(fails)))
    result.assert_outcomes(failed=failing)
    output = printed(result)
    for block in BLOCKS:
        if block.directive == "output":
            compare_output(block, output)


def compare_output(block: Block, output: str) -> None:
    """The lines of an output block are in the output, in their order."""
    lines = iter(output.splitlines())
    shown = _shown(block)
    assert shown, f"{block.page.name}: an output block with nothing to compare"
    for line in shown:
        wanted = re.compile(".*".join(re.escape(piece) for piece in line.split("...")))
        assert any(wanted.fullmatch(candidate.rstrip()) for candidate in lines), (
            block.page.name,
            line,
        )


def _shown(block: Block) -> list[str]:
    """What an output block says: not its empty lines, nor those of nothing but `...`."""
    # pytest marks the failing line, and those of an error, with a character before the text.
    lines = [line.rstrip() for line in block.text.splitlines()]
    return [line for line in lines if re.sub(r"^[E>](?= )|\.\.\.", "", line).strip()]


@pytest.mark.parametrize("output", ["E       got 3 of 4\nE       more", "got 3\nE       more\n"])
def test_different_output_is_found(output: str) -> None:
    """Output is compared line by line; an ellipsis matches only the text it stands for."""
    page = ROOT / "README.md"
    block = Block(page, "text", "output", "E       got ... of 5\nE         ...\n")
    with pytest.raises(AssertionError, match="of 5"):
        compare_output(block, output)
    compare_output(block, output + "\nE       got 3 of 5")
    with pytest.raises(AssertionError, match="nothing to compare"):
        compare_output(Block(page, "text", "output", "E       ...\n...\n"), output)


def test_first_example_is_in_the_example_suite() -> None:
    """The first test of the README is in the example suite word for word."""
    [first, *_] = [block for block in blocks_of(ROOT / "README.md") if block.is_test]
    suite = (ROOT / "example_suite" / "test_cart.py").read_text()
    assert f"\n\n\n{first.text}\n\n" in suite


@pytest.mark.parametrize(
    "block", [b for b in BLOCKS if b.directive.startswith("in: ")], ids=lambda b: b.directive[4:]
)
def test_excerpts_of_the_example_suite_match_it(block: Block) -> None:
    """Each excerpt matches its file line for line, except for the indentation."""
    file = ROOT / "example_suite" / block.directive.removeprefix("in: ")
    there, shown = (
        [line.strip() for line in s.splitlines()] for s in (file.read_text(), block.text)
    )
    assert shown
    assert any(there[at : at + len(shown)] == shown for at, _ in enumerate(there))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_blocks_parse(page: Path) -> None:
    """Python, ini and TOML blocks parse, and the options that they set exist."""
    for block in blocks_of(page):
        names: list[str] = []
        if block.language == "python":
            ast.parse(textwrap.dedent(block.text))
        elif block.language == "ini":
            ini = configparser.ConfigParser()
            ini.read_string(block.text)
            names = [name for section in ini.values() for name in section]
        elif block.language == "toml" and sys.version_info >= (3, 11):
            import tomllib

            read = tomllib.loads(block.text)
            names = list(read.get("tool", {}).get("pytest", read.get("project", ())))
        ours = [name for name in names if name.startswith("webtask")]
        assert set(ours) <= {option.ini for option in OPTIONS}


@pytest.mark.parametrize(
    ("heading", "names"),
    [("tool", {spec.name for spec in worker_tools(int).specs}), ("kind", set(Check.kinds))],
)
def test_tables_of_tools_and_checks_are_complete(heading: str, names: set[str]) -> None:
    """The tables of tools and of checks in the docs have all of them, and no others."""
    pages = ("how-it-works", "evidence")
    text = "".join((ROOT / f"docs/explanation/{page}.md").read_text() for page in pages)
    table = text.partition(f"\n| {heading} | ")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", table, re.M)
    assert sorted(re.findall(r"\w+", " ".join(rows))) == sorted(names)


@pytest.mark.parametrize("name", SCHEMAS)
def test_published_schema_is_current(name: str) -> None:
    """`python -m scripts.schemas --write` would not change the published schemas."""
    assert json.loads((FOLDER / name).read_text("utf-8")) == SCHEMAS[name]()


@pytest.mark.parametrize("page", reference.PARTS)
def test_generated_part_of_the_reference_is_current(page: str) -> None:
    """`python -m scripts.reference --write` would not change the tables of commands and options."""
    assert (reference.DOCS / page).read_text("utf-8") == reference.current(page)


def test_recordings_fit_their_schema() -> None:
    """The schema accepts all recordings of the example suite, and refuses a field of another kind."""
    validator = jsonschema.Draft202012Validator(recording_schema())
    recordings = list((ROOT / "example_suite" / "recordings").rglob("*.json"))
    assert recordings
    for file in recordings:
        validator.validate(json.loads(file.read_text("utf-8")))
    check = {"kind": "url", "pattern": "/cart"}
    decided = {"model": "m", "on": "2026-11-24"}
    step = {"kind": "do", "sentence": "s", "decided": decided, "evidence": [{"check": check}]}
    assert validator.is_valid({"version": VERSION, "steps": [step]})
    check["text"] = "Cart"
    assert not validator.is_valid({"version": VERSION, "steps": [step]})


def test_links_lead_to_existing_files() -> None:
    """Links between pages, to pictures and to schemas lead to files; messages name pages that exist."""
    for page in PAGES:
        for link in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
    for module in (ROOT / "pytest_webtask").rglob("*.py"):
        for name in re.findall(r"docs/[\w/-]+\.md", module.read_text()):
            assert (ROOT / name).is_file(), f"{module.name}: {name}"


@pytest.mark.parametrize("source", ["", "https://host/shop"])
def test_readme_of_the_package_has_no_relative_link(source: str) -> None:
    """Links lead to the files of this version at the repository, or are plain text if none is known."""
    text = resolve_links((ROOT / "README.md").read_text(), source, "1.2")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert all(link.startswith("https://") for link in links)
    assert ("https://host/shop/raw/v1.2/docs/pictures/failure.png" in links) == bool(source)
    assert "Tutorial" in text


def test_pictures_are_small_and_used() -> None:
    """Each picture of `make pictures` is in a page, and has no more than 200 kB."""
    pictures = list((ROOT / "docs" / "pictures").glob("*.png"))
    text = "".join(page.read_text() for page in PAGES)
    assert pictures
    for picture in pictures:
        assert f"pictures/{picture.name})" in text
        assert picture.stat().st_size <= 200_000
