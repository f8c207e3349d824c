"""The rows of any list as a file: let go of where they were written, whatever became of it."""

from functools import partial
from pathlib import Path
from threading import get_ident

from app.exporting.table import write_csv
from app.viewmodels.exporting.saved_file import save_rows
from app.viewmodels.screen import ActionFeedback


async def test_what_was_gathered_is_let_go_of_where_it_was_written(tmp_path: Path) -> None:
    ends: list[int] = []

    class Row(tuple[str, ...]):
        __slots__ = ()

        def __del__(self) -> None:
            ends.append(get_ident())

    feedback = ActionFeedback()
    gone = "a.csv could not be saved: its folder is not there any more."
    for folder, said in (("", "300 rows are saved in a.csv."), ("gone", gone)):
        path, rows = tmp_path / folder / "a.csv", [Row(("a",)) for _ in range(300)]
        await save_rows(path, partial(write_csv, path, ("A",), rows), len(rows), feedback, rows)
        assert feedback.sentence == said
        assert rows == []
    # Those that a loop or a comparison had in hand at last may be left.
    assert ends.count(get_ident()) <= 2
    assert len(ends) >= 598
