"""The worker's tool for files: those that the test has named, and no others."""

from __future__ import annotations

from playwright.sync_api import Error, Locator
from pydantic import Field

from pytest_webtask.tools import Tool, ToolError
from pytest_webtask.tools.acting import OnElement, act
from pytest_webtask.tools.fields import input_type
from pytest_webtask.tools.hands import Hands


class Upload(OnElement):
    """Files, by the names that the test has given them."""

    element_id: str = Field(
        description="The id of the file field, or of the button or label that opens it."
    )
    resources: list[str] = Field(min_length=1, description="Names of the resources to upload.")


def upload(hands: Hands, args: Upload) -> str:
    """Give files to a file field, or to the chooser that a click opens."""
    names = [hands.data.fill(name) for name in args.resources]
    unknown = [name for name in names if name not in hands.resources]
    if unknown:
        known = ", ".join(sorted(hands.resources)) or "none"
        raise ToolError(f"there is no resource {unknown[0]!r} to upload; there are: {known}")
    files = [hands.resources[name] for name in names]
    for name, file in zip(names, files, strict=True):
        if not file.is_file():
            raise ToolError(f"the resource {name!r} is missing: there is no file {file.name}")

    def give(locator: Locator) -> None:
        if input_type(locator, hands) == "file":
            if locator.is_disabled(timeout=hands.milliseconds):
                raise ToolError("the file field is disabled")
            locator.set_input_files(files, timeout=hands.milliseconds)
            return
        with hands.tabs.uploading():
            clicked = False
            try:
                with hands.page.expect_file_chooser(timeout=hands.milliseconds) as chooser:
                    locator.click(timeout=hands.milliseconds)
                    clicked = True
            except Error as error:
                # From here on a second try would be a second click.
                if not clicked or "filechooser" not in str(error):
                    raise
                raise ToolError("it was clicked, but no file chooser opened") from None
            frame = chooser.value.element.owner_frame()
            if frame is None:
                raise ToolError("a file chooser opened, but its file field has gone")
            hands.check_frame(frame)
            chooser.value.set_files(files, timeout=hands.milliseconds)

    act(hands, args, give)
    return f"uploaded {', '.join(names)}"


TOOLS = (
    Tool(
        "upload",
        "Give resources to a file field, or to the button or label that opens a file chooser.",
        Upload,
        upload,
        acts=True,
        settles=True,
    ),
)
