"""What is no list, or too much of one, ends in one sentence: never in a hang or a crash."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.importing.formats.address_line import read_addresses
from app.importing.formats.reading_stop import ReadingStop, ReadingStoppedError
from app.importing.reading import (
    MOST_ROWS,
    SourceKind,
    UnreadableList,
    read_clipboard,
    read_file,
)
from app.runtime.files import open_regular


def sentence(file: Path) -> str:
    with pytest.raises(UnreadableList) as told:
        read_file(file)
    assert told.value.title
    return told.value.message


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8,
        b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(range(256)) * 8,
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj stream\n" + bytes(range(256)) * 8,
        bytes(range(256)) * 100,
        b"\0" * 5000,
        b"PK\x03\x04" + bytes(range(256)),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(range(256)) * 30,
        b"\xff\xfe\x00",
    ],
)
def test_pictures_and_rubbish_are_no_list(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "list.csv").write_bytes(content)
    assert sentence(tmp_path / "list.csv")


def test_an_address_behind_a_link_cannot_be_longer_than_a_cell() -> None:
    page = f"<table><tr><td>a</td><td><a href='mailto:{'a' * 40_000}@x.org'>b</a></td></tr></table>"
    with pytest.raises(UnreadableList, match="more text in one cell"):
        read_clipboard("", page)


def test_where_a_copied_table_cannot_be_read_what_was_copied_as_text_is() -> None:
    page = f"<table><tr><td>Ada</td><td>&#{'9' * 5_000};</td></tr></table>"
    (row,) = read_clipboard("Ada\tLovelace\tada@x.org", page).rows
    assert row.cells == ("Ada", "Lovelace", "ada@x.org")


@pytest.mark.parametrize(
    "text",
    [
        "{\\rtf1\\ansi Ada Lovelace ada@x.org\\par}",
        '[{"first": "Ada", "email": "ada@x.org"}, {"first": "Bob", "email": "bob@x.org"}]',
        "dn: cn=Ada Lovelace,mail=ada@x.org\nobjectclass: top\ncn: Ada Lovelace\n",
        "%PDF-1.4\n1 0 obj\n",
        '<?xml version="1.0"?><people><person>Ada</person></people>',
        "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n",
    ],
)
def test_text_that_means_something_to_another_program_is_no_list(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.csv").write_text(text, "utf-8")
    assert "no list" in sentence(tmp_path / "list.csv")


@pytest.mark.parametrize("text", ["", "\n\n", " , ,\n,,\n", "\t\t\n", "---\n"])
def test_nobody_in_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.csv").write_text(text, "utf-8")
    assert sentence(tmp_path / "list.csv") == "There is nobody in this list."
    with pytest.raises(UnreadableList):
        read_clipboard(text, "<table><tr><td> </td><td></td></tr></table>")


def test_a_card_of_nobody_that_is_copied_is_told() -> None:
    with pytest.raises(UnreadableList, match="There is nobody in this list"):
        read_clipboard("BEGIN:VCARD\nEND:VCARD\n")


def test_more_rows_than_are_taken_are_told_with_how_many_are(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("Name,Email\n" + "Ada,a@x.org\n" * MOST_ROWS, "utf-8")
    assert f"{MOST_ROWS:,}" in sentence(file)
    file.write_text("Name,Email\n" + "Ada,a@x.org\n" * (MOST_ROWS - 1), "utf-8")
    assert len(read_file(file).rows) == MOST_ROWS


def test_two_gigabytes_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "list.csv").open("wb") as file:
        file.truncate(2 << 30)
    assert "too large" in sentence(tmp_path / "list.csv")


def test_a_cell_of_ten_megabytes_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Name,Email\nAda," + "x" * 10_000_000 + "\n", "utf-8")
    assert "Line 2 " in sentence(tmp_path / "list.csv")


def test_a_line_that_is_longer_than_a_cell_among_copied_names_is_told() -> None:
    with pytest.raises(UnreadableList, match="Line 2 has more text in one cell"):
        read_clipboard("Ada Love\n" + "x" * 40_000 + "\nBob Boo\n")


def test_a_folder_and_what_is_not_there_are_told(tmp_path: Path) -> None:
    assert "no file" in sentence(tmp_path)
    assert "not there" in sentence(tmp_path / "gone.csv")
    assert "not there" in sentence(Path("list\0.csv"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "list.csv")
    assert "no file" in sentence(tmp_path / "list.csv")


@pytest.mark.parametrize("name", [".~lock.list.ods#", "~$list.xlsx"])
def test_the_mark_of_a_program_that_has_the_list_open_is_no_list(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(",anna,desk-1,22.11.2026 14:00,file:///home/anna;")
    with pytest.raises(UnreadableList, match="no list"):
        read_file(file)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read all")
def test_another_persons_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Ada,a@x.org\n", "utf-8")
    (tmp_path / "list.csv").chmod(0)
    assert "may not be read" in sentence(tmp_path / "list.csv")


def held(error: int, windows: int | None = None) -> OSError:
    """As the system refuses a file, on Windows with a number of its own."""
    refused = OSError(error, os.strerror(error))
    if windows is not None:
        refused.winerror = windows  # type: ignore[attr-defined]  # elsewhere there is none
    return refused


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (held(errno.EACCES), "may not be read: it is another person's, or in use elsewhere"),
        (held(errno.EBUSY), "may not be read: it is another person's, or in use elsewhere"),
        (held(errno.EACCES, 32), "Another program holds the file: close it there and try again"),
        (held(errno.EACCES, 33), "Another program holds the file: close it there and try again"),
        (held(errno.EIO), "cannot be read: copy it to this computer and try again"),
    ],
)
@pytest.mark.parametrize("when", ["opened", "read"])
def test_a_workbook_that_another_program_holds_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, error: OSError, told: str
) -> None:
    file = tmp_path / "list.xlsx"
    file.write_bytes(b"PK\x03\x04")

    def refuse(*_args: object, **_named: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        # Whoever reads it asks the system for its state before and behind the content.
        patch.setattr(os, "open" if when == "opened" else "fstat", refuse)
        assert told in sentence(file)


def test_a_file_that_is_cut_while_it_is_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "list.csv"
    file.write_text("Name,Email\nAda,a@x.org\n", "utf-8")
    opened = open_regular

    def cut_then_open(path: Path, flags: int, *, follow_links: bool = False) -> int:
        descriptor = opened(path, flags, follow_links=follow_links)
        told = os.fstat

        def told_then_cut(asked: int) -> os.stat_result:
            state = told(asked)
            if asked == descriptor:
                os.truncate(file, 12)
            return state

        monkeypatch.setattr(os, "fstat", told_then_cut)
        return descriptor

    monkeypatch.setattr("app.importing.reading.open_regular", cut_then_open)
    assert "changed while" in sentence(file)


_TABLE = "<table><tr><td>Ada</td><td>ada@x.org</td></tr></table>"


PAGES: dict[str, Callable[[int], str]] = {
    "comments that do not end": lambda n: _TABLE + "<!--" * n,
    "attributes of a cell": lambda n: (
        f"<table><tr><td>Ada</td><td {'a=b ' * 10 * n}>ada@x.org</td></tr></table>"
    ),
    "attributes of a tag that does not end": lambda n: _TABLE + "<a " + "a=b " * 10 * n,
    "quotation marks that do not end": lambda n: _TABLE + "<a =\" =' " * n,
    "declarations that do not end": lambda n: _TABLE + "<!" * n,
    "ends of a script that are none": lambda n: _TABLE + "<script>" + "</scrip" * n,
}
"""What makes a reader try again at each place, so many times."""
BEFORE_ADDRESSES = ('\\"', "(", "x", "<")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("many", [100, 10_000])
def test_a_table_is_found_in_a_page_that_is_never_right(page: str, many: int) -> None:
    assert read_clipboard("", PAGES[page](many)).rows[0].cells == ("Ada", "ada@x.org")


@pytest.mark.parametrize("text", BEFORE_ADDRESSES)
def test_addresses_are_found_behind_what_is_none(text: str) -> None:
    found = read_addresses(text * 200_000 + " a@x.org, b@x.org")
    assert found is not None
    assert [email for _, email in found] == ["a@x.org", "b@x.org"]


def test_as_many_addresses_in_one_line_are_taken_as_rows_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.importing.reading.MOST_ROWS", 6_000)
    table = read_clipboard("; ".join(f'"Love, Ada" <a{n}@x.org>' for n in range(6_000)))
    assert (table.kind, len(table.rows)) == (SourceKind.ADDRESSES, 6_000)
    with pytest.raises(UnreadableList, match=f"more than {MOST_ROWS:,} rows"):
        read_clipboard("; ".join(f"Ada Love <a{n}@x.org>" for n in range(6_001)))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", _TABLE),
        ("Name,Email\nAda,ada@x.org\n", ""),
        ("BEGIN:VCARD\nVERSION:3.0\nFN:Ada Love\nEND:VCARD\n", ""),
        ("Ada Love ada@x.org\nBob Boole bob@x.org\n", ""),
        ("Ada Love <ada@x.org>; Bob <bob@x.org>", ""),
    ],
)
def test_text_that_nobody_waits_for_is_not_read_on(text: str, html: str) -> None:
    stop = ReadingStop()
    with stop.applied():
        assert read_clipboard(text, html).rows
        stop.stop()
        with pytest.raises(ReadingStoppedError):
            read_clipboard(text, html)
