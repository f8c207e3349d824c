"""No error leaves what Qt calls: in C++ it would end the program, or come up again somewhere else.

Every class of ours that overrides something of Qt's has `GuardedOverrides` as its first base. What
fails is reported as an error in a slot is, once, and Qt goes on as it would without the override.
"""

import contextlib
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import wraps
from types import FunctionType
from typing import ClassVar

from PySide6.QtCore import QSize

Answer = Callable[..., object]
_ANSWERS: Mapping[str, Answer] = {
    # Done a second time these would be worse than not done, so Qt's own are not asked.
    "event": lambda *_: False,
    "eventFilter": lambda *_: False,
    # To somebody else's page nothing is allowed by mistake, and no box opens.
    "acceptNavigationRequest": lambda *_: False,
    "interceptRequest": lambda _guard, request: request.block(True),  # noqa: FBT003 - Qt's
    "chooseFiles": lambda *_: [],
    "createWindow": lambda *_: None,
    "javaScriptAlert": lambda *_: None,
    "javaScriptConfirm": lambda *_: False,
    "javaScriptPrompt": lambda *_: (False, ""),
    # Qt has none of its own.
    "columnCount": lambda *_: 0,
    "count": lambda *_: 0,
    "rowCount": lambda *_: 0,
    "minimumSize": lambda *_: QSize(),
    "sizeHint": lambda *_: QSize(),
}


class GuardedOverrides:
    """Stands between Qt and every override of a class and of those that derive from it."""

    __slots__ = ()
    answers: ClassVar[Mapping[str, Answer]] = {}
    """What a class answers in the place of an override that failed, by the override's name."""

    def __init_subclass__(cls, **options: object) -> None:
        """Guard what this class itself overrides."""
        super().__init_subclass__(**options)
        for name in overrides(cls):
            setattr(cls, name, _guarded(cls, name, vars(cls)[name]))


def overrides(kind: type) -> list[str]:
    """The names of the methods that `kind` itself has in the place of Qt's."""
    of_qt = [vars(base) for base in kind.__mro__ if base.__module__.startswith("PySide6.")]
    return [
        name
        for name, own in vars(kind).items()
        if isinstance(own, FunctionType)
        and not name.startswith("_")
        and any(name in base for base in of_qt)
    ]


def _guarded(kind: type[GuardedOverrides], name: str, own: FunctionType) -> Callable[..., object]:
    # What an event brings is handled half by then; painting alone can be done all over.
    only_once = name.endswith("Event") and name != "paintEvent"
    told: set[tuple[type[Exception], int]] = set()

    @wraps(own)
    def override(self: GuardedOverrides, *args: object, **kwargs: object) -> object:
        try:
            return own(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - nobody behind this could catch it
            _report(error, f"{kind.__name__}.{name}()", told)
            _let_go(error)
        if only_once:
            return None
        answer = self.answers.get(name) or _ANSWERS.get(name)
        with contextlib.suppress(Exception):
            return answer(self, *args) if answer else getattr(super(kind, self), name)(*args)
        return None

    return override


def _report(error: Exception, place: str, told: set[tuple[type[Exception], int]]) -> None:
    """Once for each line that fails: what fails while painting fails with every frame."""
    line = [number for _, number in traceback.walk_tb(error.__traceback__)][-1]
    if (type(error), line) in told:
        return
    told.add((type(error), line))
    error.add_note(f"in {place}")
    with contextlib.suppress(Exception):
        sys.excepthook(type(error), error, error.__traceback__)


def _let_go(error: BaseException | None) -> None:
    """A painter that an error still holds would paint on when Qt takes the canvas away."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__
