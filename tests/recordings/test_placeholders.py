"""One recording for every case, user and browser: placeholders and variants."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.journal.schema import (
    AmbiguousValueError,
    RecordedPlaceholders,
    names_in,
    typed_values,
)
from pytest_webtask.types.page import Address, Container, Remembered, Target
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("values", "text", "put"),
    [
        ({"user": "alice"}, "Hello alice, not malice!", "Hello {user}, not malice!"),
        ({"user": "ann"}, "Joanna, ann, ann-marie", "Joanna, {user}, {user}-marie"),
        ({"n": "2"}, "2 of 20, 2.5, 1.2, 1,2", "{n} of 20, 2.5, 1.2, 1,2"),
        ({"n": "2"}, "2, please. 2.", "{n}, please. {n}."),
        ({"a": "Ann", "b": "Ann Lee"}, "Ann Lee and Ann", "{b} and {a}"),
        *[({"a": "x+y(z)"}, "is x+y(z)?", "is {a}?"), ({"a": "Zoë"}, "Zoë", "{a}")],
        *[({"a": ""}, "nothing", "nothing"), ({"a": "  two   words "}, "two words", "{a}")],
        *[({"user": "user"}, "{user} user", "{user} {user}"), ({}, "{kept}", "{kept}")],
        *[({"qty": "9"}, "Items: 9, 9 days", "Items: {qty}, 9 days"), ({"qty": "9"}, "9", "9")],
    ],
)
def test_values_become_placeholders(values: dict[str, str], text: str, put: str) -> None:
    """Whole words are replaced, the longest first, and what the sentence writes out beside other words is kept."""
    assert RecordedPlaceholders(values, "{qty} items, delivery in 9 days").put(text) == put


def test_names_are_those_in_braces() -> None:
    """Only single braces hold a name; doubled braces stand for one brace."""
    assert names_in(["as {user} with {{brace}}", "{code}"]) == {"user", "code"}


def test_targets_hold_no_value() -> None:
    """Locator, name, containers and context hold the placeholder; roles and CSS paths stay."""
    target = Target(
        locators=('get_by_role("row", name="alice 2").locator("td:nth-child(2)")',),
        pinned=Address(role="cell", name="alice", containers=(Container(name="alice 2"),)),
        remembered=Remembered(near=("Hello alice",)),
    )
    put = RecordedPlaceholders({"user": "alice", "n": "2", "cell": "cell"}).target(target)
    assert put.locator == 'get_by_role("row", name="{user} {n}").locator("td:nth-child(2)")'
    assert (put.pinned.role, put.pinned.name) == ("cell", "{user}")
    assert put.pinned.containers == (Container(name="{user} {n}"),)
    assert put.remembered is not None and put.remembered.near == ("Hello {user}",)


def test_value_of_two_names_needs_the_sentence() -> None:
    """The sentence has to name exactly one of the two names, or the value is ambiguous."""
    values = {"user": "Ann", "owner": "Ann", "other": "Bob"}
    assert RecordedPlaceholders(values, "{owner} was told").put("Hello Ann") == "Hello {owner}"
    assert RecordedPlaceholders(values).put("Hello Bob and {user}") == "Hello {other} and {user}"
    for sentence in ("somebody was told", "{owner} told {user}"):
        with pytest.raises(AmbiguousValueError, match="are both 'Ann'"):
            RecordedPlaceholders(values, sentence).put("Hello Ann")


# In runs


@pytest.mark.parametrize(
    ("data", "text", "sentence", "used"),
    [
        ({"user": "alice"}, "alice", "log in", ["user"]),
        ({"user": "alice"}, "/users/alice?tab=1", "open the page", ["user"]),
        ({"user": "alice"}, "alice", "log in as Alice", []),
        ({"pin": None, "n": ""}, "alice", "log in", []),
        ({"n": "2"}, "2 mugs", "order mugs", []),
        ({"n": "2"}, "2", "order two mugs", AmbiguousValueError),
        ({"user": "alice", "owner": "alice"}, "alice", "log in", AmbiguousValueError),
        ({"user": "alice", "owner": "alice"}, "alice", "log in as alice", []),
    ],
)
def test_typed_value_is_one_of_the_data(
    data: dict[str, str | None], text: str, sentence: str, used: Any
) -> None:
    """A value that a model types out is that of its name, unless the sentence has it or it may be chance."""
    if used is AmbiguousValueError:
        with pytest.raises(AmbiguousValueError):
            typed_values([text], data, sentence)
    else:
        assert list(typed_values([text], data, sentence)) == used


PAGE = """<h1>Users</h1><h2>Cart</h2><a href=/cart>Cart (2 items in 2 days)</a><label>Name <input id=name></label>
<button onclick="hello.textContent = 'Hello ' + name_()">Log in</button>
<p role=status id=hello></p>
<ul><li><h2>alice</h2><button onclick="fetch('/picked-alice'); hello.textContent = 'Picked alice'">Pick</button></li>
<li><h2>bob.*</h2><button onclick="fetch('/picked-bob'); hello.textContent = 'Picked bob.*'">Pick</button></li></ul>
<p role=note>%s</p>
<script>const name_ = () => document.getElementById('name').value</script>"""
PLAYS = """
"log in as {user}": [
    [act("fill", "textbox:Name", text="{user}"), act("click", "button:Log in")],
    done(text("status:Hello", "Hello {user}")),
],
"pick {user}": [act("click", "button:Pick@alice"), done(text("status:Picked", "Picked {user}"))],
"it says Hello {user}": [holds(text("status:Hello", "Hello {user}"))],
"cart shows {n} items, here in 2 days": [holds(text("link:Cart", "{n} items"))],
"one of them is greeted": [holds(text("status:Hello", "Hello"))],
"{owner} is greeted": [holds(text("status:Hello", "Hello"))],
"it says mode": [holds(text("note:mode", MODE))],
"""
TESTS = """
import json, pytest
from pytest_webtask import Secret

