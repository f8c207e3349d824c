"""The help as a page: text to be read with the keyboard, the mouse or a screen reader."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QKeyEvent,
    QKeySequence,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLength,
    QTextTableFormat,
)
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QFrame,
    QHBoxLayout,
    QTextEdit,
)

from app.runtime.words import in_a_row, tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.help.help import Help, KeyBinding
from app.views.look.theme import SPACE
from app.views.widgets.inner_page import READING_WIDTH, InnerPage
from app.views.widgets.labels import native_keys

_KEYS_SHARE = 32
"""Out of 100: how much of the width the keys have."""


_PAGES = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_Space: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
}


class HelpPage(InnerPage):
    """Shows a `Help`; it is filled anew whenever somebody asks."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        super().__init__(tr("Keys and help"))
        self.text = _HelpText()
        self.text.setAccessibleName(tr("Keys and help"))
        self.text.setMaximumWidth(READING_WIDTH)
        across = QHBoxLayout()
        across.setContentsMargins(20, 0, 20, 16)
        across.addStretch(1)
        across.addWidget(self.text, 100_000)
        across.addStretch(1)
        self.body.addLayout(across, 1)

    def tell(self, told: Help) -> None:
        """Write it down, the keys of the page in hand first."""
        self.text.clear()
        cursor = self.text.textCursor()
        _write_keys(cursor, tr("Keys on this page"), told.of_page)
        _write_keys(cursor, tr("Keys everywhere"), told.of_window)
        for section in told.sections:
            _write_heading(cursor, section.title)
            cursor.insertBlock(_block(0), QTextCharFormat())
            cursor.insertText(section.text)

    def opened(self) -> None:
        """Begin at the top, with the keyboard in the text."""
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)


class _HelpText(GuardedOverrides, QTextEdit):
    """To be read; the caret is there for screen readers, and Tab leads on."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(4 * SPACE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The Page keys and Space turn the page, wherever in it the caret is."""
        step = _PAGES.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.verticalScrollBar().triggerAction(step)


def keys_in_words(binding: KeyBinding) -> str:
    """The keys as they are written on this system."""
    return in_a_row(native_keys(QKeySequence(each)) for each in binding.keys)


def _write_keys(cursor: QTextCursor, title: str, bindings: Sequence[KeyBinding]) -> None:
    if not bindings:
        return
    _write_heading(cursor, title)
    form = QTextTableFormat()
    form.setBorder(0)
    form.setCellPadding(SPACE)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    mirrored = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    shares = (_KEYS_SHARE, 100 - _KEYS_SHARE)
    form.setColumnWidthConstraints(
        [
            QTextLength(QTextLength.Type.PercentageLength, share)
            for share in (reversed(shares) if mirrored else shares)
        ]
    )
    table = cursor.insertTable(len(bindings), 2, form)
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.DemiBold)
    # A table of Qt's begins on the left, whichever way its text is read.
    first, second = (1, 0) if mirrored else (0, 1)
    for row, binding in enumerate(bindings):
        keys = table.cellAt(row, first).firstCursorPosition()
        keys.setBlockFormat(_block(0))
        keys.insertText(keys_in_words(binding), strong)
        table.cellAt(row, second).firstCursorPosition().insertText(binding.line)
    cursor.movePosition(QTextCursor.MoveOperation.End)


def _write_heading(cursor: QTextCursor, title: str) -> None:
    form, strong = _block(3 * SPACE), QTextCharFormat()
    form.setHeadingLevel(2)
    strong.setFontWeight(QFont.Weight.Bold)
    strong.setProperty(QTextCharFormat.Property.FontSizeAdjustment, 1)
    if cursor.document().isEmpty():
        cursor.setBlockFormat(form)
    else:
        cursor.insertBlock(form, strong)
    cursor.insertText(title, strong)


def _block(above: int) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setTopMargin(above)
    form.setBottomMargin(SPACE if above else 0)
    form.setLayoutDirection(QApplication.layoutDirection())
    return form
