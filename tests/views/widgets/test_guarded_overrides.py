"""An error in anything that Qt calls stays on Python's side: reported once, Qt's own way instead.

The overrides are found by reading the classes. Each is planted with an error in an object that has
nothing else of its own, and Qt is brought to call it, twice.
"""

import importlib
import pkgutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QPointF, QRect, QSize, Qt, QUrl
from PySide6.QtGui import (
    QAccessibleInterface,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QIcon,
    QIconEngine,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineUrlRequestInterceptor,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemDelegate,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QLayout,
    QListView,
    QTableView,
    QWidget,
    QWidgetItem,
)

import app
from app.viewmodels.guarded_overrides import GuardedOverrides, overrides

Key, Type, Mouse = Qt.Key, QEvent.Type, Qt.MouseButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
AT = QPointF(5, 5)


class PlantedError(Exception):
    """The error that is planted."""


def classes() -> Iterator[type]:
    """Every class of the app that is made of one of Qt's."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if not module.name.startswith(("app.demo", "app.__main__")):
            importlib.import_module(module.name)
    below: list[type] = [shiboken6.Shiboken.Object]
    seen: set[type] = set()
    while below:
        kind = below.pop()
        below += type.__subclasses__(kind)
        # Of the application there is one, which is in use; what a screen reader sees a widget by is
        # made of a widget, and its class only once somebody looks.
        is_other = issubclass(kind, QApplication | QAccessibleInterface)
        is_ours = kind.__module__.startswith("app.") and not is_other
        if kind not in seen and is_ours:
            seen.add(kind)
            yield kind


FOUND = sorted(((kind, name) for kind in classes() for name in overrides(kind)), key=str)


def of_the_page(kind: type) -> bool:
    """Whether it takes a browser to use it."""
    return kind.__module__ == "app.views.sign_in.browser"


def place_of(name: str) -> str:
    """How the crash reporter hears of an error that is planted in the override `name`."""
    return f"PlantedError() in Failing.{name}()"


def of_qt(kind: type) -> type:
    """The class of Qt's that `kind` is made of."""
    return next(base for base in kind.__mro__ if base.__module__.startswith("PySide6."))


ANSWERS: dict[str, Callable[..., object]] = {
    "rowCount": lambda *_: 3,
    "columnCount": lambda *_: 2,
    "data": lambda *_: None,
    "count": lambda layout: len(layout.items),
    "itemAt": lambda layout, at: layout.items[at] if at < len(layout.items) else None,
    "takeAt": lambda layout, at: layout.items.pop(at) if at < len(layout.items) else None,
    "addItem": lambda layout, item: layout.items.append(item),
    "minimumSize": lambda _: QSize(5, 5),
    "sizeHint": lambda *_: QSize(20, 20),
    "paint": lambda *_: None,
}
"""What Qt leaves to whoever derives from it."""


QUIET: dict[str, Callable[..., object]] = {
    "javaScriptAlert": lambda *_: None,
    "javaScriptConfirm": lambda *_: False,
    "javaScriptConsoleMessage": lambda *_: None,
    "javaScriptPrompt": lambda *_: (False, ""),
}
"""Where Qt's own way is a box with a loop of its own."""


def planted(kind: type, name: str) -> Any:
    """A `kind` of which the override `name` fails, and all others are Qt's own."""
    qt: Any = of_qt(kind)
    open_ended = issubclass(qt, QAbstractItemModel | QIconEngine) or qt is QLayout

    def begin(made: Any, *args: object) -> None:
        qt.__init__(made, *args)
        made.items = []

    def fail(*_: object) -> None:
        raise PlantedError

    def as_qt_does(of: str) -> Callable[..., object]:
        if open_ended and of in ANSWERS:
            return ANSWERS[of]
        if of in QUIET:
            return QUIET[of]
        own: Callable[..., object] = getattr(qt, of)
        return lambda *args: own(*args)  # noqa: PLW0108 - only what Python defines is an override

    rest = {each for base in kind.__mro__ if issubclass(base, qt) for each in overrides(base)}
    bodies = {each: as_qt_does(each) for each in rest}
    return type("Failing", (kind,), {**bodies, "__init__": begin, name: fail})


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> "Counter[str]":
    """How often an error was reported, by what it is and where it was."""
    counted: Counter[str] = Counter()

    def hear(_kind: object, error: BaseException, _trace: object) -> None:
        counted[f"{error!r} {' '.join(getattr(error, '__notes__', ()))}"] += 1

    monkeypatch.setattr(sys, "excepthook", hear)
    return counted


