"""`dev.py whole answers`: ten thousand rounds through the real window, and the figures.

A round that fails is told with the command that has it again.
"""

import argparse
import contextlib
import sys
import time

from tests.made_up_answers.trial import Failure, Figures, trial

_SHOWN = 1_500


def main() -> int:
    """The exit code: 0 when no round failed and no turn of the event loop was too long."""
    parser = argparse.ArgumentParser(prog="dev.py whole answers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this round")
    parser.add_argument(
        "--longest-turn", type=float, default=0.1, help="seconds of the processor for one turn"
    )
    asked = parser.parse_args()
    begun, told, figures = time.monotonic(), 0, Figures()
    with contextlib.suppress(KeyboardInterrupt):  # what there is until then is told
        for figures in trial(asked.seed, asked.first, asked.rounds):
            for failure in figures.failures[told:]:
                _say(_failed(failure, asked.seed))
            told = len(figures.failures)
            _say(_so_far(figures, asked.longest_turn))
    slow = figures.slower_than(asked.longest_turn)
    _say(_summary(figures, time.monotonic() - begun))
    for seconds, number in slow[:10]:
        _say(f"  a turn of {seconds * 1000:,.0f} ms in round {number}")
    _say(f"rounds with a turn over {asked.longest_turn * 1000:.0f} ms: {len(slow)}")
    return 1 if slow or figures.failures else 0


def _failed(failure: Failure, seed: int) -> str:
    rounds = failure.number - failure.first + 1
    return (
        f"ROUND {failure.number} FAILED, again by `python -m tests.made_up_answers --seed {seed} "
        f"--first {failure.first} --rounds {rounds}`:\n{failure.problem[:_SHOWN]}"
    )


def _so_far(figures: Figures, longest_turn: float) -> str:
    slowest = max(figures.busiest, default=(0.0, 0))[0]
    return (
        f"{figures.rounds:,} rounds, {len(figures.failures)} failed, "
        f"{len(figures.slower_than(longest_turn))} with a turn over {longest_turn * 1000:.0f} ms, "
        f"{slowest * 1000:.0f} ms at most"
    )


def _summary(figures: Figures, seconds: float) -> str:
    busiest = sorted(each for each, _ in figures.busiest) or [0.0]
    longest = max((each for each, _ in figures.longest), default=0.0)
    nearly_all = busiest[int(0.99 * (len(busiest) - 1))]
    return (
        f"{figures.rounds:,} rounds in {seconds:,.0f} s, {figures.starts:,} starts, "
        f"{len(figures.failures)} failed; the longest turn of a round: {nearly_all * 1000:.0f} ms "
        f"in 99 of 100, {busiest[-1] * 1000:.0f} ms at most (by the clock, with whatever else ran "
        f"here, {longest * 1000:.0f} ms)"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
