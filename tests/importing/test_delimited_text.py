"""CSV and its cousins, as programs of many countries write it: what comes out is what was meant."""

from pathlib import Path

from app.importing.reading import SourceKind, read_file


def cells(path: Path) -> list[tuple[str, ...]]:
    return [row.cells for row in read_file(path).rows]


def test_a_plain_csv_file_is_its_rows(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text('Name,Email\n"Lovelace, Ada",ada@x.org\nBob\n', "utf-8")
    table = read_file(file)
    assert (table.name, table.kind, table.separator) == ("people.csv", SourceKind.CSV, ",")
    assert [(row.line, row.cells) for row in table.rows] == [
        (1, ("Name", "Email")),
        (2, ("Lovelace, Ada", "ada@x.org")),
        (3, ("Bob", "")),
    ]