def test_every_class_made_of_one_of_qts_is_guarded() -> None:
    assert [kind for kind in classes() if not issubclass(kind, GuardedOverrides)] == []


@pytest.mark.parametrize("kind", sorted({k for k, _ in FOUND if not of_the_page(k)}, key=str))
def test_what_fails_when_qt_calls_it_is_told_once(
    kind: type, told: "Counter[str]", qapp: QApplication
) -> None:
    for name in overrides(kind):
        failing = planted(kind, name)
        made = failing()
        for _ in range(2):
            use(made)
            qapp.processEvents()
        if place_of(name) not in told:  # in the place of Qt's for those who write Python
            getattr(made, name)()
        assert told.pop(place_of(name)) == 1, name


BY_HAND: dict[str, Callable[[Any], object]] = {
    "chooseFiles": lambda page: page.chooseFiles(page.FileSelectionMode.FileSelectOpen, [], []),
}
"""Takes the click of a person on a page that is seen."""


TALKATIVE = """<script>
alert("a"); confirm("b"); prompt("c"); console.log("d"); fetch("/part")
</script>"""


@pytest.mark.parametrize(("kind", "name"), [each for each in FOUND if of_the_page(each[0])])
@pytest.mark.usefixtures("browser_engine")
def test_what_fails_while_an_account_page_is_shown_lets_nothing_through(
    kind: Any,
    name: str,
    told: "Counter[str]",
    serve: Callable[[dict[str, tuple[int, dict[str, str], str]]], tuple[str, list[str]]],
    qapp: QApplication,
) -> None:
    address, asked = serve({"/": (200, {}, TALKATIVE)})
    failing = planted(kind, name)
    key = place_of(name)
    profile = QWebEngineProfile()
    page = failing(profile) if issubclass(kind, QWebEnginePage) else QWebEnginePage(profile)
    parts: list[Any] = []
    for _ in range(2):
        ended: list[bool] = []
        page.loadFinished.connect(ended.append)
        if issubclass(kind, QWebEngineUrlRequestInterceptor):
            parts.append(failing(page))
            page.setUrlRequestInterceptor(parts[-1])
        if issubclass(kind, QWebEngineView):
            parts.append(failing())
            getattr(parts[-1], name)(None)
        elif name in BY_HAND:
            BY_HAND[name](page)
        else:
            page.load(QUrl(address))
            until = time.monotonic() + 5
            while not (ended and told[key]) and time.monotonic() < until:
                qapp.processEvents()
    shiboken6.delete(page)
    shiboken6.delete(profile)
    assert told[key] == 1
    if name in {"acceptNavigationRequest", "interceptRequest"}:
        assert asked == []


def use(made: Any) -> None:
    """Have Qt call all that it may call of this object."""
    if isinstance(made, QAbstractItemModel):
        use_model(made)
    elif isinstance(made, QAbstractItemDelegate):
        use_delegate(made)
    elif isinstance(made, QLayout):
        use_layout(made)
    elif isinstance(made, QIconEngine):
        use_icon(made)
    else:
        use_filter(made)
        if isinstance(made, QWidget):
            use_widget(made)


def use_model(made: QAbstractItemModel) -> None:
    for view in (QTableView(), QListView()):
        view.setModel(made)
        view.grab()
        shiboken6.delete(view)


def rows(parent: QWidget) -> QStandardItemModel:
    """Enough of them to scroll."""
    model = QStandardItemModel(60, 2, parent)
    for row in range(60):
        model.setData(model.index(row, 0), f"a{row}")
    return model


