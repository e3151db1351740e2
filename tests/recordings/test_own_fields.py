"""What a model did with fields that pages draw themselves is replayed, and fails where they have other values."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pytest_webtask.export.statements import code_of
from pytest_webtask.journal.schema import StepTrace
from tests.inner import project, visits
from tests.own_fields import BUTTON, COMPONENT, TAKES, TYPED

pytestmark = [pytest.mark.slow, pytest.mark.long]

PAGES = {
    "/typed": TYPED.replace("TAKE", TAKES),
    "/button": BUTTON.replace("TAKE", "c.textContent = x"),
    "/component": COMPONENT,
}
PLAYS = """
"go to Oslo": [act("select_option", "combobox:City", options=["Oslo"]),
    done({"kind": "value", "element_id": "combobox:City", "value": "Oslo"})],
"take the plum": [act("select_option", "combobox:Fruit", options=["Plum"]),
    done({"kind": "value", "element_id": "combobox:Fruit", "value": "Plum"})],
"sign as Ann": [act("fill", "textbox:Name", text="Ann"), act("press", "textbox:Name", key="Ctrl+End"),
    done({"kind": "value", "element_id": "textbox:Name", "value": "Ann"})],
"""
SENTENCES = re.findall(r'^"(.+?)":', PLAYS, re.MULTILINE)
TESTS = visits({p[1:]: f'do("{s}")' for p, s in zip(PAGES, SENTENCES, strict=True)})
CHANGED = {
    "/typed": TYPED.replace("TAKE", "c.value = picked = 'Rome'"),
    "/button": BUTTON.replace("TAKE", "c.textContent = 'Choose'"),
    "/component": COMPONENT.replace("<input>", "<input maxlength=2>"),
}


def _passes(page: Page, url: str, lines: list[str]) -> bool:
    """Return whether exported lines pass on a page."""
    page.goto(url)
    code = "\n".join(lines)
    try:
        exec(compile(code, "exported.py", "exec"), {"page": page, "expect": expect})
    except AssertionError:
        return False
    return True


def test_fields_of_pages_are_replayed_and_exported(tmp_path: Path, page: Page) -> None:
    """A replay repeats the actions and the checks of values, without a model; a changed page fails it.

    So do the exported lines.
    """
    expect.set_options(timeout=1000)
    page.set_default_timeout(2000)
    replay = ("--webtask-mode=replay", "--webtask-heal=off", "--webtask-timeout=4")
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages |= PAGES
        inner.passes()
        run = inner.run(*replay)
        assert set(run.outcomes.values()) == {"passed"}, run.printed
        assert not run.asked
        (pressed,) = [c for c in inner.steps("test_component")[0]["calls"] if c["tool"] == "press"]
        assert pressed["parameters"]["key"] == "Control+End"
        exported = {
            path: code_of(StepTrace.model_validate(inner.steps(f"test_{path[1:]}")[0]))
            for path in PAGES
        }
        for path, lines in exported.items():
            assert _passes(page, f"{inner.site.url}{path}", lines), lines
        inner.site.pages |= CHANGED
        for path, lines in exported.items():
            assert not _passes(page, f"{inner.site.url}{path}", lines), lines
        run = inner.run(*replay)
        assert set(run.outcomes.values()) == {"failed"}, run.printed
