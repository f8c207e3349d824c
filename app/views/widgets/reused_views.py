"""Views that stay with what they show: when a list is shown again, only what is new is built."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QApplication, QLayout, QWidget

from app.views.widgets.layouts import WrappingLayout

View = TypeVar("View", bound=QWidget)
_Key = tuple[Hashable, int]


class ReusedViews(Generic[View]):
    """Views by key. One whose key is gone is hidden and used again for the next new key."""

    def __init__(self, make: Callable[[], View]) -> None:
        """`make` builds one more view."""
        self._make = make
        self._shown: dict[_Key, View] = {}
        self._to_come: dict[_Key, View] = {}
        self._spare: list[View] = []
        self._had_keyboard: list[View] = []

    def take(self, keys: Sequence[Hashable]) -> list[View]:
        """A view for each key, in order; the same one as before where the key was there before.

        A key may come several times. What had the keyboard is not used for another key: whoever
        presses Enter next would act on something they have not seen.
        """
        views = list(self.one_by_one(keys))
        self.hide_others()
        return views

    def one_by_one(self, keys: Sequence[Hashable]) -> Iterator[View]:
        """The same views, each built when it is asked for; asking for other keys ends it.

        `hide_others` is the caller's to call, at the end or where it pauses.
        """
        wanted = _numbered(keys)
        stay = set(wanted)
        before = self._shown | self._to_come
        gone = [view for key, view in before.items() if key not in stay]
        focused = QApplication.focusWidget()
        had = [v for v in gone if focused and (v is focused or v.isAncestorOf(focused))]
        self._spare.extend(view for view in gone if view not in had)
        self._had_keyboard.extend(had)
        self._shown = {}
        self._to_come = {key: view for key, view in before.items() if key in stay}
        return self._each(wanted)

    def hide_others(self) -> None:
        """Hide all views but those that were given since keys were asked for."""
        self._spare.extend(self._had_keyboard)
        self._had_keyboard.clear()
        for view in (*self._to_come.values(), *self._spare):
            view.hide()

    def _each(self, wanted: Sequence[_Key]) -> Iterator[View]:
        for key in wanted:
            view = self._to_come.pop(key, None)
            self._shown[key] = self._another() if view is None else view
            yield self._shown[key]

    def _another(self) -> View:
        return self._spare.pop(0) if self._spare else self._make()


def _numbered(keys: Sequence[Hashable]) -> list[_Key]:
    """Each key with how often it came before: the service may give one id twice."""
    met: dict[Hashable, int] = {}
    numbered = []
    for key in keys:
        numbered.append((key, met.get(key, 0)))
        met[key] = met.get(key, 0) + 1
    return numbered


def set_in_order(layout: WrappingLayout, views: Sequence[QWidget]) -> None:
    """Have `layout` hold exactly these views, which are shown; those it held before are kept."""
    while layout.takeAt(0) is not None:
        pass
    for view in views:
        layout.insert_widget(view)
    appear(layout, views)


def appear(layout: QLayout, views: Iterable[QWidget]) -> None:
    """Show those of `views` that are not shown, and lay them out once: Qt would for each."""
    layout.setEnabled(False)
    for view in views:
        if view.isHidden():
            view.show()
    layout.setEnabled(True)
    layout.invalidate()
    around = layout.parentWidget()
    if around is not None and around.isVisible():
        layout.activate()
