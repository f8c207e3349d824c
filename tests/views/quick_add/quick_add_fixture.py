"""The quick-add card between a search line and a list, as it stands in the window."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.tour.screen_reader import named
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.views.quick_add.quick_add import QuickAddCard


class QuickAddFixture:
    """A window with a search line, the card, and something that stands for the list."""

    def __init__(self, line: QuickAdd) -> None:
        self.model = line
        self.window = QWidget()
        self.search = QLineEdit()
        self.card = QuickAddCard(line)
        self.list = QLineEdit()
        rows = QVBoxLayout(self.window)
        for widget in (self.search, self.card, self.list):
            rows.addWidget(widget)
        self.window.resize(900, 400)
        self.window.show()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)
        self.search.setFocus()

    @property
    def focused(self) -> QWidget | None:
        return QApplication.focusWidget()

    @property
    def text(self) -> str:
        return self.card.line.text()

    def height_wanted(self) -> int:
        """How high the card is where there is more room than it needs."""
        QTest.qWait(1)
        layout = self.card.layout()
        assert layout is not None
        return layout.totalHeightForWidth(self.card.width())

    def fields(self) -> list[str]:
        wanted = ("First name", "Last name", "Email")
        return [the(name, QLineEdit).text() for name in wanted]

    def sentences(self) -> list[str]:
        labels = self.card.findChildren(QLabel)
        return [label.text() for label in labels if label.isVisible() and "." in label.text()]


def the(name: str, kind: type[QWidget]) -> QLineEdit:
    """The visible edit of that accessible name."""
    widget = named(name, kind)
    assert isinstance(widget, QLineEdit), name
    return widget
