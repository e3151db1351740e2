"""CallReplay: repeats the calls of a recorded step, and knows whether the page has reacted to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page.activity import FRAMES, QUIET, activity_of
from pytest_webtask.page.recorded_element import Lack, Missing, RecordedElement
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.recordings.healing import Healer
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.recordings.resolver import CheckRequest, RecordingResolver
from pytest_webtask.tools.navigation import find_tool
from pytest_webtask.types.agent import Decision, ProposedToolCall, ToolCall, Turn

_RECEIVED = {True: " (the page received it)", False: " (the page received no event)", None: ""}


def decision(
    tool: str,
    parameters: Mapping[str, Any],
    locators: Mapping[str, RecordedElement] = MappingProxyType({}),
    seconds: float = 0.0,
) -> Decision:
    """Return a call of the recording with its elements, whose checks may take `seconds` to hold."""
    call = ProposedToolCall(tool, parameters, "as recorded", locators, waits=seconds)
    return Decision([call], model="recording", decided_by="recording")


def last_call(turn: Turn) -> ToolCall | None:
    """Return the call that was made last in this step, None before the first."""
    for iteration in reversed(turn.iterations):
        if iteration.calls:
            return iteration.calls[-1]
    return None


def _action(call: RecordedCall) -> str:
    return " ".join((call.tool, *(target.describe() for target in call.targets.values())))


def _is_by_event(call: RecordedCall) -> bool:
    """Return whether a call sends events to the page, as a click does and a fill does not."""
    tool = find_tool(call.tool)
    return tool is not None and tool.by_event


@dataclass
class CallReplay:
    """Repeats the calls of a recorded step, one after the other."""

    progress: ReplayProgress
    resolver: RecordingResolver
    healer: Healer
    missed_load: bool = field(default=False, init=False)
    """Whether a page was loaded after a call in the recording, but not in the replay."""
    _loads: int = field(default=0, init=False)
    """The number of pages that had been loaded before the last call."""
    _page: Page | None = field(default=None, init=False)
    _coming: dict[str, tuple[str, RecordedElement]] = field(default_factory=dict, init=False)
    """The elements of the next call, if they have been asked for already."""
    _tried_twice: int = field(default=0, init=False)
    """The number of the last call that was made a second time."""

    def advance(self, turn: Turn) -> RecordedCall | None:
        """Return the next call, None after the last. Raises Missing if the one before has failed."""
        progress, last = self.progress, last_call(turn)
        if last is not None and not (last.success or last.ends):
            lack: Lack = "effect" if last.in_vain else "element"
            raise Missing(f"{self._undone(last.tool)} failed: {last.error}", lack=lack)
        if progress.done and progress.done[-1].loads:
            self._await_load(turn)
        for call in progress.step.calls[len(progress.done) :]:
            progress.done.append(call)
            tool = find_tool(call.tool)
            is_pause = tool and tool.waits and not call.parameters.get("text")
            if not is_pause:
                return call
            # The next call or check waits for its own elements.
            progress.waited = float(call.parameters.get("seconds") or 0)
        return None

    def _undone(self, tool: str) -> str:
        """Return in words the call that has failed, for which a model that takes over makes another one."""
        done = self.progress.done
        if not done or done[-1].tool != tool:
            return tool
        words = self._described(done[-1])
        done.pop()
        return words

    def _await_load(self, turn: Turn) -> None:
        """Wait until a page has loaded, because the previous one may look like the expected one."""
        deadline = Deadline(turn.left(turn.timeout))
        while turn.loads() == self._loads and not deadline.is_over:
            deadline.pause(turn.page, FRAMES)
        self.missed_load |= turn.loads() == self._loads

    def repeat(self, call: RecordedCall, turn: Turn) -> Decision:
        """Return an action on its current elements. Raises Missing."""
        session = self.resolver.context.session
        if any(each.check.time == "step" for each in self.progress.step.every_evidence):
            # The page settles as it did when the step was recorded, and its messages may go with it.
            # Before the first call, it is only watched for its requests.
            last = last_call(turn)
            session.rest(QUIET if last else FRAMES)
            if last:
                session.observer.vanished.note_messages(turn.page, last.tool)
        # Watch first, so that no event is missed between the lookup and the call.
        session.watch()
        if call.awaits:
            activity_of(turn.page).await_sent()
            self._coming = {}
        locators: dict[str, RecordedElement] = {}
        parameters = {**self.resolver.parameters(call), **self._found(call, turn, locators)}
        self._settle(call)
        self.progress.waited = 0.0
        self._loads = turn.loads()
        self._page = turn.page
        return decision(call.tool, parameters, locators)

    def _found(
        self, call: RecordedCall, turn: Turn, locators: dict[str, RecordedElement]
    ) -> dict[str, str]:
        """Find the elements of a call for its parameters; return what names them there. Raises Missing."""
        context = self.resolver.context
        names: dict[str, str] = {}
        elements, self._coming = self._coming or self._elements(call), {}
        for parameter, (code, element) in elements.items():
            try:
                match = element.look(
                    turn.left(turn.timeout + self.progress.waited),
                    busy_timeout=turn.left(context.busy_timeout),
                    fills=not _is_by_event(call),
                )
            except Missing as error:
                self._settle(call)
                names[parameter] = self._moved(call, parameter, element, error, turn)
                continue
            names[parameter] = code
            locators[parameter] = element.with_found(match)
            if match["way"]:
                target = call.targets[parameter]
                found = target.locators[match["way"]]
                context.note_recovery("another locator", f"{found}, not {target.locator}")
        if not names and not all(each.is_read for each in context.effects.made):
            activity_of(turn.page).read_kept()
        return names

    def _elements(self, call: RecordedCall) -> dict[str, tuple[str, RecordedElement]]:
        request, data = CheckRequest(), self.resolver.context.data
        texts = [each for each in call.parameters.values() if isinstance(each, str)]
        is_secret, keeps = any(map(data.uses_secret, texts)), call.tool == "fill"
        elements: dict[str, tuple[str, RecordedElement]] = {}
        for parameter, target in call.targets.items():
            code = self.resolver.name(target, request)
            element = replace(request.locators[code], is_secret=is_secret, keeps=keeps)
            elements[parameter] = (code, element)
        return elements

    def coming(self) -> list[RecordedElement]:
        """Return the elements of the next call, which are then asked for together with others."""
        calls, done = self.progress.step.calls, len(self.progress.done)
        self._coming = self._elements(calls[done]) if done < len(calls) else {}
        return [element for _, element in self._coming.values()]

    def _settle(self, call: RecordedCall) -> None:
        """Raise Missing if what was entered before a call does not stand in its field."""
        context = self.resolver.context
        if problem := context.effects.settle(context.session.tabs, context.data.scrub):
            place = self._described(call)
            self.progress.done.pop()
            raise Missing(f"before {place}: {problem}", lack="effect")

    def _moved(
        self,
        call: RecordedCall,
        parameter: str,
        element: RecordedElement,
        error: Missing,
        turn: Turn,
    ) -> str:
        """Return the id of the moved element of the next call. Raises Missing."""
        message = f"{self._described(call)}: {error}"
        self.progress.done.pop()
        # What an action without effect did not bring must not be found elsewhere.
        if idle := self.idle_call(turn):
            details = [f"so the page lacks what comes next: {message}"]
            raise Missing(idle, details, "effect", remedy="")
        try:
            found = self.healer.find(call.targets[parameter], element, message)
        except Missing as missing:
            missing.remedy = error.remedy
            if error.lack == "page":
                missing.lack = error.lack
            raise
        self.progress.done.append(call)
        return found

    def _described(self, call: RecordedCall) -> str:
        return f"{self.place()}, {_action(call)}"

    def place(self) -> str:
        """Return the place of the newest call in words."""
        return f"action {len(self.progress.done)} of {len(self.progress.step.calls)}"

    def idle_call(self, turn: Turn) -> str:
        """Return that the last call changed nothing if the page has not reacted to it, else ""."""
        last = self._idle(turn)
        if last is None:
            return ""
        received = _RECEIVED[activity_of(turn.page).has_received()]
        nothing = "no request, no change of the HTML, no other focus"
        return f"{_action(last)} changed nothing: {nothing}{received}"

    def _idle(self, turn: Turn) -> RecordedCall | None:
        """Return the last call if the page has not reacted to it, else None."""
        last = next((call for call in reversed(self.progress.done) if not call.evidence), None)
        tool = find_tool(last.tool) if last else None
        # A hover or a wait changes nothing.
        if tool is None or not (tool.acts and tool.changes) or turn.loads() != self._loads:
            return None
        # A popup that a click has closed received it; the page behind it knows nothing of that.
        if turn.page is not self._page or activity_of(turn.page).has_reacted() is not False:
            return None
        return last

    def second_try(self, turn: Turn) -> Decision | None:
        """Return the last call once more if it changed nothing, and the page received no event.

        An action that the page received is never repeated: it may have been sent to a server. Raises
        Missing.
        """
        made, done = last_call(turn), self.progress.done
        if made is None or not (made.success or made.ends) or self._tried_twice == len(done):
            return None
        last = self._idle(turn)
        # A checkpoint that held may have come after it.
        if last is None or done[-1] is not last or not _is_by_event(last):
            return None
        if activity_of(turn.page).has_received() is not False:
            return None
        self._tried_twice = len(done)
        self.resolver.context.note_recovery(
            "second try", f"{_action(last)} changed nothing, and the page received no event"
        )
        return self.repeat(last, turn)
