"""Screenshots as the models' protocols take them."""

from __future__ import annotations

import base64
import io
from pathlib import Path

LONG_EDGE = 1568
PIXELS = 1_150_000
"""Beyond these the Messages API scales a picture down itself, and they cost time on the way."""
PIXELS_PER_TOKEN = 750


def encoded(path: Path) -> str:
    """A JPEG file in base64, scaled down to what a model sees of it."""
    data = path.read_bytes()
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        width, height = picture.size
        factor = min(LONG_EDGE / max(width, height), (PIXELS / (width * height)) ** 0.5)
        if factor < 1:
            smaller = picture.resize((max(int(width * factor), 1), max(int(height * factor), 1)))
            out = io.BytesIO()
            smaller.save(out, "JPEG", quality=80)
            data = out.getvalue()
    return base64.b64encode(data).decode()


def tokens(path: Path) -> int:
    """About how many tokens the picture takes, as the Messages API counts them."""
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(encoded(path)))) as picture:
        return int(picture.width * picture.height / PIXELS_PER_TOKEN)
