"""The real program in a process of its own, which prints what it has loaded by its first list.

Run as `python -m` with the data folder of an account that is signed in. It loads nothing itself
that the program does not. It prints a JSON object: how many `tables` it has, when the list was
`painted` (the system's clock, in seconds), the `modules`, and the `classes` of Qt's that PySide has
built.
"""

import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from app.main import loaded_at_once

if TYPE_CHECKING:
    from app.container import Container


def main() -> None:
    """Come back to the account, and leave when its list has been painted."""
    with loaded_at_once():
        from PySide6.QtCore import QEvent, QObject, QTimer  # noqa: PLC0415 - as the program does
        from PySide6.QtWidgets import (  # noqa: PLC0415 - as above
            QStackedWidget,
            QTableView,
            QWidget,
        )

        from app.application import run_window  # noqa: PLC0415 - as above
        from app.container import StartOptions  # noqa: PLC0415 - as above

        class FirstPainting(QObject):
            """Looks at the program from outside until a list with people is painted."""

            def __init__(self, container: "Container") -> None:
                super().__init__()
                self._container = container
                self._pages = container.window.findChildren(QStackedWidget)
                for pages in self._pages:
                    pages.currentChanged.connect(self._look)
                self._watched: QWidget | None = None
                self._patience = QTimer(self, singleShot=True, interval=30_000)
                self._patience.timeout.connect(container.quit)
                self._patience.start()

            def _look(self) -> None:
                # Nothing but the list is watched: PySide builds a class of its own for each kind of
                # object and event that a filter is asked about, and that would be measured too.
                table = self._container.window.findChild(QTableView)
                if table is not None and self._watched is None:
                    self._watched = table.viewport()
                    self._watched.installEventFilter(self)

            def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
                """Only looks."""
                table = watched.parent()
                if event.type() is not QEvent.Type.Paint or not isinstance(table, QTableView):
                    return False
                if table.model().rowCount():
                    watched.removeEventFilter(self)
                    QTimer.singleShot(0, self._tell)
                return False

            def _tell(self) -> None:
                modules, painted = sorted(sys.modules), monotonic()
                classes = sorted(
                    name
                    for module in modules
                    if module.startswith("PySide6.Qt")
                    for name in vars(sys.modules[module])
                    if name.startswith("Q")
                )
                tables = len(self._container.window.findChildren(QTableView))
                told = {
                    "tables": tables,
                    "painted": painted,
                    "modules": modules,
                    "classes": classes,
                }
                print(json.dumps(told))  # noqa: T201
                self._container.quit()

            def stop(self) -> None:
                """The window is gone, and what was watched in it."""

        run_window(StartOptions(Path(sys.argv[1])), FirstPainting)


if __name__ == "__main__":
    main()
