"""Placeholders, and the keeping of secrets."""

from __future__ import annotations

import base64
import copy
import html
import json
import pickle
from urllib.parse import quote, quote_plus

import pytest

from pytest_webtask import Secret, UnknownName, UsageError
from pytest_webtask.data import Data

PASSWORD = "p&ss <w\"ö'rd> 100%/x\\"


class TestPlaceholders:
    @pytest.mark.parametrize(
        "sentence", ["log in", "as {user}", "{{user}}", "{{}}", "{{{user}}}", "{user}{n}"]
    )
    def test_a_sentence_with_known_names_is_accepted(self, sentence: str) -> None:
        """Known names and doubled braces are all that braces are for."""
        Data({"user": "ann", "n": 3}).check(sentence)

    def test_a_missing_name_lists_the_known_ones(self) -> None:
        """The error says what was got, what is known, and what to type."""
        with pytest.raises(UnknownName) as failed:
            Data({"user": "ann", "password": Secret("hunter2")}).check("as {usr}")
        message = str(failed.value)
        assert "unknown placeholder 'usr'; known: password, user. Did you mean 'user'?" in message
        assert "webtask_data" in message
        assert "hunter2" not in message

    @pytest.mark.parametrize(
        "sentence", ["{", "}", "{}", "{ user }", "{user", "{a b}", "{0}", "{user!r}", "{user.x}"]
    )
    def test_braces_that_are_no_placeholder_are_an_error(self, sentence: str) -> None:
        """A mistyped placeholder is never taken for text."""
        with pytest.raises(UsageError, match=r"write \{\{ for a brace"):
            Data({"user": "ann"}).check(sentence)

    @pytest.mark.parametrize("name", ["", "a b", "1a", "a-b", 3])
    def test_a_name_is_an_identifier(self, name: object) -> None:
        """What no sentence could name is refused where it is given."""
        with pytest.raises(UsageError, match="Python identifier"):
            Data({name: "x"})  # type: ignore[dict-item]

    def test_fill_leaves_unknown_placeholders(self) -> None:
        """Known placeholders are filled; other braces in a text stay."""
        data = Data({"user": "ann", "n": 3, "odd": "{user}"})
        assert (
            data.fill("{user} {n} {nobody} {} {{user}} {odd}")
            == "ann 3 {nobody} {} {{user}} {user}"
        )

    def test_a_step_may_add_and_replace_values(self) -> None:
        """`extended` changes nothing of what the test gave."""
        base = Data({"user": "ann", "city": "Bonn"})
        step = base.extended({"user": "bob"})
        assert step.fill("{user} {city}") == "bob Bonn"
        assert base.fill("{user}") == "ann"


class TestSecret:
    def test_no_way_of_printing_reveals_it(self) -> None:
        """Only `reveal()` does."""
        secret = Secret("hunter2")
        shown = [str(secret), repr(secret), f"{secret}", f"{secret!r}", repr([secret])]
        shown += [repr({"a": secret}), json.dumps(secret, default=str)]
        assert not any("hunter2" in text for text in shown)
        assert secret.reveal() == "hunter2"

    def test_it_is_not_pickled_but_can_be_copied(self) -> None:
        """Pickles end up in files and in other processes; copies of data stay here."""
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(Secret("hunter2"))
        assert copy.deepcopy({"a": Secret("hunter2")}) == {"a": Secret("hunter2")}
        assert not hasattr(Secret("x"), "__dict__")

    def test_it_equals_another_of_the_same_value_only(self) -> None:
        """It is no str, and cannot be compared with one."""
        assert Secret("a") == Secret("a") != Secret("b")
        assert len({Secret("a"), Secret("a")}) == 1
        assert Secret("a") != "a"

    @pytest.mark.parametrize("value", ["", None, 3, b"x"])
    def test_it_needs_text(self, value: object) -> None:
        """The error tells the type only."""
        with pytest.raises(UsageError, match="non-empty str; got"):
            Secret(value)  # type: ignore[arg-type]

    def test_the_shown_values_leave_it_out(self) -> None:
        """A model knows that there is a value of that name, and no more."""
        assert Data({"user": "ann", "password": Secret("x")}).shown == {
            "user": "ann",
            "password": None,
        }


