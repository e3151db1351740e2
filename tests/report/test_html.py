"""What the pages of a report say, and what they weigh."""

import html
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.journal.runs import StepRecord, TestAttempt
from pytest_webtask.report import view
from pytest_webtask.report.html import HtmlReport, page_of
from pytest_webtask.report.view import Report, Test
from pytest_webtask.types.agent import Event, ToolCall, Usage
from pytest_webtask.types.page import Seen, Target
from tests.report import sample

TAG = re.compile(r"<[^>]+>")
Written = Callable[[Test | str], str]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes the page of a test, or of that of the sample with this name, and gives its HTML."""

    def write(test: Test | str) -> str:
        if isinstance(test, str):
            test = of_sample(test)
        HtmlReport(tmp_path).write(Report(tests=[test]))
        return (tmp_path / test.page).read_text("utf-8")

    return write


def of_sample(name: str) -> Test:
    """A test of the sample report."""
    return next(test for test in sample.tests() if f"::{name}" in test.id)


def of_step(**more: object) -> Test:
    """A passed test of one step."""
    given = {"number": 1, "kind": "verify", "sentence": "it works", "status": "passed", **more}
    attempt = sample.attempt("passed", StepRecord.model_validate(given))
    return Test(id="test_it.py::test_it", outcome="passed", attempts=[attempt])


def overview(folder: Path, tests: list[Test], *, inline: bool = False) -> str:
    """The overview of the report of these tests."""
    pages = HtmlReport(folder, inline=inline)
    return pages.write(sample.report(tests)).read_text("utf-8")


def text(page: str) -> str:
    """What there is to read on a page, on one line."""
    return " ".join(html.unescape(TAG.sub(" ", page)).split())


# Where things are


def test_page_names_are_stable_and_unique(tmp_path: Path) -> None:
    """A test's page is named after it, the same in each report, and no two tests share one."""
    test = of_step()
    HtmlReport(tmp_path).write(Report(tests=[test]))
    assert test.page == page_of(test.id) == page_of("test_it.py::test_it")
    assert re.fullmatch(r"tests/test-it-[0-9a-f]{8}\.html", test.page)
    assert page_of("a.py::test_it") != page_of("b.py::test_it")
    assert re.fullmatch(r"tests/[a-z0-9-]+\.html", page_of("a.py::test[../../x " + "ü" * 300))


def test_page_of_a_test_links_its_pictures(written: Written) -> None:
    """Pictures are linked relative to the page, and load lazily."""
    page = written("test_aborts")
    picture = (
        '<img src="../pictures/shop0.jpg" alt="page before iteration 1: Mugs – Kiln &amp; Co."'
    )
    assert picture in page
    assert page.count("<img") == page.count('loading="lazy" decoding="async"') == 6
    assert "data:image/jpeg" not in page


def test_page_requests_only_relative_files(written: Written) -> None:
    """A page refers to its style, script, pictures and links by relative addresses only."""
    asked = set(re.findall(r'(?:src|href)="([^"#][^"]*)"', written("test_two_mugs")))
    asked = {address for address in asked if not address.startswith("data:")}
    names = "report.css report.js index.html pictures/shop0.jpg pictures/shop1.jpg".split()
    trace = "../../test-results/two%20mugs/trace.zip"
    assert asked == {*(f"../{name}" for name in names), trace}


def test_missing_picture_is_left_out(tmp_path: Path) -> None:
    """A report in one file leaves out a picture that does not exist."""
    page = overview(tmp_path, sample.tests(), inline=True)
    assert "data:image/jpeg" not in page
    assert 'href="#test-two-mugs-' in page
    assert not (tmp_path / "tests").exists()


# The page of a test


