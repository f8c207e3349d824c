"""Breaks the rules of the API document one at a time and wants the tests to notice.

    python -m tests.contract.breaking [RULE ...]

Each breach of the table is made in a run of its own of the tests it names, and each of them has to
fail there, after having passed while nothing was broken. No file is changed. Exit code 0 only when
every breach was noticed. Which breaches there are is left to the table.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.contract.table import ROOT, Rule, rules

AT_ONCE = min(4, os.cpu_count() or 1)
SECONDS_OF_A_TEST, SECONDS_IN_ALL = 30, 300
_OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR) (\S+?::\w+)(?:\[.*?\])?(?: - (.*))?$", re.MULTILINE)
_LONGEST_SAID = 120
_OPTIONS = (
    *("-q", "-rpfE", "-p", "no:cacheprovider"),
    # Each takes longer to load than most of the tests take to run, and none of them needs it.
    *("-p", "no:schemathesis", "-p", "no:hypothesispytest"),
)
_ENVIRONMENT = {
    "CI": "true",  # pytest does not cut short what it says of a failure
    "QT_QPA_PLATFORM": "offscreen",  # none of the tests shows a window
}


def main(arguments: Sequence[str]) -> int:
    """Break the rules named, or all that can be broken; the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py whole breaking", description=__doc__)
    parser.add_argument("rules", nargs="*", help="these alone, as rules.toml calls them")
    wanted = parser.parse_args(arguments).rules
    unknown = set(wanted) - {rule.id for rule in rules()}
    if unknown:
        sys.stderr.write(f"There is no rule called {', '.join(sorted(unknown))}.\n")
        return 2
    chosen = [rule for rule in rules() if rule.breaches and (not wanted or rule.id in wanted)]
    begun = time.monotonic()
    whole = all_pass(chosen)
    unnoticed = break_all(chosen)
    breaches = sum(len(rule.breaches) for rule in chosen)
    say(
        f"{len(chosen) - len(unnoticed)} of {len(chosen)} broken rules were noticed, "
        f"in {breaches} breaches and {time.monotonic() - begun:.0f} seconds."
    )
    return 0 if whole and not unnoticed else 1


def all_pass(chosen: Sequence[Rule]) -> bool:
    """Whether every test that is to fail passes, and is not skipped, while nothing is broken."""
    tests = {test for rule in chosen for breach in rule.breaches for test in breach.turns_red}
    ended = outcomes(sorted(tests))
    poor = sorted(test for test in tests if not ended.get(_plain(test), _Ended()).passed)
    for test in poor:
        say(f"does not pass although nothing is broken: {test}")
    return not poor


def break_all(chosen: Sequence[Rule]) -> list[str]:
    """The rules of which a breach went unnoticed."""

    def attempt(rule: Rule) -> bool:
        seen = [seen_of(rule, number) for number in range(len(rule.breaches))]
        well = all(each.noticed for each in seen)
        lines = [line for each in seen for line in each.lines]
        say("\n    ".join([f"{'noticed' if well else 'NOT NOTICED':12}{rule.id}", *lines]))
        return well

    with ThreadPoolExecutor(AT_ONCE) as pool:
        noticed = pool.map(attempt, chosen)
        return [rule.id for rule, well in zip(chosen, noticed, strict=True) if not well]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the tests made of one breach: a line for each, and whether all of them noticed."""

    noticed: bool
    lines: tuple[str, ...]


def seen_of(rule: Rule, number: int) -> Seen:
    """Make that breach of the rule in a run of the tests it names.

    One that cannot be collected has not noticed anything, and neither has one that never ends.
    """
    breach = rule.breaches[number]
    plugin = ("-p", "tests.contract.breach_plugin", "--breach", f"{rule.id}:{number}")
    ended = outcomes((*plugin, *breach.turns_red))
    found = [(test, ended.get(_plain(test), _Ended())) for test in breach.turns_red]
    return Seen(
        all(each.failed for _, each in found),
        tuple(
            f"{breach.told}: {each.said[:_LONGEST_SAID]}"
            if each.failed
            else f"{test} does not fail with {breach.told}"
            for test, each in found
        ),
    )


@dataclass(slots=True)
class _Ended:
    """How the cases of one test ended."""

    good: bool = False
    failed: bool = False
    other: bool = False
    said: str = ""

    @property
    def passed(self) -> bool:
        """Whether there were cases and all of them passed."""
        return self.good and not (self.failed or self.other)


def outcomes(asked: Sequence[str]) -> Mapping[str, _Ended]:
    """How tests end, by name without parameters; none of them where it hangs.

    What is asked of pytest are the tests and options before them.
    """
    ended: dict[str, _Ended] = {}
    for word, name, said in _OUTCOME.findall(_report(asked)):
        each = ended.setdefault(name, _Ended())
        each.good |= word == "PASSED"
        each.failed |= word == "FAILED"
        each.other |= word == "ERROR"
        each.said = each.said or said
    return ended


def _report(asked: Sequence[str]) -> str:
    command = [sys.executable, "-m", "pytest", *_OPTIONS]
    command += ["-o", f"faulthandler_timeout={SECONDS_OF_A_TEST}", *asked]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **_ENVIRONMENT, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=SECONDS_IN_ALL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def _plain(test: str) -> str:
    return test.partition("[")[0]


def say(line: str) -> None:
    """A line for whoever watches."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
