"""`dev.py whole growth`: what long, hostile and many inputs take in time and memory, as ratios of
one run. The tests look at the results of such inputs, and never at a clock.
"""

import argparse
import sys

from tests.growth.bounds import Bound
from tests.growth.memory import MEMORY
from tests.growth.times import TIMES

MEASURED_AT_MOST = 3
"""Times, until a ratio is within its bound: what else this computer does may make one larger."""


def main() -> int:
    """The exit code: 0 when every ratio is within its bound."""
    parser = argparse.ArgumentParser(prog="dev.py whole growth", description=__doc__)
    parser.add_argument("--only", default="", help="the bounds with these words in their names")
    only = parser.parse_args().only
    asked = [bound for bound in (*TIMES, *MEMORY) if only in bound.name]
    if not asked:
        parser.error(f"no bound has “{only}” in its name")
    over = sum(not told(bound) for bound in asked)
    sys.stdout.write(f"{len(asked) - over} of {len(asked)} within their bounds.\n")
    return 1 if over else 0


def told(bound: Bound) -> bool:
    """Whether it holds; the line about it is written."""
    ratio = bound.ratio()
    for _ in range(MEASURED_AT_MOST - 1):
        if ratio <= bound.most:
            break
        ratio = min(ratio, bound.ratio())
    holds = ratio <= bound.most
    sign = " " if holds else "!"
    sys.stdout.write(f"{sign} {ratio:8.2f} of at most {bound.most:6.2f}  {bound.name}\n")
    sys.stdout.flush()
    return holds


if __name__ == "__main__":
    sys.exit(main())