SHOWN = {
    "test_two_mugs": (
        "What went wrong Step 4: verify cart shows 2 items failed The cart link reads Cart (1), where two"
        ' items were expected. link "Cart (1)" expected exactly "Cart (2)" found Cart (1) Output of pytest',
        *("Output of pytest 6 lines", "video: /home/ci/video.webm"),
        "playwright show-trace '../test-results/two mugs/trace.zip'",
        "Evidence that it does not hold Check Expected Actual Held",
        *('exactly "Cart (2)" Cart (1) ✗ no', '"Mugs" Mugs ✓ yes'),
    ),
    "test_healed": ('Healed: button "Add"',),
    "test_drifted": ("Proposed heal, not used: link",),
    "test_passes": (
        '1 fill searchbox "Search products": "mug" 0.09 s get_by_role("searchbox", name="Search'
        ' products") 2 press "Enter" 0.04 s',
    ),
    "test_undecided": (
        "Verifier: it holds No delay is listed. Referee: these facts do not prove it ruled by",
    ),
    "test_by_eye": ("By eye: no code has checked this.", "cost not known"),
    "test_flaky": ("What went wrong in attempt 1", "Attempt 2 of 2 passed"),
    "test_two_people": ("seller do list a new mug",),
    "test_value": ("→ 14.00",),
    "test_long": ("It went wrong in set-up or teardown",),
    "test_judged": (
        *('Stands in table "Cart" › row "Tall Mug"', "State visible checked", "Column Total"),
        *("Compared with Element cell", "560 characters", "Asked with 1 fact: it holds"),
        "Missing: which column the amount stands in",
        "approved by claude-opus-5-5 on 2026-11-22, perhaps in the same session",
    ),
}
MARKUP = {
    "test_healed": r"<del>.*get_by_text\(&#34;Add&#34;\)</del>(.|\n)*<ins>.*get_by_role\(&#34;button&#34;\)</ins>",
    "test_by_eye": r"\.\./pictures/badge\.jpg",
    # The last attempt comes first and is open.
    "test_flaky": r'<details class="attempt" id="a2" open>(.|\n)*<details class="attempt" id="a1">',
    "test_long": '<details class="message" open>',
}


def test_page_of_a_test_tells_what_happened(written: Written) -> None:
    """Failures, evidence, heals, rulings, facts, attempts and values are in words on its page."""
    pages = {name: written(name) for name in SHOWN}
    shown = {name: text(page) for name, page in pages.items()}
    assert [each for name in SHOWN for each in SHOWN[name] if each not in shown[name]] == []
    assert [name for name, part in MARKUP.items() if not re.search(part, pages[name])] == []
    assert shown["test_judged"].count("these facts prove it") == 2
    assert shown["test_judged"].count("these facts do not prove it") == 1
    head = text(pages["test_healed"].partition("</header>")[0])
    assert "1 healed" in head and not re.search(r"\d heals?\b", head), "counted once"


def test_first_failure_is_open(written: Written) -> None:
    """Only the first failed step is open in the HTML."""
    test = of_sample("test_two_mugs")
    steps = test.attempts[0].steps
    steps.append(steps[-1].model_copy(update={"number": 5}))
    page = written(test)
    assert re.findall(r'<details class="step[^>]*open[^>]*>', page) == [
        '<details class="step bad" id="a1-s4" open data-first>'
    ]


def test_empty_actual_result_is_named(written: Written) -> None:
    """Where the page had nothing, the table says so; where a check could not run, its problem does."""
    empty = sample.checked("value", 'textbox "Code"', '= "A1"')
    failing = empty.model_copy(update={"problem": "it is gone"})
    shown = text(written(of_step(status="failed", evidence=[empty, failing])))
    assert '= "A1" (nothing) ✗ no' in shown
    assert 'it is gone = "A1" ✗ no' in shown


def test_refused_conclusion_is_shown_with_its_iteration_only(written: Written) -> None:
    """A refused verdict is no action of the step, and its arguments are not listed as one."""
    given: dict[str, Any] = {"tool": "report_verdict", "parameters": {"outcome": "holds"}}
    refused = ToolCall(**given, ends=True, success=False, error="the evidence is not enough")
    iteration = sample.iteration(refused, role="verifier", observed=sample.look(1))
    shown = text(written(of_step(kind="verify", iterations=[iteration])))
    assert "report verdict outcome" not in shown
    assert shown.count("the evidence is not enough") == 1


def test_steps_have_pictures_with_marks(written: Written) -> None:
    """The page begins with a picture of each step; its calls are marked and numbered on the one before."""
    page = written("test_pictured")
    [strip] = re.findall(r"<nav class=\"board\".*?</nav>", page, re.S)
    pictures = [f"../pictures/shop{items}.jpg" for items in (0, 2, 2)]
    assert re.findall(r'src="([^"]*)"', strip) == pictures
    assert "✗ 3 verify cart shows 2 items failed" in text(strip)
    assert page.index(strip) < page.index("What went wrong")
    before, after = re.findall(r"<figure class=\"shot\">.*?</figure>", page, re.S)[2:4]
    assert "shop0.jpg" in before and "shop2.jpg" in after
    assert '<rect class="box" x="436" y="470" width="200" height="40" rx="3"/>' in before
    assert before.count('"box ring"') == 2 and before.count("arrow") == 1
    assert re.findall(r'<span class="label"[^>]*>([^<]*)', before) == ["1", "2"]
    assert "<svg" not in after


