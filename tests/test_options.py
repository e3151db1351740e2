"""Options: command line over marker over ini file over default, and what they refuse."""

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_webtask import cli
from pytest_webtask.errors import UsageError
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.run.options import OPTIONS, Option, Settings, resolve_settings
from pytest_webtask.types.agent import Usage
from tests.inner import CONFTEST
from tests.nested import printed

# By option: two values in text, as of the command line and the ini file, and a marker's own.
VALUES: Mapping[str, tuple[Any, Any, Any]] = {
    "model": ("here:one", "claude", "claude-opus-5-5"),
    "effort": ("low", "high", "medium"),
    "literal": ("off", "first", False),
    "workflow": ("planner", "worker-verified", "scheduler"),
    "max_steps": ("3", "4", 5),
    "persist_context": ("off", "on", False),
    "timeout": ("1.5", "2", 2.5),
    "step_limit": ("60", "90.5", 120),
    "allow_origin": (["https://a.example"], ["https://b.example"], ("https://c.example",)),
    "screenshots": ("only-on-failure", "off", "only-on-failure"),
    "model_pictures": ("off", "on", False),
    "visual": ("forbid", "allow", False),
    "deviations": ("fail", "allow", False),
    "page_errors": ("fail", "ignore", "note"),
    "mode": ("live", "replay", "record"),
    "confirm": ("off", "on", False),
    "heal": ("pass", "off", True),
    "variant": ("mobile", "de", "firefox"),
    "test_token_budget": ("1000", "2000", 3000),
    "price": (["a-model 1 2"], ["a-model 1 2 3 4"], "b-model 0 0.5"),
}
READ: Mapping[str, Any] = {
    **dict.fromkeys(("model", "effort"), lambda value: {"worker": value}),
    **dict.fromkeys(("max_steps", "test_token_budget"), int),
    **dict.fromkeys(("screenshots", "page_errors"), str),
    "timeout": float,
    "step_limit": float,
    "allow_origin": tuple,
    "price": lambda value: (value,) if isinstance(value, str) else tuple(value),
}
UNREADABLE: Mapping[str, list[Any]] = {
    "model": ["claud", "", "no module:x", "module:", 3, "bedrock/", "ollama/x", "a b-c",
              "{worker}", "{worker = claude", "{}", "{worker = clod}"],
    "effort": ["", "very low", 3],
    "literal": ["on", "last", ""],
    "test_token_budget": [0, "many", 2.5],
    "price": ["claude", "a-model 1", "a-model one two", "a-model 1 2 3", "a-model -1 2", "a-model nan 2", 5],
    "workflow": ["planer", "", 1],
    "max_steps": [0, "0", -1, "many", "", 2.5, True, "1e3", "nan", 10**10, "9" * 5000],
    "timeout": [-1, "-1", "soon", "", "nan", "inf", True, 2**31, "1e300", 10**400],
    "step_limit": [-1, "soon", "nan", float("inf"), "1e9"],
    "allow_origin": [["shop.example"], "javascript:void", [""], 5, [5], {"a": 1}],
    "persist_context": ["yes", "", 2],
    "screenshots": ["yes", "", 2],
    "model_pictures": ["yes", "", 2],
    "visual": ["on", "forbidden", "", 2],
    "deviations": ["forbid", "", 2],
    "page_errors": ["on", "", 2],
    "mode": ["automatic", "", 1],
    "confirm": ["yes", "", 2],
    "heal": ["on", "accept", "", 2],
    "variant": ["a b", "../x", 5],
}  # fmt: skip


def _resolved(line: Any = None, marker: Any = None, ini: Any = None, *, name: str) -> Any:
    """The value of one option, given by three sources."""
    given = {name: marker} if marker is not None else {}
    settings = resolve_settings(
        lambda o: line if o.name == name else None, given, lambda o: ini if o.name == name else None
    )
    return getattr(settings, name)


def _read(name: str, value: Any) -> Any:
    switched = {
        **dict.fromkeys(("on", "first", "allow", "pass"), True),
        **dict.fromkeys(("off", "forbid", "fail"), False),
    }
    if name in READ:
        return READ[name](value)
    return switched[value] if isinstance(value, str) and value in switched else value


@pytest.mark.parametrize("name", [option.name for option in OPTIONS if not option.of_run])
def test_command_line_over_marker_over_ini_over_default(name: str) -> None:
    """The command line overrides the marker, which overrides the ini file and the default."""
    line, ini, marker = VALUES[name]
    default = getattr(Settings(), name)
    assert _resolved(line, marker, ini, name=name) == _read(name, line)
    assert _resolved(None, marker, ini, name=name) == _read(name, marker)
    assert _resolved(None, None, ini, name=name) == _read(name, ini)
    assert _resolved(name=name) == default


