"""The activity of a page: whether it is at rest since its last action or load, and waiting for that."""

from __future__ import annotations

import itertools
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Error, Page, Request

from pytest_webtask.page import dom
from pytest_webtask.page.step_time import POLL, Deadline

FRAMES = 0.04
"""Seconds without a change after which a page is at rest: a little more than two frames."""
QUIET = 0.2
"""Seconds without a change after which a page has not just begun to react, as with a short timer."""
LATE = 0.5
"""Seconds that an action may take to show its first effect, and a text that is missing to appear."""
DEBOUNCED = 0.4
"""Seconds that pages wait for further keys or mouse moves before they react to one."""
KEYS = 0.06
"""Seconds in which a page has reacted to keys that does not wait for further ones."""
SENT = 2.0
"""Seconds in which a page may send by itself what was typed, where it did so before."""
CAP = 5.0
"""Seconds after which an action begins on a page that does not come to rest."""
VAIN = 4.0
"""Seconds after which a request that reads is one that no page awaits, or a loading sign decoration."""
ANSWERED = 0.5
"""Seconds that a frame has to answer a question."""
NOTED = 0.1
"""Seconds of waiting from which on the journal says what for."""
LONG_LIVED = 2.0
"""Seconds after which an open request is a stream, if it has begun to answer, or else, if it is older
than the last action, a long poll."""
_REQUESTS = 200
"""The number of requests that are remembered of a page."""
_BLIND = 0.25
"""Seconds after which a page is asked again that awaits answers."""
_EVENTS = 0.01
"""Seconds between two looks at the requests of a page, which come as events."""
_AWAITED = frozenset(("document", "script", "fetch", "xhr"))
_TIMES = ("still", "calm", "since", "moved", "watched", "moving")
_T = TypeVar("_T")


def is_gone(page: Page, error: Error | None = None) -> bool:
    """Return whether the page, its context or its browser was closed or has crashed."""
    return page.is_closed() or bool(re.search("crash|has been closed", str(error), re.IGNORECASE))


class Look(NamedTuple):
    """The activity of a page at an instant.

    `reason` is why it is not at rest, as the end of a sentence that begins with "the page", "" if it is.
    """

    reason: str = ""
    pause: float = FRAMES
    """Seconds until it may be at rest."""
    still: float = 0.0
    """Seconds since it last changed."""
    moves: bool = False
    """Whether something in it has just moved by itself."""
    awaited: tuple[str, ...] = ()
    """The requests that have not been answered, and the loading signs that are shown."""
    waits: bool = False
    """Whether it loads, or requests have not been answered."""
    over: bool = False
    """Whether the last action is over: the page is at rest, or another one was loaded, with its scripts."""

    @property
    def is_busy(self) -> bool:
        """Return whether more may come: the page loads, awaits answers or has just changed."""
        return self.waits or self.still < QUIET


