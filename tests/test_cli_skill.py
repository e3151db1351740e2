"""The skill for coding agents: it names only what exists, and its installation spares other text."""

import re
import shlex
from pathlib import Path

import pytest

from pytest_webtask import cli
from pytest_webtask.cli.skill import AGENTS, BEGIN, END, SKILL
from pytest_webtask.literal import is_literal
from pytest_webtask.run.options import OPTIONS
from pytest_webtask.types.step import StepKind


@pytest.fixture
def skill(capsys: pytest.CaptureFixture[str]) -> str:
    """The printed skill."""
    assert cli.main(["skill"]) == 0
    return capsys.readouterr().out


def _install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.chdir(folder)
    return cli.main(["skill", "--install"])


def test_skill_names_commands_and_options_that_exist(skill: str) -> None:
    """Each command in the skill can be parsed, and each option of pytest is one of the plugin."""
    pieces = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", skill)
    pieces += [
        line for block in re.findall(r"```sh\n(.*?)```", skill, re.S) for line in block.split("\n")
    ]
    commands = [m[1] for each in pieces if (m := re.search(r"pytest-webtask (.+)", each))]
    assert len(commands) > 8
    for command in commands:
        command, _, _ = command.partition(" <<")
        assert cli._parser().parse_args(shlex.split(command)).run_command
    options = set(re.findall(r"--webtask-[a-z-]+", skill))
    assert options
    assert options <= {option.flag for option in OPTIONS}
    assert re.match(r"---\nname: pytest-webtask\ndescription: .+\n---\n\n#", skill)


def test_literal_sentences_of_the_skill_can_be_read(skill: str) -> None:
    """Its examples of claims and of actions in quotes need no model."""
    _, _, rest = skill.partition("**A claim of one fact is best literal**")
    claims, _, actions = rest.partition("\n\n")[0].partition("The same goes")
    texts: dict[StepKind, str] = {"verify": claims, "do": actions}
    for kind, text in texts.items():
        sentences = re.findall(r"`([^`]+)`", text)
        assert len(sentences) > 2
        assert all(is_literal(kind, sentence) for sentence in sentences)


def test_installing_writes_the_skill_and_a_section(
    tmp_path: Path, skill: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both files are written and named; what is printed is in the skill's file after its front matter."""
    assert _install(tmp_path, monkeypatch) == 0
    assert capsys.readouterr().out == f"wrote {SKILL.as_posix()}\nwrote {AGENTS}\n"
    assert SKILL.read_text().replace(f"{BEGIN}\n", "").replace(f"{END}\n", "") == skill
    assert SKILL.as_posix() in AGENTS.read_text()


def test_second_installation_replaces_only_its_own_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a user has written around the section stays."""
    agents = tmp_path / AGENTS
    agents.write_text("# Ours\n\nBe brief.")
    assert _install(tmp_path, monkeypatch) == 0
    first = agents.read_text()
    assert first.startswith(f"# Ours\n\nBe brief.\n\n{BEGIN}\n")
    assert first.endswith(f"{END}\n")
    agents.write_text(first.replace("A red test", "An old line") + "Last.")
    assert _install(tmp_path, monkeypatch) == 0
    assert agents.read_text() == f"{first}Last."


@pytest.mark.parametrize(("file", "text"), [(SKILL, "mine"), (AGENTS, f"{BEGIN}\nno end")])
def test_file_of_the_user_is_left_alone(
    tmp_path: Path,
    file: Path,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A skill without markers, or a section without an end, is an error, and nothing is written."""
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    assert _install(tmp_path, monkeypatch) == 2
    assert f"{file.as_posix()} is your own" in capsys.readouterr().err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / file]
    assert (tmp_path / file).read_text() == text
