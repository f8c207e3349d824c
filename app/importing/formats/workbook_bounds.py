"""What opening a workbook would cost, looked at before the library that reads it does.

That library lays a sheet out as a full rectangle: two cells in opposite corners would take half a
terabyte, and end the program; so would a long text that a thousand cells share. So the corners and
the characters are found first, and what is packed is unpacked once, in pieces, to see that it is as
large as it says.
"""

import io
import struct
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element
from xml.parsers import expat

from defusedxml import ElementTree

from app.importing.formats import workbook_limits as limits
from app.importing.formats.source_table import MOST_ROWS
from app.importing.formats.workbook_limits import (
    Extent,
    WorkbookBounds,
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
_PIECE = 256 * 1024
_LARGEST_INDEX = 4 * 1024 * 1024
_LOCAL_HEADER = 30
_LETTERS = 26
_LONGEST_NUMBER = 20
_KINDS = frozenset({"xl/workbook.xml", "xl/workbook.bin", "content.xml"})
"""The part by which the library knows what a package is."""
_NO_SHEETS = frozenset({"xl/sharedStrings.xml", "xl/styles.xml", "xl/theme/theme1.xml"})


def check_workbook(content: bytes) -> WorkbookBounds:
    """What is known of its sheets; raises UnreadableList where it is none, or costs too much."""
    if content.startswith(COMPOUND):
        return check_xls(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return _check_package(package, content)
    except (
        *(zipfile.BadZipFile, zlib.error, expat.ExpatError, struct.error, EOFError),
        *(
            ElementTree.ParseError,
            ValueError,
            NotImplementedError,
            RuntimeError,
            LookupError,
            OSError,
        ),
    ) as error:
        raise damaged(f"{type(error).__name__}: {error}") from error


def _check_package(package: zipfile.ZipFile, content: bytes) -> WorkbookBounds:
    members = package.infolist()
    names = {member.filename for member in members}
    if len(names) < len(members):
        raise ValueError("two parts of one name")
    whole = sum(member.file_size for member in members)
    if whole > _MOST_UNPACKED or len(members) > _MOST_MEMBERS:
        raise too_large_workbook()
    if any(member.flag_bits & 1 for member in members):
        raise locked()
    # Where the first kind does not open, the library tries the next: one that was not looked at.
    if len(_KINDS & {name.replace("\\", "/").casefold() for name in names}) > 1:
        raise ValueError("two kinds of workbook in one")
    for member in members:
        for _ in _pieces(member, content):
            pass
    if "xl/workbook.xml" in names:
        return _check_xlsx(package, content)
    if "content.xml" in names and _is_spreadsheet(package):
        return _check_ods(package, content)
    raise no_workbook(names)


def _pieces(member: zipfile.ZipInfo, content: bytes) -> Iterator[bytes]:
    """What is packed, a piece at a time; ValueError where it is not as large as it says."""
    start = member.header_offset
    name, extra = struct.unpack("<HH", content[start + 26 : start + _LOCAL_HEADER])
    start += _LOCAL_HEADER + name + extra
    packed = memoryview(content)[start : start + member.compress_size]
    if member.compress_type == zipfile.ZIP_STORED:
        if member.file_size != len(packed):
            raise ValueError(member.filename)
        yield from (bytes(packed[n : n + _PIECE]) for n in range(0, len(packed), _PIECE))
        return
    if member.compress_type != zipfile.ZIP_DEFLATED:
        raise NotImplementedError(member.filename)
    unpack, left = zlib.decompressobj(-zlib.MAX_WBITS), member.file_size
    rest: bytes | memoryview = packed
    while not unpack.eof:
        piece = unpack.decompress(rest, _PIECE)
        rest = unpack.unconsumed_tail
        left -= len(piece)
        if left < 0 or (not piece and not rest and not unpack.eof):
            raise ValueError(member.filename)
        yield piece
    if left:
        raise ValueError(member.filename)


def _small(package: zipfile.ZipFile, name: str) -> bytes:
    if package.getinfo(name).file_size > _LARGEST_INDEX:
        raise too_large_workbook()
    return package.read(name)


# XLSX


def _check_xlsx(package: zipfile.ZipFile, content: bytes) -> WorkbookBounds:
    parts: dict[str, str] = {}
    for name, part in _sheet_parts(package):
        if name in parts:
            raise ValueError(name)
        parts[name] = part
    extents: dict[str, Extent] = {}
    lengths = array("Q")
    for member in package.infolist():
        if member.filename.replace("\\", "/").casefold().endswith("/sharedstrings.xml"):
            _SharedStrings(lengths).read(_pieces(member, content))
    # A sheet may lie anywhere in the package.
    for member in package.infolist():
        if member.filename in _NO_SHEETS and member.filename not in parts.values():
            continue
        try:
            extent = _XlsxSheet(lengths).read(_pieces(member, content))
        except expat.ExpatError:
            if member.filename in parts.values():
                raise
            continue  # a picture
        extents[member.filename] = extent
        if extent.area > limits.MOST_CELLS:
            raise too_wide(extent)
    sheets = {name: extents.pop(part) for name, part in parts.items() if part in extents}
    return WorkbookBounds(sheets | extents)


def _sheet_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Each sheet's name and the part it lies in."""
    targets: dict[str, str] = {}
    if "xl/_rels/workbook.xml.rels" in package.namelist():
        for each in _elements(package, "xl/_rels/workbook.xml.rels"):
            if each.get("Id", "") in targets:
                raise ValueError(each.get("Id"))
            targets[each.get("Id", "")] = each.get("Target", "")
    for each in _elements(package, "xl/workbook.xml"):
        if each.tag.rpartition("}")[2] == "sheet":
            relation = next((v for k, v in each.attrib.items() if k.endswith("}id")), "")
            target = targets.get(relation, "")
            part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            yield each.get("name", ""), str(PurePosixPath(part))


def _elements(package: zipfile.ZipFile, name: str) -> Iterator[Element]:
    root: Element = ElementTree.fromstring(_small(package, name), forbid_dtd=True)
    return root.iter()


class _EnoughError(Exception):
    """There are more rows than a list has."""


class _Sheet:
    """A sheet's XML, run through once; elements of no interest cost a look-up."""

    def __init__(self) -> None:
        self.extent = Extent()
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.starts: dict[str, Callable[[dict[str, str]], None]] = {}
        self.ends: dict[str, Callable[[], None]] = {}

    def read(self, pieces: Iterator[bytes]) -> Extent:
        """How far the sheet reaches; of one with too many rows, as far as it was looked at."""
        try:
            for piece in pieces:
                self.parser.Parse(piece, False)  # noqa: FBT003 - not the last one
            self.parser.Parse(b"", True)  # noqa: FBT003
        except _EnoughError:
            self.extent.is_whole = False
        return self.extent

    def _refuse(self, *_: object) -> None:
        raise ValueError("a document type")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if (handle := self.starts.get(name.rpartition(" ")[2])) is not None:
            handle(attributes)

    def _end(self, name: str) -> None:
        if (handle := self.ends.get(name.rpartition(" ")[2])) is not None:
            handle()


class _SharedStrings(_Sheet):
    """How long each text is that cells refer to by its number; several parts count together."""

    def __init__(self, lengths: MutableSequence[int]) -> None:
        super().__init__()
        self._lengths = lengths
        self._number = -1
        self.starts = {"sst": self._table, "si": self._string, "t": self._text_begins}
        self.ends = {"t": self._text_ends}

    def _table(self, attributes: dict[str, str]) -> None:
        # The library makes room for as many as are announced.
        announced = attributes.get("uniqueCount", "")
        if announced.isdecimal() and int(announced[:_LONGEST_NUMBER]) > limits.MOST_CELLS:
            raise too_large_workbook()

    def _string(self, _: dict[str, str]) -> None:
        self._number += 1
        if self._number >= len(self._lengths):
            self._lengths.append(0)
        if self._number > limits.MOST_CELLS:
            raise too_large_workbook()

    def _text_begins(self, _: dict[str, str]) -> None:
        self.parser.CharacterDataHandler = self._text

    def _text_ends(self) -> None:
        self.parser.CharacterDataHandler = None

    def _text(self, text: str) -> None:
        if self._number >= 0:
            self._lengths[self._number] += len(text)


class _XlsxSheet(_Sheet):
    def __init__(self, shared: Sequence[int]) -> None:
        super().__init__()
        self._shared = shared
        self.starts = {
            "row": self._row,
            "c": self._cell,
            "f": self._formula,
            "v": self._value,
            "is": self._value,
            "mergeCell": self._merge,
        }
        self.ends = {"c": self._end_cell, "v": self._end_value, "row": self._end_row}
        self._at_row = self._at_column = 0
        self._filled = self._is_formula = self._has_value = self._is_shared = False
        self._takes_place = False
        self._number = ""
        self._merged = 0

    def _row(self, attributes: dict[str, str]) -> None:
        self._at_row = int(attributes.get("r", self._at_row + 1))
        self._at_column = 0
        self._filled = False

    def _cell(self, attributes: dict[str, str]) -> None:
        self._is_formula = self._has_value = self._takes_place = False
        self._is_shared = attributes.get("t") == "s"
        place = attributes.get("r")
        if place is None:
            self._at_column += 1
        else:
            letters = place.rstrip("0123456789")
            self._at_column = _column(letters)
            self._at_row = int(place[len(letters) :])

    def _formula(self, _: dict[str, str]) -> None:
        self._is_formula = self._takes_place = True
        self.parser.CharacterDataHandler = None

    def _value(self, _: dict[str, str]) -> None:
        self._takes_place = True  # a text of no characters, too
        self.parser.CharacterDataHandler = self._text
        self._number = ""

    def _text(self, text: str) -> None:
        self._has_value = self._has_value or not (self._is_formula and text in {"", "0"})
        if not self._is_shared:
            self.extent.add_text(len(text))
        elif len(self._number) < _LONGEST_NUMBER:
            self._number += text

    def _end_value(self) -> None:
        if self._is_shared and (number := self._number.strip()).isdecimal():
            at = int(number[:_LONGEST_NUMBER])
            self.extent.add_text(self._shared[at] if at < len(self._shared) else 0)

    def _end_cell(self) -> None:
        self.parser.CharacterDataHandler = None
        if self._takes_place:
            self.extent.add(self._at_row, self._at_column)
        self.extent.formulas += self._is_formula
        self.extent.without_result += self._is_formula and not self._has_value
        self._filled = self._filled or self._has_value

    def _end_row(self) -> None:
        self.extent.filled_rows += self._filled
        if self.extent.filled_rows > MOST_ROWS:
            raise _EnoughError

    def _merge(self, _: dict[str, str]) -> None:
        self._merged += 1
        if self._merged > limits.MOST_MERGED:
            raise too_large_workbook()


def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * _LETTERS + ord(letter) - ord("A") + 1
    return number


# ODS


def _is_spreadsheet(package: zipfile.ZipFile) -> bool:
    if "mimetype" not in package.namelist():
        return True
    return b"spreadsheet" in _small(package, "mimetype")


def _check_ods(package: zipfile.ZipFile, content: bytes) -> WorkbookBounds:
    if "META-INF/manifest.xml" in package.namelist():
        manifest = _small(package, "META-INF/manifest.xml")
        if b"encryption-data" in manifest:
            raise locked()
    reader = _OdsSheets()
    reader.read(_pieces(package.getinfo("content.xml"), content))
    # The library lays all of them out at once.
    if sum(extent.area for extent in reader.laid_out) > limits.MOST_CELLS:
        raise too_large_workbook()
    return WorkbookBounds(reader.sheets)


_KEPT = frozenset({"value", "date-value", "time-value", "string-value", "boolean-value", "formula"})
"""What an attribute of a cell gives the cell."""


class _OdsSheets(_Sheet):
    def __init__(self) -> None:
        super().__init__()
        self.starts = {
            "table": self._table,
            "table-row": self._row,
            "table-cell": self._cell,
            "covered-table-cell": self._cell,
            "p": self._filled_cell,
            "s": self._blanks,
        }
        self.ends = {
            "table-row": self._end_row,
            "table-cell": self._end_cell,
            "covered-table-cell": self._end_cell,
        }
        self.sheets: dict[str, Extent] = {}
        self.laid_out: list[Extent] = []
        """All tables, those of one name too."""
        self._all = Extent()
        self._cells = self._characters = self._in_row = 0
        self._is_filled = False
        self._at_row = self._at_column = self._rows = self._columns = 1
        self._filled: list[tuple[int, int]] = []

    def _table(self, attributes: dict[str, str]) -> None:
        name = next((v for k, v in attributes.items() if k.endswith(" name")), "")
        self.extent = Extent()
        self.sheets.setdefault(name, self.extent)
        self.laid_out.append(self.extent)
        self._at_row, self._rows = 0, 1
        self._cells = 0

    def _row(self, attributes: dict[str, str]) -> None:
        self._at_row += self._rows
        self._rows = _repeated(attributes, "number-rows-repeated")
        self._at_column, self._columns = 0, 1
        self._in_row = 0
        self._filled = []

    def _cell(self, attributes: dict[str, str]) -> None:
        self._at_column += self._columns
        self._columns = _repeated(attributes, "number-columns-repeated")
        # Whatever its namespace: the library goes by the prefix, which may mean anything.
        said = [(key.rpartition(" ")[2], value) for key, value in attributes.items()]
        kept = [len(value) for name, value in said if name in _KEPT]
        types = [value for name, value in said if name == "value-type"]
        self._characters = sum(kept)
        self._is_filled = False
        self.parser.CharacterDataHandler = self._text
        # A text of no characters takes its place, too.
        if kept or "string" in types:
            self._filled_cell(attributes)
        if any(name == "formula" for name, _ in said):
            self.extent.formulas += 1
            self.extent.without_result += not any(types)

    def _filled_cell(self, _: dict[str, str]) -> None:
        if not self._is_filled:
            self._filled.append((self._at_column or 1, self._columns))
        self._is_filled = True

    def _blanks(self, attributes: dict[str, str]) -> None:
        """So many of them, written as a number."""
        self._characters += _repeated(attributes, "c")

    def _text(self, text: str) -> None:
        self._characters += len(text)

    def _end_cell(self) -> None:
        self.parser.CharacterDataHandler = None
        if self._is_filled:
            self._in_row += self._characters * self._columns

    def _end_row(self) -> None:
        # The empty ones to the left are there, too, until the row is cut.
        self._cells += max((first + columns - 1 for first, columns in self._filled), default=0)
        for column, columns in self._filled:
            self.extent.add(max(1, self._at_row), column, self._rows, columns)
        self.extent.filled_rows += self._rows if self._filled else 0
        if self._cells > limits.MOST_CELLS or self.extent.area > limits.MOST_CELLS:
            raise too_wide(self.extent)
        self._all.add_text(self._in_row * self._rows)


def _repeated(attributes: dict[str, str], name: str) -> int:
    """The most that is said in any namespace: the library goes by the prefix alone."""
    return max([1, *(int(v) for k, v in attributes.items() if k.rpartition(" ")[2] == name)])
