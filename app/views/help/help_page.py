"""The help as a page, built when first opened: text to be read with the keyboard, the mouse or a
screen reader.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
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
from app.views.widgets.labels import advance, native_keys

_WIDEST_KEYS = READING_WIDTH // 3
"""How much of the width the keys have at most."""
_TAB, _NEXT_LINE = "\t", "\u2028"
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
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.DemiBold)
    told = [(keys_in_words(binding), binding.line) for binding in bindings]
    font = QFont(cursor.document().defaultFont())
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetrics(font)
    widths = [advance(keys, metrics) + 3 * SPACE for keys, _ in told]
    indent = max((width for width in widths if width <= _WIDEST_KEYS), default=_WIDEST_KEYS)
    mirrored = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    for width, (keys, words) in zip(widths, told, strict=True):
        cursor.insertBlock(_hanging_block(0 if mirrored else indent), QTextCharFormat())
        cursor.insertText(keys, strong)
        # Keys that take more room stand above what they do, and so do all where the text is read
        # from the right: there Qt keeps no tab where it belongs.
        beside = width <= indent and not mirrored
        cursor.insertText(f"{_TAB if beside else _NEXT_LINE}{words}", QTextCharFormat())


def _hanging_block(indent: float) -> QTextBlockFormat:
    """Lines that begin so far in, but for the first, which has a tab there. A table would do, but
    Qt tells screen readers of its marks for where one begins.
    """
    form = _block(0)
    form.setTopMargin(SPACE)
    form.setBottomMargin(SPACE)
    form.setLeftMargin(indent)
    form.setTextIndent(-indent)
    form.setTabPositions([QTextOption.Tab(indent, QTextOption.TabType.LeftTab)])
    return form


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
