"""Parts of a prompt in less and less detail, until they fit its budget."""

from collections.abc import Callable, Sequence
from typing import TypeVar

_Part = TypeVar("_Part")
_Form = TypeVar("_Form")


def fit(
    parts: Sequence[_Part],
    forms: Sequence[Callable[[_Part], _Form]],
    size: Callable[[_Form], int],
    budget: int,
) -> list[_Form]:
    """Return each part in the first of `forms`, and in later ones until all of them fit the budget.

    The first parts are cut first. If all of them in the last form do not fit, that is what is returned.
    """
    shown = [*map(forms[0], parts)]
    left = budget - sum(map(size, shown))
    for form in forms[1:]:
        for at, part in enumerate(parts):
            if left >= 0:
                return shown
            left += size(shown[at])
            shown[at] = form(part)
            left -= size(shown[at])
    return shown
