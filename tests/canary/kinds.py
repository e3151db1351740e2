"""Random secrets of several kinds."""

import datetime
import random
import string

_SIGNS = "\"'<>&%+/\\?#=;{}$ü"


def random_secrets(seed: int) -> dict[str, str]:
    """Return a secret of each kind, the same ones for the same seed."""
    dice = random.Random(seed)

    def some(signs: str, number: int) -> str:
        return "".join(dice.choices(signs, k=number))

    words = [some(string.ascii_letters, 3) + some("äöüßéÅ", 1) for _ in range(3)]
    # A backslash before a letter may read as an escape, such as \xca, in which a search finds no password.
    between = [some(_SIGNS, 1) + some(_SIGNS.replace("\\", ""), 1) for _ in range(2)]
    born = datetime.date(1930, 1, 1) + datetime.timedelta(days=dice.randrange(15_000))
    return {
        "password": f"{words[0]}{between[0]}{words[1]}{between[1]}{words[2]}{some(_SIGNS, 1)}9",
        "card": f"4{some(string.digits, 15)}",
        "iban": f"DE{some(string.digits, 20)}",
        "token": f"tok_{some(string.ascii_letters + string.digits, 9)}-{some(string.ascii_letters + string.digits, 10)}",
        "birthday": born.isoformat(),
        "balance": f"{dice.randrange(2_000_000, 9_000_000)}.{dice.randrange(11, 99)}",
    }
