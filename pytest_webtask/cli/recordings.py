"""The commands `export`, `recordings` and `accept`."""

# Each command imports what it needs when it runs, so that the program starts quickly.
from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_webtask.data.phrases import counted, invalid_parts
from pytest_webtask.errors import RecordingError, UsageError
from pytest_webtask.llm.model_names import model_flag
from pytest_webtask.run.options import check_folder

if TYPE_CHECKING:
    from pytest_webtask.journal.schema import RecordedStep
    from pytest_webtask.recordings.maintenance import Stored

_TEST = "the node id of a test, or a part of it that no other test has"


def add_command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], Any], **about: Any
) -> argparse.ArgumentParser:
    """Add a command, which calls `run` with its arguments, and return its parser."""
    parser: argparse.ArgumentParser = commands.add_parser(name, **about)
    parser.set_defaults(run_command=run)
    return parser


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands for recordings to `pytest-webtask`."""
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument(
        "--folder",
        default="recordings",
        metavar="NAME",
        help="the folder of recordings next to each test module, as in the ini option"
        " webtask_recordings (default: %(default)s)",
    )
    dry = argparse.ArgumentParser(add_help=False)
    dry.add_argument(
        "--dry-run", action="store_true", help="show what would change without changing it"
    )

    export = add_command(
        commands,
        "export",
        _export,
        help="print a passed test as a plain Playwright test",
        description="Print what a test did when it last passed, as a test that needs only"
        " pytest-playwright. The runs that are kept in .webtask/runs are looked at, the newest first;"
        " webtask_keep in the ini file says how many. The exported test reads secrets from the environment; format it with the formatter of your project.",
    )
    export.add_argument("test", metavar="TEST", help=_TEST)
    export.add_argument(
        "--run", default="", help="the run to export (default: the newest in which it passed)"
    )
    export.add_argument("--output", type=Path, metavar="FILE", help="write the test to a file")
    export.add_argument(
        "--state",
        action="append",
        default=[],
        metavar="NAME=OTHER",
        help="start the page of webtask_for(name=NAME) with the cookies of OTHER, such as one that"
        " logs in once for many tests; the export puts OTHER's steps first. NAME may be webtask,"
        " the fixture; repeatable",
    )

    recordings = commands.add_parser(
        "recordings", help="list, show, drop or move the recordings of the project"
    )
    own = recordings.add_subparsers(required=True, metavar="COMMAND")
    models = "list all recordings and the models that made them"
    add_command(own, "list", _list, parents=[where], help=models)

    show = add_command(
        own,
        "show",
        _show,
        parents=[where],
        help="print recordings as code, or their changes",
        epilog="exit code 1: with --strict, evidence was removed or weakened",
    )
    show.add_argument(
        "what", nargs="?", default="", metavar="PATH|TEST", help="what to print (default: all)"
    )
    show.add_argument("--diff", metavar="REV", help="print what changed since a git revision")
    show.add_argument(
        "--strict", action="store_true", help="exit with 1 if the diff has lines that start with !"
    )

    unused = "delete recordings of sentences that no test has any more"
    add_command(own, "prune", _prune, parents=[where, dry], help=unused)

    drop = add_command(
        own,
        "drop",
        _drop,
        parents=[where, dry],
        help="delete the recording of a test, or of one step, which the next run in auto mode records again",
    )
    drop.add_argument("what", metavar="PATH|TEST", help="the test")
    drop.add_argument(
        "step",
        nargs="?",
        default="",
        metavar="STEP",
        help="a part of the step's sentence (default: all)",
    )

    renamed = "move recordings after a function or module was renamed"
    mv = add_command(own, "mv", _mv, parents=[where], help=renamed)
    mv.add_argument(
        "old", metavar="OLD", help="the old name: path/to/test_x.py::function, or path/to/test_x.py"
    )
    mv.add_argument("new", metavar="NEW", help="the new name, in the same form")

    accept = add_command(
        commands,
        "accept",
        _accept,
        parents=[where, dry],
        help="accept heals, which are the elements that a run has found in place of recorded ones,"
        " or evidence that was edited by hand",
        epilog="exit code 1: a proposal was refused",
    )
    accept.add_argument("test", nargs="?", default="", metavar="TEST", help="default: all tests")
    accept.add_argument("--run", default="", help="the run that proposes (default: the newest)")
    accept.add_argument(
        "--edited",
        metavar="TEST|PATH",
        help="approve, in your own name, recorded evidence that was edited by hand",
    )


def _export(args: argparse.Namespace) -> int:
    from pytest_webtask.export import export_test
    from pytest_webtask.journal.kept_runs import last_pass, root_above

    states: dict[str, str] = {}
    for pair in args.state:
        name, _, other = pair.partition("=")
        if not other:
            raise UsageError(
                f"--state is NAME=OTHER, with the names of two users of tests; got {pair!r}"
            )
        states["" if name == "webtask" else name] = other
    test, tests, run = last_pass(root_above(Path.cwd()), args.test, args.run)
    text = export_test(test, tests[test], states, tests)
    if args.output is None:
        print(text, end="")
        return 0
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(text, encoding="utf-8", newline="\n")
    print(f"exported {test} of run {run.name} to {args.output}")
    return 0


def _list(args: argparse.Namespace) -> int:
    from pytest_webtask.recordings.review import approval_words, step_title

    files = _stored(args.folder)
    steps = damaged = 0
    for each in files:
        print(each.path.as_posix())
        try:
            recorded = _steps(each)
        except RecordingError as error:
            damaged += 1
            print(f"  {error}")
            continue
        for step in recorded:
            checks = len(step.every_evidence) + len(step.sources) + (step.selected is not None)
            print(
                f"  {step_title(step)}  [{step.decided.model}, {step.decided.on},"
                f" {counted(len(step.calls), 'call')}, {counted(checks, 'check')}; {approval_words(step)}]"
            )
        steps += len(recorded)
    print(f"{counted(len(files), 'file')}, {counted(steps, 'step')}")
    return int(bool(damaged))


def _show(args: argparse.Namespace) -> int:
    if args.diff:
        return _show_changes(args)
    if args.strict:
        raise UsageError("--strict applies to changes: add --diff REV, such as --diff HEAD")
    from pytest_webtask.export.statements import code_of

    for each in _meant(args.what, _stored(args.folder)):
        print(f"# {each.path.as_posix()}\n")
        for step in _steps(each):
            facts = ["# facts:", *(f"#   {fact}" for fact in step.facts)] if step.facts else []
            print("\n".join([*code_of(step), *facts]), end="\n\n")
    return 0


def _show_changes(args: argparse.Namespace) -> int:
    from pytest_webtask.recordings.review import REVIEW, review_changes

    flagged = shown = 0
    earlier = _of_revision(args.diff, args.folder)
    files = sorted({*_stored(args.folder), *earlier}, key=lambda each: each.path.parts)
    for each in _meant(args.what, files):
        old = _steps_then(each, args.diff) if each in earlier else ()
        lines = list(review_changes(old, _steps(each), args.diff))
        if lines:
            print(f"{each.path.as_posix()}\n")
            print("\n".join(lines))
        shown += len(lines)
        flagged += sum(line.startswith("!") for line in lines)
    changes = counted(flagged, "change") + " flagged with !" if shown else "nothing changed"
    print(f"since {args.diff}: {changes}")
    if flagged:
        print(REVIEW)
    return int(args.strict and bool(flagged))


def _prune(args: argparse.Namespace) -> int:
    from pytest_webtask.recordings.maintenance import drop_recordings
    from pytest_webtask.recordings.review import step_title

    verb = _verb(args, "drop", "dropped")
    dropped = problems = 0
    for each in _stored(args.folder):
        try:
            unused = each.unused()
        except (UsageError, RecordingError) as error:
            problems += 1
            print(f"kept {each.path.as_posix()}: {error}")
            continue
        for step in unused:
            print(f"{verb} {step_title(step)} of {each.path.as_posix()}")
        if unused and not args.dry_run:
            drop_recordings(each, unused)
        dropped += len(unused)
    print(f"{verb} {counted(dropped, 'step')}")
    return int(bool(problems))


def _drop(args: argparse.Namespace) -> None:
    from pytest_webtask.recordings.maintenance import drop_recordings
    from pytest_webtask.recordings.pending import drop_pending
    from pytest_webtask.recordings.review import step_title

    verb = _verb(args, "drop", "dropped")
    dropped, others = [], []
    for each in _meant(args.what, _stored(args.folder)):
        steps = [step for step in _steps(each) if args.step in step.sentence]
        others += [f"\n  {step_title(step)}" for step in _steps(each)]
        dropped += [f"{verb} {step_title(step)} of {each.path.as_posix()}" for step in steps]
        if steps and not args.dry_run:
            drop_recordings(each, steps)
            drop_pending(Path.cwd(), each.path.as_posix(), args.step)
    if not dropped:
        raise UsageError(f"no step of {args.what} has {args.step!r}; its steps:{''.join(others)}")
    dropped.append(
        f"to record what is missing: pytest --webtask-mode=auto {model_flag(Path.cwd())}"
    )
    print("\n".join(dropped))


def _mv(args: argparse.Namespace) -> None:
    from pytest_webtask.recordings.maintenance import move_recordings

    for old, new in move_recordings(args.old, args.new, args.folder):
        print(f"{old.as_posix()} → {new.as_posix()}")


def _accept(args: argparse.Namespace) -> int:
    from pytest_webtask.journal.kept_runs import root_above
    from pytest_webtask.recordings.pending import accept, proposals
    from pytest_webtask.recordings.review import step_title

    if args.edited is not None:
        return _accept_edited(args)
    root = root_above(Path.cwd())
    found = proposals(root, args.run, args.test)
    verb = _verb(args, "accept", "accepted")
    lines: dict[str, None] = {}
    refused = False
    for path, each in found.items():
        title = step_title(each.step)
        if problem := accept(root, path, each, dry=args.dry_run):
            refused = True
            lines[f"refused {title} of {each.test}: {problem}"] = None
        else:
            changes = (f"\n  {change}" for change in each.changes)
            # Several tests propose the same for a step that they share.
            lines[f"{verb} {title} in {each.file}{''.join(changes)}"] = None
    print("\n".join(lines))
    return int(refused)


def _accept_edited(args: argparse.Namespace) -> int:
    from pytest_webtask.export.statements import code_of
    from pytest_webtask.recordings.review import accept_edited, step_title

    verb = _verb(args, "approve", "approved")
    by, number = _person(), 0
    for each in _meant(args.edited, _stored(args.folder)):
        for step in accept_edited(each.path, by, dry=args.dry_run):
            number += 1
            print(f"{by} {verb} {step_title(step)} in {each.path.as_posix()}:")
            evidence = step.model_copy(update={"calls": ()})
            print("\n".join(f"  {line}" for line in code_of(evidence)))
    if not number:
        raise UsageError(
            f"no evidence in the recordings of {args.edited!r} was edited since it was approved:"
            " there is nothing to accept. For all recordings, type: pytest-webtask recordings list"
        )
    return 0


def _verb(args: argparse.Namespace, plain: str, past: str) -> str:
    return f"would {plain}" if args.dry_run else past


def _person() -> str:
    """Return the user's name by the git configuration, or the login name."""
    from getpass import getuser

    try:
        result = subprocess.run(["git", "config", "user.name"], capture_output=True, check=False)
    except FileNotFoundError:
        return getuser()
    return result.stdout.decode("utf-8", errors="replace").strip() or getuser()


