"""What a screen reader is told of a window: the tree of names and roles that Qt offers it."""

from collections.abc import Iterable, Iterator

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QWidget,
)

_ACTS = frozenset(
    {
        QAccessible.Role.Button,
        QAccessible.Role.ButtonDropDown,
        QAccessible.Role.ButtonMenu,
        QAccessible.Role.CheckBox,
        QAccessible.Role.ColumnHeader,
        QAccessible.Role.ComboBox,
        QAccessible.Role.EditableText,
        QAccessible.Role.Link,
        QAccessible.Role.List,
        QAccessible.Role.ListItem,
        QAccessible.Role.MenuItem,
        QAccessible.Role.PageTab,
        QAccessible.Role.PageTabList,
        QAccessible.Role.RadioButton,
        QAccessible.Role.Slider,
        QAccessible.Role.SpinBox,
        QAccessible.Role.Table,
        QAccessible.Role.Tree,
    }
)
_WITHOUT_A_NAME_OF_THEIR_OWN = frozenset(
    {
        QAccessible.Role.Cell,  # an empty cell is one that was not given
        QAccessible.Role.ScrollBar,
        QAccessible.Role.Separator,
        QAccessible.Role.Grip,
        QAccessible.Role.Window,
    }
)
_FEW_OF_MANY = 60
"""A table has as many children as cells; the first rows speak for the others."""


def spoken(window: QWidget) -> Iterator[QAccessibleInterface]:
    """Everything in `window` that is not hidden, parents before children."""
    found = QAccessible.queryAccessibleInterface(window)
    assert found is not None
    yield from _below(found)


def nameless(window: QWidget) -> list[str]:
    """The controls that a screen reader could only call by their kind, with where they are."""
    return unnamed(spoken(window))


def unnamed(told: Iterable[QAccessibleInterface]) -> list[str]:
    """Those of what is `told` (see `spoken`) that are nameless."""
    return [_where(each) for each in told if _acts(each) and not _name(each)]


class Listener:
    """Somebody who sees nothing: what was read out, and what the keyboard is at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Hear all that is said from now on."""
        self.heard: list[str] = []
        self._visited: list[str] = []

        def hear(event: object) -> None:
            if isinstance(event, QAccessibleAnnouncementEvent):
                self.heard.append(event.message())

        monkeypatch.setattr("PySide6.QtGui.QAccessible.updateAccessibility", hear)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._visit)

    def _visit(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None:
            self._visited.append(_name(QAccessible.queryAccessibleInterface(now)))

    def visited(self) -> list[str]:
        """What had the keyboard since this was asked last, by its name, the present one last."""
        visited, self._visited = self._visited, []
        return visited

    def was_told(self, words: str) -> bool:
        """Whether something with these words was read out."""
        return any(words in said for said in self.heard)

    @property
    def at(self) -> str:
        """What the keyboard is at: name, what is said of it besides, what it holds."""
        return ". ".join(part for part in self._told(self._focused()) if part)

    @property
    def role(self) -> QAccessible.Role:
        """What kind of thing that is."""
        found = self._focused()
        return QAccessible.Role.NoRole if found is None else found.role()

    @staticmethod
    def _focused() -> QAccessibleInterface | None:
        widget = QApplication.focusWidget()
        found = QAccessible.queryAccessibleInterface(widget) if widget is not None else None
        inner = found.focusChild() if found is not None else None
        return inner if inner is not None and inner.isValid() else found

    @staticmethod
    def _told(found: QAccessibleInterface | None) -> tuple[str, ...]:
        if found is None:
            return ()
        kinds = QAccessible.Text
        return tuple(found.text(kind) for kind in (kinds.Name, kinds.Description, kinds.Value))


def misleading(told: Iterable[QAccessibleInterface]) -> list[str]:
    """What of this (see `spoken`) says another kind, state or value of itself than it has."""
    return [
        f"{what}: {_where(each)}"
        for each in told
        if isinstance(widget := each.object(), QWidget)
        for what in (*_untrue(each, widget), *_untrue_value(each, widget))
    ]


def _untrue(each: QAccessibleInterface, widget: QWidget) -> Iterator[str]:
    state = each.state()
    if isinstance(widget, QAbstractItemView):
        return  # its rows have the states
    described = each.text(QAccessible.Text.Description)
    if "<qt>" in described:
        yield "described with marks"
    if described and described == _name(each):
        yield "described by its name once more"
    if bool(state.disabled) is widget.isEnabled():
        yield "usable or not"
    if widget.focusProxy() is None and bool(state.focused) is not widget.hasFocus():
        yield "has the keyboard or not"
    if (
        isinstance(widget, QAbstractButton)
        and widget.isCheckable()
        and bool(state.checked) is not widget.isChecked()
    ):
        yield "on or off"


def _untrue_value(each: QAccessibleInterface, widget: QWidget) -> Iterator[str]:
    if not isinstance(widget, QLineEdit):
        return
    secret = widget.echoMode() is not QLineEdit.EchoMode.Normal
    if each.role() is not QAccessible.Role.EditableText:
        yield "no field"
    if bool(each.state().passwordEdit) is not secret:
        yield "secret or not"
    if not secret and each.text(QAccessible.Text.Value) != widget.text():
        yield f"holds {widget.text()}"


def _below(parent: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield parent
    for number in range(min(parent.childCount(), _FEW_OF_MANY)):
        child = _child(parent, number)
        if child is not None and child.isValid() and not child.state().invisible:
            yield from _below(child)


def _acts(each: QAccessibleInterface) -> bool:
    if each.role() in _WITHOUT_A_NAME_OF_THEIR_OWN:
        return False
    return each.role() in _ACTS or bool(each.state().focusable)


def _name(each: QAccessibleInterface) -> str:
    return each.text(QAccessible.Text.Name).strip()


def _where(each: QAccessibleInterface) -> str:
    steps: list[str] = []
    at: QAccessibleInterface | None = each
    while at is not None and at.role() is not QAccessible.Role.Application:
        kind = type(at.object()).__name__
        steps.append(f"{at.role().name} {kind} “{_name(at)[:30]}”")
        at = _parent(at)
    return " > ".join(reversed(steps[:5]))


# Qt answers with nothing where there is nobody, which its types do not say.


def _child(parent: QAccessibleInterface, number: int) -> QAccessibleInterface | None:
    return parent.child(number)


def _parent(child: QAccessibleInterface) -> QAccessibleInterface | None:
    return child.parent()
