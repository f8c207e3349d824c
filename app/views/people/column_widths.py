"""How the columns of the People table share the width there is, so that none is cut off.

All widths are device independent pixels. What a letter measures is the view's affair.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from PySide6.QtCore import QItemSelectionModel, QObject, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableView

from app.runtime.words import tr
from app.viewmodels.formatting import day
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.people_state import PeopleState
from app.viewmodels.people.table import Column, column_words
from app.views.cell_table.cell_delegate import MARGIN
from app.views.widgets.labels import advance

Widths = dict[Column, int]
_SHARES = {Column.NAME: 0.4, Column.EMAIL: 0.4, Column.PHONE: 0.07, Column.MOBILE: 0.07}
"""How the columns share what is left over; the last one takes the rest."""
_GIVE_FIRST = (Column.NAME, Column.EMAIL)
"""A name that is cut can still be told; a number or a date that is cut says nothing."""


def shared(comfortable: Mapping[Column, int], room: int, blank: Collection[Column] = ()) -> Widths:
    """The widths where nobody set any: what is comfortable, and a share of what is left over. That
    of a column that is `blank` for everybody the others have.
    """
    left = max(room - sum(comfortable.values()), 0)
    shares = {column: share for column, share in _SHARES.items() if column not in blank}
    more = sum(_SHARES.values()) / sum(shares.values())
    return {
        column: width + int(left * shares.get(column, 0) * more)
        for column, width in comfortable.items()
    }


def fitted(wanted: Mapping[Column, int], least: Mapping[Column, int], room: int) -> Widths:
    """As near to `wanted` as fits into `room`, no column narrower than its `least`.

    The last column takes what is left over. Where even the least is too much, it is given.
    """
    fit = {column: max(width, least[column]) for column, width in wanted.items()}
    for givers in (_GIVE_FIRST, tuple(Column)):
        _take(fit, least, givers, sum(fit.values()) - room)
    fit[_LAST] += max(room - sum(fit.values()), 0)
    return fit


def _take(fit: Widths, least: Mapping[Column, int], givers: tuple[Column, ...], much: int) -> None:
    """Take `much` from the givers, from each by what it has to spare."""
    for number, column in enumerate(givers):
        spare = {giver: fit[giver] - least[giver] for giver in givers[number:]}
        together = sum(spare.values())
        if much <= 0 or not together:
            return
        given = min(-(-much * spare[column] // together), spare[column])
        fit[column] -= given
        much -= given


_COMFORTABLE = {Column.NAME: "n" * 18, Column.EMAIL: "n" * 13}
_LEAST = {Column.NAME: "n" * 12, Column.EMAIL: "n" * 8}
_SAMPLE_NUMBERS = {Column.PHONE: "+47 22 55 08 88", Column.MOBILE: "0488 888 888"}
LATE = datetime(2028, 12, 28, tzinfo=UTC)
"""As long as the date of a day gets."""
_ARROW = " ▾"
*_BY_HAND, _LAST = Column
"""The last one fills what the others leave."""
_NARROWEST = 60


class PeopleColumns(GuardedOverrides, QObject):
    """Widths set by hand are kept with the other places of the screen."""

    menu_wanted = Signal(object)
    """Carries the place on the screen where the menu of the headers belongs."""

    def __init__(self, view: QTableView, screen: PeopleScreen) -> None:
        """Bind the header of `view` to `screen`."""
        super().__init__(view)
        self._view = view
        self._screen = screen
        self._sharing = False
        header = view.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(_NARROWEST)
        header.setStretchLastSection(False)
        # What is on the screen says how wide a column has to be, not a thousand rows.
        header.setResizeContentsPrecision(0)
        # Or each painting of the header would ask of every row whether it is chosen.
        header.setSelectionModel(QItemSelectionModel(screen.table, header))
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._clicked)
        header.sectionResized.connect(self._resized)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._ask_for_menu)
        screen.list_restoring.widths_restored.connect(self.share)
        self._blank = screen.state.blank_columns
        screen.state_changed.connect(self._follow)
        self.share()

    def share(self) -> None:
        """Share the width among the columns, as the person has set them or as it is comfortable."""
        kept = self._screen.list_restoring.columns
        by_hand = {each: kept[each.name.lower()] for each in _BY_HAND if each.name.lower() in kept}
        self._share(by_hand)

    def _follow(self, state: PeopleState) -> None:
        if state.blank_columns != self._blank:
            self._blank = state.blank_columns
            self.share()

    def _share(self, by_hand: Widths, held: Column | None = None) -> None:
        """`held` is under the mouse: the others make room for it."""
        least = self._measured(_LEAST)
        # Whoever wants a column narrower gets it narrower.
        least |= {each: min(least[each], width) for each, width in by_hand.items()}
        # As if the list could be scrolled: nothing moves when it gets too long or too short for it.
        bar = self._view.verticalScrollBar().sizeHint().width()
        room = self._view.maximumViewportSize().width() - bar
        wanted = shared(self._measured(_COMFORTABLE), room, self._blank) | by_hand
        if held is not None:
            most = room - sum(width for each, width in least.items() if each is not held)
            least[held] = max(least[held], min(wanted[held], most))
        widths = fitted(wanted, least, room)
        widths[_LAST] += max(self._view.viewport().width() - sum(widths.values()), 0)
        self._set(widths)

    def _measured(self, samples: dict[Column, str]) -> Widths:
        return {column: self._needed(column, samples) for column in Column}

    def _needed(self, column: Column, samples: dict[Column, str]) -> int:
        metrics = self._view.fontMetrics()
        shown = (samples | _SAMPLE_NUMBERS).get(column) or day(LATE)
        texts = [column_words(column) + _ARROW]
        if column not in self._blank:
            texts += [shown, tr("not given")]
        return max(advance(text, metrics) for text in texts) + 2 * MARGIN

    def _set(self, widths: Widths) -> None:
        self._sharing = True
        for column, width in widths.items():
            self._view.setColumnWidth(column, max(width, _NARROWEST))
        self._sharing = False

    def _clicked(self, section: int) -> None:
        self._screen.order.sort_by_column(Column(section))

    def _resized(self, section: int, _before: int, _after: int) -> None:
        if self._sharing:
            return
        if section == _LAST:
            self.share()
            return
        self._share({each: self._view.columnWidth(each) for each in _BY_HAND}, Column(section))
        self._screen.list_restoring.columns = {
            each.name.lower(): self._view.columnWidth(each) for each in _BY_HAND
        }

    def _ask_for_menu(self, place: object) -> None:
        header: QHeaderView = self._view.horizontalHeader()
        self.menu_wanted.emit(header.mapToGlobal(place))  # type: ignore[call-overload]  # Qt sends a QPoint
