"""A workbook is read in a process of its own: the library that reads it may take all memory, take
for ever, or end the program it runs in, whatever was looked at before.

The process gets the workbook by its standard input, and says by its standard output what it has
read, a piece at a time. What is in a workbook is known in `workbook.py`.
"""

import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import IO

import msgspec

import app
from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import (
    MOST_ROWS,
    SourceKind,
    SourceRow,
    SourceTable,
    UnreadableList,
)
from app.importing.formats.workbook_limits import (
    LONGEST_READING,
    MOST_MEMORY,
    MOST_PROCESSOR_TIME,
    damaged,
    too_large_workbook,
)
from app.runtime.installation import READ_WORKBOOK, own_command
from app.runtime.paths import resource
from app.runtime.words import language, use_language

_TOGETHER = 256 * 1024
"""Characters of rows that are said at once."""
_MOST_AT_ONCE = 160 * 1024 * 1024
_MOST_SAID = 256 * 1024 * 1024
_LENGTH = struct.Struct(">I")


class _Request(msgspec.Struct, frozen=True):
    name: str
    sheet: str | None
    language: str


class _Rows(msgspec.Struct, frozen=True, tag=True):
    """Some of the rows, in their order."""

    rows: Sequence[SourceRow]


class _Whole(msgspec.Struct, frozen=True, tag=True):
    """That was all of them."""

    sheet: str | None
    sheets: tuple[str, ...]


class _Refused(msgspec.Struct, frozen=True, tag=True):
    """There is no list; said in the language that was asked for."""

    sentence: str
    details: str


_Said = _Rows | _Whole | _Refused


# The side that asks


def read_workbook_apart(content: bytes, name: str, sheet: str | None) -> SourceTable:
    """As `workbook.read_workbook`, with the same errors.

    The process ends when nobody wants the list any more (ReadingStoppedError), and with this one.
    """
    stop = reading_stop()
    stop.check()
    begun = time.monotonic()
    # From where this program lies, so that no other of its name is found in the folder it is in.
    with subprocess.Popen(  # noqa: S603 - this program itself, with an argument of our own
        own_command(READ_WORKBOOK),
        cwd=Path(app.__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Without this a black window flashes up on Windows; elsewhere there is no such flag.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    ) as process:
        deadline = Timer(LONGEST_READING, process.kill)
        deadline.daemon = True
        deadline.start()
        try:
            with stop.ending(process.kill):
                table = _ask(process, _Request(name, sheet, language()), content)
        finally:
            deadline.cancel()
            process.kill()
    stop.check()
    if table is None:
        raise _died(process.returncode, is_late=time.monotonic() - begun >= LONGEST_READING)
    return table


def _ask(process: subprocess.Popen[bytes], request: _Request, content: bytes) -> SourceTable | None:
    """None where the process ends without an answer."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("a process without pipes")
    asked = msgspec.msgpack.encode(request)
    try:
        with process.stdin as pipe:
            pipe.write(_LENGTH.pack(len(asked)) + asked)
            pipe.write(content)
    except OSError:
        process.wait()
        return None
    rows: list[SourceRow] = []
    for said in _sayings(process.stdout):
        match said:
            case _Rows():
                rows += said.rows
                if len(rows) > MOST_ROWS:
                    return None
            case _Refused():
                process.wait()
                raise UnreadableList(said.sentence, details=said.details)
            case _Whole():
                process.wait()
                return SourceTable(
                    request.name,
                    SourceKind.WORKBOOK,
                    rows,
                    sheet=said.sheet,
                    sheets=said.sheets,
                )
    process.stdout.close()  # or it waits for somebody to listen to the rest
    process.wait()
    return None


def _sayings(pipe: IO[bytes]) -> Iterator[_Said]:
    decoder = msgspec.msgpack.Decoder(_Said)
    left = _MOST_SAID
    while len(head := pipe.read(_LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        left -= length
        if length > _MOST_AT_ONCE:
            return
        if left < 0:
            raise too_large_workbook()
        body = pipe.read(length)
        if len(body) < length:
            return
        try:
            yield decoder.decode(body)
        except msgspec.DecodeError:
            return


def _died(code: int, *, is_late: bool) -> UnreadableList:
    """Without an answer: of too much memory or time, or of a mistake in the library."""
    details = f"the process that read it ended with {code}"
    overrun = {
        -getattr(signal, name)
        for name in ("SIGABRT", "SIGKILL", "SIGXCPU")
        if hasattr(signal, name)
    }
    if is_late or code in overrun or code == _MEMORY_IS_FULL:
        return too_large_workbook(details)
    return damaged(details)


# The side that reads

_MEMORY_IS_FULL = 3


def run() -> int:
    """Read the workbook that is asked for; gives the exit code."""
    _limit_this_process()
    try:
        source, out = sys.stdin.buffer, sys.stdout.buffer
        (length,) = _LENGTH.unpack(source.read(_LENGTH.size))
        request = msgspec.msgpack.decode(source.read(length), type=_Request)
        use_language(resource("translations"), [request.language])
        for said in _answers(source.read(), request):
            body = msgspec.msgpack.encode(said)
            out.write(_LENGTH.pack(len(body)) + body)
        out.flush()
    except MemoryError:
        return _MEMORY_IS_FULL
    except (OSError, struct.error, msgspec.DecodeError):
        return 1  # nobody listens any more
    return 0


def _limit_this_process() -> None:
    try:
        import resource as limits  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    for kind, most in (
        (limits.RLIMIT_AS, MOST_MEMORY),
        (limits.RLIMIT_CPU, MOST_PROCESSOR_TIME),
        (limits.RLIMIT_CORE, 0),
    ):
        _, hard = limits.getrlimit(kind)
        most_here = most if hard == limits.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):  # some systems have the limit, and take none
            limits.setrlimit(kind, (most_here, hard))


def _answers(content: bytes, request: _Request) -> Iterator[_Said]:
    from app.importing.formats.workbook import read_workbook  # noqa: PLC0415 - within the limits

    try:
        table = read_workbook(content, request.name, request.sheet)
    except UnreadableList as error:
        yield _Refused(error.message, error.details)
        return
    rows: list[SourceRow] = []
    left = _TOGETHER
    for row in table.rows:
        rows.append(row)
        left -= sum(map(len, row.cells)) + len(row.cells)
        if left < 0:
            yield _Rows(rows)
            rows, left = [], _TOGETHER
    yield _Rows(rows)
    yield _Whole(table.sheet, table.sheets)
