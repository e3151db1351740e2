"""Controls that cannot be seen themselves, and what is drawn in their place."""

from tests.checks.desk import Desk

STYLE = """<style>
.clipped { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0,0,0,0) }
.clear { opacity: 0 }
.over { position: absolute; inset: 0; margin: 0; width: 100%; height: 100% }
.box { position: relative; display: inline-block; width: 20px; height: 20px }
.ring { display: block; width: 18px; height: 18px; border: 1px solid }
.todo { position: relative; list-style: none; width: 500px }
.todo input { position: absolute; left: 0; top: 0; width: 40px; height: 40px; margin: 0 }
.todo label { display: block; padding: 10px 10px 10px 50px; background: url("data:image/svg+xml,%3Csvg/%3E") no-repeat }
</style>"""
DRAWN = {
    "circle of a label beside it": "<ul><li class=todo><input id=it class=clear type=checkbox checked><label>Milk</label></ul>",
    "box within a wrapper": '<div class=box><input id=it class="clear over" type=checkbox checked><span class=ring></span></div> Milk',
    "wrapper that is drawn": '<div class="box ring"><input id=it class="clear over" type=checkbox checked></div> Milk',
    "icon": '<div class=box><input id=it class="clear over" type=checkbox checked><svg width=20 height=20><circle r=5 /></svg></div>',
    "label of a clipped box": "<input id=it class=clipped type=checkbox checked><label for=it>Milk</label>",
    "label of a box that is not rendered": "<input id=it hidden type=checkbox checked><label for=it>Milk</label>",
}
UNDRAWN = {
    "nothing drawn": '<div class=box><input id=it class="clear over" type=checkbox checked></div> Milk',
    "a text at its place": '<div style="position:relative"><input id=it class="clear over" type=checkbox checked>Milk</div>',
    "a large background": '<div style="position:relative"><div class=over style="background:#eee"></div><input id=it class=clear type=checkbox checked style="position:relative"> Milk</div>',
    "folded menu": '<div style="height:0;overflow:hidden"><div class=box><input id=it class="clear over" type=checkbox checked><span class=ring></span></div></div> Milk',
    "drawn part is hidden": '<div class=box><input id=it class="clear over" type=checkbox checked><span class="ring clear"></span></div> Milk',
    "clicks pass through it": '<div class=box><input id=it class="clear over" style="pointer-events:none" type=checkbox checked><span class=ring></span></div> Milk',
    "clipped, without a label": "<input id=it class=clipped type=checkbox checked><span class=ring></span> Milk",
    "outside of the page": '<input id=it style="position:absolute;left:-999px" type=checkbox checked><span class=ring></span> Milk',
}


def test_state_of_a_control_holds_where_its_stand_in_is_drawn(desk: Desk) -> None:
    """The state of a transparent or clipped box holds by the element drawn for it, and the fact says so."""
    for name, body in DRAWN.items():
        desk.show(STYLE + body)
        checked = desk.result("state", element_id="#it", state="checked")
        assert checked.holds and checked.fact, f"{name}: {checked.problem}"
        assert any("drawn" in state for state in checked.fact.states), name
        assert desk.state("#it", "unchecked") == "no: checked", name


def test_state_of_a_control_is_unknown_where_nothing_is_drawn(desk: Desk) -> None:
    """A box of which nothing is drawn has no state that can be cited."""
    for name, body in UNDRAWN.items():
        desk.show(STYLE + body)
        assert desk.state("#it", "checked").startswith("? #it cannot be seen"), name
        assert desk.state("#it", "visible").startswith("no"), name


def test_value_of_a_transparent_choice_holds_where_it_is_drawn(desk: Desk) -> None:
    """A select under its decoration has the value that the decoration shows; no label draws a value."""
    choice = "<select id=it class='clear over'><option>Small<option selected>Medium</select>"
    body = "<div class=box style='width:90px'>{}<span class=over>{}</span></div>"
    desk.show(STYLE + body.format(choice, "Medium"))
    assert desk.value("#it", "Medium") == "holds"
    desk.show(STYLE + body.format(choice, "Small"))
    assert desk.value("#it", "Medium").startswith("? #it cannot be seen")
    desk.show("<label for=it>Name</label><input id=it hidden value=Ada>")
    assert desk.value("#it", "Ada").startswith("? #it cannot be seen")


SLIDER = """<style>.thumb {{ position: absolute; width: 20px; height: 20px; background: red }}
.only {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }}</style>
<div style="position: relative; height: 40px">{}</div>"""


def test_control_of_a_pixel_is_drawn_by_the_part_around_it(desk: Desk) -> None:
    """The value of a tiny slider can be cited if a component draws its thumb."""
    desk.show(
        SLIDER.format("<div class=thumb><div class=only><input id=it type=range></div></div>")
    )
    result = desk.result("value", element_id="#it", value="50")
    assert result.holds and result.fact
    assert "drawn by the part around it" in result.fact.states


UNSEEN = [
    "<div><div class=only><input id=it type=range></div></div>",
    "<div class=thumb style='opacity:0'><div class=only><input id=it type=range></div></div>",
    "<div class=thumb><div style='height:0;overflow:hidden'><input id=it type=range></div></div>",
    "<div class=thumb style='width:400px;height:90px'><div class=only><input id=it type=range></div></div>",
    "<div class=thumb><div class=only><input id=it type=range><button>x</button></div></div>",
]


def test_control_of_a_pixel_without_a_drawn_part_cannot_be_seen(desk: Desk) -> None:
    """A part that is not drawn, is large, or holds several controls represents none of them."""
    for markup in UNSEEN:
        desk.show(SLIDER.format(markup))
        assert "cannot be seen" in desk.ask("value", element_id="#it", value="50"), markup
