"""Tests of parsing instructions."""

import pytest

from pytest_webtask.errors import NotLiteral, UsageError
from pytest_webtask.literal import forms
from pytest_webtask.literal.forms import CLAIMS
from pytest_webtask.literal.grammar import Template, begin_in, check_names, parse_sentence, scope_of


def words(sentence: str) -> list[str]:
    """Return the words of each clause of a sentence."""
    return [clause.words for clause in parse_sentence(sentence)]


FORMS: dict[str, list[tuple[str, dict[str, object]]]] = {
    'double click "A"': [("click", {"double": True})],
    'double-click "A"': [("click", {"double": True})],
    'right click "A"': [("click", {"button": "right"})],
    'click "A" and dismiss the dialog': [("click", {"dialog": "dismiss"})],
    'click "A", then accept dialog': [("click", {"dialog": "accept"})],
    'choose "A"': [("check", {"checked": True})],
    'uncheck "A"': [("check", {"checked": False})],
    'clear "A"': [("fill", {"text": ""})],
    "press Control+Shift+ArrowDown": [("press", {"key": "Control+Shift+ArrowDown"})],
    "press Control++": [("press", {"key": "Control++"})],
    "press ?.": [("press", {"key": "?"})],
    "close tab": [("close_tab", {})],
    'click on "A"': [("click", {})],
    'hover "A"': [("hover", {})],
    'press "Enter"': [("press", {"key": "Enter"})],
    "press the Enter key": [("press", {"key": "Enter"})],
    'press the "Control+A" key in the "Editor"': [("press", {"key": "Control+A"})],
    'switch to the "Terms" tab': [("switch_tab", {})],
    'fill in "A" with "x"': [("fill", {})],
    'enter "x" into "A"': [("fill", {})],
    # A form with two names may follow itself without its verb.
    'fill in "A" with "1", "B" with "2" and "C" with {c}': [("fill", {})] * 3,
    'enter "1" into "A", "2" into "B", press Enter': [("fill", {}), ("fill", {}), ("press", {"key": "Enter"})],
    'select "S", "M" in "A" and "L" in "B"': [("select_option", {})] * 2,
    'drag "A" to "B", "C" to "D" and reload': [("drag", {}), ("drag", {}), ("reload", {})],
}  # fmt: skip
QUOTED = {
    '"don\'t"': "don't",
    r"'don\'t'": "don't",
    r'"say \"hi\""': 'say "hi"',
    "“Save”": "Save",
    "‘Save’": "Save",
    "„Save“": "Save",
    r'"C:\new"': r"C:\new",
    r'"C:\\"': "C:\\",
    "{name}": "{name}",
    '"Hello {name}"': "Hello {name}",
}


class TestForms:
    def test_forms_fix_parameters(self) -> None:
        """A form gives its tool only the parameters that differ from the default."""
        clauses = {sentence: parse_sentence(sentence) for sentence in FORMS}
        assert {s: [(c.tool, c.fixed) for c in found] for s, found in clauses.items()} == FORMS

    @pytest.mark.parametrize("relation", ["next to", "in", "under"])
    @pytest.mark.parametrize("after", ["", ' with "2"'])
    def test_place_follows_the_name(self, relation: str, after: str) -> None:
        """The place of an element may follow its name, before the rest of the form."""
        verb = "fill" if after else "click"
        (clause,) = parse_sentence(f'{verb} the "Quantity" {relation} the "Mug"{after}')
        named = clause.elements["element_id"]
        assert (named.name, named.relation, named.of) == ("Quantity", relation, "Mug")

    def test_role_and_kind_of_place_follow_their_names(self) -> None:
        """A role may follow a name, a place the role, and a word for the kind of place its name."""
        (clause,) = parse_sentence(
            'Click the "Go" menu item in the "Mug" list item and accept the dialog'
        )
        named = clause.elements["element_id"]
        assert (named.role, named.of, named.of_kind) == ("menu item", "Mug", "list item")
        assert clause.fixed == {"dialog": "accept"}

    def test_drag_takes_two_places(self) -> None:
        """Each of the two elements of a drag may have a place."""
        (clause,) = parse_sentence('drag "A" in "X" to the "B" under "Y"')
        assert [n.of for n in clause.elements.values()] == ["X", "Y"]


