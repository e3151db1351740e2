"""The judges of the tasks: no on an untouched start, yes on what was done properly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from shop.server import ShopServer

from benchmarks.tasks import Play, miniwob, report
from benchmarks.tasks import shop as shop_tasks
from pytest_webtask import Secret
from tests.scripted import Scripted, done


def opened(page: Page, url: str, name: str) -> str:
    """Opens a page of MiniWoB++ and begins; returns the sentence."""
    page.goto(f"{url}/{name}.html")
    return miniwob.start(page, miniwob.SEED)


def test_untouched_page_gives_no_reward(page: Page, miniwob_url: str) -> None:
    """An untouched exercise has a sentence and no reward."""
    for name in miniwob.TASKS:
        assert opened(page, miniwob_url, name), name
        assert miniwob.reward(page) == 0, name
        assert "reward" not in page.inner_text("body").lower(), name


def test_seed_decides_the_exercise(page: Page, miniwob_url: str) -> None:
    """The same seed gives the same exercise."""
    first, second = (opened(page, miniwob_url, "search-engine") for _ in range(2))
    assert first == second


def _option(page: Page, sentence: str) -> None:
    page.locator("label", has_text=sentence.split()[1]).click()


def _list(page: Page, sentence: str) -> None:
    page.locator("select").select_option(sentence.split()[1])


def _date(page: Page, sentence: str) -> None:
    month, day, year = sentence.split()[1].split("/")
    page.locator("input").fill(f"{year}-{month}-{day}")


def _table(page: Page, sentence: str) -> None:
    cells = [row.locator("td").all_inner_texts() for row in page.locator("#tab tr").all()]
    values = dict(c for c in cells if len(c) == 2)
    for number in (1, 2):
        label = page.locator(f"#ll{number}").inner_text().strip(" :")
        page.locator(f"#tt{number}").fill(values[label])


def _sliders(page: Page, sentence: str) -> None:
    for number, wanted in enumerate(re.findall(r"\d+", sentence), 1):
        page.locator(f"#slider-{number} .ui-slider-handle").focus()
        now = int(page.locator(f"#val-{number}").inner_text())
        for _ in range(abs(int(wanted) - now)):
            page.keyboard.press("ArrowRight" if int(wanted) > now else "ArrowLeft")


def _drag(page: Page, sentence: str) -> None:
    page.locator("#draggableSmall").drag_to(page.locator("#draggableLarge"))


def _line(page: Page, sentence: str) -> None:
    dot = page.locator("circle").bounding_box()
    assert dot and "vertical" in sentence
    x, y = dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2
    page.mouse.move(x, y - 20)
    page.mouse.down()
    page.mouse.move(x, y + 20, steps=20)
    page.mouse.up()


def _point(page: Page, sentence: str) -> None:
    wanted = re.findall(r"\(.*\)", sentence)[0]
    page.locator(f"circle[id='{wanted}']").click()


def _tabs(page: Page, sentence: str) -> None:
    word = sentence.split('"')[1]
    for tab in page.get_by_role("tab").all():
        tab.click()
        for link in page.locator(".alink:visible").all():
            if link.inner_text() == word:
                link.click()
                return


def _dialog(page: Page, sentence: str) -> None:
    name = sentence.split('"')[1]
    page.get_by_role("button", name="Close" if name == "x" else name, exact=True).click()


@pytest.mark.parametrize(
    ("name", "solve", "submit"),
    [
        ("click-option", _option, True),
        ("choose-list", _list, True),
        ("enter-date", _date, True),
        ("read-table-2", _table, True),
        ("use-slider-2", _sliders, True),
        ("drag-box", _drag, True),
        ("draw-line", _line, True),
        ("grid-coordinate", _point, False),
        ("click-tab-2-hard", _tabs, False),
        ("click-dialog-2", _dialog, False),
    ],
)
def test_solved_page_gives_a_reward(
    name: str, solve: Callable[[Page, str], None], submit: bool, page: Page, miniwob_url: str
) -> None:
    """An exercise that plain Playwright solves as a user would is rewarded."""
    solve(page, opened(page, miniwob_url, name))
    if submit:
        assert miniwob.reward(page) == 0
        page.get_by_role("button", name="Submit").click()
    assert miniwob.reward(page) > 0


def test_first_answer_counts(page: Page, miniwob_url: str) -> None:
    """A correct answer after a wrong one is not rewarded."""
    sentence = opened(page, miniwob_url, "click-option")
    page.get_by_role("button", name="Submit").click()
    assert miniwob.reward(page) == -1
    _option(page, sentence)
    page.get_by_role("button", name="Submit").click()
    assert miniwob.reward(page) == -1


def test_untouched_shop_fails_its_judges(page: Page, shop: ShopServer, shop_folder: Path) -> None:
    """No task of the shop counts as done before it is begun."""
    page.goto(shop.url)
    for task in shop_tasks.TASKS:
        shop.reset()
        shop_tasks.prepare(shop_folder / "shop.sqlite", task)
        assert not shop_tasks.solved(page, shop_folder / "shop.sqlite", task), task.name


def _log_in(page: Page, user: str, password: str) -> None:
    secret = shop_tasks.DATA[password]
    assert isinstance(secret, Secret)
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Username").fill(user)
    page.get_by_label("Password").fill(secret.reveal())
    page.get_by_role("button", name="Log in").click()


def _dana(page: Page) -> None:
    _log_in(page, "demo", "password")


def _option_to_cart(page: Page) -> None:
    page.get_by_role("link", name="Camping Mug").last.click()
    page.get_by_label("Colour").select_option("Mustard")
    page.locator("form.buy button").click()
    page.get_by_text("Added 1 × Camping Mug").wait_for()


def _sold_out(page: Page) -> None:
    page.get_by_role("link", name="Moonlight Mug").last.click()


def _rename(page: Page) -> None:
    _dana(page)
    page.get_by_role("link", name="Account").click()
    page.once("dialog", lambda dialog: dialog.accept("Birthday ideas"))
    page.get_by_role("button", name="Rename wishlist").click()
    page.get_by_text("Wishlist renamed.").wait_for()


def _write(page: Page) -> None:
    page.get_by_role("link", name="Help", exact=True).click()
    page.get_by_label("Subject").fill("Loose handle")
    page.get_by_role("textbox", name="Message").press_sequentially("The handle is ")
    page.get_by_role("button", name="Bold").click()
    page.get_by_role("textbox", name="Message").press_sequentially("loose")
    page.get_by_role("button", name="Send message").click()


def _buy(page: Page) -> None:
    _dana(page)
    page.goto(re.sub(r"(://[^/]+).*", r"\1/products/20", page.url))
    page.locator("form.buy button").click()
    page.get_by_role("link", name="Cart (1 item)").click()
    page.get_by_role("link", name="Go to checkout").click()
    texts = {
        "Full name": "Dana Demo",
        "Email": "dana@example.com",
        "Street and number": "Kiln Lane 12",
        "ZIP code": "10115",
        "City": "Berlin",
    }
    for label, text in texts.items():
        page.get_by_label(label).fill(text)
    page.get_by_label("Country").select_option("Germany")
    page.get_by_label("Standard").check()
    card = page.frame_locator("iframe")
    card.get_by_label("Card number").fill("4000056655665556")
    card.get_by_label("Expiry date").fill("12/39")
    card.get_by_label("Security code").fill("123")
    card.get_by_role("button", name="Save card").click()
    page.get_by_text("Card ending in 5556 is ready.").wait_for()
    page.get_by_label("I accept").check()
    page.get_by_role("button", name="Place order").click()


@pytest.mark.parametrize(
    ("name", "solve", "path"),
    [
        ("log-in", _dana, "/"),
        ("add-an-option", _option_to_cart, "/products?category=Mugs"),
        ("sold-out", _sold_out, "/products?category=Mugs"),
        ("rename-in-a-prompt", _rename, "/"),
        ("rich-message", _write, "/"),
        ("check-out", _buy, "/"),
    ],
)
def test_solved_shop_task_satisfies_its_judge(
    name: str,
    solve: Callable[[Page], None],
    path: str,
    page: Page,
    shop: ShopServer,
    database: Path,
) -> None:
    """A task that plain Playwright does as a user would satisfies its judge."""
    (task,) = (each for each in shop_tasks.TASKS if each.name == name)
    shop_tasks.prepare(database, task)
    page.goto(shop.url + path)
    solve(page)
    assert shop_tasks.solved(page, database, task)


class TestPlay:
    """How a played task is written down."""

    @pytest.fixture
    def webtask_model(self) -> Scripted:
        """A model that says that it has done the task, whatever it is."""
        return Scripted(done("There."))

    @pytest.fixture
    def results(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
    ) -> Path:
        """The file of results, instead of the one that the options name."""
        file = tmp_path / "results.jsonl"
        monkeypatch.setattr(pytestconfig.option, "task_results", str(file))
        return file

    def test_false_done_is_reported(self, play: Play, results: Path) -> None:
        """A task that the model calls done and the judge does not is a false done."""
        with pytest.raises(AssertionError, match="completed, but not done: There"):
            play("shop/nothing", "do something", lambda: False)
        (line,) = map(json.loads, results.read_text().splitlines())
        assert line["false_done"] and not line["success"]
        assert (line["status"], line["iterations"], line["model_calls"]) == ("completed", 1, 1)
        assert "0 of 1 done (0%), 1 false done" in report.table([line])

    def test_success_is_reported(self, play: Play, results: Path) -> None:
        """A task that the judge accepts is listed as done."""
        play("miniwob/nothing", "do something", lambda: True)
        table = report.table(report.read([str(results)]))
        assert "| miniwob/nothing | done | completed | 1 | 1 |" in table
        assert "miniwob: 1 of 1 done (100%), 0 false done; iterations 1.0 a task" in table
