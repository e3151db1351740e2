"""The examples in docs/how-to/ci.md: their files are valid, and their commands do what the page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = dict(
    re.findall(
        r"<!-- file: (\S+) -->\n```\w+\n(.*?)^```$",
        (ROOT / "docs/how-to/ci.md").read_text(),
        re.S | re.M,
    )
)
GITHUB = yaml.safe_load(FILES[".github/workflows/e2e.yml"])["jobs"]
GITLAB = yaml.safe_load(FILES[".gitlab-ci.yml"])
PARTS = ("shop", "account", "admin")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the examples run on Linux")
TEST = """
def test_{part}(webtask):
    webtask.page.set_content("<h1>{part}</h1><button onclick=this.remove()>Open</button>")
    webtask.do('click "Open"')
    webtask.verify('"{shown}" is shown')
"""


class Job:
    """The commands of one job, in a checkout of its own of a project with three folders of tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in PARTS:
            file = folder / "tests" / part / f"test_{part}.py"
            file.parent.mkdir(parents=True)
            file.write_text(TEST.format(part=part, shown="gone" if part == "admin" else part))
        (folder / "pytest.ini").write_text("[pytest]\naddopts = --webtask-timeout=0\n")

    def run(self, command: str, **variables: str) -> int:
        """Run a command unchanged, unless it only installs; return its exit code."""
        if re.search(r"\b(pip|playwright) install\b", command):
            return 0
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        path = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
        env |= {"PATH": path, "PYTHONPATH": str(ROOT), "PYTEST_PLUGINS": "scripts.system_browser"}
        done = subprocess.run(
            ["bash", "-e", "-c", command], cwd=self.folder, env=env | variables, check=False
        )
        return done.returncode


def outcomes(report: Path) -> dict[str, str]:
    """The outcome of each test in a report, by the name of its part."""
    tests = json.loads((report / "report.json").read_text())["tests"]
    return {re.split(r"\W", test["id"])[1]: test["outcome"] for test in tests}


EXPECTED = {"shop": "passed", "account": "passed", "admin": "failed"}


def test_files_of_the_examples_are_named() -> None:
    """There is one example for each of the three services."""
    assert set(FILES) == {".github/workflows/e2e.yml", ".gitlab-ci.yml", "Jenkinsfile"}
    assert tuple(GITHUB["test"]["strategy"]["matrix"]["part"]) == PARTS
    assert tuple(GITLAB["test"]["parallel"]["matrix"][0]["PART"]) == PARTS


@POSIX
@pytest.mark.slow
def test_github_example_merges_the_shards(tmp_path: Path) -> None:
    """Each job leaves its run and its summary; the last one makes one report and summary of all."""
    summary, store = tmp_path / "summary.md", tmp_path / "store"
    codes = {}

    def run_job(name: str, values: Mapping[str, str]) -> tuple[Job, int]:
        job, code = Job(tmp_path / f"{name}-{'-'.join(values.values())}"), 0
        for step in GITHUB[name]["steps"]:
            filled = json.loads(
                re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda m: values[m[1]], json.dumps(step))
            )
            given = filled.get("with", {})
            if not code and "run" in filled:
                code = job.run(filled["run"], CI="true", GITHUB_STEP_SUMMARY=str(summary))
            elif "upload-artifact" in filled.get("uses", "") and (not code or "if" in filled):
                shutil.copytree(job.folder / given["path"], store / given["name"])
            elif "download-artifact" in filled.get("uses", ""):
                for each in store.glob(given["pattern"]):
                    shutil.copytree(each, job.folder / given["path"] / each.name)
        return job, code

    for part in PARTS:
        codes[part] = run_job("test", {"part": part})[1]
    assert codes == {"shop": 0, "account": 0, "admin": 1}
    job, code = run_job("report", {})
    assert code == 0
    assert outcomes(store / "report") == outcomes(job.folder / "report") == EXPECTED
    assert (store / "report" / "index.html").is_file()
    text = summary.read_text()
    assert text.endswith((store / "report" / "summary.md").read_text())
    assert text.count("test_admin") >= 2


@POSIX
@pytest.mark.slow
def test_gitlab_example_merges_the_shards(tmp_path: Path) -> None:
    """The artifacts of all jobs are unpacked into one folder, and reported together."""
    last = Job(tmp_path / "report")
    for part in PARTS:
        job, commands = Job(tmp_path / part), GITLAB["test"]
        codes = [job.run(command, CI="true", PART=part) for command in commands["script"]]
        assert codes == [0, int(part == "admin")]
        assert [job.run(each, PART=part) for each in commands["after_script"]] == [0, 0]
        assert [path.name for path in job.folder.glob(commands["artifacts"]["reports"]["junit"])]
        for path in commands["artifacts"]["paths"]:
            shutil.copytree(job.folder / path, last.folder / path, dirs_exist_ok=True)
    assert [last.run(command) for command in GITLAB["report"]["script"]] == [0]
    [report] = GITLAB["report"]["artifacts"]["paths"]
    assert outcomes(last.folder / report) == EXPECTED


@POSIX
@pytest.mark.slow
def test_jenkins_example_leaves_a_report(tmp_path: Path) -> None:
    """The commands of the stages leave the files that the pipeline publishes."""
    text = FILES["Jenkinsfile"]
    job = Job(tmp_path / "job")
    commands = re.findall(r"\bsh '(.*)'$", text, re.M)
    assert [job.run(command, CI="true") for command in commands] == [0, 0, 0, 1]
    [junit] = re.findall(r"junit '(.*)'$", text, re.M)
    assert (job.folder / junit).is_file()
    names = ("reportDir", "reportFiles")
    [folder], [page] = (re.findall(rf"{name}: '(.*)'", text) for name in names)
    assert (job.folder / folder / page).is_file()
    assert outcomes(job.folder / folder) == EXPECTED
