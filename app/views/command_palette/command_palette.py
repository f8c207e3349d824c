"""The palette, made when first asked for: a field over the window, and below it what can be chosen.

The keyboard stays in the field; the row that is chosen is read out.
"""

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QObject,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterStateGuard,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QScrollBar,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.cell_table import Index
from app.viewmodels.command_palette.command import Command
from app.viewmodels.command_palette.command_palette import (
    CommandPaletteScreen,
    CommandPaletteState,
)
from app.viewmodels.command_palette.named_in_account import NamedInAccount
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.icons import paint_icon
from app.views.look.theme import ICON, RADIUS, RING, SPACE, colour, tokens
from app.views.widgets.held_keys import is_held, note_release
from app.views.widgets.highlighted_text import PaintBudget, draw_line, draw_lines
from app.views.widgets.labels import advance, announce, in_one_line
from app.views.widgets.pointer import RowGuard
from app.views.widgets.spoken_roles import speak_as

_WIDEST = 640
_AROUND = 20
"""Pixels that stay between the palette and the edges of the window."""
_FROM_TOP = 56
_MOST_ROWS = 9
"""Rows in sight; the others are scrolled to."""
_MOST_LINES = 3
"""Of what is said where there is no row: it tells what was typed."""
_SHADE = 90
"""Out of 255: how dark the window is behind it."""
_AIR = 9
_LONGEST = 200
"""Letters: what is pasted here by mistake is compared with everything as well."""
_COMMAND = Qt.ItemDataRole.UserRole
Offer = tuple[Command, Callable[[], object]]
"""What can be done, and how it is done."""


