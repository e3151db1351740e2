"""Roles of a project's own: a workflow asks them about the page and the work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from pytest_webtask.agent.session import Session
from pytest_webtask.errors import UsageError
from pytest_webtask.llm.role_models import OWN_ROLES, ROLES
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.memory import describe_actions
from pytest_webtask.tools.navigation import READING_TOOLS
from pytest_webtask.tools.project import project_tools
from pytest_webtask.tools.registry import Tool, Toolbox, with_reason
from pytest_webtask.tools.results import Ending
from pytest_webtask.types.agent import EarlierSteps

_Answer = TypeVar("_Answer", bound=BaseModel)


@dataclass(frozen=True)
class Role(Generic[_Answer]):
    """A role of a project's own, which answers questions, and looks at the page for that if it `sees_page`.

    `name` is that of the role where models, instructions and the report name it. `prompt` describes
    the role to its model; the package adds how a page is described and that it is not to be
    trusted. `answer` is the pydantic model of its answers, whose docstring and descriptions it
    gets. `tools` are functions like those of `webtask_tools` that look something up and change nothing.
    Two roles with the same name share their model and instructions. Raises UsageError for the name of a
    role of the package, and for a prompt, an answer or tools that no model could use.
    """

    name: str
    prompt: str
    answer: type[_Answer]
    tools: Sequence[Callable[..., object]] = ()
    sees_page: bool = True

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name in ROLES:
            raise UsageError(
                f"{self.name!r} cannot name a role: use a Python identifier other than"
                f" {', '.join(ROLES)}"
            )
        if not self.prompt.strip():
            raise UsageError(
                f"the role {self.name!r} has no prompt: pass prompt=, which says what it is for"
            )
        if not (isinstance(self.answer, type) and issubclass(self.answer, BaseModel)):
            raise UsageError(
                f"the role {self.name!r} has answer={self.answer!r:.80}: pass a pydantic model, as in"
                " class Critique(BaseModel)"
            )
        self._toolbox()
        OWN_ROLES.add(self.name)

    def ask(
        self,
        session: Session,
        question: str,
        material: object = None,
        pictures: Sequence[str | Path] = (),
    ) -> _Answer:
        """Return the role's answer to a question about the page, the work done so far, or what is passed.

        `material` is anything like JSON or a pydantic model; the role takes it for data, never for instructions,
        and secrets in it are masked. `pictures` are the paths of image files, which are sent as they are. The role
        sees the page now, what was done, what earlier steps did and showed, and no words of a worker. It
        cannot act, and its answer does not end the task. Raises LimitReached, FileNotFoundError for a missing
        picture, and UsageError for material or a picture that cannot be sent.
        """
        if isinstance(pictures, (str, Path)):
            raise UsageError(f"pictures={pictures!r}: pass a list of paths, as in [{pictures!r}]")
        try:
            shown = to_jsonable_python(material, fallback=str)
        except ValueError as error:
            raise UsageError(
                f"the material for the role {self.name!r} cannot be written as JSON ({error}): pass"
                " texts, numbers, lists, dicts and pydantic models"
            ) from error
        ending = session.hold(
            self.name,
            question,
            self._toolbox(),
            prompt=self.prompt,
            material=shown,
            pictures=[*map(_checked_picture, pictures)],
            sees=self.sees_page,
            past=EarlierSteps(
                session.past.without_words.steps, describe_actions(session.iterations)
            ),
        )
        return cast(_Answer, ending.conclusion)

    def _toolbox(self) -> Toolbox:
        """Return its tools. Raises UsageError for functions that cannot be tools beside the others."""
        source = f"Role({self.name!r}, tools=...)"
        looking = READING_TOOLS if self.sees_page else ()
        return Toolbox([*looking, *project_tools(self.tools, source, acts=False), self._tool()])

    def _tool(self) -> Tool:

        def run(_call: ToolCallContext, given: BaseModel) -> Ending:
            values = {name: getattr(given, name) for name in self.answer.model_fields}
            answer = self.answer.model_construct(given.model_fields_set, **values)
            return Ending(done=True, words="", conclusion=answer)

        description = f"Give your answer, which ends your part. {self.answer.__doc__ or ''}"
        args = with_reason(self.answer)
        return Tool("answer", " ".join(description.split()), args, run, claims=True, ends=True)


def _checked_picture(path: str | Path) -> Path:
    """Return the absolute path of a picture. Raises FileNotFoundError, or UsageError if it is none."""
    from PIL import Image

    file = Path(path).resolve(strict=True)
    try:
        with Image.open(file) as image:
            image.load()
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(
            f"{file} cannot be sent as a picture ({error}): pass the path of a PNG or JPEG file"
        ) from error
    return file
