"""Comboboxes and components that pages draw themselves are set and claimed by their labels."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Outcome, failure
from tests.own_fields import BUTTON, COMPONENT, RANGE, SLIDER, TAKES, TYPED

pytestmark = [pytest.mark.webtask(timeout=2), pytest.mark.long]


def cases(table: Mapping[str, tuple[str, ...]]) -> list[Any]:
    """Return the names of the cases; those whose pages have timers run in real time."""
    timed = [pytest.mark.real_time]
    return [pytest.param(n, marks=timed * ("setTimeout" in case[0])) for n, case in table.items()]


SET = {
    "range": (RANGE, 'set "Volume" to "7"', "Volume", "7"),
    "range that is filled": (RANGE, 'fill "Volume" with "2.5"', "Volume", "2.5"),
    "typed combobox": (TYPED.replace("TAKE", TAKES), 'select "Oslo" in "City"', "City", "Oslo"),
    "combobox with a late list": (
        BUTTON.replace("TAKE", "c.textContent = x"),
        'choose "Plum" from "Fruit"',
        "Fruit",
        "Plum",
    ),
    "combobox beside another list": (
        "<ul role=listbox aria-label=Other><li role=option>Kiwi</ul>"
        + BUTTON.replace("aria-controls=list", "aria-expanded=false")
        .replace("list.innerHTML = ''", "list.innerHTML = ''; c.ariaExpanded = 'true'")
        .replace("TAKE", "c.textContent = x; c.ariaExpanded = 'false'"),
        'select "Plum" in "Fruit"',
        "Fruit",
        "Plum",
    ),
    "choice from a combobox": (
        BUTTON.replace("TAKE", "c.textContent = x"),
        'choose "Apple" from "Fruit"',
        "Fruit",
        "Apple",
    ),
    "component with a label": (COMPONENT, 'fill "Name" with "Ann"', "Name", "Ann"),
    "text that is added in a component": (COMPONENT, 'type "Bo" into "Name"', "Name", "Bo"),
}


@pytest.mark.parametrize("case", cases(SET))
def test_field_holds_what_is_set(webtask: Webtask, page: Page, outcome: Outcome, case: str) -> None:
    """A claim about its value holds, and one about another value does not."""
    body, sentence, name, value = SET[case]
    page.set_content(body)
    assert outcome(f'"{name}" has value "{value}"').startswith("failed")
    webtask.do(sentence)
    assert outcome(f'"{name}" has value "{value}"') == "passed"
    assert outcome(f'"{name}" has value "{value}5"').startswith("failed")
    assert webtask.extract(f'the value of "{name}"') == value


REFUSED = {
    "range beyond its end": (RANGE, 'set "Volume" to "12"', "holds '11', not '12'"),
    "slider that the page draws": (SLIDER, 'set "Volume" to "52"', "press ArrowRight or ArrowLeft"),
    "option that there is not": (
        BUTTON,
        'select "Pear" in "Fruit"',
        "no single option is called 'Pear'; choose one of: 'Apple', 'Plum'",
    ),
    "choice that the page ignores": (
        BUTTON.replace("TAKE", ""),
        'select "Plum" in "Fruit"',
        "the page did not take the choice of 'Plum'",
    ),
    "choice that is in what the page shows": (
        BUTTON.replace(">Choose<", ">Plum cake<").replace("TAKE", ""),
        'select "Plum" in "Fruit"',
        "the page did not take the choice of 'Plum'",
    ),
    "choice that a message beside it names": (
        BUTTON.replace("TAKE", "c.after('Plum is sold out')"),
        'select "Plum" in "Fruit"',
        "the page did not take the choice of 'Plum'",
    ),
    "option of another list": (
        "<ul role=listbox aria-label=Favorites><li role=option onclick=\"ariaSelected = 'true'\">Plum</ul>"
        + BUTTON.replace("TAKE", "").replace("setTimeout(() => {", "setTimeout(() => { return;"),
        'select "Plum" in "Fruit"',
        "no single option is called 'Plum'",
    ),
    "choice that the page takes back": (
        TYPED.replace("TAKE", "c.value = x; setTimeout(() => c.blur(), 50)")
        + "<button>Go</button>",
        'select "Oslo" in "City", click "Go"',
        "holds '', not 'Oslo'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", cases(REFUSED))
def test_value_that_was_not_taken_fails_the_step(webtask: Webtask, page: Page, case: str) -> None:
    """The error says what the field holds, or which values it can have."""
    body, sentence, why = REFUSED[case]
    page.set_content(body)
    assert why in failure(webtask, sentence)


def test_field_of_a_component_belongs_to_the_form(webtask: Webtask, page: Page) -> None:
    """What the component reports to its form is what was filled in, and models see its label."""
    page.set_content(COMPONENT)
    webtask.do('fill "Name" with "Ann", fill "Nick" with "Jo"')
    assert page.evaluate("[...new FormData(f).values()]") == ["Ann", "Jo"]


KEYS = {
    "press Esc": "Escape",
    "press Return": "Enter",
    'press the "Ctrl+Shift+b" key in "A"': "Control Shift b",
    "press Del": "Delete",
}


@pytest.mark.parametrize("sentence", KEYS)
def test_key_has_its_common_names(webtask: Webtask, page: Page, sentence: str) -> None:
    """The page gets the key whose name it is."""
    page.set_content(
        "<label>A <input></label><script>keys = []; onkeydown = (e) => keys.push(e.key)</script>"
    )
    webtask.do(sentence)
    assert " ".join(page.evaluate("keys")) == KEYS[sentence]