@pytest.mark.parametrize("option", [o for o in OPTIONS if o.default], ids=lambda o: o.name)
def test_default_in_the_table_is_that_of_the_settings(option: Option) -> None:
    """The default that the documentation shows is in force."""
    assert option.read(option.default) == getattr(Settings(), option.name)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in UNREADABLE.items() for value in values]
)
def test_invalid_value_is_refused(name: str, value: Any) -> None:
    """An invalid or empty value is an error that names the option and what is allowed."""
    with pytest.raises(UsageError, match=rf"mark.*{name}=\.\.\.\): .*(expected|known|allowed)"):
        _resolved(marker=value, name=name)


def test_marker_refuses_options_of_the_whole_run() -> None:
    """A marker that sets an option of the whole run is refused."""
    assert _resolved("1000", None, "2000", name="token_budget") == 1000
    with pytest.raises(UsageError, match="token_budget applies to the whole run"):
        _resolved(marker=1000, name="token_budget")


def test_options_reach_the_turn(pytester: pytest.Pytester) -> None:
    """Options of the ini file, the markers of a module, class and function, and the command line apply."""
    pytester.makeconftest(CONFTEST)
    pytester.makeini(
        """
        [pytest]
        webtask_max_steps = 7
        webtask_timeout = 0.5
        webtask_model_pictures = off
        webtask_allow_origin =
            https://a.example
            https://b.example
        """
    )
    pytester.makepyfile(
        """
        import pytest
        from tests.scripted import done

        pytestmark = pytest.mark.webtask(max_steps=8, timeout=1)

        def turn(webtask, model):
            model.answers = [lambda t: (t.observation.screenshot, done())[1]]
            webtask.do("nothing")
            return model.turns[0]

        def test_module(webtask, model):
            seen = turn(webtask, model)
            assert (seen.max_steps, seen.timeout) == (8, 3.0)
            assert seen.observation.screenshot is None
            assert list(webtask._runner.browser.origins.allowed) == ["https://a.example", "https://b.example"]

        @pytest.mark.webtask(max_steps=9, model_pictures=True, allow_origin="https://c.example")
        class TestClass:
            def test_class(self, webtask, model):
                seen = turn(webtask, model)
                assert (seen.max_steps, seen.timeout) == (9, 3.0)
                assert seen.observation.screenshot.is_file()
                assert list(webtask._runner.browser.origins.allowed) == ["https://c.example"]

            @pytest.mark.webtask(max_steps=10)
            def test_function(self, webtask, model):
                assert turn(webtask, model).max_steps == 10
        """
    )
    result = pytester.runpytest("--webtask-timeout=3")
    result.assert_outcomes(passed=3)


def test_model_is_loaded_from_its_path(pytester: pytest.Pytester) -> None:
    """`package.module:callable` makes the model; the marker overrides the option."""
    pytester.makepyfile(
        brains="""
        from tests.scripted import Scripted, done

        class Brains:
            @staticmethod
            def quick():
                return Scripted(done("quickly"))

        def slow():
            return Scripted(done("slowly"))
        """,
        test_it="""
        import pytest

        def test_option(webtask):
            assert webtask.do("nothing").session.feedback == "slowly"

        @pytest.mark.webtask(model="brains:Brains.quick")
        def test_marker(webtask):
            assert webtask.do("nothing").session.feedback == "quickly"
        """,
    )
    pytester.makeini("[pytest]\npythonpath = .\nwebtask_model = brains:slow")
    pytester.runpytest().assert_outcomes(passed=2)


