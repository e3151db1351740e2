"""The names of models: the clients behind them, and the name that was used last on this machine."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pytest_webtask.data.import_path import is_import_path, load_callable
from pytest_webtask.data.locks import make_private
from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.types.model import Model

NAMES = ("claude", "handoff", "literal")
_ID = re.compile(r"(?:bedrock|openai|vertex)/\S+|[^\s/]+-[^\s/]+")


def load_model(
    spec: str, *, effort: str | None = None, prices: Sequence[str] = (), folder: Path | None = None
) -> Model:
    """Return the model with a name that `check_model_name` accepts; `folder` is for turns. Raises UsageError."""
    provider, slash, model = spec.partition("/")
    if spec == "literal":
        from pytest_webtask.literal import LiteralModel

        return LiteralModel()
    if spec == "handoff":
        from pytest_webtask.llm.handoff import HandoffModel

        return HandoffModel(folder or Path(".webtask", "handoff"))
    if is_import_path(spec):
        return _load_own_model(spec)
    from pytest_webtask.llm import prices as table

    if not slash:
        provider, model = "anthropic", spec
    price = {**table.PRICES, **dict(map(table.parse_price, prices))}
    if provider == "openai":
        from pytest_webtask.llm.openai import OpenAI

        return OpenAI(model, effort=effort, price=price.get(model))
    from pytest_webtask.llm import anthropic

    model = anthropic.DEFAULT if model == "claude" else model
    return anthropic.Claude(model, effort=effort, provider=provider, price=price.get(model))


def check_model_name(spec: str) -> str:
    """Return a text that is the name of a model. Raises UnknownName for any other text."""
    if spec in NAMES or is_import_path(spec) or _ID.fullmatch(spec):
        return spec
    ids = ("a model id such as claude-opus-5-5", "bedrock/ID", "openai/ID", "vertex/ID")
    raise UnknownName("model", spec, [*NAMES, *ids, "package.module:callable"])


def _load_own_model(spec: str) -> Model:
    model = load_callable("model", spec)
    if not isinstance(model, Model):
        raise UsageError(
            f"{spec} returned {model!r:.100}, which is not a model; return an object with a"
            " method decide(turn)"
        )
    return model


FILE = Path(".webtask", "model")
_DEFAULT = "claude"


def remember_model(root: Path, name: str) -> None:
    """Note the name of a model that the tests of the project at `root` use."""
    path = root / FILE
    # Only suggestions depend on it, so a disk that cannot be written costs nothing else.
    with suppress(OSError):
        make_private(path.parent)
        path.write_text(f"{name}\n", encoding="utf-8")


def last_model(root: Path) -> str:
    """Return the name of the model that was used last, "" if none is known."""
    with suppress(OSError, UnicodeDecodeError):
        return (root / FILE).read_text(encoding="utf-8").strip()
    return ""


def model_flag(root: Path) -> str:
    """Return the option that sets the model that was used last, or Claude."""
    return f"--webtask-model={last_model(root) or _DEFAULT}"
