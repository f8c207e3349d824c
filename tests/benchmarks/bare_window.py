"""A window of Qt's own with an empty table: what no window can do without."""

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QMainWindow, QTableView


def bare_window() -> tuple[QApplication, QMainWindow]:
    """The program and its window, which is shown, with the keyboard in the table."""
    application = QApplication([])
    window, table = QMainWindow(), QTableView()
    table.setModel(QStandardItemModel(0, 5, table))
    window.setCentralWidget(table)
    window.resize(1180, 760)
    window.show()
    table.setFocus()
    return application, window
