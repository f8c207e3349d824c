"""What every reader gives, and the one error with which every reader fails."""

from typing import TypeAlias

from app.api.errors import UnreadableAnswer
from app.runtime.words import tr

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"

DEEPEST = 64
"""Levels of nesting; a flow with nested steps needs about ten."""


def unreadable(reason: str) -> UnreadableAnswer:
    """The error for a body that is no document; `reason` holds nothing of the body."""
    return UnreadableAnswer(
        tr("Answer not understood"),
        tr("The service gave an answer that Front Desk cannot read. Try again in a moment."),
        details=reason,
    )


def check_depth(tree: Tree) -> Tree:
    """Give `tree` back; raises UnreadableAnswer when it is nested deeper than DEEPEST."""
    level: list[Tree] = [tree]
    for _ in range(DEEPEST):
        level = [
            inner
            for node in level
            for inner in _inside(node)
            if inner.__class__ is dict or inner.__class__ is list
        ]
        if not level:
            return tree
    raise unreadable(f"nested deeper than {DEEPEST} levels")


def _inside(node: Tree) -> list[Tree]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []
