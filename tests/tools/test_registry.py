"""How tools are described to a model, and how their arguments are read."""

from pathlib import Path

from pytest_webtask.agent.worker import worker_tools
from pytest_webtask.tools.navigation import LOOKING_TOOLS, NAVIGATION_TOOLS
from tests.scripted import Attempt, Html, on


class TestDescriptions:
    def test_arguments_are_described(self) -> None:
        """Every tool and every argument has a description."""
        for spec in worker_tools(int).specs:
            assert spec.description.endswith("."), spec.name
            for name, schema in spec.parameters["properties"].items():
                assert schema.get("description"), f"{spec.name}.{name}"

    def test_each_tool_is_driven_by_a_test(self) -> None:
        """No tool of the worker is without a test of its effect."""
        written = "".join(path.read_text() for path in Path(__file__).parents[1].rglob("test_*.py"))
        assert not [s.name for s in worker_tools(int).specs if f'("{s.name}"' not in written]

    def test_worker_may_set_an_output_only_on_request(self) -> None:
        """The worker has `set_output` only if a value is requested, and all other tools anyway."""
        names = {spec.name for spec in worker_tools().specs}
        assert {spec.name for spec in worker_tools(int).specs} == {*names, "set_output"}
        assert "set_output" not in names

    def test_replayed_tools_are_exported(self) -> None:
        """Every built-in tool that recordings contain declares its Playwright code, but for those of tabs."""
        tools = (*NAVIGATION_TOOLS, *LOOKING_TOOLS)
        assert [e.name for e in tools if e.replayed and not e.code] == ["switch_tab", "close_tab"]

    def test_numbers_are_taken_for_text(self, attempt: Attempt, html: Html) -> None:
        """A number is accepted for an argument that is a text."""
        page = html("<input aria-label=Age>")
        assert attempt(on("fill", "textbox", "Age", text=42)).success
        assert page.get_by_label("Age").input_value() == "42"
