"""Tests of parsing instructions, claims, wishes and names."""

import re
from pathlib import Path

import pytest

from pytest_webtask.errors import NotLiteral, UnknownName
from pytest_webtask.literal.forms import ADVICE, CLAIMS, DO, READINGS, SELECTIONS, Language
from pytest_webtask.literal.grammar import check_names, parse_sentence

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
DOCS = "".join(
    (REFERENCE / f"{page}.md").read_text("utf-8") for page in ("literal", "names", "claims")
)
BLOCKS = {"literal": DO, "claim": CLAIMS, "wish": READINGS, "name": SELECTIONS}


def documented(kind: str) -> list[str]:
    """Return every sentence of a kind in a code block of the documentation."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", DOCS, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("language", BLOCKS.values())
def test_examples_are_single_clauses(language: Language) -> None:
    """Each example of a table is one clause of its own form."""
    for form in language.forms:
        (clause,) = parse_sentence(form.example, language)
        assert (clause.tool, clause.words) == (form.tool, form.example)


@pytest.mark.parametrize("kind", BLOCKS)
def test_documentation_covers_the_forms(kind: str) -> None:
    """Each documented sentence can be parsed, and each form is documented."""
    sentences = documented(kind)
    assert all(parse_sentence(sentence, BLOCKS[kind]) for sentence in sentences)
    forms = (*BLOCKS[kind].forms, *BLOCKS[kind].answers)
    assert {form.example for form in forms if form.listed} <= set(sentences)


VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "“2 items” is shown": ("shown", {}),
    "'2 items' is visible": ("shown", {"element": True}),
    '"2 items" is not hidden': ("shown", {"element": True}),
    'there is an "Edit" button': ("shown", {}),
    'page shows "x"': ("page", {}),
    'The page shows "x".': ("page", {}),
    '"Error" is not visible': ("gone", {}),
    'the "Error" is hidden': ("gone", {}),
    '"A" dialog shows {x}': ("shows", {}),
    '"A" has the value ""': ("value", {}),
    '"A" is not disabled': ("state", {"state": "enabled"}),
    '"A" is not enabled': ("state", {"state": "disabled"}),
    '"A" is not checked': ("state", {"state": "unchecked"}),
    '"A" is not expanded': ("state", {"state": "collapsed"}),
    '"A" is not collapsed': ("state", {"state": "expanded"}),
    "there are 12 rows": ("count", {"number": 12}),
    "there are two switches": ("count", {"number": 2}),
    "there is one radio button": ("count", {"number": 1}),
    "there are zero dialogs": ("count", {"number": 0}),
    "there are no list items": ("count", {"number": 0}),
    'address contains "x"': ("url", {"part_of": "**{}**"}),
    'title is "x"': ("title", {"exact": True}),
}


def test_variants_mean_the_same_form() -> None:
    """A claim may be worded in several ways."""
    parsed = {claim: parse_sentence(claim, CLAIMS) for claim in VARIANTS}
    assert {claim: (clause.tool, clause.fixed) for claim, [clause] in parsed.items()} == VARIANTS


def test_claims_take_roles_and_places() -> None:
    """The subject of each clause may have a role and a place."""
    claim = 'the "Mug" row in the "Cart" section shows "2" and there are 3 rows in "Cart"'
    one, two = parse_sentence(claim, CLAIMS)
    part = one.elements["part"]
    assert [part.name, part.role] == ["Mug", "row"]
    assert [part.relation, part.of_kind] == ["in", "section"]
    items = two.elements["items"]
    assert (items.name, items.role, items.of) == ("", "row", "Cart")


REFUSED = {
    DO: [
        ("", "", "an instruction"),
        ("log in as ann", "log in as ann", "one of the forms below"),
        ("click Save", "Save", "a quoted name or a {placeholder}"),
        ('click "Save" quickly', "quickly", "a comma, 'and', 'then', a new line or the end"),
        ('click "A" and buy mugs', "buy mugs", "one of the forms below"),
        ('please click "A"', 'please click "A"', "one of the forms below"),
        ('click "A', '"A', 'a closing "'),
        ("press ctrl+a", "ctrl+a", "a key: Enter"),
        ("press enter", "enter", "a key: Enter"),
        ('press "enter"', '"enter"', "a key: Enter"),
        ('fill "A" with "1" in "B"', 'in "B"', "a comma"),
        ("press Enter in Editor", "Editor", "a quoted name"),
        ('wait for "a {x"', '"a {x"', "{{ for a brace"),
        ('click "A" and accept cookies', "cookies", "'dialog'"),
        ('click "A" and', "", "another instruction after 'and'"),
        ('click " "', '" "', "a quoted name that is not empty"),
        ("accept the dialog", "accept the dialog", "one of the forms below"),
        ('click "A" next to "B" in "C"', 'in "C"', "a comma"),
        ('clickety "A"', 'clickety "A"', "one of the forms below"),
        ('click "A" press Enter', "press Enter", "a comma"),
    ],
    CLAIMS: [
        ("the cart shows 2 items", "cart shows 2 items", "'page'"),
        ("cart shows 2 items", "cart shows 2 items", "one of the forms below"),
        ('"Cart" shows 2 items', "2 items", "a quoted text or a {placeholder}"),
        ('"Cart" shows ""', '""', "a quoted text that is not empty"),
        ('click "A"', 'click "A"', "one of the forms below"),
        ('"A" is shiny', "shiny", "'shown' or 'visible' or 'not' or"),
        ('"A" is not amused', "amused", "'hidden' or 'shown'"),
        ("there are many rows", "many rows", "a number or 'no'"),
        ("there are 2.5 rows", "2.5 rows", "a number"),
        ('there are 2 "A"', "", "what is counted"),
        ("there are 2 texts", "texts", "what is counted"),
        ('there are 2 rows under "A"', 'under "A"', "a comma"),
        ('"A" is shown and', "", "another claim after 'and'"),
        ('"A" is shown or "B" is shown', 'or "B" is shown', "a comma"),
        ('"A" goes before', "goes before", "'is' or 'shows' or 'does' or 'has'"),
        ('"A" is disabled now', "now", "a comma"),
        ("", "", "a claim"),
    ],
}


@pytest.mark.parametrize(
    ("language", "sentence", "part", "expected"),
    [(language, *case) for language, cases in REFUSED.items() for case in cases],
)
def test_refusal_has_its_part(language: Language, sentence: str, part: str, expected: str) -> None:
    """The error quotes the sentence, points at the part at fault, and lists the forms."""
    with pytest.raises(NotLiteral) as caught:
        parse_sentence(sentence, language)
    first, line, pointer, *_ = str(caught.value).splitlines()
    assert first.startswith(f"cannot read {sentence!r}" if part else "the sentence ends too soon")
    assert line[pointer.index("^") :] == part
    assert expected in pointer
    assert language is DO or 'there are 2 "Remove" buttons' in str(caught.value)
    assert str(caught.value).endswith(ADVICE)


PLAIN = [
    ('"A" comes before "B"', CLAIMS),
    ('"A" is at least €5', CLAIMS),
    ('"A" is at least 5 %', CLAIMS),
    ("the number of rows", READINGS),
    # Extractions and selections have one clause.
    ("the URL and the title", READINGS),
    ("the total", READINGS),
    ('"A", "B"', SELECTIONS),
]


def test_free_english_is_not_literal() -> None:
    """A sentence that no form matches as a whole is not literal, nor is a bound with a unit or a number to extract."""
    for sentence, language in PLAIN:
        with pytest.raises(NotLiteral):
            parse_sentence(sentence, language)


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (CLAIMS, ['"A" shows {usr}', "{usr} is shown", 'there are 2 rows in "{usr}"', 'the URL is "/{usr}"']),
        (DO, ['click "{usr}"', 'fill "A" with {usr}', 'go to "/{usr}"', 'click "A" in {usr}']),
    ],
)  # fmt: skip
def test_unknown_placeholder_lists_the_known(language: Language, sentences: list[str]) -> None:
    """An unknown placeholder is an error that lists the known ones."""
    for sentence in sentences:
        with pytest.raises(UnknownName, match="unknown placeholder 'usr'; known: user"):
            check_names(parse_sentence(sentence, language), {"user": "ann"})
