"""The plugin within pytest: what it costs unused, how it fails, xdist, browsers, logs."""

import pytest

from pytest_webtask.journal import PhaseEnded, StepEnded
from tests.inner import CONFTEST, events
from tests.nested import printed

FAILING = """
import pytest
from pytest_webtask import Decision
from tests.scripted import call, done, verdict

THREE = verdict(
    "does_not_hold",
    {"kind": "text", "element_id": "cell:2", "text": "2"},
    {"kind": "text", "element_id": "heading:Your cart", "text": "Your cart"},
    reason="there are 2 of them",
)
EMPTY = verdict("holds", reason="it looks so")

@pytest.fixture
def cart(page):
    page.set_content("<h1>Your cart</h1><table><tr><th>Item<th>Quantity<tr><td>Mug<td>2</table>")

def give_up(webtask):
    webtask.do("open the cart")  # in a helper

def test_task(webtask, model):
    model.answers = [call("abort", reason="there is no cart")]
    webtask.do("open the cart")  # line of test_task

def test_helper(webtask, model):
    model.answers = [call("abort", reason="there is no cart")]
    give_up(webtask)

def test_steps(webtask, model):
    model.answers = [call("abort", reason="there is no cart")]
    for iteration in webtask.steps("open the cart"):  # line of test_steps
        assert iteration.number == 1

def test_goto(webtask):
    webtask.goto("http://127.0.0.1:9/")  # line of test_goto

def test_relative(webtask):
    webtask.goto("/cart")  # line of test_relative

def test_placeholder(webtask):
    webtask.do("as {usr}", data={"user": "ann"})  # line of test_placeholder

def test_page(webtask):
    webtask.page.close()
    webtask.page  # line of test_page

def test_silence(webtask, model):
    model.answers = [Decision(), Decision(), Decision()]
    webtask.do("say something")  # line of test_silence

def test_option(webtask):
    webtask.do("nothing", max_steps=0)  # line of test_option

def test_for(page, webtask_for):
    webtask_for(page, resources={"cv": "nowhere.pdf"})  # line of test_for

def test_claim(webtask, model, cart):
    model.answers = [THREE]
    webtask.verify("the quantity of Mug is 3", timeout=0)  # line of test_claim

def test_undecided(webtask, model, cart):
    model.answers = [EMPTY] * 3
    webtask.verify("the quantity of Mug is 3", timeout=0)  # line of test_undecided

def test_holds(webtask, model, cart):
    model.answers = [THREE, *[EMPTY] * 3]
    assert webtask.holds("the quantity of Mug is 3", timeout=0) is False
    webtask.holds("the quantity of Mug is 3", timeout=0)  # line of test_holds

def test_extract(webtask, model, cart):
    model.answers = [call("report_nothing")]
    webtask.extract("the voucher", timeout=0)  # line of test_extract

def test_schema(webtask, model, cart):
    webtask.extract("the day", pytest, timeout=0)  # line of test_schema

def test_empty(webtask):
    webtask.verify("", timeout=0)  # line of test_empty
"""


def test_unused_plugin_leaves_no_trace(pytester: pytest.Pytester) -> None:
    """An unused plugin adds no folder, summary or traceback frame and loads only its options."""
    pytester.makeconftest(
        """
        import sys, pytest

        @pytest.fixture
        def broken():
            raise ValueError("a fixture of the user's")

        def pytest_unconfigure():
            print("LOADED", *sorted(m for m in sys.modules if m.startswith("pytest_webtask")))
            print("HEAVY", *({"anthropic", "jinja2", "PIL", "pydantic"} & sys.modules.keys()))
        """
    )
    pytester.makepyfile("def test_it(): pass\ndef test_broken(broken): pass")
    result = pytester.runpytest_subprocess("-s", "-p", "no:html")
    result.assert_outcomes(passed=1, errors=1)
    text = printed(result)
    loaded = (
        *("", ".agent", ".agent.workflow_names", ".errors", ".plugin"),
        *(".run", ".run.host", ".run.options", ".run.run_state"),
    )
    assert f"LOADED {' '.join('pytest_webtask' + module for module in loaded)}\n" in text
    assert "HEAVY\n" in text
    assert "- webtask -" not in text
    assert "pytest_webtask/" not in text
    assert not (pytester.path / ".webtask").exists()


def test_plugin_can_be_switched_off(pytester: pytest.Pytester) -> None:
    """`-p no:webtask` leaves no fixture and no option."""
    pytester.makepyfile("def test_it(webtask): pass\ndef test_other(): pass")
    result = pytester.runpytest("-p", "no:webtask")
    result.assert_outcomes(passed=1, errors=1)
    assert "fixture 'webtask' not found" in printed(result)


def test_browser_parametrizes_a_test_of_webtask_alone(pytester: pytest.Pytester) -> None:
    """Two browsers make two tests, even if a test only requests `webtask`."""
    pytester.makepyfile("def test_it(webtask): pass")
    result = pytester.runpytest_inprocess(
        "--collect-only", "-q", "--browser=chromium", "--browser=firefox"
    )
    result.stdout.fnmatch_lines(["*test_it[[]chromium[]]", "*test_it[[]firefox[]]"])


@pytest.mark.parametrize("style", ["auto", "short"])
def test_failures_are_at_the_users_own_line(pytester: pytest.Pytester, style: str) -> None:
    """A traceback ends at the user's line, shows no frame of the plugin, and each message once."""
    pytester.makeconftest(CONFTEST)
    test = pytester.makepyfile(FAILING)
    lines = enumerate(test.read_text().splitlines(), 1)
    numbers = {line.rpartition(" of ")[2]: n for n, line in lines if "# line of" in line}
    result = pytester.runpytest(f"--tb={style}", "-vv")
    result.assert_outcomes(failed=16)
    shown, _, _ = printed(result).replace("rootdir: ", "").partition("short test summary")
    for other in ("pytest_webtask/", "contextlib.py", "During handling", "direct cause"):
        assert other not in shown
    for name, number in numbers.items():
        assert f"{test.name}:{number}: " in shown, name
    text = shown.replace("\nE   ", "\n")
    for words in (
        "TaskFailed: do('open the cart') was given up after 1 iteration\n",
        "  there is no cart\n",
        "page: about:blank\n",
        "PageError: http://127.0.0.1:9/ could not be opened: ",
        "UsageError: '/cart' is not an address, and there is no base URL",
        "UnknownName: unknown placeholder 'usr'; known: user. Did you mean 'user'?",
        "PageError: the page is closed",
        "no usable answer 3 times in a row: it called no tool",
        "UsageError: expected a whole number from 1 to 1,000,000,000; got 0",
        "UsageError: the resource 'cv' is missing: there is no file /",
        "nowhere.pdf; create it, or correct the path",
        "  there are 2 of them\n",
        '  - cell shows "2" in column "Quantity" in row "Mug" in table under "Your cart"',
        '  - heading shows "Your cart"',
        'a model concluded "it looks so", but its evidence was rejected 3 times:',
    ):
        assert words in text, words
    assert text.count('"the quantity of Mug is 3" does not hold') == 1
    assert text.count('"the quantity of Mug is 3" could not be decided') == 2
    claim = text[text.index("_ test_claim") : text.index("_ test_extract")]
    assert max(map(len, claim.splitlines())) <= 120
    # A helper is a line of the user's, too: the test's line, then the helper's.
    assert ("in give_up" if style == "short" else "def give_up(") in text
    assert 'webtask.do("open the cart")  # in a helper' in text


def test_unfinished_task_is_an_error(pytester: pytest.Pytester) -> None:
    """A passing test with a task that was not begun or not finished is an error."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        import threading, pytest
        from tests.scripted import call, done

        WAITS = [call("wait", seconds=0.01)] * 3

        def test_never_iterated(webtask):
            assert webtask.steps("check out")

        def test_in_the_middle(webtask, model):
            model.answers = WAITS + [done()]
            steps = webtask.steps("check out")
            next(steps)

        def test_in_the_middle_of_anothers(context, webtask_for, model):
            model.answers = WAITS + [done()]
            steps = webtask_for(context.new_page()).steps("check out")
            next(steps)

        def test_in_a_thread(webtask):
            thread = threading.Thread(target=tried, args=[webtask])
            thread.start()
            thread.join()

        def tried(webtask):
            with pytest.raises(Exception, match="in the thread of its test"):
                webtask.do("check out")

        def test_that_failed_has_said_enough(webtask, model):
            model.answers = WAITS + [done()]
            steps = webtask.steps("check out")
            next(steps)
            assert False, "my own words"

        def test_broken_off_on_purpose(webtask, model):
            model.answers = WAITS + [done()]
            steps = webtask.steps("check out")
            for iteration in steps:
                break
            steps.close()
            webtask.do("check out")
        """
    )
    result = pytester.runpytest("-W", "error")
    # A test that is passed has an error at its teardown, as any has whose fixture fails there.
    result.assert_outcomes(passed=5, failed=1, errors=4)
    text = printed(result)
    left = "not done: steps('check out') was not finished: loop to its end, or call its close()"
    assert text.splitlines().count(left) == 3
    assert "not done: do('check out') was called from another thread, so it did not run" in text
    assert "pytest_webtask/" not in text
    ends = [e.status for e in events(pytester.path) if isinstance(e, StepEnded)]
    assert ends == ["abandoned", "abandoned", "abandoned", "abandoned", "completed"]


