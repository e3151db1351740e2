"""Placeholders, and the keeping of secrets."""

import copy
import json
import pickle
from datetime import date
from decimal import Decimal

import pytest

from pytest_webtask import Secret, UnknownName, UsageError
from pytest_webtask.data.values import Data


class TestPlaceholders:
    @pytest.mark.parametrize(
        "sentence", ["log in", "as {user}", "{{user}}", "{{}}", "{{{user}}}", "{user}{n}"]
    )
    def test_known_names_are_accepted(self, sentence: str) -> None:
        """Known placeholders and doubled braces are accepted."""
        Data({"user": "ann", "n": 3}).check(sentence)

    def test_unknown_name_lists_the_known_ones(self) -> None:
        """The error names the unknown placeholder, the known ones, and the fixture to define it in."""
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
    def test_name_that_is_no_identifier_is_refused(self, name: object) -> None:
        """Data refuses a name that no sentence could use."""
        with pytest.raises(UsageError, match="Python identifier"):
            Data({name: "x"})  # type: ignore[dict-item]

    def test_fill_leaves_unknown_placeholders(self) -> None:
        """Known placeholders are filled; other braces in a text stay."""
        data = Data({"user": "ann", "n": 3, "odd": "{user}"})
        text = "{user} {n} {nobody} {} {{user}} {odd}"
        assert data.fill(text) == "ann 3 {nobody} {} {{user}} {user}"


class TestSecret:
    def test_printing_does_not_reveal_the_value(self) -> None:
        """str, repr, formatting and JSON hide the value; only `reveal()` returns it."""
        secret = Secret("hunter2")
        shown = [str(secret), repr(secret), f"{secret}", f"{secret!r}", repr([secret])]
        shown += [repr({"a": secret}), json.dumps(secret, default=str)]
        assert not any("hunter2" in text for text in shown)
        assert secret.reveal() == "hunter2"

    def test_pickling_is_refused_and_copying_allowed(self) -> None:
        """A secret cannot be pickled, because pickles are written to files, but can be copied."""
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(Secret("hunter2"))
        assert copy.deepcopy({"a": Secret("hunter2")}) == {"a": Secret("hunter2")}
        assert not hasattr(Secret("x"), "__dict__")

    def test_equals_only_secrets_of_the_same_value(self) -> None:
        """A secret equals a secret of the same value and never a str."""
        assert Secret("a") == Secret("a") != Secret("b")
        assert len({Secret("a"), Secret("a")}) == 1
        assert Secret("a") != "a"

    @pytest.mark.parametrize("value", ["", None, 3, b"x"])
    def test_value_must_be_nonempty_text(self, value: object) -> None:
        """The error names the type of the value and not the value."""
        with pytest.raises(UsageError, match="not empty; got"):
            Secret(value)  # type: ignore[arg-type]


PATH = ".webtask/runs/20261124-015202-13937/screenshots/0152a4e07b6c20152f3d.jpg"


