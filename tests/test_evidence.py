"""`mark_done` and its evidence: a task is done when the page shows it, and not before."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask import Secret, TaskFailed
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import ProposedToolCall, Turn, WorkerSession
from pytest_webtask.types.model import ModelTraits
from tests.inner import text, written
from tests.scripted import Check, Html, Scripted, after_look, call, citing, done, on

COUNTER = """<button onclick="n.textContent = +n.textContent + 1">More</button><p id=n>0</p>"""
FORM = """<h1>Log in</h1><label>Name <input></label>
<label>Password <input type=password></label>"""
MORE = on("click", "button", "More")
RITA = {"kind": "value", "element_id": "textbox:Name", "value": "Rita"}


def shown(*evidence: Check) -> Callable[[Turn], ProposedToolCall]:
    """An answer that ends the session on checks; their ids may be descriptions, see `described`."""
    given = [*map(citing, evidence)]
    return after_look(call("mark_done", summary="done", evidence=given))


def errors(session: WorkerSession) -> list[str]:
    """What the calls of each iteration were answered with, if they failed."""
    return [c.error or "" for i in session.iterations for c in i.calls]


Act = Callable[..., WorkerSession]


@pytest.fixture
def act(webtask: Webtask, model: Scripted, html: Html) -> Act:
    """Does a task by the answers of a model that looks, as a language model does."""

    def run(body: str, *answers: Any, task: str = "do it", **options: Any) -> WorkerSession:
        html(body)
        model.traits = ModelTraits()
        model.answers = [*answers]
        return webtask.do(task, **options).session

    return run


class TestWhatIsAsked:
    def test_session_holds_its_evidence(self, act: Act) -> None:
        """Each check of the evidence has its expected and actual text and the element's locator."""
        [check] = act(COUNTER, MORE, shown(text("text:1", "1"))).evidence
        assert (check.kind, check.expected, check.actual, check.holds) == ("text", '"1"', "1", True)
        assert check.check.as_call() == {
            "kind": "text", "element_id": "text-0", "text": "1", "exact": True,
        }  # fmt: skip
        assert check.target is not None and check.target.locator

    def test_failed_check_returns_the_actual_text(self, act: Act) -> None:
        """The session continues after a failed check, and its evidence holds only checks that held."""
        two, one = (shown(text("text:1", n), text("button:More", "More")) for n in "21")
        session = act(COUNTER, MORE, two, one)
        _, refused, _ = errors(session)
        assert refused == (
            "the evidence is not enough:\n"
            '- text "1": expected "2", but the page has 1. A check that fails is no'
            " evidence: cite what the page shows instead"
        )
        assert [c.expected for c in session.evidence] == ['"1"', '"More"']

    @pytest.mark.parametrize(
        ("evidence", "why"),
        [
            ([{"kind": "feeling"}], "feeling"),
            ([{"kind": "text", "element_id": "text-0"}], "evidence[0].text: Field required. It takes"),
            ([text("text-0", " ")], "the text is empty: pass the expected text"),
            ([{"kind": "matches", "element_id": "text-0", "pattern": ".*"}], "the pattern matches any text"),
            ([{"kind": "absent", "role": "toast"}], "[0].role: 'toast' is not an ARIA role; use the"),
            ([{"kind": "absent"}], "evidence[0]: absent takes a text or a role"),
            (
                [{"kind": "count", "element_ids": ["text-0", "text-0"]}],
                "evidence[0].element_ids: lists text-0 twice; list each element once. It takes",
            ),
            ([{"kind": "text", "element_id": "text-0", "text": 3, "txt": [1]}], "[0].txt: Extra"),
            ("it is done", "evidence: Input should be a valid array, got 'it is done'"),
        ],
    )  # fmt: skip
    def test_invalid_check_is_a_wrong_call(self, act: Act, evidence: Any, why: str) -> None:
        """The result of the call says which field of the check is wrong."""
        wrong = after_look(call("mark_done", summary="x", evidence=evidence))
        [refused, _] = errors(act(COUNTER, wrong, shown(text("text:0", "0"))))
        assert refused.startswith("mark_done got wrong arguments: evidence") and why in refused

    @pytest.mark.webtask(visual=False)
    def test_forbidden_visual_check_is_refused(self, act: Act) -> None:
        """With visual=False a visual check is refused, and a check of another kind is accepted."""
        seen = {"kind": "visual", "element_id": "text:1", "what": "a one"}
        session = act(COUNTER, MORE, shown(seen), shown(text("text:1", "1")))
        assert "cite text, a value or a state on the page" in errors(session)[1]


