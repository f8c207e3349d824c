"""The container of older workbooks, read just far enough to find one stream ([MS-CFB])."""

import struct

_LAST = 0xFFFFFFFA
_HEADER_TABLES = 109
_ENTRY = 128
_SMALLEST_SECTOR = 9
_LARGEST_SECTOR = 16
_LONGEST_NAME = 64


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
