"""Claude through the real SDK, over real HTTP, with a script at the API's end."""

import json
import time
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.agent import worker
from pytest_webtask.errors import ModelError, OutOfBudget, TaskFailed
from pytest_webtask.llm.anthropic import Claude, tool_params
from pytest_webtask.llm.model_names import last_model, load_model
from pytest_webtask.llm.prices import PRICES, Price, parse_price, price_of
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Usage
from tests import api as wire
from tests.api import Api, failure, marked_done, message, page_of, text, use
from tests.nested import printed
from tests.scripted import Html

TASK = "press the button until it says enough"
ENOUGH = {"kind": "text", "element_id": "button-0", "text": "enough", "exact": True}


@pytest.fixture
def claude() -> Claude:
    """As the option gives it, but that it does not wait for long."""
    model = load_model("claude")
    assert isinstance(model, Claude)
    model.wait_at_most = 8
    return model


@pytest.fixture
def webtask_model(api: Api, claude: Claude) -> Claude:
    """Every test here is driven by Claude."""
    return claude


@pytest.fixture
def go(html: Html) -> Page:
    """A page with one button."""
    return html("<button>Go</button>")


def button(request: dict[str, Any]) -> wire.Reply:
    """Click the button that the outline shows."""
    outline = page_of(request)
    element = outline[outline.index("[button-") + 1 :].split()[0]
    return message(use("click", element_id=element))


