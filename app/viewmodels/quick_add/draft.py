"""The half-typed line as one text that outlives the program, and back.

Plain where only words were typed; with fields corrected by hand, a last name kept or a second line
waiting behind, those are written out.
"""

from collections.abc import Sequence

import msgspec

from app.outbox.outbox import whole
from app.viewmodels.quick_add.typed_line import FIELDS, Field, TypedLine

_MARK = "\x1f"
"""Cannot be typed, so no line begins with it."""


class _Line(msgspec.Struct, omit_defaults=True):
    typed: str = ""
    edited: dict[str, str] = {}
    kept: str = ""


def written(lines: Sequence[TypedLine]) -> str:
    """`lines` as one text, the one that stands there first; blank lines are left out."""
    said = [_whole(line) for line in lines if not line.empty or line.kept]
    if not said:
        return ""
    if len(said) == 1 and said[0] == TypedLine(said[0].typed):
        return said[0].typed
    rows = [_Line(line.typed, _by_name(line), line.kept) for line in said]
    return _MARK + msgspec.json.encode(rows).decode()


def read(text: str) -> tuple[TypedLine, ...]:
    """The lines of such a text; one that is damaged is a line as it stands."""
    if not text.startswith(_MARK):
        return (TypedLine(text),) if text.strip() else ()
    try:
        rows = msgspec.json.decode(text[len(_MARK) :], type=list[_Line])
    except (msgspec.MsgspecError, RecursionError):
        return (TypedLine(text.lstrip(_MARK)),)
    return tuple(TypedLine(row.typed, _fields(row.edited), row.kept) for row in rows)


def _whole(line: TypedLine) -> TypedLine:
    edited = {name: whole(value) for name, value in line.edited.items()}
    return TypedLine(whole(line.typed), edited, whole(line.kept))


def _by_name(line: TypedLine) -> dict[str, str]:
    return {str(name): value for name, value in line.edited.items()}


def _fields(edited: dict[str, str]) -> dict[Field, str]:
    return {name: edited[name] for name in FIELDS if name in edited}
