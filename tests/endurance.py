"""A day's work many times over: what a process holds before and after, and what is left.

`ENDURANCE_ROUNDS=1000 python3 packaging/dev.py test -s -o faulthandler_timeout=0 -k leaves_nothing`
does it at length and says what is left; the tests run a sample.
"""

import contextlib
import ctypes
import gc
import os
import re
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROUNDS = int(os.environ.get("ENDURANCE_ROUNDS", "2"))
WARM_UP = 2
"""Rounds in which every cache fills that is there to stay."""
AT_LENGTH = 40
"""From so many rounds on, what they leave is more than the allocator's coming and going."""
MOST_GROWTH = 512 if ROUNDS >= AT_LENGTH else 2_000
"""KiB of memory that the second half of the rounds may leave."""


@dataclass
class Held:
    """What this process holds: open files and sockets, threads, and objects of ours and of Qt's.

    PySide's object for a widget can outlive the widget, so those are counted by class, too.
    """

    files: Counter[str] = field(default_factory=Counter)
    threads: Counter[str] = field(default_factory=Counter)
    objects: Counter[str] = field(default_factory=Counter)
    kilobytes: int = 0

    @classmethod
    def now(cls) -> "Held":
        """Count it, with nothing left to the collector."""
        gc.collect()
        gc.collect()
        return cls(
            files=open_files(),
            threads=Counter(thread.name for thread in threading.enumerate()),
            objects=Counter(
                f"{kind.__module__}.{kind.__qualname__}"
                for kind in map(type, gc.get_objects())
                if str(kind.__module__).startswith(("app.", "PySide6."))
            ),
            kilobytes=kilobytes_of_our_own(),
        )

    def beyond(self, before: "Held") -> dict[str, int]:
        """What is here and was not before, by name."""
        parts = ("files", "threads", "objects")
        return {
            name: count
            for part in parts
            for name, count in (getattr(self, part) - getattr(before, part)).items()
        }


def open_files() -> Counter[str]:
    """The open descriptors by what they lead to, numbers of sockets and pipes left out."""
    found: Counter[str] = Counter()
    folder = Path("/proc/self/fd")
    for name in os.listdir(folder) if folder.is_dir() else ():  # noqa: PTH208 - names, not paths
        try:
            target = os.readlink(folder / name)  # noqa: PTH115 - no file, as often as not
        except OSError:
            continue  # the one that lists them
        found[target.partition(":[")[0]] += 1
    return found


def kilobytes_of_our_own() -> int:
    """The memory of this process without mapped files; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what was let go of is given back, and not counted
    found = re.search(r"^RssAnon:\s+(\d+) kB$", status.read_text("utf-8"), re.MULTILINE)
    return int(found[1]) if found else 0


def tell(what: str, before: Held, half_way: Held, after: Held) -> None:
    """Say what many rounds left, and hold it against nothing; of memory, against the first half.

    What every round leaves, the second half leaves in full; what fills once, the first half has.
    """
    first = half_way.kilobytes - before.kilobytes
    second = after.kilobytes - half_way.kilobytes
    left = dict(after.beyond(before))
    print(f"\n{what}, {ROUNDS} rounds: {left} left, {first:+,} KiB, then {second:+,} KiB")  # noqa: T201 - asked for with -s
    assert left == {}
    assert second <= MOST_GROWTH
