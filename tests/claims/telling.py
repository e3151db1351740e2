"""A verifier that says what it is told to say, whatever the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from pytest_webtask import Undecided, VerificationFailed
from pytest_webtask.records import Decision, Turn, Usage, Verdict
from pytest_webtask.webtask import Webtask
from tests.claims.case import Claim, said_of
from tests.claims.look import Look
from tests.claims.said import Said

Answer = Said | Callable[[Turn], Said]


class Told:
    """Gives its answers one after another, and the last one for ever."""

    looks = False

    def __init__(self, *answers: Answer) -> None:
        self.answers: Sequence[Answer] = answers
        self.given = 0

    def say(self, *answers: Answer) -> None:
        """From now on it gives these answers."""
        self.answers, self.given = answers, 0

    def decide(self, turn: Turn) -> Decision:
        """The next answer."""
        answer = self.answers[min(self.given, len(self.answers) - 1)]
        self.given += 1
        said = answer if isinstance(answer, Said) else answer(turn)
        return Decision(calls=said.calls(), usage=Usage(model_calls=1))


def honest(claim: Claim, outcome: str = "holds") -> Answer:
    """What an honest verifier says of a true claim."""

    def answer(turn: Turn) -> Said:
        checks, locators = said_of(claim.evidence, Look(turn.page, turn.observation))
        return Said(checks, claim.readings, locators, outcome)

    return answer


def pressed(lie: Said, claim: Claim, look: Look) -> Answer:
    """The same lie, with all added that the verifier was told is missing.

    For each word that the claim and the refusal share there is a text that has it, or else a
    reading of it.
    """

    def answer(turn: Turn) -> Said:
        call = turn.iterations[-1].calls[-1]
        refused = f"{call.error or call.result}"
        checks, readings = [*lie.evidence], dict(lie.readings)
        texts = [e for e in look.elements.values() if e.name]
        for word in re.findall(r"[\w.,€$#@-]*\w", claim.sentence):
            if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", refused):
                continue
            found = next((e for e in texts if word.casefold() in e.name.casefold()), None)
            if found is None:
                readings[word] = texts[0].name
            else:
                checks.append({"kind": "text", "element_id": found.id, "text": found.name})
        return replace(lie, evidence=checks, readings=readings)

    return answer


def judged(webtask: Webtask, model: Told, claim: Claim, *answers: Answer) -> Verdict:
    """What becomes of a claim when the verifier answers so."""
    model.say(*answers)
    try:
        return webtask.verify(claim.sentence, data=claim.data, timeout=0)
    except (VerificationFailed, Undecided) as error:
        return error.verdict
