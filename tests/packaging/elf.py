"""What a Linux library asks its loader for, read from the library itself."""

import mmap
from collections.abc import Collection
from pathlib import Path


def asked_for(part: Path) -> list[str]:
    """The names of the libraries that a library needs, read from its own dynamic section."""
    with part.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        headers = _sections(content, (".dynamic", ".dynstr"))
    dynamic, strings = headers[".dynamic"], headers[".dynstr"]
    names = []
    for place in range(0, len(dynamic), 16):
        tag = int.from_bytes(dynamic[place : place + 8], "little")
        value = int.from_bytes(dynamic[place + 8 : place + 16], "little")
        if tag == 1:  # DT_NEEDED
            names.append(strings[value : strings.index(b"\0", value)].decode())
    return names


def _sections(content: mmap.mmap, wanted: Collection[str]) -> dict[str, bytes]:
    """The wanted sections of a 64-bit little-endian ELF file, by name."""

    def number(place: int, size: int) -> int:
        return int.from_bytes(content[place : place + size], "little")

    table, size, count, names_at = number(40, 8), number(58, 2), number(60, 2), number(62, 2)
    sections = [table + size * place for place in range(count)]
    names = number(sections[names_at] + 24, 8)
    found = {}
    for section in sections:
        start, length = number(section + 24, 8), number(section + 32, 8)
        name = names + number(section, 4)
        known = content[name : content.find(b"\0", name)].decode()
        if known in wanted:
            found[known] = content[start : start + length]
    return found
