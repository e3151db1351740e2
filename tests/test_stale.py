"""Elements that are re-rendered, renamed or removed between look and act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.types.agent import ToolCall, Turn
from pytest_webtask.webtask import Webtask
from tests.scripted import Scripted, call, done, element, on
from tests.site import Site

Attempt = Callable[..., ToolCall]
Html = Callable[[str], Page]

quick = pytest.mark.webtask(timeout=0.6)

LIST = """<ul id=list></ul><script>
  hits = [];
  const draw = (names) => {
    list.innerHTML = names.map((n) => `<li><h3>${n}</h3><button onclick="hits.push('${n}')">Add</button></li>`).join("");
  };
  draw(["Mug", "Cup"]);
</script>"""


def in_row(turn: Turn, row: str) -> str:
    """The id of the button in that row."""
    (found,) = (e.id for e in turn.observation.elements.values() if e.key == row)
    return found


def after(script: str, act: Callable[[Turn], Any]) -> Callable[[Turn], Any]:
    """Look and decide, and have the page run a script before anything is done."""

    def answer(turn: Turn) -> Any:
        made = act(turn)
        turn.page.evaluate(script)
        return made

    return answer


class TestReRendered:
    @pytest.mark.parametrize("names", ["['Mug', 'Cup']", "['Plate', 'Cup', 'Mug', 'Bowl']"])
    def test_it_is_found_again_in_its_row(
        self, attempt: Attempt, webtask: Webtask, html: Html, names: str
    ) -> None:
        """A new node of the same identity is acted upon, once, and the model is told."""
        page = html(LIST)
        act = after(f"draw({names})", lambda t: call("click", element_id=in_row(t, "Mug")))
        made = attempt(act)
        assert made.success, made.error
        assert page.evaluate("hits") == ["Mug"]
        (event,) = webtask.state.steps[-1].iterations[0].events
        assert event.kind == "found again"
        assert event.text.startswith("button-0 had been re-rendered")

    def test_it_keeps_its_own_place_when_nodes_are_moved(
        self, attempt: Attempt, html: Html
    ) -> None:
        """A node that was only moved is the same node."""
        page = html(LIST)
        act = after("list.append(list.firstChild)", lambda t: call("click", element_id="button-0"))
        assert attempt(lambda t: t.observation and act(t)).success
        assert page.evaluate("hits") == ["Mug"]

    @pytest.mark.parametrize(
        ("tool", "parameters"),
        [
            ("fill", {"text": "dana"}),
            ("type", {"text": "dana"}),
            ("press", {"key": "d"}),
            ("hover", {}),
            ("scroll", {}),
            ("look", {}),
            ("click_at", {"x": 3, "y": 3}),
        ],
    )
    def test_every_tool_looks_again(
        self, attempt: Attempt, html: Html, tool: str, parameters: dict[str, Any]
    ) -> None:
        """It does not matter what is to be done with the element."""
        page = html("<div id=box><input aria-label=Name></div>")
        act = after("box.innerHTML = box.innerHTML", on(tool, "textbox", "Name", **parameters))
        made = attempt(act)
        assert made.success, made.error
        if tool in ("fill", "type"):
            assert page.get_by_label("Name").input_value() == "dana"

    def test_both_ends_of_a_drag(self, attempt: Attempt, html: Html) -> None:
        """What is dragged and where to are found again alike."""
        page = html(
            "<div id=box><button onmousedown='down = 1'>From</button><button onmouseup='up = 1'>To</button></div>"
        )
        act = after(
            "box.innerHTML = box.innerHTML",
            lambda t: call(
                "drag",
                element_id=element(t, "button", "From"),
                to_element_id=element(t, "button", "To"),
            ),
        )
        made = attempt(act)
        assert made.success, made.error
        assert page.evaluate("[window.down, window.up]") == [1, 1]

    def test_element_in_a_reloaded_frame_is_matched(self, attempt: Attempt, html: Html) -> None:
        """The same frame with a new document has the same element."""
        page = html("<iframe srcdoc=\"<button onclick='parent.hit = 1'>Pay</button>\"></iframe>")
        act = after(
            "() => new Promise((done) => { const f = document.querySelector('iframe');"
            " f.onload = done; f.srcdoc += ' ' })",
            on("click", "button", "Pay"),
        )
        made = attempt(act)
        assert made.success, made.error
        assert page.evaluate("hit") == 1


class TestDecoys:
    @quick
    def test_the_same_button_of_another_row_is_not_taken(
        self, attempt: Attempt, html: Html
    ) -> None:
        """Where the row is gone, its neighbour's button is no substitute."""
        page = html(LIST)
        made = attempt(after("draw(['Cup'])", lambda t: call("click", element_id=in_row(t, "Mug"))))
        assert made.error == "button-0 is no longer on the page, and no single element matches it"
        assert page.evaluate("hits") == []

    @quick
    @pytest.mark.parametrize("cell", ["th", "td"])
    def test_number_of_a_row_does_not_identify_it(
        self, attempt: Attempt, html: Html, cell: str
    ) -> None:
        """A row whose number changed is clicked by its name; a removed row is not replaced."""
        page = html(
            "<table><tbody id=rows></table><script>hits = []; const draw = (names) => rows.innerHTML ="
            f" names.map((n, i) => `<tr><td>${{i + 1}}<{cell}>${{n}}"
            "<td><button onclick=\"hits.push('${n}')\">Delete</button>`).join('');"
            " draw(['Mug', 'Cup', 'Bowl'])</script>"
        )
        act = after("draw(['Mug', 'Bowl'])", lambda t: call("click", element_id=in_row(t, "Bowl")))
        assert attempt(act).success
        act = after("draw(['Mug'])", lambda t: call("click", element_id=in_row(t, "Bowl")))
        assert "no single element matches it" in (attempt(act).error or "")
        assert page.evaluate("hits") == ["Bowl"]

    @quick
    def test_the_only_button_left_is_not_taken(self, attempt: Attempt, html: Html) -> None:
        """An element of another name is another element."""
        page = html("<div id=box><button>Save</button></div>")
        made = attempt(
            after(
                "box.innerHTML = '<button onclick=\"hit = 1\">Delete</button>'",
                on("click", "button", "Save"),
            )
        )
        assert "no single element matches it" in (made.error or "")
        assert page.evaluate("window.hit") is None

    @quick
    def test_two_equal_candidates_are_an_error(self, attempt: Attempt, html: Html) -> None:
        """Between twins nobody guesses."""
        page = html("<div id=box><button onclick='hit = 1'>Save</button></div>")
        made = attempt(after("box.innerHTML += box.innerHTML", on("click", "button", "Save")))
        assert "no single element matches it" in (made.error or "")
        assert page.evaluate("window.hit") is None

    @quick
    def test_a_field_of_another_type_is_not_taken(self, attempt: Attempt, html: Html) -> None:
        """A password does not go into a field that shows it."""
        page = html("<div id=box><input type=password aria-label=Key></div>")
        made = attempt(
            after(
                "box.innerHTML = '<input aria-label=Key>'", on("fill", "textbox", "Key", text="x")
            )
        )
        assert "no single element matches it" in (made.error or "")
        assert page.get_by_label("Key").input_value() == ""


