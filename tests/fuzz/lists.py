"""Lists of people that are put through their readers: every row of what is taken is plain text.

A workbook's parts are mutated before they are packed: a flipped bit in the package is found out by
its checksum, and tries nothing else.
"""

import codecs
import contextlib
import encodings.aliases
import io
import zipfile
from collections.abc import Mapping
from functools import partial

import xlsxwriter
from charset_normalizer import from_bytes

from app.importing.formats.source_table import LONGEST_CELL, MOST_COLUMNS
from app.importing.reading import (
    MOST_ROWS,
    SourceTable,
    UnreadableList,
    looks_like_many,
    read_clipboard,
    read_content,
)
from tests.fuzz.mutations import Grammar, Subject
from tests.importing.formats.old_workbook import xls

# What is loaded, and perhaps compiled, when it is first needed is no input's weight.
for _codec in sorted({*encodings.aliases.aliases.values()}):
    with contextlib.suppress(LookupError):
        codecs.lookup(_codec)
from_bytes(b"Ema\xd5l")

_ROWS = (("Name", "Email"), ("Lovelace, Ada", "ada@x.org"), ("Zoë", "z@x.org"), ("李", ""))
_SHEET = "xl/worksheets/sheet1.xml"


def _checked(table: SourceTable) -> bool:
    assert 0 < len(table.rows) <= MOST_ROWS
    width = len(table.headings or table.rows[0].cells)
    assert 0 < width <= MOST_COLUMNS
    line = 0
    for row in table.rows:
        assert len(row.cells) == width
        assert row.line > line
        line = row.line
        assert all(len(cell) <= LONGEST_CELL for cell in row.cells)
    return True


def _read_list(body: bytes) -> bool:
    try:
        return _checked(read_content(body, "list"))
    except UnreadableList:
        return False


def _read_copied(body: bytes) -> bool:
    text = body.decode("utf-8", "replace")
    looks_like_many(text)
    try:
        return _checked(read_clipboard("", text))
    except UnreadableList:
        return False


def _read_packed(package: bytes, part: str, body: bytes) -> bool:
    return _read_list(_packed(package, part, body))


def _packed(package: bytes, part: str, body: bytes) -> bytes:
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, body if name == part else old.read(name))
    return changed.getvalue()


def _xlsx() -> bytes:
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet()
    for number, row in enumerate(_ROWS):
        sheet.write_row(number, 0, row)
    sheet.write_number(4, 1, 491711234567)
    sheet.write_formula(4, 2, "=A1", None, "x")
    sheet.merge_range(5, 0, 6, 0, "both")
    book.close()
    return file.getvalue()


_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text")
)
_CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
_ODS = (
    f"<office:document-content {_NAMES}><office:body><office:spreadsheet>"
    '<table:table table:name="One"><table:table-row>'
    f'{_CELL.format("Ada")}<table:table-cell office:value-type="float" office:value="4.5"/>'
    '<table:table-cell table:number-columns-repeated="3"/></table:table-row>'
    f'<table:table-row table:number-rows-repeated="2">{_CELL.format("Bob")}</table:table-row>'
    '<table:table-row table:number-rows-repeated="10"/></table:table>'
    "</office:spreadsheet></office:body></office:document-content>"
).encode()


def _ods() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("META-INF/manifest.xml", "<manifest/>")
        package.writestr("content.xml", _ODS)
    return file.getvalue()


def _part(package: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(package)) as whole:
        return whole.read(name)