@dataclass(eq=False)
class _Sent:
    """A request that a page may await, and when it was noticed and found `done`; its properties are slow to read."""

    request: Request
    at: float
    done: float = inf
    timing: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.url, self.method = self.request.url, self.request.method
        self.kind = self.request.resource_type
        self.name = f"{self.method} {self.url.partition('?')[0]}"
        """Its method and address without the query."""
        self.navigates = self.request.is_navigation_request()

    def look(self, now: float) -> bool:
        """Look whether it has ended; return whether it just did."""
        if self.is_done:
            return False
        self.timing = {**self.request.timing}
        if self.timing["responseEnd"] >= 0 or self.request.failure:
            self.done = now
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Return whether it was found to have ended."""
        return self.done < inf

    @property
    def reads(self) -> bool:
        """Return whether it asks for data or a document."""
        return self.method == "GET" and self.kind != "script"

    @property
    def has_answer(self) -> bool:
        """Return whether an answer has begun."""
        return bool(self.timing["responseStart"] >= 0)

    @property
    def age(self) -> float:
        """Return the seconds since its answer ended."""
        since = Deadline.clock() - self.done
        if self.timing["startTime"] <= 0 or self.timing["responseEnd"] < 0:
            return since
        # The clock of a remote browser may be another one.
        ended = self.timing["startTime"] + self.timing["responseEnd"]
        return max(_seconds(1000 * time.time() - ended), since)


_DATA = re.compile(r"application/(json|x-www)|text/")
"""The types of what pages send by themselves, such as what users do, and no file."""
_ids = itertools.count()
_vain: WeakKeyDictionary[Browser | BrowserContext, set[str]] = WeakKeyDictionary()
"""What is not awaited in a browser: requests that were awaited in vain, and loading signs."""
_activities: WeakKeyDictionary[Page, Activity] = WeakKeyDictionary()


def activity_of(page: Page) -> Activity:
    """Return the activity of a page, which is watched from the first call on."""
    if page not in _activities:
        _activities[page] = Activity(page)
    return _activities[page]


class Activity:
    """The activity of a page since the last action on it.

    A page is at rest once its document is loaded, the requests that began have been answered, nothing
    has changed for a moment, and no loading sign and no short animation is shown. What moves without
    end and what streams is not awaited. An action that usually shows an effect is given half a second
    for its first one.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._sent: deque[_Sent] = deque(maxlen=_REQUESTS)
        page.on("request", self._note)
        # A request knows of its answer and its end only where somebody listens to them.
        for event in ("response", "requestfinished", "requestfailed"):
            page.on(event, lambda _: None)
        with suppress(Error):
            for each in page.requests():
                self._note(each)
        self._acted = Deadline.clock()
        self._shows = self._acts = False
        self._debounced = 0.0
        self._pressed = -inf
        """When keys were last pressed, or the mouse was moved."""
        self.debounce = DEBOUNCED
        """Seconds that the page gets to react to keys."""
        self._keys, self._cut, self.came_late = False, False, False
        self._moments: dict[str, Mapping[str, Any]] = {}
        """The answer of each document before the last action."""
        self.moment: dict[str, Mapping[str, Any]] = {}
        """The time of the last look, on the clock of each document, and the presses until then."""
        self.about: dict[str, Any] | None = None
        """What the next question asks about the page, too."""
        self.since: dict[str, float] = {}
        """When the step began, by the clocks of the documents that were there."""
        self._begins = False
        self._reply: Mapping[str, Any] | None = None
        """What it was answered, which no look has used yet."""
        self._asked_at = 0.0
        self._loads = False
        self.calm = 0.0
        """The seconds since the page last changed, was pressed or typed into, at the last look."""
        self._asked: Mapping[str, int] = {}
        """How often each address had been asked for before the last action."""
        self._signs: dict[str, float] = {}
        """The loading signs, and since when each is shown."""
        self.kept: dict[tuple[str, int], Mapping[str, Any]] = {}
        """What the elements hold that are kept an eye on, by document and number."""
        self._notes: list[str] = []

    @property
    def _vain(self) -> set[str]:
        return _vain.setdefault(self._page.context.browser or self._page.context, set())

    def take_notes(self) -> list[str]:
        """Return what was awaited since this was last called, in words."""
        notes, self._notes = self._notes, []
        return notes

    def note_wait(self, seconds: float, reason: str) -> None:
        """Note that something was awaited; what takes no longer than a look is not worth it."""
        if seconds > NOTED:
            reason = reason or "had just changed, or did not show it yet"
            self._notes.append(f"waited {seconds:.1f} s: the page {reason}")

    def begin(self, *, shows: bool = False, fresh: float = 1.0) -> None:
        """Note that an action, or a load, begins.

        It `shows` if such actions usually show an effect. An answer of the page is `fresh` for so many seconds.
        """
        now, was_typed = Deadline.clock(), self._pressed >= self._acted
        self._cut |= was_typed and now - self._pressed < DEBOUNCED
        self._acted, self._shows, self._acts, self._reply = now, shows, shows, None
        if self._acted - self._asked_at > fresh:
            with suppress(Error):
                self._ask()
        self._moments, self._begins = dict(self.moment), False
        self._asked = Counter(each.url for each in self._sent)

    def note_typed(self) -> None:
        """Note that keys were pressed or the mouse was moved, to which pages react with a delay."""
        self._pressed, self._keys, self._cut = Deadline.clock(), True, False
        self._debounced = self._pressed + self.debounce

    def await_keys(self) -> None:
        """Have a finding wait for all that the page may do after keys, unless it has left the document since."""
        loads = (each for each in self._sent if each.navigates and _is_of(self._page, each.request))
        if not any(each.at > self._pressed for each in loads):
            self._debounced = self._pressed + DEBOUNCED

    def mark(self) -> None:
        """Note that a step begins: what appears from now on is news.

        A document that has not been asked yet is, before the first action.
        """
        passed = 1000 * (Deadline.clock() - self._asked_at) / Deadline.pace
        self.since = {document: last["now"] + passed for document, last in self.moment.items()}
        self._begins = True

    def begin_step(self) -> None:
        """Forget how the page has reacted to keys."""
        self.debounce = DEBOUNCED
        self._keys, self._cut, self.came_late = False, False, False

    def _note_changes(self, answers: Sequence[Mapping[str, Any]], still: float) -> None:
        """Note when the page last changed, and whether it has done something by itself after keys."""
        presses = [each["since"] for each in answers if each["since"] is not None]
        self.calm = min([_least(answers, "calm"), still, *presses])
        if self._pressed >= self._acted:
            late = self._pressed + KEYS
            changed = Deadline.clock() - still
            self.came_late |= changed > late or any(each.at > late for each in self._sent)

    @property
    def was_quiet(self) -> bool:
        """Return whether the page was given the time to react to keys in this step, and has done nothing by itself."""
        return self._keys and not (self.came_late or self._cut)

    def note_effect(self) -> None:
        """Note an effect of the action outside of the page, such as a new tab."""
        self._shows = self._acts = False

    def ask_along(self, quiet: float = FRAMES, *, finds: bool = False, waits: bool = True) -> None:
        """Have the next question ask the page, too, whether it is at rest, and if it `waits`, wait for that."""
        still, self._reply = 1000 * quiet / Deadline.pace, None
        self.about = {
            "id": next(_ids),
            "patience": max(1000 * dom.PATIENCE, still + 100) if waits else 0,
            "quiet": still,
            "before": self._moments,
            "signs": still,
            "shows": self._shows and Deadline.clock() < self._acted + LATE,
            "finds": finds,
        }

    def hear(self, answer: Mapping[str, Any]) -> None:
        """Take what the page has answered to a question about its rest."""
        self._reply, self._asked_at = answer, Deadline.clock()

    def pass_time(self, seconds: float, *, finds: bool = False) -> None:
        """Let the time pass in which no look can find the page at rest, at most until the next look is due."""
        if finds and (typed := min(self._debounced - Deadline.clock(), seconds)) > 0:
            Deadline(typed).pause(self._page, typed)
        deadline = Deadline(min(seconds, _BLIND))
        while self._requests()[0] and not deadline.is_over:
            deadline.pause(self._page, _EVENTS)

    def look(self, quiet: float = FRAMES, *, finds: bool = False, waits: bool = False) -> Look:
        """Return whether the page is at rest, and has not changed for `quiet` seconds.

        A look that `finds` something also waits for reactions to what was typed; one that `waits`, for rest.
        """
        try:
            if self._reply is None:
                self.ask_along(quiet, finds=finds, waits=waits and not self._requests()[0])
            answers = self._ask()
        except Error as error:
            if is_gone(self._page, error):
                return Look()
            return Look("was still loading or not responding", waits=True)
        if self._is_new_page:
            # What was typed was typed into the page before.
            self._debounced = 0.0
        self._loads = bool(answers[0]["loading"])
        if self._loads:
            return Look("was still loading or not responding", waits=True)
        still, moves = _least(answers, "still"), _least(answers, "moved") < LATE
        self._note_changes(answers, still)
        pending, answered = self._requests()
        if pending:
            names = tuple(sorted(each.name for each in pending))
            reason = f"was still waiting for {names[0]}"
            over = self._is_new_page and all(each.reads for each in pending)
            return Look(reason, POLL, still, moves, names, waits=True, over=over)
        settled = min(still, answered)
        reason, pause = self._unrest(answers, settled, quiet, finds=finds)
        if reason:
            return Look(reason, pause, still, moves)
        now = Deadline.clock()
        signs = set(answers[0]["signs"]) - self._vain
        self._signs = {sign: self._signs.get(sign, now) for sign in signs}
        if signs:
            return Look("was still showing that it loads", 0.1, still, moves, tuple(signs))
        return Look("", 0.0, still, moves, over=True)

    def _unrest(
        self, answers: Sequence[Mapping[str, Any]], settled: float, quiet: float, *, finds: bool
    ) -> tuple[str, float]:
        """Return why the page moves although it awaits nothing, and until when; "" if it does not."""
        now = Deadline.clock()
        if self._shows and not self._reacted(answers, "reacted"):
            if (left := self._acted + LATE - now) > 0:
                return "had not reacted to the last action yet", min(left, 0.05)
            self._shows = False
        if self._shows:
            settled = min(settled, _least(answers, "calm"))
        if finds:
            # What changed before a page was watched is not known.
            settled = min(settled, _least(answers, "watched"))
        if settled < quiet:
            return "was still changing", quiet - settled
        if moving := max(map(itemgetter("moving"), answers)):
            return "was still moving", min(moving, 0.1)
        if finds and self._debounced > now:
            return "had no time to react to what was typed", self._debounced - now
        return "", 0.0

    def await_rest(
        self, quiet: float = FRAMES, cap: float | None = None, *, finds: bool = False
    ) -> None:
        """Wait until the page is at rest, at most `cap` seconds, and note what was awaited."""
        began, deadline = Deadline.clock(), Deadline(CAP if cap is None else cap)
        look, reason = Look(), ""
        # A page that was closed is awaited no longer.
        with suppress(Error):
            while True:
                self.pass_time(deadline.left, finds=finds)
                look = self.look(quiet, finds=finds, waits=True)
                if not look.reason or deadline.is_over:
                    break
                reason = look.reason
                deadline.pause(self._page, look.pause)
        self.give_up(look)
        self.note_wait(Deadline.clock() - began, look.reason or reason)

    def give_up(self, look: Look) -> None:
        """Note what has been awaited in vain for long: later ones like it are not awaited."""
        then = Deadline.clock() - VAIN
        late = {
            each.name
            for each in self._sent
            if each.at < then and each.method == "GET" and not each.is_done
        }
        late |= {sign for sign, since in self._signs.items() if since < then}
        self._vain.update(late.intersection(look.awaited))

    @property
    def _is_new_page(self) -> bool:
        return not self.moment.keys() & self._moments.keys()

    def has_come(self, added: float | None) -> bool:
        """Return whether an element that was `added` or opened so many milliseconds ago has come since the last action.

        What a page was loaded with has not: answers may still fill it, or scripts attach their listeners.
        """
        if self._loads or self._is_new_page or added is None:
            return False
        return _seconds(added) < Deadline.clock() - self._acted

    def awaits_page(self) -> bool:
        """Return whether another document was requested and has not been answered."""
        self._requests()
        return any(
            each.navigates and not each.is_done and not each.has_answer
            for each in self._sent
            if _is_of(self._page, each.request)
        )

    def has_reacted(self) -> bool:
        """Return whether the page has reacted to the last action, or may have.

        It has if it has changed, moved the focus, taken an input, loaded or sent a request.
        """
        with suppress(Error):
            return self._reacted(self._ask(), "changed")
        return True

    def has_sent_late(self) -> bool:
        """Return whether the page has sent a request by itself, some time after something was typed."""
        late = [each for each in self._sent if each.at > self._acted + QUIET]
        return self._debounced >= self._acted and any(map(self._is_new, late))

    def await_sent(self) -> None:
        """Wait until the page has sent by itself what was typed."""
        began, deadline = Deadline.clock(), Deadline(SENT)
        while not any(map(self._is_new, self._sent)) and not deadline.is_over:
            deadline.pause(self._page)
        self.note_wait(Deadline.clock() - began, "had not sent what was typed")

    def read_kept(self) -> Mapping[tuple[str, int], Mapping[str, Any]]:
        """Return what the elements hold now that are kept an eye on."""
        with suppress(Error):
            self._ask()
        return self.kept

    def is_idle(self) -> bool:
        """Return whether the last action, of a kind that usually shows an effect, has shown none."""
        return self._acts and not self.has_reacted()

    def has_received(self) -> bool | None:
        """Return whether a document has received a press of a mouse or key, None if that is not known."""
        try:
            answers = self._ask()
        except Error:
            return None
        passed = Deadline.clock() - self._acted
        received: list[bool | None] = []
        for each in answers:
            noticed = each["received"]
            if noticed is None:
                noticed = each["since"] is not None and each["since"] <= passed
            received.append(noticed or each["pressed"])
        return None if None in received and True not in received else True in received

    def _reacted(self, answers: Sequence[Mapping[str, Any]], field: str) -> bool:
        is_new = any(each["document"] not in self._moments for each in answers)
        if not self._moments or is_new or any(map(self._is_new, self._sent)):
            return True
        # What is not known of a frame may be.
        return any(each[field] is not False for each in answers)

    def _note(self, request: Request) -> None:
        if (sent := _Sent(request, Deadline.clock())).kind in _AWAITED:
            self._sent.append(sent)

    def has_uploaded(self, since: float) -> bool:
        """Return whether a file was sent, and taken, since a moment of the world's clock."""
        for each in self._sent:
            is_file = not _DATA.match(each.request.headers.get("content-type", ""))
            is_new = each.request.timing["startTime"] / 1000 >= since
            if each.method in ("POST", "PUT", "PATCH") and is_new and is_file:
                answer = each.request.existing_response
                if answer and answer.status < 400:
                    return True
        return False

    def _is_new(self, sent: _Sent) -> bool:
        """Return whether a request came since the last action, and the page does not repeat it by itself."""
        is_once = sent.method != "GET" or self._asked.get(sent.url, 0) < 2
        return sent.at >= self._acted and is_once

    def _ask(self) -> list[dict[str, Any]]:
        """Return the answers of the frames, first that of the page, as `ask_along` has asked for it."""
        if self._reply is None:
            if self.about is None:
                self.ask_along(VAIN, waits=False)
            dom.call(self._page.main_frame, "origin", timeout=CAP, along=self)
        assert self._reply is not None, "the answer to a question has what was asked along with it"
        main, self._reply, self.about = self._reply, None, None
        answers, about = [main, *(main["frames"] or ())], {"before": self._moments}
        # Those of other processes cannot be asked from the page, nor can any in other browsers.
        for frame in self._page.frames[1:] if len(answers) != len(self._page.frames) else ():
            with suppress(Error):
                answers.append(dom.call(frame, "activity", about, ANSWERED))
        answers = [*map(_on_clock, answers)]
        self.kept = {(a["document"], each["number"]): each for a in answers for each in a["kept"]}
        self.moment = {
            a["document"]: {"now": a["now"], "presses": a["presses"], "values": a["values"]}
            for a in answers
        }
        if self._begins:
            self.since = {
                document: last["now"] for document, last in self.moment.items()
            } | self.since
        return answers

    def _requests(self) -> tuple[list[_Sent], float]:
        """Return the requests that have not been answered, and the seconds since the last answer."""
        now = Deadline.clock()
        for each in self._sent:
            if each.look(now) and 0 <= _seconds(each.timing["responseEnd"]) < CAP:
                self._vain.discard(each.name)
        pages = [at for at, each in enumerate(self._sent) if self._is_page(each)]
        # Requests of the page before have ended with it.
        own = [*self._sent][max(pages, default=0) :]
        ages = [each.age for each in own if each.is_done and each.at >= self._acted]
        return [each for each in own if self._is_awaited(each)], min(ages, default=inf)

    def _is_awaited(self, sent: _Sent) -> bool:
        """Return whether a request has not been answered, is no stream, and was not awaited in vain before."""
        if sent.is_done or sent.name in self._vain or self._is_page(sent):
            return False
        if sent.has_answer:
            began = float(sent.timing["startTime"] + sent.timing["responseStart"])
            return _seconds(1000 * time.time() - began) <= LONG_LIVED
        return self._acted - sent.at <= LONG_LIVED

    def _is_page(self, sent: _Sent) -> bool:
        """Return whether a request is for the document of the page, which has been answered."""
        here = self._page.url.partition("#")[0]
        return sent.navigates and sent.url == here and sent.has_answer