class TestWhenItIsNeeded:
    @pytest.mark.parametrize(
        ("body", "action", "evidence"),
        [
            (COUNTER, MORE, text("text:1", "1")),
            (COUNTER, after_look(call("look")), text("text:0", "0")),
            (FORM, on("fill", "textbox", "Name", text="Rita"), RITA),
        ],
        ids=["changed", "looked", "filled"],
    )
    def test_task_without_evidence_is_sent_back(
        self, act: Act, body: str, action: Any, evidence: dict[str, Any]
    ) -> None:
        """A model that looks at the page has to cite it, whether or not the page has changed."""
        session = act(body, action, shown(), shown(evidence))
        assert errors(session)[1] == (
            "the evidence is not enough:\n"
            "- there is no evidence: cite what the page shows now that the task is done; checkpoints of"
            " `confirm` tell only what was so before"
        )
        assert [each.holds for each in session.evidence] == [True]

    def test_partly_literal_task_needs_evidence(self, act: Act) -> None:
        """A task needs evidence even if literal actions did a part of it."""
        body = f"{FORM}<button>Go</button><button>Go</button>"
        task = 'fill "Name" with "Rita" and click "Go"'
        session = act(body, shown(), shown(RITA), task=task)
        assert session.iterations[0].model == "literal"
        assert "there is no evidence" in errors(session)[1]

    def test_model_that_does_not_look_needs_no_evidence(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A scripted model may end without evidence; evidence that it cites is still checked."""
        html(COUNTER)
        model.answers = [MORE, done()]
        assert webtask.do("press more").session.evidence == ()
        model.answers = [MORE, shown(text("text:2", "1")), done()]
        assert "but the page has 2" in errors(webtask.do("press more").session)[1]

    def test_refused_end_leaves_no_evidence(self, act: Act) -> None:
        """A worker without valid evidence runs out of steps, and no evidence is kept."""
        with pytest.raises(TaskFailed, match="out of steps after 3 iterations") as failed:
            act(COUNTER, MORE, shown(text("text:1", "9")), shown(), max_steps=3)
        assert failed.value.result.session.evidence == ()


class TestSecrets:
    SECRET = "hunter2-secret"

    @pytest.fixture
    def journal(self, webtask: Webtask) -> Callable[[], str]:
        """All that the journal of this test says."""
        return lambda: written(webtask._runner.journal.folder, webtask.state.test)

    @pytest.mark.parametrize("field", ["Name", "Password"])
    def test_field_check_of_a_secret_is_masked(
        self, act: Act, page: Page, journal: Callable[[], str], field: str
    ) -> None:
        """The check names the secret; neither the session nor the journal shows its value."""
        held = {"kind": "value", "element_id": f"textbox:{field}", "value": "{password}"}
        fill = on("fill", "textbox", field, text="{password}")
        session = act(FORM, fill, shown(held), data={"password": Secret(self.SECRET)})
        assert page.get_by_label(field).input_value() == self.SECRET
        [check] = session.evidence
        assert check.holds and check.expected == '= "{password}"'
        assert check.check.model_dump()["value"] == "{password}"
        assert self.SECRET not in session.model_dump_json() + journal()

    @pytest.mark.parametrize("field", ["Name", "Password"])
    def test_failed_field_check_masks_the_other_value(
        self, act: Act, model: Scripted, journal: Callable[[], str], field: str
    ) -> None:
        """A failed check shows the actual text, but never a secret."""
        body = FORM.replace("<input", f"<input value={self.SECRET}")
        other = {"kind": "value", "element_id": f"textbox:{field}", "value": "{pin}"}
        data = {"password": Secret(self.SECRET), "pin": Secret("4711-4711")}
        session = act(body, shown(other), shown(text("text:Name", "Name")), data=data)
        wrong = f'value of textbox "{field}": expected = "{{pin}}", but the page has'
        assert wrong in errors(session)[0]
        seen = session.model_dump_json() + journal() + repr(model.turns[1].iterations)
        assert self.SECRET not in seen and "4711-4711" not in seen