class TestIds:
    def test_an_element_that_is_renamed_keeps_its_id(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The node is the same, whatever it is called now."""
        html("<button onclick=\"this.textContent = 'Stop'\">Start</button>")
        ids: list[list[str]] = []

        def look(turn: Turn) -> Any:
            ids.append(list(turn.observation.elements))
            return call("click", element_id=ids[0][0])

        model.answers = [look, look, done()]
        webtask.do("press")
        assert ids == [["button-0"], ["button-0"]]

    def test_ids_are_not_given_again_after_a_reload(
        self, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """Each document has ids of its own, through all steps of a test."""
        site.pages["/"] = "<button>Go</button>"
        webtask.goto(site.url)
        ids: list[str] = []

        def look(turn: Turn) -> Any:
            ids.extend(turn.observation.elements)
            return call("reload")

        for _ in range(2):
            model.answers = [look, look, done()]
            webtask.do("load it anew")
        assert ids == ["button-0", "button-1", "button-2", "button-3"]

    def test_the_id_of_a_removed_element_is_not_its_successors(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """What comes in its place gets a new one."""
        page = html("<div id=box><button>One</button></div>")
        ids: list[str] = []

        def look(turn: Turn) -> Any:
            ids.extend(turn.observation.elements)
            page.evaluate("box.innerHTML = '<button>Two</button>'")
            return call("look")

        model.answers = [look, look, done()]
        webtask.do("look")
        assert ids == ["button-0", "button-1"]


# Runs for longer than an action waits, after the element has been replaced by its like.
BLOCKED = """n = (window.n || 0) + 1;
  if (n === 1) { box.innerHTML = box.innerHTML; const end = Date.now() + 1500; while (Date.now() < end); }"""


class TestNeverTwice:
    @quick
    @pytest.mark.parametrize(
        ("markup", "answer"),
        [
            ("<button onclick='{0}'>Buy</button>", on("click", "button", "Buy")),
            ("<button onmousedown='{0}'>Buy</button>", on("click", "button", "Buy")),
            ("<button ondblclick='{0}'>Buy</button>", on("click", "button", "Buy", double=True)),
            ("<input aria-label=Todo onkeydown='{0}'>", on("press", "textbox", key="Enter")),
            ("<input aria-label=Todo onkeydown='{0}'>", on("type", "textbox", text="a")),
            (
                "<select aria-label=Size onchange='{0}'><option>S<option>M</select>",
                on("select_option", "combobox", options=["M"]),
            ),
            ("<input type=checkbox aria-label=Agree onchange='{0}'>", on("check", "checkbox")),
        ],
    )
    def test_action_that_may_have_reached_the_page_is_not_repeated(
        self, attempt: Attempt, html: Html, markup: str, answer: Any
    ) -> None:
        """An action that the page received too late to confirm happens once."""
        page = html(f"<div id=box>{markup.format(BLOCKED)}</div>")
        made = attempt(answer)
        page.wait_for_timeout(500)
        assert page.evaluate("n") == 1
        assert made.success or "may have had its effect" in (made.error or "")

    def test_a_button_that_removes_itself_has_worked(self, attempt: Attempt, html: Html) -> None:
        """What is gone after the click was clicked."""
        page = html("<button onclick='n = (window.n || 0) + 1; this.remove()'>Buy</button>")
        made = attempt(on("click", "button", "Buy"))
        assert made.success, made.error
        assert page.evaluate("n") == 1

    @quick
    def test_an_element_that_goes_while_it_is_waited_for(
        self, attempt: Attempt, html: Html
    ) -> None:
        """A button that was never ready, and came back ready, is clicked once."""
        page = html(
            "<div id=box><button disabled>Buy</button></div><script>setTimeout(() => box.innerHTML ="
            " '<button onclick=\"n = (window.n || 0) + 1\">Buy</button>', 400)</script>"
        )
        made = attempt(on("click", "button", "Buy"))
        assert made.success, made.error
        assert page.evaluate("n") == 1
