"""Pictures of the steps of a run, by the option --webtask-screenshots."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, BrowserContext, BrowserType, Error

from pytest_webtask.journal import JournalEvent, StepPictured, ToolCalled
from pytest_webtask.types.agent import ToolCall
from tests import nested
from tests.inner import events, project
from tests.site import Site

Run = Callable[..., Sequence[JournalEvent]]

TEST = """
def test_it(webtask):
    webtask.goto("{url}/")
    webtask.do('click "Go on"')
    webtask.verify('the page shows "Two"')
    webtask.do('fill "Name" with "Ann"')
    assert not {fails}
"""


Play = Callable[..., list[StepPictured]]


@pytest.fixture
def play(pytester: pytest.Pytester) -> Play:
    """Runs a test and returns how its steps end."""

    def play(test: str, *options: str, outcome: str = "passed") -> list[StepPictured]:
        pytester.makepyfile(test)
        result = pytester.runpytest(*options)
        assert result.parseoutcomes() == {outcome: 1}, nested.printed(result)
        return [event for event in events(pytester.path) if isinstance(event, StepPictured)]

    return play


@pytest.fixture
def run(pytester: pytest.Pytester, play: Play, site: Site) -> Run:
    """Runs a test of four steps on two pages and returns its journal."""
    site.pages["/"] = "<a href='/two'>Go on</a>"
    site.pages["/two"] = "<h1>Two</h1><input aria-label=Name>"

    def run(*options: str, fails: bool = False) -> Sequence[JournalEvent]:
        test = TEST.format(url=site.url, fails=fails)
        play(test, *options, outcome="failed" if fails else "passed")
        return events(pytester.path)

    return run


def _calls(read: Sequence[JournalEvent]) -> list[ToolCall]:
    return [event.call for event in read if isinstance(event, ToolCalled)]


def _saved(folder: Path) -> set[str]:
    [run] = (folder / ".webtask" / "runs").iterdir()
    return {path.relative_to(run).as_posix() for path in run.glob("screenshots/*.jpg")}


def _named(read: Sequence[JournalEvent]) -> list[set[str]]:
    """The pictures of each step: where its calls acted, and how it left the page."""
    steps: dict[int, set[str]] = {}
    for event in read:
        if isinstance(event, StepPictured):
            steps.setdefault(event.step, set()).add(event.picture.path)
        elif isinstance(event, ToolCalled) and event.call.spot:
            steps.setdefault(event.step, set()).add(event.call.spot.picture.path)
    return [steps[number] for number in sorted(steps)]


def test_picture_of_an_ambiguity_has_its_candidates(play: Play, site: Site) -> None:
    """A failed action or claim notes the boxes of all elements that it could mean; the next step has none."""
    site.pages["/"] = "<button>Go</button> <p><button>Go</button></p> <button>Stop</button>"
    test = f"""
import pytest
from pytest_webtask import TaskFailed, Undecided

def test_it(webtask):
    webtask.goto("{site.url}/")
    with pytest.raises(TaskFailed):
        webtask.do('click "Go"')
    with pytest.raises(Undecided):
        webtask.verify('the "Go" button is enabled', timeout=0)
    webtask.do('click "Stop"')
"""
    ends = play(test, "--webtask-timeout=0")
    assert [len(event.candidates) for event in ends] == [0, 2, 2, 0]
    one, two = ends[1].candidates
    assert one[2:] == two[2:] and one[1] < two[1]


@pytest.mark.parametrize("cdp", [True, False])
def test_each_step_ends_with_a_picture(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, cdp: bool
) -> None:
    """By default each step has a picture of the page as it left it, each action its place, in any browser."""
    if not cdp:
        _withhold_cdp(monkeypatch)
    read = run()
    ends = [event for event in read if isinstance(event, StepPictured)]
    assert [event.step for event in ends] == [1, 2, 3, 4]
    assert set().union(*_named(read)) == _saved(pytester.path)
    assert [call.spot is not None for call in _calls(read) if call.acts] == [True, True]


PLAYS = """
    "save it": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
    "it is saved": [holds(text("status:Saved", "Saved"))],
"""
REPLAYED = """
def test_it(webtask):
    webtask.goto("/")
    webtask.do("save it")
    webtask.verify("it is saved")
