"""`dev.py whole damage`: an outbox and a cache are killed before each step of what they do, and
flipped, cut short and overwritten in all the places of which the tests take a sample.
"""

import argparse
import os
import sys
from pathlib import Path

import pytest

from tests.samples import WHOLE

FILES = (
    "test_cache_damage.py",
    "test_cache_damage_by_kills.py",
    "test_outbox_damage.py",
    "test_outbox_kills.py",
)


def main() -> int:
    """The exit code: 0 when whatever was kept is there, or it is said what is not."""
    parser = argparse.ArgumentParser(prog="dev.py whole damage", description=__doc__)
    parser.add_argument("files", nargs="*", choices=[*FILES, []], help="these alone")
    files = parser.parse_args().files or FILES
    os.environ[WHOLE] = "1"
    folder = Path(__file__).parent
    return pytest.main(["-p", "no:cacheprovider", *(str(folder / file) for file in files)])


if __name__ == "__main__":
    sys.exit(main())
