"""A workbook as Excel 97 wrote it, as small as one can be: made for the tests alone."""

import struct
from collections.abc import Sequence

_SECTOR = 512
_FREE, _END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def xls(
    rows: Sequence[Sequence[str | float]],
    *more: bytes,
    at: tuple[int, int] = (0, 0),
    before: bytes = b"",
) -> bytes:
    """One sheet named "People" with these cells from `at` on; `more` are records behind them, and
    `before` is what stands before the sheet.
    """
    cells = b""
    for row, values in enumerate(rows, at[0]):
        for column, value in enumerate(values, at[1]):
            place = struct.pack("<HHH", row, column, 0)
            if isinstance(value, str):
                text = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
                cells += record(0x0204, place + text)
            else:
                cells += record(0x0203, place + struct.pack("<d", value))
    begin = struct.pack("<HHHHII", 0x0600, 0x0005, 0x0DBB, 0x07CC, 0, 6)
    name = b"People"
    head = record(0x0809, begin) + record(0x0042, struct.pack("<H", 1200))
    offset = len(head) + 4 + 8 + len(name) + 4 + len(before)
    bound = struct.pack("<IBBBB", offset, 0, 0, len(name), 0) + name
    sheet = record(0x0809, begin[:2] + struct.pack("<H", 0x0010) + begin[4:])
    stream = head + record(0x0085, bound) + record(0x000A, b"")
    stream += before + sheet + cells + b"".join(more) + record(0x000A, b"")
    return _compound(stream)


def record(kind: int, body: bytes) -> bytes:
    """One record of a workbook's stream."""
    return struct.pack("<HH", kind, len(body)) + body


def _compound(stream: bytes) -> bytes:
    """The stream "Workbook" in its container: one table, one folder, then the stream."""
    stream = stream.ljust(4096, b"\0")
    count = -(-len(stream) // _SECTOR)
    chain = [_TABLE, _END, *range(3, 2 + count), _END]
    chain += [_FREE] * (_SECTOR // 4 - len(chain))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0)
    head += struct.pack("<IIIII", 4096, _END, 0, _END, 0)
    head += struct.pack("<109I", 0, *[_FREE] * 108)
    folder = _entry("Root Entry", 5, 1, _END, 0) + _entry("Workbook", 2, _FREE, 2, len(stream))
    folder = folder.ljust(_SECTOR, b"\0")
    body = stream.ljust(count * _SECTOR, b"\0")
    return head + struct.pack(f"<{len(chain)}I", *chain) + folder + body


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    written = (name + "\0").encode("utf-16-le")
    return (
        written.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(written), kind, 1, _FREE, _FREE, child)
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )
