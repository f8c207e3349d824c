"""The quick-add card, which the small window borrows: the line, how it is read as fields to
correct, and what is said of it.

What a key does, and all else that is decided, is the view-model's.
"""

from functools import partial
from itertools import pairwise

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.quick_add_state import QuickAddState, Remark
from app.viewmodels.quick_add.typed_line import Field, same_at_start
from app.views.widgets.already_here import MOST, AlreadyHere, opening_keys
from app.views.widgets.buttons import CopyButton, bind_keys, button, card, label, set_flag
from app.views.widgets.held_keys import is_held, note_release
from app.views.widgets.labels import (
    ValueLabel,
    advance,
    announce,
    native_keys,
    set_tip,
)
from app.views.widgets.layouts import wrapping_box

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_FEWEST_LETTERS = 6


class KeyedEdit(GuardedOverrides, QLineEdit):
    """An edit in which Enter and Escape mean the whole line, not the edit."""

    save_wanted = Signal()
    family_wanted = Signal()
    """Save, and keep the last name for the next."""
    escape_wanted = Signal()
    undo_wanted = Signal()
    """Undo, where the edit itself has nothing left to undo."""

    def event(self, event: QEvent) -> bool:
        """Claim Escape before a shortcut of the window gets it."""
        claimed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if claimed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand on the keys that are not typing."""
        if not self.hand_on(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Remember it: the next press may be the same one held."""
        note_release(event)
        super().keyReleaseEvent(event)

    def hand_on(self, event: QKeyEvent) -> bool:
        """Tell of a key that is not typing; False for any other.

        An Enter that is held was meant for what stood there when it was pressed, or for what the
        keyboard was in then.
        """
        if event.key() in _ENTER and is_held(event):
            return True
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain = modifiers == Qt.KeyboardModifier.NoModifier
        if event.key() in _ENTER and plain:
            self.save_wanted.emit()
        elif event.key() in _ENTER and modifiers == Qt.KeyboardModifier.ShiftModifier:
            self.family_wanted.emit()
        elif event.key() == Qt.Key.Key_Escape and plain:
            self.escape_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable():
            self.undo_wanted.emit()
        else:
            return False
        return True


class QuickLine(KeyedEdit):
    """The line itself: Up and Down go through the lines of this run."""

    back_wanted = Signal()
    forward_wanted = Signal()
    drop_wanted = Signal()
    """Backspace where there is nothing left to delete."""

    def __init__(self) -> None:
        """Empty."""
        super().__init__()
        self.typed_over = (0, 0)
        """While an edit is told of: from where to where of what stood here it was made."""
        self._offers = False
        # Qt tells of both after it has told of what was typed there.
        self.selectionChanged.connect(self._note_selection)
        self.cursorPositionChanged.connect(self._note_cursor)
        self.textEdited.connect(self.take_back_offer)

    def offer(self) -> None:
        """Select all, and again at each return of the keyboard, until a key or a click keeps it."""
        self._offers = True
        self.selectAll()

    def take_back_offer(self) -> None:
        """What stands here is to be kept, or is another text."""
        self._offers = False

    def to_end(self) -> None:
        """Put the cursor behind what stands here, unless that is to be typed over."""
        if self._offers:
            self.selectAll()
        else:
            self.end(False)  # noqa: FBT003 - Qt's own: mark nothing

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The selection went when the keyboard did, and the offer stands still."""
        super().focusInEvent(event)
        if self._offers:
            self.selectAll()

    def _note_selection(self) -> None:
        self._note_cursor()
        is_whole = bool(self.text()) and self.typed_over == (0, len(self.text()))
        if self.hasFocus() and not is_whole:
            self.take_back_offer()

    def _note_cursor(self) -> None:
        at = self.cursorPosition()
        self.typed_over = (
            (self.selectionStart(), self.selectionEnd()) if self.hasSelectedText() else (at, at)
        )

    def hand_on(self, event: QKeyEvent) -> bool:
        """Up, Down, and Backspace in the empty line besides."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return super().hand_on(event)
        if event.key() == Qt.Key.Key_Up:
            self.back_wanted.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.forward_wanted.emit()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.drop_wanted.emit()
        else:
            return super().hand_on(event)
        return True


