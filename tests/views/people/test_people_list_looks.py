"""What the People table paints: marks, rings and cut texts, in both themes."""

import asyncio
import sys
from datetime import UTC, datetime
from types import FrameType

import msgspec
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QStyle, QStyleOptionViewItem, QToolTip

from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.outbox.new_entry import new_entry
from app.viewmodels.cell_table import CELL_ROLE, Cell
from app.viewmodels.people.table import (
    Column,
    EntryRowsChanged,
    PeopleTable,
    added_words,
    cells_of_entry,
    cells_of_person,
)
from app.views.cell_table.cell_delegate import Badges, draw_highlighted
from app.views.look.theme import DARK, LIGHT, Theme, ThemeColours, tokens
from tests.views import pictures
from tests.views.conftest import Paintings
from tests.views.people.people_tab_fixture import (
    PeopleTabFixture,
    Run,
    colours,
    crowd,
    with_people_tab,
)

MANY = crowd(40)
LONG = Person(id="long", firstname="Bartholomew " * 9, email="b@x.org", admin=True, archived=True)


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> ThemeColours:
    made = Theme(qapp)
    made.choose(request.param)
    return {"light": LIGHT, "dark": DARK}[request.param]


def marked_columns(
    text: str, highlights: tuple[tuple[int, int], ...], look: ThemeColours
) -> list[int]:
    """The columns of a painted line in which the ground of a mark is seen."""
    picture = QImage(300, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    draw_highlighted(painter, QRect(0, 0, 300, 30), text, highlights, look, mirrored=False)
    painter.end()
    return [x for x in range(300) if look.mark in _column(picture, x)]


def _column(picture: QImage, x: int) -> set[str]:
    return pictures.colours(picture, QRect(x, 0, 1, picture.height()))


@pytest.mark.parametrize("text", ["Ada Lovelace", "Łukasz Zieliński", "山田 太郎", "अनिल कुमार"])
def test_the_ground_of_a_mark_is_where_the_letters_are(qapp: QApplication, text: str) -> None:
    start = len(text) - 2
    metrics = QFontMetrics(qapp.font())
    found = marked_columns(text, ((start, len(text)),), LIGHT)
    assert found
    assert abs(found[0] - metrics.horizontalAdvance(text[:start])) <= 4
    assert abs(found[-1] - metrics.horizontalAdvance(text)) <= 4


def test_nothing_is_marked_behind_the_dots(qapp: QApplication) -> None:  # noqa: ARG001
    text = "m" * 200
    assert marked_columns(text, ((150, 160),), LIGHT) == []


@pytest.mark.parametrize(
    "direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft]
)
def test_rows_painted_in_one_go_look_as_their_cells_do_one_by_one(
    run: Run,
    theme: ThemeColours,
    direction: Qt.LayoutDirection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # On a slow day no row is left to the next turn, which no picture shows.
    monkeypatch.setattr("app.views.widgets.highlighted_text._SECONDS", 60)

    async def work(subject: PeopleTabFixture) -> None:
        view = subject.view
        view.setLayoutDirection(direction)
        subject.account.add("Grace", "Hopper")
        subject.screen.search("o")
        subject.click(2, Column.NAME)
        subject.press(Qt.Key.Key_Down)
        await asyncio.sleep(0.02)
        whole = subject.picture()
        apart = QImage(whole.size(), whole.format())
        apart.fill(view.palette().color(view.viewport().backgroundRole()))
        painter = QPainter(apart)
        for row in range(view.model().rowCount()):
            for column in Column:
                option = QStyleOptionViewItem()
                view.initViewItemOption(option)
                index = subject.index(row, column)
                option.rect = view.visualRect(index)
                if view.selectionModel().isSelected(index):
                    option.state |= QStyle.StateFlag.State_Selected
                view.itemDelegate().paint(painter, option, index)
        painter.end()
        assert whole == apart
        assert theme.selection in colours(whole, 0, whole.height())

    with_people_tab(
        run,
        work,
        LONG,
        *(
            Person(
                id=name,
                firstname=name,
                lastname="Ó.",
                email=f"{n}@o.org",
                phone="020 7946 0000",
                volunteer=n % 2 == 0,
            )
            for n, name in enumerate(
                ("Wojciech", "Łukasz", "محمد", "山田", "O'Brien & Co", "AVA To", "a\tb" * 9)
            )
        ),
    )


def test_marks_have_a_ground_and_a_line_in_both_themes(run: Run, theme: ThemeColours) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        assert tokens() == theme
        plain = subject.picture()
        subject.screen.search("p0")
        row = QRect(0, 0, plain.width(), subject.view.rowHeight(0))
        assert theme.mark not in colours(plain, row.top(), row.bottom())
        assert theme.mark in colours(subject.picture(), row.top(), row.bottom())

    with_people_tab(run, work, *MANY)


def test_the_row_that_has_the_keyboard_wears_a_ring_as_wide_as_the_list(
    run: Run, theme: ThemeColours
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Qt.Key.Key_Home)
        subject.press(Qt.Key.Key_Down)
        picture = subject.picture()
        top = subject.view.rowViewportPosition(1)
        width = sum(subject.view.columnWidth(column) for column in Column)
        ring = [x for x in range(width) if picture.pixelColor(x, top).name() == theme.accent]
        assert len(ring) == width
        other = subject.view.rowViewportPosition(2) + subject.view.rowHeight(2) - 1
        assert theme.accent not in colours(picture, other, other + 1)

    with_people_tab(run, work, *MANY)


def test_the_ring_follows_the_keyboard_without_a_choice(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Qt.Key.Key_Home)
        subject.press(Qt.Key.Key_Space)
        subject.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
        assert (subject.selected, subject.current) == (["P000"], "P001")
        bottom = subject.view.rowViewportPosition(2) - 1
        assert tokens().accent in colours(subject.picture(), bottom, bottom + 1)

    with_people_tab(run, work, *MANY)


def test_a_name_keeps_its_room_and_badges_that_do_not_fit_are_counted(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        index = subject.screen.table.index(0, Column.NAME)
        wide = subject.view.visualRect(index).width()
        assert subject.view.sizeHintForIndex(index).width() > wide
        event = QHelpEvent(
            QEvent.Type.ToolTip, QPoint(20, 10), subject.view.mapToGlobal(QPoint(20, 10))
        )
        QApplication.sendEvent(subject.view.viewport(), event)
        assert "Bartholomew" in QToolTip.text()
        QToolTip.hideText()

    with_people_tab(run, work, LONG)


@pytest.mark.parametrize(
    ("width", "entry_badges", "person_badges"),
    [(500, ("waiting",), ("+2",)), (1600, ("waiting",), ("admin", "archived"))],
)
def test_where_there_is_little_room_the_name_has_most_of_it(
    run: Run, width: int, entry_badges: tuple[str, ...], person_badges: tuple[str, ...]
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(width, 400)
        subject.account.add("Bartholomew", "Longfellow")
        assert badges_shown(subject, 0) == entry_badges
        assert badges_shown(subject, 1) == person_badges

    with_people_tab(run, work, msgspec.structs.replace(LONG, firstname="Bartholomew Long"))


def test_a_name_is_whole_before_a_badge_is_written_out(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        badges, text = Badges(subject.view.font()), 150
        cell = Cell("Beatrix Featherstone", ("archived",))
        line = badges.lay_out(QRect(0, 0, 210, 30), cell, text, mirrored=False)
        assert ([word for word, _ in line.badges], line.text.width() >= text) == (["+1"], True)
        line = badges.lay_out(QRect(0, 0, 310, 30), cell, text, mirrored=False)
        assert [word for word, _ in line.badges] == ["archived"]

    with_people_tab(run, work)


def test_what_was_done_last_is_read_in_the_smallest_window(run: Run) -> None:
    """Its badge has room before other badges and before the end of the name."""

    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(900, 560)
        subject.account.add("Bartholomew Long", "Longfellow-Abernathy")
        assert badges_shown(subject, 0) == ("waiting",)
        words = added_words(datetime.now(UTC))
        cell = Cell("B" * 90, (words, "admin", "archived"), keeps_first_badge=True)
        index = subject.index(0)
        rect = subject.view.visualRect(index)
        line = Badges(subject.view.font()).lay_out(rect, cell, 600, mirrored=False)
        assert [word for word, _ in line.badges] == [words, "+2"]
        assert line.badges[-1][1].right() <= rect.right()

    with_people_tab(run, work, LONG)


def test_a_badge_has_fewer_words_before_a_name_is_cut(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        badges, text = Badges(subject.view.font()), 90
        words = added_words(datetime.now(UTC))
        cell = Cell("Olga Lindqvist", (words, "admin"), "added", keeps_first_badge=True)
        shown = {
            width: badges.lay_out(QRect(0, 0, width, 30), cell, text, mirrored=False)
            for width in (400, 200)
        }
        assert [word for word, _ in shown[400].badges] == [words, "admin"]
        assert [word for word, _ in shown[200].badges] == ["added", "+1"]
        assert shown[200].text.width() >= text
        entry = await subject.account.sent(subject.account.add("Olga"), EntryState.ADDED)
        (name, *_) = cells_of_entry(entry, ())
        assert (len(name.badges[0]) > len("added"), name.first_badge_short) == (True, "added")
        (name, *_) = cells_of_person(LONG, (), datetime.now(UTC))
        assert (len(name.badges[0]) > len("added"), name.first_badge_short) == (True, "added")

    with_people_tab(run, work, LONG)


def test_the_name_of_somebody_who_waits_is_read_in_the_smallest_window(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(560, 400)
        subject.account.add("Ada", "Lovelace", "ada@x.org")
        delegate, index = subject.view._delegate, subject.index(0)
        option = QStyleOptionViewItem()
        subject.view.initViewItemOption(option)
        option.rect = subject.view.visualRect(index)
        cell = index.data(CELL_ROLE)
        assert badges_shown(subject, 0) == ("waiting",)
        assert delegate._laid_out(option, cell).text.width() >= delegate._text_width(option, cell)

    with_people_tab(run, work, *MANY)


def badges_shown(subject: PeopleTabFixture, row: int) -> tuple[str, ...]:
    cell = subject.index(row).data(CELL_ROLE)
    width = subject.view.fontMetrics().horizontalAdvance(cell.text)
    rect = subject.view.visualRect(subject.index(row))
    line = Badges(subject.view.font()).lay_out(rect, cell, width, mirrored=False)
    return tuple(word for word, _ in line.badges)


def test_what_is_whole_needs_no_tip(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        event = QHelpEvent(
            QEvent.Type.ToolTip, QPoint(20, 10), subject.view.mapToGlobal(QPoint(20, 10))
        )
        QApplication.sendEvent(subject.view.viewport(), event)
        assert QToolTip.text() == ""

    with_people_tab(run, work, *MANY)


def test_a_number_and_a_date_are_never_cut_in_the_narrowest_window(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(560, 400)
        for column in (Column.PHONE, Column.MOBILE, Column.ADDED):
            index = subject.screen.table.index(0, column)
            assert subject.view.sizeHintForIndex(index).width() <= subject.view.columnWidth(column)

    person = Person(
        id="1", firstname="A", phone="(02) 5550 3591", mobile="0412 192 355", date_added=None
    )
    with_people_tab(run, work, person)


def test_painting_asks_of_the_rows_in_sight_alone_whoever_is_chosen(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        QApplication.processEvents()
        asked: list[int] = []
        code = PeopleTable.rowCount.__code__

        def heard(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code is code:
                asked.append(1)

        subject.view.selectAll()
        sys.setprofile(heard)
        try:
            subject.view.horizontalHeader().viewport().grab()
            subject.view.viewport().grab()
        finally:
            sys.setprofile(None)
        assert 0 < len(asked) < 500

    with_people_tab(run, work, *crowd(900))


def test_the_row_wears_the_one_ring_and_the_list_wears_it_only_while_no_row_does(
    run: Run, theme: ThemeColours
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Qt.Key.Key_Home)
        assert theme.accent not in ringed(subject) | frame(subject)
        subject.scroll_to(20)
        assert ringed(subject) == {theme.accent}
        assert theme.accent not in frame(subject)

    with_people_tab(run, work, *MANY)


def ringed(subject: PeopleTabFixture) -> set[str]:
    """The colours along the right edge of the rows, below the first few."""
    return _down_the_right(subject.picture())


def frame(subject: PeopleTabFixture) -> set[str]:
    """The colours along the right edge of the list as a whole."""
    return _down_the_right(subject.view.grab().toImage())


def _down_the_right(picture: QImage) -> set[str]:
    x, middle = picture.width() - 1, picture.height() // 2
    return pictures.colours(picture, QRect(x, middle, 1, 90))


def test_many_who_come_at_once_are_painted_in_a_turn_of_their_own(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        paintings = Paintings(subject.view.viewport())

        async def painted(many: int) -> tuple[int, int]:
            QApplication.processEvents()
            new = [NewPerson(firstname=f"Ada {number}") for number in range(many)]
            came = [new_entry("", one, datetime.now(UTC), 10) for one in new]
            paintings.times = 0
            subject.screen.table.change_entries(EntryRowsChanged(fresh=came))
            QApplication.sendPostedEvents()
            at_once = paintings.times
            await asyncio.sleep(0.1)
            return at_once, paintings.times

        at_once, _ = await painted(20)
        assert at_once
        at_once, later = await painted(2_000)
        assert not at_once
        assert later

    with_people_tab(run, work, *MANY)


def test_a_remark_without_words_is_not_told_and_moves_no_row(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        await subject.show()
        card = subject.card
        empty = [each for each in card.findChildren(QLabel) if each.isVisible() and not each.text()]
        assert empty == []
        top = subject.view.mapTo(subject.window, QPoint()).y()
        card._say_remark("The list is not read yet.")
        QApplication.processEvents()
        assert card._remark.isVisible()
        assert subject.view.mapTo(subject.window, QPoint()).y() == top

    with_people_tab(run, work, *MANY)