@pytest.fixture(params=json.load(open("users.json")))
def webtask_data(request):
    return {"user": request.param, "code": Secret("s3cret")}

def test_case(webtask):
    webtask.goto("/")
    webtask.do("log in as {user}")
    webtask.verify("it says Hello {user}")
    webtask.do("pick {user}")

def test_number(webtask):
    webtask.goto("/")
    webtask.verify("cart shows {n} items, here in 2 days", data={"n": json.load(open("n.json"))})
"""
TWO = """
def test_two(webtask):
    data = {"user": "eve", "owner": "eve"}
    webtask.goto("/")
    webtask.do("log in as {user}", data=data)
    webtask.verify("{owner} is greeted", data=data)
    webtask.verify("one of them is greeted", data=data)
"""
VARIANT = """
def test_variant(webtask):
    webtask.goto("/")
    webtask.verify("it says mode")
    webtask.do("log in as {user}", data={"user": "eve"})
"""


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that was recorded for alice."""
    root = tmp_path_factory.mktemp("placeholders")
    with project(root, PLAYS, TESTS) as inner:
        inner.write("n.json", "2")
        inner.write("plays.py", "MODE = open('mode').read()\n" + (root / "plays.py").read_text())
        inner.write("users.json", '["alice"]')
        inner.write("mode", "mode day")
        inner.site.pages["/"] = PAGE % "mode day"
        inner.passes("test_it.py")
        yield inner


@pytest.fixture(scope="module")
def others(cases: Project) -> Run:
    """The same for names that are patterns, code or unknown."""
    cases.write("users.json", '["alice", "bob.*", "eve\\") or get_by_text(\\"x"]')
    cases.write("n.json", "3")
    return cases.run("test_it.py", "--webtask-mode=replay")


def test_another_case_replays_the_same_recording(cases: Project, others: Run) -> None:
    """Text, locator and row are filled in with the values of the current case, which are no code."""
    content = cases.file("test_case").read_text()
    assert "alice" not in content and "s3cret" not in content and "{user}" in content
    assert not others.asked
    assert others.outcomes["test_case[alice]"] == "passed", others.printed
    assert others.outcomes["test_case[bob.*]"] == "passed", others.printed
    assert others.requests.count("GET /picked-bob") == 1
    assert others.requests.count("GET /picked-alice") == 1
    [other] = [c for n, c in others.tests.items() if n.startswith("test_case[eve")]
    assert other.outcome == "failed"
    assert "Hello" not in other.message.splitlines()[0]


def test_number_of_another_case_is_checked(cases: Project, others: Run) -> None:
    """A claim recorded for two items fails for three if the page shows two; the two days in it stay."""
    [evidence] = cases.steps("test_number")[0]["evidence"]
    assert evidence["check"]["text"] == "Cart ({n} items in 2 days)"
    failed = [c for n, c in others.tests.items() if n.startswith("test_number")]
    assert len(failed) == 3
    for case in failed:
        assert case.outcome == "failed"
        assert "(3 items in 2 days)" in case.message and "2 items" in case.message


def test_ambiguous_value_is_recorded_if_the_sentence_names_it(cases: Project) -> None:
    """Steps whose sentence does not decide between two names pass unrecorded, with the reason."""
    cases.write("test_two.py", TWO)
    run = cases.passes("test_two.py", "--log-cli-level=WARNING")
    steps = {each["sentence"]: each for each in cases.steps("test_two", "test_two")}
    assert [*steps] == ["log in as {user}", "{owner} is greeted"]
    [evidence] = steps["{owner} is greeted"]["evidence"]
    assert evidence["check"]["text"] == "Hello {owner}"
    [event] = run.notes("unrecorded", "test_two")
    assert event.words.startswith("{user} and {owner} are both 'eve': give them different values")
    # At its step, before the test ends.
    at_once, _, _ = run.printed.partition("PASSED")
    assert "WARNING  pytest_webtask:recording_session.py" in at_once
    assert f"is not recorded: {event.words}" in at_once


