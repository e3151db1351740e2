"""The base class of checks, their results, and the facts that they establish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SerializeAsAny

from pytest_webtask.data.phrases import quote, shortened
from pytest_webtask.data.text import leaves, letters, says
from pytest_webtask.types.page import Container, Record, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_webtask.checks.page_history import EarlierPage
    from pytest_webtask.checks.varying import Varying
    from pytest_webtask.page.playwright_code import CodeTexts

BY_EYE = "by eye"
_SHORTEST = 24
"""The length to which a text of a set is shortened at most."""


class UncheckableError(ValueError):
    """A check cannot be run on this page, for the reason `problem`.

    `advice` is for the model that gave the check: what to cite instead.
    """

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(": ".join(filter(None, (problem, advice))))
        self.problem = problem


def _require_cited(schema: dict[str, Any], kind: type[Check]) -> None:
    """Have models provide the fields that a recording may lack."""
    needed = kind.ids if kind.needed is None else kind.needed
    schema["required"] = [*schema.get("required", ()), "kind", *needed]


def unlike_recorded(problem: str) -> UncheckableError:
    """Return the error for a page on which a recorded check would prove something else."""
    return UncheckableError(f"{problem}. If that is right, record the step again")


class Check(BaseModel):
    """A machine-checkable statement about the page.

    A subclass runs itself, describes itself and exports itself as Playwright code. No other code
    depends on the kind: its properties are class variables and methods of this class. Recorded checks
    have no element ids; their elements are in the target.
    """

    model_config = ConfigDict(
        extra="forbid",
        coerce_numbers_to_str=True,
        frozen=True,
        defer_build=True,
        json_schema_extra=_require_cited,
    )
    kind: str = ""
    aspect: ClassVar[Literal["text", "value", "state", ""]] = ""
    """The aspect of its element that it is about; for a state the element is known by its name."""
    time: ClassVar[Literal["now", "step", "earlier"]] = "now"
    """When it is so: now, at any time since the step began, or in an earlier step."""
    negative: ClassVar[bool] = False
    """True if it holds if something is absent."""
    of_set: ClassVar[bool] = False
    """True if its target matches all elements of a set."""
    of_all: ClassVar[bool] = False
    """True if it is about all parts of its element, which a page may draw one after the other."""
    by_eye: ClassVar[bool] = False
    """True if it needs a picture."""
    expects_pattern: ClassVar[bool] = False
    """True if it expects a pattern, any part of which counts as expected."""
    match: ClassVar[Literal["whole", "pattern", "comparison", ""]] = ""
    """How its element is compared with what is expected, "" if its fact says so itself."""
    form: ClassVar[str] = ""
    """Its expectation in words, as a format of the check."""
    preposition: ClassVar[str] = "of"
    """The preposition between its kind and its subject."""
    expectations: ClassVar[tuple[str, ...]] = ()
    """The fields with texts that must be present."""
    templates: ClassVar[tuple[str, ...] | None] = None
    """The fields that may have placeholders, if they differ from `expectations`."""
    ids: ClassVar[tuple[str, ...]] = ()
    """The fields with element ids."""
    needed: ClassVar[tuple[str, ...] | None] = None
    """The fields that models must provide although a recording lacks them, if they differ from `ids`."""
    kinds: ClassVar[dict[str, type[Check]]] = {}
    """The classes of all kinds by name; `checks.kinds` defines them."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register the kind by its name."""
        if kind := cls.model_fields["kind"].default:
            Check.kinds[kind] = cls

    @classmethod
    def parse(cls, value: Any) -> Check:
        """Return the check that a JSON object describes. Raises ValueError for an unknown kind."""
        if isinstance(value, Check):
            return value
        if not isinstance(value, dict):
            raise ValueError(f"a check is an object with a kind, got {value!r:.80}")
        kind = value.get("kind")
        if kind not in cls.kinds:
            raise ValueError(f"unknown kind of check {kind!r}; use one of {', '.join(cls.kinds)}")
        return cls.kinds[kind].model_validate(value)

    @property
    def of_page(self) -> bool:
        """Return whether it is about a page as a whole, or a part of it in which it searches."""
        return self.ids in ((), ("within",))

    @property
    def cited_id(self) -> str:
        """Return the id of its element, "" if it is not about a single element."""
        return str(getattr(self, "element_id", ""))

    @property
    def cited(self) -> list[str]:
        """Return the ids of all elements that it is about."""
        return [*filter(None, leaves([getattr(self, name) for name in self.ids]))]

    @property
    def is_exact(self) -> bool:
        """Return whether the expected text must be the only one."""
        return bool(getattr(self, "exact", False))

    def run(self, context: Any) -> CheckResult:
        """Run the check on the live page. Raises UncheckableError if that is impossible.

        The context is a `CheckContext`, which makes results and thus imports this module.
        """
        raise NotImplementedError

    def describe(self) -> str:
        """Return the expectation in words."""
        return self.form.format(self)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str] | None:
        """Return the subject of an `expect` and its assertion as code, None if the kind has none.

        Raises Unreadable for a target with an unsupported locator.
        """
        return None

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether it held at an earlier observation, None if that is unknown."""
        return None

    @property
    def sought(self) -> str:
        """Return the one text that it expects to see, or what else it expects in words."""
        texts = self.expected_texts()
        is_told = (
            self.negative or self.of_set or self.aspect == "state" or self.match == "comparison"
        )
        return self.describe() if is_told or len(texts) != 1 else texts[0]

    def expected_texts(self) -> list[str]:
        """Return the texts, with placeholders, that must be present for it to hold."""
        return _texts_in([getattr(self, name) for name in self.expectations])

    def lasting(self, whole: tuple[str, ...], *, leaf: bool) -> Check:
        """Return the check in its recorded form, for the `whole` text around each expected part.

        Of a `leaf` that is all that it shows.
        """
        return self

    def varied(self, result: CheckResult, varying: Varying) -> Check | None:
        """Return the check that accepts the text of a result, too; None if there is none."""
        return None

    def recorded(self) -> Check:
        """Return the check for a recording, without what is known by numbers and files of this run."""
        fields = type(self).model_fields
        names = [name for name in (*self.ids, "tab", "step", "picture") if name in fields]
        return self.model_copy(
            update={name: fields[name].get_default(call_default_factory=True) for name in names}
        )

    def without_origin(self, base_url: str) -> Check:
        """Return the check without the origin of the base URL in an expected address."""
        return self

    def with_texts(self, change: Callable[[str], str]) -> Check:
        """Return the check with a function applied to each text that may have placeholders."""
        names = self.expectations if self.templates is None else self.templates
        update: dict[str, Any] = {}
        for name in names:
            value = getattr(self, name)
            if isinstance(value, str):
                update[name] = change(value)
            elif isinstance(value, tuple):
                update[name] = tuple(map(change, value))
        return self.model_copy(update=update)

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in, in texts and in patterns."""
        return self.with_texts(text)

    def cite(self, code: str) -> Check:
        """Return the check with the code of a locator in place of the ids of its elements."""
        return self.model_copy(update=dict.fromkeys(self.ids[:1], (code,) if self.of_set else code))

    def as_call(self) -> dict[str, Any]:
        """Return the check as the argument of a tool call."""
        return self.model_dump(mode="json", exclude_none=True)

    def loosenings(self, new: Check) -> Iterator[str]:
        """Yield how another check of this kind demands less or something else; more of a text is stricter."""
        if self.is_exact != new.is_exact and self.is_exact != self.negative:
            counts = "only exactly that counts" if new.is_exact else "a part is enough"
            yield f"weaker: now {counts}"
        was, now = self._demand, new._demand
        longer, shorter = (was, now) if self.negative else (now, was)
        if was != now and (self.expects_pattern or not says(longer, shorter)):
            yield f"different: now {new.describe()}, before {self.describe()}"

    @property
    def _demand(self) -> str:
        return " → ".join(self.expected_texts()) or self.describe()


