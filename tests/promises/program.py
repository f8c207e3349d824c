"""A program under trial, as its harness holds it: started, told, heard, killed.

What it is told and why, the account knows. Each is a process of its own, forked from one that has
loaded what they all need and does nothing else: loading it anew was most of what a life cost.
"""

import json
import os
import select
import signal
import time
from collections import deque
from multiprocessing import get_context
from typing import Any

from tests.promises import child

LONGEST = 30.0
"""Seconds without an answer after which it is taken for stuck."""


PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload([child.__name__])


class Died(Exception):
    """The program is dead."""


class Stuck(Exception):
    """The program does not answer."""


class Program:
    """One life of the program, from its start to its end or its death."""

    def __init__(self, told: dict[str, Any]) -> None:
        """Started; `ready` says when it can be told something."""
        self.crashes: list[str] = []
        self.gave_up: list[int] = []
        self.died_at = ""
        self._lines: deque[dict[str, Any]] = deque()
        self._rest = b""
        to_hear, to_tell = PROCESSES.Pipe(duplex=False)
        to_read, to_say = PROCESSES.Pipe(duplex=False)
        self._tells, self._hears = to_tell, to_read
        self._process = PROCESSES.Process(target=child.run, args=(to_hear, to_say, told))
        self._process.start()
        # The last to hold these is the program: what it says ends when it does.
        to_hear.close()
        to_say.close()

    @property
    def pid(self) -> int:
        """Whom to kill."""
        assert self._process.pid is not None
        return self._process.pid

    def ready(self) -> None:
        """Wait until it has opened what it keeps. Raises Died."""
        self._hear("ready", LONGEST)

    def ask(self, key: str, **told: object) -> Any:
        """The answer to a command. Raises Died and Stuck."""
        self.tell(**told)
        return self.answer(key)

    def tell(self, **told: object) -> None:
        """Give a command; its answer is still to be heard. Raises Died."""
        try:
            _write_all(self._tells.fileno(), json.dumps(told).encode() + b"\n")
        except OSError:
            self._hear("nothing any more", LONGEST)

    def answer(self, key: str, seconds: float = LONGEST) -> Any:
        """The next line with `key`. Raises Died, and Stuck after so many seconds."""
        return self._hear(key, seconds)[key]

    def kill(self, stage: str) -> None:
        """Kill it, which counts as a kill at `stage`, unless it has died of another."""
        self._process.kill()
        try:
            self._hear("nothing any more", LONGEST)
        except Died:
            self.died_at = self.died_at or stage

    def end(self) -> None:
        """As a window is closed. Raises Died."""
        self._tells.close()
        self._hear("ended", LONGEST)
        self._leave()

    def _hear(self, key: str, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while True:
            line = self._line(until)
            if "crash" in line:
                self.crashes.append(line["crash"])
            elif "gave_up" in line:
                self.gave_up.append(line["gave_up"])
            elif "dying" in line:
                self.died_at = line["dying"]
            elif key in line:
                return line

    def _line(self, until: float) -> dict[str, Any]:
        file = self._hears.fileno()
        while not self._lines:
            left = until - time.monotonic()
            if left <= 0 or not select.select([file], [], [], left)[0]:
                raise Stuck
            some = os.read(file, 65_536)
            if not some:
                self._leave()
                raise Died
            *lines, self._rest = (self._rest + some).split(b"\n")
            self._lines += map(json.loads, lines)
        return self._lines.popleft()

    def _leave(self) -> None:
        for pipe in (self._tells, self._hears):
            pipe.close()
        self._process.join()
        code = self._process.exitcode
        if code not in (0, -signal.SIGKILL):
            self.crashes.append(f"ended by itself with {code}")


def _write_all(file: int, told: bytes) -> None:
    while told:
        told = told[os.write(file, told) :]
