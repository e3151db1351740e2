"""A shop as a model sees it: its pictures, with something in the cart or nothing."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from pytest_webtask.types.page import Picture, Seen, Spot

SIZE = (1280, 720)
_BOXES = {
    "link-0": (48, 24, 150, 32),
    "searchbox-0": (420, 22, 320, 36),
    "link-1": (1130, 24, 110, 32),
    "button-0": (96, 470, 200, 40),
    "button-1": (436, 470, 200, 40),
    "button-2": (776, 470, 200, 40),
}
OUTLINE = """(scrolled to 0 of 838 pixels, viewport 720)
banner:
 [link-0 "Kiln & Co."] search: [searchbox-0 "Search products"]
 [link-1 "Cart (%d)"]
main:
 # <heading-0> Mugs
 - <text-0> Espresso Cup 9.00 [button-0 "Add to cart"]
 - <text-1> Tall Mug 14.00 [button-1 "Add to cart"]
 - <text-2> Tea Bowl 12.50 [button-2 "Add to cart"]
contentinfo:
 <text-3> © 2026 Kiln & Co."""


def draw_pictures(folder: Path) -> None:
    """Puts the pictures that the tests speak of below the report's folder."""
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    for items in range(3):
        _page(items).save(folder / _picture(items), "JPEG", quality=80)
    _page(1).crop((1110, 10, 1260, 70)).save(folder / "pictures/badge.jpg", "JPEG", quality=80)


def _picture(items: int) -> str:
    return f"pictures/shop{items}.jpg"


def _page(items: int) -> Image.Image:
    image = Image.new("RGB", SIZE, "#faf7f2")
    draw = ImageDraw.Draw(image)
    font, big = ImageFont.load_default(size=18), ImageFont.load_default(size=34)
    draw.rectangle((0, 0, 1280, 80), fill="#3b2f2a")
    draw.text((48, 28), "Kiln & Co.", fill="white", font=font)
    draw.rounded_rectangle((420, 22, 740, 58), 6, fill="white")
    draw.text((434, 30), "Search products", fill="#777", font=font)
    draw.text((1135, 28), f"Cart ({items})", fill="white", font=font)
    draw.text((96, 120), "Mugs", fill="#222", font=big)
    for at, (name, price) in enumerate(
        [("Espresso Cup", "9.00"), ("Tall Mug", "14.00"), ("Tea Bowl", "12.50")]
    ):
        x = 76 + 340 * at
        draw.rounded_rectangle((x, 190, x + 300, 540), 10, fill="white", outline="#ddd")
        draw.ellipse((x + 90, 220, x + 210, 340), fill=["#b5651d", "#4a6b8a", "#6f8f5a"][at])
        draw.text((x + 20, 370), name, fill="#222", font=font)
        draw.text((x + 20, 405), price, fill="#555", font=font)
        draw.rounded_rectangle((x + 20, 470, x + 220, 510), 6, fill="#8a4b2a")
        draw.text((x + 60, 480), "Add to cart", fill="white", font=font)
    return image


def shot(items: int = 0) -> Picture:
    """The shop with so many things in the cart, as a step left it."""
    return Picture(path=_picture(items), size=SIZE)


def spot(element: str, items: int = 0) -> Spot:
    """Where a click on an element of the shop was."""
    x, y, width, height = _BOXES[element]
    return Spot(picture=shot(items), box=_BOXES[element], point=(x + width / 2, y + height / 2))


def look(items: int = 0, *, picture: bool = True) -> Seen:
    """The shop with so many things in the cart, as a model saw it."""
    return Seen(
        url="http://127.0.0.1:5000/mugs",
        title="Mugs – Kiln & Co.",
        outline=OUTLINE % items,
        screenshot=_picture(items) if picture else None,
    )