class TestScrub:
    @pytest.mark.parametrize(
        "written",
        [
            PASSWORD,
            quote(PASSWORD),
            quote(PASSWORD, safe=""),
            quote_plus(PASSWORD),
            html.escape(PASSWORD),
            html.escape(PASSWORD, quote=False),
            json.dumps(PASSWORD)[1:-1],
            json.dumps(PASSWORD, ensure_ascii=False)[1:-1],
        ],
    )
    def test_every_way_of_writing_a_secret_is_replaced(self, written: str) -> None:
        """In an address, in markup, in JSON: the name stands where the value stood."""
        data = Data({"password": Secret(PASSWORD)})
        assert data.scrub(f"a{written}b") == "a{password}b"

    @pytest.mark.parametrize(
        "written",
        [
            "MUG-LIFE-2026",
            "mug life 2026",
            "Mug\u00adLife\u00a0– 2026",
            b"Mug-Life-2026".hex(),
            base64.b64encode(b"Mug-Life-2026").decode().rstrip("=")[:-1],
            quote(quote("Mug-Life-2026ü")).replace("%25C3%25BC", ""),
        ],
    )
    def test_capital_letters_separators_and_codes_do_not_hide_a_secret(self, written: str) -> None:
        """A page that writes it in a form of its own does not give it away."""
        assert Data({"key": Secret("Mug-Life-2026")}).scrub(f"({written})").startswith("({key}")

    @pytest.mark.parametrize("before", ["", "d", "da", "dana:"])
    def test_base64_of_a_longer_text_is_found(self, before: str) -> None:
        """As in a header for basic authentication, wherever the secret begins in it."""
        written = base64.b64encode(f"{before}Mug-Life-2026 and more".encode()).decode()
        assert "{key}" in Data({"key": Secret("Mug-Life-2026")}).scrub(written)

    def test_truncated_secret_is_found(self) -> None:
        """A cut-off value is found before an ellipsis and as a whole field, not as a word."""
        data = Data({"key": Secret("Mug-Life-2026")})
        assert data.scrub("Mug-Lif… and mug-l...") == "{key}… and {key}..."
        assert data.scrub_field("Mug-Li") == data.scrub_field("2026") == "[part of {key}]"
        assert data.scrub_field("Mug") == "Mug"
        assert data.scrub("Mug-Li 2026") == "Mug-Li 2026"

    def test_short_secrets_are_whole_words(self) -> None:
        """Otherwise little of a page would be left, and no id of an element."""
        data = Data({"cvc": Secret("123"), "x": Secret("aB")})
        assert data.scrub("123, (123) 1234 12.123 123.5 button-123 -123") == (
            "{cvc}, ({cvc}) 1234 12.123 123.5 button-123 -{cvc}"
        )
        assert data.scrub("aB ab cab AB") == "{x} ab cab AB"

    def test_placeholders_stay_what_they_are(self) -> None:
        """Where the name of a secret is the secret itself, scrubbing twice changes nothing."""
        data = Data({"password": Secret("Password")})
        assert data.scrub(data.scrub("a password")) == "a {password}"

    def test_texts_are_scrubbed_across_their_borders(self) -> None:
        """What is told stands in the first of them."""
        data = Data({"key": Secret("Mug-Life-2026")})
        parts = ["a Mug", "-Life-", "2026 b", "c"]
        assert data.scrub_parts(parts, "\n") == ["a {key}", "", " b", "c"]
        assert data.scrub_parts(parts) == parts

    def test_white_space_is_folded_on_pages(self) -> None:
        """A secret of several lines is found in an outline, too."""
        data = Data({"key": Secret("one\n  two")})
        assert data.scrub("(one two) (one\n  two)") == "({key}) ({key})"

    def test_the_longer_of_two_secrets_comes_first(self) -> None:
        """No end of a secret is left because its beginning is one, too."""
        data = Data({"short": Secret("abc"), "long": Secret("abcdef")})
        assert data.scrub("abcdef abc") == "{long} {short}"

    def test_a_secret_stays_one_after_its_step(self) -> None:
        """What one step typed is kept out of the journal of all later ones."""
        base = Data({"user": "ann"})
        base.extended({"pin": Secret("8421")})
        base.extended({"user": Secret("mallory")}).extended({"user": "plain"})
        assert base.scrub("8421 mallory plain ann") == "{pin} {user} plain ann"

    def test_records_are_scrubbed_to_their_leaves(self) -> None:
        """Strings within lists and mappings, their keys included."""
        data = Data({"pin": Secret("8421")})
        assert data.scrub_all({"a8421": ["8421", ("x", 8421, None)]}) == {
            "a{pin}": ["{pin}", ["x", 8421, None]]
        }
        assert Data().scrub_all(["x"]) == ["x"]

    def test_use_of_a_secret_is_noticed(self) -> None:
        """So that it does not end up in an address."""
        data = Data({"user": "ann", "pin": Secret("8421")})
        assert data.uses_secret("/x?{pin}")
        assert not data.uses_secret("/x?{user}{{pin}}")
