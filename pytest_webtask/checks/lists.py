"""The kind `options`: what a list offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from pytest_webtask.checks.base import CheckResult, UncheckableError
from pytest_webtask.checks.element import OfElement
from pytest_webtask.data.phrases import quote
from pytest_webtask.data.text import says, squashed
from pytest_webtask.page import dom

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext, CheckedElement

_NATIVE = """e => [...e.options]
  .filter(o => [o, o.parentElement].every(n => !n.hidden && getComputedStyle(n).display !== 'none'))
  .map(o => [o.label, o.matches(':disabled'), o.value === ''])"""
_DRAWN = "[role=option], [role=radio], [role=menuitemradio], input[type=radio]"


class Options(OfElement):
    """A list, or a group of radio buttons, has options, none of them, or exactly these.

    With `exactly`, none is offered that is disabled, and one with an empty value may be left out.
    """

    of_all: ClassVar[bool] = True
    expectations: ClassVar[tuple[str, ...]] = ("options",)

    kind: Literal["options"] = "options"
    options: tuple[str, ...]
    which: Literal["the option", "no option", "exactly"]

    def describe(self) -> str:
        """Return the options in words."""
        return f"{self.which} {_listed(self.options)}"

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the options that a user sees once the list is open. Raises UncheckableError."""
        element = context.seen(self.element_id)
        found = _options(context, element)
        wanted = Counter(squashed(context.fill(each)) for each in self.options)
        offered = Counter(name for name, is_disabled, _ in found if not is_disabled)
        disabled = {name for name, is_disabled, _ in found if is_disabled and name not in offered}
        longer = "\n".join(offered) if self.which == "no option" else ""
        near = filter(partial(says, longer, anycase=True), wanted - offered)
        if self.which == "exactly":
            blank = Counter(name for name, _, is_blank in found if is_blank)
            held = offered >= wanted >= offered - blank
        elif unsure := min(disabled.intersection(wanted).union(near), default=""):
            raise UncheckableError(f"the option {quote(unsure)} is there, but disabled or longer")
        else:
            held = {name in offered for name in wanted} == {self.which == "the option"}
        actual = [f"{name} (disabled)" if name in disabled else name for name, _, _ in found]
        return context.of_element(self, element, held, _listed(actual))


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(quote, filter(None, texts)))


def _options(context: CheckContext, element: CheckedElement) -> list[tuple[str, bool, bool]]:
    """Return the label of each option, whether it is disabled, and whether it has an empty value.

    Raises UncheckableError for a list that is not drawn as a whole.
    """
    place = element.locator
    if element.facts.tag == "select":
        return [(squashed(name), off, blank) for name, off, blank in place.evaluate(_NATIVE)]
    if element.role == "combobox":
        place = element.frame.locator(dom.call(place, "combobox")["list"] or "nothing")
    found = context.with_facts(context.visible(element.frame, place.locator(_DRAWN), ""))
    if not found:
        raise UncheckableError("it draws no options; if it is a list that opens, first click it")
    doubts = context.ask(place, "doubts")
    if doubts["undrawn"] or doubts["unready"]:
        raise UncheckableError("it does not draw all that it has; wait for that, or filter it")
    facts = [each.facts for each in found]
    names = [squashed(each.content or each.label or each.name) for each in facts]
    return [(names[at], "disabled" in each.states, False) for at, each in enumerate(facts)]
