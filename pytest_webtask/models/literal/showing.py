"""Claims of what is shown, anywhere on the page or in a part of it, and of what is not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_webtask.models.literal.asking import Asker, Found, Shown
from pytest_webtask.models.literal.clauses import Clause, Template
from pytest_webtask.models.literal.explain import Wanted
from pytest_webtask.models.literal.finding import Finding, from_checks, with_similar
from pytest_webtask.models.literal.kinds import absent, members, named_elements, names_of_kind
from pytest_webtask.models.literal.parts import Part, part_of, parts_of
from pytest_webtask.models.literal.queries import frame_code
from pytest_webtask.models.literal.resolve import Unresolved

__all__ = ["gone", "lacks", "not_on_page", "page", "shown", "shows"]

_STRUCTURE = frozenset(
    "row;cell;list;item;list item;dialog;table;section;region;form;group;article".split(";")
)
"""What is named by what stands in it."""
_MOST = 5


def page(asker: Asker, clause: Clause) -> Finding:
    """`the page shows "Welcome"`."""
    return _page_shows(asker, clause.typed["text"])


def not_on_page(asker: Asker, clause: Clause) -> Finding:
    """`the page does not show "Error"`."""
    return _page_lacks(asker, clause.typed["text"])


def shown(asker: Asker, clause: Clause) -> Finding:
    """`"2 items" is shown`, `the "Remove" button is shown`."""
    named = clause.elements["part"]
    wanted = asker.wanted(named, clause.words)
    if named.role and named.role != "text":
        return _element_shown(asker, wanted)
    if not named.relation:
        return _named_shown(asker, clause, wanted)
    return _shows(asker, _place(asker, wanted), named.name, str(_place(asker, wanted)))


def gone(asker: Asker, clause: Clause) -> Finding:
    """`"Error" is not shown`, `the "Remove" button is not shown`."""
    named = clause.elements["part"]
    wanted = asker.wanted(named, clause.words)
    if named.role and named.role != "text":
        return _element_gone(asker, wanted)
    part = part_of(asker, _place(asker, wanted)) if named.relation else None
    if found := named_elements(asker, wanted.name, part):
        reason = (
            f"the {found[0].role or 'element'} that is called {_quoted(wanted.name)} can be seen"
        )
        return Finding(False, reason, [_state(asker, found[0], "visible")])
    if not named.relation:
        return _page_lacks(asker, named.name)
    return _lacks(asker, _place(asker, wanted), named.name)


def shows(asker: Asker, clause: Clause) -> Finding:
    """`"Cart" shows "2 items"`."""
    wanted = asker.wanted(clause.elements["part"], clause.words)
    return _shows(asker, wanted, clause.typed["text"], str(wanted))


def lacks(asker: Asker, clause: Clause) -> Finding:
    """`"Cart" does not show "Mug"`."""
    wanted = asker.wanted(clause.elements["part"], clause.words)
    return _lacks(asker, wanted, clause.typed["text"])


def _place(asker: Asker, wanted: Wanted) -> Wanted:
    if wanted.relation != "in":
        raise Unresolved(f'a text is shown "in" a part of the page, not {wanted.relation} it')
    return Wanted(wanted.of, wanted.fit, wanted.of_kind, sentence=wanted.sentence, strict=True)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(
    asker: Asker, found: Found, template: Template, part: Part | None = None
) -> dict[str, Any]:
    """The check that an element shows a text, or the part that it stands in."""
    if found.is_input:
        name = found.name or asker.fill(template)
        query_code = f'{frame_code(found.frame)}get_by_role("button", name={name!r}, exact=True)'
        code = asker.keep_locator(
            query_code, found.frame.get_by_role("button", name=name, exact=True)
        )
        return {"kind": "state", "element_id": code, "state": "visible"}
    whole = part.whole if part else None
    code = asker.cite(whole or found, asker.fill(template))
    return {"kind": "text", "element_id": code, "text": asker.keep(template)}


# Anywhere on the page


def _named_shown(asker: Asker, clause: Clause, wanted: Wanted) -> Finding:
    """A text is shown; an element that is called so and shows another text is visible."""
    finding = _page_shows(asker, clause.elements["part"].name)
    if finding.holds or not (found := named_elements(asker, wanted.name, None)):
        return finding
    what = found[0].role or "element"
    if clause.fixed.get("element"):
        evidence = [_state(asker, found[0], "visible")]
        return from_checks(evidence, asker.check(*evidence), f"the {what} can be seen")
    name = _quoted(wanted.name)
    more = f"; a {what} is called so, of which one says {name} is visible"
    return replace(finding, reason=finding.reason + more)


def _page_shows(asker: Asker, template: Template) -> Finding:
    text = asker.fill(template)
    there = asker.show(text)
    problem = None
    for found in there.hits[:_MOST]:
        evidence = [_text(asker, found, template)]
        finding = from_checks(evidence, asker.check(*evidence), f"the page shows {_quoted(text)}")
        if finding.holds:
            return finding
        problem = finding
    if problem:
        return replace(problem, holds=None)
    reason = f"{_quoted(text)} is not shown"
    if not asker.final:
        return Finding(False, reason)
    if hidden := asker.unseen(text):
        evidence = [_state(asker, hidden[0], "visible")]
        said = "it is on the page, but it cannot be seen"
        return Finding(False, f"{reason}: {said}", evidence)
    otherwise = asker.show(text, anycase=True).hits
    if near := otherwise[0].text[:80] if otherwise else there.closest(text):
        reason += f"; the closest is {_quoted(near)}"
        if like := otherwise or asker.show(near).hits:
            return Finding(False, reason, [_text(asker, like[0], template)])
    gone = {"kind": "absent", "text": asker.keep(template)}
    return Finding(False, reason, [gone, asker.anchor()])


def _page_lacks(asker: Asker, template: Template) -> Finding:
    evidence = [{"kind": "absent", "text": asker.keep(template)}, asker.anchor()]
    if template.names and any(asker.turn.data[name] is None for name in template.names):
        # What a secret says is not known here, and code asks for it all the same.
        return from_checks(evidence, asker.check(*evidence), "it is not shown", passing=True)
    text = asker.fill(template)
    there = asker.show(text)
    if there.hits:
        return _is_there(asker, text, there, template)
    reason = f"{_quoted(text)} is shown nowhere"
    finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
    if finding.holds is False:
        otherwise = asker.show(text, anycase=True)
        finding = _hidden(asker, text, otherwise, None, finding, [asker.anchor()])
    return with_similar(finding, text, there.lines)


def _is_there(asker: Asker, text: str, there: Shown, template: Template) -> Finding:
    found = there.hits[0]
    said = f" in {_quoted(found.text[:100])}" if found.text != text else ""
    place = f", {found.place}" if found.place else ""
    return Finding(False, f"{_quoted(text)} is shown{said}{place}", [_text(asker, found, template)])


def _hidden(
    asker: Asker,
    text: str,
    otherwise: Shown,
    part: Part | None,
    finding: Finding,
    anchors: Sequence[Mapping[str, Any]],
) -> Finding:
    """What holds of a text that is on the page, where no one can see it or in other capitals."""
    if otherwise.hits:
        said = otherwise.hits[0]
        reason = f"{_quoted(said.text[:100])} is shown, which differs in capital letters only"
        return Finding(False, reason, finding.evidence)
    unseen = asker.unseen(text, part.tops[0] if part else None)
    if not unseen or len(unseen) > _MOST:
        return replace(finding, holds=None if unseen else False)
    evidence = [*(_state(asker, each, "hidden") for each in unseen), *anchors]
    reason = f"{_quoted(text)} is on the page, but nobody can see it"
    checked = from_checks(evidence, asker.check(*evidence), reason, passing=True)
    return checked if checked.holds else replace(finding, holds=None)


def _state(asker: Asker, found: Found, state: str) -> dict[str, Any]:
    return {"kind": "state", "element_id": asker.cite(found), "state": state}


# In a part of it


def _shows(asker: Asker, wanted: Wanted, template: Template, name: str) -> Finding:
    text = asker.fill(template)
    part = part_of(asker, wanted)
    there = asker.show(text, part.tops)
    problem = None
    # All of a part may say more than code reads, or run into what stands beside the text.
    places: list[tuple[Found, Part | None]] = [(found, part) for found in there.hits[:1]]
    places += [(found, None) for found in there.hits[:_MOST]]
    for found, whole in places:
        evidence = [_text(asker, found, template, whole)]
        finding = from_checks(evidence, asker.check(*evidence), f"{name} shows {_quoted(text)}")
        if finding.holds:
            return finding
        problem = finding
    if problem:
        return replace(problem, holds=None)
    if part.itself and not wanted.role:
        raise Unresolved(_nothing_more(part, wanted))
    if not asker.final:
        return Finding(False, f"{name} does not show {_quoted(text)}")
    near = there.closest(text)
    said = near or there.text[:200]
    reason = (
        f"{name} does not show {_quoted(text)}; it shows {_quoted(said) if said else 'nothing'}"
    )
    evidence = [_text(asker, part.first, template)]
    if asker.check(*evidence)[0].holds:
        # It stands there in several lines, or where nobody can see it.
        hidden = [each for top in part.tops for each in asker.unseen(text, top)]
        if not hidden:
            raise Unresolved(f"{name} has {_quoted(text)} in several lines: say what is in one")
        evidence = [_state(asker, hidden[0], "visible")]
        reason = f"{name} does not show {_quoted(text)}: it is there, but it cannot be seen"
    return Finding(False, reason, evidence)


def _lacks(asker: Asker, wanted: Wanted, template: Template) -> Finding:
    text = asker.fill(template)
    part = part_of(asker, wanted)
    there = asker.show(text, part.tops)
    if there.hits:
        return _is_there(asker, text, there, template)
    if part.itself and not wanted.role:
        raise Unresolved(_nothing_more(part, wanted))
    anchors = [_state(asker, part.first, "visible")]
    codes = [asker.cite(replace(part.first, path=path)) for path in part.paths]
    evidence = [
        *({"kind": "absent", "text": asker.keep(template), "within": code} for code in codes),
        *anchors,
    ]
    reason = f"{wanted} does not show {_quoted(text)}"
    finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
    if finding.holds is False:
        otherwise = asker.show(text, part.tops, anycase=True)
        finding = _hidden(asker, text, otherwise, part, finding, anchors)
    return with_similar(finding, text, there.lines)


def _nothing_more(part: Part, wanted: Wanted) -> str:
    what = part.first.role or "text"
    return (
        f"nothing on the page is called or headed {_quoted(wanted.name)} but a {what}, which shows"
        " nothing else: say which part of the page is meant"
    )


# Elements by role and name


def _element_shown(asker: Asker, wanted: Wanted) -> Finding:
    found = _elements(asker, wanted)
    if found:
        evidence = [_state(asker, found[0], "visible")]
        return from_checks(evidence, asker.check(*evidence), f"there is {wanted}")
    return Finding(
        False,
        f"there is no {wanted}{_others(asker, wanted)}",
        [*absent(asker, wanted, None), asker.anchor()],
    )


def _element_gone(asker: Asker, wanted: Wanted) -> Finding:
    found = _elements(asker, wanted)
    if found:
        reason = f"there is {wanted}" + (f", {found[0].place}" if found[0].place else "")
        return Finding(False, reason, [_state(asker, found[0], "visible")])
    part = part_of(asker, _place(asker, wanted)) if wanted.relation else None
    evidence = [*absent(asker, wanted, part), asker.anchor()]
    finding = from_checks(evidence, asker.check(*evidence), f"there is no {wanted}", passing=True)
    if not finding.holds:
        return replace(finding, holds=None)
    return with_similar(finding, wanted.name, names_of_kind(asker, wanted.role, part))


def _elements(asker: Asker, wanted: Wanted) -> list[Found]:
    if wanted.role in _STRUCTURE:
        return [part.first for part in parts_of(asker, wanted)]
    part = part_of(asker, _place(asker, wanted)) if wanted.relation else None
    return [member.found for member in members(asker, wanted, part)]


def _others(asker: Asker, wanted: Wanted) -> str:
    near = Shown((), names_of_kind(asker, wanted.role, None)).closest(wanted.name)
    return f"; the closest is {_quoted(near)}" if near else ""
