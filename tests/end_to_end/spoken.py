"""What a screen reader is told of a window: the tree of names and roles that Qt offers it."""

from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

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
    return [_where(each) for each in spoken(window) if _acts(each) and not _name(each)]


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
