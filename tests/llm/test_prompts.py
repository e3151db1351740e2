"""What a turn is put into: bounded lines, and first what matters."""

import base64
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_webtask.llm.prompts import PIXELS, Prompt, called, render
from pytest_webtask.types.agent import (
    Conclusion,
    EarlierStep,
    Event,
    Iteration,
    Observation,
    ToolCall,
    Turn,
)
from pytest_webtask.types.page import Seen
from tests.scripted import FixedPage

URL = "https://shop.test/"


def made(tool: str = "click", result: str = "", **more: Any) -> ToolCall:
    """A call that was made."""
    fields: dict[str, Any] = {"parameters": {}, "success": True, "result": result, **more}
    return ToolCall(tool=tool, **fields)


def turn(number: int, *calls: ToolCall, outline: str | None = None, **more: Any) -> Iteration:
    """A turn that is over; `outline` is what was seen in it."""
    seen = None
    if outline is not None:
        seen = Seen(url=URL, title="Shop", outline=outline, document="a")
    return Iteration(
        number=number, role="worker", calls=calls, observed=seen, started=0.0, time=0.0, **more
    )


def prompt(
    *iterations: Iteration, task: str = "buy a mug", earlier: Any = (), **seen: Any
) -> Prompt:
    """The next turn in words, on a page of which that was seen."""
    known = {"url": URL, "title": "Shop", "outline": "# Shop", "document": "a", "elements": {}}
    given = {"viewport": (800.0, 600.0), "take_screenshot": lambda: None, **known, **seen}
    return render(
        Turn(
            role="worker",
            task=task,
            tools=(),
            view=FixedPage(observation=Observation(**given)),
            iterations=iterations,
            number=len(iterations) + 1,
            earlier=earlier,
        )
    )


def changes(old: str, new: str, url: str = URL, document: str = "a") -> list[str]:
    """The lines that tell what has changed on a page that then has another address or document."""
    page = prompt(turn(1, made(), outline=old), outline=new, url=url, document=document).page
    return page.partition("previous turn:\n")[2].partition("\n\n")[0].splitlines()


class TestCalls:
    @pytest.mark.parametrize(
        "call",
        [
            made(reason="first line\nsecond line"),
            made(reason="because " * 900),
            made("click\nTask: something else"),
            made("x" * 9000),
            made(parameters={"text": "a\nb\u2028c", "y" * 5000: "z" * 5000}),
            made(parameters={f"p{i}": "z" * 200 for i in range(100)}),
        ],
        ids="lines reason tool long-tool separators parameters".split(),
    )
    def test_call_is_one_bounded_line(self, call: ToolCall) -> None:
        """A call is one line of limited length, whatever its arguments are."""
        line = called(call)
        assert len(line.splitlines()) == 1
        assert len(line) < 1_400

    def test_long_reason_is_cut(self) -> None:
        """A long reason is cut to 200 characters, and a short one is kept."""
        assert called(made(reason="the price is $9")) == "click (the price is $9)"
        assert called(made(reason="a" * 300)) == f"click ({'a' * 199}…)"

    def test_evidence_of_earlier_turns_is_shortened(self) -> None:
        """The newest turn has its evidence whole, of whatever shape; those before it have its beginning."""
        for wrong in ("text", [1, "x"], [{"kind": ["text"], "text": {"a": "b"}}], {"kind": 1}):
            evidence = [wrong, *({"kind": "text", "text": f"{n} " * 9} for n in range(20))]
            failed = made("confirm", parameters={"evidence": evidence}, success=False, error="no")
            left = made("click", parameters={"element_id": "link-1"}, ran=False, success=False)
            lines = prompt(turn(1, failed, left), turn(2, failed, left)).task.splitlines()
            [first, second, third, fourth] = [line for line in lines if line[:2] in ("1.", "2.")]
            assert first.startswith("1. confirm evidence=") and len(first) < 300
            assert second == '1. click element_id="link-1": not run'
            assert json.dumps(evidence) in third and fourth == second.replace("1.", "2.")

    def test_earlier_steps_stand_with_the_page(self) -> None:
        """What earlier steps did and found is in the result of the tool, never in the task."""
        known: dict[str, Any] = {"kind": "verify", "sentence": "the order is placed"}
        facts = ('text shows "Done\n4. do pay: completed"',)
        earlier = EarlierStep(**known, status="passed", number=3, facts=facts)
        words = prompt(earlier=[earlier])
        assert "Done" not in words.task + words.system
        lines = words.page.splitlines()
        assert lines[1:3] == [
            "3. verify the order is placed: passed",
            '  shown: text shows "Done 4. do pay: completed"',
        ]

    def test_half_a_surrogate_pair_can_be_sent(self) -> None:
        """Invalid Unicode in the page, its messages and the calls is sent without an error."""
        half = "\ud83d"
        iteration = turn(
            1, made(reason=half, result=half), events=(Event(kind="dialog", text=half),)
        )
        words = prompt(iteration, outline=f"broken {half}")
        for text in (words.system, words.task, words.page):
            assert json.dumps(text, ensure_ascii=False).encode()
        assert "broken ?" in words.page


class TestSaid:
    def test_results_of_earlier_turns_show_only_reading_calls(self) -> None:
        """Earlier turns show only calls that read something; the last turn shows all results."""
        failed = made("look", success=False, error="no", informs=True)
        page = prompt(
            turn(1, made("navigate", "at /one"), made("look", "the price is $9", informs=True)),
            turn(2, made("read_mail", "code 1234", informs=True), failed),
            turn(3, made("navigate", "at /three"), made("wait", "it is there")),
        ).page
        results = page.partition("Results of your calls, by turn:\n")[2].partition("\n\n")[0]
        assert results.splitlines() == [
            "1. look: the price is $9",
            "2. read_mail: code 1234",
            "3. navigate: at /three",
            "3. wait: it is there",
        ]


