"""A model behind a service: the request of a turn, its retries, and which failures are final.

Serves the SDKs `anthropic` and `openai`, whose errors have the same names. Their own retries wait for
as long as a service asks, without a limit.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from threading import Thread
from typing import Any, ClassVar

from pytest_webtask.data.phrases import folded, shortened
from pytest_webtask.errors import ModelError
from pytest_webtask.llm.prices import Price, price_of
from pytest_webtask.llm.prompts import LOOK
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage

ANSWER_SECONDS = 600.0
"""How long an answer may take if the task has no timeout of its own."""
ACCESS_SECONDS = 10.0
"""How long a service may take to say whether it has a model."""
WAIT_AT_MOST = 180.0
"""Seconds for which one decision may ask again after temporary failures."""
LONGEST_PAUSE = 8.0
"""Seconds between two requests, unless the service asks for more."""
_WITHOUT_KEY = (
    "choose another model, or let your coding agent decide without a key: --webtask-model=handoff"
)
_ADVICE = {
    0: "Check the network and {}_BASE_URL",
    400: "Try another model, --webtask-model=NAME, or webtask_model_pictures=off",
    401: "Set {}_API_KEY to a valid key",
    402: "Check the account's billing",
    403: "The API key lacks permission: check what its workspace allows",
    404: "Check the model's id and {}_BASE_URL",
    413: "The page is too large: try webtask_model_pictures=off",
}
"""What to do about a status of the service, which is 0 if it cannot be reached."""
_CLIENT_FIRST = 0.5
_RETRIABLE = (408, 409, 429)
_TRY_ANOTHER = "Try another model: --webtask-model=NAME"
_log = logging.getLogger("pytest_webtask")


@dataclass
class Service(ABC):
    """A model by its id, with its effort and its price, None for the default and for an unknown one."""

    model: str
    effort: str | None = None
    price: Price | None = None
    wait_at_most: float = WAIT_AT_MOST
    package: ClassVar[str]
    """The name of the SDK, and in capitals the beginning of its variables in the environment."""
    problems: ClassVar[Mapping[str, str]]
    """What is wrong with an answer, by the reason for which it ended."""

    @abstractmethod
    def request(self, turn: Turn) -> dict[str, Any]:
        """Return the body of the request for a turn."""

    @abstractmethod
    def _create(self, body: dict[str, Any], seconds: float) -> Any:
        """Send a request, and return the answer of the service."""

    @abstractmethod
    def _describe(self, seconds: float) -> object:
        """Ask the service about the model, which costs nothing."""

    @abstractmethod
    def _decision(self, answer: Any) -> Decision:
        """Return the decision of an answer. Raises ModelError."""

    @property
    def _installed(self) -> str:
        return self.package

    def decide(self, turn: Turn) -> Decision:
        """Ask for the next calls. Raises ModelError if there is no usable answer."""
        body = self.request(turn)
        with self._usable_sdk() as sdk:
            answer = self._send(sdk, body, turn)
        return self._decision(answer)

    def check_access(self) -> None:
        """Raise ModelError if the model cannot work: there is no valid key, or no such model."""
        with self._usable_sdk() as sdk:
            try:
                self._describe(ACCESS_SECONDS)
            except sdk.APIConnectionError as error:
                raise self._failure(_unreached(error), 0) from None
            except sdk.APIStatusError as error:
                status, problem = error.status_code, _refused(error)
                # Any other answer proves nothing: a gateway need not know how to describe a model.
                if status == 401 or (status == 404 and self.model in problem):
                    raise self._failure(problem, status) from None

    def _send(self, sdk: Any, body: dict[str, Any], turn: Turn) -> Any:
        """Return the answer to a request, which is sent again after a failure that may pass."""
        end = time.monotonic() + turn.left(self.wait_at_most)
        pause = 1.0
        while True:
            try:
                return self._within(body, turn.left(ANSWER_SECONDS))
            except sdk.APIConnectionError as error:
                status, problem = 0, _unreached(error)
            except sdk.APIStatusError as error:
                status, problem = error.status_code, _refused(error)
                if status < 500 and status not in _RETRIABLE:
                    raise self._failure(problem, status) from None
                pause = _asked_pause(error) or pause
            if time.monotonic() + pause > end:
                raise self._failure(problem, status, "Run the tests again later")
            _log.warning("%s: the service %s; asking again in %.1f s", self.model, problem, pause)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _within(self, body: dict[str, Any], seconds: float) -> Any:
        """Return the answer to a request. Raises ModelError after `seconds`, however slowly it drips."""
        # The time-out of an HTTP client starts again with each byte.
        answered: Future[Any] = Future()

        def ask() -> None:
            try:
                answered.set_result(self._create(body, seconds))
            except BaseException as error:
                answered.set_exception(error)

        Thread(target=ask, name=f"request to {self.model}", daemon=True).start()
        # The client's own time-out is as long, and says more.
        wait([answered], seconds + _CLIENT_FIRST)
        if not answered.done():
            problem = f"did not complete its answer in {seconds:.0f} s"
            raise self._failure(problem, 408, "Run the tests again later")
        return answered.result()

    def _failure(self, problem: str, status: int, advice: str = _TRY_ANOTHER) -> ModelError:
        advice = _ADVICE.get(status, advice).format(self.package.upper())
        return ModelError(f"{self.model}: the service {problem}. {advice}")

    @contextmanager
    def _usable_sdk(self) -> Iterator[Any]:
        """Give the SDK; raise ModelError if it is missing or fails itself."""
        try:
            yield import_module(self.package)
        except ModelError:
            raise
        except Exception as error:
            problem = f"the {self.package} package failed: {type(error).__name__}: {error}"
            advice = f'Install it again, pip install --upgrade "{self._installed}", and check its credentials'
            if "api_key" in str(error):
                problem = "there is no API key"
                advice = f"Set {self.package.upper()}_API_KEY, {_WITHOUT_KEY}"
            raise ModelError(f"{self.model}: {problem}. {advice}") from error

    def _decided(
        self, finish: str, calls: Sequence[ProposedToolCall], words: str, usage: Usage
    ) -> Decision:
        problem = self.problems.get(finish, "")
        if problem:
            # A truncated answer may end in a truncated call, and a refusal takes back the calls before it.
            calls = ()
        usage = usage.model_copy(update={"cost": price_of(usage, self.price)})
        return Decision(calls, words, problem, self.model, usage)


def proposed(tool: str, arguments: Any) -> ProposedToolCall:
    """Return a tool call of an answer; the tool will refuse arguments that are no object."""
    parameters = arguments if isinstance(arguments, dict) else {"arguments": arguments}
    if tool == LOOK:
        # The conversation shows this name, but the tool that the model means is our own.
        return ProposedToolCall("look", {"reason": "to see the page", **parameters})
    return ProposedToolCall(tool, parameters)


def _unreached(error: Exception) -> str:
    return f"could not be reached: {error.__cause__ or error}"


def _refused(error: Any) -> str:
    words = error.body
    # The SDK of OpenAI has unwrapped the error.
    for name in ("error", "message"):
        with suppress(KeyError, TypeError):
            words = words[name]
    words = shortened(folded(words or error.message), 500).rstrip(".")
    if asked := error.response.headers.get("retry-after"):
        words += f" (retry-after: {asked})"
    return f"answered {error.status_code}: {words}"


def _asked_pause(error: Any) -> float:
    """Return the seconds of `retry-after`, 0 if it has none that make sense."""
    with suppress(ValueError):
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    return 0.0
