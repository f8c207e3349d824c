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

import msgspec
from defusedxml import ElementTree

from app.importing.formats.compound_file import CompoundFile
from app.importing.formats.source_table import MOST_ROWS, UnreadableList, no_list, too_many_rows
from app.runtime.words import tr

PACKED = b"PK\x03\x04"
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_MOST_UNPACKED = 256 * 1024 * 1024
_MOST_MEMBERS = 5_000
_MOST_CELLS = 8_000_000
"""Of what is laid out at once as rectangles, at 32 bytes each."""
_MOST_CHARACTERS = 64 * 1024 * 1024
"""Of what is laid out at once: what several cells share, or is repeated, counts for each."""
_PIECE = 256 * 1024
_LARGEST_INDEX = 4 * 1024 * 1024
_LOCAL_HEADER = 30
_LETTERS = 26
_LONGEST_NUMBER = 20
_MOST_MERGED = 200_000
"""Of one sheet: the library keeps the corners of each."""
_KINDS = frozenset({"xl/workbook.xml", "xl/workbook.bin", "content.xml"})
"""The part by which the library knows what a package is."""
_NO_SHEETS = frozenset({"xl/sharedStrings.xml", "xl/styles.xml", "xl/theme/theme1.xml"})


class WorkbookBounds(msgspec.Struct):
    """What is known of each sheet by its name; one that is not known is asked for nothing."""

    sheets: "dict[str, Extent]" = msgspec.field(default_factory=dict)

    def check_sheet(self, name: str) -> None:
        """Raises UnreadableList where reading the sheet would not end in a list."""
        extent = self.sheets.get(name)
        if extent is None:
            if not all(each.is_whole for each in self.sheets.values()):
                raise too_many_rows()
            return
        if extent.filled_rows > MOST_ROWS:
            raise too_many_rows()
        if extent.formulas and extent.formulas == extent.without_result:
            raise WithoutResultsError(
                tr(
                    "The sheet holds formulas without their results: "
                    "open it in a spreadsheet program, save it there, and try again."
                )
            )


class WithoutResultsError(UnreadableList):
    """A sheet says nothing before a program has worked it out; another of the workbook may."""


class Extent(msgspec.Struct):
    """How far the cells of a sheet reach, counted from 1, and what is in them."""

    top: int = 0
    left: int = 0
    bottom: int = 0
    right: int = 0
    filled_rows: int = 0
    characters: int = 0
    formulas: int = 0
    without_result: int = 0
    is_whole: bool = True

    def add(self, row: int, column: int, rows: int = 1, columns: int = 1) -> None:
        """There is something in these cells."""
        self.top = min(self.top or row, row)
        self.left = min(self.left or column, column)
        self.bottom = max(self.bottom, row + rows - 1)
        self.right = max(self.right, column + columns - 1)

    def add_text(self, characters: int) -> None:
        """A cell says so many characters, or so many cells together; raises UnreadableList."""
        self.characters += characters
        if self.characters > _MOST_CHARACTERS:
            raise too_large_workbook()

    @property
    def area(self) -> int:
        """Cells of the rectangle."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1) if self.bottom else 0


def check_workbook(content: bytes) -> WorkbookBounds:
    """What is known of its sheets; raises UnreadableList where it is none, or costs too much."""
    if content.startswith(COMPOUND):
        return _check_compound(content)
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
    raise _no_workbook(names)


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
        if extent.area > _MOST_CELLS:
            raise _too_wide(extent)
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
        if announced.isdecimal() and int(announced[:_LONGEST_NUMBER]) > _MOST_CELLS:
            raise too_large_workbook()

    def _string(self, _: dict[str, str]) -> None:
        self._number += 1
        if self._number >= len(self._lengths):
            self._lengths.append(0)
        if self._number > _MOST_CELLS:
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
        if self._merged > _MOST_MERGED:
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
    if sum(extent.area for extent in reader.laid_out) > _MOST_CELLS:
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
        self._formula = False

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
        if self._cells > _MOST_CELLS or self.extent.area > _MOST_CELLS:
            raise _too_wide(self.extent)
        self._all.add_text(self._in_row * self._rows)


def _repeated(attributes: dict[str, str], name: str) -> int:
    """The most that is said in any namespace: the library goes by the prefix alone."""
    return max([1, *(int(v) for k, v in attributes.items() if k.rpartition(" ")[2] == name)])


# XLS

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


def _check_compound(content: bytes) -> WorkbookBounds:
    """An older workbook; the same container holds a newer one that is locked."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise locked()
    try:
        stream = CompoundFile(content).stream("Workbook", "Book")
    except (struct.error, ValueError, LookupError) as error:
        raise damaged(f"{type(error).__name__}: {error}") from error
    if stream is None:
        raise _no_workbook(set())
    _check_records(stream)
    return WorkbookBounds()


