"""ICU's data (rules and names of all languages), made into those of a few languages.

Qt brings ICU twice on Linux: as libraries for Qt itself, and as a file for the browser's engine. A
package of ICU's data is a header, a table of contents and the items, sorted by name:
https://unicode-org.github.io/icu/userguide/icu_data/
"""

import re
import struct
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

_OF_THE_BROWSER = "icudtl.dat"
_OF_QT = "libicudata.so."
_MAGIC = b"\xda\x27"
_LANGUAGE = re.compile(r"(?!res_index)(?P<code>[a-z]{2,3})(?:_\w+)?\.res")
"""The name of an item for one language, in one country or in all of them; those for all languages
have longer names, but for the list of what there is. It names those that are left out, too: who
asks for one of them gets what holds for all.
"""
_ASKED_BY_QT = frozenset({"", "coll", "zone"})
"""The folders that QtCore's calls lead to: it sorts, asks what a time zone is called, and writes in
capitals. The rest of what it shows of a language Qt has itself.
"""
_NEVER_ASKED_BY_QT = (".cfu", ".cnv", ".spp", "unames.icu")
"""The ends of names: characters that look alike, encodings of before Unicode, names of computers,
and what each character is called.
"""
_ALIGNMENT = 16  # bytes


class UnknownIcuDataError(Exception):
    """Not a package of ICU's data, or one of a form that is not known here."""


def reduced(path: Path, languages: Collection[str], folder: Path) -> Path:
    """The file at `path`, or in its place one in `folder` with the data of these languages alone,
    by their codes of two or three letters, where it is a file of ICU's data.

    Needs `as`, `ld` and `objcopy`, and a loader that takes what they make: Linux alone is meant.
    Raises UnknownIcuDataError.
    """
    if path.name == _OF_THE_BROWSER:
        header, items = unpacked(path.read_bytes())
        result = folder / path.name
        result.write_bytes(packed(header, of_languages(items, languages)))
        return result
    if path.name.startswith(_OF_QT):
        header, items = unpacked(_in_library(path, folder))
        return _library(path.name, header, asked_by_qt(of_languages(items, languages)), folder)
    return path


def _in_library(path: Path, folder: Path) -> bytes:
    """The package in a library that holds nothing else."""
    package = folder / "icudata.whole"
    _run("objcopy", "-O", "binary", "--only-section=.rodata", path, package)
    return package.read_bytes()


def _library(name: str, header: bytes, items: Mapping[str, bytes], folder: Path) -> Path:
    """The library that holds the package of these items, under the name that ICU asks for."""
    package, source = folder / "icudata.dat", folder / "icudata.s"
    package.write_bytes(packed(header, items))
    symbol = min(items).partition("/")[0][:-1] + "_dat"  # the last letter is the order of bytes
    source.write_text(
        f'.section .rodata\n.balign {_ALIGNMENT}\n.globl {symbol}\n.type {symbol}, "object"\n'
        f'{symbol}: .incbin "{package}"\n.size {symbol}, . - {symbol}\n',
        "utf-8",
    )
    object_file, result = folder / "icudata.o", folder / name
    _run("as", "-o", object_file, source)
    how = ("-shared", "-soname", name, "--hash-style=gnu", "-z", "noexecstack")
    _run("ld", *how, "-o", result, object_file)
    return result


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def of_languages(items: Mapping[str, bytes], languages: Collection[str]) -> dict[str, bytes]:
    """The items for all languages and for these, by their codes of two or three letters."""
    return {name: item for name, item in items.items() if _is_of(name, languages)}


def asked_by_qt(items: Mapping[str, bytes]) -> dict[str, bytes]:
    """The items that Qt itself can ask for."""
    return {name: item for name, item in items.items() if _is_asked_by_qt(PurePosixPath(name))}


def _is_of(name: str, languages: Collection[str]) -> bool:
    place = PurePosixPath(name)
    match = _LANGUAGE.fullmatch(place.name)
    # Where a word may be broken is asked in whatever a person's name is written in.
    return match is None or match["code"] in languages or place.parent.name == "brkitr"


def _is_asked_by_qt(place: PurePosixPath) -> bool:
    folder = "/".join(place.parts[1:-1])
    return folder in _ASKED_BY_QT and not place.name.endswith(_NEVER_ASKED_BY_QT)


def unpacked(package: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The header and the items by name (`icudt73l/coll/de.res`). Raises UnknownIcuDataError."""
    if package[2:4] != _MAGIC or package[12:16] != b"CmnD":
        raise UnknownIcuDataError
    (size,) = struct.unpack_from("<H", package)
    header, contents = package[:size], package[size:]
    (count,) = struct.unpack_from("<I", contents)
    table = [struct.unpack_from("<II", contents, 4 + 8 * place) for place in range(count)]
    ends = [item for _, item in table[1:]] + [len(contents)]
    return header, {
        contents[name : contents.index(b"\0", name)].decode("ascii"): contents[item:end]
        for (name, item), end in zip(table, ends, strict=True)
    }


def packed(header: bytes, items: Mapping[str, bytes]) -> bytes:
    """The package of these items."""
    names = sorted(items)
    name_at = 4 + 8 * len(names)
    item_at = _aligned(name_at + sum(len(name) + 1 for name in names))
    table, bodies = [struct.pack("<I", len(names))], []
    for name in names:
        table.append(struct.pack("<II", name_at, item_at))
        body = items[name].ljust(_aligned(len(items[name])), b"\0")
        bodies.append(body)
        name_at += len(name) + 1
        item_at += len(body)
    front = b"".join((*table, *(name.encode("ascii") + b"\0" for name in names)))
    return header + front.ljust(_aligned(len(front)), b"\0") + b"".join(bodies)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