def test_variant_falls_back_to_the_base(cases: Project) -> None:
    """Only steps that differ are recorded for the variant, and each variant replays its own."""
    cases.write("test_variant.py", VARIANT)
    cases.passes("test_variant.py")
    cases.site.pages["/"] = PAGE % "mode night"
    cases.write("mode", "mode night")
    other = ["--webtask-variant=b", "test_variant.py"]

    drifted = cases.run(*other, "--webtask-mode=replay")
    assert set(drifted.outcomes.values()) == {"failed"}
    assert not drifted.asked

    cases.passes(*other, "--webtask-mode=record", "-k", "variant")
    steps = cases.steps("test_variant", "test_variant")
    variants = {(s["sentence"], s.get("variant", "")) for s in steps}
    assert ("it says mode", "") in variants, "what was recorded for all is kept"
    assert ("it says mode", "b") in variants

    cases.passes(*other, "--webtask-mode=replay")
    cases.site.pages["/"] = PAGE % "mode day"
    cases.passes("test_variant.py", "--webtask-mode=replay")


FORM = """<label>Title <input id=title></label><label>Code <input type=password></label>
<button onclick="out.textContent = 'Saved'">Save</button><p role=status id=out></p>"""
FORM_PLAYS = """
"save {thing}": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
"name it": [[act("fill", "textbox:Title", text="Mug"), act("click", "button:Save")],
    done(text("status:Saved", "Saved"))],
"give it a title": [
    lambda turn: [act("fill", "textbox:Title", text=turn.data["title"]),
     act("click", "button:Save")], done(text("status:Saved", "Saved"))],
"enter the code": [[act("fill", "textbox:Code", text="{code}"), act("click", "button:Save")],
    done(text("status:Saved", "Saved"))],
"write the author": [[act("fill", "textbox:Title", text="Anna"), act("click", "button:Save")],
    done({"kind": "value", "element_id": "textbox:Title", "value": "Anna"})],
"write the edition": [[act("fill", "textbox:Title", text="7"), act("click", "button:Save")],
    done(text("status:Saved", "Saved"))],
"fill it in": [[act("fill", "textbox:Title", text="{user}"), act("click", "button:Save")],
    done(text("status:Saved", "Saved"))],
"""
FORM_TESTS = """
import json, pytest
from pytest_webtask import Secret

@pytest.fixture
def webtask_data():
    given = json.load(open("data.json"))
    return {name: Secret(value) if name == "code" else value for name, value in given.items()}

@pytest.fixture(autouse=True)
def _open(webtask):
    webtask.goto("/")

def test_earlier(webtask):
    webtask.do("save {thing}", data={"thing": "Mug"})
    webtask.do("name it")
    assert webtask.page.locator("#title").input_value() == "Mug"

def give_title(webtask, title):
    webtask.do("give it a title", data={"title": title})
    assert webtask.page.locator("#title").input_value() == title

def test_first(webtask):
    give_title(webtask, "Mug")

def test_second(webtask):
    give_title(webtask, "Cup")

def test_code(webtask):
    webtask.do("enter the code")

def test_user(webtask):
    webtask.do("fill it in")

def test_author(webtask):
    webtask.do("write the author")
    assert webtask.page.locator("#title").input_value() == json.load(open("data.json"))["author"]

def test_edition(webtask):
    webtask.do("write the edition")
"""


def test_replay_types_values_and_no_names(tmp_path: Path) -> None:
    """A replay types the values of its own case and of earlier steps, and has drifted if one is lacking.

    A value that a model types out is recorded by its name; one that may be chance is not recorded.
    """
    with project(tmp_path, FORM_PLAYS, FORM_TESTS) as inner:
        inner.site.pages["/"] = FORM
        data = {"author": "Anna", "edition": "7", "user": "Ann", "code": "s3cret"}
        inner.write("data.json", json.dumps(data))
        names = ("earlier", "first", "second", "code", "user", "author")
        passed = {f"test_{name}": "passed" for name in names}
        run = inner.passes()
        [unrecorded] = run.notes("unrecorded")
        assert "'7', which is the value of {edition}" in unrecorded.words
        [step] = inner.steps("test_author")
        assert step["calls"][0]["parameters"]["text"] == "{author}"
        assert step["evidence"][0]["check"]["value"] == "{author}"
        run = inner.run("--webtask-mode=replay", "-k", "not edition")
        assert run.outcomes == passed, run.printed
        inner.write("data.json", '{"name": "Ann", "author": "Berta"}')
        run = inner.run("--webtask-mode=replay", "-k", "not edition")
    assert run.outcomes == {**passed, "test_code": "failed", "test_user": "failed"}
    for name in ("code", "user"):
        assert f"the step was recorded with {{{name}}}, which" in run.tests[f"test_{name}"].message
