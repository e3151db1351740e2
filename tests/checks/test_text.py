"""Whole words: what a text says, in several scripts, and what it only seems to say."""

from pytest_webtask.data.text import says

CONTAINED = [
    ("2 items in the cart", "2 items"), ("2  items\nin", "2 items"), ("2\u00a0items", "2 items"),
    ("Saved.", "Saved"), ("(Saved)", "Saved"), ("Saved!", "Saved"), ("Mug, Plate", "Mug"),
    ("Mug’s", "Mug"), ("Total: €41.00", "€41.00"), ("Total: €41.00.", "€41.00"),
    ("Total: €41.00, paid", "€41.00"), ("41,00 €", "41,00 €"), ("−5 °C", "−5 °C"),
    ("- 5 items", "5 items"), ("Mug – 5", "5"), ("5-pack", "5"), ("Mug ×2", "2"), ("2×", "2"),
    ("12 ÷ 4", "4"), ("Straße 5", "Straße"), ("Grüße aus Köln", "Köln"), ("Привет, мир", "мир"),
    ("Καλημέρα κόσμε", "κόσμε"), ("שלום עולם", "עולם"), ("مرحبا بالعالم", "مرحبا"), ("中文字", "中文字"),
    ("購物車有2件商品", "購物車"), ("カートに商品", "カート"), ("don’t panic", "don't panic"),
    ("don't panic", "don’t panic"), ("cafe\u0301", "caf\u00e9"), ("Sav\u00aded", "Saved"),
    ("a+b=c", "a+b=c"), ("C++ and C#", "C++"), ("[x] done", "[x]"), ("100 %", "100 %"),
    ("#7", "#7"), ("a+b", "a"), ("a/b", "b"), ("Total: €1,234.50", "€1,234.50"), ("Total: €1,234.50", "1,234.50"),
    ("12 items", "12"), ("12:30", "12:30"), ("page 2 / 5", "2"), ("#1047", "1047"), ("50% off", "50%"),
    ("a+b (c) [d] $5 ^x", "a+b (c) [d] $5 ^x"), ("€5/month", "€5"), ("5 kg", "5"), ("Save…", "Save"),
    ("e\u2011mail", "e-mail"), ("e-mail", "e\u2010mail"), ("ORD-1047", "1047"), ("2.Cart", "Cart"), ("No.5", "5"),
    ("Berlin–Hamburg", "Berlin"), ("from 5–10 kg", "5–10"), ("@ann", "ann"), ("Total:", "Total"),
]  # fmt: skip
UNSAID = [
    ("12 items", "2 items"), ("2 items", "2 item"), ("22", "2"), ("2.5 kg", "2"), ("2,5 kg", "5"),
    ("1,234", "234"), ("1,234", "1"), ("1.234,50", "234,50"), ("-5", "5"), ("−5", "5"),
    ("(-5)", "5"), ("-€5", "€5"), ("-€5", "5"), ("€-5", "5"), ("12:30", "12"), ("12:30", "30"),
    ("2026-12-01", "12"), ("01.12.2026", "12"), ("3/4", "3"), ("1’234", "234"),
    ("1\u202f234", "234"), ("Mugs", "Mug"), ("Smug", "mug"), ("unpaid", "paid"), ("Straße", "Stra"),
    ("Ärger", "rger"), ("Привет", "При"), ("Καλημέρα", "Καλη"), ("foo_bar", "foo"), ("x2", "2"),
    ("2nd", "2"), ("Saved", "saved"), ("", "Saved"), ("Total: €1,234.50", "1,234"),
    ("Total: €41.00", "41.0"), ("Total: 1 234,50 €", "234,50"), ("Total: 1’234.50", "234.50"),
    ("12 items", "2"), ("−3 items", "3 items"), ("-3 items", "3"), ("-$6", "$6"), ("-$6", "6"),
    ("$-7", "7"), ("v1.2.3", "1.2"), ("#1047", "047"), ("unavailable", "available"),
    ("In-Active", "Active"), ("In\u2011Active", "Active"), ("ann.pdf.exe", "ann.pdf"), ("my.ann.pdf", "ann.pdf"),
    ("joe@ann.com", "ann.com"), ("joe@ann.com", "joe"), ("5–10", "5"), ("5–10", "10"), ("€5–€10", "€5"),
    ("€5–€10", "10"), ("5-10", "5"), ("5-10", "10"), ("v1.2-beta", "v1.2"), ("Ann-Marie", "Ann"),
    ("Inbox 99+", "99"), ("C++", "C"), ("C#", "C"), ("café", "caf"), ("Ömer", "mer"), ("ПРИВЕТ мир", "ми"),
]  # fmt: skip


def test_says_finds_whole_words_and_numbers_only() -> None:
    """A text says words that it contains as a whole; a part of a word, number, date or amount it does not."""
    assert [each for each in CONTAINED if not says(*each)] == []
    assert [each for each in UNSAID if says(*each)] == []
