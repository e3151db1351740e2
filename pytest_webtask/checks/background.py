"""Checks of what pages do behind what they show: requests, errors and downloads since the last step that acted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import CheckResult, Fact, UncheckableError, not_empty
from pytest_webtask.checks.page import OfAddress, OfWholeStep, address_pattern
from pytest_webtask.data.phrases import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Request

    from pytest_webtask.checks.check_context import CheckContext
    from pytest_webtask.page.background import Background

_LISTED = 5
"""The number of requests or errors in the answer of a check that does not hold."""
_SINCE = "since the last step that acted began"


def _goes_to(request: Request | None, pattern: str) -> bool:
    """Return whether a request goes to an address, "" for any; the fragment of one is never sent."""
    address = address_pattern(pattern or "*")
    return bool(request and address.search(request.url.partition("#")[0]))


def _sent_to(background: Background, pattern: str = "") -> list[Request]:
    return [request for _, request in background.requests if _goes_to(request, pattern)]


def _listed(texts: Sequence[str]) -> str:
    return "; ".join(texts[-_LISTED:])


class AnsweredRequest(OfWholeStep, OfAddress):
    """A request of the page since the step before was answered with a status."""

    kind: Literal["request"] = "request"
    method: str = Field(default="", description="Its method, such as POST; omit it for any.")
    status: int

    def describe(self) -> str:
        """Return the method, the address and the status."""
        return f"{self.method or 'a request'} to {self.pattern} answered with {self.status}"

    def expected_texts(self) -> list[str]:
        """Return the address and the status."""
        return [self.pattern, str(self.status)]

    def run(self, context: CheckContext) -> CheckResult:
        """Look for the request among those that were sent since the step before."""
        from pytest_webtask.page.background import described, status_of

        background, pattern = context.tabs.background, context.fill(self.pattern)
        sent = _sent_to(background, pattern)
        meant = [each for each in sent if self.method.upper() in ("", each.method)]
        held = [each for each in meant if status_of(each) == self.status]
        fact = Fact(
            element="request",
            text=_listed([*map(described, held)]),
            match="part",
            note=f"sent by the page {_SINCE}; such requests in all: {len(meant)}",
        )
        shown = _listed([*map(described, meant or _sent_to(background))]) or "no request"
        return context.result(self, "requests of the page", shown, bool(held), fact=fact)


class NoFailure(OfWholeStep):
    """No request has failed, or no error is in the console, since the step before."""

    negative: ClassVar[bool] = True
    needed: ClassVar[tuple[str, ...]] = ("of",)
    expects_pattern: ClassVar[bool] = True
    expectations: ClassVar[tuple[str, ...]] = ("pattern",)

    kind: Literal["no_failure"] = "no_failure"
    of: Literal["requests", "console"] = "requests"
    pattern: SkipJsonSchema[str | None] = None
    """The address of the requests that are meant, None for all."""

    def describe(self) -> str:
        """Return what should not be there."""
        if self.of == "console":
            return "no error in the console"
        return "no failed request" + (f" to {self.pattern}" if self.pattern else "")

    def run(self, context: CheckContext) -> CheckResult:
        """Look for failed requests, or for errors in the consoles of all tabs."""
        background = context.tabs.background
        if self.of == "requests":
            pattern = context.fill(self.pattern or "")
            sent = _sent_to(background, pattern)
            wrong = [each.text for each in background.problems if _goes_to(each.request, pattern)]
            if pattern and not sent and not wrong:
                raise UncheckableError(f"no request was sent to {pattern}")
            about, searched = "requests of the page", counted(len(sent), "request")
        else:
            wrong = [*background.uncaught, *background.console_errors]
            about = searched = "the console"
        page = context.tabs.current.url
        fact = Fact(searched=f"{searched} of the page {_SINCE}", page=page)
        shown = _listed(wrong) or "none"
        return context.result(self, about, shown, not wrong, fact=fact)


class Downloaded(OfWholeStep):
    """A file was downloaded since the step before."""

    form: ClassVar[str] = '"{0.name}"'
    expects_pattern: ClassVar[bool] = True
    expectations: ClassVar[tuple[str, ...]] = ("name",)

    kind: Literal["download"] = "download"
    name: str = Field(description="Its whole name, such as report.csv; * stands for any part.")

    @field_validator("name")
    @classmethod
    def _name(cls, name: str) -> str:
        not_empty(name.replace("*", ""))
        return name

    def run(self, context: CheckContext) -> CheckResult:
        """Look for the name among those of the complete downloads."""
        names = context.tabs.background.downloads
        pattern = ".*".join(map(re.escape, context.fill(self.name).split("*")))
        found = next((name for name in names if re.fullmatch(pattern, name)), None)
        note = f"complete, {_SINCE}"
        fact = Fact(element="downloaded file", text=found or "", match="whole", note=note)
        shown, held = ", ".join(names) or "no file", found is not None
        return context.result(self, "downloads of the page", shown, held, fact=fact)
