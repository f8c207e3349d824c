"""About Front Desk as a page, built when first opened: what it is, the versions to tell whoever
helps, and what it is made of.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSpacerItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from app.runtime.logging import last_lines
from app.runtime.words import tr
from app.viewmodels.settings.about import AboutScreen, AboutState, Component
from app.views.widgets.buttons import button, card, label
from app.views.widgets.inner_page import InnerPage, scrolled_column, section
from app.views.widgets.labels import set_tip
from app.views.widgets.layouts import FocusInset

_SIDE_BY_SIDE = 860
"""Pixels across for what the program is and what it is made of."""
_SIDE, _BELOW_EACH_OTHER = 20, 14
"""Pixels from the edges, and between the two where one is below the other."""


class AboutPage(InnerPage):
    """Bound to an `AboutScreen`."""

    def __init__(self, screen: AboutScreen) -> None:
        """Show what is known; the rest comes once the page is gone to."""
        super().__init__(tr("About Front Desk"))
        self._screen = screen
        self._versions = QGridLayout()
        self._numbers: dict[str, QLabel] = {}
        self._parts = _parts_table()
        across = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        across.setContentsMargins(0, 0, 0, 16)
        across.setSpacing(0)
        scroll, rows = scrolled_column()
        rows.addWidget(self._program_card())
        rows.addWidget(self._terms_card())
        rows.addStretch(1)
        across.addWidget(scroll, 1)
        # The column has its own distance from the edges; this has it where nothing is beside it.
        self._parts_row, self._before_parts = QHBoxLayout(), QSpacerItem(0, 0)
        self._parts_row.setSpacing(0)
        self._parts_row.addItem(self._before_parts)
        self._parts_row.addWidget(self._parts_card(), 1)
        self._parts_row.addSpacing(_SIDE)
        across.addLayout(self._parts_row, 1)
        self.body.addLayout(across, 1)
        self._across = across
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other where there is room for both."""
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        wide = self.width() >= _SIDE_BY_SIDE
        self._across.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        self._across.setSpacing(0 if wide else _BELOW_EACH_OTHER)
        self._before_parts.changeSize(0 if wide else _SIDE, 0)
        self._parts_row.invalidate()

    def opened(self) -> None:
        """Read what is not known yet."""
        self._screen.open()
        super().opened()

    # How it is put together

    def _program_card(self) -> QFrame:
        surface, rows = section(tr("Front Desk"))
        rows.addWidget(
            label(
                tr(
                    "A desktop companion for church and office staff: add people quickly, and "
                    "see who administers each step of your people flows."
                ),
                wraps=True,
            )
        )
        self._versions.setHorizontalSpacing(16)
        self._versions.setVerticalSpacing(4)
        self._versions.setColumnStretch(1, 1)
        rows.addLayout(self._versions)
        footer = QHBoxLayout()
        footer.addWidget(button(tr("Copy details"), self._copy_details))
        footer.addStretch(1)
        rows.addLayout(footer)
        return surface

    def _terms_card(self) -> QFrame:
        surface, rows = section(tr("Qt"))
        rows.addWidget(
            label(
                tr(
                    "Front Desk uses Qt and PySide6 under the GNU Lesser General Public License, "
                    "version 3: you may read, change and replace them."
                ),
                wraps=True,
            )
        )
        links = QVBoxLayout()
        links.setSpacing(2)
        for link in self._screen.links:
            made = button(link.words, partial(_open, link.address), "link")
            set_tip(made, link.address)
            links.addLayout(FocusInset(made))
        rows.addLayout(links)
        return surface

    def _parts_card(self) -> QFrame:
        surface = card()
        rows = QVBoxLayout(surface)
        # The cells of the table keep their own distance from the edge.
        rows.setContentsMargins(4, 16, 4, 4)
        heading = label(tr("Made with"), "heading")
        heading.setIndent(14)
        rows.addWidget(heading)
        rows.addWidget(self._parts, 1)
        return surface

    # What is shown

    def _show(self, state: AboutState) -> None:
        for name, number in state.versions:
            if name not in self._numbers:
                self._add_version(name)
            self._numbers[name].setText(number or tr("not found"))
        if self._parts.rowCount() != len(state.parts):
            self._fill_parts(state.parts)

    def _add_version(self, name: str) -> None:
        row = len(self._numbers)
        self._numbers[name] = value = label("", wraps=True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        caption = label(name, "soft")
        self._versions.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
        self._versions.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)

    def _fill_parts(self, parts: Sequence[Component]) -> None:
        self._parts.setRowCount(len(parts))
        for row, part in enumerate(parts):
            cells = (part.name, part.version, part.licence)
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text or tr("not found"))
                set_tip(item, item.text())
                self._parts.setItem(row, column, item)
        if self._parts.rowCount():
            self._parts.setCurrentCell(0, 0)

    # What the person does

    def _copy_details(self) -> None:
        """The versions and the end of the log, for whoever helps."""
        details = f"{self._screen.state.version_lines}\n\n{last_lines()}"
        QGuiApplication.clipboard().setText(details)


def _open(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))


def _parts_table() -> QTableWidget:
    table = QTableWidget(0, 3)
    table.setAccessibleName(tr("What Front Desk is made of"))
    table.setHorizontalHeaderLabels([tr("Name"), tr("Version"), tr("Licence")])
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setProperty("role", "parts")
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    columns = table.horizontalHeader()
    columns.setHighlightSections(False)
    columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    columns.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
    return table
