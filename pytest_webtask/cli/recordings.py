"""The commands `export`, `recordings` and `accept`."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from getpass import getuser
from pathlib import Path

from pytest_webtask.data.escapes import one_line
from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import DamagedRecording, RecordingError, UsageError
from pytest_webtask.export import export_test
from pytest_webtask.export.statements import code_of
from pytest_webtask.journal.kept_runs import (
    last_pass,
    matching_names,
    near_matches,
    root_above,
    rulings,
)
from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.llm.model_names import model_flag
from pytest_webtask.recordings import maintenance
from pytest_webtask.recordings.maintenance import Stored
from pytest_webtask.recordings.pending import accept_proposal, drop_pending, proposals
from pytest_webtask.recordings.review import (
    accept_edited,
    approval_words,
    review_changes,
    step_title,
)
from pytest_webtask.recordings.store import load_recording, parse_recording
from pytest_webtask.run.options import check_folder


def export(args: argparse.Namespace) -> None:
    """Print a test that has passed as a plain test, or write it to a file."""
    test, attempt, run = last_pass(root_above(Path.cwd()), args.test, args.run)
    text = export_test(test, attempt)
    if args.output is None:
        print(text, end="")
        return
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_text(text, encoding="utf-8", newline="\n")
    print(f"exported {test} of run {run.name} to {args.output}")


def list_all(args: argparse.Namespace) -> int:
    """Print each recorded step with what it has and who made it; return 1 if a file cannot be read."""
    recordings, code = _read(_stored(args.folder))
    for each, recorded in recordings.items():
        print(each.path.as_posix())
        for step in recorded:
            checks = len(step.every_evidence) + len(step.sources) + (step.selected is not None)
            made = f"{step.decided.model}, {step.decided.on}, {counted(len(step.calls), 'call')}"
            made += f", {counted(checks, 'check')}; {approval_words(step)}"
            print(f"  {step_title(step)}  [{made}]")
    steps = sum(map(len, recordings.values()))
    print(f"{counted(len(recordings), 'file')}, {counted(steps, 'step')}")
    return code


def show(args: argparse.Namespace) -> int:
    """Print recordings as code, or what changed in them; return 1 if that is to be strict and they prove less."""
    if args.diff:
        return _show_changes(args)
    if args.strict:
        raise UsageError("--strict applies to changes: add --diff REV, such as --diff HEAD")
    recordings, code = _read(_meant(args.what, _stored(args.folder)))
    for each, recorded in recordings.items():
        print(f"# {each.path.as_posix()}\n")
        for step in recorded:
            facts = (
                ["# facts:", *(f"#   {one_line(fact)}" for fact in step.facts)]
                if step.facts
                else []
            )
            print("\n".join([*code_of(step), *facts]), end="\n\n")
    return code


def _show_changes(args: argparse.Namespace) -> int:
    paths = _git("ls-tree", "-r", "-z", "--name-only", args.diff, "--", ".").split("\0")
    earlier = [maintenance.as_stored(Path(path), args.folder) for path in paths if path]
    files = sorted({*_stored(args.folder), *filter(None, earlier)}, key=lambda e: e.path.parts)
    recordings, flagged = _read(_meant(args.what, files))
    # A journal that is committed may come with the change that is reviewed.
    ruled = set() if _git("ls-files", "--", ".webtask") else rulings(Path.cwd())
    shown = flagged
    for each, recorded in recordings.items():
        old = _steps_then(each, args.diff) if each in earlier else ()
        lines = list(review_changes(old, recorded, args.diff, ruled))
        if lines:
            print("\n".join([f"{each.path.as_posix()}\n", *lines]))
        shown += len(lines)
        flagged += sum(line.startswith("!") for line in lines)
    changes = counted(flagged, "change") + " flagged with !" if shown else "nothing changed"
    print(f"since {args.diff}: {changes}")
    if flagged:
        print("review the steps with ! before you commit them")
    return int(args.strict and bool(flagged))


def prune(args: argparse.Namespace) -> int:
    """Drop steps whose sentence is in no test; return 1 if a file cannot be read."""
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
            maintenance.drop_recordings(each, unused)
        dropped += len(unused)
    print(f"{verb} {counted(dropped, 'step')}")
    return int(bool(problems))


def drop(args: argparse.Namespace) -> int:
    """Drop the steps of a test, or those with some words, else raise UsageError; return 1 if a file cannot be read."""
    verb = _verb(args, "drop", "dropped")
    dropped, others = [], []
    recordings, code = _read(_meant(args.what, _stored(args.folder)))
    for each, recorded in recordings.items():
        steps = [step for step in recorded if args.step in step.sentence]
        others += [f"\n  {step_title(step)}" for step in recorded]
        dropped += [f"{verb} {step_title(step)} of {each.path.as_posix()}" for step in steps]
        if steps and not args.dry_run:
            maintenance.drop_recordings(each, steps)
            drop_pending(Path.cwd(), each.path.as_posix(), args.step)
    if not dropped:
        raise UsageError(f"no step of {args.what} has {args.step!r}; its steps:{''.join(others)}")
    flag = model_flag(Path.cwd())
    print("\n".join([*dropped, f"to record what is missing: pytest --webtask-mode=auto {flag}"]))
    return code


def move(args: argparse.Namespace) -> None:
    """Move the recordings of a function or a module."""
    for old, new in maintenance.move_recordings(args.old, args.new, args.folder):
        print(f"{old.as_posix()} → {new.as_posix()}")


def accept(args: argparse.Namespace) -> int:
    """Record the proposals of a run, or approve edited evidence; return 1 if a proposal is refused."""
    if args.edited is not None:
        return _accept_edited(args)
    root = root_above(Path.cwd())
    verb = _verb(args, "accept", "accepted")
    lines: dict[str, None] = {}
    refused = False
    for path, each in proposals(root, args.run, args.test).items():
        title = step_title(each.step)
        if problem := accept_proposal(root, path, each, dry=args.dry_run):
            refused = True
            lines[f"refused {title} of {each.test}: {problem}"] = None
        else:
            changes = (f"\n  {change}" for change in each.changes)
            # Several tests propose the same for a step that they share.
            lines[f"{verb} {title} in {each.file}{''.join(changes)}"] = None
    print("\n".join(lines))
    return int(refused)


def _accept_edited(args: argparse.Namespace) -> int:
    verb = _verb(args, "approve", "approved")
    by, number = _person(), 0
    recordings, code = _read(_meant(args.edited, _stored(args.folder)))
    for each in recordings:
        for step in accept_edited(each.path, by, dry=args.dry_run):
            number += 1
            print(f"{by} {verb} {step_title(step)} in {each.path.as_posix()}:")
            print("\n".join(f"  {line}" for line in code_of(step)))
    if not number:
        raise UsageError(
            f"no step in the recordings of {args.edited!r} was edited since it was approved:"
            " there is nothing to accept. For all recordings, type: pytest-webtask recordings list"
        )
    return code


def _verb(args: argparse.Namespace, plain: str, past: str) -> str:
    return f"would {plain}" if args.dry_run else past


def _stored(folder: str) -> list[Stored]:
    check_folder(folder)
    return maintenance.stored(Path(), folder)


def _read(files: Sequence[Stored]) -> tuple[dict[Stored, Sequence[RecordedStep]], int]:
    """Return the steps of each file that can be read, and 1 if there are others, which are named with the reason."""
    recordings: dict[Stored, Sequence[RecordedStep]] = {}
    for each in files:
        try:
            recordings[each] = load_recording(each.path).steps
        except DamagedRecording as error:
            print(error, file=sys.stderr)
    return recordings, int(len(recordings) < len(files))


def _meant(what: str, files: Sequence[Stored]) -> Sequence[Stored]:
    """Return the recordings of a path or a test. Raises UsageError if there are none."""
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


def _steps_then(each: Stored, revision: str) -> Sequence[RecordedStep]:
    text = _git("show", f"{revision}:./{each.path.as_posix()}")
    try:
        return parse_recording(text, each.path).steps
    except DamagedRecording:
        print(f"{each.path.as_posix()} could not be read as of {revision}: all of it counts as new")
        return ()


def _person() -> str:
    """Return the user's name by the git configuration, or the login name."""
    with suppress(UsageError):
        return _git("config", "user.name").strip() or getuser()
    return getuser()


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
