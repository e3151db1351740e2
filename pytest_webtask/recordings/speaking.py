"""How recorded texts and locators are said in exported code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from pytest_webtask.page.locators import Link, Unreadable, parse
from pytest_webtask.recordings.steps import Call
from pytest_webtask.recordings.writing import Expression, quoted, raw, template
from pytest_webtask.records import Target

__all__ = ["Speaking", "escaped", "placeholders"]

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_FRAME = re.compile(r"""frame\((name|url)=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)\.""")
_FLAGS = {re.IGNORECASE: "re.IGNORECASE", re.MULTILINE: "re.MULTILINE", re.DOTALL: "re.DOTALL"}


def placeholders(text: str) -> Iterator[str]:
    """The names of a text that may be those of data."""
    for match in _TOKEN.finditer(text):
        if match[1] is not None and match[1].isidentifier():
            yield match[1]


def escaped(text: str) -> str:
    """A text as a regular expression, with no more backslashes than it needs."""
    return re.sub(r"([.^$*+?{}()|\[\]\\])", r"\\\1", text)


class Speaking:
    """Says texts and elements of one page.

    `page` is the name of its variable; `expression` gives the code for a placeholder. What the code
    needs is added to `helpers`.
    """

    def __init__(
        self, page: str, expression: Callable[[str], str | None], helpers: set[str]
    ) -> None:
        self.page = page
        self._expression = expression
        self._helpers = helpers

    def parts(self, text: str) -> list[str | Expression]:
        """A text, cut where its placeholders stand."""
        parts: list[str | Expression] = []
        at = 0
        for match in _TOKEN.finditer(text):
            name = match[1]
            code = self._expression(name) if name and name.isidentifier() else None
            if code is not None:
                parts += [text[at : match.start()], (code,)] if at < match.start() else [(code,)]
                at = match.end()
        return [*parts, text[at:]] if at < len(text) or not parts else parts

    def text(self, text: str) -> str:
        """A text as a literal."""
        return template(self.parts(str(text)))

    def words(self, text: str, *, anycase: bool = False) -> str:
        """A pattern for a text as whole words."""
        self._helpers.update(("words", "re"))
        return f"words({self.text(text)}{', re.IGNORECASE' if anycase else ''})"

    def pattern(
        self,
        parts: Sequence[str | Expression],
        *,
        before: str = "",
        after: str = "",
        flags: int = 0,
    ) -> str:
        """A compiled pattern of expressions, which are escaped, and texts, which are patterns."""
        self._helpers.add("re")
        whole: list[str | Expression] = [before, *parts, after]
        # What a pattern begins its neighbour may end: they are joined before they are quoted.
        joined: list[str | Expression] = []
        for part in whole:
            last = joined[-1] if joined else None
            if isinstance(part, str) and isinstance(last, str):
                joined[-1] = last + part
            else:
                joined.append(part if isinstance(part, str) else (f"re.escape({part[0]})",))
        told = [code for flag, code in _FLAGS.items() if flags & flag]
        given = [raw([part for part in joined if part]), *(["|".join(told)] if told else [])]
        return f"re.compile({', '.join(given)})"

    def whole(self, text: str, *, anycase: bool = False) -> str:
        """A pattern for a text that is all there is, however its blanks and apostrophes are."""
        parts: list[str | Expression] = []
        for part in self.parts(text):
            if isinstance(part, str):
                said = re.sub(r"\s+", r"\\s+", escaped(part)).replace("'", "['’]")
                parts.append(said.replace(r"\s+/\s+", r"(?:\s*/\s*|\s+)"))
            else:
                parts.append(part)
        flags = re.IGNORECASE if anycase else 0
        return self.pattern(parts, before=r"^\s*", after=r"\s*$", flags=flags)

    def all_of(self, text: str) -> str:
        """Return a text that is all there is: as it stands, but for what may be written either way."""
        return self.whole(text) if "'" in text or " / " in text else self.text(text)

    def address(self, wanted: str) -> str:
        """Return a pattern for the end of an address, or all of it, with `*` for anything."""
        parts: list[str | Expression] = [
            ".*".join(map(escaped, part.split("*"))) if isinstance(part, str) else part
            for part in self.parts(wanted)
        ]
        before = "^.*[/?&#]"
        if urlsplit(wanted).scheme in ("http", "https") or re.match(
            r"(?:about|data|file|blob):", wanted
        ):
            before = "^"
        elif wanted.startswith("/"):
            before = "^[a-z]+://[^/]*"
        elif wanted.startswith("*"):
            before = ""
        elif wanted[:1] in ("?", "#"):
            before = "^.*"
        return self.pattern(parts, before=before, after="$")

    def needs(self, helper: str) -> None:
        """Add what the code imports or calls."""
        self._helpers.add(helper)

    def element(self, call: Call, parameter: str = "element_id") -> str:
        """The element of a call."""
        if parameter not in call.targets:
            if len(call.targets) != 1:
                raise Unreadable(f"the recorded call has no target {parameter!r}")
            parameter = next(iter(call.targets))
        return self.located(call.targets[parameter].locator)

    def found(self, target: Target | None) -> str:
        """The element of a check. Raises Unreadable."""
        if target is None:
            raise Unreadable("its element was not recorded")
        return self.located(target.locator)

    def located(self, code: str) -> str:
        """A recorded locator. Raises Unreadable."""
        root, code = self._framed(code)
        return self._chain(parse(code), root)

    def frame_of(self, code: str) -> str:
        """The page or frame in which a locator looks."""
        root, code = self._framed(code)
        links = parse(code)
        last = [n for n, link in enumerate(links) if link[0] in ("frame_locator", "content_frame")]
        return self._chain(links[: last[-1] + 1], root) if last else root

    def _framed(self, code: str) -> tuple[str, str]:
        """The frame in which literal sentences say that an element is, and the rest of the code."""
        found = _FRAME.match(code)
        if found is None:
            return self.page, code
        value = str(ast.literal_eval(found[2]))
        if found[1] == "name":
            one = f'iframe[name="{value}"], iframe[id="{value}"]'
        else:
            # The server may have another address next time.
            one = f'iframe[src$="{urlsplit(value).path}"]'
        return f"{self.page}.frame_locator({self.text(one)})", code[found.end() :]

    def tag(self, target: Target | None) -> str:
        """The tag of an element, "" where it was not recorded."""
        return target.signature.tag if target is not None and target.signature else ""

    def role(self, target: Target | None) -> str:
        """The role of an element, "" where it was not recorded."""
        return target.signature.role if target is not None and target.signature else ""

    def _chain(self, links: Sequence[Link], root: str = "") -> str:
        code = root or self.page
        for name, args, options in links:
            if name in ("first", "last", "content_frame"):
                code += f".{name}"
                continue
            given = [quoted(a) if name == "get_by_role" else self._argument(a) for a in args]
            given += [f"{key}={self._argument(value)}" for key, value in options.items()]
            code += f".{name}({', '.join(given)})"
        return code

    def _argument(self, value: object) -> str:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, re.Pattern):
            return self.pattern([value.pattern], flags=value.flags)
        if isinstance(value, list):
            return self._chain(value)
        return repr(value)