class CommandPalette(GuardedOverrides, QWidget):
    """Covers the window while it is open; a press beside it closes it."""

    destination_chosen = Signal(object)
    """Carries the `Command` of a person or a flow to be gone to."""

    def __init__(self, screen: CommandPaletteScreen, window: QWidget) -> None:
        """Bound to `screen`; hidden until it is opened."""
        super().__init__(window)
        self._window = window
        self._screen = screen
        self._deeds: dict[str, Callable[[], object]] = {}
        self._came_from: list[QWidget] = []
        self._went_down = False
        """Whether somebody has left the first row for another since the last letter."""
        self._chooses_when_found = False
        """Whether Enter was pressed while the rows were still of what was typed before."""
        self._waits = False
        """Whether letters were typed that nothing was looked for yet."""
        self._turn = QTimer(self, singleShot=True, interval=0)
        """Until it is over, and with it the keys that wait already, no other search begins."""
        self._turn.timeout.connect(self._catch_up)
        self._rows = _CommandRows(self)
        self.field = _PaletteField(self)
        self.list = _CommandList(self._rows, self)
        self._card = QFrame(self)
        self._card.setProperty("role", "card")
        self._layout = rows = QVBoxLayout(self._card)
        rows.setContentsMargins(*([2 * SPACE] * 4))
        rows.setSpacing(2 * SPACE)
        rows.addWidget(self.field)
        rows.addWidget(self.list)
        self.field.textChanged.connect(self._search)
        self.list.clicked.connect(self._clicked)
        screen.state_changed.connect(self._show)
        self.setProperty("stands_above", True)  # noqa: FBT003 - Qt's own
        speak_as(self, "Dialog")
        self.setAccessibleName(tr("Find anything"))
        window.installEventFilter(self)
        self.hide()

    def open(self, offers: Sequence[Offer], account: NamedInAccount | None) -> None:
        """Offer these and whoever is in `account`; the keyboard comes back to where it is now."""
        self._came_from = _with_parents(QApplication.focusWidget())
        self._deeds = {command.id: act for command, act in offers}
        self.field.clear()
        self.field.setAccessibleDescription("")
        self.setGeometry(self._window.rect())
        self._screen.open([command for command, _ in offers], account)
        self.show()
        self.raise_()
        self._show(self._screen.state)
        # As a menu does: what was chosen in a field stays so.
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_again(self, *, keyboard_back: bool = True) -> None:
        """Put the keyboard back to where it was, unless it has gone elsewhere."""
        if self.isHidden():
            return
        # Before it is hidden: Qt would first lead on as Tab does, and select what stands there.
        focus = QApplication.focusWidget()
        held = focus is None or self.isAncestorOf(focus)
        self._give_keyboard_back(self._came_from if keyboard_back and held else ())
        self._came_from = []
        self.hide()
        self._turn.stop()
        self._screen.close()
        self._deeds, self._chooses_when_found, self._waits = {}, False, False

    @staticmethod
    def _give_keyboard_back(before: Sequence[QWidget]) -> None:
        for each in before:
            takes = shiboken6.isValid(each) and each.focusPolicy() is not Qt.FocusPolicy.NoFocus
            if takes and each.isVisible() and each.isEnabled():
                each.setFocus(Qt.FocusReason.PopupFocusReason)
                return

    def choose_current(self) -> None:
        """Do what the chosen row says; once it is found, if it is about to be another."""
        self._catch_up()
        self._chooses_when_found = self._screen.state.is_looking
        if self._chooses_when_found:
            return
        command = self.list.currentIndex().data(_COMMAND)
        if isinstance(command, Command):
            self._choose(command)

    def choose_further(self, rows: int) -> None:
        """Choose another row, so many further down."""
        self._catch_up()
        self._chooses_when_found = False
        place = max(0, min(self.list.currentIndex().row() + rows, self._rows.rowCount() - 1))
        self._went_down = place > 0
        self._set_current(place)
        self._read_out()

    @property
    def went_down_to(self) -> Command | None:
        """The row that somebody has left the first one for."""
        command = self.list.currentIndex().data(_COMMAND)
        return command if self._went_down and isinstance(command, Command) else None

    def go_down_to(self, command: Command) -> None:
        """Choose the row of this again, where it is still there."""
        self._catch_up()
        ids = [each.id for each in self._screen.state.rows]
        if command.id in ids:
            self.choose_further(ids.index(command.id) - self.list.currentIndex().row())

    def rows_in_sight(self) -> int:
        """How far a Page key leads."""
        return max(1, self.list.viewport().height() // max(1, self.list.sizeHintForRow(0)) - 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """As large as the window."""
        if event.type() is QEvent.Type.Resize and watched is self._window:
            self.setGeometry(self._window.rect())
            self._lay_out()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the palette closes it."""
        if not self._card.geometry().contains(event.position().toPoint()):
            self.close_again()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """What lies behind is out of reach for now."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(0, 0, 0, _SHADE))

    def _search(self) -> None:
        self._went_down = self._chooses_when_found = False
        self._waits = True
        if not self._turn.isActive():
            self._catch_up()

    def _catch_up(self) -> None:
        """Look for what is typed by now, however many keys that were."""
        if self._waits:
            self._waits = False
            self._turn.start()
            self._screen.search(self.field.text())

    def _clicked(self, index: Index) -> None:
        command = index.data(_COMMAND)
        if isinstance(command, Command):
            self._choose(command)

    def _choose(self, command: Command) -> None:
        act = self._deeds.get(command.id)
        self._screen.use(command)
        self.close_again()
        if act is not None:
            act()
        else:
            self.destination_chosen.emit(command)

    def _show(self, state: CommandPaletteState) -> None:
        if self.isHidden():
            return
        chosen = self.list.currentIndex()
        before = chosen.data(_COMMAND) if self._went_down else None
        self._rows.show_rows(state.rows)
        # Whoever has gone down to a row stays with it, where more is found.
        self._set_current(state.rows.index(before) if before in state.rows else 0)
        self.list.say(state.empty_words)
        self._lay_out()
        self.list.rows_changed()
        # Another letter, or more that was found, may leave the same row chosen.
        if self._spoken() != self.field.accessibleDescription():
            self._read_out()
        if self._chooses_when_found and not state.is_looking:
            self.choose_current()

    def _set_current(self, place: int) -> None:
        index = self._rows.index(place, 0)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)

    def _spoken(self) -> str:
        command = self.list.currentIndex().data(_COMMAND)
        return command.spoken if isinstance(command, Command) else self._screen.state.empty_words

    def _read_out(self) -> None:
        spoken = self._spoken()
        self.field.setAccessibleDescription(spoken)
        if spoken:
            announce(self.field, spoken)

    def _lay_out(self) -> None:
        """As high however much is found: with each key that made it less, all that lies behind
        would be painted anew.
        """
        width = min(_WIDEST, self.width() - 2 * _AROUND)
        margins, frame = self._layout.contentsMargins(), self._card.contentsMargins()
        field = self.field.sizeHint().height() + self._layout.spacing()
        above = frame.top() + margins.top() + field
        below = margins.bottom() + frame.bottom()
        room = self.height() - _FROM_TOP - _AROUND
        rows = min(_MOST_ROWS * self.list.row_height() + 2, room - above - below)
        self.list.setFixedHeight(max(1, rows))
        height = above + rows + below
        self._card.setGeometry((self.width() - width) // 2, _FROM_TOP, width, height)


def _paint_ground(widget: QWidget, event: QPaintEvent) -> None:
    """What shows nothing of what lies behind is painted alone: below the card lies a shade, and
    each key would have the whole window below that painted anew.
    """
    # A style sheet takes that away whenever it is put on.
    widget.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    with QPainter(widget) as painter:
        painter.fillRect(event.rect(), colour(tokens().card))


def _with_parents(widget: QWidget | None) -> list[QWidget]:
    """A field that is only there while it has the keyboard gives it back to what it stands in."""
    found: list[QWidget] = []
    while widget is not None:
        found.append(widget)
        widget = widget.parentWidget()
    return found


class _PaletteField(GuardedOverrides, QLineEdit):
    """Leads through the list without leaving the field."""

    keeps_escape = True

    def __init__(self, palette: CommandPalette) -> None:
        super().__init__()
        self._palette = palette
        self.setMaxLength(_LONGEST)
        self.setPlaceholderText(tr("What to do, or a name"))
        self.setAccessibleName(tr("Find anything"))

    def event(self, event: QEvent) -> bool:
        """Tab goes down, and Escape is the palette's before it is anybody else's."""
        if not isinstance(event, QKeyEvent):
            return super().event(event)
        pressed = event.type() is QEvent.Type.KeyPress
        override = event.type() is QEvent.Type.ShortcutOverride
        if override and event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.accept()
            return True
        if pressed and event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}:
            self._palette.choose_further(1 if event.key() == Qt.Key.Key_Tab else -1)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does it, the arrows and the Page keys choose a row."""
        key, page = event.key(), self._palette.rows_in_sight()
        ways = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_PageUp: -page,
        }
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if not is_held(event):
                self._palette.choose_current()
        elif key == Qt.Key.Key_Escape:
            self._palette.close_again()
        elif key in ways:
            self._palette.choose_further(ways[Qt.Key(key)])
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Remember it: the next press may be the same one held."""
        note_release(event)
        super().keyReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """On the card; see `_paint_ground`."""
        _paint_ground(self, event)
        super().paintEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whoever goes elsewhere, as by a key of the window, has no use for it."""
        super().focusOutEvent(event)
        stays = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}
        if event.reason() not in stays:
            self._palette.close_again(keyboard_back=False)


class _CommandRows(GuardedOverrides, QAbstractListModel):
    """The rows of the palette."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rows: tuple[Command, ...] = ()

    def show_rows(self, rows: tuple[Command, ...]) -> None:
        """Show these."""
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def command(self, row: int) -> Command | None:
        """What stands in this row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """One for each command."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words, the whole of a row for whoever hears it, and the command itself."""
        command = self.command(index.row())
        if role == _COMMAND or command is None:
            return command
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return command.spoken
        return command.words if role == Qt.ItemDataRole.DisplayRole else None