def _check_records(stream: bytes) -> None:
    """The corners of each sheet and the texts in it, from the records of its cells ([MS-XLS])."""
    if any(kind == _PASSWORD for kind, _, _ in _records(stream)):
        raise locked()
    lengths = _text_lengths(_shared_texts(stream))
    laid_out = Extent()
    cells, left = 0, len(stream) + _PIECE
    for place in _places_of_sheets(stream):
        extent = Extent()
        merged = 0
        # From where it is said to begin, as the library does, be that amid another record.
        for kind, at, length in _records(stream, place):
            left -= 4 + length
            if left < 0:
                raise damaged("sheets that lie in each other")
            if kind == _END:
                break
            merged += length // 8 if kind == _MERGED else 0
            if merged > _MOST_MERGED:
                raise too_large_workbook()
            _check_record(stream[at : at + length], kind, lengths, laid_out)
            _add_cells(extent, kind, stream[at : at + length])
            if extent.area > _MOST_CELLS:
                raise _too_wide(extent)
        cells += extent.area
        if cells > _MOST_CELLS:
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


def _places_of_sheets(stream: bytes) -> set[int]:
    places: set[int] = set()
    for kind, at, length in _records(stream):
        if kind == _SHEET and length >= 4:  # noqa: PLR2004
            (place,) = struct.unpack_from("<I", stream, at)
            if place in places:
                raise damaged("two sheets in one place")
            places.add(place)
    return places


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
    """Kind, place and length of each record's body from `at` on, as far as they are whole."""
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


# What is said


def locked() -> UnreadableList:
    """The sentence for a workbook that asks for a password."""
    return UnreadableList(
        tr(
            "The workbook is locked with a password: "
            "open it in its own program and save it without one."
        )
    )


def damaged(details: str) -> UnreadableList:
    """The sentence for a workbook that is not what it says."""
    return UnreadableList(
        tr("The workbook is damaged: open it in its own program and save it anew."),
        details=details[:500],
    )


def too_large_workbook(details: str = "") -> UnreadableList:
    """The sentence for a workbook that takes too much room or time."""
    return UnreadableList(
        tr(
            "The workbook is much too large for a list of people: up to {most} rows are taken.",
            most=f"{MOST_ROWS:,}",
        ),
        details=details,
    )


def _too_wide(extent: Extent) -> UnreadableList:
    if extent.filled_rows > MOST_ROWS:
        return too_many_rows()
    return UnreadableList(
        tr(
            "There are cells far from the others in the workbook, down to row {row}: "
            "copy the list into a new one.",
            row=f"{extent.bottom:,}",
        )
    )


def _no_workbook(names: set[str]) -> UnreadableList:
    if any(name.startswith("Index") and name.endswith((".iwa", ".zip")) for name in names):
        return UnreadableList(
            tr("A Numbers document cannot be read: export it as CSV or Excel from Numbers.")
        )
    if "xl/workbook.bin" in names:
        return UnreadableList(
            tr("A workbook of this kind (.xlsb) cannot be read: save it as .xlsx in Excel.")
        )
    return no_list()