@pytest.mark.usefixtures("go")
class TestRequests:
    """Each is checked against what the Messages API of the 5.5 models allows."""

    def test_task_is_done(self, api: Api, webtask: Webtask, html: Html) -> None:
        """The calls of the answer are run, and the last summary is the feedback."""
        page = html("<button onclick='this.textContent = \"enough\"'>Go</button>")
        api.answers = [button, marked_done(ENOUGH)]
        result = webtask.do(TASK)
        assert result.session.feedback == "it is done"
        assert [check.holds for check in result.session.evidence] == [True]
        assert page.get_by_role("button").inner_text() == "enough"
        assert [i.model for i in result.session.iterations] == ["claude-sonnet-5-5"] * 2

    def test_request_omits_unsupported_parameters(self, api: Api, webtask: Webtask) -> None:
        """A request has no forced tool, sampling, thinking or prefilled answer, nor a picture if there is none."""
        api.answers = [marked_done()]
        webtask.do(TASK)
        [request] = api.requests
        assert set(request) == {"model", "max_tokens", "system", "tools", "messages"}
        assert request["model"] == "claude-sonnet-5-5"
        assert [m["role"] for m in request["messages"]] == ["user", "assistant", "user"]
        assert not wire.blocks(request, "thinking") and not wire.blocks(request, "image")

    def test_fixed_part_is_cached(self, api: Api, webtask: Webtask) -> None:
        """System prompt and tools are the same in each turn and end in a cache breakpoint each."""
        api.answers = [button, button, marked_done()]
        webtask.do(TASK)
        webtask_two = [json.dumps([r["system"], r["tools"]]) for r in api.requests]
        assert len(webtask_two) == 3 and len(set(webtask_two)) == 1
        request = api.requests[0]
        assert request["system"][-1]["cache_control"] == {"type": "ephemeral"}
        assert request["tools"][-1]["cache_control"] == {"type": "ephemeral"}
        assert str(request).count("cache_control") == 2

    def test_page_is_in_a_tool_result_only(self, api: Api, webtask: Webtask, html: Html) -> None:
        """Text of the page, its dialogs and its errors is in no user or system message."""
        html(
            "<title>EVIL title</title><h1>EVIL heading</h1>"
            '<button onclick=\'alert("EVIL dialog"); document.body.append("EVIL more")\'>EVIL name'
            "</button>"
        )
        api.answers = [
            button,
            message(use("select_option", element_id="button-0", options=["x"])),
            message(use("look", element_id="button-0")),
            marked_done({"kind": "text", "element_id": "heading-0", "text": "good"}),
            marked_done({"kind": "text", "element_id": "heading-0", "text": "EVIL heading"}),
        ]
        webtask.do(TASK)
        for request in api.requests:
            fixed = json.dumps([request["system"], request["tools"]])
            task, look, _ = request["messages"]
            assert "EVIL" not in fixed + json.dumps(task)
            assert look["content"] == [
                {"type": "tool_use", "id": "toolu_look", "name": "look_at_page", "input": {}}
            ]
            assert "EVIL heading" in page_of(request)
        assert "EVIL dialog" in page_of(api.requests[1])
        assert "no native select" in page_of(api.requests[2])
        assert "3. look: EVIL name" in page_of(api.requests[3])
        assert 'expected "good", but the page has EVIL heading' in page_of(api.requests[4])

    def test_turn_holds_calls_and_changes(self, api: Api, webtask: Webtask, html: Html) -> None:
        """The history has each call with its reason; the page part shows changes since the last turn."""
        html("<p id=n>none yet</p><button onclick='n.textContent = \"one more\"'>Go</button>")
        more = {"kind": "text", "element_id": "text-0", "text": "one more"}
        api.answers = [button, button, marked_done(more)]
        webtask.do(TASK)
        task = api.requests[1]["messages"][0]["content"][0]["text"]
        assert f"Task: {TASK}" in task
        assert '1. click element_id="button-0" (it is the way): ok' in task
        assert "This is turn 2 of at most 20." in task
        assert "+ <text-0> one more\n- <text-0> none yet" in page_of(api.requests[1])
        unchanged = "Changes since the previous turn:\nnothing in the outline;"
        assert unchanged in page_of(api.requests[2])

    @pytest.mark.webtask(screenshots="on")
    def test_pictures_are_within_limits(self, api: Api, webtask: Webtask, page: Page) -> None:
        """The screenshot of a large viewport is scaled to the API's limits."""
        page.set_viewport_size({"width": 2400, "height": 1300})
        api.answers = [marked_done()]
        webtask.do(TASK)
        [picture] = wire.pictures(api.requests[0])
        assert picture.format == "JPEG"
        assert max(picture.size) <= 1568 and picture.width * picture.height <= 1_150_000
        assert picture.width > 1400

    def test_ids_and_effort_are_passed_on(self, api: Api, webtask: Webtask) -> None:
        """Any unknown id is passed as the model; effort is placed where the API expects it."""
        model = load_model("claude-opus-5-5", effort="low")
        api.answers = [marked_done()]
        webtask._runner.models._plain["worker"]._model = model  # type: ignore[attr-defined]
        webtask.do(TASK)
        assert api.requests[0]["model"] == "claude-opus-5-5"
        assert api.requests[0]["output_config"] == {"effort": "low"}


def test_tools_require_a_reason() -> None:
    """Every tool requires `reason`, because thinking is not shown."""
    for tool in tool_params(worker.worker_tools(int).specs):
        assert "reason" in tool["input_schema"]["required"], tool["name"]


