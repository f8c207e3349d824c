"""The report as a page, built when first opened: the whole of it to be read, and then saved or
copied, or neither.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout

from app.runtime.words import tr
from app.viewmodels.report.report import ReportScreen, ReportState
from app.views.exporting.save_dialog import ask_for_file, text_kinds
from app.views.widgets.buttons import button, label
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import announce


class ReportPage(InnerPage):
    """Bound to a `ReportScreen`."""

    def __init__(self, screen: ReportScreen) -> None:
        """Nothing is put together before the page is gone to."""
        super().__init__(tr("Save a report"))
        self._screen = screen
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("The report"))
        # Its lines are a program's, in any language.
        self.text.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._said = label("", "soft", wraps=True)
        self._save = button(tr("Save the report…"), self._ask_where, "primary")
        self._copy = button(tr("Copy"), self._copy_text, icon="copy")
        rows = QVBoxLayout()
        rows.setContentsMargins(20, 0, 20, 16)
        rows.setSpacing(12)
        rows.addWidget(
            label(
                tr(
                    "This is for whoever helps you when something goes wrong. It holds no sign-in, "
                    "no person and no address. It goes nowhere by itself: read it, then save or "
                    "copy it."
                ),
                wraps=True,
            )
        )
        rows.addWidget(self.text, 1)
        acts = QHBoxLayout()
        acts.setSpacing(8)
        acts.addWidget(self._save)
        acts.addWidget(self._copy)
        acts.addWidget(self._said, 1)
        rows.addLayout(acts)
        self.body.addLayout(rows, 1)
        screen.state_changed.connect(self._show)
        screen.feedback.changed.connect(self._tell)
        self._show(screen.state)

    def opened(self) -> None:
        """Put it together anew."""
        self._screen.open()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, state: ReportState) -> None:
        waiting = tr("One moment: this computer is looked at.")
        failed = tr("The report could not be put together.")
        self._begin_at_right(on=not state.text and self.isRightToLeft())
        self.text.setPlainText(state.text or (failed if state.failed else waiting))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        for each in (self._save, self._copy):
            each.setEnabled(bool(state.text))
        if state.text and self.isVisible():
            announce(self, tr("The report is ready."))
        elif state.failed and self.isVisible():
            announce(self, failed, urgent=True)

    def _begin_at_right(self, *, on: bool) -> None:
        """The side on which lines begin, which an edit of plain text takes from no direction."""
        side = Qt.AlignmentFlag.AlignRight if on else Qt.AlignmentFlag.AlignLeft
        option = self.text.document().defaultTextOption()
        option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
        self.text.document().setDefaultTextOption(option)

    def _tell(self) -> None:
        feedback = self._screen.feedback
        self._said.setText(feedback.sentence)
        if feedback.sentence and self.isVisible():
            announce(self, feedback.sentence, urgent=feedback.is_error)

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self._screen.state.text)
        self._screen.copied()

    def _ask_where(self) -> None:
        ask_for_file(self, tr("Save a report"), self._screen.name, text_kinds(), self._screen.save)