"""


def test_replayed_steps_in_ci_have_pictures_and_marks(tmp_path: Path) -> None:
    """A replay without a model has a picture of each step, and the place of each action."""
    with project(tmp_path, PLAYS, REPLAYED) as inner:
        button = "<button onclick=\"said.textContent = 'Saved'\">Save</button>"
        inner.site.pages["/"] = f"<h1>Draft</h1>{button}<p role=status id=said></p>"
        assert inner.run().outcomes == {"test_it": "passed"}
        run = inner.run("--webtask-screenshots=on", ci="true")
        assert run.outcomes == {"test_it": "passed"} and not run.asked, run.printed
        assert [event.step for event in run.events(StepPictured)] == [1, 2, 3]
        [click] = [event.call for event in run.events(ToolCalled) if event.call.acts]
        assert click.spot is not None and click.spot.point is not None


def test_picture_of_a_lost_check_has_the_closest_elements(tmp_path: Path) -> None:
    """A recorded check whose element is gone notes the boxes of those that could be it now."""
    play = '"it can be sent": [holds({"kind": "state", "element_id": "button:Send", "state": "enabled"})],'
    test = 'def test_it(webtask):\n    webtask.goto("/")\n    webtask.verify("it can be sent")\n'
    with project(tmp_path, play, test) as inner:
        inner.site.pages["/"] = "<h1>Draft</h1><button>Send</button>"
        assert inner.run().outcomes == {"test_it": "passed"}
        inner.site.pages["/"] = "<h1>Draft</h1><button>Publish</button>"
        run = inner.run("--webtask-screenshots=on", ci="true")
        assert run.outcomes == {"test_it": "failed"}
        assert [len(each.candidates) for each in run.events(StepPictured)] == [0, 1], run.printed


def _withhold_cdp(patch: pytest.MonkeyPatch) -> None:
    """Have Chromium pass for Firefox, which has no CDP."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise Error("CDP session is only available in Chromium")

    patch.setattr(BrowserType, "name", property(lambda _: "firefox"))
    patch.setattr(BrowserContext, "new_cdp_session", refuse)
    patch.setattr(Browser, "new_browser_cdp_session", refuse)


def test_click_that_leaves_is_marked_on_the_page_before(run: Run) -> None:
    """Its spot is on the picture that the step before ended with, where the button was."""
    read = run()
    first, second, *_ = [event.picture.path for event in read if isinstance(event, StepPictured)]
    click, fill = (call.spot for call in _calls(read) if call.acts)
    assert click is not None and click.picture.path == first != second
    assert click.point is not None
    assert fill is not None and fill.picture.path not in (first,)
    assert fill.point is None


def test_failed_test_keeps_the_pictures_of_its_last_two_steps(
    run: Run, pytester: pytest.Pytester
) -> None:
    """With only-on-failure a test that fails, wherever, keeps those of the last step and the one before."""
    read = run("--webtask-screenshots=only-on-failure", fails=True)
    assert _saved(pytester.path) == set().union(*_named(read)[-2:])
    assert not _saved(pytester.path) >= set().union(*_named(read))


@pytest.mark.parametrize(("option", "fails"), [("only-on-failure", False), ("off", True)])
def test_run_without_pictures_leaves_no_file(
    run: Run, pytester: pytest.Pytester, option: str, fails: bool
) -> None:
    """With only-on-failure a test that passes leaves no file, and with off none does, nor has it a spot."""
    read = run(f"--webtask-screenshots={option}", fails=fails)
    assert not _saved(pytester.path)
    assert option != "off" or not _named(read)


def test_each_step_ends_with_the_page_after_it(
    pytester: pytest.Pytester, play: Play, site: Site
) -> None:
    """Its picture has what the step changed, and what the test did before it, though both are only styles."""
    site.pages["/"] = """
        <style>
          body { margin: 0; min-height: 700px; background: rgb(254, 0, 0) }
          :has(:checked) > body { background: rgb(0, 0, 254) }
          p { position: absolute; top: 300px; width: 100% }
          :has(p:hover) > body { background: rgb(0, 254, 0) }
        </style><p>Garden</p><label><input type=checkbox>Night</label>"""
    ends = play(
        f"""
        def test_it(webtask, page):
            webtask.goto("{site.url}/")
            webtask.do('check "Night"')
            webtask.verify('the page shows "Garden"')
            page.mouse.move(300, 320)
            webtask.verify('the page shows "Garden"')
            page.mouse.move(300, 600)
            webtask.do('uncheck "Night"')
        """
    )
    [run] = (pytester.path / ".webtask" / "runs").iterdir()
    images = [Image.open(run / event.picture.path).convert("RGB") for event in ends]
    colors = [each.getpixel((900, 500)) for each in images]
    brightest = [max(range(3), key=lambda band: color[band]) for color in colors]  # type: ignore[index]
    assert brightest == [0, 2, 2, 1, 0]
    assert ends[1].picture == ends[2].picture


