"""The sentences that the literal interpreter reads, in one table that grammar and help share."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pytest_webtask.tools.navigation import find_tool

ADVICE = (
    "For any other sentence, set a model: --webtask-model=claude (needs an API key), or"
    " --webtask-model=handoff (needs no key: your coding agent decides, with pytest-webtask turn)"
)

_ELIDED = re.compile(r"(?:[a-z]+ (?:\[[a-z]+\] )?)?([A-Z]+(?::[a-z]+)? [a-z|]+ [A-Z].*)")


@dataclass(frozen=True)
class Form:
    """One way to write a tool call.

    Words in capitals in the pattern are slots; each fills its usual parameter, or the one after its colon; `[PLACE]` is that of a PART.
    `fit` is the kind of element that the verb takes (see `FITS`). A form that is not `listed` is a variant of
    one that is.
    """

    tool: str
    pattern: str
    example: str
    fit: str = "click"
    fixed: Mapping[str, object] = field(default_factory=dict)
    listed: bool = True

    @property
    def opens_dialogs(self) -> bool:
        """Return whether an answer to a dialog may follow the form."""
        tool = find_tool(self.tool)
        return tool is not None and "dialog" in tool.args.model_fields

    @property
    def without_verb(self) -> tuple[Form, ...]:
        """The form as it may follow itself, such as `"B" with "2"`, if a word parts its slots."""
        elided = _ELIDED.fullmatch(self.pattern)
        return (replace(self, pattern=elided[1]),) if elided else ()


_RIGHT, _ACCEPT, _DISMISS = {"button": "right"}, {"dialog": "accept"}, {"dialog": "dismiss"}
FORMS: tuple[Form, ...] = (
    Form("navigate", "go to NAME:url", 'go to "/cart"'),
    Form("navigate", "open|visit NAME:url", 'open "/cart"'),
    Form("go_back", "go back", "go back"),
    Form("reload", "reload", "reload"),
    Form("click", "click [on] ELEMENT", 'click "Add to cart" next to "Mug"'),
    Form("click", "double-click [on] ELEMENT", 'double-click "Title"', fixed={"double": True}),
    Form("click", "right-click [on] ELEMENT", 'right-click "Report.pdf"', fixed=_RIGHT),
    Form("fill", "fill [in] ELEMENT with TYPED", 'fill "Email" with "a@b.c"', fit="fill"),
    Form("fill", "enter TYPED into|in ELEMENT", 'enter "a@b.c" into "Email"', "fill", listed=False),
    Form("fill", "set ELEMENT to TYPED", 'set "Volume" to "7"', fit="fill"),
    Form("fill", "clear ELEMENT", 'clear "Email"', fit="fill", fixed={"text": ""}),
    Form("type", "type TYPED into ELEMENT", 'type "x" into "Search"', fit="fill"),
    Form("select_option", "select LIST in|from ELEMENT", 'select "M" in "Size"', fit="select"),
    Form(
        "select_option",
        "select LIST under TYPED:group in ELEMENT",
        'select "Office" under "France" in "Place"',
        fit="select",
    ),
    Form("check", "check ELEMENT", 'check "I agree"', fit="check", fixed={"checked": True}),
    Form("check", "uncheck ELEMENT", 'uncheck "News"', fit="check", fixed={"checked": False}),
    Form("check", "choose ELEMENT", 'choose "Express"', fit="choose", fixed={"checked": True}),
    Form("select_option", "choose LIST from ELEMENT", 'choose "Oslo" from "City"', fit="select"),
    Form("press", "press [the] KEY [key]", "press Enter"),
    Form("press", "press [the] KEY [key] in ELEMENT", 'press Control+A in "Editor"'),
    Form("hover", "hover [over] ELEMENT", 'hover over "Menu"'),
    Form("drag", "drag ELEMENT to ELEMENT:to_element_id", 'drag "Task" to "Done"'),
    Form("scroll", "scroll to ELEMENT", 'scroll to "Footer"', fit="scroll"),
    Form("upload", "upload LIST:resources to ELEMENT", 'upload "cv" to "Resume"', fit="upload"),
    Form("switch_tab", "switch to [the] tab NAME:tab", 'switch to tab "Terms"'),
    Form("switch_tab", "switch to [the] NAME:tab tab", 'switch to the "Terms" tab', listed=False),
    Form("close_tab", "close [the] tab", "close the tab"),
    Form("wait", "wait for NAME", 'wait for "Saved"'),
    Form("confirm", "wait until CLAIM", 'wait until "Saving" is gone'),
    Form("if", "if CLAIM CLAUSE", 'if "Accept cookies" is shown, click it'),
)

ANSWERS: tuple[Form, ...] = (
    Form("dialog", "accept [the] dialog", 'click "Delete" and accept the dialog', fixed=_ACCEPT),
    Form("dialog", "dismiss [the] dialog", 'click "Delete" and dismiss the dialog', fixed=_DISMISS),
    Form(
        "dialog",
        "answer [the] dialog with TYPED:dialog_text",
        'click "Rename" and answer the dialog with "Mug"',
        fixed=_ACCEPT,
    ),
)

WHOLE_PAGE: Mapping[str, str] = {
    "page": 'is about the whole page: write it without the part, or: "..." is shown',
    "not_on_page": 'is about the whole page: write it without the part, or: "..." is not shown',
    "wait": 'waits for a text anywhere on the page: write it without the part, or claim: "..." is shown',
}
"""What is wrong with forms in a sentence about a part of the page, by their tool."""

RELATIONS = ("next to", "in", "under", "of")
"""Words between the name of an element and the name of its place; `of` is `in`, as in messages."""

_FIELD_ROLES = ("textbox", "searchbox", "combobox", "spinbutton")
_CHECKS = ("checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio")
_MENU = ("menuitem", "menuitemcheckbox", "menuitemradio")
_CHOICES = ("tab", "option", "treeitem")
_OPERABLE = ("button", "link", *_CHOICES, *_CHECKS, "menuitem", *_FIELD_ROLES, "listbox", "slider")

ROLE_WORDS: Mapping[str, tuple[str, ...]] = {
    "button": ("button",),
    "link": ("link",),
    "tab": ("tab",),
    "checkbox": ("checkbox", "menuitemcheckbox"),
    "radio button": ("radio", "menuitemradio"),
    "radio": ("radio", "menuitemradio"),
    "switch": ("switch",),
    "menu item": _MENU,
    "menuitem": _MENU,
    "option": ("option",),
    "field": _FIELD_ROLES,
    "textbox": _FIELD_ROLES,
    "dropdown": ("combobox", "listbox"),
    "list": ("listbox", "list"),
    "slider": ("slider",),
    "heading": ("heading",),
    "image": ("img",),
    "icon": ("img",),
    "row": ("row",),
    "cell": ("cell", "gridcell"),
    "text": ("text",),
    **{role: (role,) for role in (*_FIELD_ROLES[1:], *_MENU[1:], "img", "listbox", "treeitem")},
}
"""The ARIA roles for a word beside a name; `text` is any visible text."""
_PARTS = (
    "card;listitem;navigation;main;complementary;alertdialog;tabpanel;grid;treegrid;tree;feed;tablist;radiogroup;banner;"
    "contentinfo;search;toolbar;page header;page footer;definitions;figure;details;status;live message;quotation"
).split(";")

PLACE_WORDS: Mapping[str, Sequence[str]] = {
    "row": ("row",),
    "list item": ("listitem",),
    "item": ("listitem",),
    "dialog": ("dialog", "alertdialog"),
    "table": ("table", "grid", "treegrid"),
    "section": ("region", "section"),
    "region": ("region", "section"),
    "form": ("form",),
    "group": ("group", "radiogroup"),
    "frame": ("iframe", "frame"),
    "column": ("columnheader",),
    "article": ("article",),
    **{kind: (kind,) for kind in _PARTS},
}
"""The kinds, roles and tags of the container for a word beside the name of a place, as in `in the "Mug" row`.