def _stored(folder: str) -> list[Stored]:
    from pytest_webtask.recordings.maintenance import stored

    check_folder(folder)
    return stored(Path(), folder)


def _steps(each: Stored) -> Sequence[RecordedStep]:
    from pytest_webtask.recordings.store import load_recording

    return load_recording(each.path).steps


def _meant(what: str, files: Sequence[Stored]) -> Sequence[Stored]:
    """Return the recordings of a path or a test. Raises UsageError if there are none."""
    from pytest_webtask.journal.kept_runs import matching_names, near_matches

    if not what:
        if not files:
            raise UsageError(
                f"there are no recordings in {Path.cwd()} or below it\nrun tests with a model, which records"
                f" them: pytest --webtask-mode=auto {model_flag(Path.cwd())}"
            )
        return files
    path = Path(what)
    matches = [e for e in files if path in (e.path, e.module) or path in e.path.parents]
    tests = {each.test: each for each in files}
    matches = matches or [tests[name] for name in matching_names(what.partition("[")[0], tests)]
    if not matches:
        listed = f"; similar:\n{near_matches(what, tests)}" if tests else ", and no other recording"
        raise UsageError(
            f"there is no recording of {what!r}{listed}\ntype: pytest-webtask recordings list"
        )
    return matches


def _of_revision(revision: str, folder: str) -> list[Stored]:
    from pytest_webtask.recordings.maintenance import as_stored

    paths = _git("ls-tree", "-r", "-z", "--name-only", revision, "--", ".").split("\0")
    return [each for path in paths if path and (each := as_stored(Path(path), folder))]


def _steps_then(each: Stored, revision: str) -> Sequence[RecordedStep]:
    from pydantic import ValidationError

    from pytest_webtask.journal.schema import Recording

    text = _git("show", f"{revision}:./{each.path.as_posix()}")
    try:
        return Recording.model_validate_json(text).steps
    except ValidationError as error:
        wrong = invalid_parts(error, None)[0]
        raise UsageError(
            f"cannot read {each.path} as of {revision}: {wrong}; compare with another revision"
        ) from None


def _git(*arguments: str) -> str:
    try:
        result = subprocess.run(["git", *arguments], capture_output=True, check=True)
    except FileNotFoundError:
        raise UsageError(
            "--diff needs git, which is not installed: install it, or leave out --diff"
        ) from None
    except subprocess.CalledProcessError as error:
        message = error.stderr.decode(errors="replace").strip()
        raise UsageError(
            f"git failed: {message}\n--diff takes a git revision, such as HEAD or main"
        ) from None
    return result.stdout.decode("utf-8", errors="replace")