class TestScrub:
    def test_truncated_secret_is_found(self) -> None:
        """A cut-off value is found before an ellipsis and as a whole field, not as a word."""
        data = Data({"key": Secret("Mug-Life-2026")})
        assert data.scrub("Mug-Lif… and mug-l...") == "{key}… and {key}..."
        assert data.scrub_field("Mug-Li") == data.scrub_field("2026") == "[part of {key}]"
        assert data.scrub_field("Mug") == "Mug"
        assert data.scrub("Mug-Li 2026") == "Mug-Li 2026"

    @pytest.mark.parametrize(
        ("secrets", "text", "masked"),
        [
            # A short secret is a whole word, so that page text and ids survive.
            (
                {"cvc": "123"},
                "123, (123) 1234 12.123 123.5 button-123 -123",
                "{cvc}, ({cvc}) 1234 12.123 123.5 button-123 -{cvc}",
            ),
            ({"x": "aB"}, "aB ab cab AB", "{x} ab cab AB"),
            # A placeholder whose name is the secret itself is not scrubbed twice.
            ({"password": "Password"}, "a password {password}", "a {password} {password}"),
            # White space is folded in an outline.
            ({"key": "one\n  two"}, "(one two) (one\n  two)", "({key}) ({key})"),
            # A secret that begins with another one is replaced as a whole.
            ({"short": "abc", "long": "abcdef"}, "abcdef abc", "{long} {short}"),
            # Paths of a run stay as they are.
            (
                {"born": "20261124", "pin": "0152"},
                f"born 20261124\nscreenshot: {PATH}",
                f"born {{born}}\nscreenshot: {PATH}",
            ),
        ],
        ids="short letters twice space longer path".split(),
    )
    def test_secrets_are_replaced_by_their_names(
        self, secrets: dict[str, str], text: str, masked: str
    ) -> None:
        """A secret is masked where it stands for itself, and only there."""
        data = Data({name: Secret(secret) for name, secret in secrets.items()})
        assert data.scrub(text) == data.scrub(data.scrub(text)) == masked

    def test_secret_across_adjacent_texts_is_replaced(self) -> None:
        """A secret spread over adjacent texts is replaced, with its name in the first of them."""
        data = Data({"key": Secret("Mug-Life-2026")})
        parts = ["a Mug", "-Life-", "2026 b", "c"]
        assert data.scrub_parts(parts, "\n") == ["a {key}", "", " b", "c"]
        assert data.scrub_parts(parts) == parts

    @pytest.mark.parametrize(
        ("secret", "value"),
        [
            ("847152", 847152),
            ("8471.52", 8471.52),
            ("8471.52", Decimal("8471.52")),
            ("2031-04-17", date(2031, 4, 17)),
        ],
        ids=["int", "float", "decimal", "date"],
    )
    def test_value_that_reads_like_a_secret_is_masked(self, secret: str, value: object) -> None:
        """Numbers and dates are masked at any depth; other values keep their type."""
        data = Data({"key": Secret(secret)})
        assert data.scrub_values({"a": [value, 12, True, None]}) == {"a": ["{key}", 12, True, None]}

    def test_secret_of_a_step_is_masked_in_later_steps(self) -> None:
        """A secret that was given to one step is scrubbed in all later ones."""
        base = Data({"user": "ann"})
        base.extended({"pin": Secret("8421")})
        base.extended({"user": Secret("mallory")}).extended({"user": "plain"})
        assert base.scrub("8421 mallory plain ann") == "{pin} {user} plain ann"

    def test_records_are_scrubbed_to_their_leaves(self) -> None:
        """Strings in nested lists and mappings are scrubbed, keys included."""
        data = Data({"pin": Secret("8421")})
        assert data.scrub_all({"a8421": ["8421", ("x", 8421, None)]}) == {
            "a{pin}": ["{pin}", ["x", 8421, None]]
        }
        assert Data().scrub_all(["x"]) == ["x"]

    def test_uses_secret_finds_placeholders_of_secrets(self) -> None:
        """`uses_secret` is true for a text with the placeholder of a secret, so that addresses can refuse it."""
        data = Data({"user": "ann", "pin": Secret("8421")})
        assert data.uses_secret("/x?{pin}")
        assert not data.uses_secret("/x?{user}{{pin}}")


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("add-to-cart-travel-backpack", True),
        ("TRAVEL BACKPACK", True),
        ("Travel Backpack", False),
        ("Pay with 4242 4242 4242", True),
        ("Pay with 4242", False),
        ("Pay with 42424242", True),
        ("from de89 3704 0044", True),
        ("from DE89", False),
        ("add-mug", False),
        ("Send", False),
    ],
)
def test_value_is_recognized_in_other_spellings_and_secrets_in_pieces(
    text: str, spelled: bool
) -> None:
    """A whole value, words of fewer than four letters and short pieces do not count."""
    values = {"product": "Travel Backpack", "cup": "Mug", "card": Secret("4242 4242 4242 4242")}
    values["iban"] = Secret("DE89370400440532013000")
    assert Data(values).spelled_in(text) is spelled
