"""What a replay notes about elements that have moved."""

from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.recordings.progress import ReplayProgress
from tests.recordings.made import ITEMS, Line, call, step, target

ADD, NEW = (f'get_by_role("link", name="{name}", exact=True)' for name in ("Add", "New"))


def link(*more: str, main: str = "main") -> Line:
    """A link with further locators."""
    given = target(ADD, {"role": "link", "name": "Add"}, marks={"in": main})
    return {**given, "locators": [ADD, *more]}


def test_element_with_other_further_locators_is_the_same() -> None:
    """An element that has moved is replaced in each call that it has, not in those of another."""
    calls = [link(), link('locator("[href]")'), link(main="dialog")]
    done = step(*(call("click", on) for on in calls), evidence=[ITEMS])
    recorded = RecordedStep.model_validate(done)
    progress = ReplayProgress(recorded)
    old = recorded.calls[0].targets["element_id"]
    progress.relocate(old, old.model_copy(update={"locators": (NEW,)}), 'link "New"')
    current = [progress.current(each).targets["element_id"] for each in recorded.calls]
    assert [each.locator for each in current] == [NEW, NEW, ADD]
