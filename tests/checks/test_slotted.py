"""Texts that a page puts into the slots of its components."""

from tests.checks.desk import Desk

PAGE = """<my-card><b>Mittens</b> is a kitten<i slot=none>, not drawn</i></my-card>
<my-button>Close</my-button><script>
for (const [name, html] of [
    ["my-card", "<div><div id=body><slot></slot></div></div>"],
    ["my-button", "<button><span><slot></slot></span></button>"],
]) customElements.define(name, class extends HTMLElement {
    constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = html; }
});
</script>"""


def test_slotted_text_is_found_by_the_id_of_the_outline(desk: Desk) -> None:
    """The id in the outline is that of the part in which the text is drawn."""
    desk.show(PAGE)
    for element, text in [("text-0", "Mittens is a kitten"), ("button-0", "Close")]:
        assert desk.ask("text", element_id=element, text=text, exact=True) == "holds"
        assert desk.ask("text", element_id=element, text="Open") != "holds"


def test_text_without_a_slot_is_not_drawn(desk: Desk) -> None:
    """A text that no slot takes is in the document and not shown."""
    desk.show(PAGE)
    assert desk.ask("text", element_id="css=my-card", text="not drawn").startswith("no: ")


def test_items_of_a_set_have_their_slotted_texts(desk: Desk) -> None:
    """Two components are a set whose items have the texts of their slots."""
    desk.show(PAGE + "<my-button>Open</my-button>")
    result = desk.result("count", element_ids=["button-0", "button-1"])
    assert result.holds and result.fact
    assert list(result.fact.items) == ["Close", "Open"]
