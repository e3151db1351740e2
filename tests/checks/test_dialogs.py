"""What the browser's own dialogs said can be claimed after they have been answered."""

import pytest

from pytest_webtask.errors import VerificationFailed
from tests.checks.desk import Desk

PAGE = """<button onclick="alert('Saved 3 items')">Save</button>
<button onclick="confirm('Delete Bob?')">Delete</button><button>Nothing</button>
<button onclick="setTimeout(() => alert('Late'), 900)">Later</button>"""


def test_dialog_is_claimed_after_the_step_that_opened_it(desk: Desk) -> None:
    """The alert or question of the last step that acted counts, with its text and type, and no other."""
    desk.show(PAGE)
    desk.webtask.do('click "Save"')
    desk.webtask.verify('the alert "Saved 3 items" was shown')
    with pytest.raises(VerificationFailed, match='the page has alert "Saved 3 items"'):
        desk.webtask.verify('the alert "Saved 13 items" was shown', timeout=0)
    with pytest.raises(VerificationFailed):
        desk.webtask.verify('a confirm "Saved 3 items" was shown', timeout=0)
    desk.webtask.do('click "Nothing"')
    with pytest.raises(VerificationFailed, match="the page has nothing"):
        desk.webtask.verify('the alert "Saved 3 items" was shown', timeout=0)
    desk.webtask.do('click "Delete" and dismiss the dialog')
    desk.webtask.verify('a confirm "Delete Bob?" was shown')


def test_late_alert_is_awaited(desk: Desk) -> None:
    """An alert that comes while it is claimed counts."""
    desk.show(PAGE)
    desk.webtask.do('click "Later"')
    desk.webtask.verify('the alert "Late" was shown')
