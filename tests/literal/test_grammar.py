"""What the literal interpreter reads, and that it reads nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_webtask.errors import NotLiteral, UnknownName, UsageError
from pytest_webtask.literal.forms import ADVICE, examples
from pytest_webtask.literal.grammar import Template, check_names, parse_sentence

DOCS = Path(__file__).parents[2] / "docs" / "literal.md"


def words(sentence: str) -> list[str]:
    """The clauses of a sentence, in its own words."""
    return [clause.words for clause in parse_sentence(sentence)]


def documented() -> list[str]:
    """Every literal sentence in a code block of the documentation."""
    blocks = re.findall(r"```literal\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


class TestForms:
    @pytest.mark.parametrize("sentence", examples())
    def test_each_form_of_the_table(self, sentence: str) -> None:
        """Each example of the table is one clause."""
        assert words(sentence) == [sentence]

    @pytest.mark.parametrize("sentence", documented())
    def test_each_example_of_the_documentation(self, sentence: str) -> None:
        """Each literal sentence of the documentation can be read."""
        assert parse_sentence(sentence)

    def test_every_form_is_documented(self) -> None:
        """The documentation shows an example of each form, in the words of the table."""
        assert set(examples()) <= set(documented())

    @pytest.mark.parametrize(
        ("sentence", "tool", "fixed"),
        [
            ('double click "A"', "click", {"double": True}),
            ('double-click "A"', "click", {"double": True}),
            ('right click "A"', "click", {"button": "right"}),
            ('click "A" and dismiss the dialog', "click", {"dialog": "dismiss"}),
            ('click "A", then accept dialog', "click", {"dialog": "accept"}),
            ('choose "A"', "check", {"checked": True}),
            ('uncheck "A"', "check", {"checked": False}),
            ('clear "A"', "fill", {"text": ""}),
            ("press Control+Shift+ArrowDown", "press", {"key": "Control+Shift+ArrowDown"}),
            ("press Control++", "press", {"key": "Control++"}),
            ("press ?.", "press", {"key": "?"}),
            ("close tab", "close_tab", {}),
            ('click on "A"', "click", {}),
            ('hover "A"', "hover", {}),
            ('press "Enter"', "press", {"key": "Enter"}),
            ("press the Enter key", "press", {"key": "Enter"}),
            ('press "', "press", {"key": '"'}),
            ('press the "Control+A" key in the "Editor"', "press", {"key": "Control+A"}),
            ('switch to the "Terms" tab', "switch_tab", {}),
            ('fill in "A" with "x"', "fill", {}),
            ('enter "x" into "A"', "fill", {}),
        ],
    )
    def test_what_a_form_means(self, sentence: str, tool: str, fixed: dict[str, object]) -> None:
        """A form gives its tool only the parameters that differ from the default."""
        (clause,) = parse_sentence(sentence)
        assert (clause.tool, clause.fixed) == (tool, fixed)

    @pytest.mark.parametrize("relation", ["next to", "in", "under"])
    @pytest.mark.parametrize("after", ["", ' with "2"'])
    def test_a_qualifier_follows_any_named_element(self, relation: str, after: str) -> None:
        """Where an element stands may be said after its name, before the rest of the form."""
        verb = "fill" if after else "click"
        (clause,) = parse_sentence(f'{verb} the "Quantity" {relation} the "Mug"{after}')
        named = clause.elements["element_id"]
        assert (named.name.raw, named.relation, named.of) == ("Quantity", relation, Template("Mug"))

    @pytest.mark.parametrize("kind", ["row", "link", "list item", "dialog"])
    def test_a_word_for_the_place(self, kind: str) -> None:
        """A word for what a place is may follow its name."""
        (clause,) = parse_sentence(f'click "Delete" in the "Mug" {kind} and accept the dialog')
        named = clause.elements["element_id"]
        assert (named.of, named.of_kind) == (Template("Mug"), kind)
        assert clause.fixed == {"dialog": "accept"}

    def test_both_elements_of_a_drag_may_be_qualified(self) -> None:
        """Each of two elements has a qualifier of its own."""
        (clause,) = parse_sentence('drag "A" in "X" to the "B" under "Y"')
        assert [n.of for n in clause.elements.values()] == [Template("X"), Template("Y")]

    @pytest.mark.parametrize(
        "role", ["button", "link", "tab", "checkbox", "menu item", "radio button"]
    )
    def test_a_role_word_after_a_name(self, role: str) -> None:
        """A role may be said after a name, and a qualifier after that."""
        (clause,) = parse_sentence(f'Click the "Save" {role} in "Form"')
        assert clause.elements["element_id"].role == role


class TestJoining:
    @pytest.mark.parametrize(
        "joint",
        [", ", " and ", " then ", ", then ", "; ", ". ", "\n", ", and then ", "\n\n", ",", ".\n"],
    )
    def test_clauses_are_joined(self, joint: str) -> None:
        """Commas, semicolons, full stops, new lines, `and` and `then` join clauses."""
        assert words(f'Click "A"{joint}press Enter.') == ['Click "A"', "press Enter"]

    def test_a_joint_inside_quotes_joins_nothing(self) -> None:
        """What is quoted is never taken for a joint or a form."""
        assert words('click "A, then click B" and reload') == ['click "A, then click B"', "reload"]

    def test_the_answer_belongs_to_the_action_before_it(self) -> None:
        """The answer to a dialog is part of the clause that opens it, not one of its own."""
        assert words('click "A" and accept the dialog, reload') == [
            'click "A" and accept the dialog',
            "reload",
        ]


class TestQuotes:
    @pytest.mark.parametrize(
        ("quoted", "value"),
        [
            ('"don\'t"', "don't"),
            (r"'don\'t'", "don't"),
            (r'"say \"hi\""', 'say "hi"'),
            ("“Save”", "Save"),
            ("‘Save’", "Save"),
            ("„Save“", "Save"),
            (r'"C:\new"', r"C:\new"),
            (r'"C:\\"', "C:\\"),
            ("{name}", "{name}"),
            ('"Hello {name}"', "Hello {name}"),
        ],
    )
    def test_quotes(self, quoted: str, value: str) -> None:
        """Single, double and typographic quotes, with a backslash before a quote in the value."""
        (clause,) = parse_sentence(f"wait for {quoted}")
        assert clause.filled["text"].raw == value


class TestPlaceholders:
    def test_names_are_filled(self) -> None:
        """A placeholder is filled in, inside a text too; a doubled brace is a brace."""
        assert Template("{{{a}}} {b}").fill({"a": "x", "b": "{a}"}, "") == "{x} {a}"

    def test_typed_values_stay(self) -> None:
        """A value to be typed keeps its placeholders, and its doubled braces become single."""
        assert Template("a{{b}} {pw}").keep({"pw": None}) == "a{b} {pw}"

    def test_a_brace_never_makes_a_placeholder(self) -> None:
        """Doubled braces around a known name are refused: the tool would put the value in."""
        with pytest.raises(UsageError, match="would make a placeholder"):
            Template("{{pw}}").keep({"pw": None})

    @pytest.mark.parametrize(
        "sentence", ['click "{usr}"', 'fill "A" with {usr}', 'go to "/{usr}"', 'click "A" in {usr}']
    )
    def test_an_unknown_name(self, sentence: str) -> None:
        """An unknown placeholder is an error that lists the known ones."""
        with pytest.raises(UnknownName, match=r"unknown placeholder 'usr'; known: user"):
            check_names(parse_sentence(sentence), {"user": "ann"})

    @pytest.mark.parametrize("sentence", ['click "{pw}"', "go to {pw}", 'click "A" in "{pw}"'])
    def test_a_secret_names_nothing(self, sentence: str) -> None:
        """A secret cannot name an element or a page, and the error says so."""
        with pytest.raises(UsageError, match=r"\{pw\} is a secret and cannot be"):
            check_names(parse_sentence(sentence), {"pw": None})

    def test_a_secret_is_typed(self) -> None:
        """A secret may be typed."""
        check_names(parse_sentence('fill "Password" with {pw}'), {"pw": None})


class TestRefusals:
    @pytest.mark.parametrize(
        ("sentence", "part", "expected"),
        [
            ("", "", "an instruction"),
            ("log in as ann", "log in as ann", "one of the forms below"),
            ("click Save", "Save", "a quoted name or a {placeholder}"),
            ('click "Save" quickly', "quickly", "a comma, 'and', 'then', a new line or the end"),
            ('click "A" and buy mugs', "buy mugs", "one of the forms below"),
            ('please click "A"', 'please click "A"', "one of the forms below"),
            ('fill "A" button with "x"', 'button with "x"', "that can be filled, not a button"),
            ('click "A', '"A', 'a closing "'),
            ("press ctrl+a", "ctrl+a", "a key as Playwright names it"),
            ("press enter", "enter", "a key as Playwright names it"),
            ('press "enter"', '"enter"', "a key as Playwright names it"),
            ('fill "A" with "1" in "B"', 'in "B"', 'right after the name: "A" in "B"'),
            ('fill "A" in "C" with "1" in "B"', 'in "B"', "only one place"),
            ("press Enter in Editor", "Editor", "a quoted name"),
            ('wait for "a {x"', '"a {x"', "{{ for a brace"),
            ('click "A" and accept cookies', "cookies", "'dialog'"),
            ('click "A" and', "", "another instruction after 'and'"),
            ('click " "', '" "', "a name that is not empty"),
            ("accept the dialog", "accept the dialog", "one of the forms below"),
            ('click "A" next to "B" in "C"', 'in "C"', "a comma"),
            ('click the button "A"', 'button "A"', "a quoted name"),
            ('clickety "A"', 'clickety "A"', "one of the forms below"),
            ('click "A" press Enter', "press Enter", "a comma"),
        ],
    )
    def test_the_part_that_cannot_be_read(self, sentence: str, part: str, expected: str) -> None:
        """The error quotes the part, points at it, and says what would have been read."""
        with pytest.raises(NotLiteral) as caught:
            parse_sentence(sentence)
        first, line, pointer, *_ = str(caught.value).splitlines()
        assert first.startswith(f"cannot read {part!r}" if part else "the sentence ends too soon")
        assert line[pointer.index("^") :] == part
        assert expected in pointer

    def test_the_help(self) -> None:
        """For a verb that no form has, all that are listed are shown, and how to set a model."""
        with pytest.raises(NotLiteral) as caught:
            parse_sentence("buy two mugs")
        text = str(caught.value)
        assert all(example in text for example in examples())
        assert text.endswith(ADVICE)

    @pytest.mark.parametrize(
        ("sentence", "shown"),
        [
            ("click Save", 'click "Add to cart" next to "Mug"'),
            ('reload and enter "x" in Email', 'enter "a@b.c" into "Email"'),
        ],
    )
    def test_the_help_for_a_verb(self, sentence: str, shown: str) -> None:
        """For a verb that a form has only its forms are shown, below the line with the caret."""
        with pytest.raises(NotLiteral) as caught:
            parse_sentence(sentence)
        lines = str(caught.value).splitlines()
        assert lines[3].startswith("With ")
        assert shown in lines[4]
        assert lines[-1] == ADVICE
        assert "upload" not in str(caught.value)
        assert len(lines) <= 7
