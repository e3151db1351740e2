"""`python -m example_suite.shop [--port 8000]`: look at the shop by hand."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from .server import ShopServer


def main() -> None:
    """Serve a freshly seeded shop until Ctrl-C; its data live in a temporary folder and go with it."""
    parser = argparse.ArgumentParser(prog="python -m example_suite.shop", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=8000, help="0 takes any free port (default: 8000)"
    )
    port: int = parser.parse_args().port
    with tempfile.TemporaryDirectory(prefix="shop-") as folder:
        shop = ShopServer(Path(folder), port=port)
        print(
            f"The shop is open at {shop.url}  (log in as demo / mug-life-2026, or admin / admin-pass-9)"
        )
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            print("\nClosed.")
        finally:
            shop.stop()


if __name__ == "__main__":
    main()
