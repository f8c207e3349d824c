"""A list that is changed while it is looked over, and what that makes of it."""

import pytest
from msgspec.structs import replace

from app.importing.column_guess import guess_columns, without_headings
from app.importing.columns import ColumnField
from app.importing.formats.reading_stop import ReadingStop, ReadingStoppedError
from app.importing.review import Review
from app.model.person import Person
from app.model.verdict import Verdict
from app.people.duplicates import Duplicates
from app.people.parsing.entry_parser import NameOrder
from tests.importing.reviews import person, review, verdicts


def test_a_name_that_was_missing_makes_the_row_ready_and_undo_takes_it_back() -> None:
    looked_over = review(("", "", "info@hall.example"))
    assert looked_over.edit(0, ColumnField.FIRSTNAME, "  Hall ") == [0]
    assert (verdicts(looked_over), looked_over.taken_in) == (["ready"], 1)
    assert looked_over.rows[0].firstname == "Hall"
    looked_over.undo()
    assert (verdicts(looked_over), looked_over.taken_in) == (["needs a name"], 0)
    looked_over.redo()
    assert (verdicts(looked_over), looked_over.taken_in) == (["ready"], 1)
    assert (looked_over.can_undo, looked_over.can_redo) == (True, False)


def test_what_was_typed_stays_with_its_row_where_the_first_is_somebody() -> None:
    looked_over = review(("Ada", "Lovelace", "ada@x.org"), ("Bob", "Byron", "bob@x.org"))
    looked_over.edit(1, ColumnField.FIRSTNAME, "Robert")
    looked_over.leave_out((0,))
    looked_over.take_columns(without_headings(looked_over.table))
    names = ["First name", "Ada", "Robert"]
    assert [row.firstname for row in looked_over.rows] == names
    assert [row.left_out for row in looked_over.rows][1:] == [True, False]
    looked_over.undo()
    looked_over.undo()
    assert [(row.firstname, row.left_out) for row in looked_over.rows] == [
        ("Ada", False), ("Robert", False)
    ]  # fmt: skip


def test_what_was_undone_is_not_done_again_behind_something_new() -> None:
    looked_over = review(("Ada", "Lovelace", "a@x.org"))
    looked_over.edit(0, ColumnField.FIRSTNAME, "Augusta")
    looked_over.undo()
    looked_over.edit(0, ColumnField.LASTNAME, "King")
    assert not looked_over.can_redo
    assert looked_over.redo() == ()
    assert person(looked_over.rows[0]) == ("Ada", "King", "a@x.org")


def test_an_edit_looks_again_at_the_rows_that_depend_on_it_and_no_others() -> None:
    looked_over = review(
        ("Ada", "Lovelace", "a@x.org"), ("Bob", "Byron", "b@x.org"), ("Ada", "Lovelace", "a@x.org")
    )
    assert verdicts(looked_over) == ["ready", "ready", "twice in this list"]
    assert looked_over.edit(0, ColumnField.FIRSTNAME, "Augusta") == [0, 2]
    assert verdicts(looked_over) == ["ready", "ready", "ready"]
    assert looked_over.edit(1, ColumnField.EMAIL, "bob@x.org") == [1]


def test_an_edit_may_show_that_somebody_is_here_already() -> None:
    known = Duplicates([Person(id="7", firstname="Ada", email="ada@x.org")])
    looked_over = review(("Ada", "Lovelace", ""), known=known)
    looked_over.edit(0, ColumnField.EMAIL, "ada@x.org")
    assert verdicts(looked_over) == ["already here"]
    looked_over.leave_out([0], out=False)
    assert looked_over.taken_in == 1


def test_repairs_are_applied_one_or_all() -> None:
    looked_over = review(
        ("Zoë", "M", "zoe@gmial.com"), ("Ada", "L", "ada@hotmial.com"), ("Bob", "B", "bob")
    )
    looked_over.repair([0])
    assert verdicts(looked_over) == ["ready", "email looks wrong", "email looks wrong"]
    looked_over.repair()
    assert [row.email for row in looked_over.rows] == ["zoe@gmail.com", "ada@hotmail.com", "bob"]
    looked_over.undo()
    assert looked_over.rows[1].email == "ada@hotmial.com"


def test_a_whole_name_typed_as_a_first_name_is_ready_and_its_halves_are_offered() -> None:
    looked_over = review(("Ada", "", "a@x.org"), ("Bob", "Byron", ""))
    looked_over.edit(0, ColumnField.FIRSTNAME, "Fam. Groß")
    (row, other) = looked_over.rows
    assert (row.verdict, row.left_out) == (Verdict.READY, False)
    assert row.detail == "Did you mean first name Fam., last name Groß?"
    assert (other.detail, other.repaired) == ("", None)
    looked_over.repair()
    assert person(looked_over.rows[0]) == ("Fam.", "Groß", "a@x.org")
    assert (looked_over.rows[0].detail, looked_over.rows[0].repaired) == ("", None)
    looked_over.undo()
    assert person(looked_over.rows[0]) == ("Fam. Groß", "", "a@x.org")
    # What says more of the row comes first.
    looked_over.edit(0, ColumnField.EMAIL, "a@gmial.com")
    assert looked_over.rows[0].detail == "Did you mean a@gmail.com?"
    looked_over.repair()
    assert person(looked_over.rows[0]) == ("Fam. Groß", "", "a@gmail.com")