_TEXTS = (
    *("\r\n".join(sign.join(f'"{c}"' for c in row) for row in _ROWS) for sign in ",;\t|:"),
    "sep=;\nName;Email\nAda;a@x.org\n",
    'Ada <a@x.org>; "Lovelace, Bob" <b@x.org>, c@x.org',
    "Ada Lovelace ada@x.org\nBob Ray bob@x.org\n",
)
_CONTACTS = (
    (
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC;J=C3=B6;;;\r\n"
        "FN;ENCODING=QUOTED-PRINTABLE:J =\r\nM\r\nEMAIL;PREF;INTERNET:j@x.org\r\n"
        "PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\r\n AAA=\r\n\r\nEND:VCARD\r\n"
    ),
    (
        "BEGIN:VCARD\nVERSION:3.0\nN:Lovelace;Ada;;Dr.;\nFN:Ada Lovelace\nORG:Engines;\n"
        "item1.EMAIL;type=INTERNET;type=pref:ada@x.org\nADR;type=HOME:;;1 High St;Town;;1;UK\n"
        "NOTE:a\\, b\\nc\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nFN:Bob\nEMAIL;PREF=1:b@x\n"
        "END:VCARD\n"
    ),
)
_PAGES = (
    (
        "<html><head><style>td{}</style></head><body><!--StartFragment--><table><tr>"
        "<td rowspan=2>Ada"
        "</td><td>a@x.org<br>more</td></tr><tr><td colspan='2'>O&#039;Neil &amp;</td></tr></table>"
    ),
    "<table><tr><th>Name<th>Email<tr><td><table><td>x</table><td><a href='mailto:a@x.org'>A</a>",
)
_TEXT = Grammar(
    words=(
        *(
            b",",
            b";",
            b"\t",
            b"|",
            b":",
            b'"',
            b'""',
            b"'",
            b"\r",
            b"\n",
            b"\r\n",
            b"sep=,\n",
            b"@",
        ),
        *(
            b"<",
            b">",
            b"a@x.org",
            b"\0",
            b"\xff",
            b"\xfe\xff",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\x1b$B",
        ),
        *(
            b"\xe9",
            b"\x81\x40",
            b"\xd5\xc5",
            b"\\",
            b"(",
            b")",
            b"[",
            b"<table><tr><td>",
            b"\v",
            b"=",
        ),
    ),
    pairs=((b'"', b'"'), (b"<", b">"), (b"'", b"'"), (b"(", b")")),
)
_CARD = Grammar(
    words=(
        *(
            b"BEGIN:VCARD\n",
            b"END:VCARD\n",
            b"VERSION:2.1\n",
            b"VERSION:9\n",
            b"N:",
            b"FN:",
            b"EMAIL",
        ),
        *(b";", b":", b",", b"\\", b"\n", b"\n ", b"=\n", b"=C3", b";ENCODING=QUOTED-PRINTABLE"),
        *(
            b";CHARSET=UTF-7",
            b";CHARSET=x",
            b";ENCODING=B",
            b";TYPE=pref",
            b";PREF=1",
            b'"',
            b"item1.",
        ),
        *(b"KIND:group\n", b"BDAY:x\n", b"REV:2020\n", b"TZ:x\n", b"ORG:", b"ADR:", b"\xff", b"\0"),
    ),
    pairs=((b"BEGIN:VCARD\n", b"END:VCARD\n"), (b"BEGIN:VEVENT\n", b"END:VEVENT\n"), (b'"', b'"')),
)
_MARKUP = Grammar(
    words=(
        *(b"<table>", b"</table>", b"<tr>", b"</tr>", b"<td>", b"</td>", b"<br>", b"<!--", b"-->"),
        *(
            b"<script>",
            b"</script>",
            b"<style",
            b"<![CDATA[",
            b"<?",
            b"</",
            b"<a href='mailto:a@x'>",
        ),
        *(
            b"rowspan=99999",
            b"colspan=999",
            b"&#0;",
            b"&#xD800;",
            b"&amp",
            b"<!DOCTYPE",
            b"\0",
            b"<",
        ),
    ),
    pairs=((b"<table><tr><td>", b"</td></tr></table>"), (b"<div>", b"</div>"), (b"<!--", b"-->")),
)
_XML = Grammar(
    words=(
        *(
            b"<row>",
            b"</row>",
            b'<c r="XFD1048576"><v>1</v></c>',
            b'<c r="A0">',
            b'<c t="s">',
            b"</c>",
        ),
        *(
            b"<v>",
            b"</v>",
            b"<f>",
            b'<row r="1048576">',
            b' r="-1"',
            b't="inlineStr"',
            b"<is><t>x</t></is>",
        ),
        *(
            b"<!DOCTYPE a [",
            b'<!ENTITY a "&b;">',
            b"&a;",
            b"<mergeCells>",
            b'<mergeCell ref="A1:ZZ9"/>',
        ),
        *(
            b'table:number-rows-repeated="4000000000"',
            b'table:number-columns-repeated="16384"',
            b"\0",
        ),
        *(b"<table:table-row>", b"</table:table-row>", b"<text:p>", b"</text:p>", b"\xff", b"&#0;"),
    ),
    pairs=((b'<c t="inlineStr"><is><t>', b"</t></is></c>"), (b"<table:table-cell>", b"<!-- -->")),
)
_RECORDS = Grammar(
    words=(
        *(
            b"\x03\x02\x0e\x00",
            b"\x04\x02\x08\x00",
            b"\x2f\x00\x06\x00",
            b"\xff\xff\xff\xff",
            b"\x09\x08",
        ),
        *(
            b"\xfe\xff\xff\xff",
            b"\x00\x00\x00\x00",
            b"\xbd\x00\x0c\x00",
            b"\x85\x00",
            b"\x0a\x00\x00\x00",
        ),
    ),
    pairs=((b"\x09\x08\x10\x00", b"\x0a\x00\x00\x00"),),
)
_XLSX = _xlsx()
WORKBOOKS = ("xlsx", "ods", "xls")
"""Each of these is read in a process of its own, which takes a while."""
LISTS: Mapping[str, Subject] = {
    "text": Subject(tuple(text.encode() for text in _TEXTS), _TEXT, _read_list),
    "contacts": Subject(tuple(text.encode() for text in _CONTACTS), _CARD, _read_list),
    "copied": Subject(tuple(text.encode() for text in _PAGES), _MARKUP, _read_copied),
    "xlsx": Subject((_part(_XLSX, _SHEET),), _XML, partial(_read_packed, _XLSX, _SHEET)),
    "ods": Subject((_ODS,), _XML, partial(_read_packed, _ods(), "content.xml")),
    "xls": Subject((xls([list(row) for row in _ROWS]),), _RECORDS, _read_list),
}
