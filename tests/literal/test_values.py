"""Tests of placeholders that a sentence computes: days, ids, and parts of values."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from pytest_webtask import Secret
from pytest_webtask.errors import UnknownName, UsageError, VerificationFailed
from pytest_webtask.run.webtask import Webtask
from tests.inner import journaled
from tests.literal.names import Outcome
from tests.scripted import Html

FORM = """
<label>Due <input type=date id=due></label><label>Until <input></label>
<label>Name <input></label><label>Password <input type=password></label>
<p>{today}</p>
<table aria-label=Users><tr><th>User<th>Plan<tr><td>Ann<td>Pro<tr><td>Bob<td>Free</table>
"""


class Address(NamedTuple):
    city: str


@dataclass
class User:
    name: str
    home: Address
    password: Secret

    @property
    def plan(self) -> str:
        return "Pro"


USER = User("Ann", Address("Oslo"), Secret("correct-horse-7391"))


def test_days_are_those_of_the_clock_of_the_page(
    html: Html, outcome: Outcome, webtask: Webtask
) -> None:
    """A day that the test has set is today, in fields for dates and in texts."""
    html(FORM).clock.set_fixed_time("2027-01-31T12:00:00")
    webtask.do(
        'fill "Due" with {today+1m}, fill "Until" with "from {today-3d:%d.%m.%Y} to {today+2w:%-d %B}"'
    )
    assert outcome('"Due" has value "2027-02-28"') == "passed"
    assert outcome('"Until" has value "from 28.01.2027 to 14 February"') == "passed"
    webtask.do('fill "Name" with "{{today+1d}}"')
    assert outcome('"Due" has value {today+1m}') == "passed"
    assert webtask.page.get_by_label("Name").input_value() == "{today+1d}"
    assert outcome('"Due" has value {today}').startswith("failed")


def test_own_value_wins(html: Html, webtask: Webtask) -> None:
    """A value of the data of that name is the value, and days are counted from it."""
    html(FORM)
    data: dict[str, Any] = {"today": "payday", "uuid": 7}
    webtask.do('fill "Name" with "{today} {uuid}"', data=data)
    webtask.verify('"Name" has value "payday 7"')
    with pytest.raises(UsageError, match=r"\{today\+1d\} is no way to write the value of 'today'"):
        webtask.do('fill "Name" with {today+1d}', data=data)


def test_id_is_one_for_the_test(html: Html, webtask: Webtask) -> None:
    """What was typed can be claimed by a later sentence."""
    html(FORM)
    webtask.do('fill "Name" with "order {uuid}", fill "Until" with {uuid:.8}')
    value = webtask.page.get_by_label("Name").input_value()
    assert len(value) == 42
    assert webtask.page.get_by_label("Until").input_value() == value[6:14]
    webtask.verify('"Name" has value "order {uuid}"')
    assert webtask.extract('the value of "Name"') == value


@pytest.mark.parametrize(
    "user",
    [USER, vars(USER) | {"home": {"city": "Oslo"}}, SimpleNamespace(**vars(USER))],
    ids=["object", "dict", "namespace"],
)
def test_parts_of_values_have_paths(html: Html, webtask: Webtask, user: Any) -> None:
    """A key, an attribute, a field and a place in a list are filled in, also for the name of a row."""
    html(FORM)
    data = {"user": user, "users": [user]}
    webtask.do('fill "Name" with "{user.name}, {users.0.home.city}"', data=data)
    webtask.verify('"Name" has value "Ann, Oslo"')
    webtask.verify('the {user.name} row in "Users" shows "Pro"', data=data)
    with pytest.raises(VerificationFailed):
        webtask.verify('the {user.name} row in "Users" shows "Free"', timeout=0, data=data)


def test_property_is_a_part(html: Html, webtask: Webtask) -> None:
    """What an object computes counts as its part, but what it can do does not."""
    html(FORM)
    webtask.verify("the {user.name} row shows {user.plan}", data={"user": USER})
    for path in ("name.upper", "__class__", "password.reveal"):
        with pytest.raises(UsageError):
            webtask.do(f'fill "Name" with {{user.{path}}}', data={"user": USER})
    assert webtask.page.get_by_label("Name").input_value() == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "user.nme",
            "unknown placeholder 'user.nme'; known: user.home, user.name, user.none, user.password",
        ),
        ("user.home.town", "known: user.home.city. "),
        ("usr.name", "unknown placeholder 'usr.name'; known: user\n"),
        ("user.none", "the value of 'user.none' in data is None"),
        ("today:yesterday", "no way to write the value of 'today'"),
        ("today:%Q", "no way to write the value of 'today'"),
        ("today:%d.%m. %H:%M", "no way to write the value of 'today'"),
        ("today+9999y", "no way to write the value of 'today'"),
        ("user.name+1d", "no way to write the value of 'user.name'"),
        ("user.password:.4", "no way to write the value of 'user.password'"),
    ],
)
def test_placeholder_without_a_value_is_an_error(
    html: Html, webtask: Webtask, name: str, says: str
) -> None:
    """The message says what is known, or how a value can be written; nothing is typed."""
    page = html(FORM)
    data = {"user": vars(USER) | {"none": None, "home": {"city": "Oslo"}}}
    with pytest.raises(UsageError) as failed:
        webtask.do(f'fill "Name" with {{{name}}}', data=data)
    assert says in str(failed.value)
    assert "correct-horse" not in str(failed.value)
    assert page.get_by_label("Name").input_value() == ""


def test_secret_within_a_value_is_a_secret(html: Html, webtask: Webtask) -> None:
    """It can be typed and claimed of its field, names no element, and is masked from the beginning on."""
    html(f"{FORM}<p>{USER.password.reveal()}</p>")
    data = {"user": USER}
    with pytest.raises(VerificationFailed) as failed:
        webtask.verify('"Ann Free" is shown', data=data, timeout=0)
    webtask.do('fill "Password" with {user.password}', data=data)
    webtask.verify('"Password" has value {user.password}', data=data)
    with pytest.raises(UsageError, match=r"\{user.password\} is a secret"):
        webtask.do("click {user.password}", data=data)
    printed = f"{failed.value}{journaled(webtask)!r}"
    assert "{user.password}" in printed and "correct-horse" not in printed


def test_known_value_of_another_object_is_not_kept(html: Html, webtask: Webtask) -> None:
    """A value for one step replaces all of the one of the test, its secrets included."""
    html(FORM)
    webtask._runner.data.update({"user": USER})
    with pytest.raises(UnknownName, match=r"known: user\.name\n"):
        webtask.do('fill "Password" with {user.password}', data={"user": {"name": "Bob"}})
