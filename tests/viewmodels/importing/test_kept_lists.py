"""Lists that are looked over, over a restart: what somebody changed in them is there again."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

from app.importing.columns import ColumnField
from app.importing.formats.source_table import too_many_rows
from app.importing.review import Review
from app.model.outbox import NewPerson
from app.runtime.words import tr
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.importing.list_import import CopiedList
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_table import Part
from tests.viewmodels.conftest import ADA, AccountFixture
from tests.viewmodels.importing.lists import (
    HEAD,
    ROWS,
    Lists,
    cell,
    slow_answers,
    verdicts,
)


@pytest.fixture
async def lists(account: AccountFixture) -> Lists:
    await account.list_people(ADA)
    await account.settle_duplicates()
    return Lists(account, kept=True)


async def later(lists: Lists) -> Lists:
    """The next start."""
    await lists.lists.settle()
    anew = Lists(lists.account, kept=True)
    await anew.lists.read_left()
    return anew


async def gone_on(lists: Lists) -> ReviewScreen:
    before = len(lists.opened)
    lists.lists.go_on()
    await lists.account.until(lambda: len(lists.opened) > before)
    return lists.opened[-1]


def title(lists: Lists) -> str:
    return lists.lists.begun.title if lists.lists.begun is not None else ""


async def test_what_was_changed_is_there_again_and_everybody_is_compared_anew(
    lists: Lists,
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS + "Bob\tByron\tbob@x.org\t0410 1\n"))
    screen.take_column(3, ColumnField.EMAIL)
    table = screen.table
    table.setData(table.index(1, table.column_of(Part.FIRSTNAME)), "Gracie")
    screen.leave_out_or_take_in([0])
    screen.repair([2])
    repaired = cell(screen, 2, Part.EMAIL)
    anew = await later(lists)
    assert title(anew) == "What was copied (Ada Lovelace …)"
    lists.account.outbox.add("Bob Byron", NewPerson(firstname="Bob", lastname="Byron"))
    await lists.account.settle_duplicates()
    again = await gone_on(anew)
    assert cell(again, 1, Part.FIRSTNAME) == "Gracie"
    assert (cell(again, 2, Part.EMAIL), again.review.rows[2].repair) == (repaired, None)
    assert [each.field for each in again.state.columns][3] is ColumnField.EMAIL
    assert not again.review.rows[0].left_out
    assert verdicts(again)[5] == "already here"
    assert again.has_changes
    for _ in range(2):
        again.undo()
    assert (cell(again, 2, Part.EMAIL), again.review.rows[0].left_out) == ("zoe@gmial.com", True)
    for _ in range(2):
        again.undo()
    assert cell(again, 1, Part.FIRSTNAME) == "Grace"
    assert [each.field for each in again.state.columns][3] is ColumnField.OTHER
    assert not again.review.can_undo


async def test_escape_ends_the_reading_of_a_list_that_was_left_and_it_stays_offered(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    (await lists.review(CopiedList(HEAD + ROWS))).repair([2])
    anew = await later(lists)
    monkeypatch.setattr("app.viewmodels.importing.list_import._SAID_AFTER", 0)
    held = asyncio.Event()

    async def slow(_id: str) -> bytes:
        await held.wait()
        return b""

    with monkeypatch.context() as slowly:
        slowly.setattr(lists.account.store, "review_source", slow)
        anew.lists.go_on()
        await lists.account.until(lambda: "Escape stops it" in anew.lists.reading_words)
        anew.lists.stop_reading()
        await lists.account.until(lambda: not anew.lists.reading_words)
    assert (anew.opened, title(anew)) == ([], "What was copied (Grace Hopper …)")
    assert (await gone_on(anew)).has_changes


async def test_of_what_can_be_undone_the_newest_is_kept(lists: Lists) -> None:
    many = "".join(f"Ada{n}\tKing\tada{n}@y.org\t\n" for n in range(700))
    screen = await lists.review(CopiedList(HEAD + many))
    for out in (True, False):
        screen.review.leave_out(range(700), out=out)
    screen.leave_out_or_take_in([0])
    again = await gone_on(await later(lists))
    again.review.undo()
    assert again.review.taken_in == 700
    again.review.undo()
    assert (again.review.taken_in, again.review.can_undo) == (0, False)
    assert again.has_changes


async def test_what_was_asked_for_while_many_rows_are_changed_is_there_again(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = "".join(f"Ada{n}\tKing\tada{n}@gmial.com\t\n" for n in range(700))
    screen = await lists.review(CopiedList(HEAD + people))
    await lists.lists.settle()
    closing, repair = threading.Event(), Review.repair

    def repair_later(review: Review, positions: range) -> object:
        closing.wait(20)
        return repair(review, positions)

    monkeypatch.setattr(Review, "repair", repair_later)
    screen.repair(range(700))
    screen.leave_out(range(350))
    screen.leave_out(range(350, 700))
    screen.undo()
    asyncio.get_running_loop().call_later(0.02, closing.set)
    rows = (await gone_on(await later(lists))).review.rows
    assert [row.left_out for row in rows] == [True] * 350 + [False] * 350
    assert {row.email.partition("@")[2] for row in rows} == {"gmail.com"}


async def test_a_change_is_kept_by_itself_a_moment_later(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    await lists.account.until(lambda: len(lists.account.outbox.store.reviews()) == 1)
    (before,) = lists.account.outbox.store.reviews()
    screen.leave_out_or_take_in([1])
    await lists.account.until(lambda: lists.account.outbox.store.reviews() != (before,))
    screen.undo()
    await lists.account.until(lambda: lists.account.outbox.store.reviews() == (before,))


@pytest.mark.parametrize("end", [ReviewScreen.add, ReviewScreen.discard])
async def test_a_list_that_is_added_or_discarded_is_not_offered_again(
    lists: Lists, end: Callable[[ReviewScreen], None]
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.repair([2])
    end(screen)
    await lists.account.until(lambda: lists.lists.begun is None)
    assert title(await later(lists)) == ""


async def test_the_same_after_a_restart(lists: Lists) -> None:
    (await lists.review(CopiedList(HEAD + ROWS))).repair([2])
    anew = await later(lists)
    screen = await gone_on(anew)
    screen.add()
    await lists.account.until(lambda: anew.lists.begun is None)
    assert title(await later(anew)) == ""


@pytest.mark.parametrize("restarted", [False, True])
async def test_lists_that_somebody_changed_are_all_kept_and_others_give_way(
    lists: Lists, tmp_path: Path, *, restarted: bool
) -> None:
    for number in range(8):
        file = tmp_path / f"{number}.csv"
        file.write_text(f"First name,Last name\nAda{number},Roy\n")
        screen = await lists.review(file)
        if number != 3:
            screen.leave_out_or_take_in([0])
    anew, found = (await later(lists) if restarted else lists), []
    while anew.lists.begun is not None:
        found.append(title(anew))
        (await gone_on(anew)).discard()
    assert found == [f"{number}.csv" for number in (7, 6, 5, 4, 2, 1, 0)]
    await anew.lists.settle()
    assert lists.account.outbox.store.reviews() == ()


async def test_of_many_lists_that_somebody_changed_the_oldest_take_no_memory(
    lists: Lists, tmp_path: Path
) -> None:
    held = []
    for number in range(10):
        file = tmp_path / f"{number}.csv"
        file.write_text(f"First name,Last name\nAda{number},Roy\n")
        screen = await lists.review(file)
        screen.leave_out_or_take_in([0])
        held.append(weakref.ref(screen.review))
        del screen
        lists.opened.clear()
        await lists.lists.settle()
        await lists.account.settle()
    gc.collect()
    assert (held[0](), held[1]()) == (None, None)
    assert held[-1]() is not None


async def test_an_untouched_list_of_an_earlier_run_gives_way_to_the_next(
    lists: Lists, tmp_path: Path
) -> None:
    await lists.review(CopiedList(HEAD + ROWS))
    anew = await later(lists)
    assert title(anew) == "What was copied (Grace Hopper …)"
    (tmp_path / "next.csv").write_text("First name,Last name\nAda,Roy\n")
    second = await anew.review(tmp_path / "next.csv")
    assert second.state.put_away_words == (
        "“What was copied (Grace Hopper …)” is put away: nothing was changed in it."
    )
    second.bring_back()
    await anew.account.until(lambda: len(anew.opened) == 2)
    assert cell(anew.opened[1], 1, Part.FIRSTNAME) == "Grace"
    anew.opened[1].discard()
    assert title(anew) == ""
    assert title(await later(anew)) == ""


async def test_a_list_opened_before_an_untouched_one_of_an_earlier_run_is_known_names_it(
    lists: Lists, tmp_path: Path
) -> None:
    (tmp_path / "next.csv").write_text("First name,Last name\nAda,Roy\n")
    await lists.review(tmp_path / "next.csv")
    await lists.lists.settle()
    anew = Lists(lists.account, kept=True)
    newest = await anew.review(CopiedList(HEAD + ROWS))
    await anew.lists.read_left()
    assert newest.state.put_away_words == "“next.csv” is put away: nothing was changed in it."
    newest.bring_back()
    await anew.account.until(lambda: len(anew.opened) == 2)
    assert anew.opened[1].path == tmp_path / "next.csv"


async def test_a_file_from_outside_that_nobody_touched_is_there_until_it_is_opened_anew(
    lists: Lists, tmp_path: Path
) -> None:
    given = tmp_path / "given.csv"
    given.write_text("First name,Last name\nAda,Roy\n")
    lists.lists.add_given(given)
    await lists.account.until(lambda: len(lists.opened) == 1)
    anew = await later(await later(lists))
    other = await anew.review(CopiedList(HEAD + ROWS))
    assert other.state.put_away_words == ""
    other.discard()
    assert title(anew) == "given.csv"
    again = await gone_on(anew)
    assert cell(again, 0, Part.LASTNAME) == "Roy"
    (await anew.review(CopiedList(HEAD + ROWS))).discard()
    assert title(anew) == "given.csv"
    # The same file once more is no second list.
    anew = await later(anew)
    anew.lists.add_given(given)
    await anew.account.until(lambda: len(anew.opened) == 1)
    anew.opened[0].discard()
    assert title(anew) == ""


async def test_another_sheet_can_be_chosen_after_a_restart(lists: Lists, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("First name,Last name\nAda,Roy\n")
    await lists.review(tmp_path / "list.csv")
    again = await gone_on(await later(lists))
    assert again.path == tmp_path / "list.csv"


async def test_only_a_list_that_does_not_outlive_this_run_is_asked_about(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_given: object) -> None:
        raise StoreError(tr("No room"), tr("The disk is full."))

    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.leave_out_or_take_in([1])
    await lists.lists.settle()
    assert lists.lists.losing_words == ""
    lists.account.settings.change(keep_on_this_computer=False)
    assert "What was copied" in lists.lists.losing_words
    lists.account.settings.change(keep_on_this_computer=True)
    screen.undo()
    screen.leave_out_or_take_in([2])
    with monkeypatch.context() as patched:
        patched.setattr(OutboxStore, "keep_review", full)
        screen.leave_out_or_take_in([0])
        await lists.lists.settle()
    assert "What was copied" in lists.lists.losing_words
    await lists.lists.settle()
    assert lists.lists.losing_words == ""


async def test_what_is_lost_is_said_of_every_list_and_of_none_that_it_was_changed_where_it_was_not(
    lists: Lists,
) -> None:
    lists.account.settings.change(keep_on_this_computer=False)
    lists.lists.add_given(CopiedList(HEAD + ROWS))
    await lists.account.until(lambda: len(lists.lists.begun_lists) == 1)
    assert lists.lists.losing_words == (
        "Nobody of “What was copied (Grace Hopper …)” is added yet. The list would be lost."
    )
    lists.lists.add_given(CopiedList(HEAD + ROWS))
    await lists.account.until(lambda: len(lists.lists.begun_lists) == 2)
    assert lists.lists.losing_words == "2 lists are not added yet. They would be lost."
    lists.account.settings.change(keep_on_this_computer=True)
    assert lists.lists.losing_words == ""


@pytest.mark.parametrize("ended", ["by Escape", "with the window"])
async def test_a_list_that_was_left_is_not_looked_through_on_when_nobody_waits_for_it(
    lists: Lists, monkeypatch: pytest.MonkeyPatch, ended: str
) -> None:
    people = "".join(f"Guest\tL{n}\toffice@x.org\t\n" for n in range(500))
    (await lists.review(CopiedList(HEAD + people))).leave_out_or_take_in([0])
    anew = await later(lists)
    asked = slow_answers(monkeypatch)
    anew.lists.go_on()
    await anew.is_left_at_once(asked, ended)
    assert title(anew) == "What was copied (Guest L0 …)"


async def test_a_list_begun_before_those_that_were_left_are_read_comes_first_and_is_no_second_one(
    lists: Lists,
) -> None:
    (await lists.review(CopiedList(HEAD + ROWS))).repair([2])
    await lists.lists.settle()
    anew = Lists(lists.account, kept=True)
    assert not title(anew)
    newest = await anew.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    newest.leave_out_or_take_in([0])
    await anew.lists.settle()
    await anew.lists.read_left()
    assert (anew.lists.begun, title(anew)) == (newest, "What was copied (Bob Byron …)")
    newest.discard()
    assert title(anew) == "What was copied (Grace Hopper …)"
    assert (await gone_on(anew)).has_changes
    assert anew.lists.begun == anew.opened[-1]
    anew.opened[-1].discard()
    assert not title(anew)


async def test_a_list_from_outside_is_told_to_be_kept_once_it_is_in_the_accounts_file(
    lists: Lists,
) -> None:
    reviews: list[int] = []
    lists.lists.given_kept.connect(
        lambda: reviews.append(len(lists.account.outbox.store.reviews()))
    )
    for text in ("Ada\tKing\nBob\tByron", "", "Eve\tHall\nIda\tLee"):
        lists.lists.add_given(CopiedList(text))
    await lists.account.until(lambda: len(reviews) > 0)
    assert reviews[0] == len(lists.opened) == 2
    assert len(lists.failed) == 1


async def test_a_list_from_outside_that_cannot_be_read_is_not_told_to_be_kept(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_long(*_given: object) -> Never:
        raise too_many_rows()

    told: list[None] = []
    lists.lists.given_kept.connect(lambda: told.append(None))
    with monkeypatch.context() as patch:
        patch.setattr("app.importing.reading.read_lines", too_long)
        lists.lists.add_given(CopiedList("Ada King\nBob Byron", lines=True))
        await lists.account.until(lambda: not lists.lists.given)
    lists.lists.add_given(CopiedList("Eve\tHall\nIda\tLee"))
    await lists.account.until(lambda: len(lists.account.outbox.store.reviews()) == 1)
    await asyncio.sleep(0.05)
    assert told == []
    assert len(lists.failed) == 1
    # Nor is it with whoever is named after that and is kept at once.
    assert not lists.lists.given_are_kept


async def test_each_line_of_those_named_one_by_one_is_somebody(lists: Lists) -> None:
    lists.lists.add_given(CopiedList("BEGIN:VCARD\nsep=;\nAda King\nBob Byron", lines=True))
    await lists.account.until(lambda: len(lists.opened) == 1)
    assert len(lists.opened[0].review.rows) == 4


async def test_a_list_from_outside_that_ends_in_an_error_nobody_expected_is_not_told_to_be_kept(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_given: object) -> Never:
        raise ModuleNotFoundError("No module named 'chardet'")

    told: list[None] = []
    lists.lists.given_kept.connect(lambda: told.append(None))
    with monkeypatch.context() as patch:
        patch.setattr("app.importing.column_guess.guess_columns", broken)
        lists.lists.add_given(CopiedList("Ada\tKing\nBob\tByron"))
        await lists.account.until(lambda: not lists.lists.given)
    lists.lists.add_given(CopiedList("Eve\tHall\nIda\tLee"))
    await lists.account.until(lambda: len(lists.account.outbox.store.reviews()) == 1)
    await asyncio.sleep(0.05)
    assert told == []
    assert [str(crash) for crash in lists.account.crashes] == ["No module named 'chardet'"]
    lists.account.crashes.clear()