@pytest.mark.parametrize(
    ("order", "halves"),
    [(NameOrder.FIRST_LAST, ("Ada", "Lovelace")), (NameOrder.LAST_FIRST, ("Lovelace", "Ada"))],
)
def test_the_halves_of_a_name_are_offered_in_the_order_that_is_set(
    order: NameOrder, halves: tuple[str, str]
) -> None:
    looked_over = review(("Bob", "", ""))
    looked_over.take_columns(replace(looked_over.columns, name_order=order))
    looked_over.edit(0, ColumnField.FIRSTNAME, "Ada Lovelace")
    assert looked_over.rows[0].halves == halves


def test_the_halves_of_a_row_that_is_not_ready_stay_as_they_are() -> None:
    looked_over = review(("Fam. Groß", "", "a@x.org"), ("Fam. Groß", "", "a@x.org"))
    assert [row.repaired for row in looked_over.rows] == [("Fam.", "Groß", None), None]


def test_rows_are_left_out_and_taken_in_one_or_all_of_a_kind() -> None:
    looked_over = review(
        ("Ada", "L", "a@x.org"),
        ("Ada", "L", "a@x.org"),
        ("Ada", "L", "a@x.org"),
        ("", "", "b@x.org"),
    )
    looked_over.leave_out(looked_over.positions_of(Verdict.TWICE), out=False)
    assert looked_over.taken_in == 3
    looked_over.leave_out([0])
    assert [row.left_out for row in looked_over.rows] == [True, False, False, True]
    # What the service would refuse cannot be taken in.
    assert looked_over.leave_out(looked_over.positions_of(Verdict.NEEDS_A_NAME), out=False) == ()
    looked_over.undo()
    looked_over.undo()
    assert [row.left_out for row in looked_over.rows] == [False, True, True, True]
    assert looked_over.taken_in == 1


def test_a_column_taken_for_something_else_reads_all_anew_and_keeps_what_was_typed() -> None:
    looked_over = review(("Ada", "Lovelace", "ada@x.org", "0410"), ("Bob", "Byron", "b@x.org", ""))
    looked_over.edit(0, ColumnField.FIRSTNAME, "Augusta")
    assert looked_over.take_columns(looked_over.columns.taken_as(2, ColumnField.OTHER)) is None
    assert [person(row) for row in looked_over.rows] == [
        ("Augusta", "Lovelace", ""),
        ("Bob", "Byron", ""),
    ]
    assert ("Email", "ada@x.org") in looked_over.rows[0].other
    looked_over.undo()
    assert looked_over.rows[0].email == "ada@x.org"
    looked_over.undo()
    assert looked_over.rows[0].firstname == "Ada"
    looked_over.redo()
    looked_over.redo()
    assert person(looked_over.rows[0]) == ("Augusta", "Lovelace", "")


def test_the_counts_stay_true_whatever_is_done() -> None:
    looked_over = review(
        *[("Ada", "L", f"a{number % 3}@x.org") for number in range(9)],
        ("", "", "b@x.org"),
        ("", "", ""),
    )
    looked_over.edit(0, ColumnField.EMAIL, "a1@x.org")
    looked_over.edit(9, ColumnField.LASTNAME, "Hall")
    looked_over.leave_out(looked_over.positions_of(Verdict.TWICE), out=False)
    looked_over.edit(3, ColumnField.EMAIL, "")
    looked_over.undo()
    looked_over.leave_out(range(4))
    for verdict in Verdict:
        counted = [row for row in looked_over.rows if row.verdict is verdict]
        assert looked_over.counts.get(verdict, 0) == len(counted)
        assert looked_over.positions_of(verdict) == [looked_over.rows.index(row) for row in counted]
    assert looked_over.taken_in == sum(not row.left_out for row in looked_over.rows)


@pytest.mark.parametrize("stopped_at", [3, 200])
def test_a_list_that_nobody_waits_for_is_not_looked_through_on(stopped_at: int) -> None:
    stop = ReadingStop()
    asked = []

    class StoppedMeanwhile:
        def certain(self, *names: str) -> None:
            asked.append(names)
            if len(asked) == stopped_at:
                stop.stop()

    rows = [("Ada", f"L{n}", "office@x.org") for n in range(200)]
    table = review(*rows).table
    with stop.applied(), pytest.raises(ReadingStoppedError):
        Review(table, guess_columns(table, {}, NameOrder.FIRST_LAST), StoppedMeanwhile())
    assert len(asked) == stopped_at
