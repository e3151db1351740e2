"""Add links to pytest-html reports and attachments to Allure reports."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from pytest_webtask.report.html import page_of


def attach_to_reports(
    config: pytest.Config,
    report: pytest.TestReport,
    pictures: Iterable[Path],
    message: str,
    folder: Path | None,
    *,
    inline: bool,
) -> None:
    """Link and attach what a test left, such as the `pictures` of a failure, to the pytest-html and Allure in use."""
    if config.pluginmanager.hasplugin("html") and getattr(config.option, "htmlpath", None):
        _to_html(config, report, folder, inline)
    if getattr(config.option, "allure_report_dir", None):
        _to_allure(pictures, message)


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


def _to_allure(pictures: Iterable[Path], message: str) -> None:
    import allure

    for picture in pictures:
        allure.attach.file(str(picture), "webtask: the page", allure.attachment_type.JPG)  # type: ignore[no-untyped-call]
    if message:
        allure.attach(message, "webtask: what went wrong", allure.attachment_type.TEXT)