class GrowingEdit(KeyedEdit):
    """As wide as what it holds; where there is less room, its text scrolls."""

    def __init__(self) -> None:
        """Empty, and a few letters wide."""
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._grow)

    def sizeHint(self) -> QSize:
        """Room for the text and for the cursor behind it."""
        return self._around(advance(self.text(), self.fontMetrics()))

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return self._around(0)

    def _around(self, text_width: int) -> QSize:
        metrics = self.fontMetrics()
        fewest = metrics.averageCharWidth() * _FEWEST_LETTERS
        # Qt itself keeps two pixels free on either side of the text, and the cursor needs its own.
        inside = QSize(max(text_width, fewest) + metrics.averageCharWidth() + 4, metrics.height())
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        style = self.style()
        return style.sizeFromContents(QStyle.ContentsType.CT_LineEdit, option, inside, self)

    def _grow(self, _text: str) -> None:
        self.updateGeometry()


class ReadingField(GuardedOverrides, QFrame):
    """A short name and the value of one field, in one frame that grows with the value."""

    corrected = Signal(str, str)
    """Carries the field's name and its value, after somebody typed in it."""

    def __init__(self, field: Field, name: str, accessible_name: str) -> None:
        """`name` stands before the value; `accessible_name` is said in its place."""
        super().__init__()
        self._field = field
        self.setProperty("role", "reading")
        caption = label(name, "small")
        self.edit = GrowingEdit()
        self.edit.setFrame(False)
        self.edit.setAccessibleName(accessible_name)
        self.edit.installEventFilter(self)
        self.edit.textEdited.connect(self._edited)
        caption.setBuddy(self.edit)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 4, 1)
        row.setSpacing(2)
        row.addWidget(caption)
        row.addWidget(self.edit, 1)

    def show_value(self, value: str) -> None:
        """Show the reading, without moving the cursor of somebody who is typing here."""
        if self.edit.text() != value:
            self.edit.setText(value)
            self.edit.setCursorPosition(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The frame wears the ring while the edit inside it has the keyboard."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            set_flag(self, "ring", event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def _edited(self, value: str) -> None:
        self.corrected.emit(self._field, value)


class PhoneChip(GuardedOverrides, QFrame):
    """A phone number that was typed: nothing can be done with it here but copying it."""

    def __init__(self) -> None:
        """Hidden until there is a number."""
        super().__init__()
        self.setProperty("role", "aside")
        self._number = label("")
        self.copy = CopyButton(tr("Copy the phone number"), self._number.text)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 4, 1)
        row.setSpacing(6)
        row.addWidget(label(tr("Phone"), "small"))
        row.addWidget(self._number)
        row.addWidget(self.copy)
        self.hide()

    def show_number(self, number: str) -> None:
        """Show `number`, or nothing when it is blank."""
        if number != self._number.text():
            self._number.setText(number)
            self.copy.text_changed()
        self.setVisible(bool(number))


_BETWEEN_FIELDS = 8
_MOVED = frozenset(
    {
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.Show,
        QEvent.Type.Hide,
        QEvent.Type.LayoutRequest,
        QEvent.Type.ZOrderChange,
    }
)
_MEND_KEYS = QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_M)


_FROM_THE_TOP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
"""What is said stands near the line that it is about, however much room is kept for it."""


