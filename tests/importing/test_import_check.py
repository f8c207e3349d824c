"""`frontdesk import FILE --check`: how a list is read, without a window and without an account."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.main import main
from app.settings.column_choices import ColumnChoices

LIST = """First name,Last name,Email,Phone
Ada,Lovelace,ada@example.org,0410 220 118
Zoë,Müller,zoe@gmial.com,
,,info@hall.example,
Ada,Lovelace,ada@example.org,
John & Mary,Smith,smiths@example.org,
"""


@pytest.fixture
def sign_up(tmp_path: Path) -> Path:
    path = tmp_path / "sign-up.csv"
    path.write_text(LIST, "utf-8")
    return path


def check(path: Path, *more: str) -> int:
    return main(["import", str(path), "--check", "--data-folder", str(path.parent / "data"), *more])


def test_the_check_tells_programs_how_columns_and_rows_are_read(
    sign_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(sign_up, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["columns"] == [
        {"heading": "First name", "taken_as": "firstname"},
        {"heading": "Last name", "taken_as": "lastname"},
        {"heading": "Email", "taken_as": "email"},
        {"heading": "Phone", "taken_as": "other"},
    ]
    assert told["rows"][0] == {
        "line": 2,
        "firstname": "Ada",
        "lastname": "Lovelace",
        "email": "ada@example.org",
        "verdict": "ready",
        "other": {"Phone": "0410 220 118"},
    }
    assert [row["verdict"] for row in told["rows"]] == [
        "ready", "email looks wrong", "needs a name", "twice in this list", "ready", "ready",
    ]  # fmt: skip


def test_the_check_tells_people_the_same_in_lines(
    sign_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(sign_up) == 0
    told = capsys.readouterr().out
    assert "“Phone”: Not sent, only kept" in told
    assert "Zoë | Müller | zoe@gmial.com  (email looks wrong, Did you mean zoe@gmail.com?)" in told
    assert "from “John & Mary Smith”" in told
    assert "6 rows" in told


def test_the_check_tells_how_many_names_are_not_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "choir.csv"
    path.write_text("Vorname,Mail,Tel,Sippe\nAda,a@x.org,1,Lovelace\nBob,b@x.org,2,Byron\n")
    assert check(path) == 0
    told = capsys.readouterr().out.splitlines()
    assert "2 names in “Sippe” are not added." in told
    assert "  check name: 2" in told


def test_a_list_that_cannot_be_read_is_one_sentence_and_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path / "nowhere.csv") == 1
    out, said = capsys.readouterr()
    assert out == ""
    assert len(said.splitlines()) == 1
    assert said.rstrip().endswith(".")


def test_headings_with_nobody_below_them_are_no_list(
    sign_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_up.write_text(LIST.splitlines()[0] + "\n", "utf-8")
    assert check(sign_up, "--json") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.strip() == "There are headings in this list, and nobody below them."


def test_the_check_takes_the_columns_as_the_window_was_told_to(
    sign_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choices = ColumnChoices(sign_up.parent / "data")
    choices.keep("first name\nlast name\nemail\nphone", ("lastname", "firstname", "email", "other"))
    check(sign_up, "--json")
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert (row["firstname"], row["lastname"]) == ("Lovelace", "Ada")


def test_the_check_needs_no_display_and_loads_no_qt(sign_up: Path) -> None:
    program = (
        "import sys; from app.main import main; code = main(sys.argv[1:]);"
        "sys.exit(code or any(name.startswith('PySide6') for name in sys.modules))"
    )
    words = ["import", str(sign_up), "--check", "--data-folder", str(sign_up.parent / "data")]
    ended = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def test_the_check_counts_by_the_names_that_the_window_has(
    sign_up: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(sign_up) == 0
    counted = capsys.readouterr().out.rpartition("rows\n")[2].splitlines()
    assert "  twice in this list: 1" in counted
    assert "  needs a name: 1" in counted