@pytest.mark.usefixtures("go")
class TestAnswers:
    """None of these is a pass, and none a failed assertion."""

    @pytest.mark.parametrize(
        ("answer", "notice"),
        [
            (message(text("I am thinking."), stop="end_turn"), "called no tool"),
            (message(stop="end_turn"), "called no tool"),
            (message(use("click", element_id="button-0"), stop="max_tokens"), "cut off"),
            (message(text("I can't."), stop="refusal"), "refused"),
            (message(use("dance")), "there is no tool 'dance'; use one of navigate"),
            (message(use("click", element_id="button-77")), "no element 'button-77'"),
            (message(use("click", element="button-0")), "got wrong arguments: element_id: Field required"),
            (message(use("click", element_id=["a"])), "got wrong arguments"),
            (message({"type": "tool_use", "id": "t", "name": "click", "input": "button-0"}), "got wrong arguments"),
            (
                message(use("click", element_id="button-0"), use("mark_done", summary="done")),
                "the page after click was not seen yet",
            ),
            (message(use("look_at_page")), "the page is shown again"),
        ],
    )  # fmt: skip
    def test_malformed_answer_is_returned_to_the_model(
        self, api: Api, webtask: Webtask, html: Html, answer: wire.Reply, notice: str
    ) -> None:
        """The next request has the problem, and the task continues."""
        page = html("<button onclick='n = (window.n || 0) + 1'>Go</button>")
        api.answers = [answer, marked_done()]
        session = webtask.do(TASK).session
        assert notice in json.dumps(api.requests[1]["messages"])
        assert session.steps_used == 2
        calls = [c for i in session.iterations for c in i.calls if c.success]
        clicked = [call for call in calls if call.tool == "click"]
        assert (page.evaluate("window.n") or 0) == len(clicked)

    def test_number_that_is_none_is_a_model_error(self, api: Api, webtask: Webtask) -> None:
        """NaN is no JSON, and could not be journaled."""
        api.answers = [message(use("wait", seconds=float("nan")))]
        with pytest.raises(ModelError, match="can't be written as JSON"):
            webtask.do(TASK)

    def test_text_beside_a_call_is_the_reasoning(self, api: Api, webtask: Webtask) -> None:
        """Text beside a call becomes the iteration's reasoning; thinking is not kept."""
        thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
        done = use("mark_done", summary="ok", evidence=[wire.TITLE])
        api.answers = [message(thinking, text("It is there."), done)]
        [iteration] = webtask.do(TASK).session.iterations
        assert iteration.reasoning == "It is there."


FAILING: list[tuple[wire.Reply | None, int, str]] = [
    (failure(429, "slow down", retry_after="3600"), 1, r"429: slow down \(retry-after: 3600\)\. Run the tests again later"),
    # What a proxy answers.
    ((200, {}, {"hello": "world"}), 1, "Correct ANTHROPIC_BASE_URL"),
    (failure(400), 1, r"answered 400: no\. Try another"),
    (failure(401), 1, r"answered 401: no\. Set ANTHROPIC_API_KEY to a valid key"),
    (failure(403), 1, r"answered 403: no\. .*check what its workspace allows"),
    (failure(404), 1, r"answered 404: no\. Check the model's id"),
    (failure(422), 1, r"answered 422: no\. Try another model: --webtask-model=NAME"),
    (failure(500, "oh no"), 2, "claude-sonnet-5-5: the service answered 500: oh no"),
    (None, 2, r"could not be reached: .* Check the network and ANTHROPIC_BASE_URL"),
]  # fmt: skip


