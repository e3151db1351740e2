"""Messages about verdicts: why a claim failed or could not be decided."""

import textwrap
from itertools import chain

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.types.agent import Verdict


def explain(verdict: Verdict, page: str, screenshot: str) -> str:
    """Return why a claim did not pass: the reason, the facts or failed checks, and the page."""
    failed = verdict.outcome.value == "failed"
    how = "does not hold" if failed else "could not be decided"
    mark = "'" if '"' in verdict.claim else '"'
    lines = [f"{mark}{verdict.claim}{mark} {how}"]
    lines += [f"  {line}" for line in verdict.reason.splitlines()]
    lines += _established(verdict)
    if wrong := [e for e in verdict.evidence if not (e.holds or e.brief in verdict.reason)]:
        lines += ["", *chain.from_iterable(map(_unmet, wrong))]
    if verdict.ruling and failed:
        refuted = "that saw only these facts, agreed that they refute the claim"
        lines += ["", f"a referee ({verdict.ruling.by}), a model {refuted}"]
    lines += ["", f"page: {page}"]
    if screenshot:
        lines.append(f"screenshot: {screenshot}")
    pictures = filter(None, (each.screenshot for each in verdict.evidence))
    lines += map("judged by eye, in this picture: {}".format, pictures)
    return "\n".join(lines)


def _established(verdict: Verdict) -> list[str]:
    facts = [each.fact.describe() for each in verdict.evidence if each.holds and each.fact]
    lines = ["", "facts:"] if facts else []
    for fact in facts:
        lines += textwrap.wrap(fact, 110, initial_indent="  - ", subsequent_indent="    ")
    return lines


def _unmet(each: CheckResult) -> list[str]:
    mark, where = "?" if each.problem else "x", f" (tab {each.tab})" if each.tab > 1 else ""
    line = f"{each.explain()}{where}"
    return textwrap.wrap(line, 110, initial_indent=f"  {mark} ", subsequent_indent="    ")