def test_instructions_and_effort_are_by_role(pytester: pytest.Pytester) -> None:
    """Each role has its own text and effort; a role that is not named has the worker's."""
    pytester.makepyfile(
        """
        import pytest
        from pytest_webtask.llm.anthropic import Claude

        @pytest.fixture(scope="session")
        def webtask_instructions():
            return {"worker": "for the worker", "referee": "for the referee"}

        def test_by_role(webtask, webtask_model):
            assert {role: each.effort for role, each in webtask_model.items()} == {
                "worker": "low", "referee": "high", "planner": "low"
            }
            assert {type(each) for each in webtask_model.values()} == {Claude}
            assert webtask_model["planner"].model == "claude-haiku-4-5"
            models = webtask._runner.models
            assert models.of("reader") is models.of("worker") is not models.of("planner")
            texts = webtask._runner.instructions
            assert texts.of("referee") == "for the referee"
            assert texts.of("verifier") == texts.of("worker") == "for the worker"

        @pytest.mark.webtask(model="claude", effort={"verifier": "high"})
        def test_marker(webtask, webtask_model):
            assert {role: each.effort for role, each in webtask_model.items()} == {
                "worker": None, "verifier": "high"
            }
        """
    )
    pytester.makeini(
        "[pytest]\nwebtask_effort = {worker = low, referee = high}\n"
        "webtask_model = {worker = claude-opus-5-5, planner = claude-haiku-4-5}"
    )
    pytester.runpytest().assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("instructions", "message"),
    [
        ({"boss": "hurry"}, "unknown role 'boss'; known: *worker*"),
        ({"worker": 3}, "webtask_instructions must be a text, or a dict of roles and texts; got 3"),
        (3, "webtask_instructions must be a text, or a dict of roles and texts; got 3"),
    ],
)
def test_invalid_instructions_are_an_error(
    pytester: pytest.Pytester, instructions: object, message: str
) -> None:
    """The test that asks for a webtask fails with what was given and what may be."""
    pytester.makepyfile(
        f"""
        import pytest

        @pytest.fixture(scope="session")
        def webtask_instructions():
            return {instructions!r}

        def test_it(webtask):
            pass
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{message}*"])


class TestUsageErrors:
    """No inner test is called here, so that the inner runs may be in this process."""

    @pytest.mark.parametrize(
        ("argument", "message"),
        [
            ("--webtask-max-steps=0", "--webtask-max-steps: expected a whole number from 1 to 1,000,000,000; got '0'"),
            ("-owebtask_max_steps=0", "webtask_max_steps in the ini file: expected a whole number"),
            ("--webtask-model=claud", "--webtask-model: unknown model 'claud'; known: a model id such as"),
            ("--webtask-workflow=workr", "worker, worker-verified. Did you mean 'worker'?"),
            ("--webtask-allow-origin=shop.example", "--webtask-allow-origin: not an origin"),
            ("--webtask-recordings=../x", "--webtask-recordings: expected a folder relative to each"),
        ],
    )  # fmt: skip
    def test_invalid_option_ends_the_run(
        self, pytester: pytest.Pytester, argument: str, message: str
    ) -> None:
        """One line names the value and what is known before any test runs."""
        pytester.makepyfile("def test_it(): pass")
        result = pytester.runpytest_inprocess(argument)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert message in printed(result)
        assert "Traceback" not in printed(result)

    def test_help_lists_every_option(self, pytester: pytest.Pytester) -> None:
        """`pytest --help` shows the options, the ini names and the marker's words."""
        text = printed(pytester.runpytest_inprocess("--help")) + printed(
            pytester.runpytest_inprocess("--markers")
        )
        for option in OPTIONS:
            assert (option.flag in text) != option.of_project
            assert option.bare or option.ini + " (" in text
        assert "@pytest.mark.webtask(...)" in text


def test_invalid_marker_or_model_fails_its_test_only(pytester: pytest.Pytester) -> None:
    """The error message has no traceback into the plugin, with or without a page."""
    pytester.makepyfile(
        wrong_models="""
        nothing = None
        """,
        test_it="""
        import pytest

        @pytest.mark.webtask(max_stps=3)
        def test_word(webtask): pass

        @pytest.mark.webtask(max_steps=0)
        def test_value(webtask): pass

        @pytest.mark.webtask(40)
        def test_no_word(webtask): pass

        @pytest.mark.webtask(model="no_such:x")
        def test_no_module(webtask): pass

        @pytest.mark.webtask(model="wrong_models:x")
        def test_no_name(webtask): pass

        @pytest.mark.webtask(model="wrong_models:nothing")
        def test_not_callable(webtask): pass

        def test_other(webtask): pass
        """,
    )
    result = pytester.runpytest("-o", "pythonpath=.")
    result.assert_outcomes(passed=1, errors=6)
    text = printed(result)
    for message in (
        "unknown argument of @pytest.mark.webtask 'max_stps'; known: allow_origin, confirm,",
        "Did you mean 'max_steps'?",
        "@pytest.mark.webtask(max_steps=...): expected a whole number from 1 to 1,000,000,000; got 0",
        "@pytest.mark.webtask takes keywords only, got (40,)",
        "cannot load the model 'no_such:x': No module named 'no_such'",
        "to pytest's pythonpath option",
        "cannot load the model 'wrong_models:x': module 'wrong_models' has no attribute 'x'",
        "wrong_models:nothing is None, which is not callable",
    ):
        assert message in text
    assert "pytest_webtask/" not in text
    assert "--full-trace" not in text


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "1e300", "soon"])
def test_timeout_of_the_command_line_tools_is_checked(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pytest-webtask turn --timeout` takes a sensible number of seconds, or is a usage error."""
    assert cli.main(["turn", f"--timeout={seconds}"]) == 2
    assert "expected a number of seconds" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["os:system", "json:loads"])
def test_callable_that_takes_arguments_is_no_model(path: str) -> None:
    """A callable that needs arguments is a usage error that says so."""
    with pytest.raises(UsageError, match=r"without arguments.* returns the model"):
        load_model(path)


@pytest.mark.parametrize(
    "fields",
    [{"input_tokens": -1}, {"output_tokens": 10**30}, {"cost": float("nan")}, {"cost": -0.5}],
)
def test_usage_of_a_model_is_checked(fields: dict[str, Any]) -> None:
    """A model cannot state a negative, an infinite or an absurdly large usage."""
    with pytest.raises(ValueError, match="Usage"):
        Usage(**fields)
