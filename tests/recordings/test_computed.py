"""Days, ids and parts of values in recordings: a later run has those of its own."""

from collections.abc import Iterator

import pytest

from tests.inner import Project, project

pytestmark = pytest.mark.slow

CLOCK = """
@pytest.fixture(autouse=True)
def _at_noon(page):
    page.clock.set_fixed_time(open("today.txt").read() + "T12:00:00")
"""
# Bookings are shown as an English text, which the sentence does not write; a fault books another day.
BOOKING = """<title>Booking</title><h1>Booking</h1>
<label>From <input type=date id=from></label><label>Reference <input id=ref></label>
<button onclick="book()">Book</button><p role=status id=said></p><p role=note id=made></p>
<script>function book() {
  const day = new Date(document.getElementById("from").value + "T12:00:00");
  day.setDate(day.getDate() + %d);
  said.textContent = "Booked for " + day.getDate() + " " + day.toLocaleString("en", { month: "long" }) + " " +
    day.getFullYear();
  made.textContent = "Reference " + document.getElementById("ref").value;
}</script>"""
PLAYS = """
"book for {today+7d} as {uuid}": [
    [act("fill", "textbox:From", text="{today+7d}"), act("fill", "textbox:Reference", text="{uuid}"),
     act("click", "button:Book")],
    done(text("status:Booked", "Booked for SHOWN")),
],
"it is booked for {today+7d:%d.%m.%Y}": [holds(text("status:Booked", "Booked for SHOWN"))],
"the booking has a day": [holds(text("status:Booked", "Booked for SHOWN"))],
"the reference is {uuid}": [holds(text("note:Reference", "Reference {uuid}"))],
"{user.name} books": [
    act("fill", "textbox:Reference", text="{user.name}"),
    done({"kind": "value", "element_id": "textbox:Reference", "value": "{user.name}"}),
],
"""
TEST = """
def test_booking(webtask):
    webtask.goto("/")
    webtask.do("book for {today+7d} as {uuid}")
    webtask.verify("it is booked for {today+7d:%d.%m.%Y}")
    webtask.verify("the booking has a day")
    webtask.verify("the reference is {uuid}")
    webtask.do("{user.name} books", data={"user": {"name": open("user.txt").read()}})
"""


@pytest.fixture(scope="module")
def booking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A recorded booking of one day."""
    plays = PLAYS.replace("SHOWN", "31 December 2026")
    with project(tmp_path_factory.mktemp("booking"), plays, TEST, CLOCK) as inner:
        on(inner, "2026-12-24", "Ann", 0)
        inner.passes()
        yield inner


def on(inner: Project, day: str, user: str, fault: int) -> None:
    """Set the day, the user, and by how many days the page books another one."""
    inner.write("today.txt", day)
    inner.write("user.txt", user)
    inner.site.pages["/"] = BOOKING % fault


def test_recording_has_placeholders(booking: Project) -> None:
    """No day, id or name of the first run is in the file, also where the page writes the day in its own way."""
    text = booking.file("test_booking").read_text()
    for name in ("{today+7d}", "{uuid}", "{user.name}", "{today+7d:_day_day_month}"):
        assert name in text
    assert "2026-12-31" not in text and "31 December" not in text and "Ann" not in text


@pytest.mark.parametrize(("day", "user"), [("2027-02-25", "Ann"), ("2026-12-24", "Bob")])
def test_replay_has_the_values_of_its_own_run(booking: Project, day: str, user: str) -> None:
    """Without a model, the day is counted from the day of the replay, and the name is that of its data."""
    on(booking, day, user, 0)
    booking.replays()


def test_wrong_day_is_a_failure(booking: Project) -> None:
    """A page that books another day than the one that was typed fails in the replay."""
    on(booking, "2027-02-25", "Ann", 1)
    run = booking.run(ci="true")
    assert run.outcomes == {"test_booking": "failed"}, run.printed
    assert "5 March 2027" in run.printed


def test_day_of_the_recording_is_a_failure_later(booking: Project) -> None:
    """A page that still shows the day of the recording fails on another one."""
    on(booking, "2027-01-24", "Ann", -31)
    run = booking.run(ci="true")
    assert run.outcomes == {"test_booking": "failed"}, run.printed
