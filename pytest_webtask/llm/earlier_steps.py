"""The earlier steps of a test as lines of a prompt, shortened to fit a budget of tokens."""

from collections.abc import Sequence

from pytest_webtask.data.phrases import folded, shortened
from pytest_webtask.llm.fitting import fit
from pytest_webtask.types.agent import EarlierStep

TOKENS = 2_000
"""The maximum number of tokens for all earlier steps."""
_BYTES = 4
"""Bytes of UTF-8 in a token: an estimate, since only a service can count its own tokens."""
_LINE = 300
_VALUE = 1_200
_WORDS = 100_000


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text: one for each four bytes of UTF-8."""
    return -(-len(text.encode(errors="replace")) // _BYTES)


def describe_steps(steps: Sequence[EarlierStep], budget: int = TOKENS) -> list[str]:
    """Return the steps in lines of at most `budget` tokens.

    If they do not fit, the oldest are shortened first: to their results, then to their sentences. If that
    is not enough, the oldest are left out. The last line says so.
    """
    # The last line and the line breaks count, too.
    texts = fit(steps, (_whole, _results, _head, lambda _: []), _size, budget - 40)
    lines = [line for text in texts for line in text]
    if texts != [*map(_whole, steps)]:
        lines.append(
            "(To save space, the oldest of these steps are shortened, and"
            f" {texts.count([])} before them left out.)"
        )
    return lines


def _size(text: Sequence[str]) -> int:
    return sum(count_tokens(line) + 1 for line in text)


def _whole(step: EarlierStep) -> list[str]:
    return _described(step, _LINE, _VALUE, _WORDS)


def _results(step: EarlierStep) -> list[str]:
    brief = step.model_copy(update={"calls": (), "facts": step.facts[:3]})
    return _described(brief, _LINE // 2, _LINE, _LINE)


def _head(step: EarlierStep) -> list[str]:
    return [_cut(": ".join(filter(None, (_title(step), step.value))), _LINE // 2)]


def _title(step: EarlierStep) -> str:
    number = f"{step.number}." if step.number else "-"
    title = " ".join(filter(None, (number, step.kind, folded(step.sentence))))
    return ": ".join(filter(None, (title, step.status)))


def _described(step: EarlierStep, line: int, value: int, words: int) -> list[str]:
    """Return a step in lines, whose texts have at most these numbers of characters."""
    parts = [
        *(("did", call, line) for call in step.calls),
        *(("shown", fact, line) for fact in step.facts),
        ("result", step.value, value),
        ("in words", step.words, words),
    ]
    return [
        _title(step),
        *(f"  {name}: {_cut(text, most)}" for name, text, most in parts if text),
    ]


def _cut(text: str, most: int) -> str:
    # Text of a page must not pass for another line.
    return shortened(folded(text), most)