class TestJoining:
    @pytest.mark.parametrize(
        "joint",
        [", ", " and ", " then ", ", then ", "; ", ". ", "\n", ", and then ", "\n\n", ",", ".\n"],
    )
    def test_joints_separate_clauses(self, joint: str) -> None:
        """Commas, semicolons, full stops, new lines, `and` and `then` join clauses."""
        assert words(f'Click "A"{joint}press Enter.') == ['Click "A"', "press Enter"]

    def test_quoted_joints_are_text(self) -> None:
        """A joint inside quotes separates nothing."""
        assert words('click "A, then click B" and reload') == ['click "A, then click B"', "reload"]

    def test_dialog_answer_belongs_to_its_action(self) -> None:
        """The answer to a dialog is part of the clause that opens it."""
        assert words('click "A" and accept the dialog, reload') == [
            'click "A" and accept the dialog',
            "reload",
        ]

    @pytest.mark.parametrize(
        "sentence",
        [
            'click "Add" next to "Mug", "Pen" and "Jug"',
            'fill "A" in "Card" with "1", "B" with "2"',
            'fill "A" with "1", reload, "B" with "2"',
            'fill "A" with "1", "2" into "B"',
            '"B" with "2"',
        ],
    )
    def test_verb_is_needed_where_more_could_be_meant(self, sentence: str) -> None:
        """A single name may be of a place, and a place may be meant for the next element, too."""
        with pytest.raises(NotLiteral):
            parse_sentence(sentence)


class TestScope:
    def test_sentence_may_begin_with_parts_of_the_page(self) -> None:
        """All clauses are about the parts, the outermost first."""
        clauses = parse_sentence('In the "Cart": in {item} row : click "A", reload')
        assert [clause.words for clause in clauses] == ['click "A"', "reload"]
        for clause in clauses:
            assert [(each.name, each.role) for each in clause.scope] == [
                ("Cart", ""),
                ("{item}", "row"),
            ]

    def test_part_is_quoted_unless_it_has_quotes(self) -> None:
        """A bare name is quoted; what a sentence calls a part is kept."""
        beginnings = {
            "Cart": 'in "Cart": ',
            " Your\n cart ": 'in "Your cart": ',
            '5" nails': 'in "5\\" nails": ',
            "{section}": "in {section}: ",
            'the "Mug" row in "Cart"': 'in the "Mug" row in "Cart": ',
        }
        assert {part: begin_in(part) for part in beginnings} == beginnings
        assert {len(scope_of(f"{each}buy the mug")) for each in beginnings.values()} == {1}


class TestQuotes:
    def test_quotes_and_escapes_are_removed(self) -> None:
        """Single, double and typographic quotes may contain escaped quotes."""
        parsed = {quoted: parse_sentence(f"wait for {quoted}") for quoted in QUOTED}
        assert {quoted: c.filled["text"].raw for quoted, [c] in parsed.items()} == QUOTED


class TestPlaceholders:
    def test_fill_replaces_placeholders(self) -> None:
        """A placeholder is filled in, and a doubled brace becomes a brace."""
        assert Template("{{{a}}} {b}").fill({"a": "x", "b": "{a}"}, "") == "{x} {a}"

    def test_keep_leaves_placeholders(self) -> None:
        """A value to be typed keeps its placeholders, and its doubled braces become single."""
        assert Template("a{{b}} {pw}").keep({"pw": None}) == "a{b} {pw}"

    def test_keep_refuses_braces_that_would_make_a_placeholder(self) -> None:
        """Doubled braces around a known name are refused."""
        with pytest.raises(UsageError, match="would become the value of"):
            Template("{{pw}}").keep({"pw": None})

    def test_secret_is_typed_and_in_no_name(self) -> None:
        """A secret is accepted as a value to be typed, but cannot name an element or a page."""
        check_names(parse_sentence('fill "Password" with {pw}'), {"pw": None})
        for sentence in ('click "{pw}"', "go to {pw}", 'click "A" in "{pw}"'):
            with pytest.raises(UsageError, match=r"\{pw\} is a secret and cannot be"):
                check_names(parse_sentence(sentence), {"pw": None})


class TestRefusals:
    def test_expectation_of_several_forms_is_named_once(self) -> None:
        """Forms that expect the same at the same place do not repeat it."""
        with pytest.raises(NotLiteral) as caught:
            parse_sentence("the cart is empty", CLAIMS)
        assert str(caught.value).count("a quoted name or a {placeholder}") == 1

    def test_refusal_of_an_unknown_verb_lists_all_forms(self) -> None:
        """For an unknown verb all forms are listed, and how to set a model."""
        with pytest.raises(NotLiteral) as caught:
            parse_sentence("buy two mugs")
        text = str(caught.value)
        assert all(form.example in text for form in forms.FORMS if form.listed)
        assert text.endswith(forms.ADVICE)

    @pytest.mark.parametrize(
        ("sentence", "shown"),
        [
            ("click Save", 'click "Add to cart" next to "Mug"'),
            ('reload and enter "x" in Email', 'enter "a@b.c" into "Email"'),
        ],
    )
    def test_refusal_of_a_known_verb_lists_its_forms(self, sentence: str, shown: str) -> None:
        """For a known verb only its forms are listed."""
        with pytest.raises(NotLiteral) as caught:
            parse_sentence(sentence)
        lines = str(caught.value).splitlines()
        assert lines[3].startswith("Without a model, ")
        assert shown in lines[4]
        assert lines[-1] == forms.ADVICE
        assert "upload" not in str(caught.value)
        assert len(lines) <= 7
