"""The report as a page: where its lines begin."""

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.model.errors import ExpectedError
from app.runtime.tasks import TaskScope
from app.viewmodels.report.report import ReportScreen, ReportState
from app.views.report.report_page import ReportPage


async def _nothing() -> str:
    return ""


@pytest.mark.parametrize("side", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
async def test_a_sentence_begins_where_the_lines_of_the_window_do_and_a_report_at_the_left(
    qapp: QApplication, side: Qt.LayoutDirection
) -> None:
    crashes: list[BaseException] = []
    screen = ReportScreen(TaskScope("report", crashes.append, ExpectedError), read=_nothing)
    window = QWidget()
    window.setLayoutDirection(side)
    page = ReportPage(screen)
    page.setParent(window)
    page.resize(500, 300)
    window.show()

    def stands_at_left(state: ReportState) -> bool:
        screen.state_changed.emit(state)
        qapp.processEvents()
        return page.text.cursorRect().x() < 20

    mirrored = side is Qt.LayoutDirection.RightToLeft
    assert stands_at_left(ReportState(failed=True)) is not mirrored
    assert stands_at_left(ReportState(text="Front Desk\n"))
    assert stands_at_left(ReportState()) is not mirrored
    shiboken6.delete(window)