def use_delegate(made: QAbstractItemDelegate) -> None:
    view = QTableView()
    view.setModel(rows(view))
    view.setItemDelegate(made)
    view.grab()
    view.sizeHintForColumn(0)
    spot = view.visualRect(view.model().index(0, 0)).center()
    hover = QHelpEvent(Type.ToolTip, spot, view.viewport().mapToGlobal(spot))
    QApplication.sendEvent(view.viewport(), hover)


def use_layout(made: Any) -> None:
    widget = made.parentWidget()
    if widget is None:
        made.room = QWidget()
        widget = QWidget(made.room)
        widget.setLayout(made)
    child = QLabel("child", widget)
    made.addWidget(child)
    widget.resize(80, 80)
    ask_for_its_size(widget)
    made.activate()
    made.takeAt(0)  # asked for by Qt while it takes a widget out; it would ask without end
    widget.hide()


def use_icon(made: Any) -> None:
    icon = QIcon(made.clone()) if hasattr(made, "given") else QIcon(made)
    made.given = True
    canvas = QPixmap(16, 16)
    painter = QPainter(canvas)
    icon.paint(painter, QRect(0, 0, 16, 16))
    painter.end()
    icon.pixmap(16, 16)
    changed = QIcon(icon)
    changed.addPixmap(canvas)
    changed.pixmap(16, 16)


def use_filter(made: Any) -> None:
    watched = QWidget()
    watched.installEventFilter(made)
    QApplication.sendEvent(watched, QEvent(Type.User))


def ask_for_its_size(made: QWidget) -> None:
    """As a layout around it does."""
    made.show()
    item = QWidgetItem(made)
    item.sizeHint()
    item.minimumSize()
    item.expandingDirections()
    item.hasHeightForWidth()
    item.heightForWidth(40)


def use_widget(made: Any) -> None:
    room = QWidget()
    made.setParent(room)
    ask_for_its_size(made)
    made.setParent(None)
    if isinstance(made, QAbstractItemView):
        made.setModel(rows(made))
        made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        made.viewport().setMouseTracking(True)
    made.resize(120, 80)
    made.show()
    if isinstance(made, QAbstractItemView):
        made.setCurrentIndex(made.model().index(0, 0))
        made.selectAll()
        made.verticalScrollBar().setValue(made.verticalScrollBar().maximum())
    if isinstance(made, QLabel | QAbstractButton):
        made.setText("words")
    made.grab()
    for event in events():
        QApplication.sendEvent(made, event)
    if isinstance(made, QAbstractScrollArea):
        for event in events():
            QApplication.sendEvent(made.viewport(), event)
    if "contextMenuEvent" in vars(type(made)):
        # Where we have no menu of our own, Qt's would run a loop.
        at = QPoint(5, 5)
        menu = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, at)
        QApplication.sendEvent(made.viewport(), menu)
    made.close()
    made.hide()


def events() -> Iterator[QEvent]:
    """One of each kind that people and Qt send."""
    yield QEvent(Type.User)
    yield QEvent(Type.FontChange)
    yield QFocusEvent(Type.FocusIn)
    for key, letter in ((Key.Key_Down, ""), (Key.Key_A, "a"), (Key.Key_Tab, "\t")):
        yield QKeyEvent(Type.KeyPress, key, NO_KEYS, letter)
    # Moved with a button held it would begin to drag, which runs a loop of its own.
    yield QMouseEvent(Type.MouseMove, AT, AT, Mouse.NoButton, Mouse.NoButton, NO_KEYS)
    yield QMouseEvent(Type.MouseButtonPress, AT, AT, Mouse.LeftButton, Mouse.LeftButton, NO_KEYS)
    yield QMouseEvent(Type.MouseButtonRelease, AT, AT, Mouse.LeftButton, Mouse.NoButton, NO_KEYS)
    yield QWheelEvent(
        AT,
        AT,
        QPoint(),
        QPoint(0, 120),
        Mouse.NoButton,
        NO_KEYS,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    yield QFocusEvent(Type.FocusOut)
    yield QKeyEvent(Type.KeyPress, Key.Key_Escape, NO_KEYS)
