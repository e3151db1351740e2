from pytest_webtask.page.locators import *  # noqa
from pytest_webtask.page.locators import is_positional, locate, map_texts, parse, quoted, Unreadable  # noqa
