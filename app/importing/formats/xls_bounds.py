"""A format of its own ([MS-CFB], [MS-XLS]): what opening an older workbook (XLS) would cost, and
its container, read just far enough to find the stream of its sheets.
"""

import struct
from array import array
from collections.abc import Iterator, Sequence

from app.importing.formats import workbook_limits as limits
from app.importing.formats.workbook_limits import (
    Extent,
    WorkbookBounds,
    damaged,
    locked,
    no_workbook,
    too_large_workbook,
    too_wide,
)

_CELLS = frozenset({0x0006, 0x00D6, 0x00FD, 0x0201, 0x0203, 0x0204, 0x0205, 0x027E, 0x0406, 0x0004})
_ROWS_OF_CELLS = frozenset({0x00BD, 0x00BE})
_PASSWORD = 0x002F
_DIMENSIONS = 0x0200
_SHEET = 0x0085
_SHARED = 0x00FD
_TEXTS = 0x00FC
_GOES_ON = 0x003C
_END = 0x000A
_MERGED = 0x00E5
_LONGEST_TEXT = 0xFFFF
_LARGEST_SHEET = 65_536 * 257
_SLACK = 256 * 1024
"""Bytes that sheets may be read twice: more would be sheets that lie in each other."""
_LAST = 0xFFFFFFFA
_HEADER_TABLES = 109
_ENTRY = 128
_SMALLEST_SECTOR = 9
_LARGEST_SECTOR = 16
_LONGEST_NAME = 64


def check_xls(content: bytes) -> WorkbookBounds:
    """An older workbook; the same container holds a newer one that is locked."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise locked()
    try:
        stream = CompoundFile(content).stream("Workbook", "Book")
    except (struct.error, ValueError, LookupError) as error:
        raise damaged(f"{type(error).__name__}: {error}") from error
    if stream is None:
        raise no_workbook(set())
    _check_records(stream)
    return WorkbookBounds()


def _check_records(stream: bytes) -> None:
    """The corners of each sheet and the texts in it, from the records of its cells ([MS-XLS])."""
    if any(kind == _PASSWORD for kind, _, _ in _records(stream)):
        raise locked()
    lengths = _text_lengths(_shared_texts(stream))
    laid_out = Extent()
    cells, left = 0, len(stream) + _SLACK
    for offset in _sheet_offsets(stream):
        extent = Extent()
        merged = 0
        # From where it is said to begin, as the library does, be that amid another record.
        for kind, at, length in _records(stream, offset):
            left -= 4 + length
            if left < 0:
                raise damaged("sheets that lie in each other")
            if kind == _END:
                break
            merged += length // 8 if kind == _MERGED else 0
            if merged > limits.MOST_MERGED:
                raise too_large_workbook()
            _check_record(stream[at : at + length], kind, lengths, laid_out)
            _add_cells(extent, kind, stream[at : at + length])
            if extent.area > limits.MOST_CELLS:
                raise too_wide(extent)
        cells += extent.area
        if cells > limits.MOST_CELLS:
            raise too_large_workbook()


def _check_record(body: bytes, kind: int, lengths: Sequence[int], laid_out: Extent) -> None:
    if kind == _DIMENSIONS:
        _check_room(body)
    elif kind == _SHARED and len(body) >= 10:  # noqa: PLR2004
        (number,) = struct.unpack_from("<I", body, 6)
        laid_out.add_text(lengths[number] if number < len(lengths) else _LONGEST_TEXT)


def _add_cells(extent: Extent, kind: int, body: bytes) -> None:
    if kind in _CELLS and len(body) >= 4:  # noqa: PLR2004
        row, column = struct.unpack_from("<HH", body)
        extent.add(row + 1, column + 1)
    elif kind in _ROWS_OF_CELLS and len(body) >= 6:  # noqa: PLR2004
        row, column = struct.unpack_from("<HH", body)
        last = struct.unpack_from("<H", body, len(body) - 2)[0]
        extent.add(row + 1, column + 1, 1, max(1, last - column + 1))


def _check_room(body: bytes) -> None:
    """The library makes room for as many cells as are announced."""
    if len(body) in {10, 14}:
        form = "<HHHH" if len(body) == 10 else "<IIHH"  # noqa: PLR2004
        top, bottom, left, right = struct.unpack_from(form, body)
        if (bottom - top + 1) * (max(right, right - left) + 1) > _LARGEST_SHEET:
            raise too_large_workbook()


def _sheet_offsets(stream: bytes) -> set[int]:
    offsets: set[int] = set()
    for kind, at, length in _records(stream):
        if kind == _SHEET and length >= 4:  # noqa: PLR2004
            (offset,) = struct.unpack_from("<I", stream, at)
            if offset in offsets:
                raise damaged("two sheets in one place")
            offsets.add(offset)
    return offsets


def _shared_texts(stream: bytes) -> list[bytes]:
    """The record of them, and those it goes on in."""
    texts: list[bytes] = []
    is_inside = False
    for kind, at, length in _records(stream):
        if kind == _TEXTS and texts:
            raise damaged("two tables of texts")
        is_inside = kind == _TEXTS or (is_inside and kind == _GOES_ON)
        if is_inside:
            texts.append(stream[at : at + length])
    return texts


def _records(stream: bytes, at: int = 0) -> Iterator[tuple[int, int, int]]:
    """Kind, offset and length of each record's body from `at` on, as far as they are whole."""
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        if at + 4 + length > len(stream) and kind != _PASSWORD:
            return
        yield kind, at + 4, length
        at += 4 + length