def test_fixtures_may_use_a_webtask_before_and_after(pytester: pytest.Pytester) -> None:
    """Set-up and teardown of the user's fixtures have the page, however late it was opened."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        import pytest
        from tests.scripted import call, done

        @pytest.fixture
        def cleaned(webtask, model):
            yield
            model.answers = [done("cleaned")]
            print("AFTER", webtask.do("clean up").session.feedback)

        @pytest.fixture
        def prepared(webtask, model):
            model.answers = [done("prepared")]
            webtask.do("prepare")

        @pytest.fixture
        def unprepared(webtask, model):
            model.answers = [call("abort", reason="no way")]
            webtask.do("prepare")

        def test_lazy(webtask, cleaned):
            assert webtask.page.url == "about:blank"

        def test_failing(webtask, cleaned):
            webtask.page
            assert False

        def test_eager(prepared, cleaned):
            pass

        def test_set_up_fails(unprepared):
            pass

        def test_by_name_only(request):
            webtask = request.getfixturevalue("webtask")
            request.getfixturevalue("model").answers = [lambda t: (t.observation, done())[1]]
            webtask.do("look")

        @pytest.mark.parametrize("n", [1, 2])
        def test_parametrized(webtask, model, n):
            model.answers = [done(str(n))]
            assert webtask.do("count").session.feedback == str(n)
            assert len(webtask.state.steps) == 1

        kept = []

        def test_keep(webtask):
            kept.append(webtask)
            webtask.page

        def test_kept():
            assert kept[0].state.status == "ended"
            with pytest.raises(Exception, match="the test is over"):
                kept[0].do("go on")
        """
    )
    result = pytester.runpytest("-s")
    result.assert_outcomes(passed=7, failed=1, errors=1)
    text = printed(result)
    assert text.count("AFTER cleaned") == 3
    assert "ERROR at setup of test_set_up_fails" in text
    assert "no way" in text


def test_page_is_opened_on_first_use(pytester: pytest.Pytester) -> None:
    """A test that requests webtask and does not use it launches no browser."""
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def browser_type_launch_args(browser_type_launch_args):
            print("LAUNCHED")
            return {**browser_type_launch_args, "executable_path": "/no/such/browser"}
        """
    )
    pytester.makepyfile(
        """
        def test_nothing(webtask):
            assert webtask.state.tabs == ()
            assert webtask.state.running is None
            webtask.forget()
            print("NOT YET")

        def test_something(webtask):
            webtask.do("press Enter")  # the user's line
        """
    )
    result = pytester.runpytest("-s")
    result.assert_outcomes(passed=1, failed=1)
    text = printed(result)
    assert text.index("NOT YET") < text.index("LAUNCHED")
    # A browser that is missing is an error of the page, with Playwright's own words.
    assert "PageError: no page could be opened: BrowserType.launch: " in text
    assert "/no/such/browser" in text
    assert "pytest_webtask/" not in text
    assert "1 step (1 error)" in text


@pytest.mark.long
def test_workers_of_xdist_share_a_run(pytester: pytest.Pytester) -> None:
    """Workers share a folder and the base URL of the ini file, and the controller prints one summary."""
    pytester.makeconftest(CONFTEST)
    pytester.makeini("[pytest]\nbase_url = http://127.0.0.1:9/shop")
    pytester.makepyfile(
        """
        import pytest
        from tests.scripted import done

        @pytest.mark.parametrize("n", range(4))
        def test_it(webtask, model, n, base_url):
            model.answers = [done()]
            webtask.do("nothing")
            assert base_url == "http://127.0.0.1:9/shop"
        """
    )
    result = pytester.runpytest_subprocess("-n2", "-W", "error")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(
        ["*- webtask -*", "4 steps (4 completed), 4 by a model, 4 iterations, 4 model calls"]
    )
    [run] = (pytester.path / ".webtask" / "runs").iterdir()
    assert f"journal: .webtask/runs/{run.name}" in printed(result)
    assert sorted(p.name for p in run.glob("*.jsonl")) == [
        *("gw0.jsonl", "gw1.jsonl", "main.jsonl")
    ]
    assert sum(isinstance(event, PhaseEnded) for event in events(pytester.path)) == 12


def test_progress_is_logged(pytester: pytest.Pytester) -> None:
    """`--log-cli-level=INFO` shows a line for each iteration and no secret."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        """
        from pytest_webtask import Secret
        from tests.scripted import call, done

        def test_it(webtask, model):
            model.answers = [call("wait", text="hunter2"), done()]
            webtask.page.set_content("<p>hunter2")
            webtask.do("wait for {word}", data={"word": Secret("hunter2")})
        """
    )
    result = pytester.runpytest("--log-cli-level=INFO", "-W", "error")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "INFO *pytest_webtask:*step 1, do('wait for {word}'): worker 1/20 wait text='{word}' (scripted)",
            "INFO *step 1, do('wait for {word}'): worker 2/20 mark_done*",
        ]
    )
    assert "hunter2" not in printed(result)
    journal = next((pytester.path / ".webtask").rglob("*.jsonl")).read_text()
    assert "hunter2" not in journal
