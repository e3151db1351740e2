"""Elements that are re-rendered, renamed or removed between look and act."""

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Turn
from tests.scripted import Attempt, Html, call, element, on

quick = pytest.mark.webtask(timeout=1.5)

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
        decision = act(turn)
        turn.page.evaluate(script)
        return decision

    return answer


class TestReRendered:
    @pytest.mark.parametrize("names", ["['Mug', 'Cup']", "['Plate', 'Cup', 'Mug', 'Bowl']"])
    def test_element_is_matched_in_its_row(
        self, attempt: Attempt, webtask: Webtask, html: Html, names: str
    ) -> None:
        """A new node of the same identity is acted upon once, and an event tells the model."""
        page = html(LIST)
        act = after(f"draw({names})", lambda t: call("click", element_id=in_row(t, "Mug")))
        assert attempt(act).success
        assert page.evaluate("hits") == ["Mug"]
        (event,) = webtask.state.steps[-1].iterations[0].events
        assert event.kind == "found again"
        assert event.text.startswith("button-0 had been re-rendered")

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
    def test_all_tools_match_redrawn_elements(
        self, attempt: Attempt, html: Html, tool: str, parameters: dict[str, Any]
    ) -> None:
        """Every tool for elements finds an element that was redrawn."""
        page = html("<div id=box><input aria-label=Name></div>")
        act = after("box.innerHTML = box.innerHTML", on(tool, "textbox", "Name", **parameters))
        assert attempt(act).success
        if tool in ("fill", "type"):
            assert page.get_by_label("Name").input_value() == "dana"

    def test_drag_matches_source_and_target(self, attempt: Attempt, html: Html) -> None:
        """Both the dragged element and the target are matched after a redraw."""
        page = html(
            "<div id=box><button onmousedown='down = 1'>From</button>"
            "<button onmouseup='up = 1; title = \"taken\"'>To</button></div>"
        )
        act = after(
            "box.innerHTML = box.innerHTML",
            lambda t: call(
                "drag",
                element_id=element(t, "button", "From"),
                to_element_id=element(t, "button", "To"),
            ),
        )
        assert attempt(act).success
        assert page.evaluate("[window.down, window.up]") == [1, 1]

    def test_element_in_a_reloaded_frame_is_matched(self, attempt: Attempt, html: Html) -> None:
        """An element is matched in the new document of the same frame."""
        page = html("<iframe srcdoc=\"<button onclick='parent.hit = 1'>Pay</button>\"></iframe>")
        act = after(
            "() => new Promise((done) => { const f = document.querySelector('iframe');"
            " f.onload = done; f.srcdoc += ' ' })",
            on("click", "button", "Pay"),
        )
        assert attempt(act).success
        assert page.evaluate("hit") == 1


REUSED = """<div id=list></div><script>
  hits = [];
  const draw = (names) => names.forEach((n, i) => {
    const row = list.children[i] ?? list.appendChild(document.createElement("div"));
    row.className = "row";
    row.innerHTML ||= "<span></span> <i>open</i> <button>Delete</button>";
    row.firstChild.textContent = n;
    row.lastChild.onclick = () => hits.push(n);
  });
  draw(["Task 1", "Task 2", "Task 3"]);
</script>"""


