"""The command as `python -m pytest_webtask.cli`."""

import sys

from pytest_webtask.cli import main

if __name__ == "__main__":
    sys.exit(main())
