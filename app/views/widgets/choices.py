"""Choices of which one is on, whatever they look like: Tab comes to that one."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton


def lead_tab_to(chosen: QAbstractButton, choices: Iterable[QAbstractButton]) -> None:
    """Leave the others out of the way of Tab; Qt does so only once one of them has had the keys."""
    for choice in choices:
        policy = choice.focusPolicy() & ~Qt.FocusPolicy.TabFocus
        choice.setFocusPolicy(policy | Qt.FocusPolicy.TabFocus if choice is chosen else policy)