class TestChanges:
    def test_covered_focused_and_scrolled_are_no_changes(self) -> None:
        """Elements that are now covered, scrolled or without focus are not listed as changed."""
        old = '[button-0 "Buy"]\n[button-1 "Sell" ↓]\n[textbox-0 "Name" focused]'
        new = '[button-0 "Buy" covered]\n[button-1 "Sell" covered]\n[textbox-0 "Name"]'
        assert changes(old, new + "\ndialog: Sure?") == ["+ dialog: Sure?"]

    def test_few_changes_are_listed_in_order(self) -> None:
        """What was added comes before what was removed, each in the order of the page."""
        assert changes("a\nb\nc", "a\nx\nc\nd") == ["+ x", "+ d", "- b"]

    def test_room_left_by_added_lines_is_for_removed_ones(self) -> None:
        """Removed lines follow the added ones, as far as there is room."""
        lines = changes("\n".join(f"gone {i}" for i in range(20)), "new")
        assert lines[:2] == ["+ new", "- gone 0"]
        assert lines[19:] == ["- gone 18", "… and 1 more lines"]

    @pytest.mark.parametrize(
        ("url", "document", "expected"),
        [
            (URL, "a", ["+ Two"]),
            (f"{URL}#two", "a", [f"the address, which was {URL}", "+ Two"]),
            (URL, "b", ["the page was loaded: all ids are new", "+ Two"]),
            (f"{URL}two", "b", [f"the address, which was {URL}", "the page was loaded: all ids are new"]),
        ],
    )  # fmt: skip
    def test_differences_are_listed_unless_another_page_was_loaded(
        self, url: str, document: str, expected: list[str]
    ) -> None:
        """A new address of the same document, or a reload, is said before what is different."""
        assert changes("One", "One\nTwo", url=url, document=document) == expected


def test_black_boxes_are_explained() -> None:
    """The prompt says that black boxes are masks and no fault of the application."""
    assert "black in it is hidden on purpose" in prompt().system


def test_date_time_zone_and_viewport_are_in_the_turn() -> None:
    """A turn has the page's date with the day of the week, its time zone and the size of its visible part."""
    words = prompt(today=date(2026, 11, 24), time_zone="Europe/Berlin").page
    assert "\nToday: Tuesday, 2026-11-24, time zone Europe/Berlin\n" in words
    assert "\nVisible part: 800 by 600 pixels\n" in words
    assert "\nToday: Tuesday, 2026-11-24\n" in prompt(today=date(2026, 11, 24)).page
    assert "Today" not in prompt().page


def test_doubled_braces_are_shown_as_one() -> None:
    """`{{` in a sentence is shown as one brace to every role."""
    shown = prompt(task='fill "Template" with "{{a}} {name}"').task
    assert 'Task: fill "Template" with "{a} {name}"' in shown


def concluded(*actions: str, deviations: tuple[str, ...] = (), **fact: Any) -> Prompt:
    """The referee's turn in words, on a task with one fact."""
    facts = ({"number": 1, "check": "text", **fact},)
    conclusion = Conclusion(
        kind="task", sentence="pay", facts=facts, actions=actions, deviations=deviations
    )
    return render(Turn("referee", "pay", (), FixedPage(), conclusion=conclusion))


def test_referee_is_told_of_checkpoints_and_deviations_where_there_are_some() -> None:
    """A conclusion with neither costs no words on them; deviations are separate from the facts."""
    plain = concluded()
    assert "checkpoint" not in plain.system.lower() and "deviation" not in plain.system.lower()
    after = {"checkpoint": 1, "held after": "click Add"}
    full = concluded(deviations=('chose "Ann"',), **after)
    assert "held after" in full.system and "`Deviations`" in full.system
    assert '"chose \\"Ann\\""' in full.page.partition("The facts:")[0]


def test_pictures_of_a_conclusion_share_a_budget(tmp_path: Path) -> None:
    """Large pictures are scaled down, and a small one is sent as it is if it is a JPEG."""
    sizes = {
        "large.jpg": (1200, 900),
        "wide.png": (2000, 400),
        "icon.jpg": (16, 16),
        "logo.png": (9, 9),
    }
    files = [tmp_path / name for name in sizes]
    for file, size in zip(files, sizes.values(), strict=True):
        Image.new("RGB", size, "white").save(file)
    sent = [base64.b64decode(image) for image in Prompt("", "", "", None, pictures=files).images]
    shown = [Image.open(io.BytesIO(data)).size for data in sent]
    assert {Image.open(io.BytesIO(data)).format for data in sent} == {"JPEG"}
    assert sum(width * height for width, height in shown) <= PIXELS
    assert shown[0][0] / shown[0][1] == pytest.approx(4 / 3, abs=0.01)
    assert sent[2] == files[2].read_bytes()


def test_referee_reads_how_many_actions_are_not_listed() -> None:
    """A very long list of actions says that it has lost its beginning."""
    some, many = (concluded(*(f"click {n}" for n in range(1, last))).page for last in (101, 221))
    assert "earlier ones" not in some and '"click 1"' in some
    assert "(100 earlier ones are not listed)" in many and '"click 101"' in many
