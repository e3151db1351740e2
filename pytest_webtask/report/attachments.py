"""What other reports get of ours: links of pytest-html, attachments of Allure."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from pytest_webtask.report.html import page_of

__all__ = ["attach_to_reports"]


def attach_to_reports(
    config: pytest.Config,
    report: pytest.TestReport,
    pictures: Iterable[Path],
    said: str,
    folder: Path | None,
    *,
    inline: bool,
) -> None:
    """Give pytest-html and Allure, where they are at work, what is known of a test.

    `pictures` are those of a failure, `said` is the message, `folder` that of our own report,
    which with `inline` is one file.
    """
    if config.pluginmanager.hasplugin("html") and getattr(config.option, "htmlpath", None):
        _to_html(config, report, folder, inline)
    if getattr(config.option, "allure_report_dir", None):
        _to_allure(pictures, said)


def _to_html(
    config: pytest.Config, report: pytest.TestReport, folder: Path | None, inline: bool
) -> None:
    if folder is None:
        return
    import pytest_html  # type: ignore[import-untyped]

    where = Path(os.path.expandvars(config.option.htmlpath)).expanduser()
    beside = Path(config.invocation_params.dir, where).parent
    page, place = page_of(report.nodeid), ""
    if inline:
        page, place = "index.html", f"#{Path(page).stem}"
    try:
        link = Path(os.path.relpath(folder / page, beside)).as_posix() + place
    except ValueError:  # another drive
        link = (folder / page).as_uri() + place
    extras = [*getattr(report, "extras", ()), pytest_html.extras.url(link, name="webtask")]
    report.extras = extras  # type: ignore[attr-defined]


def _to_allure(pictures: Iterable[Path], said: str) -> None:
    import allure

    for picture in pictures:
        allure.attach.file(str(picture), "webtask: the page", allure.attachment_type.JPG)  # type: ignore[no-untyped-call]
    if said:
        allure.attach(said, "webtask: what went wrong", allure.attachment_type.TEXT)
