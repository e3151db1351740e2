"""Tasks of MiniWoB++: small pages that others wrote, each with a sentence and a reward."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.sites import fetch

VERSION = "1.1.0"
# Left out is what cannot be done by somebody who looks, thinks and acts in turns: pages on which
# things move or are shown for a moment (chase-circle, moving-items, simon-says, stock-market).
TASKS = tuple(
    """
    bisect-angle book-flight choose-date choose-date-easy choose-list click-button-sequence
    click-checkboxes-large click-checkboxes-soft click-collapsible-2 click-color click-dialog-2
    click-menu click-menu-2 click-option click-pie click-scroll-list click-shades click-shape
    click-tab-2-hard click-widget copy-paste-2 count-shape count-sides daily-calendar drag-box
    drag-circle drag-cube drag-items-grid drag-shapes-2 drag-sort-numbers draw-line
    email-inbox-forward-nl enter-date enter-time find-midpoint find-word form-sequence-3
    grid-coordinate guess-number highlight-text-2 hot-cold identify-shape login-user-popup
    multi-layouts navigate-tree number-checkboxes order-food phone-book read-table-2
    resize-textarea right-angle scroll-text-2 search-engine sign-agreement simple-algebra
    social-media-some terminal text-editor text-transform tic-tac-toe use-autocomplete
    use-colorwheel-2 use-slider-2 use-spinner visual-addition
    """.split()
)

# With seed 1, click-pie asks for the one item that this page does not take a click on.
SEED = 4

INSTRUCTIONS = (
    "A small page that holds one exercise; the sentence in its yellow box is the task. It does not"
    " tell whether an answer is right, and may show nothing at all after the last action. The first"
    " answer counts."
)

# The clock, the reward and the cover between two episodes are no part of the task.
_HIDDEN = "#reward-display, #click-canvas, #sync-task-cover { display: none !important }"

_START = """(seed) => {
  core.EPISODE_MAX_TIME = 2 ** 31 - 1;
  core.countdownTimer = () => {};
  core.setDataMode("train");
  Math.seedrandom(seed);
  core.startEpisodeReal();
}"""

_UTTERANCE = "() => { const said = core.getUtterance(); return said.utterance ?? said }"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *args: object) -> None:
        """A browser that hangs up is no error."""


@contextmanager
def serve(cache: Path) -> Iterator[str]:
    """Serve the pages on a free loopback port; gives the address of their folder.

    They are fetched into `cache` once, without what their package needs to drive a browser.
    """
    folder = cache / f"miniwob-{VERSION}"
    fetch("pypi", "miniwob", VERSION, folder)
    handler = partial(_Quiet, directory=str(folder / "package" / "miniwob" / "html"))
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/miniwob"
    server.shutdown()
    thread.join()
    server.server_close()


def start(page: Page, seed: int) -> str:
    """Begin the exercise of a page that has been opened, and return its sentence.

    The same seed gives the same exercise. A page that is loaded anew has lost it for good.
    """
    page.set_viewport_size({"width": 480, "height": 320})
    page.add_style_tag(content=_HIDDEN)
    page.evaluate(_START, seed)
    page.wait_for_function("WOB_TASK_READY")
    return str(page.evaluate(_UTTERANCE))


def reward(page: Page) -> float:
    """What the page gives for what was done, from -1 to 1; 0 while there is no answer."""
    return float(page.evaluate("window.WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0"))
