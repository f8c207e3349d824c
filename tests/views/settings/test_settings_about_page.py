"""The page about the program: read when it is gone to, copied, and its links opened."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTableWidget, QWidget

from app import __version__
from app.diagnostics import components
from app.model.errors import ExpectedError
from app.runtime.logging import PrivateLog
from app.runtime.tasks import TaskScope
from app.viewmodels.settings.about import AboutScreen
from app.views.settings.about import AboutPage


class Browser(QObject):
    """Opens pages instead of the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, address: QUrl) -> None:
        """A page is wanted."""
        self.opened.append(address.toString())


async def nothing_found() -> tuple[str, str]:
    return "", ""


async def shown(check: Callable[[AboutPage], None]) -> None:
    """Show the page about this very program until everything is read, and look at it."""
    crashes: list[BaseException] = []
    scope = TaskScope("about", crashes.append, ExpectedError)
    window = QWidget()
    window.resize(900, 600)
    page = AboutPage(
        AboutScreen(scope, read=components.build_info, find_browser_and_vault=nothing_found)
    )
    page.setParent(window)
    page.resize(900, 600)
    window.show()
    window.activateWindow()
    try:
        async with asyncio.timeout(20):
            while QApplication.activeWindow() is not window or scope.busy:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.005)
        check(page)
    finally:
        shiboken6.delete(window)
        await scope.close()
    assert crashes == []


def the(page: AboutPage, words: str) -> QPushButton:
    return next(each for each in page.findChildren(QPushButton) if each.text() == words)


def test_versions_are_shown_and_copied_with_the_end_of_the_log(
    run: Callable[[Any], Any], tmp_path: Path
) -> None:
    log = PrivateLog(tmp_path / "frontdesk.log")
    logging.getLogger().addHandler(log)

    def check(page: AboutPage) -> None:
        labels = [label.text() for label in page.findChildren(QLabel)]
        assert {__version__, "Python", "Qt", "PySide6", "Chromium", "not found"} <= set(labels)
        QTest.mouseClick(the(page, "Copy details"), Qt.MouseButton.LeftButton)
        versions, _, lines = QGuiApplication.clipboard().text().partition("\n\n")
        assert versions.splitlines()[0] == f"Front Desk: {__version__}"
        assert versions.splitlines()[-2:] == ["Chromium: not found", "Vault: not found"]
        assert lines.endswith("WARNING test: the line is down")

    try:
        logging.getLogger("test").warning("the line is down")
        run(shown(check))
    finally:
        logging.getLogger().removeHandler(log)
        log.close()


def test_every_part_stands_in_the_table_with_its_licence(run: Callable[[Any], Any]) -> None:
    def check(page: AboutPage) -> None:
        table = page.findChild(QTableWidget)
        assert isinstance(table, QTableWidget)
        rows = []
        for row in range(table.rowCount()):
            items = [table.item(row, column) for column in range(3)]
            rows.append(tuple(item.text() for item in items if item is not None))
        assert rows == [(part.name, part.version, part.licence) for part in components.parts()]

    run(shown(check))


def test_what_it_is_made_of_stands_as_far_from_the_edges_as_the_rest(
    run: Callable[[Any], Any],
) -> None:
    def check(page: AboutPage) -> None:
        table = page.findChild(QTableWidget)
        assert isinstance(table, QTableWidget)
        around = table.parentWidget()
        assert around is not None
        for width, side in ((784, 20), (900, None)):
            page.resize(width, 600)
            QTest.qWait(1)
            place = QRect(around.mapTo(page, QPoint()), around.size())
            assert page.width() - 1 - place.right() == 20
            assert side is None or place.left() == side

    run(shown(check))


def test_links_lead_to_the_terms_and_the_sources(run: Callable[[Any], Any]) -> None:
    def check(page: AboutPage) -> None:
        browser = Browser()
        QDesktopServices.setUrlHandler("https", browser, "open")  # type: ignore[arg-type]  # its stub is wrong
        try:
            for words in ("Text of the licence (LGPL version 3)", "Source of Qt"):
                QTest.mouseClick(the(page, words), Qt.MouseButton.LeftButton)
        finally:
            QDesktopServices.unsetUrlHandler("https")
        assert browser.opened == [
            "https://www.gnu.org/licenses/lgpl-3.0.html",
            "https://download.qt.io/official_releases/qt/",
        ]

    run(shown(check))


def test_the_keyboard_goes_through_the_page_and_into_the_table(run: Callable[[Any], Any]) -> None:
    def check(page: AboutPage) -> None:
        seen: list[QWidget] = []
        while (focused := QApplication.focusWidget()) is not None and focused not in seen:
            seen.append(focused)
            QTest.keyClick(focused, Qt.Key.Key_Tab)
        assert [w.text() for w in seen if isinstance(w, QPushButton)] == [
            "Back",
            "Copy details",
            "Text of the licence (LGPL version 3)",
            "Source of Qt",
            "Source of PySide6",
            "Other licences inside Qt and its browser",
        ]
        table = seen[-1]
        assert isinstance(table, QTableWidget)
        assert focused is seen[0], "the table does not hold the keyboard"
        QTest.keyClick(table, Qt.Key.Key_Down)
        assert table.currentRow() == 1
        closed: list[None] = []
        page.closed.connect(lambda: closed.append(None))
        QTest.keyClick(table, Qt.Key.Key_Escape)
        assert len(closed) == 1

    run(shown(check))
