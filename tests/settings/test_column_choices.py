"""What columns were taken for, remembered for headings like these, in bounds and on demand."""

from pathlib import Path

import pytest

from app.settings.column_choices import ColumnChoices


def test_a_choice_is_there_at_the_next_start(tmp_path: Path) -> None:
    ColumnChoices(tmp_path).keep("name\nemail", ("name", "email"))
    assert ColumnChoices(tmp_path).all() == {"name\nemail": ("name", "email")}


def test_the_oldest_choices_are_forgotten(tmp_path: Path) -> None:
    choices = ColumnChoices(tmp_path)
    for number in range(60):
        choices.keep(f"heading {number}", ("name",))
    assert len(choices.all()) == 50
    assert "heading 0" not in choices.all()
    assert "heading 59" in choices.all()


def test_where_nothing_is_kept_there_is_no_file_and_this_run_remembers(tmp_path: Path) -> None:
    ColumnChoices(tmp_path).keep("name", ("name",))
    choices = ColumnChoices(tmp_path, on_disk=False)
    assert list(tmp_path.iterdir()) == []
    choices.keep("email", ("email",))
    assert "email" in choices.all()
    assert list(tmp_path.iterdir()) == []


def test_choosing_to_keep_nothing_deletes_the_file_and_back_again_writes_it(tmp_path: Path) -> None:
    choices = ColumnChoices(tmp_path)
    choices.keep("name", ("name",))
    assert choices.keep_on_disk(on=False)
    assert list(tmp_path.iterdir()) == []
    assert choices.keep_on_disk(on=True)
    assert "name" in ColumnChoices(tmp_path).all()


def test_a_damaged_file_costs_the_choices_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "columns.json").write_text("[1", "utf-8")
    choices = ColumnChoices(tmp_path)
    assert choices.all() == {}
    choices.keep("name", ("name",))
    assert "name" in ColumnChoices(tmp_path).all()


def test_headings_without_end_are_not_remembered(tmp_path: Path) -> None:
    choices = ColumnChoices(tmp_path)
    choices.keep("x" * 10_000, ("name",))
    assert choices.all() == {}


@pytest.mark.parametrize("on_disk", [True, False])
def test_headings_that_no_file_can_hold_cost_that_choice_alone(
    tmp_path: Path, *, on_disk: bool
) -> None:
    choices = ColumnChoices(tmp_path, on_disk=on_disk)
    choices.keep("name", ("name",))
    choices.keep("half a sign \ud83d", ("email",))
    assert choices.keep_on_disk(on=True)
    assert ColumnChoices(tmp_path).all() == {"name": ("name",)}
