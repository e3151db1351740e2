"""Steps that a model decides, and that are then replayed."""

from canary_shop import SECRETS

ALL = ", ".join(f"{{{kind}}}" for kind in SECRETS)


def test_form(webtask):
    """What is sent is shown, judged and selected."""
    webtask.goto("/echo")
    webtask.do(f"send the form with {ALL}")
    webtask.verify("the page has received {card} and the iban {iban}")
    assert webtask.select("the button that pays with {balance}").count() == 1


def test_extraction(webtask):
    """A secret is extracted."""
    webtask.goto(f"/echo?token={SECRETS['token']}")
    assert webtask.extract("the received token") == SECRETS["token"]


def test_events(webtask):
    """Dialogs, a download, a tab, a log and a request are events of a step."""
    webtask.goto("/echo")
    webtask.do("press all buttons, and answer with {token}")


def test_log_in(webtask):
    """A password is typed into its field."""
    webtask.goto("/login")
    webtask.do("log in as {user} with {password}")


def test_fails_at_a_task(webtask):
    """The reason quotes the page."""
    webtask.goto("/echo")
    webtask.do("find the secret garden of {birthday}")


def test_fails_at_a_claim(webtask):
    """The facts quote the page."""
    webtask.goto("/echo")
    webtask.verify("the iban is {token}", timeout=0)


def test_fails_at_the_service(webtask):
    """The service answers with a secret in its message."""
    webtask.goto("/echo")
    webtask.do("ask the service about {iban}")
