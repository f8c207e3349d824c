"""`dev.py whole fuzz`: a million mutated inputs for each reader, and the figures of it."""

import argparse
import faulthandler
import sys

from tests.fuzz.runs import Misbehaved, run
from tests.fuzz.subjects import SUBJECTS

LONGEST = 3600
"""Seconds for one reader, after which a hang is taken for certain and shown."""


def main() -> int:
    """The exit code: 0 when every reader kept its promise."""
    parser = argparse.ArgumentParser(prog="dev.py whole fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="for each reader")
    parser.add_argument("--reader", choices=SUBJECTS, help="this one alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this input")
    asked = parser.parse_args()
    failed = False
    for reader in [asked.reader] if asked.reader else SUBJECTS:
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        try:
            said = str(run(reader, asked.inputs, asked.seed, asked.first))
        except Misbehaved as problem:
            failed = True
            said = f"FAILED: {problem}"
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()
    faulthandler.cancel_dump_traceback_later()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
