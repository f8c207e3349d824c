"""`dev.py whole promises`: a thousand rounds of typing, killing and losing, and the figures."""

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.promises.table import table
from tests.promises.trial import Trial, trial
from tests.promises.watched import Careless


def main() -> int:
    """The exit code: 0 when the outbox kept its promise, 1 when it did not."""
    parser = argparse.ArgumentParser(prog="dev.py whole promises", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--naive-rounds", type=int, help="of the naive client; as many, if not said"
    )
    parser.add_argument("--at-once", type=int, default=3, help="so many accounts side by side")
    parser.add_argument(
        "--careless", type=Careless, choices=[*Careless], default=Careless.NOT_AT_ALL
    )
    parser.add_argument("--batch-rounds", type=int, help="with batches; as many, if not said")
    asked = parser.parse_args()
    batch_rounds = asked.rounds if asked.batch_rounds is None else asked.batch_rounds
    naive_rounds = asked.rounds if asked.naive_rounds is None else asked.naive_rounds
    plans = {
        "outbox": Trial(asked.rounds, asked.seed, asked.at_once, careless=asked.careless),
        "outbox, batches": Trial(
            batch_rounds, asked.seed, asked.at_once, careless=asked.careless, batches=True
        ),
        "naive client": Trial(naive_rounds, asked.seed, asked.at_once, naive=True),
    }
    broken = {}
    for name, plan in plans.items():
        if not plan.rounds:
            continue
        begun = time.monotonic()
        with TemporaryDirectory(prefix="promises-") as folder:
            figures = trial(plan, Path(folder))
        broken[name] = figures.broken
        sys.stdout.write(f"{table(name, plan.seed, figures, time.monotonic() - begun)}\n")
        sys.stdout.flush()
    return int(any(count for name, count in broken.items() if name != "naive client"))


if __name__ == "__main__":
    sys.exit(main())
