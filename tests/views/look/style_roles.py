"""Which roles and flags the style sheet has rules for, and which the widgets ask for.

Read from the sheet and from the syntax tree of the views: whatever is handed on as a `role`.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from app.runtime.paths import resource

_VIEWS = Path(__file__).resolve().parents[3] / "app" / "views"
_PROPERTY, _FLAG = "setProperty", "set_flag"


def sheet() -> str:
    """The style sheet without its comments."""
    source = (resource("style") / "frontdesk.qss").read_text("utf-8")
    return re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)


def in_the_sheet() -> set[tuple[str, str]]:
    """Every property with the value that some selector of the sheet asks for."""
    return set(re.findall(r'\[([\w-]+)="([\w-]+)"\]', sheet()))


def views() -> str:
    """The source of all views."""
    return "\n".join(path.read_text("utf-8") for path in sorted(_VIEWS.rglob("*.py")))


@cache
def asked_for() -> frozenset[tuple[str, str]]:
    """Every property that a view sets, with each value it may set; (name, "*") for any value."""
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(_VIEWS.rglob("*.py"))]
    places = dict(pair for tree in trees for pair in _takers_of_a_role(tree))
    return frozenset(found for tree in trees for found in _given(tree, places))


def _takers_of_a_role(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Functions and classes with a parameter `role`, and its place in a call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for made in node.body:
                if isinstance(made, ast.FunctionDef) and made.name == "__init__":
                    yield from ((node.name, place - 1) for place in _place_of_role(made))
        elif isinstance(node, ast.FunctionDef) and node.name != "__init__":
            yield from ((node.name, place) for place in _place_of_role(node))


def _place_of_role(function: ast.FunctionDef) -> list[int]:
    names = [each.arg for each in function.args.args]
    return [names.index("role")] if "role" in names else []


def _given(tree: ast.AST, places: dict[str, int]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _name(node.func)
        if name in {_PROPERTY, _FLAG}:
            prop, value = node.args[-2:] if len(node.args) >= 2 else (None, None)
            value = next((word.value for word in node.keywords if word.arg == "value"), value)
            prop = node.args[1] if name == _FLAG else prop
            if isinstance(prop, ast.Constant) and value is not None:
                yield from ((str(prop.value), each) for each in _values(value))
        elif name == "__init__":  # a subclass hands its role to the class it is made from
            yield from (("role", each) for each in _strings(node))
        elif name in places:
            words = {word.arg: word.value for word in node.keywords}
            place = places[name]
            given = node.args[place] if place < len(node.args) else words.get("role")
            yield from (("role", each) for each in (_values(given) if given else ()))


def _strings(call: ast.Call) -> Iterator[str]:
    """The plain texts handed to a base class: sentences are no roles, and pass `tr`."""
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def _values(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _values(node.body)
        yield from _values(node.orelse)
    elif isinstance(node, ast.Constant):
        yield str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
    else:
        yield "*"


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
