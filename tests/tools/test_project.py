"""A project's own tools and hints reach the model."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pydantic import BaseModel, Field

from pytest_webtask import Secret
from pytest_webtask.errors import UsageError
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.tools import project
from tests.inner import written
from tests.scripted import Html, Scripted, call, done, on


class Mailbox(BaseModel):
    owner: str = Field(description="Whose mailbox.")
    newest: int = 1


def read_mail(args: Mailbox) -> list[str]:
    """The newest mails of somebody."""
    if args.owner == "nobody":
        raise LookupError("there is no such mailbox")
    return [f"mail {n} for {args.owner}" for n in range(args.newest)]


def one_time_code(args: Mailbox) -> Secret:
    """The code that was sent to somebody."""
    return Secret(f"code-{args.owner}-5471")


@pytest.fixture
def webtask_tools() -> Sequence[Callable[..., object]]:
    """As a project overrides it."""
    return [read_mail, one_time_code]


@pytest.fixture
def webtask_instructions() -> str:
    """As a project overrides it."""
    return "Mails take a moment."


def test_project_tools_are_offered_to_model(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A tool has the function's name, docstring and parameters, and requires a reason."""
    html("")
    model.answers = [done()]
    webtask.do("whatever")
    [turn] = model.turns
    [mail] = [tool for tool in turn.tools if tool.name == "read_mail"]
    assert mail.description == "The newest mails of somebody."
    assert mail.parameters["properties"]["owner"]["description"] == "Whose mailbox."
    assert set(mail.parameters["required"]) == {"owner", "reason"}
    assert turn.instructions == "Mails take a moment."


def test_call_runs_the_function(webtask: Webtask, model: Scripted, html: Html) -> None:
    """The result is JSON; exceptions and wrong arguments are errors of the call."""
    html("")
    known: list[dict[str, Any]] = [
        {"owner": "rita", "newest": 2},
        {"owner": "nobody"},
        {"newest": "all"},
    ]
    model.answers = [*(call("read_mail", **each) for each in known), done()]
    calls = [c for i in webtask.do("read it").session.iterations for c in i.calls]
    assert calls[0].result == '["mail 0 for rita","mail 1 for rita"]'
    assert calls[1].error == "read_mail failed: LookupError: there is no such mailbox"
    assert "owner: Field required" in (calls[2].error or "")


def test_secret_result_is_masked_everywhere(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A secret result can be typed by its name, in later steps too, and is masked everywhere else."""
    page = html("<input aria-label=Code>")
    enter = on("fill", "textbox", "Code", text="{one_time_code}")
    model.answers = [
        call("one_time_code", owner="rita"),
        enter,
        lambda turn: done() if "code-rita" not in turn.observation.outline else [],
    ]
    session = webtask.do("enter the code").session
    assert page.get_by_label("Code").input_value() == "code-rita-5471"
    assert "{one_time_code}" in session.iterations[0].calls[0].result
    journal = written(webtask._runner.journal.folder, webtask.state.test)
    assert "rita-5471" not in str(session) + journal
    assert model.turns[1].data["one_time_code"] is None
    page.get_by_label("Code").fill("")
    model.answers = [enter, done()]
    webtask.do("enter it again")
    assert page.get_by_label("Code").input_value() == "code-rita-5471"


def test_end_beside_a_project_tool_is_refused(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A model must look at the page after a project tool before it marks the task done."""
    html("")
    model.answers = [[call("read_mail", owner="rita"), done()], done()]
    first = webtask.do("read it").session.iterations[0]
    assert "the page after read_mail was not seen yet" in (first.calls[1].error or "")


def no_docstring(args: Mailbox) -> None: ...  # noqa: D103 - that is its fault


def two_parameters(args: Mailbox, more: int) -> None:
    """It takes too much."""


def no_model(args: str) -> None:
    """It takes no model."""


async def asynchronous(args: Mailbox) -> None:
    """It would never run."""


class Refund(BaseModel):
    reason: str


def refunds(args: Refund) -> None:
    """Its reason would be taken for that of the call."""


def lies_für_mich(args: Mailbox) -> None:
    """The API takes ASCII only."""


@pytest.mark.parametrize(
    ("function", "rule"),
    [
        (no_docstring, "no_docstring has no docstring; add one"),
        (two_parameters, "two_parameters needs exactly one parameter"),
        (no_model, "no_model needs exactly one parameter, annotated with a pydantic model"),
        (asynchronous, "asynchronous is async"),
        (refunds, "the model of refunds has a field `reason`"),
        (lies_für_mich, "'lies_für_mich' cannot be the name of a tool"),
        ("read_mail", "'read_mail' is not a function"),
        (5, "5 is not a function"),
    ],
)
def test_invalid_tool_is_refused_by_its_rule(function: Any, rule: str) -> None:
    """The error says which rule for tools is broken."""
    with pytest.raises(UsageError, match=f"webtask_tools: {rule}"):
        project.project_tool(function)


def test_name_of_another_tool_is_refused(webtask: Webtask, html: Html) -> None:
    """A project's tool cannot replace another one, such as `click`."""

    def click(args: Mailbox) -> None:
        """Not the mouse's."""

    html("")
    webtask._runner.tools = (project.project_tool(click),)
    with pytest.raises(UsageError, match="two tools are called 'click'"):
        webtask.do("click somewhere")


@pytest.mark.parametrize("given", [read_mail, None, "read_mail"])
def test_invalid_list_of_tools_is_refused(given: Any) -> None:
    """Anything but a list of functions is refused."""
    with pytest.raises(UsageError, match="webtask_tools must be"):
        project.project_tools(given)


def long_mail(args: Mailbox) -> str:
    """A mail with a secret where it is cut."""
    return "x" * 3_995 + args.owner


def unreadable(args: Mailbox) -> object:
    """What cannot be told."""
    result: list[object] = []
    result.append(result)
    return result


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """What the tools must not tell."""
    return {"owner": Secret("kappa-lambda")}


def test_result_is_masked_before_it_is_cut(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A long result does not end in half a secret."""
    html("")
    webtask._runner.tools = project.project_tools([long_mail, unreadable])
    model.answers = [call("long_mail", owner="kappa-lambda"), call("unreadable", owner="x"), done()]
    first, second, _ = webtask.do("read it").session.iterations
    assert first.calls[0].result.endswith("x{owne")
    assert "unreadable failed: PydanticSerializationError" in (second.calls[0].error or "")