@pytest.mark.usefixtures("go")
class TestFailures:
    def test_busy_service_is_retried_after_its_delay(self, api: Api, webtask: Webtask) -> None:
        """A failing service and a broken connection are retried, a busy service more often."""
        busy = [failure(status, retry_after="0.05") for status in (429, 529)]
        for answers in ([failure(500)], [None], busy * 3):
            api.clear()
            api.answers = [*answers, marked_done()]
            webtask.do(TASK)
            assert len(api.requests) == len(answers) + 1
        assert len({json.dumps(request) for request in api.requests}) == 1

    def test_invalid_delay_is_replaced(self, api: Api, claude: Claude, webtask: Webtask) -> None:
        """A delay of zero, NaN or less is replaced by a pause."""
        claude.wait_at_most = 0.5
        for asked in ("0", "nan", "-5"):
            api.clear()
            api.answers = [failure(429, retry_after=asked)]
            with pytest.raises(ModelError, match="429"):
                webtask.do(TASK)
            assert len(api.requests) <= 5

    def test_timeout_ends_retries_and_slow_answers(self, api: Api, webtask: Webtask) -> None:
        """After its timeout a task waits for neither an overloaded service nor an answer."""
        api.answers = [failure(529, retry_after="5")]
        began = time.monotonic()
        with pytest.raises(ModelError, match="529"):
            webtask.do(TASK, timeout=1)
        api.answers = [lambda request: time.sleep(3) or marked_done()]  # type: ignore[func-returns-value]
        with pytest.raises((ModelError, TaskFailed)):
            webtask.do(TASK, timeout=1)
        assert time.monotonic() - began < 5

    def test_failing_service_is_an_error(self, api: Api, claude: Claude, webtask: Webtask) -> None:
        """The error has the service's own words and the remedy; only what may pass is asked for again."""
        claude.wait_at_most = 1.5
        for answer, requests, problem in FAILING:
            api.clear()
            api.answers = [answer]
            with pytest.raises(ModelError, match=problem):
                webtask.do(TASK)
            assert len(api.requests) == requests, problem

    def test_missing_key_is_an_error(
        self, api: Api, webtask: Webtask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing is sent, and the error says which variable to set."""
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        with pytest.raises(ModelError, match=r"there is no API key.*=handoff"):
            webtask.do(TASK)
        assert not api.requests

    @pytest.mark.parametrize("provider", ["bedrock", "vertex"])
    def test_other_providers_name_missing_packages(
        self, provider: str, webtask: Webtask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Providers without their extras or accounts raise ModelError."""
        for name in ("AWS_REGION", "AWS_PROFILE", "CLOUD_ML_REGION", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        webtask._runner.models._plain["worker"]._model = load_model(f"{provider}/a-model")  # type: ignore[attr-defined]
        with pytest.raises(ModelError, match=rf"a-model: .*pytest-webtask\[{provider}\]"):
            webtask.do(TASK)


@pytest.mark.usefixtures("go")
class TestBudget:
    @pytest.mark.webtask(test_token_budget=1000)
    def test_exhausted_budget_ends_the_test(self, api: Api, webtask: Webtask) -> None:
        """At the end of the budget there is an error, and no model is asked any more."""
        api.answers = [message(use("wait", seconds=0.01), input_tokens=390, output_tokens=10)]
        with pytest.raises(OutOfBudget, match=r"of this test are used up: 1,200 of 1,000"):
            webtask.do(TASK)
        assert len(api.requests) == 3
        with pytest.raises(OutOfBudget):
            webtask.do("something else that is not literal")
        webtask.do('click "Go"')
        assert len(api.requests) == 3

    def test_cached_tokens_are_counted_and_priced(self, api: Api, webtask: Webtask) -> None:
        """Tokens read from and written into the cache have their own prices."""
        api.answers = [marked_done(cache_read_input_tokens=4000, cache_creation_input_tokens=2000)]
        usage = webtask.do(TASK).session.usage
        # With the ruling of the referee, which is a request of its own.
        assert usage.tokens == 6110 + 110
        assert usage.cost == pytest.approx((200 * 2 + 20 * 10 + 4000 * 0.2 + 2000 * 2.5) / 1e6)

    def test_unknown_price_is_none(self) -> None:
        """The price of an unknown model or kind of tokens is None unless a user sets it."""
        usage = Usage(input_tokens=10, cache_read_tokens=10)
        assert price_of(usage, PRICES.get("relay-by-hand")) is None
        assert price_of(usage, PRICES["claude-fable-5-1"]) is None
        assert price_of(usage, Price(1, 2, 3, 4)) == pytest.approx(40 / 1e6)
        assert parse_price("my-model 1 2 0.5 3") == ("my-model", Price(1, 2, 0.5, 3))
        made = load_model("claude", prices=["claude-sonnet-5-5 7 8"])
        assert isinstance(made, Claude) and made.price == Price(7, 8)


@pytest.mark.usefixtures("go")
class TestLiteralFirst:
    def test_ambiguous_clause_goes_to_model(self, api: Api, webtask: Webtask, html: Html) -> None:
        """The model chooses between two elements of the same name and sees the finished clauses."""
        page = html(
            "<input aria-label=Name><button onclick='n = 1'>Go</button>"
            "<button onclick='n = 2'>Go</button>"
        )
        held = {"kind": "value", "element_id": "textbox-0", "value": "Rita"}
        api.answers = [message(use("click", element_id="button-1")), marked_done(held)]
        session = webtask.do('fill "Name" with "Rita" and click "Go"').session
        assert page.evaluate("n") == 2
        assert [i.model for i in session.iterations] == ["literal", *["claude-sonnet-5-5"] * 2]
        first, left, last = [i.left for i in session.iterations]
        assert left.startswith('click "Go": 2 elements could be "Go"') and first == last == ""
        text = api.requests[0]["messages"][0]["content"][0]["text"]
        assert "fill" in text and 'failed: click "Go": 2 elements could be "Go".' in text

    @pytest.mark.parametrize(
        ("sentence", "reason"),
        [
            ('click "Go", then wait for "Order placed"', "was not visible within"),
            ('click "Delete"', "was dismissed"),
        ],
    )
    @pytest.mark.webtask(timeout=2)
    def test_failed_literal_clause_is_not_given_to_a_model(
        self, api: Api, webtask: Webtask, html: Html, sentence: str, reason: str
    ) -> None:
        """A clause that code resolved and that failed raises TaskFailed without a request."""
        html("<button>Go</button><button onclick='confirm(\"Sure?\")'>Delete</button>")
        api.answers = [marked_done()]
        with pytest.raises(TaskFailed, match=reason):
            webtask.do(sentence)
        assert not api.requests

    @pytest.mark.webtask(literal=False)
    def test_literal_off_sends_literal_sentences(self, api: Api, webtask: Webtask) -> None:
        """With literal=False the model does literal sentences."""
        api.answers = [marked_done()]
        webtask.do('click "Go"')
        assert len(api.requests) == 1


NO_SUCH_MODEL = failure(404, "model: claude-sonnet-5-5")


class TestAccess:
    """What the service says of a model before it is asked for a decision."""

    def test_model_that_cannot_work_is_an_error(
        self, api: Api, claude: Claude, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No key, one that is not valid and an unknown id are errors; what a gateway lacks is none."""
        wrong_key = failure(401, "invalid x-api-key")
        for answer, remedy in (
            (wrong_key, "Set ANTHROPIC_API_KEY"),
            (NO_SUCH_MODEL, "Check the model's id"),
        ):
            api.about_model = answer
            with pytest.raises(ModelError, match=remedy):
                claude.check_access()
        found: wire.Reply = (200, {}, {"id": "claude-sonnet-5-5", "type": "model"})
        for answer in (failure(404, "no such page"), failure(403), failure(529), found):
            api.about_model = answer
            claude.check_access()
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        without_key = load_model("claude")
        assert isinstance(without_key, Claude)
        with pytest.raises(ModelError, match=r"there is no API key.*=handoff"):
            without_key.check_access()


class TestNothingByAccident:
    """A key in the environment alone asks no model."""

    SUITE = """
        import pytest

        def test_it(webtask):
            webtask.page.set_content("<title>Test page</title><button>Go</button>")
            webtask.do("press whatever there is")
    """

    @pytest.mark.parametrize(
        "arguments", [[], ["-o", "webtask_literal=off", "-o", "webtask_effort=low"]]
    )
    def test_no_model_is_called_without_the_option(
        self, api: Api, pytester: pytest.Pytester, arguments: list[str]
    ) -> None:
        """Without a model option a sentence that is not literal is an error, even if a key is set."""
        api.answers = [marked_done()]
        pytester.makepyfile(self.SUITE)
        result = pytester.runpytest(*arguments)
        result.assert_outcomes(failed=1)
        assert "NotLiteral" in printed(result)
        assert not api.requests

    def test_model_option_selects_the_model(self, api: Api, pytester: pytest.Pytester) -> None:
        """With the option the model is called with the project's instructions and has its price."""
        api.answers = [marked_done(input_tokens=30_000)]
        pytester.makepyfile(self.SUITE)
        pytester.makeconftest(
            "import pytest\n@pytest.fixture\n"
            "def webtask_instructions(): return 'Buttons are green here.'"
        )
        result = pytester.runpytest("--webtask-model=claude")
        result.assert_outcomes(passed=1)
        [request] = api.requests
        assert "Buttons are green here." in request["messages"][0]["content"][0]["text"]
        assert "2 model calls, 30,100 tokens in, 20 out, $0.06" in printed(result)
        assert last_model(pytester.path) == "claude"