class _CommandList(GuardedOverrides, QListView):
    """Shows the rows and takes clicks; the keyboard stays in the field."""

    def __init__(self, rows: _CommandRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ""
        self._row_guard = RowGuard(self, lambda index: index.data(_COMMAND))
        self._row_guard.follow(rows)
        self.setModel(rows)
        self.setProperty("role", "flows")
        self.setAccessibleName(tr("What can be chosen"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBar(_ScrollBar())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._delegate = _CommandDelegate(self, rows)
        self.setItemDelegate(self._delegate)

    def paintEvent(self, event: QPaintEvent) -> None:
        """On the card; see `_paint_ground`."""
        _paint_ground(self.viewport(), event)
        if self._words:
            self._paint_words()
            return
        self._delegate.begin()
        super().paintEvent(event)

    def _paint_words(self) -> None:
        """Where the first row would begin."""
        room = self.viewport().rect().adjusted(3 * SPACE, 0, -3 * SPACE, 0)
        is_long = advance(self._words, self.fontMetrics()) > room.width()
        room.setHeight(self.row_height() * (_MOST_LINES if is_long else 1))
        mirrored = self.isRightToLeft()
        with QPainter(self.viewport()) as painter:
            draw_lines(
                painter, room, self._words, (), tokens().soft, lines=_MOST_LINES, mirrored=mirrored
            )

    def say(self, words: str) -> None:
        """Have these in the place of rows: a label that comes and goes would have what lies behind
        the card painted with it.
        """
        if words != self._words:
            self._words = words
            self.setAccessibleDescription(words)
            self.viewport().update()

    def row_height(self) -> int:
        """Of each, be there one or none."""
        return _row_height(self.fontMetrics())

    def rows_changed(self) -> None:
        """A press is not for a row that came under the pointer just now."""
        self.executeDelayedItemsLayout()
        self._row_guard.look()


class _ScrollBar(GuardedOverrides, QScrollBar):
    """Keeps its place where all rows are in sight: they would else be laid out, and what lies
    behind painted, anew.
    """

    def paintEvent(self, event: QPaintEvent) -> None:
        """On the card; see `_paint_ground`."""
        _paint_ground(self, event)
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def _row_height(metrics: QFontMetrics) -> int:
    """As high as a line with some air."""
    return metrics.height() + 2 * _AIR


class _CommandDelegate(GuardedOverrides, QStyledItemDelegate):
    """A picture, the words, what tells them from others, and the keys at the end.

    Each key has all rows in sight painted within its frame: what they share is asked for once.
    """

    def __init__(self, view: QAbstractItemView, rows: _CommandRows) -> None:
        super().__init__(view)
        self._view = view
        self._rows = rows
        self._time = PaintBudget(view.viewport())
        self.begin()

    def begin(self) -> None:
        """A painting of many rows begins."""
        self._time.begin()
        self._look, self._metrics = tokens(), self._view.fontMetrics()
        self._chosen = self._view.currentIndex().row()
        self._mirrored = self._view.isRightToLeft()

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """As high as a line with some air."""
        return QSize(120, _row_height(option.fontMetrics))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The chosen row wears the ring of what has the keyboard: Enter does it."""
        row = index.row()
        command = self._rows.command(row)
        if command is None:
            return
        rect = option.rect
        if row == self._chosen:
            self._paint_ring(painter, rect)
        # A name may need fonts that nothing was painted in before.
        if not self._time.allows(rect):
            return
        look, metrics, mirrored = self._look, self._metrics, self._mirrored
        x, y, width, height = rect.x(), rect.y(), rect.width(), rect.height()
        x, width = x + 3 * SPACE, width - 6 * SPACE

        def part(left: int, wide: int) -> QRect:
            return QRect(x + (width - left - wide if mirrored else left), y, wide, height)

        if command.icon:
            paint_icon(painter, part(0, ICON), command.icon, look.soft)
        begin, end = ICON + 3 * SPACE, width
        if command.keys:
            wide = advance(command.keys, metrics)
            place = part(end - wide, wide)
            draw_line(painter, place, command.keys, (), look.soft, mirrored=mirrored, fits=True)
            end -= wide + 3 * SPACE
        words = in_one_line(command.words)
        wide = advance(words, metrics)
        fits = wide <= end - begin
        wide = min(wide, end - begin)
        draw_line(painter, part(begin, wide), words, (), look.text, mirrored=mirrored, fits=fits)
        begin += wide + 3 * SPACE
        if command.remark and end - begin > 8 * SPACE:
            rest = part(begin, end - begin)
            draw_line(painter, rest, command.remark, (), look.soft, mirrored=mirrored)

    def _paint_ring(self, painter: QPainter, rect: QRect) -> None:
        with QPainterStateGuard(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(colour(self._look.selection))
            painter.setPen(QPen(colour(self._look.accent), RING))
            painter.drawRoundedRect(rect.adjusted(2, 1, -2, -1), RADIUS, RADIUS)
