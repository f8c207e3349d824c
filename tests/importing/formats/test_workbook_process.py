"""The process that reads a workbook: what becomes of it is one sentence, and ends nothing else."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from app.importing.formats.reading_stop import ReadingStop, ReadingStoppedError
from app.importing.formats.workbook import read_workbook
from app.importing.reading import UnreadableList, read_file
from app.runtime import words
from tests.catalogues import write_catalogue
from tests.importing.formats.test_hostile_workbooks import save_xlsx

_FIRST = '<row r="1"><c r="A1" t="inlineStr"><is><t>Ada</t></is></c></row>'
_FAR = '<row r="1048576"><c r="XFD1048576" t="str"><v></v></c></row>'
_UNCHECKED = """
import sys, app.importing.formats.workbook as workbook
from app.importing.formats.workbook_process import run
workbook.check_workbook = lambda content: None
sys.exit(run())
"""
"""The reader as it is, with nobody who looks first."""
_TAKES_TOO_MUCH = """
import sys
from app.importing.formats import workbook, workbook_process as process
workbook.read_workbook = lambda *_: bytearray(process.MOST_MEMORY)
sys.exit(process.run())
"""
"""As much as a computer has, and more than this process is given."""


def runs(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(
        "app.importing.formats.workbook_process.own_command",
        lambda *_: [sys.executable, "-c", program],
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{_FIRST}</sheetData>")


def test_what_it_reads_is_what_would_be_read_here(tmp_path: Path) -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>Zoë {n} {"." * 900}</t></is></c></row>'
        for n in range(1, 1_000)
    )
    sheets = (f"<sheetData>{_FIRST}</sheetData>", f"<sheetData>{rows}</sheetData>")
    file = save_xlsx(tmp_path / "list.xlsx", *sheets)
    for sheet in (None, "S1"):
        assert read_file(file, sheet) == read_workbook(file.read_bytes(), "list.xlsx", sheet)


def test_its_sentences_are_in_the_language_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list.xlsx").write_bytes(b"PK\3\4")
    written = "The workbook is damaged: open it in its own program and save it anew."
    write_catalogue(tmp_path / "words", "de", {written: "Beschädigt."})
    program = (
        "import app.importing.formats.workbook_process as process; from pathlib import Path;"
        f"process.resource = lambda _: Path({str(tmp_path / 'words')!r}); process.run()"
    )
    runs(monkeypatch, program)
    words.use_language(tmp_path / "words", ["de"])
    try:
        with pytest.raises(UnreadableList, match="Beschädigt"):
            read_file(tmp_path / "list.xlsx")
    finally:
        words.use_language(tmp_path, ["en"])


@pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds a process's memory")
def test_a_reader_that_takes_all_memory_ends_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs(monkeypatch, _UNCHECKED)
    file = save_xlsx(tmp_path / "list.xlsx", f"<sheetData>{_FIRST}{_FAR}</sheetData>")
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(file)


@pytest.mark.skipif(sys.platform != "linux", reason="not every system takes the limit")
def test_it_is_given_no_more_memory_than_a_list_needs(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    runs(monkeypatch, _TAKES_TOO_MUCH)
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(file)


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.stdin.buffer.read(); raise SystemExit(1)",
        "",
        "print('x' * 10_000)",
        "import sys; sys.stdin.buffer.read(); print('x' * 1_000_000)",
        "import sys; sys.stdin.buffer.read(); print(end='\\0\\0\\0\\3abc')",
    ],
)
def test_one_that_gives_no_answer_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, file: Path, program: str
) -> None:
    runs(monkeypatch, program)
    with pytest.raises(UnreadableList, match="damaged"):
        read_file(file)


def test_one_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    runs(monkeypatch, "import time; time.sleep(600)")
    monkeypatch.setattr("app.importing.formats.workbook_process.LONGEST_READING", 0.2)
    with pytest.raises(UnreadableList, match="much too large"):
        read_file(file)


def test_one_that_nobody_waits_for_is_ended(
    monkeypatch: pytest.MonkeyPatch, file: Path, tmp_path: Path
) -> None:
    note = tmp_path / "process"
    runs(
        monkeypatch,
        "import os, time, pathlib;"
        f"pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(600)",
    )
    stop = ReadingStop()

    def stop_when_it_runs() -> None:
        while not (note.exists() and note.read_text()):
            time.sleep(0.01)
        stop.stop()

    asking = threading.Thread(target=stop_when_it_runs)
    asking.start()
    with stop.applied(), pytest.raises(ReadingStoppedError):
        read_file(file)
    asking.join()
    if sys.platform != "win32":
        with pytest.raises(ProcessLookupError):
            os.kill(int(note.read_text()), 0)


def test_none_is_started_for_what_nobody_wants(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    runs(monkeypatch, "raise SystemExit(1)")
    stop = ReadingStop()
    stop.stop()
    with stop.applied(), pytest.raises(ReadingStoppedError):
        read_file(file)
