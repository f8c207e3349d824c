"""What became of each row of a list, as a page built when first opened: by kind, corrected, sent
again, copied, saved.
"""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout

from app.runtime.words import tr
from app.viewmodels.formatting import number
from app.viewmodels.importing.result import ResultScreen, ResultState
from app.viewmodels.importing.result_table import ResultColumn
from app.views.cell_table.cell_table_view import CellTableView
from app.views.cell_table.table_page import TablePage
from app.views.exporting.clipboard import put_on_clipboard
from app.views.exporting.save_dialog import ask_for_file, table_kinds
from app.views.widgets.buttons import button, card, rule
from app.views.widgets.chips import Chips
from app.views.widgets.labels import ElidingLabel, ValueLabel, announce, set_tip
from app.views.widgets.layouts import wrapping_box

_SHARES: dict[int, int] = {ResultColumn.NAME: 3, ResultColumn.EMAIL: 3, ResultColumn.OUTCOME: 5}
_HIGHEST_ROW = 99_999


def _widest() -> dict[int, str]:
    return {ResultColumn.LINE: number(_HIGHEST_ROW)}


class ResultPage(TablePage):
    """Bound to a `ResultScreen`, which has been opened on a list."""

    title_is_short = True

    def __init__(self, screen: ResultScreen) -> None:
        """Show what `screen` shows."""
        rows = CellTableView(screen.table, tr("Rows of the list"), _SHARES, _widest)
        super().__init__(tr("What became of the list"), rows)
        self._screen = screen
        self._name = ElidingLabel("strong")
        self._when = ElidingLabel("small")
        self._when.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._correct_button = button(tr("Correct"), self._correct)
        set_tip(self._correct_button, tr("Enter"))
        self._again_button = button(tr("Send again"), self._send_again)
        self._show_button = button(tr("Show in People"), self._show_person)
        self._over_button = button(tr("Look over again"), screen.look_over_again)
        set_tip(self._over_button, tr("Everybody who was left out or not sent, as one list"))
        self._chips = Chips(tr("Rows that are shown"))
        self._whole = ValueLabel("", "soft")
        self._whole_said = ""
        self._lay_out()
        self._bind()
        self._show(screen.state)

    def opened(self) -> None:
        """The keyboard is on the rows."""
        self.list.focus_first()

    def changeEvent(self, event: QEvent) -> None:
        """The room for what is said of a row grows with the font."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._keep_room()

    def left(self) -> None:
        """Whoever goes elsewhere has nothing read behind their back."""
        self._screen.close()

    # How it is put together

    def _lay_out(self) -> None:
        inside = QVBoxLayout()
        inside.setContentsMargins(20, 0, 20, 12)
        inside.setSpacing(12)
        self.head_row.addWidget(self._name, 1)
        self.head_row.addWidget(self._when)
        # In longer words they need more room than a small window has in one line.
        acts, line = wrapping_box()
        for each in (
            self._correct_button,
            self._again_button,
            self._over_button,
            self._copy_button,
            self._save_button,
            self._show_button,
        ):
            line.addWidget(each)
        inside.addWidget(acts)
        inside.addWidget(self._chips)
        inside.addWidget(self._banner)
        surface = card()
        within = QVBoxLayout(surface)
        within.setContentsMargins(1, 1, 1, 1)
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._empty)
        within.setSpacing(0)
        within.addWidget(self._pages, 1)
        within.addWidget(rule())
        bottom = QVBoxLayout()
        bottom.setContentsMargins(17, 10, 12, 10)
        bottom.addWidget(self._whole)
        within.addLayout(bottom)
        inside.addWidget(surface, 1)
        self._banner.stand_above(surface)
        self.body.addLayout(inside, 1)
        self._keep_room()

    def _keep_room(self) -> None:
        """Most of what is said takes two lines: no row moves when another is chosen."""
        self._whole.setMinimumHeight(2 * self._whole.fontMetrics().lineSpacing())

    def _bind(self) -> None:
        screen = self._screen
        self._chips.chosen.connect(screen.show_only)
        self.list.activated.connect(self._answer)
        self.list.selectionModel().selectionChanged.connect(self._show_what_can_be_done)
        self._banner.closed.connect(screen.dismiss)
        screen.copied.connect(put_on_clipboard)
        screen.state_changed.connect(self._show)

    # What is shown

    def _show(self, state: ResultState) -> None:
        self._name.setText(state.title)
        self._chips.show_choices(state.chips, state.on)
        self._show_words(state, self._when, state.when_words)
        if self.list.hasFocus():
            self.list.focus_first()  # they have come since the page was gone to
        self._show_what_can_be_done()

    def _show_what_can_be_done(self) -> None:
        chosen = self.list.chosen_rows
        self._correct_button.setEnabled(len(chosen) == 1 and self._screen.can_correct(chosen[0]))
        self._again_button.setEnabled(self._screen.can_send_again(chosen))
        self._copy_button.setEnabled(bool(chosen))
        self._show_button.setEnabled(len(chosen) == 1 and self._screen.can_show(chosen[0]))
        self._over_button.setEnabled(self._screen.state.can_look_over)
        self._show_whole(chosen[0] if len(chosen) == 1 else None)
        self._save_button.setEnabled(self._screen.state.can_save)

    def _show_whole(self, row: int | None) -> None:
        """All that is said of the chosen row, for which its cell has no room."""
        words = "" if row is None else self._screen.whole_words(row)
        if words == self._whole_said:
            return
        self._whole_said = words
        self._whole.setText(words)
        if words and self.list.hasFocus():
            announce(self.list, words)

    # What the person does

    def _correct(self) -> None:
        chosen = self.list.chosen_rows
        if len(chosen) == 1:
            self._screen.correct(chosen[0])

    def _answer(self) -> None:
        """What a row of whom something is to be decided asks for."""
        self._correct()
        self._show_person()

    def _show_person(self) -> None:
        chosen = self.list.chosen_rows
        if len(chosen) == 1:
            self._screen.show(chosen[0])

    def _send_again(self) -> None:
        self._screen.send_again(self.list.chosen_rows)

    def _copy(self) -> None:
        self._screen.copy(self.list.chosen_rows)

    def _ask_where_to_save(self) -> None:
        if not self._screen.state.can_save:
            return
        title = tr("Save the rows as a file")
        ask_for_file(self, title, self._screen.file_name, table_kinds(), self._screen.save)
