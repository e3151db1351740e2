"""The fixtures and the methods of `webtask`: what reaches the turn, contexts, steps, addresses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from pytest_webtask import PageError, Secret, TaskFailed, UsageError, Webtask
from pytest_webtask.journal import StepStarted
from pytest_webtask.types.agent import Iteration
from tests.inner import events
from tests.scripted import Scripted, call, done, on
from tests.site import Handler, Server, Site

WAIT = call("wait", seconds=0.01)


@contextmanager
def redirecting_to(target: str) -> Iterator[str]:
    """The address of a server that answers everything with a redirect."""

    class Redirects(Handler):
        def answer(self) -> None:
            self.reply(302, {"location": target}, b"")

    server = Server(Redirects)
    yield f"{server.url}/"
    server.stop()


class TestDo:
    def test_data_and_resources_of_the_call_are_added(
        self,
        context: BrowserContext,
        webtask_for: Callable[..., Webtask],
        model: Scripted,
        tmp_path: Path,
    ) -> None:
        """Data and resources of a call apply to it alone; the value of a secret is not shown."""
        cv, photo = tmp_path / "cv.pdf", tmp_path / "photo.png"
        cv.touch()
        photo.touch()
        webtask = webtask_for(
            context.new_page(),
            data={"user": "ann", "n": 1},
            resources={"cv": cv},
            instructions="Be kind.",
        )
        model.answers = [done(), done()]
        webtask.do(
            "{user} {pin}", data={"user": "bob", "pin": Secret("8421")}, resources={"photo": photo}
        )
        webtask.do("{user}")
        first, second = model.turns
        assert first.data == {"user": "bob", "n": "1", "pin": None}
        assert set(first.resources) == {"cv", "photo"}
        assert first.instructions == "Be kind."
        assert second.data == {"user": "ann", "n": "1"}
        assert set(second.resources) == {"cv"}
        assert webtask.state.data == ("user", "n")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"max_steps": 0}, "a whole number from 1 to 1,000,000,000; got 0"),
            ({"max_steps": "many"}, "a whole number"),
            ({"timeout": -1}, "a number of seconds from 0 to 1,000,000; got -1"),
            ({"workflow": "workr"}, "unknown workflow 'workr'; known: .*worker-verified. Did you mean 'worker'"),
            ({"workflow": ""}, "unknown workflow ''"),
            ({"resources": {"cv": "nowhere.pdf"}}, "the resource 'cv' is missing"),
            ({"data": {"a b": 1}}, "Python identifier"),
        ],
    )  # fmt: skip
    def test_invalid_options_are_refused(
        self, webtask: Webtask, model: Scripted, options: dict[str, object], message: str
    ) -> None:
        """`do` and `steps` refuse invalid options before the model is called."""
        with pytest.raises(UsageError, match=message):
            webtask.do("nothing", **options)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=message):
            next(webtask.steps("nothing", **options))
        assert model.turns == []

    @pytest.mark.parametrize("task", ["", " \n", None, 3])
    def test_empty_task_is_refused(self, webtask: Webtask, task: str) -> None:
        """A task that is empty or no text is a usage error."""
        with pytest.raises(UsageError, match=r"do\(\) takes a sentence, got"):
            webtask.do(task)


class TestContext:
    def test_step_gets_earlier_steps(self, webtask: Webtask, model: Scripted) -> None:
        """A step gets the earlier ones, failed ones included, except with persist_context=False."""
        model.answers = [done(), call("abort", reason="no"), done(), done(), done()]
        webtask.do("one")
        with pytest.raises(TaskFailed):
            webtask.do("two")
        webtask.do("alone", persist_context=False)
        webtask.do("three")
        webtask.forget()
        webtask.do("four")
        earlier = [[s.sentence for s in turn.earlier] for turn in model.turns]
        assert earlier == [[], ["one"], [], ["one", "two", "alone"], []]
        tasks = [s.task_description for s in webtask.state.steps]
        assert tasks == ["one", "two", "alone", "three", "four"]

    def test_two_users_have_separate_pages_and_names(
        self,
        page: Page,
        context: BrowserContext,
        webtask: Webtask,
        webtask_for: Callable[..., Webtask],
        model: Scripted,
        site: Site,
    ) -> None:
        """Each webtask of a test has its own page, context of steps, and name in the journal."""
        site.pages["/"] = "<h1>Shop"
        seller = webtask_for(context.new_page(), name="seller")
        nameless = [webtask_for(context.new_page()).name for _ in range(2)]
        model.answers = [done(), done(), done()]
        webtask.goto(site.url)
        webtask.do("buy")
        seller.do("sell")
        webtask.do("pay")
        assert webtask.page is page
        assert seller.page is not page
        assert seller.page.url == "about:blank"
        assert [len(turn.earlier) for turn in model.turns] == [1, 0, 2]
        assert (webtask.name, seller.name) == ("", "seller")
        assert len({*nameless, "", "seller"}) == 4

    def test_unknown_option_of_webtask_for_is_refused(
        self, page: Page, webtask_for: Callable[..., Webtask]
    ) -> None:
        """An unknown keyword argument is a TypeError that names it."""
        with pytest.raises(TypeError, match="no option 'date'"):
            webtask_for(page, date={})


class TestSteps:
    def test_iterations_come_one_by_one(self, webtask: Webtask, model: Scripted) -> None:
        """Each decision is made when the next iteration is requested, and the last one gives the result."""
        model.answers = [WAIT, done("waited")]
        steps = webtask.steps("wait")
        assert model.turns == []
        first = next(steps)
        assert isinstance(first, Iteration)
        assert (first.number, len(model.turns)) == (1, 1)
        assert webtask.state.running == "do('wait')"
        assert next(steps).number == 2
        with pytest.raises(StopIteration) as stop:
            next(steps)
        assert stop.value.value.session.feedback == "waited"
        assert webtask.state.running is None

    def test_closed_steps_end_the_task(self, webtask: Webtask, model: Scripted) -> None:
        """After close() the next step may begin, which knows that the other was abandoned."""
        model.answers = [WAIT, done("next")]
        steps = webtask.steps("wait")
        for _ in steps:
            break
        steps.close()
        assert webtask.state.running is None
        assert webtask.do("next").session.feedback == "next"
        assert [each.status for each in model.turns[-1].earlier] == ["abandoned"]


class TestGoto:
    def test_path_is_joined_to_the_base_url(
        self, context: BrowserContext, webtask_for: Callable[..., Webtask], site: Site
    ) -> None:
        """A path is joined to the base URL as in `page.goto`."""
        site.pages["/shop/cart"] = "<h1>Cart"
        webtask = webtask_for(context.new_page(), base_url=f"{site.url}/shop/")
        webtask.goto("cart")
        assert webtask.page.url == f"{site.url}/shop/cart"

    @pytest.mark.parametrize("url", ["/cart", "cart", "", "localhost:8000/cart"])
    def test_path_without_a_base_url_is_refused(self, webtask: Webtask, url: str) -> None:
        """The error names the three ways to set a base URL."""
        with pytest.raises(UsageError, match=r"--base-url, the base_url ini option or fixture"):
            webtask.goto(url)

    @pytest.mark.own_page
    def test_page_with_status_404_is_opened(self, webtask: Webtask, site: Site) -> None:
        """A test may open a page that is not found and read its text."""
        webtask.goto(f"{site.url}/nowhere")
        assert "not found" in webtask.page.content()

    def test_redirect_to_a_foreign_origin_is_stopped(self, webtask: Webtask, site: Site) -> None:
        """The request is never sent, and the error names the address."""
        with redirecting_to(f"{site.foreign_url}/evil") as url, pytest.raises(PageError) as failed:
            webtask.goto(url)
        assert f"{url} could not be opened: going to {site.foreign_url}/evil was stopped" in str(
            failed.value
        )
        assert site.log == []

    def test_opened_origin_is_allowed(self, webtask: Webtask, model: Scripted, site: Site) -> None:
        """The model may act on every origin that the test has opened."""
        site.pages["/"] = "<button>Go</button>"
        for url in (site.url, site.foreign_url):
            webtask.goto(url)
            model.answers = [on("click", "button", "Go"), done()]
            assert webtask.do("press it").session.iterations[0].calls[0].success


def test_redirect_to_a_foreign_origin_is_an_error_without_a_model(
    pytester: pytest.Pytester, site: Site
) -> None:
    """A test of literal sentences follows the redirect, and the error says where it led."""
    with redirecting_to(f"{site.foreign_url}/evil") as url:
        pytester.makepyfile(
            f"""
            def test_goto(webtask):
                webtask.goto({url!r})
            """
        )
        result = pytester.runpytest()
    origin = site.foreign_url
    result.stdout.fnmatch_lines(
        f"E *PageError: {url} could not be opened: it led to {origin}, which is not an allowed*"
    )


def test_fixtures_are_overridden_in_any_scope(pytester: pytest.Pytester) -> None:
    """Session, module and function fixtures override the plugin's; `webtask_for` uses those of its test."""
    pytester.makeconftest(
        """
        import pytest
        from tests.scripted import Scripted, done

        class Echo(Scripted):
            def decide(self, turn):
                self.answers.append(done())
                return super().decide(turn)

        @pytest.fixture(scope="session")
        def webtask_model():
            return Echo()

        @pytest.fixture(scope="session")
        def webtask_data():
            return {"user": "of the session"}

        @pytest.fixture(scope="session")
        def base_url():
            return "http://127.0.0.1:9"

        @pytest.fixture(scope="session")
        def seller(browser, webtask_for):
            context = browser.new_context()
            seller = webtask_for(context.new_page(), name="seller")
            seller.do("log in as {user}")
            yield seller
            seller.do("log out")
            context.close()
        """
    )
    pytester.makepyfile(
        test_session="""
        def test_data(webtask, webtask_model):
            webtask.do("as {user}")
            assert webtask_model.turns[-1].data == {"user": "of the session"}
            assert webtask_model.turns[-1].resources == ()
        """,
        test_module="""
        import pytest

        @pytest.fixture(scope="module")
        def webtask_data(webtask_data):
            return {**webtask_data, "pin": 1}

        @pytest.fixture
        def webtask_instructions():
            return "of the function"

        @pytest.fixture(scope="module")
        def webtask_resources(tmp_path_factory):
            file = tmp_path_factory.mktemp("files") / "cv.pdf"
            file.touch()
            return {"cv": file}

        def test_all(webtask, webtask_model):
            webtask.do("as {user} with {pin}")
            turn = webtask_model.turns[-1]
            assert turn.data == {"user": "of the session", "pin": "1"}
            assert turn.resources == ("cv",)
            assert turn.instructions == "of the function"

        # The option names a model that cannot be loaded: the fixture wins, so it is never loaded.
        def test_for(seller, webtask_model):
            assert webtask_model.turns[-1].data == {"user": "of the session", "pin": "1"}
            assert webtask_model.turns[-1].instructions == "of the function"
            seller.do("sell")
            [earlier] = webtask_model.turns[-1].earlier
            assert earlier.sentence == "log in as {user}"

        def test_for_again(seller, webtask_model):
            seller.do("sell")
            assert webtask_model.turns[-1].earlier == ()
            assert [s.task_description for s in seller.state.steps] == ["sell"]
        """,
    )
    result = pytester.runpytest("--webtask-model=no_such:model", "-W", "error", "-v")
    result.assert_outcomes(passed=4)
    steps = [
        event
        for event in events(pytester.path)
        if isinstance(event, StepStarted) and event.webtask == "seller"
    ]
    at = [(e.test.partition("::")[2].partition("[")[0], e.step, e.sentence) for e in steps]
    assert at == [
        ("test_for", 1, "log in as {user}"),
        ("test_for", 2, "sell"),
        ("test_for_again", 1, "sell"),
        ("test_data", 1, "log out"),
    ]
