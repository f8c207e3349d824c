"""What a workbook says of its size, looked at before the library that reads it lays its sheets out
as full rectangles: also where the system bounds no process.
"""

import io
import re
import zipfile
import zlib

from app.importing.formats.workbook_limits import (
    MOST_CELLS,
    damaged,
    locked,
    no_workbook,
    too_large_workbook,
    too_wide,
)
from app.importing.formats.xls_bounds import check_xls

PACKED = b"PK\x03\x04"
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_MOST_UNPACKED = 256 * 1024 * 1024
_MOST_MEMBERS = 5_000
_LETTERS = 26
_XLSX_CELL = re.compile(
    rb"<(?:\w+:)?c\s(?:[^>]*?\s)?r=[\"']([A-Z]{1,3})(\d{1,7})[\"'][^>]*+(?<!/)>\s*<[^/]"
)
"""One with something in it."""
_ODS_ROW = re.compile(rb"<table:table-row\b([^>]*)>(.*?)</table:table-row>", re.DOTALL)
_ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*)>")
_ROWS_REPEATED = re.compile(rb"number-rows-repeated=\"(\d{1,12})\"")
_COLUMNS_REPEATED = re.compile(rb"number-columns-repeated=\"(\d{1,12})\"")


def check_workbook(content: bytes) -> None:
    """Raises UnreadableList where it is none, or its sheets reach too far."""
    if content.startswith(COMPOUND):
        check_xls(content)
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            _check_package(package)
    except (
        *(zipfile.BadZipFile, zlib.error, EOFError, ValueError),
        *(NotImplementedError, RuntimeError, LookupError, OSError),
    ) as error:
        raise damaged(f"{type(error).__name__}: {error}") from error


def _check_package(package: zipfile.ZipFile) -> None:
    members = package.infolist()
    names = {member.filename for member in members}
    if sum(member.file_size for member in members) > _MOST_UNPACKED or len(members) > _MOST_MEMBERS:
        raise too_large_workbook()
    if any(member.flag_bits & 1 for member in members):
        raise locked()
    if "xl/workbook.xml" in names:
        for name in names:
            if name.endswith(".xml"):
                _check_xlsx(package.read(name))
    elif "content.xml" in names:
        if "META-INF/manifest.xml" in names and b"encryption-data" in package.read(
            "META-INF/manifest.xml"
        ):
            raise locked()
        if "mimetype" in names and b"spreadsheet" not in package.read("mimetype"):
            raise no_workbook(names)
        _check_ods(package.read("content.xml"))
    else:
        raise no_workbook(names)


def _check_xlsx(part: bytes) -> None:
    rows: set[int] = set()
    columns: set[bytes] = set()
    for cell in _XLSX_CELL.finditer(part):
        columns.add(cell[1])
        rows.add(int(cell[2]))
    if not rows:
        return
    numbers = set(map(_column, columns))
    if (max(rows) - min(rows) + 1) * (max(numbers) - min(numbers) + 1) > MOST_CELLS:
        raise too_wide(max(rows))


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * _LETTERS + letter - ord("A") + 1
    return number


def _check_ods(part: bytes) -> None:
    bottom = right = 0
    at = 0
    for row in _ODS_ROW.finditer(part):
        width = filled = 0
        for cell in _ODS_CELL.finditer(row[2]):
            width += _repeated(_COLUMNS_REPEATED, cell[1])
            # An empty one ends where it begins, and says no value.
            if not cell[1].endswith(b"/") or b"value" in cell[1] or b"formula" in cell[1]:
                filled = width
        at += _repeated(_ROWS_REPEATED, row[1])
        if filled:
            bottom, right = at, max(right, filled)
        if bottom * right > MOST_CELLS:
            raise too_wide(bottom)


def _repeated(expression: re.Pattern[bytes], attributes: bytes) -> int:
    return int(found[1]) if (found := expression.search(attributes)) is not None else 1
