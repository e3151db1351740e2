"""What a sentence has set must be so at its end, in the order of what was done since."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import TaskFailed
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import failure
from tests.site import Site

pytestmark = pytest.mark.webtask(timeout=3)


FORM = """<label>Street <input id=street></label><label>Town <input id=town></label>
<label>Land <select id=land><option>Italy<option>Spain</select></label>
<button id=next>Next</button><p id=out></p>"""

TAKEN_BACK = {
    "emptied when it is left": (
        "town.onblur = () => { town.value = '' }",
        'fill "Town" with "Rome", click "Next"',
        "holds '', not 'Rome'",
    ),
    "limited when it is left by a click": (
        "town.onchange = () => { town.value = 'R' }",
        'fill "Town" with "Rome", click "Next"',
        "holds 'R', not 'Rome'",
    ),
    "limited when the next field gets the focus": (
        "town.onchange = () => { town.value = 'R' }",
        'fill "Town" with "Rome", fill "Street" with "Via"',
        "holds 'R', not 'Rome'",
    ),
    "emptied by a choice in another field": (
        "land.onchange = () => { town.value = '' }",
        'fill "Town" with "Rome", select "Spain" in "Land"',
        "holds '', not 'Rome'",
    ),
    "chosen again by another choice": (
        "land.onchange = () => { land.value = 'Italy' }",
        'select "Spain" in "Land"',
        "holds 'Italy', not 'Spain'",
    ),
    "typed over by the page": (
        "town.oninput = () => { town.value = town.value.slice(0, 3) }",
        'type "Rome" into "Town"',
        "holds 'Rom', not 'Rome'",
    ),
}


@pytest.mark.parametrize("case", TAKEN_BACK)
def test_entry_that_a_page_took_back_is_an_error(webtask: Webtask, page: Page, case: str) -> None:
    """The error says what the field holds now."""
    script, sentence, held = TAKEN_BACK[case]
    page.set_content(f"{FORM}<script>{script}</script>")
    assert held in failure(webtask, sentence)


HONEST = {
    "form reset after it was sent": (
        "next.onclick = () => { town.value = '' }",
        'fill "Town" with "Rome", click "Next"',
    ),
    "field emptied by Enter": (
        "town.onkeydown = (e) => { if (e.key === 'Enter') town.value = '' }",
        'fill "Town" with "Rome", press Enter',
    ),
    "suggestion that was clicked": (
        "town.oninput = () => { out.innerHTML = '<a href=#>Rome, Italy</a>' };"
        "out.onmousedown = () => { town.value = 'Rome, Italy' }",
        'fill "Town" with "Rom", click "Rome, Italy"',
    ),
    "suggestion for a code": (
        "town.oninput = () => { out.innerHTML = '<a href=#>Rome</a>' };"
        "out.onclick = () => { town.value = 'Rome' }",
        'fill "Town" with "FCO", click "Rome"',
    ),
    "field emptied when the suggestion is pressed": (
        "town.oninput = () => { out.innerHTML = '<a href=#>Rome</a>' };"
        "out.onmousedown = () => { town.value = ''; out.textContent = 'chosen' }",
        'fill "Town" with "Rom", click "Rome"',
    ),
    "form that is gone": (
        "next.onclick = () => { document.body.textContent = 'Thanks' }",
        'fill "Town" with "Rome", click "Next"',
    ),
    "entry replaced by a later one": ("", 'fill "Town" with "Rome", fill "Town" with "Oslo"'),
    "text added to what was filled in": ("", 'fill "Town" with "Ro", type "me" into "Town"'),
    "number in the notation of the field": (
        "town.oninput = () => { town.value = town.value.replace('.', ',') }",
        'fill "Town" with "12.50"',
    ),
}


@pytest.mark.parametrize("case", HONEST)
def test_entry_that_was_sent_or_changed_is_fine(webtask: Webtask, page: Page, case: str) -> None:
    """What a click or key makes of an entry is an effect of its own."""
    script, sentence = HONEST[case]
    page.set_content(f"{FORM}<script>{script}</script>")
    webtask.do(sentence)


BOXES = "".join(f"<label><input type=checkbox id={x}> {x}</label>" for x in ("All", "Tea", "Milk"))


def test_box_that_another_one_unchecks_fails_the_step(webtask: Webtask, page: Page) -> None:
    """A page that allows one box only has taken back the first."""
    page.set_content(f"{BOXES}<script>Milk.onchange = () => {{ Tea.checked = false }}</script>")
    assert "is not checked now" in failure(webtask, 'check "Tea", check "Milk"')


def test_box_for_all_follows_its_parts(webtask: Webtask, page: Page) -> None:
    """A box that is unchecked together with one that the sentence unchecks is no error."""
    page.set_content(f"""{BOXES}<script>
        All.onchange = () => {{ Tea.checked = Milk.checked = All.checked }};
        Milk.onchange = () => {{ All.checked = false }}</script>""")
    webtask.do('check "All", uncheck "Milk"')
    assert page.evaluate("[All, Tea, Milk].map((e) => e.checked)") == [False, True, False]


def test_radio_button_is_replaced_by_another_of_its_group(webtask: Webtask, page: Page) -> None:
    """The last choice of a group counts."""
    page.set_content(BOXES.replace("checkbox", "radio name=r"))
    webtask.do('choose "Tea", choose "Milk"')
    assert page.evaluate("Milk.checked")


LIST = "<label>Pizza <select multiple id=s><option>Ham<option>Olive<option>Tuna</select></label>"


def test_multiple_list_has_options_of_sentence(webtask: Webtask, page: Page) -> None:
    """Options are named together or one after the other; those of the next sentence are chosen anew."""
    for sentence in (
        'select "Ham" and "Olive" in "Pizza"',
        'select "Ham", "Olive" in "Pizza"',
        'select "Ham" in "Pizza", select "Olive" in "Pizza"',
    ):
        page.set_content(LIST)
        webtask.do(sentence)
        assert page.evaluate("[...s.selectedOptions].map((o) => o.label)") == ["Ham", "Olive"]
    webtask.do('select "Olive" in "Pizza"')
    assert page.evaluate("[...s.selectedOptions].map((o) => o.label)") == ["Olive"]


GROUPS = (
    "<label>Office <select id=s><option>Any<optgroup label=Chile><option value=cl>Main</optgroup>"
    "<optgroup label=Peru><option value=pe>Main</optgroup></select></label>"
)


def test_option_of_two_groups_needs_its_group(webtask: Webtask, page: Page) -> None:
    """The error names the groups, and the sentence with one of them chooses there."""
    page.set_content(GROUPS)
    text = failure(webtask, 'select "Main" in "Office"')
    assert "is in several groups: name one of 'Chile', 'Peru'" in text
    webtask.do('select "Main" under "Peru" in "Office"')
    assert page.evaluate("s.value") == "pe"


DRAG = """<p id=a draggable=true style="width: 90px">Card</p><div id=b style="height: 80px">Done</div>
<script>%s</script>"""
TAKES = "b.ondragover = (e) => e.preventDefault(); b.ondrop = () => b.append(a);"


def test_drag_that_the_page_does_not_take_is_an_error(webtask: Webtask, page: Page) -> None:
    """Nothing moved and nothing else changed."""
    page.set_content(DRAG % "")
    assert "the page did not take the drag" in failure(webtask, 'drag "Card" to "Done"')


def test_drag_that_the_page_takes_back_is_an_error(webtask: Webtask, page: Page) -> None:
    """The element is where it was before, by the page alone."""
    page.set_content(
        DRAG % TAKES + "<label><input type=checkbox id=c> Go</label>"
        "<script>at = a.parentNode; c.onchange = () => at.prepend(a)</script>"
    )
    webtask.do('drag "Card" to "Done"')
    assert page.evaluate("a.parentNode === b")
    page.evaluate("at.prepend(a)")
    refused = failure(webtask, 'drag "Card" to "Done", check "Go"')
    assert "is where it was before the drag" in refused


UPLOAD = "<label>Paper <input type=file id=f></label><ul id=out></ul><script>f.onchange = () => { %s }</script>"


@pytest.fixture
def paper(tmp_path: Path) -> dict[str, Path]:
    """A file to upload."""
    path = tmp_path / "paper-7.txt"
    path.write_text("paper")
    return {"paper": path}


def test_upload_that_is_refused_fails(webtask: Webtask, site: Site, paper: dict[str, Path]) -> None:
    """The field is empty again, and the page shows and sends no trace of the file."""
    tells = "fetch('/told', { method: 'POST', body: JSON.stringify({ event: 'refused' }) })"
    refuses = f"f.value = ''; out.textContent = 'Only pictures'; {tells}"
    site.pages |= {"/": UPLOAD % refuses, "/told": ""}
    webtask.goto(site.url)
    with pytest.raises(TaskFailed, match=r"did not keep paper-7\.txt"):
        webtask.do('upload "paper" to "Paper"', resources=paper)


@pytest.mark.parametrize(
    "script",
    [
        "",
        "out.innerHTML = `<li>${f.files[0].name}`; f.value = ''",
        "out.innerHTML = `<img src='${URL.createObjectURL(f.files[0])}'>`; f.value = ''",
        "f.replaceWith(f.cloneNode())",
    ],
)
def test_upload_that_the_page_has_taken_is_done(
    webtask: Webtask, page: Page, paper: dict[str, Path], script: str
) -> None:
    """The file is in its field, or its name or a picture of it is shown, or the field was replaced."""
    page.set_content(UPLOAD % script)
    webtask.do('upload "paper" to "Paper"', resources=paper)


def test_secret_is_not_in_the_error(webtask: Webtask, page: Page) -> None:
    """What a password field holds instead stays hidden."""
    page.set_content("<label>Code <input type=password maxlength=4></label>")
    text = failure(webtask, 'fill "Code" with "abcdef"')
    assert "holds something else than was entered" in text
    assert "abcd'" not in text


def test_number_field_that_keeps_its_zero_holds_the_number(webtask: Webtask, page: Page) -> None:
    """A field that shows 0 when it is cleared holds 89 in the end, which may be written 089."""
    page.set_content("""<label>Count <input type=number id=n value=0></label><script>
        n.oninput = () => { if (n.value === '') n.value = '0' }</script>""")
    webtask.do('fill "Count" with "89"')
    assert page.evaluate("n.valueAsNumber") == 89


def test_editor_that_adds_to_the_text_is_an_error(webtask: Webtask, page: Page) -> None:
    """The whole text of an editor is compared."""
    page.set_content("""<div id=e contenteditable role=textbox aria-label=Source></div><script>
        e.oninput = () => { if (e.textContent.endsWith('x)')) e.textContent += ')' }</script>""")
    assert "not 'f(x)'" in failure(webtask, 'fill "Source" with "f(x)"')