@dataclass
class _Finding:
    """What is found on a page again and again, until it counts; see `find`."""

    answer: Any = ()
    since: float = inf
    """When this answer was first accepted."""

    def take(self, answer: Any, accepted: bool) -> None:
        """Take an answer."""
        if not accepted or answer != self.answer:
            self.since = inf
        if accepted:
            self.since = min(self.since, Deadline.clock())
        self.answer = answer

    def counts(self, look: Look, *, at_rest: bool, final: bool) -> bool:
        """Return whether the answer is accepted, and was so half a second before, or nothing moves."""
        is_same = Deadline.clock() - self.since >= LATE
        return (is_same and (at_rest or final)) or (at_rest and not look.moves and self.since < inf)


def find(
    page: Page,
    seconds: float,
    ask: Callable[[bool], tuple[_T, bool]],
    *,
    quiet: Callable[[Any], float] = lambda _: FRAMES,
    claims: bool = True,
) -> tuple[_T, str]:
    """Return what `ask` answers on the page at rest, once it is accepted or the time is up.

    `ask` takes whether its answer is the last one, and returns it with whether it is accepted; `quiet`
    returns for how many seconds the page must not have changed for an answer, or () before the first. An
    answer that `claims` nothing about the page is accepted once the last action is over, without the time to
    react to what was typed. On a page that never rests an answer is accepted that is the same half a second
    later. The second part says why the page was not at rest then, "" if it was.
    """
    activity, deadline, began = activity_of(page), Deadline(seconds), Deadline.clock()
    finding, reason = _Finding(), ""
    while True:
        final = deadline.is_over
        if claims or finding.answer != ():
            with suppress(Error):  # A page that was closed is asked, for its error.
                activity.pass_time(deadline.left, finds=claims)
        activity.ask_along(max(FRAMES, quiet(finding.answer)), finds=claims, waits=not final)
        asked = Deadline.clock()
        finding.take(*ask(final))
        if activity.about is None:
            # Its questions have asked along.
            asked = inf
        look = activity.look(finds=claims)
        reason = look.reason or reason
        still, needed = min(look.still, activity.calm), quiet(finding.answer)
        is_unchanged = still >= needed and Deadline.clock() - look.still <= asked
        at_rest = (look.over and not claims) or (is_unchanged and not look.reason)
        if finding.counts(look, at_rest=at_rest, final=final):
            activity.note_wait(Deadline.clock() - began, reason)
            return finding.answer, "" if at_rest else look.reason
        # An answer that is accepted on a page that does not rest is asked for once more.
        if final and (finding.since == inf or Deadline.clock() > deadline.end + CAP):
            activity.give_up(look)
            return finding.answer, look.reason
        pause = look.pause if look.reason else max(needed - still, POLL)
        deadline.pause(page, pause, over=True)


def _seconds(milliseconds: float) -> float:
    return milliseconds / 1000 * Deadline.pace


def _on_clock(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer of a document with its times in seconds on the clock of waits."""
    times = {name: answer[name] for name in _TIMES if answer[name] is not None}
    return {**answer, **{name: _seconds(ms) for name, ms in times.items()}}


def _least(answers: Sequence[Mapping[str, Any]], name: str) -> float:
    return float(min(map(itemgetter(name), answers)))


def _is_of(page: Page, request: Request) -> bool:
    """Return whether a request for a document is for that of the page, not of a frame in it."""
    with suppress(Error):
        return request.frame == page.main_frame
    return True  # its frame does not exist yet
