"""`mark_done` and its evidence: a task is done when the page shows it, and not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webtask import Secret, TaskFailed
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, WorkerSession
from pytest_webtask.types.model import ModelTraits
from tests.inner import written
from tests.scripted import Html, Scripted, call, cited, done, on

COUNTER = """<button onclick="n.textContent = +n.textContent + 1">More</button><p id=n>0</p>"""
FORM = """<h1>Log in</h1><label>Name <input></label>
<label>Password <input type=password></label>"""


def seeing(tool: str, **parameters: Any) -> Callable[[Turn], ProposedToolCall]:
    """An answer that calls a tool and has read the page."""

    def answer(turn: Turn) -> ProposedToolCall:
        assert turn.observation.outline
        return call(tool, **parameters)

    return answer


def shown(*evidence: dict[str, Any], summary: str = "done") -> Callable[[Turn], Decision]:
    """An answer that ends the session on checks; their ids may be descriptions, see `cited`."""

    def answer(turn: Turn) -> Decision:
        assert turn.observation.outline
        checks = []
        for check in evidence:
            cited_check = dict(check)
            for name in {"element_id", "within"} & cited_check.keys():
                cited_check[name] = cited(turn, cited_check[name])
            if "element_ids" in cited_check:
                cited_check["element_ids"] = [
                    cited(turn, each) for each in cited_check["element_ids"]
                ]
            checks.append(cited_check)
        return Decision([call("mark_done", summary=summary, evidence=checks)])

    return answer


def text(element_id: str, expected: str) -> dict[str, Any]:
    """A check of a text."""
    return {"kind": "text", "element_id": element_id, "text": expected}


def errors(session: WorkerSession) -> list[str]:
    """What the calls of each iteration were answered with, if they failed."""
    return [c.error or "" for i in session.iterations for c in i.calls]


@pytest.fixture
def model(model: Scripted) -> Scripted:
    """A model that looks, as a language model does."""
    model.traits = ModelTraits()
    return model


class TestWhatIsAsked:
    def test_session_holds_its_evidence(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """Each check of the evidence has its expected and actual text and the element's locator."""
        html(COUNTER)
        model.answers = [on("click", "button", "More"), shown(text("text:1", "1"))]
        session = webtask.do("press more").session
        [check] = session.evidence
        assert (check.kind, check.expected, check.actual, check.holds) == ("text", '"1"', "1", True)
        assert check.check.as_call() == {
            "kind": "text", "element_id": "text-0", "text": "1", "exact": True,
        }  # fmt: skip
        assert check.target is not None and check.target.locator

    def test_failed_check_returns_the_actual_text(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The session continues after a failed check, and its evidence holds only checks that held."""
        html(COUNTER)
        model.answers = [
            on("click", "button", "More"),
            shown(text("text:1", "2"), text("button:More", "More")),
            shown(text("text:1", "1"), text("button:More", "More")),
        ]
        session = webtask.do("press more").session
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
            ([{"kind": "absent", "role": "checkbx"}], "role; perhaps you mean 'checkbox'. It takes"),
            ([{"kind": "absent"}], "evidence[0]: absent takes a text or a role"),
            (
                [{"kind": "count", "element_ids": ["text-0", "text-0"]}],
                "evidence[0].element_ids: lists text-0 twice; list each element once. It takes",
            ),
            ([{"kind": "text", "element_id": "text-0", "text": 3, "txt": [1]}], "[0].txt: Extra"),
            ("it is done", "evidence: Input should be a valid array, got 'it is done'"),
        ],
    )  # fmt: skip
    def test_invalid_check_is_a_wrong_call(
        self, webtask: Webtask, model: Scripted, html: Html, evidence: Any, why: str
    ) -> None:
        """The result of the call says which field of the check is wrong."""
        html(COUNTER)
        model.answers = [
            seeing("mark_done", summary="x", evidence=evidence),
            shown(text("text:0", "0")),
        ]
        refused = errors(webtask.do("see").session)[0]
        assert refused.startswith("mark_done got wrong arguments: evidence") and why in refused

    @pytest.mark.webtask(visual=False)
    def test_forbidden_visual_check_is_refused(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """With visual=False a visual check is refused, and a check of another kind is accepted."""
        html(COUNTER)
        seen = {"kind": "visual", "element_id": "text:1", "what": "a one"}
        model.answers = [on("click", "button", "More"), shown(seen), shown(text("text:1", "1"))]
        session = webtask.do("press more").session
        assert "cite text, a value or a state on the page" in errors(session)[1]


class TestWhenItIsNeeded:
    @pytest.mark.parametrize(
        ("body", "actions", "evidence"),
        [
            (COUNTER, [on("click", "button", "More")], text("text:1", "1")),
            (COUNTER, [seeing("look")], text("text:0", "0")),
            (
                FORM,
                [on("fill", "textbox", "Name", text="Rita")],
                {"kind": "value", "element_id": "textbox:Name", "value": "Rita"},
            ),
        ],
        ids=["changed", "looked", "filled"],
    )
    def test_task_without_evidence_is_sent_back(
        self,
        webtask: Webtask,
        model: Scripted,
        html: Html,
        body: str,
        actions: list[Any],
        evidence: dict[str, Any],
    ) -> None:
        """A model that looks at the page has to cite it, whether or not the page has changed."""
        html(body)
        model.answers = [*actions, shown(), shown(evidence)]
        session = webtask.do("do what is asked for").session
        assert errors(session)[1] == (
            "the evidence is not enough:\n"
            "- there is no evidence: cite what the page shows now that the task is done; checkpoints of"
            " `confirm` tell only what was so before"
        )
        assert [each.holds for each in session.evidence] == [True]

    def test_partly_literal_task_needs_evidence(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A task needs evidence even if literal actions did a part of it."""
        html(f"{FORM}<button>Go</button><button>Go</button>")
        filled = {"kind": "value", "element_id": "textbox:Name", "value": "Rita"}
        model.answers = [shown(), shown(filled)]
        session = webtask.do('fill "Name" with "Rita" and click "Go"').session
        assert session.iterations[0].model == "literal"
        assert "there is no evidence" in errors(session)[1]

    def test_model_that_does_not_look_needs_no_evidence(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A scripted model may end without evidence; evidence that it cites is still checked."""
        html(COUNTER)
        model.traits = ModelTraits(looks_at_page=False)
        model.answers = [on("click", "button", "More"), done()]
        assert webtask.do("press more").session.evidence == ()
        model.answers = [on("click", "button", "More"), shown(text("text:2", "1")), done()]
        assert "but the page has 2" in errors(webtask.do("press more").session)[1]

    def test_refused_end_leaves_no_evidence(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A worker without valid evidence runs out of steps, and no evidence is kept."""
        html(COUNTER)
        model.answers = [on("click", "button", "More"), shown(text("text:1", "9")), shown()]
        with pytest.raises(TaskFailed, match="out of steps after 3 iterations") as failed:
            webtask.do("press more", max_steps=3)
        assert failed.value.result.session.evidence == ()


class TestSecrets:
    SECRET = "hunter2-secret"

    @pytest.fixture
    def journal(self, webtask: Webtask) -> Callable[[], str]:
        """All that the journal of this test says."""
        return lambda: written(webtask._runner.journal.folder, webtask.state.test)

    @pytest.mark.parametrize("field", ["Name", "Password"])
    def test_field_check_of_a_secret_is_masked(
        self, webtask: Webtask, model: Scripted, html: Html, journal: Callable[[], str], field: str
    ) -> None:
        """The check names the secret; neither the session nor the journal shows its value."""
        page = html(FORM)
        held = {"kind": "value", "element_id": f"textbox:{field}", "value": "{password}"}
        model.answers = [on("fill", "textbox", field, text="{password}"), shown(held)]
        data = {"password": Secret(self.SECRET)}
        session = webtask.do("enter the password", data=data).session
        assert page.get_by_label(field).input_value() == self.SECRET
        [check] = session.evidence
        assert check.holds and check.expected == '= "{password}"'
        assert check.check.model_dump()["value"] == "{password}"
        assert self.SECRET not in session.model_dump_json() + journal()

    @pytest.mark.parametrize("field", ["Name", "Password"])
    def test_failed_field_check_masks_the_other_value(
        self, webtask: Webtask, model: Scripted, html: Html, journal: Callable[[], str], field: str
    ) -> None:
        """A failed check shows the actual text, but never a secret."""
        page = html(FORM)
        page.get_by_label(field).fill(self.SECRET)
        other = {"kind": "value", "element_id": f"textbox:{field}", "value": "{pin}"}
        label = text("text:Name", "Name")
        model.answers = [shown(other), shown(label)]
        data = {"password": Secret(self.SECRET), "pin": Secret("4711-4711")}
        session = webtask.do("enter the pin", data=data).session
        assert (
            f'value of textbox "{field}": expected = "{{pin}}", but the page has'
            in errors(session)[0]
        )
        for secret in (self.SECRET, "4711-4711"):
            assert secret not in session.model_dump_json() + journal() + repr(
                model.turns[1].iterations
            )
