"""What is read into a claim: tokens, words, negation, quantifiers, states, clause by clause."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pytest_webtask.checks.claims import Clause, Token, read

DATA = {"email": "ann@example.org", "n": "7", "price": "€12.00", "user": "Ann Lee"}


def one(claim: str) -> Clause:
    """The only clause of a claim."""
    [clause] = read(claim, DATA)
    return clause


def tokens(claim: str) -> list[tuple[str, str]]:
    """The kinds and texts of all tokens."""
    return [(t.kind, t.text) for clause in read(claim, DATA) for t in clause.tokens]


QUOTES = [
    ('the page says "Saved"', "Saved"),
    ("the page says “Saved”", "Saved"),
    ("the page says ‘Saved’", "Saved"),
    ("the page says 'Saved'", "Saved"),
    ("the page says «Saved»", "Saved"),
    ("the page says « Saved »", "Saved"),
    ("the page says „Saved“", "Saved"),
    ('the page says "it\'s saved"', "it's saved"),
    ("the page says 'it's saved'", "it's saved"),
    ('the page says "2 items"', "2 items"),
    ('the page says "not found"', "not found"),
    ('the page says "all done"', "all done"),
    ('the page says "Hello {user}"', "Hello Ann Lee"),
]


@pytest.mark.parametrize(("claim", "quoted"), QUOTES)
def test_quotes(claim: str, quoted: str) -> None:
    """A quotation of any kind is one token, and no word in it is read."""
    clause = one(claim)
    assert [(t.kind, t.text) for t in clause.tokens] == [("quote", quoted)]
    assert not clause.negated
    assert not clause.wants
    assert not clause.words


def test_several_quotes() -> None:
    """Each is a token of its own, in one clause or in several that say the same of each."""
    assert tokens('"Mug" shows "€5"') == [("quote", "Mug"), ("quote", "€5")]
    said = [t for _, t in tokens('the cart shows "Mug", "Cup" and "Plate"')]
    assert sorted(set(said)) == ["Cup", "Mug", "Plate"]
    for clause in read("the page says ‘Done’ and «Fertig» and „Gut“", DATA):
        assert len(clause.tokens) in (1, 3)


@pytest.mark.parametrize(
    "claim", ["the user's name is Ann", "it's Ann's cart", "the name is O'Neil"]
)
def test_apostrophes_quote_nothing(claim: str) -> None:
    """An apostrophe within a word or after it opens no quotation."""
    assert tokens(claim) == []


def test_placeholders() -> None:
    """They stand for their values: an amount is a number, all else is data."""
    assert tokens("the email is {email}") == [("data", "ann@example.org")]
    assert tokens("the quantity is {n}") == [("number", "7")]
    assert tokens("the price is {price}") == [("number", "€12.00")]
    assert tokens("{user} and {email} are shown")[0] == ("data", "Ann Lee")


COMPARED = [
    ("there are 3 rows", "="),
    ("there are exactly 3 rows", "="),
    ("there are at least 3 rows", ">="),
    ("there are 3 or more rows", ">="),
    ("there are no fewer than 3 rows", ">="),
    ("there are more than 3 rows", ">"),
    ("the number of rows exceeds 3", ">"),
    ("the price is over €3", ">"),
    ("the price is higher than €3", ">"),
    ("there are at most 3 rows", "<="),
    ("there are up to 3 rows", "<="),
    ("there are 3 or fewer rows", "<="),
    ("there are no more than 3 rows", "<="),
    ("there are not more than 3 rows", "<="),
    ("there are less than 3 rows", "<"),
    ("there are fewer than 3 rows", "<"),
    ("the price is under €3", "<"),
    ("the price is below €3", "<"),
    ("the price is > €3", ">"),
    ("the price is ≥ €3", ">="),
    ("the price is <= €3", "<="),
    ("there are 3+ rows", ">="),
]


@pytest.mark.parametrize(("claim", "sign"), COMPARED)
def test_comparisons(claim: str, sign: str) -> None:
    """How a number is compared is part of it, and its words deny nothing."""
    clause = one(claim)
    [token] = clause.tokens
    assert token.compared == sign
    assert Decimal(3) in token.values
    assert not clause.negated


@pytest.mark.parametrize(
    ("claim", "low", "high"),
    [
        ("there are between 3 and 5 rows", 3, 5),
        ("the price is between €10.00 and €20.00", 10, 20),
        ("the price is more than €10 and less than €20", 10, 20),
    ],
)
def test_between(claim: str, low: int, high: int) -> None:
    """A number between two others is compared with both."""
    found: dict[str, Token] = {t.compared[0]: t for c in read(claim, DATA) for t in c.tokens}
    assert set(found) == {"<", ">"}
    assert found[">"].values == {Decimal(low)}
    assert found["<"].values == {Decimal(high)}


NEGATED = [
    "no error is shown",
    "the total is not €5",
    "the total isn't €5",
    "the total isn’t €5",
    "nothing is in the cart",
    "the cart has no items",
    "there are no errors",
    "Mug cannot be bought",
    "Mug can't be bought",
    "the page is without errors",
    "the toast is no longer shown",
    "none of the orders is paid",
    "nobody is logged in",
    "the box is not checked",
    "the order was never paid",
    "kein Fehler wird angezeigt",
    "der Artikel ist nicht im Warenkorb",
    "aucune erreur n'est affichée",
    "la commande n'est pas payée",
    "no hay errores en el carrito",
]


@pytest.mark.parametrize("claim", NEGATED)
def test_negation(claim: str) -> None:
    """What is said not to be so is a negated clause."""
    assert any(clause.negated for clause in read(claim, DATA))


@pytest.mark.parametrize(
    "claim",
    [
        "the notes are shown",
        "the knot is shown",
        'the page says "no results"',
        "there are no more than 3 rows",
        "the nobility is listed",
        "order No. 5 is shown",
    ],
)
def test_no_negation(claim: str) -> None:
    """Neither a part of a word nor a quotation denies anything."""
    assert not any(clause.negated for clause in read(claim, DATA))


def test_a_denied_part_does_not_deny_the_other() -> None:
    """Negation is of one clause, and what follows keeps what it is about."""
    first, second = read("the Buy button is not disabled, but the Cancel button is disabled", DATA)
    assert (first.negated, second.negated) == (True, False)
    told = read("the total is not €5 but €6", DATA)
    assert [c.negated for c in told] == [True, False]
    assert "total" in told[1].words


WANTS = [
    ("all orders are paid", {"all"}),
    ("every row shows a price", {"all"}),
    ("each box is checked", {"all"}),
    ("only Mug is in the cart", {"only"}),
    ("nothing but Mug is in the cart", {"only"}),
    ("nothing else is in the cart", {"only"}),
    ("the first row is Mug", {"first"}),
    ("the last item is Cup", {"last"}),
    ("the second row is Mug", {"nth"}),
    ("the orders are sorted by date, newest first", {"sorted"}),
    ("the names are in alphabetical order", {"sorted"}),
    ("the prices are in descending order", {"sorted"}),
    ("the cheapest product is Cup", {"extreme"}),
    ("the product with the highest price is Cup", {"extreme"}),
    ("Mug comes before Plate", {"relative"}),
    ("the Save button is above the Cancel button", {"relative"}),
    ("alle Bestellungen sind bezahlt", {"all"}),
    ("nur die Tasse ist im Warenkorb", {"only"}),
    ("the cart shows 2 items", set()),
    ("the fallen are listed", set()),
    ("the ballast is shown", set()),
]


@pytest.mark.parametrize(("claim", "wants"), WANTS)
def test_quantifiers(claim: str, wants: set[str]) -> None:
    """Words that are about all of a kind, or about an order, ask for a check that can tell."""
    assert set().union(*(clause.wants for clause in read(claim, DATA))) >= wants
    if not wants:
        assert not any(clause.wants for clause in read(claim, DATA))


STATED = [
    ("the Buy button is disabled", "disabled"),
    ("the Buy button is enabled", "enabled"),
    ("the Gift box is checked", "checked"),
    ("the Gift box is ticked", "checked"),
    ("the Gift box is unchecked", "unchecked"),
    ("the menu is collapsed", "collapsed"),
    ("the email field is required", "required"),
    ("the email field is mandatory", "required"),
    ("the email field is empty", "empty"),
    ("the tab All is selected", "selected"),
    ("the dialog is hidden", "hidden"),
]


@pytest.mark.parametrize(("claim", "state"), STATED)
def test_states(claim: str, state: str) -> None:
    """A word for a state asks for a check of it."""
    assert one(claim).states == [state]


CLAUSES = [
    ("Buy is disabled and Cancel is enabled", ["disabled", "enabled"]),
    ("Buy is disabled; Cancel is enabled", ["disabled", "enabled"]),
    ("Buy is disabled, but Cancel is enabled", ["disabled", "enabled"]),
    ("Buy is disabled while Cancel is enabled", ["disabled", "enabled"]),
    ("Buy is disabled. Cancel is enabled.", ["disabled", "enabled"]),
]


@pytest.mark.parametrize(("claim", "states"), CLAUSES)
def test_clauses(claim: str, states: list[str]) -> None:
    """What says two things is read as two, each with its own words."""
    clauses = read(claim, DATA)
    assert [c.states for c in clauses] == [[s] for s in states]
    assert [[*c.words] for c in clauses] == [["Buy"], ["Cancel"]]


def test_names_with_and_are_one_thing() -> None:
    """An "and" within a quotation, or a full stop within a number, divides nothing."""
    assert len(read('the cart shows "Salt and Pepper"', DATA)) == 1
    assert len(read("the total is €41.00", DATA)) == 1
    assert len(read("the version is 1.2.3", DATA)) == 1


def test_words_that_must_be_found() -> None:
    """Words that only hold a sentence together are left out, all others are kept."""
    assert [*one("the basket shows 2 mugs").words] == ["basket", "mugs"]
    assert [*one("the toast is no longer shown").words] == ["toast"]
    assert [*one("the payment was declined").words] == ["payment", "declined"]


def test_dates_and_times() -> None:
    """They are tokens of their own and leave no numbers behind."""
    assert tokens("the order is of 4 March 2026") == [("date", "4 March 2026")]
    assert tokens("the order is of 04.03.2026") == [("date", "04.03.2026")]
    assert tokens("the meeting is at 12:30") == [("quote", "12:30")]


def test_addresses() -> None:
    """Addresses and paths mean just what they are."""
    assert tokens("the URL ends with /cart") == [("quote", "/cart")]
    assert tokens("the email is ann@example.org") == [("quote", "ann@example.org")]


def test_one_is_a_number_only_where_it_counts() -> None:
    """ "No one" and "one of" count nothing."""
    assert tokens("there is one item") == [("number", "one")]
    assert tokens("no one is logged in") == []
    assert tokens("one of the items is Mug") == []


@pytest.mark.parametrize(
    "claim",
    [
        "購物車有 2 件商品",
        "カートに 2 つあります",
        "в корзине 2 товара",
        "στο καλάθι υπάρχουν 2 είδη",
    ],
)
def test_other_languages(claim: str) -> None:
    """Where its small words are not known, numbers are, and each word stays to be named."""
    clause = one(claim)
    assert not clause.known
    assert [t.text for t in clause.tokens] == ["2"]
    assert clause.words


def test_nothing_to_check() -> None:
    """A claim of small words alone has nothing that a check could be about."""
    for claim in ("it is", "there is something", "..."):
        assert not any(c.tokens or c.words or c.states for c in read(claim, DATA))