def test_unchanged_page_and_repeated_call_are_shown_once(written: Written) -> None:
    """A step that left the page as it was has one picture; two calls at a place share a mark with both numbers."""
    click = sample.click(pictured=True)
    iteration = sample.iteration(click, click)
    page = written(of_step(kind="do", iterations=[iteration], after=sample.shot(0)))
    assert page.count('<figure class="shot">') == 1
    assert "Before and after" in page
    assert re.findall(r'<span class="label"[^>]*>([^<]*)', page) == ["1, 2"]


def test_page_after_a_failure_is_shown_once(written: Written) -> None:
    """A failed replay has one picture of the page that it left, and the outline of that page."""
    fields = {"status": "failed", "after": sample.shot(0), "last": sample.look(0)}
    page = written(of_step(**fields))
    assert page.count("<figure") == 1
    assert "Outline of that page" in page


def test_all_failed_steps_of_a_test_are_listed(written: Written) -> None:
    """After soft failures the problem names each failed step with its line; the overview says how many more."""
    known: dict[str, Any] = {"kind": "verify", "file": "test_it.py"}
    steps = [
        StepRecord(
            number=n, line=n, sentence=f"claim {n}", reason=f"reason {n}", status=status, **known
        )
        for n, status in enumerate(["failed", "passed", "failed"], 1)
    ]
    attempt = sample.attempt("failed", *steps)
    call = attempt.phases["call"].model_copy(update={"failed_steps": (("", 1), ("", 3))})
    attempt.phases["call"] = call
    test = Test(id="test_it.py::test_it", outcome="failed", attempts=[attempt])
    problem = text(written(test).partition("What went wrong")[2].partition("</section>")[0])
    assert "Step 1: verify claim 1 failed test_it.py:1 reason 1" in problem
    assert "Step 3: verify claim 3 failed test_it.py:3 reason 3" in problem
    assert "claim 2" not in problem
    wrong = view.first_wrong(test)
    assert wrong is not None and wrong.line == "reason 1 – 1 more step failed"


def test_line_that_ends_with_a_colon_has_what_it_announces() -> None:
    """The line of a problem is not cut where it announces a list."""
    assert view.first_line("2 elements could be it:\n  one\n  two") == (
        "2 elements could be it: one; two"
    )
    assert view.first_line("none could be it\nwrite more") == "none could be it"


def test_candidates_are_marked_in_the_picture_after(written: Written) -> None:
    """Candidates are numbered boxes in the last picture, without those outside of it."""
    boxes = ((10, 20, 30, 40), (10, 2000, 30, 40), (50, 20, 30, 40))
    page = written(of_step(status="undecided", after=sample.shot(0), candidates=boxes))
    assert "After, with what could be meant" in page
    assert re.findall(r'<span class="label"[^>]*>([^<]*)', page) == ["1", "3"]


def test_step_shows_the_line_that_calls_it(written: Written) -> None:
    """A step has its line of the test, and the test the command that runs it."""
    page = text(written(of_step(file="test_it.py", line=7, source="webtask.verify('it works')")))
    assert "test_it.py:7 webtask.verify('it works')" in page
    assert "pytest test_it.py::test_it Copy" in page


def test_iteration_shows_calls_and_cost(written: Written) -> None:
    """An iteration shows reasoning, calls, messages, picture and cost."""
    call = sample.unreached("wait", seconds=2, all=list(range(60)), reason="slow")
    iteration = sample.iteration(
        call,
        model="claude",
        observed=Seen(url="http://x/", title="X", outline="[button-0]"),
        reasoning="hm",
        problem="no tool call",
        notices=("look again",),
        events=(Event(kind="dialog", text="Sure?"),),
        usage=Usage(model_calls=1, input_tokens=1500, output_tokens=7, cost=0.5),
    )
    second = iteration.model_copy(update={"number": 2})
    shown = text(written(of_step(kind="do", iterations=[iteration, second])))
    assert "failed" not in shown, "a call that the batch did not reach"
    for words in (
        *("look again", "hm", "no tool call", "wait seconds=2, all=…", "not run", "slow"),
        *("All parameters seconds=2, all=[0, 1, 2", "dialog Sure?", "Outline it saw [button-0]"),
        *("1,500 tokens in, 7 out", "$0.5000", "The outline was the same as before."),
    ):
        assert words in shown


