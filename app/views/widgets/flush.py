"""Controls that wear a ring around themselves, set where other lines begin.

A link or a thing to tick keeps room for its ring on all sides. Without more ado its words would
stand a little behind those above and below it.
"""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.viewmodels.guarded import Guarded

OUTSET = 5
"""Pixels of ring and air around a link or a thing to tick, as the style sheet has them."""


class Flush(Guarded, QHBoxLayout):
    """One control, its ring reaching out of the line; to be put into a layout with a margin."""

    def __init__(self, control: QWidget, *, air: bool = True) -> None:
        """`air`: there is room behind `control` in its line, which it need not fill."""
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        self.addWidget(control)
        if air:
            self.addStretch(1)

    def setGeometry(self, rect: QRect) -> None:
        """Begin before the line does, whichever side that is."""
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        super().setGeometry(rect.adjusted(0 if mirrored else -OUTSET, 0, OUTSET * mirrored, 0))