ParsedCheck = Annotated[Check, BeforeValidator(Check.parse)]
"""A check of any kind, or the JSON object of one."""


class Alike(Record):
    """The visible elements of one role and name on a page, a selected element among them.

    `of` is that role and name; `place` counts from 1. `parts` tells them apart, in page order, by the
    part that contains only one of them, with its text, or by the heading above.
    """

    of: str
    size: int
    place: int = 1
    parts: tuple[Container, ...] = ()


class Fact(Record):
    """Evidence from the page for a check: the match and its surroundings.

    A reader who has not seen the page can judge it. `match` says whether the expected text is the
    `whole` text or a `part` of it. `text` is what the element shows; beyond 500 characters it is cut
    in the middle and `characters` has its length. `within` lists containers from the nearest
    outwards, `beside` the texts in the same row, item or card, `author` the element's test id, id,
    classes and ARIA attributes. For a set, `size` is the number of its elements, `items` are their
    texts, `more` are signs that the page shows only some of them, and `elsewhere` is where the same
    pattern occurs again. `alike` are the elements that a selected one could be mistaken for. For an
    absence, `searched` is the part that was searched and `similar` lists texts that resemble the
    absent one.
    """

    check: str = ""
    expected: str = ""
    match: str = ""
    element: str = ""
    name: str = ""
    text: str = ""
    characters: int = 0
    states: tuple[str, ...] = ()
    label: str = ""
    column: str = ""
    row: str = ""
    position: str = ""
    heading: str = ""
    within: tuple[Container, ...] = ()
    beside: tuple[str, ...] = ()
    author: dict[str, str] = Field(default_factory=dict)
    pattern: str = ""
    size: int | None = None
    items: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    elsewhere: str = ""
    alike: Alike | None = None
    searched: str = ""
    similar: tuple[str, ...] = ()
    other: Fact | None = None
    page: str = ""
    frame: str = ""
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the fact for a prompt, without empty fields."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def texts(self) -> list[str]:
        """Return its texts of the page, in which values may be looked up."""
        # Names by the author, addresses, other elements and sentences of steps are not texts of this element.
        skipped = "check match author page frame similar elsewhere more note".split()
        return _texts_in({k: v for k, v in self.as_json().items() if k not in skipped})

    @property
    def brief(self) -> str:
        """What the page showed, on a short line, which is the same in a replay as in the first run.

        It lacks the role, since roles of an outline, in which models cite elements, differ from those
        that a replay finds.
        """
        if self.searched:
            return self.expected
        if self.size is not None:
            listed = "; ".join(item[:60] for item in self.items[:8])
            return ": ".join(filter(None, (f"{self.size} in all", listed)))
        if not self.element:
            return f"title {quote(self.text)}" if self.text else f"address {self.page}"
        # A replay finds a text without the name that an outline gives it, or with a placeholder.
        name = "" if letters(self.name) == letters(self.text) else self.name
        named = ": ".join(map(_quoted, filter(None, (name, shortened(self.text, 200)))))
        shown = (self.text, self.name, *self.states)
        is_told = self.match in ("whole", "part", "pattern") or any(
            self.expected in each for each in shown
        )
        return _clauses(
            ("{}", named or self.element),
            ("({})", ", ".join(self.states)),
            *self._places,
            ("under {}", _quoted(self.heading)),
            ("({})", "" if is_told else self.expected),
            ("and {}", self.other.brief if self.other else ""),
        )

    @property
    def _places(self) -> tuple[tuple[str, str], ...]:
        return (
            ("in column {}", _quoted(self.column)),
            ("in row {}", _quoted(self.row)),
            ("labeled {}", _quoted(self.label)),
        )

    def describe(self) -> str:
        """Return the fact on one line, for people."""
        subject = " ".join(filter(None, (self.element, _quoted(self.name))))
        subject = subject or self.pattern.removeprefix("role ") or "the page"
        around = self.within
        if self.searched:
            subject = f"{self.expected} was found in {self.searched}"
            # The nearest container of an absence is the part that was searched.
            around = self.within[1:]
        around = tuple(each for each in around if not (self.row and each.kind == "row"))
        listed = "; ".join(shortened(each, 60) for each in self.items[:8])
        clauses = _clauses(
            ("{}", subject),
            ("shows {}", "" if self.text == self.name else _quoted(self.text[:160])),
            ("({})", ", ".join(self.states)),
            ("{} in all", self.size),
            ("(no. {0.place} of {0.size} of {0.of})", self.alike),
            ("[signs of more: {}]", "; ".join(self.more)),
            ("[similar: {}]", "; ".join(self.similar)),
            ("[{}]", self.note),
            ("compared with {}", self.other.describe() if self.other else ""),
            *self._places,
            *(("in {}", each) for each in around[:3]),
            ("under {}", _quoted(self.heading)),
            ("({})", self.position.partition(" (")[0]),
            ("on {}", "" if self.element else self.page),
        )
        return ": ".join(filter(None, (clauses, listed)))


