"""The claims that the literal interpreter reads, and what it reads off a page: two tables.

See `forms` for how a pattern is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_webtask.models.literal.forms import ADVICE, Form, Language, wrapped

__all__ = ["CLAIMS", "READINGS", "SELECTIONS"]

_STATES = {
    # Word: the state, the sort of element that can be in it, the state that "is not" means.
    "disabled": ("state", "enabled"),
    "enabled": ("state", "disabled"),
    "checked": ("check", "unchecked"),
    "unchecked": ("check", "checked"),
    "expanded": ("expand", "collapsed"),
    "collapsed": ("expand", "expanded"),
    "focused": ("state", ""),
    "required": ("state", ""),
    "invalid": ("state", ""),
    "selected": ("pick", ""),
}
_NAMES = {
    "disabled": "Buy",
    "enabled": "Buy",
    "checked": "I agree",
    "unchecked": "News",
    "expanded": "Menu",
    "collapsed": "Menu",
    "focused": "Search",
    "required": "Email",
    "invalid": "Email",
    "selected": "Details",
}


def _states() -> Iterator[Form]:
    for word, (fit, opposite) in _STATES.items():
        name = _NAMES[word]
        yield Form(
            "state",
            f"ELEMENT is {word}",
            f'"{name}" is {word}',
            ("element_id",),
            fit,
            {"state": word},
        )
        if opposite:
            yield Form(
                "state",
                f"ELEMENT is not {word}",
                f'"{name}" is not {word}',
                ("element_id",),
                fit,
                {"state": opposite},
                listed=word == "checked",
            )


_PAGE: tuple[Form, ...] = tuple(
    Form(kind, f"[the] {words} {verb} NAME", f"the {shown} {verb} {example}", ("text",),
         fixed={"how": verb})
    for kind, words, shown, verb, example in (
        ("url", "url|address", "URL", "is", '"/cart"'),
        ("url", "url|address", "URL", "contains", '"page=2"'),
        ("url", "url|address", "URL", "ends with", '"/cart"'),
        ("title", "title", "title", "is", '"Cart"'),
        ("title", "title", "title", "contains", '"Cart"'),
    )
)  # fmt: skip

_CLAIMS: tuple[Form, ...] = (
    Form("shown", "PART is shown", '"2 items" is shown', ("part",)),
    Form("shown", "PART is visible", '"Buy" is visible', ("part",), fixed={"element": True}, listed=False),
    Form("shown", "PART is not hidden", '"Buy" is not hidden', ("part",), fixed={"element": True}, listed=False),
    Form("shown", "there is a|an|the PART", 'there is a "Remove" button', ("part",), listed=False),
    Form("page", "[the] page shows TEXT", 'the page shows "Welcome"', ("text",)),
    Form("gone", "PART is not shown", '"Error" is not shown', ("part",)),
    Form("gone", "PART is not visible", '"Buy" is not visible', ("part",), listed=False),
    Form("gone", "PART is hidden", '"Buy" is hidden', ("part",), listed=False),
    Form("not_on_page", "[the] page does not show TEXT", 'the page does not show "Error"', ("text",)),
    Form("shows", "PART shows TEXT", '"Cart" shows "2 items"', ("part", "text")),
    Form("lacks", "PART does not show TEXT", '"Cart" does not show "Mug"', ("part", "text")),
    Form("value", "ELEMENT has [the] value TYPED", '"Email" has value "a@b.c"',
         ("element_id", "value"), "value"),
    Form("value", "ELEMENT is empty", '"Email" is empty', ("element_id",), "value", {"value": ""}),
    *_states(),
    Form("count", "there is|are NUMBER COUNTED", 'there are 2 "Remove" buttons',
         ("number", "items"), "count"),
    Form("count", "there is|are no COUNTED", 'there are no rows in "Orders"', ("items",), "count",
         {"number": 0}),
    *_PAGE,
)  # fmt: skip
_ORDERS: tuple[Form, ...] = tuple(
    Form(
        "order",
        f"ELEMENT comes {relation} ELEMENT",
        f'"Mug" comes {relation} "Plate"',
        ("first", "second"),
        "scroll",
        instead="State an order without quotes, for a model to judge, as in"
        ' verify("Mug comes before Plate"), or assert it with Playwright, as in'
        ' expect(page.get_by_role("listitem")).to_have_text(["Mug", "Plate"]).',
    )
    for relation in ("before", "after")
)
_READINGS: tuple[Form, ...] = (
    Form("text", "[the] text of PART", 'the text of "Total"', ("part",)),
    Form("value", "[the] value of ELEMENT", 'the value of "Email"', ("element_id",), "value"),
    Form("url", "[the] url|address", "the URL"),
    Form("title", "[the] title", "the title"),
)
_NUMBERS: tuple[Form, ...] = (
    Form(
        "count",
        "[the] number of COUNTED",
        'the number of "Remove" buttons',
        ("items",),
        "count",
        instead="State how many there are as a claim, as in"
        " verify('there are 3 \"Remove\" buttons'), or ask a model in other words, as in"
        ' extract("how many buttons remove an item", int).',
    ),
)
_SELECTIONS: tuple[Form, ...] = (
    Form("element", "ELEMENT", '"Add to cart" next to "Mug"', ("element_id",)),
)


def claim_help(verb: str = "") -> str:
    """What can be claimed, and how free English is."""
    said = wrapped([form.example for form in _CLAIMS if form.listed])
    joints = "commas, 'and', 'then' or new lines"
    return f"Literal claims are made of these, joined by {joints}:\n{said}\n{ADVICE}"


def reading_help(verb: str = "") -> str:
    """What can be extracted."""
    said = wrapped([form.example for form in _READINGS])
    return f"What can be extracted literally:\n{said}\n{ADVICE}"


def selection_help(verb: str = "") -> str:
    """What can be selected."""
    said = wrapped([_SELECTIONS[0].example, 'the "Buy" button in "Cart"'])
    return f"What can be selected literally is a name as in 'click':\n{said}\n{ADVICE}"


CLAIMS = Language(_CLAIMS, "claim", claim_help, unsupported=_ORDERS)
READINGS = Language(_READINGS, "wish", reading_help, joined=False, unsupported=_NUMBERS)
SELECTIONS = Language(_SELECTIONS, "name", selection_help, joined=False)
