"""Literal sentences with secrets, and failures whose messages show what the page has."""

from urllib.parse import quote

import pytest
from canary_shop import SECRETS, SEND

FIELDS = ", ".join(f'fill "{kind}" with {{{kind}}}' for kind in SECRETS)


@pytest.fixture
def echo(webtask):
    """The page that shows the secrets."""
    webtask.goto("/echo")
    return webtask


def test_fields(echo):
    """Everything is typed, sent and shown."""
    echo.do(f'{FIELDS} and click "{SEND}"')
    echo.do("wait for {shown_password}, wait for {shown_birthday}")
    echo.do('press End in "My password", then type {iban} into "My token"')


def test_events(echo):
    """Dialogs, downloads, tabs, logs and requests name secrets."""
    echo.do('click "Warn", click "Ask" and answer the dialog with {password}')
    echo.do('click "Log", click "Fetch", click "Download", click "Toast", click "Open"')


def test_addresses(webtask):
    """Addresses hold secrets."""
    for kind in ("password", "iban"):
        webtask.goto(f"/echo?{kind}={quote(SECRETS[kind])}")


def test_checkout(dana):
    """A card is entered into a frame, and an address with secrets sent."""
    dana.goto("/products/3")
    dana.do('click the "Add to cart" button next to "Quantity", then open "/checkout"')
    dana.do('fill "Full name" with {password}, fill "Gift note" with {iban}')
    dana.do('fill "Card number" with {card}, fill "Expiry date" with "12/19", click "Save card"')
    dana.do('click "Place order"')


@pytest.mark.webtask(timeout=0.3)
@pytest.mark.parametrize(
    "sentence",
    [
        'click "Pay with nothing"',
        'click "Pay with"',
        'click "Pay with {shown_token}"',
        'open "/echo?token={shown_card}"',
        'select {balance} in "Choice of card"',
        'wait for "Received {shown_birthday} and {shown_balance}"',
    ],
    ids=range(6),
)
def test_fails_at_a_step(echo, sentence):
    """The message has what there is instead."""
    echo.do(sentence)


def test_fails_at_claims(echo):
    """The messages of a claim and of soft ones have facts."""
    for kind in SECRETS:
        echo.verify(f'"{{shown_{kind}}}" is not shown', timeout=0, soft=True)
    echo.verify('"{shown_password}9" is shown', timeout=0)


def test_fails_at_an_address(webtask):
    """Playwright's message has the address."""
    webtask.goto(f"http://127.0.0.1:9/?key={quote(SECRETS['password'])}")


@pytest.mark.webtask(timeout=0.3)
def test_fails_at_a_field(echo):
    """Playwright's message has what was to be typed."""
    echo.page.get_by_label("My card").evaluate("e => e.disabled = true")
    echo.do('fill "My card" with {card}')