def match_of(expected: str, shown: str) -> Literal["whole", "part"]:
    """Return whether an expected text is all that is shown, white space aside, or a part of it."""
    return "whole" if letters(expected) == letters(shown) else "part"


def _quoted(text: str) -> str:
    return quote(text) if text else ""


def _clauses(*clauses: tuple[str, Any]) -> str:
    return " ".join(form.format(value) for form, value in clauses if value not in ("", None))


class CheckResult(Record):
    """A check and the answer of the live page.

    `about` names the element or page; `expected` and `actual` are in words; `holds` is the answer.
    `problem` says why the check could not be run, `lost` that the element of
    a recording is missing, `held_before` whether it held before the step, None if unknown. `tab` is
    the tab's number, `frame` the address of a frame in it or "", `other_target` the element that it
    was compared with. `screenshot` is the picture for a check by eye, a path below the run's folder.
    `fact` is the evidence that the check found, if it holds.
    """

    check: SerializeAsAny[ParsedCheck]
    about: str
    expected: str
    actual: str = ""
    holds: bool = False
    problem: str = ""
    lost: bool = False
    held_before: bool | None = None
    target: Target | None = None
    other_target: Target | None = None
    tab: int = 1
    frame: str = ""
    screenshot: str | None = None
    fact: Fact | None = None
    values: tuple[str, ...] = Field(default=(), exclude=True, repr=False)
    """The expected texts with data filled in; never written to a file."""
    number: int | None = Field(default=None, exclude=True, repr=False)
    """The number of counted elements."""
    picture: Path | None = Field(default=None, exclude=True, repr=False)
    """The file of the screenshot."""
    held_at: tuple[bool | None, ...] = Field(default=(), exclude=True, repr=False)
    """Whether it held at each checkpoint before it, None if unknown."""
    was: str = Field(default="", exclude=True, repr=False)
    """The outline of its element before the task, if that differs."""
    whole: tuple[str, ...] = Field(default=(), exclude=True, repr=False)
    """The complete texts around the expected texts, if there is one for each."""
    leaf: bool = Field(default=False, exclude=True, repr=False)
    """Whether that is all that a cited leaf shows, not a part of an element with several."""

    @property
    def kind(self) -> str:
        """Return the name of the check's kind."""
        return self.check.kind

    @property
    def new_since(self) -> int:
        """Return the number of the last checkpoint at which it did not hold, 0 if none is known."""
        return max((n for n, held in enumerate(self.held_at, 1) if held is False), default=0)

    @property
    def negative(self) -> bool:
        """Return whether it holds if something is absent."""
        return self.check.negative

    @property
    def subject(self) -> str:
        """Return the kind and the subject of the check, such as `text of cell "2"`."""
        if self.about.startswith(f"{self.kind} "):
            return self.about
        return f"{self.kind} {self.check.preposition} {self.about}"

    @property
    def brief(self) -> str:
        """Return the expectation and what is there instead, in short; a problem names its element."""
        if self.problem:
            return f"expected {self.expected}, but {self.problem}"
        return f"{self.about}: expected {self.expected}, but {self.found}"

    def explain(self) -> str:
        """Return the expectation and the actual state of the page, on one line."""
        if self.problem:
            return f"{self.subject} could not be checked: {self.problem}"
        return f"{self.subject}: expected {self.expected}, but {self.found}"

    @property
    def found(self) -> str:
        """Return what is there instead, as a clause."""
        verb = "it is" if self.check.aspect == "state" else "the page has"
        return f"{verb} {self.actual or 'nothing'}"


def _texts_in(value: Any) -> list[str]:
    return [str(each) for each in leaves(value) if each is not None]


def abridged(text: str, most: int = 500) -> str:
    """Return the beginning and the end of a text of more than `most` characters."""
    if len(text) <= most:
        return text
    return f"{text[: most - 150]} … {text[-140:]}"


def evenly(texts: Sequence[str], budget: int = 1_200) -> tuple[str, ...]:
    """Return the evenly shortened texts of a set; of more than 40, only the first and last ones."""
    kept = [*texts]
    if len(kept) > 40:
        kept[20:-5] = [f"({len(kept) - 25} more)"]
    most = max(budget // max(len(kept), 1), _SHORTEST)
    return tuple(shortened(text, most) for text in kept)


def not_empty(text: str) -> str:
    """Return the text. Raises ValueError if it is empty."""
    if not text.strip():
        raise ValueError("the text is empty: pass the expected text")
    return text
