"""The earlier steps of a test as lines of a prompt, shortened to fit a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pytest_webtask.data.phrases import folded, shortened
from pytest_webtask.types.agent import EarlierStep

TOKENS = 2_000
"""The maximum number of tokens for all earlier steps."""
_BYTES = 4
"""Bytes of UTF-8 in a token: an estimate, since only a service can count its own tokens."""
_LINE = 300
_VALUE = 1_200


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text: one for each four bytes of UTF-8."""
    return -(-len(text.encode(errors="replace")) // _BYTES)


def describe_steps(steps: Sequence[EarlierStep], budget: int = TOKENS) -> list[str]:
    """Return the steps in lines of at most `budget` tokens.

    If they do not fit, the oldest are shortened first: to their results, then to their sentences. If that
    is not enough, the oldest are left out. The last line tells how many were shortened or left out.
    """
    texts = [*map(_whole, steps)]
    # The last line and the line breaks count, too.
    left = budget - 40 - sum(map(_size, texts))
    shortened: Sequence[Callable[[EarlierStep], list[str]]] = (_results, _head, _nothing)
    changed = 0
    for shorten in shortened:
        for at, step in enumerate(steps):
            if left >= 0:
                break
            left += _size(texts[at])
            texts[at] = shorten(step)
            left -= _size(texts[at])
            changed = max(changed, at + 1)
    left_out = sum(not text for text in texts)
    lines = [line for text in texts for line in text]
    if changed:
        gone = f", and the first {left_out} left out" if left_out else ""
        lines.append(f"(To save space, the first {changed} of these steps are shortened{gone}.)")
    return lines


def _size(text: Sequence[str]) -> int:
    return sum(count_tokens(line) + 1 for line in text)


def _whole(step: EarlierStep) -> list[str]:
    return [_title(step), *_details(step, _LINE, _VALUE, words=None)]


def _results(step: EarlierStep) -> list[str]:
    brief = step.model_copy(update={"calls": (), "facts": step.facts[:3]})
    return [_title(step), *_details(brief, _LINE // 2, _LINE, words=_LINE)]


def _head(step: EarlierStep) -> list[str]:
    return [_cut(f"{_title(step)}{f': {step.value}' if step.value else ''}", _LINE // 2)]


def _nothing(_step: EarlierStep) -> list[str]:
    return []


def _title(step: EarlierStep) -> str:
    name = f"{step.number}. {step.kind}" if step.number else f"- {step.kind}"
    title = " ".join(filter(None, (name, folded(step.sentence))))
    return f"{title}: {step.status}" if step.status else title


def _details(step: EarlierStep, line: int, value: int, words: int | None) -> Iterator[str]:
    for call in step.calls:
        yield f"  did: {_cut(call, line)}"
    for fact in step.facts:
        yield f"  shown: {_cut(fact, line)}"
    if step.value:
        yield f"  result: {_cut(step.value, value)}"
    if step.words:
        yield f"  in words: {_cut(step.words, words)}"


def _cut(text: str, most: int | None) -> str:
    # Text of a page must not pass for another line.
    text = folded(text)
    return text if most is None else shortened(text, most)
