"""Claims of values, states and numbers, and of the page's address and title."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_webtask.errors import UsageError
from pytest_webtask.models.literal.asking import Asker
from pytest_webtask.models.literal.clauses import Clause, Named
from pytest_webtask.models.literal.counted import KINDS, plural
from pytest_webtask.models.literal.explain import Wanted
from pytest_webtask.models.literal.finding import Finding, from_checks, with_similar
from pytest_webtask.models.literal.kinds import Member, absent, members, names_of_kind
from pytest_webtask.models.literal.parts import Part, part_of
from pytest_webtask.models.literal.resolve import Unresolved

__all__ = ["count", "state", "title", "url", "value"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def value(asker: Asker, clause: Clause) -> Finding:
    """`"Email" has value "a@b.c"`, `"Email" is empty`."""
    named = clause.elements["element_id"]
    code, _ = asker.subject(named, clause.words)
    wanted = clause.typed.get("value")
    expected = wanted.keep(asker.turn.data) if wanted else str(clause.fixed["value"])
    evidence = [{"kind": "value", "element_id": code, "value": expected}]
    checks = asker.check(*evidence)
    finding = from_checks(evidence, checks, f"it holds {_quoted(expected)}")
    if finding.holds is False:
        there = checks[0].actual
        held = f"holds {_quoted(there)}" if there else "is empty"
        said = _said(asker, named, clause)
        return replace(
            finding, reason=f"{said} {held}, not {_quoted(expected) if expected else 'empty'}"
        )
    return finding


def state(asker: Asker, clause: Clause) -> Finding:
    """`"Buy" is disabled`, and the like."""
    named = clause.elements["element_id"]
    code, _ = asker.subject(named, clause.words)
    wanted = str(clause.fixed["state"])
    evidence = [{"kind": "state", "element_id": code, "state": wanted}]
    checks = asker.check(*evidence)
    said = _said(asker, named, clause)
    finding = from_checks(evidence, checks, f"{said} is {wanted}")
    if finding.holds is False:
        return replace(finding, reason=f"{said} is {checks[0].actual}, not {wanted}")
    return finding


def _said(asker: Asker, named: Named, clause: Clause) -> str:
    return str(asker.wanted(named, clause.words))


# How many


def _counted(asker: Asker, clause: Clause) -> tuple[Wanted, Part | None, list[Member]]:
    """What is counted, where, and all of it that is there. Raises Unresolved."""
    named = clause.elements["items"]
    wanted = asker.wanted(named, clause.words)
    part = None
    if named.of:
        place = Wanted(wanted.of, wanted.fit, wanted.of_kind, sentence=clause.words, strict=True)
        part = part_of(asker, place)
        if part.itself and not wanted.of_kind:
            what = part.first.role or "text"
            raise Unresolved(
                f"nothing on the page is called or headed {_quoted(wanted.of)} but a {what}: say"
                " which part of the page is meant"
            )
    found = members(asker, wanted, part)
    if not found and part and not part.below and part.first.role in KINDS[wanted.role]:
        raise Unresolved(f"{place} is itself a {wanted.role}, and holds none")
    return wanted, part, found


def count(asker: Asker, clause: Clause) -> Finding:
    """`there are 2 "Remove" buttons`, `there are no rows in "Orders"`."""
    wanted, part, found = _counted(asker, clause)
    number = int(str(clause.fixed["number"]))
    if not found:
        evidence: list[dict[str, Any]] = [*absent(asker, wanted, part), asker.anchor()]
        reason = f"there {_number(0, wanted)}"
        if number:
            return Finding(False, f"{reason}, not {number}", evidence)
        finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
        if not finding.holds:
            return replace(finding, holds=None)
        return with_similar(finding, wanted.name, names_of_kind(asker, wanted.role, part))
    evidence = _counts(asker, found, named=bool(wanted.name))
    reason = f"there {_number(len(found), wanted)}"
    if len(found) == number:
        finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
        if finding.holds:
            return finding
        return Finding(None, f"{reason}, but code cannot count them: {finding.reason}")
    names = [member.found.name for member in found if member.found.name]
    told = f": {', '.join(map(_quoted, names[:8]))}" if names and not wanted.name else ""
    return Finding(False, f"{reason}, not {number or 'none'}{told}", [*evidence, asker.anchor()])


def _counts(asker: Asker, found: Sequence[Member], *, named: bool) -> list[dict[str, Any]]:
    """The checks that these are all of their kind: one for each role and frame."""
    kinds: dict[tuple[str, Any], list[str]] = {}
    for member in found:
        code = asker.keep_locator(member.query.code, member.query.locator)
        kinds.setdefault((member.role, member.found.frame), []).append(code)
    return [{"kind": "count", "element_ids": codes, "named": named} for codes in kinds.values()]


def _number(number: int, wanted: Wanted) -> str:
    what = wanted.role if number == 1 else plural(wanted.role)
    name = f"{_quoted(wanted.name)} " if wanted.name else ""
    place = f" {wanted.relation} {wanted.place}" if wanted.relation else ""
    return f"{'is' if number == 1 else 'are'} {number or 'no'} {name}{what}{place}"


# The page


def url(asker: Asker, clause: Clause) -> Finding:
    """`the URL is "/cart"`."""
    template, how = clause.filled["text"], clause.fixed["how"]
    text = template.fill(asker.turn.data, "an address")
    if how == "is" and not re.match(r"/|[a-z][a-z\d+.-]*:", text):
        raise UsageError(f"an address begins with / or http://, and {text!r} does not")
    pattern = {"is": text, "contains": f"*{text}*", "ends with": f"*{text}"}[str(how)]
    if not text.replace("*", "").strip():
        raise UsageError(f"any address fits {text!r}")
    evidence = [{"kind": "url", "pattern": pattern}]
    checks = asker.check(*evidence)
    finding = from_checks(evidence, checks, f"the URL {how} {_quoted(text)}")
    if finding.holds is False:
        return replace(finding, reason=f"the URL is {_quoted(checks[0].actual)}")
    return finding


def title(asker: Asker, clause: Clause) -> Finding:
    """`the title is "Cart"`."""
    template, how = clause.filled["text"], clause.fixed["how"]
    text = asker.fill(template, "a title")
    there = " ".join(asker.turn.page.title().split())
    evidence: list[Mapping[str, Any]] = [{"kind": "title", "text": asker.keep(template)}]
    if how == "is" and there != text:
        # The check is content with a part of the title; what is there instead is shown.
        shown = [{"kind": "title", "text": there}] if there else evidence
        return Finding(False, f"the title is {_quoted(there)}", shown)
    checks = asker.check(*evidence)
    finding = from_checks(evidence, checks, f"the title {how} {_quoted(text)}")
    if finding.holds is False:
        return replace(finding, reason=f"the title is {_quoted(there)}")
    return finding