def test_costs_of_roles_and_subtasks_are_shown(written: Written) -> None:
    """Each role that asked a model has its calls, tokens and cost, each subtask its cost, rulings included.

    A subtask in work when the process was killed is cut off. The end of a phase has no heading.
    """
    plan = {"goal": "log in", "status": "done"}, {"goal": "buy", "status": "in work"}
    steps: list[dict[str, Any]] = [
        {"role": "planner", "usage": sample.usage(), "sees_page": False, "phase": "A plan"},
        {"subtask": 1, "usage": sample.usage(2)},
        {"role": "referee", "usage": sample.usage(), "sees_page": False},
        {"subtask": 2, "usage": sample.usage(0).model_copy(update={"cost": None})},
    ]
    iterations = [sample.iteration(model="claude", **each) for each in steps]
    task = {"description": "log in and buy", "workflow": "planner", "subtasks": plan}
    page = written(of_step(kind="do", iterations=iterations, task=task, status="broken off"))
    assert re.findall('<h3 class="phase">(.*?)</h3>', page) == ["A plan"]
    shown = text(page)
    for words in (
        "Model calls by role Role Calls Tokens in Cached Tokens out Cost planner 1 8,200 6,100 210 $0.0123 worker 2",
        "referee 1 8,200 6,100 210 $0.0123",
        "1. log in done $0.0369 2. buy cut off",
    ):
        assert words in shown


def test_unended_test_names_its_last_step(written: Written) -> None:
    """A test that never ended names the step in which its process was killed, if more than its name is known."""
    ends = {
        (): "was killed before its first step.",
        ("completed",): "was killed after step 1.",
        ("completed", "broken off"): "was killed in step 2.",
    }
    for statuses, end in ends.items():
        steps = [
            StepRecord(number=number, kind="do", sentence="x", status=status)
            for number, status in enumerate(statuses, 1)
        ]
        test = Test(id="t.py::t", attempts=[TestAttempt(steps=steps)])
        assert f"Never ended: the process {end}" in text(written(test))
    assert "Nothing is known of this test but its name." in text(written(Test(id="x")))


# The overview


def test_overview_lists_failed_tests_first(tmp_path: Path) -> None:
    """The overview has a row for each test, failed ones first, and marks an unknown cost."""
    page = overview(tmp_path, sample.tests())
    rows = [text(row) for row in re.findall(r"<tr data-.*?</tr>", page, re.S)]
    assert len(rows) == 17
    assert [row.split()[0] for row in rows].index("passed") == 9
    assert "step 4, failed: verify cart shows 2 items" in rows[0]
    assert 'expected exactly "Cart (2)", found Cart (1)' in rows[0]
    assert rows[0].endswith("7.23 s 4 1 literal 1 replayed – – – – – 1")
    assert rows[1].endswith("22.9 s 2 1 model 3 24,600 18,300 630 $0.0369 1")
    assert next(row for row in rows if "by_eye" in row.replace(" ", "")).endswith("not known 1")
    assert "1 line of the journals could not be read" in page


def test_overview_shows_the_failing_moment(tmp_path: Path) -> None:
    """A failed test has the picture of its failed step, a passed one that of its end."""
    failed = of_sample("test_pictured")
    failed.attempts[0].steps[2].after = sample.shot(1)
    failed.attempts[0].steps.append(sample.replayed(4, "goto", "/", after=sample.shot(0)))
    passed = of_step(after=sample.shot(2))
    blank = of_step().model_copy(update={"id": "test_it.py::test_blank"})
    page = overview(tmp_path, [failed, passed, blank])
    rows = re.findall(r"<tr data-.*?</tr>", page, re.S)
    sources = [re.findall(r'src="([^"]*)"', row) for row in rows]
    assert sources == [["pictures/shop1.jpg"], ["pictures/shop2.jpg"], []]


def test_overview_has_no_column_without_content(tmp_path: Path) -> None:
    """What no test has is no column."""
    passed = Report(tests=[of_step()], outcomes=Counter(["passed"]))
    page = HtmlReport(tmp_path).write(passed).read_text("utf-8")
    assert "No test failed" in page
    heads = re.findall(r'class="sort">([^<]*)', page)
    assert heads == ["Outcome", "Test", "Time", "Steps"], "nothing to tell of models and reruns"
    assert "Tokens in</dt>" not in page and "–" not in text(page)
    assert "No test was run" in HtmlReport(tmp_path).write(Report()).read_text("utf-8")


