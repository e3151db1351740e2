"""A scripted model, to test workflows, tools and roles without a real one.

A test says in advance what each role calls, in the order of its turns:

    model = ScriptedModel(
        worker=[call("click", find("button", "Add to cart")), done()],
        verifier=[call("mark_complete", reason="one is in it", evidence=[shows("link", "Cart (1)")])],
    )
    webtask_for(page, model=model).do("put a mug into the cart", workflow="my_workflows:Careful")
    model.assert_finished()

Only the decisions are scripted: the browser, the tools and the checks are real.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from pytest_webtask.errors import UsageError
from pytest_webtask.types.agent import (
    Conclusion,
    Decision,
    Observation,
    ProposedToolCall,
    Turn,
    Usage,
)


@dataclass(frozen=True)
class Find:
    """An element to be found when its turn comes; `find` makes one."""

    role: str
    name: str = ""
    nth: int | None = None

    def resolve(self, page: Observation) -> str:
        """Return the id of the element in an observation. Raises UsageError."""
        seen = [*page.texts.values(), *page.elements.values()]
        named = [each for each in seen if each.role == self.role and self.name in each.name]
        matches = [each for each in named if each.name == self.name] or named
        chosen = matches if self.nth is None else matches[self.nth : self.nth + 1]
        if len(chosen) == 1:
            return chosen[0].id
        raise UsageError(
            f"{len(matches) or 'no'} elements of the page are {self}: name one, or give nth, from 0 on\n"
            f"The page:\n{page.outline}"
        )

    def __str__(self) -> str:
        """Return the element in words, such as `button 'Save'`."""
        return f"{self.role} {self.name!r}"


def find(role: str, name: str = "", nth: int | None = None) -> Find:
    """Return an element for the parameters of a call, by role and name as in the page's outline.

    A name that is equal counts before one that contains `name`. With `nth`, from 0 on, it is one of
    several in the order of the page; otherwise there must be exactly one.
    """
    return Find(role, name, nth)


def call(tool: str, element: Find | None = None, /, **parameters: Any) -> ProposedToolCall:
    """Return a call of a tool, with `element` as its `element_id`.

    Parameters may hold elements of `find` at any depth. The reason of the call is "scripted", unless
    `reason` is among them.
    """
    given = {} if element is None else {"element_id": element}
    reason = str(parameters.get("reason", "scripted"))
    return ProposedToolCall(tool, {**given, **parameters}, reason)


def shows(role: str, name: str, text: str | None = None) -> dict[str, Any]:
    """Return the check that an element shows a text, by default its name, for the evidence of a call."""
    return {
        "kind": "text",
        "element_id": find(role, name),
        "text": name if text is None else text,
    }


def done(summary: str = "done", *evidence: Mapping[str, Any]) -> ProposedToolCall:
    """Return the call with which a worker ends its task."""
    cited = {"evidence": [*evidence]} if evidence else {}
    return call("mark_done", summary=summary, **cited)


def verdict(
    outcome: str, *evidence: Mapping[str, Any], reason: str = "as shown"
) -> ProposedToolCall:
    """Return the call with which a verifier judges a claim.

    The outcome is `holds`, `does_not_hold` or `cannot_tell`.
    """
    parameters = {"outcome": outcome, "evidence": [*evidence]}
    return ProposedToolCall("report_verdict", parameters, reason)


def rule(
    *,
    proves: bool,
    missing: str = "",
    counterexample: str = "",
    incidental: Sequence[int] = (),
    identifying: Sequence[str] = (),
    by_place: Sequence[str] = (),
) -> ProposedToolCall:
    """Return the call with which a referee rules on a conclusion.

    `incidental` are the numbers of facts that are not about the task, from 1 on; `identifying` are
    texts around elements that tell these from others, and `by_place` the names of items that are meant
    for their place in a list.
    """
    lists = {"incidental": incidental, "identifying": identifying, "by_place": by_place}
    given = {name: [*values] for name, values in lists.items() if values}
    return call("rule", counterexample=counterexample, proves=proves, missing=missing, **given)


Fixed = ProposedToolCall | Sequence[ProposedToolCall] | Decision
Answer = Fixed | Callable[[Turn], Fixed]
"""The answer to one turn: a call, several calls, a decision, or a function that returns one of these."""


class ScriptedModel:
    """A model that answers from a script, for all roles.

    `answers` are those of the roles without a script of their own, in the order of the turns; `scripts`
    are the answers of a role by its name, such as `worker=[...]`. Both may be replaced or extended
    between steps. A referee without a script finds every conclusion proved.

    It looks at the page in each turn, and needs the evidence that any model needs. A turn without an
    answer, and an element that is not found, raise UsageError in the step.
    """

    _observes = True

    def __init__(self, *answers: Answer, **scripts: Sequence[Answer]) -> None:
        self.answers: list[Answer] = list(answers)
        self.scripts: dict[str, list[Answer]] = {role: list(s) for role, s in scripts.items()}
        self.turns: list[Turn] = []
        """The turns so far, without those of the referee."""
        self.conclusions: list[Conclusion] = []
        """The conclusions that the referee has ruled on so far."""

    def decide(self, turn: Turn) -> Decision:
        """Return the next answer for the role of a turn. Raises UsageError."""
        if turn.conclusion is not None:
            self.conclusions.append(turn.conclusion)
        else:
            self.turns.append(turn)
        answer: Any = self._next(turn)
        if turn.sees and self._observes:
            _ = turn.observation
        if callable(answer):
            answer = answer(turn)
        if not isinstance(answer, Decision):
            calls = [answer] if isinstance(answer, ProposedToolCall) else list(answer)
            answer = Decision(calls=calls, usage=Usage(model_calls=1))
        return _resolved(answer, turn)

    @property
    def roles(self) -> list[str]:
        """The roles that were asked, in their order; successive turns of one count once."""
        return [role for role, _ in groupby(turn.role for turn in self.turns)]

    def of(self, role: str) -> list[Turn]:
        """Return the turns of a role."""
        return [turn for turn in self.turns if turn.role == role]

    def assert_finished(self) -> None:
        """Raise AssertionError if an answer was not asked for."""
        unused = {"any role": self.answers, **self.scripts}
        left = [f"{len(answers)} of {role}" for role, answers in unused.items() if answers]
        assert not left, (
            f"ScriptedModel has answers that were not asked for: {', '.join(left)}; remove them"
        )

    def _next(self, turn: Turn) -> Answer:
        script = self.scripts.get(turn.role)
        if turn.conclusion is not None and script is None:
            return rule(proves=True)
        answers = self.answers if script is None else script
        if not answers:
            task = turn.conclusion.sentence if turn.conclusion else turn.task
            raise UsageError(
                f"ScriptedModel has no {turn.role} answer left for {task!r}; add another answer to"
                f" ScriptedModel({turn.role}=[...])"
            )
        return answers.pop(0)


def _resolved(decision: Decision, turn: Turn) -> Decision:

    def resolve(value: Any) -> Any:
        if isinstance(value, Find):
            if not turn.sees:
                raise UsageError(
                    f"the {turn.role} sees no page, so it cannot find {value}; write a text"
                )
            return value.resolve(turn.observation)
        if isinstance(value, Mapping):
            return {name: resolve(each) for name, each in value.items()}
        return [resolve(each) for each in value] if isinstance(value, (list, tuple)) else value

    calls = [replace(each, parameters=resolve(each.parameters)) for each in decision.calls]
    return replace(decision, calls=calls)