@pytest.mark.long
def test_hanging_page_costs_no_step(play: Play, site: Site) -> None:
    """A page that is busy when its step ends has no picture, and the step passes."""
    busy = "setTimeout(() => { const end = Date.now() + 60000; while (Date.now() < end); }, 1)"
    site.pages["/busy"] = f"<script>onload = () => {busy}</script>"
    ends = play(
        f"""
        def test_it(webtask):
            webtask.goto("{site.url}/")
            webtask.goto("{site.url}/busy")
        """
    )
    assert [event.step for event in ends] == [1]


SECRETS = """
import pytest
from PIL import Image, ImageChops
from pytest_webtask import Secret

@pytest.fixture
def webtask_data():
    return {{"code": {code}}}

@pytest.fixture
def webtask_redact():
    return {redact}

def test_it(webtask):
    webtask.goto("{url}/")
    webtask.do('fill "Code" with "{{code}}"')
    webtask.do('click "Show"')
    webtask.do('click "Go on"')
    webtask.verify('the page shows "Two"')
    webtask.verify('the page shows "Three"', timeout=0.5)
"""
SHOWING = """
<style>
  #echo { position: absolute; top: 100px; left: 100px; font: 60px sans-serif; color: rgb(254, 0, 0) }
  .card { position: absolute; top: 300px; left: 100px; font: 60px sans-serif; color: rgb(0, 0, 254) }
</style>
"""


@pytest.mark.parametrize(
    ("pictures", "hidden", "cdp"),
    [
        ("on", True, True),
        ("on", False, True),
        ("only-on-failure", True, True),
        ("only-on-failure", False, True),
        ("on", True, False),
    ],
)
def test_no_picture_shows_a_secret(
    pytester: pytest.Pytester,
    play: Play,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    pictures: str,
    hidden: bool,
    cdp: bool,
) -> None:
    """What spells a secret is black in each picture of a run, and so is a redacted part; else they show it."""
    if not cdp:
        _withhold_cdp(monkeypatch)
    site.pages["/"] = (
        f"{SHOWING}<input aria-label=Code><p id=echo></p><p class=card>1 Kiln Lane</p>"
        "<button onclick=\"echo.textContent = document.querySelector('input').value\">Show</button>"
        "<a href='/two'>Go on</a>"
    )
    site.pages["/two"] = (
        f"{SHOWING}<h1>Two</h1><p id=echo>x8-Kq2-Zz9</p><p class=card>1 Kiln Lane</p>"
    )
    code = '"x8-Kq2-Zz9"'
    redact = '[".card"]' if hidden else "[]"
    test = SECRETS.format(url=site.url, code=f"Secret({code})" if hidden else code, redact=redact)
    play(test, f"--webtask-screenshots={pictures}", outcome="failed")
    [run] = (pytester.path / ".webtask" / "runs").iterdir()
    saved = sorted(run.glob("screenshots/*.jpg"))
    assert len(saved) >= (5 if pictures == "on" else 2)
    colors = [_has_red_and_blue(path) for path in saved]
    if hidden:
        assert not any(red or blue for red, blue in colors)
    else:
        assert any(red for red, _ in colors)
        assert all(blue for _, blue in colors)


def _has_red_and_blue(path: Path) -> tuple[bool, bool]:
    red, green, blue = (Image.open(path).convert("RGB").getchannel(band) for band in "RGB")
    dark = green.point(lambda v: 255 if v < 90 else 0)
    reddish = ImageChops.darker(red.point(lambda v: 255 if v > 160 else 0), dark)
    bluish = ImageChops.darker(blue.point(lambda v: 255 if v > 160 else 0), dark)
    return reddish.getbbox() is not None, bluish.getbbox() is not None