def _text_lengths(pieces: Sequence[bytes]) -> Sequence[int]:
    """How long each shared text is, as far as it can be told."""
    lengths = array("H")
    number, at = 0, 8
    try:
        while number < len(pieces):
            if at >= len(pieces[number]):
                number, at = number + 1, 0
                continue
            left, flags = struct.unpack_from("<HB", pieces[number], at)
            lengths.append(left)
            at += 3
            behind = 0
            if flags & 8:
                behind += 4 * struct.unpack_from("<H", pieces[number], at)[0]
                at += 2
            if flags & 4:
                behind += struct.unpack_from("<I", pieces[number], at)[0]
                at += 4
            while left:
                width = 1 + (flags & 1)
                taken = min(left, (len(pieces[number]) - at) // width)
                left, at = left - taken, at + taken * width
                if left:
                    number, at, flags = number + 1, 1, pieces[number + 1][0]
            while behind > len(pieces[number]) - at:
                behind -= len(pieces[number]) - at
                number, at = number + 1, 0
            at += behind
    except (struct.error, IndexError):
        pass  # those that follow count as the longest there can be
    return lengths


class CompoundFile:
    """Raises ValueError, struct.error or IndexError wherever the container is damaged."""

    def __init__(self, content: bytes) -> None:
        """`content` is the whole file."""
        self._content = content
        sector, small = struct.unpack_from("<HH", content, 30)
        if not _SMALLEST_SECTOR <= sector <= _LARGEST_SECTOR or small >= sector:
            raise ValueError("sector size")
        self._size, self._small = 1 << sector, 1 << small
        self._most = len(content) // self._size + 1
        folder, _, self._cutoff, small_table = struct.unpack_from("<4I", content, 48)
        self._chain = self._whole_table()
        self._small_table = small_table
        self._entries: dict[str, tuple[int, int]] = {}
        entries = self._sectors(folder)
        for at in range(0, len(entries) - _ENTRY + 1, _ENTRY):
            length = min(struct.unpack_from("<H", entries, at + _LONGEST_NAME)[0], _LONGEST_NAME)
            name = entries[at : at + max(0, length - 2)].decode("utf-16-le", "replace")
            start, weight = struct.unpack_from("<II", entries, at + 116)
            self._entries.setdefault(name, (start, weight))

    def stream(self, *names: str) -> bytes | None:
        """The content of the first of these streams that there is."""
        name = next((each for each in names if each in self._entries), None)
        if name is None:
            return None
        start, weight = self._entries[name]
        if weight >= self._cutoff:
            return self._sectors(start)[:weight]
        packed = self._sectors(self._entries["Root Entry"][0])
        table = self._sectors(self._small_table)
        pieces: list[bytes] = []
        while start < _LAST and len(pieces) <= len(table):
            pieces.append(packed[start * self._small : (start + 1) * self._small])
            start = struct.unpack_from("<I", table, start * 4)[0]
        return b"".join(pieces)[:weight]

    def _whole_table(self) -> list[int]:
        """Which sector follows each."""
        per_sector = self._size // 4
        tables = list(struct.unpack_from(f"<{_HEADER_TABLES}I", self._content, 76))
        following = struct.unpack_from("<I", self._content, 68)[0]
        while following < _LAST and len(tables) <= self._most + _HEADER_TABLES:
            *more, following = self._numbers(following, per_sector)
            tables += more
        chain: list[int] = []
        for table in [each for each in tables if each < _LAST][: self._most]:
            chain += self._numbers(table, per_sector)
        return chain

    def _numbers(self, sector: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}I", self._content, (sector + 1) * self._size)

    def _sectors(self, start: int) -> bytes:
        pieces: list[bytes] = []
        while start < _LAST:
            if len(pieces) > self._most:
                raise ValueError("a circle of sectors")
            pieces.append(self._content[(start + 1) * self._size : (start + 2) * self._size])
            start = self._chain[start]
        return b"".join(pieces)