@pytest.mark.parametrize("inline", [False, True])
def test_large_report_is_small(tmp_path: Path, inline: bool) -> None:
    """Each iteration of 40 tests is short."""
    sample.draw_pictures(tmp_path)
    tests = [sample.long_test(number, 10) for number in range(40)]
    index = HtmlReport(tmp_path, inline=inline).write(sample.report(tests))
    outline = tests[-1].attempts[0].steps[1].iterations[0].observed
    written = index if inline else tmp_path / tests[1].page
    iterations = 400 if inline else 10
    assert outline is not None
    assert written.stat().st_size / iterations - len(outline.outline) < 8 * 1024


# Words


def test_times_and_costs_have_units() -> None:
    """A time is in seconds, minutes or hours; a cost without a call is none, one without a price not known."""
    times = {0: "0.00 s", 9.994: "9.99 s", 59.9: "59.9 s", 59.96: "1 min 00 s", 3725: "1 h 02 min"}
    assert {seconds: view.in_seconds(seconds) for seconds in times} == times
    costs = {None: "not known", 0.0: "$0.00", 0.0042: "$0.0042", 1234.5: "$1,234.50"}
    assert {cost: view.in_dollars(Usage(model_calls=1, cost=cost)) for cost in costs} == costs
    assert view.in_dollars(Usage()) == "–"


def test_only_relative_paths_are_linked() -> None:
    """Absolute paths and addresses are no links."""
    linked = {"../a b/trace.zip": "../a%20b/trace.zip", "..\\x\\y.png": "../x/y.png"}
    others = ["javascript:alert(1)", "C:\\x\\y.png", "//elsewhere/x", "/home/x", ""]
    links = {**linked, **dict.fromkeys(others)}
    assert {path: view.link_to(path) for path in links} == links


WORDS: dict[str, tuple[str, dict[str, object]]] = {
    'dblclick button "Go"': ("click", {"element_id": "button-0", "double": True}),
    'click button "Go": button "right"': ("click", {"element_id": "b", "button": "right"}),
    'uncheck button "Go"': ("check", {"element_id": "checkbox-0", "checked": False}),
    'type button "Go": "a "b""': ("type", {"element_id": "textbox-0", "text": 'a "b"'}),
    'select option button "Go": "a", "b"': ("select_option", {"options": ["a", "b"]}),
    'drag button "Go"': ("drag", {"to_element_id": "button-1", "to_x": None}),
}


def test_actions_are_shown_in_words() -> None:
    """Each action is shown with its element and values."""
    targets = {"element_id": Target.model_validate({"pinned": {"role": "button", "name": "Go"}})}
    for words, (tool, parameters) in WORDS.items():
        call = ToolCall(tool=tool, parameters=parameters, targets=targets, success=True)
        assert view.as_words(call) == words


def test_reason_that_repeats_its_check_is_left_out(written: Written) -> None:
    """What a replay says of a missed check is in the overview's line and in the problem's box once."""
    check = sample.checked("text", 'link "Cart"', 'exactly "2"', "1")
    reason = 'link "Cart": expected exactly "2", but the page has 1'
    replay = [sample.iteration()]
    test = of_step(status="failed", reason=reason, evidence=[check], iterations=replay)
    test.outcome = "failed"
    test.attempts = [sample.attempt("failed", *test.attempts[0].steps)]
    wrong = view.first_wrong(test)
    assert wrong is not None and wrong.line == reason
    [box] = re.findall(r"<section class=\"wrongs\".*?</section>", written(test), re.S)
    assert 'link "Cart" expected exactly "2" found 1' in text(box)
    assert "but the page has" not in text(box)


def test_notes_of_facts_are_not_collapsed(written: Written) -> None:
    """Signs of more, similar elements and patterns are visible without opening anything."""
    page = written("test_undecided")
    shown = text(re.sub(r"<details class=\"all\">.*?</details>", "", page, flags=re.S))
    for words in (
        *("In all 9", "and 3 more", "Signs of more the text 1-9 of 12"),
        *("Similar Delayed by 40 minutes", "there was no tool call"),
        "Searched all visible texts (ignoring case) of the page",
    ):
        assert words in shown, words
    assert "Mug number 8" not in shown and "Mug number 8" in text(page)