Words of `ROLE_WORDS` may follow such a name, too."""


@dataclass(frozen=True)
class Fit:
    """The kind of element that a verb takes.

    `groups` are ways to find it: the first group with a match wins. A way is an ARIA role or another source of names:
    `label`, `placeholder`, `text`, `alt`, `title`, or `stated`, the text of what has `aria-disabled` or `aria-current`;
    the group `beside` finds what matches the selector of that name, but has no name, by the text next to it, and a
    file input by the button.
    """

    can: str
    groups: tuple[tuple[str, ...], ...]
    beside: str = ""


_BOXES = "input[type=checkbox], input[type=radio], [role=checkbox], [role=switch], [role=radio]"
_FIELDS = "input, textarea, select, [contenteditable], [role=textbox], [role=combobox]"
_BESIDE = ("beside",)
_RADIOS = ("radio", "menuitemradio")
_PICKED = (*_CHOICES, "row", "cell", "gridcell")
CHOSEN: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys((*_PICKED, *_OPERABLE), ("selected", "unselected")),
    **dict.fromkeys(_CHECKS, ("checked", "unchecked")),
    "link": ("current", "not current"),
}
"""The states of what is selected and what is not, by role; any other is current or not."""
_LABELLED = (*_FIELD_ROLES, "slider", "label", "placeholder")

FITS: Mapping[str, Fit] = {
    "click": Fit("clicked", (_OPERABLE, ("label",), ("text",), ("alt", "img"), ("title",))),
    "fill": Fit("filled", (_LABELLED, ("label-text",), _BESIDE), _FIELDS),
    "check": Fit("checked", ((*_CHECKS, "label", "label-text"), _BESIDE), _BOXES),
    "choose": Fit("chosen", ((*_RADIOS, "label", "label-text"), _BESIDE), _BOXES),
    "select": Fit(
        "selected from", (("combobox", "listbox", "label"), ("label-text",), _BESIDE), _FIELDS
    ),
    "scroll": Fit(
        "scrolled to",
        ((*_OPERABLE, "heading", "img", "label", "text", "own-text", "alt", "title"),),
    ),
    "upload": Fit("uploaded to", (("file", "label"), _BESIDE), "input[type=file]"),
    "offer": Fit(
        "chosen from",
        (("combobox", "listbox", "radiogroup", "group", "label"), ("label-text",), _BESIDE),
        "select, [role=combobox], [role=listbox], [role=radiogroup]",
    ),
    "value": Fit(
        "filled or selected from", ((*_LABELLED, "listbox"), ("label-text",), _BESIDE), _FIELDS
    ),
    "state": Fit("operated", ((*_OPERABLE, "label", "placeholder"), ("label-text",), ("stated",))),
    "expand": Fit("expanded or collapsed", ((*_OPERABLE, "row", "label", "text"),)),
    "picture": Fit("loaded", (("img", "alt"),)),
    "read": Fit("read", (("text",),)),
    "pick": Fit("selected", (_PICKED, _OPERABLE, ("stated",))),
}
"""By `Form.fit`."""


JOINED = "joined by commas, 'and', 'then' or new lines"


@dataclass(frozen=True, eq=False)
class Language:
    """The sentences of one kind of step.

    `what` is the noun for a clause, `title` stands above a list of all forms. `answers` may follow a clause. Unless
    `joined`, a sentence is a single clause.
    """

    forms: Sequence[Form]
    what: str
    title: str
    answers: Sequence[Form] = ()
    joined: bool = True

    def help(self, verb: str) -> str:
        """Return the forms of an instruction that begin with a verb, or else all that are listed."""
        forms = (*self.forms, *self.answers)
        own = [f.example for f in forms if re.split("[ -]", f.example)[0] == verb.lower()]
        if not own or not self.answers:
            listed = [form.example for form in forms if form.listed]
            return f"{self.title}\n{_wrapped(listed)}\n{ADVICE}"
        return f"Without a model, {verb.lower()!r} has these forms:\n{_wrapped(own)}\n{ADVICE}"


def _wrapped(sentences: Sequence[str]) -> str:
    return textwrap.fill(
        " · ".join(sentence.replace(" ", "\xa0") for sentence in sentences),
        96,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    ).replace("\xa0", " ")


DO = Language(
    FORMS, "instruction", f"Sentences that need no model have these forms, {JOINED}:", ANSWERS
)


_STATES = {
    # Words: the kind of element that can be in the state (see `FITS`), the state of "is not", an example.
    "disabled": ("state", "enabled", "Buy"),
    "enabled": ("state", "disabled", "Buy"),
    "checked": ("check", "unchecked", "I agree"),
    "pressed": ("state", "unpressed", "Bold"),
    "unchecked": ("check", "checked", "News"),
    "expanded": ("expand", "collapsed", "Menu"),
    "collapsed": ("expand", "expanded", "Menu"),
    "focused": ("state", "not focused", "Search"),
    "required": ("state", "not required", "Email"),
    "invalid": ("state", "not invalid", "Email"),
    "valid": ("state", "invalid", "Email"),
    "selected|current|active": ("pick", "unselected", "Details"),
    "loaded": ("picture", "not loaded", "Photo"),
}


def _states() -> Iterator[Form]:
    for words, (fit, opposite, name) in _STATES.items():
        word = words.split("|")[0]
        for verb, state in (("is", word), ("is not", opposite)):
            pattern, example = f"ELEMENT {verb} {words}", f'"{name}" {verb} {word}'
            is_listed = verb == "is" or word == "checked"
            yield Form("state", pattern, example, fit, {"state": state}, is_listed)


_BOUNDS = {
    # Words: the bound, and how much further a whole number must be.
    "at least": ("at_least", 0),
    "at most": ("at_most", 0),
    "more than": ("at_least", 1),
    "less than": ("at_most", -1),
    "fewer than": ("at_most", -1),
}
_OFFERS = {
    'has the option "M"': "the option",
    'does not have the option "M"': "no option",
    'offers "S", "M" and "L"': "exactly",
}


def _bounds() -> Iterator[Form]:
    for words, (bound, beyond) in _BOUNDS.items():
        fixed, is_listed = {"bound": bound, "beyond": beyond}, words == "at least"
        example = f'there are {words} 2 rows in "Orders"'
        value, count = f"PART is {words} AMOUNT", f"there is|are {words} NUMBER COUNTED"
        yield Form("bound", value, f'"Total" is {words} 10', "", fixed, is_listed)
        yield Form("count", count, example, "count", fixed, is_listed)


def _options() -> Iterator[Form]:
    for words, which in _OFFERS.items():
        verb = words.partition('"')[0].replace("option", "option|options")
        yield Form(
            "options", f"ELEMENT {verb}OPTIONS", f'"Size" {words}', "offer", {"which": which}
        )


def _dialogs() -> Iterator[Form]:
    for kind in ("alert", "confirm", "prompt"):
        pattern, example = f"the|an|a {kind} TYPED was shown", f'the {kind} "Saved" was shown'
        yield Form("dialog", pattern, example, fixed={"type": kind}, listed=kind == "alert")


def _requests() -> Iterator[Form]:
    for word in ("POST", "GET", "PUT", "PATCH", "DELETE", "HEAD", "request"):
        pattern = f"a|an {word} to NAME:pattern was answered [with] NUMBER:status"
        example = f'a {word} to "/orders" was answered 201'
        fixed = {} if word == "request" else {"method": word}
        yield Form("request", pattern, example, fixed=fixed, listed=word == "POST")


_ELEMENT, _MID, _END = {"element": True}, {"part_of": "**{}**"}, {"part_of": "*{}"}
_REQUESTS, _CONSOLE, _NONE = {"of": "requests"}, {"of": "console"}, {"number": 0}
_WHOLE, _CUT = {"state": "not cut off"}, {"state": "cut off"}
CONDITIONS: tuple[Form, ...] = (
    Form("shown", "PART is shown [PLACE]", '"2 items" is shown'),
    Form("shown", "PART is visible", '"Buy" is visible', fixed=_ELEMENT, listed=False),
    Form("shown", "PART is not hidden", '"Buy" is not hidden', fixed=_ELEMENT, listed=False),
    Form("shown", "there is a|an|the PART", 'there is a "Remove" button', listed=False),
    Form("page", "[the] page shows TEXT", 'the page shows "Welcome"'),
    Form("gone", "PART is not shown [PLACE]", '"Error" is not shown'),
    Form("gone", "PART is not visible", '"Buy" is not visible', listed=False),
    Form("gone", "PART is hidden|gone", '"Buy" is hidden', listed=False),
    Form("not_on_page", "[the] page does not show TEXT", 'the page does not show "Error"'),
    Form("shows", "PART shows TEXT", '"Cart" shows "2 items"'),
    Form("lacks", "PART does not show TEXT", '"Cart" does not show "Mug"'),
    Form("value", "ELEMENT has [the] value TYPED:value", '"Email" has value "a@b.c"', "value"),
    Form("value", "ELEMENT is empty", '"Email" is empty', "value", {"value": ""}),
    *_states(),
    Form("state", "ELEMENT can be read in full", '"Mug" can be read in full', "read", _WHOLE),
    Form(
        "state",
        "ELEMENT cannot be read in full",
        '"Mug" cannot be read in full',
        "read",
        _CUT,
        False,
    ),
    Form("state", "ELEMENT is cut off", '"Mug" is cut off', "read", _CUT),
    Form("state", "ELEMENT is not cut off", '"Mug" is not cut off', "read", _WHOLE, listed=False),
    Form("count", "there is|are NUMBER COUNTED", 'there are 2 "Remove" buttons', "count"),
    Form("count", "there is|are no COUNTED", 'there are no rows in "Orders"', "count", _NONE),
    *_bounds(),
    *_options(),
    Form("url", "[the] url|address is NAME:pattern", 'the URL is "/cart"'),
    Form("url", "[the] url|address contains NAME:pattern", 'the URL contains "page=2"', fixed=_MID),
    Form(
        "url", "[the] url|address ends with NAME:pattern", 'the URL ends with "/cart"', fixed=_END
    ),
    Form("title", "[the] title is NAME", 'the title is "Cart"', fixed={"exact": True}),
    Form("title", "[the] title contains NAME", 'the title contains "Cart"'),
)
"""The claims about the page as it is now, which instructions may await or depend on."""
_CLAIMS: tuple[Form, ...] = (
    *CONDITIONS,
    *_dialogs(),
    *_requests(),
    Form("no_failure", "no request failed", "no request failed", fixed=_REQUESTS),
    Form(
        "no_failure",
        "no request to NAME:pattern failed",
        'no request to "/api/*" failed',
        fixed=_REQUESTS,
    ),
    Form(
        "no_failure",
        "[the] console has no errors|error",
        "the console has no errors",
        fixed=_CONSOLE,
    ),
    Form("download", "TEXT:name was downloaded", '"report.csv" was downloaded'),
)
_READINGS: tuple[Form, ...] = (
    Form("text", "[the] text of PART", 'the text of "Total"'),
    Form("value", "[the] value of ELEMENT", 'the value of "Email"', "value"),
    Form("url", "[the] url|address", "the URL"),
    Form("title", "[the] title", "the title"),
)
_SELECTIONS: tuple[Form, ...] = (
    Form("element", "ELEMENT", '"Add to cart" next to "Mug"'),
    Form("element", "ELEMENT", 'the "Buy" button in "Cart"'),
)


CLAIMS = Language(_CLAIMS, "claim", f"Claims that need no model have these forms, {JOINED}:")
READINGS = Language(
    _READINGS, "value to extract", "Without a model, these can be extracted:", joined=False
)
SELECTIONS = Language(
    _SELECTIONS,
    "name",
    "Without a model, an element is selected by its name, as for 'click':",
    joined=False,
)


KINDS: Mapping[str, Sequence[str]] = {
    **{word: roles for word, roles in ROLE_WORDS.items() if word != "text"},
    **{word: roles for word, roles in PLACE_WORDS.items() if word not in ("frame", *_PARTS)},
    **dict.fromkeys(("section", "region"), ("region",)),
}
"""The ARIA roles for a word that can be counted, in the singular."""

NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}


def pluralize(word: str) -> str:
    """Return the plural of a word of `KINDS`."""
    return f"{word}es" if word.endswith(("x", "ch")) else f"{word}s"


_FORMS_OF_WORDS = [(form, word) for word in KINDS for form in (word, pluralize(word))]
COUNTABLE: Mapping[str, str] = dict(sorted(_FORMS_OF_WORDS, key=lambda pair: -len(pair[0])))
"""Each word in the singular and plural with its singular, the longest first."""