class QuickAddCard(GuardedOverrides, QWidget):
    """The line, its three fields, and what is said of them; all decisions are the view-model's."""

    saved = Signal()
    entered = Signal()
    """The keyboard has come here."""
    open_wanted = Signal(object)
    """Carries the `DuplicateHint` of somebody who may be the same person, to be looked at."""
    return_wanted = Signal(object)
    """Escape, and where the keyboard was is not on the screen: carries that widget, or None."""

    def __init__(self, quick_add: QuickAdd) -> None:
        """Bind to `quick_add`."""
        super().__init__()
        self._quick_add = quick_add
        self._came_from: QWidget | None = None
        # Of an empty line that is read with its description, when the keyboard comes to it.
        self._told = quick_add.state.read_out
        self.line = QuickLine()
        self.line.setProperty("role", "quick")
        self.line.setAccessibleName(tr("Add a person"))
        self._add = button(tr("Add"), self._save, "primary")
        set_tip(self._add, tr("Enter"))
        self._fields: dict[Field, ReadingField] = {
            "firstname": ReadingField("firstname", tr("First"), tr("First name")),
            "lastname": ReadingField("lastname", tr("Last"), tr("Last name")),
            "email": ReadingField("email", tr("Email"), tr("Email")),
        }
        self._mend = button("", quick_add.mend, "mend")
        self._fault = label("", "problem")
        self._phone = PhoneChip()
        self._hint = ValueLabel("", "small")
        self._lines_kept = self._reading_lines = 1
        self._remarks: list[QLabel] = []
        self._remarked: object = None
        self._already_here = AlreadyHere()
        self._has_keyboard = self._small = False
        self._covered_last: QWidget | None = None
        self._lay_out()
        self._bind()
        self._show(quick_add.state)

    # Coming and going

    def focus_line(self, came_from: QWidget | None = None) -> None:
        """Put the cursor into the line, behind what stands there or over what may be replaced.

        `came_from` is where Escape leads back to, where that is not what has the keyboard now.
        """
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.to_end()
        if came_from is not None and not self.isAncestorOf(came_from):
            self._came_from = came_from

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape on a button leads back to the line."""
        if event.key() == Qt.Key.Key_Escape:
            self._to_line()
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tab leads from the line to the field that comes next after what stands there."""
        if watched in (*self._spoken_in, self._covered_last) and event.type() in _MOVED:
            self._show_already_here()
        return (
            watched is self.line
            and event.type() is QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Tab
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
            and self._to_next_field()
        ) or super().eventFilter(watched, event)

    def _to_next_field(self) -> bool:
        state = self._quick_add.state
        if not state.shows_reading or state.next_field is None:
            return False
        self._fields[state.next_field].edit.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _focus_moved(self, before: QWidget | None, now: QWidget | None) -> None:
        """Remember from where the keyboard came here, by whatever way."""
        if now is None:
            return
        had_keyboard, self._has_keyboard = self._has_keyboard, self._is_mine(now)
        self._show_already_here()
        if self._has_keyboard and not had_keyboard:
            self.entered.emit()
        if before is None or not self._has_keyboard:
            return
        if not self._is_mine(before) and before.window() is self.window():
            self._came_from = before

    def _is_mine(self, widget: QWidget) -> bool:
        return self.isAncestorOf(widget) or self._already_here.isAncestorOf(widget)

    def _leave(self) -> None:
        if self._small:
            return
        came_from, self._came_from = self._came_from, None
        if came_from is None or not shiboken6.isValid(came_from):
            self.return_wanted.emit(None)
        elif came_from.isVisible() and came_from.isEnabled():
            came_from.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self.return_wanted.emit(came_from)

    def _to_line(self) -> None:
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # How it is put together

    def _lay_out(self) -> None:
        self._surface = card()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._surface)
        self._rows = QVBoxLayout(self._surface)
        self._rows.setContentsMargins(14, 12, 14, 12)
        self._rows.setSpacing(8)
        self._first = first = QHBoxLayout()
        first.setSpacing(10)
        first.addWidget(self.line, 1)
        first.addWidget(self._add)
        self._rows.addLayout(first)
        self._reading, wrapping = wrapping_box(_BETWEEN_FIELDS)
        self._read_as = label(tr("Read as"), "small")
        wrapping.insert_widget(self._read_as)
        for widget in (*self._fields.values(), self._mend, self._fault, self._phone):
            wrapping.insert_widget(widget)
        self._under = QWidget()
        self._below = QWidget()
        self._remark_rows = QVBoxLayout(self._below)
        self._remark_rows.setContentsMargins(0, 0, 0, 0)
        self._remark_rows.setSpacing(self._rows.spacing())
        self._reserve_room()
        self._under_rows = QVBoxLayout(self._under)
        self._under_rows.setContentsMargins(0, 0, 0, 0)
        self._under_rows.setSpacing(self._rows.spacing())
        self._under_rows.addWidget(self._reading)
        self._under_rows.addWidget(self._below)
        self._under_rows.addStretch(1)
        self._rows.addWidget(self._hint)
        self._rows.addWidget(self._under)
        order: list[QWidget] = [self.line, *(field.edit for field in self._fields.values())]
        order += [self._mend, self._phone.copy, self._add]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        air = 4 if on else 12
        self._rows.setContentsMargins(14, air, 14, air)
        for rows in (self._rows, self._under_rows):
            rows.setSpacing(4 if on else 8)
        self._remark_rows.setSpacing(2 if on else 8)
        self._already_here.fold(on=on)
        self._reserve_room()

    @property
    def room(self) -> int:
        """The height of the card, in pixels, while nothing is said that has no room of its own."""
        air, frame = self._rows.contentsMargins(), self._surface.contentsMargins()
        around = air.top() + air.bottom() + frame.top() + frame.bottom()
        first = self._first.sizeHint().height()
        return around + first + self._rows.spacing() + self._room

    @property
    def end_of_hints(self) -> int:
        """Below the last pixel of who may be here already, in the parent; 0 where nobody is."""
        panel = self._already_here
        return 0 if panel.isHidden() else panel.geometry().bottom() + 1

    def shrink(self, *, on: bool, covered_last: QWidget | None = None) -> None:
        """Whether it stands in the small window, where the reading takes two lines, and there is
        nowhere else to go from here; `covered_last` stands below there, and who is
        here already covers it only where there is no other room.
        """
        if self._covered_last is not None:
            self._covered_last.removeEventFilter(self)
        if covered_last is not None:
            covered_last.installEventFilter(self)
        self._small, self._covered_last, self._came_from = on, covered_last, None
        self._already_here.shrink(on=on)
        self._read_as.setVisible(not on)
        self._reading_lines = 2 if on else 1
        self._reserve_room()

    @property
    def last_control(self) -> QWidget:
        """What of it the keyboard comes to last by Tab."""
        return [self._add, *self._already_here.buttons][-1]

    def keep_room_for(self, lines: int) -> None:
        """How many lines of remarks have their room before there is anything to be said."""
        if lines != self._lines_kept:
            self._lines_kept = lines
            self._reserve_room()

    def _reserve_room(self) -> None:
        """Remarks, or one person who may be here already, have their room before there are any, and
        the hint takes the place of them and of the reading: typing does not move the list below,
        whatever is said of what is typed.
        """
        self._hint.ensurePolished()
        a_line = self._hint.fontMetrics().lineSpacing()
        highest = 2 * a_line
        for each in (*self._fields.values(), self._phone, self._mend):
            for inside in (each, *each.findChildren(QWidget)):
                inside.ensurePolished()
            highest = max(highest, each.sizeHint().height())
        highest += (self._reading_lines - 1) * (highest + _BETWEEN_FIELDS)
        self._reading.setMinimumHeight(highest)
        remark = label("A", "soft")
        remark.ensurePolished()
        between = self._remark_rows.spacing()
        remarks = self._lines_kept * (remark.sizeHint().height() + between) - between
        room = self._rows.spacing() + remarks
        if not self._small:
            # Whoever may be here already stands there, too, and over no filter.
            room = max(room, self._already_here.room_for_one(warned=self._lines_kept > 1))
        self._room = highest + room
        self._hint.setMinimumHeight(self._room)
        self._keep_room()

    def _keep_room(self) -> None:
        """A reading in two lines has the room in which nothing is said."""
        self._under.setMinimumHeight(0 if self._reading.isHidden() else self._room)

    def _bind(self) -> None:
        self.line.textEdited.connect(self._typed)
        self._spoken_in = (self._reading, self._below)
        for each in (self.line, *self._spoken_in):
            each.installEventFilter(self)
        self.line.back_wanted.connect(self._back)
        self.line.forward_wanted.connect(self._quick_add.forward)
        self.line.drop_wanted.connect(self._quick_add.drop_last_name)
        self.line.escape_wanted.connect(self._escape)
        self._bind_saving(self.line)
        for field in self._fields.values():
            field.corrected.connect(self._quick_add.edit)
            field.edit.escape_wanted.connect(self._to_line)
            field.edit.editingFinished.connect(self._quick_add.put_email_in_its_field)
            self._bind_saving(field.edit)
        # A button's own shortcut clicks it a moment later, when Enter may have been pressed.
        bind_keys(self, _MEND_KEYS, self._quick_add.mend)
        self._quick_add.state_changed.connect(self._show)
        self._quick_add.line_replaced.connect(self._replace_line)
        self._quick_add.line_mended.connect(self._mend_line)
        self._quick_add.line_offered.connect(self._offer_line)
        for number in range(MOST):
            bind_keys(self, opening_keys(number), partial(self._already_here.open, number))
        self._already_here.open_wanted.connect(self.open_wanted)
        self._already_here.left.connect(self._to_line)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_moved)

    def _bind_saving(self, edit: KeyedEdit) -> None:
        edit.save_wanted.connect(self._save)
        edit.family_wanted.connect(self._save_family)
        edit.undo_wanted.connect(self._quick_add.undo_last)

    # What the person does

    def _typed(self, text: str) -> None:
        self._quick_add.type(text, over=self.line.typed_over)

    def _save(self) -> None:
        self._saved(self._quick_add.save())

    def _save_family(self) -> None:
        self._saved(self._quick_add.save(keep_last_name=True))

    def _saved(self, taken: bool) -> None:  # noqa: FBT001 - what saving answered
        if taken:
            self._to_line()
            self.saved.emit()

    def _back(self) -> None:
        if self.line.cursorPosition() and not self._quick_add.state.recalled:
            self.line.home(False)  # noqa: FBT003 - Qt's own: mark nothing
        else:
            self._quick_add.back()

    def _escape(self) -> None:
        if not self._quick_add.escape():
            self._leave()

    # What is shown

    def _replace_line(self) -> None:
        self.line.take_back_offer()
        self.line.setText(self._quick_add.state.typed)
        if self._quick_add.state.typed and self.isVisible():
            self._to_line()

    def _offer_line(self) -> None:
        """Typing replaces it, an arrow keeps it, and the edit's own undo brings it back."""
        if self.isVisible():
            self._to_line()
        self.line.offer()

    def _mend_line(self) -> None:
        """Typed instead of set, so that the edit can undo it; and only what is another now, as
        whoever types over all of it means somebody else.
        """
        before, mended = self.line.text(), self._quick_add.state.typed
        first = same_at_start(before, mended)
        behind = same_at_start(before[first:][::-1], mended[first:][::-1])
        self.line.setSelection(first, len(before) - behind - first)
        self.line.insert(mended[first : len(mended) - behind])
        self.line.to_end()
        self._to_line()

    def _show(self, state: QuickAddState) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and not state.shows_reading and self._reading.isAncestorOf(focus):
            # Else Qt leads the keyboard on as Tab does: to the list, which chooses somebody then.
            self._to_line()
        self._reading.setVisible(state.shows_reading)
        self._hint.setVisible(not state.shows_reading)
        self._hint.setText(state.hint.words)
        set_flag(self._hint, "role", "small" if state.hint.calm else "problem")
        self._add.setEnabled(not state.empty)
        self._fields["firstname"].show_value(state.person.firstname)
        self._fields["lastname"].show_value(state.person.lastname)
        self._fields["email"].show_value(state.person.email)
        self._phone.show_number(state.person.phone)
        self.line.setPlaceholderText(state.placeholder)
        self._show_repair(state.repair_words)
        self._fault.setText(state.email_fault)
        self._fault.setVisible(bool(state.email_fault))
        typed = state.typed, state.kept_last_name, state.person
        self._show_remarks(state.remarks, keeps_room=typed == self._remarked)
        self._remarked = typed
        ways = len(self._already_here.buttons)
        self._already_here.show_hints(state.hints, state.warning)
        if len(self._already_here.buttons) > ways:
            self._lead_to_hints()
        self._show_already_here()
        self._tell(state)

    # Who may be the same person

    def event(self, event: QEvent) -> bool:
        """What stands below the card goes with it, wherever it is put."""
        if event.type() is QEvent.Type.ParentChange:
            self._already_here.setParent(self.parentWidget())
            self._lead_to_hints()
        answer = super().event(event)
        if event.type() in _MOVED:
            self._show_already_here()
        return answer

    def _lead_to_hints(self) -> None:
        """By Tab, from the end of the card."""
        for before, after in pairwise((self._add, *self._already_here.buttons)):
            QWidget.setTabOrder(before, after)

    def _show_already_here(self) -> None:
        panel = self._already_here
        shown = self._has_keyboard and panel.has_somebody and self.isVisible()
        before = self.end_of_hints
        if shown:
            last = self._covered_last
            panel.place_below(self._said_so_far(), None if last is None else last.y())
        panel.setVisible(shown and panel.parentWidget() is not None)
        if self.end_of_hints != before:
            self.updateGeometry()

    def _said_so_far(self) -> QRect:
        """Where in the parent the line is read and spoken of, without the room that is left."""
        side = 0 if self._small else self._rows.contentsMargins().left()
        said = (self.line, self._reading, self._below)
        end = max(
            each.mapTo(self, QPoint(0, each.height())).y() for each in said if each.isVisible()
        )
        return QRect(self.x() + side, self.y(), self.width() - 2 * side, end)

    def _show_repair(self, words: str) -> None:
        if self._mend.hasFocus() and not words:
            self._to_line()
        keys = native_keys(_MEND_KEYS)
        self._mend.setText(f"{words}  {keys}")
        self._mend.setAccessibleName(words)
        self._mend.setAccessibleDescription(tr("{keys} puts it right", keys=keys))
        self._mend.setVisible(bool(words))

    def _show_remarks(self, remarks: tuple[Remark, ...], *, keeps_room: bool) -> None:
        """What is said no longer keeps its room until somebody types: the list below stays."""
        while len(self._remarks) < len(remarks):
            self._remarks.append(label("", wraps=True))
            self._remarks[-1].setAlignment(_FROM_THE_TOP)
            self._remark_rows.addWidget(self._remarks[-1])
        for index, shown in enumerate(self._remarks):
            if index < len(remarks):
                shown.setMinimumHeight(0)
                shown.setText(remarks[index].words)
                set_flag(shown, "role", "soft" if remarks[index].calm else "problem")
            elif shown.text():
                shown.setMinimumHeight(shown.heightForWidth(shown.width()))
                shown.clear()
            keeps = keeps_room and not shown.isHidden()
            shown.setVisible(index < len(remarks) or keeps)
        said = any(not each.isHidden() for each in self._remarks)
        self._below.setVisible(said)
        self._under.setVisible(said or not self._reading.isHidden())
        self._keep_room()

    def _tell(self, state: QuickAddState) -> None:
        """The reading describes the line; what is new besides it is said aloud once."""
        self.line.setAccessibleDescription(state.spoken)
        before, self._told = self._told, state.read_out
        if self._told and self._told != before:
            announce(self.line, self._told)
