"""Catalogues of translated sentences, written as gettext reads them."""

import struct
from pathlib import Path

_MAGIC = 0x950412DE


def write_catalogue(folder: Path, language: str, sentences: dict[str, str]) -> None:
    """Write the catalogue of `language` into `folder`, as `resources/translations` holds them."""
    held = {"": "Content-Type: text/plain; charset=UTF-8\n", **sentences}
    pairs = [(key.encode(), held[key].encode()) for key in sorted(held)]
    start = 28 + 16 * len(pairs)
    tables, texts = [b"", b""], b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += struct.pack("<II", len(pair[column]), start + len(texts))
            texts += pair[column] + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    place = folder / language / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "frontdesk.mo").write_bytes(head + tables[0] + tables[1] + texts)