class TestReused:
    @quick
    @pytest.mark.parametrize("tool", ["click", "hover"])
    def test_node_that_shows_another_item_is_refused(
        self, attempt: Attempt, html: Html, tool: str
    ) -> None:
        """A list that draws other items into its nodes, as it is scrolled, gets no action that was meant for one before."""
        page = html(REUSED)
        act = after(
            "draw(['Task 7', 'Task 8', 'Task 9'])", lambda t: call(tool, element_id="button-1")
        )
        outcome = attempt(lambda t: t.observation and act(t))
        assert outcome.error == (
            "button-1 shows another item than you saw, and no single element matches it;"
            " pass an id from the outline of the next turn"
        )
        assert page.evaluate("hits") == []

    def test_item_that_moved_to_another_node_is_found(self, attempt: Attempt, html: Html) -> None:
        """After an item before it was removed, the action reaches the item that was meant."""
        page = html(REUSED)
        act = after(
            "draw(['Task 2', 'Task 3', 'Task 4'])", lambda t: call("click", element_id="button-1")
        )
        assert attempt(lambda t: t.observation and act(t)).success
        assert page.evaluate("hits") == ["Task 2"]

    @pytest.mark.parametrize(
        "script",
        [
            "list.children[1].children[1].textContent = 'closed'",
            "list.children[1].children[0].textContent += ' (2)'",
            "list.children[1].children[0].textContent += ' (2)', list.children[1].append('new')",
        ],
    )
    def test_changed_item_keeps_its_id(self, attempt: Attempt, html: Html, script: str) -> None:
        """What changes in an item, but not what it is called, is no other item."""
        page = html(REUSED.replace("Task 2", "Tea (1)").replace("+= ' (2)'", "= 'Tea (2)'"))
        script = script.replace("+= ' (2)'", "= 'Tea (2)'")
        act = after(script, lambda t: call("click", element_id="button-1"))
        assert attempt(lambda t: t.observation and act(t)).success
        assert page.evaluate("hits") == ["Tea (1)"]

    def test_quantity_that_a_button_raises_is_no_other_item(
        self, attempt: Attempt, html: Html
    ) -> None:
        """The second of two clicks in one answer is on the same button, although its item shows another number."""
        row = "<div class=row><b>{}</b> <button onclick='previousElementSibling.textContent++'>+</button></div>"
        page = html("".join(map(row.format, (2, 5, 7))))
        more = call("click", element_id="button-0")
        assert attempt(lambda t: t.observation and [more, more]).success
        assert page.locator("b").all_inner_texts() == ["4", "5", "7"]


SAVE = on("click", "button", "Save")


class TestDecoys:
    @quick
    def test_same_button_of_another_row_is_not_taken(self, attempt: Attempt, html: Html) -> None:
        """The same button of a neighboring row is no substitute for a removed one."""
        page = html(LIST)
        outcome = attempt(
            after("draw(['Cup'])", lambda t: call("click", element_id=in_row(t, "Mug")))
        )
        assert outcome.error == (
            "button-0 is no longer on the page, and no single element matches it;"
            " pass an id from the outline of the next turn"
        )
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
    @pytest.mark.parametrize(
        ("box", "script", "answer"),
        [
            ("<button>Save</button>", "box.innerHTML = '<button onclick=\"hit = 1\">Delete</button>'", SAVE),
            ("<button onclick='hit = 1'>Save</button>", "box.innerHTML += box.innerHTML", SAVE),
            (
                "<input type=password aria-label=Key>",
                "box.innerHTML = '<input aria-label=Key oninput=\"hit = 1\">'",
                on("fill", "textbox", "Key", text="x"),
            ),
        ],
        ids=["another name", "two equal ones", "no password"],
    )  # fmt: skip
    def test_element_that_resembles_the_one_seen_is_not_taken(
        self, attempt: Attempt, html: Html, box: str, script: str, answer: Any
    ) -> None:
        """Neither the only button left, nor one of two, nor a plain field for a password."""
        page = html(f"<div id=box>{box}</div>")
        outcome = attempt(after(script, answer))
        assert "no single element matches it" in (outcome.error or "")
        assert page.evaluate("window.hit") is None


# Runs for longer than an action waits, after the element has been replaced by its like.
BLOCKED = """n = (window.n || 0) + 1;
  if (n === 1) { box.innerHTML = box.innerHTML; const end = Date.now() + 1500; while (Date.now() < end); }"""


@pytest.mark.long
@pytest.mark.real_time
@pytest.mark.webtask(timeout=0.6)
class TestNeverTwice:
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
        outcome = attempt(answer)
        page.wait_for_function("window.n")
        page.wait_for_timeout(500)
        assert page.evaluate("n") == 1
        assert outcome.success or "may have taken effect" in (outcome.error or "")

    def test_click_on_a_button_that_removes_itself_succeeds(
        self, attempt: Attempt, html: Html
    ) -> None:
        """A click on a button that removes itself succeeds and is not repeated."""
        page = html("<button onclick='n = (window.n || 0) + 1; this.remove()'>Buy</button>")
        assert attempt(on("click", "button", "Buy")).success
        assert page.evaluate("n") == 1

    def test_element_replaced_during_the_wait_is_clicked_once(
        self, attempt: Attempt, html: Html
    ) -> None:
        """A disabled button that is replaced by an enabled one is clicked once."""
        page = html(
            "<div id=box><button disabled>Buy</button></div><script>setTimeout(() => box.innerHTML ="
            " '<button onclick=\"n = (window.n || 0) + 1\">Buy</button>', 400)</script>"
        )
        assert attempt(on("click", "button", "Buy")).success
        assert page.evaluate("n") == 1
