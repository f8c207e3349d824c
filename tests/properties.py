"""`dev.py whole properties`: each property with ten times as many examples as the tests draw, and
the demo service held against its own description in every format.
"""

import argparse
import os
import sys
from pathlib import Path

import pytest

from tests.samples import WHOLE

_TESTS = Path(__file__).parent
_DRAW = ("@given(", "schemathesis.")


def files() -> list[Path]:
    """The test files that draw what they try."""
    return sorted(
        file
        for file in _TESTS.rglob("test_*.py")
        if any(each in file.read_text("utf-8") for each in _DRAW)
    )


def main() -> int:
    """The exit code: 0 when every property holds."""
    parser = argparse.ArgumentParser(prog="dev.py whole properties", description=__doc__)
    parser.add_argument("words", nargs="?", default="", help="only tests whose names contain this")
    words: str = parser.parse_args().words
    os.environ[WHOLE] = "1"
    told = ["-p", "no:cacheprovider", "--hypothesis-profile=whole"]
    told.append(f"--hypothesis-seed={os.environ.get('PYTHONHASHSEED', '0')}")
    return pytest.main([*told, "-k", words, *map(str, files())])


if __name__ == "__main__":
    sys.exit(main())
