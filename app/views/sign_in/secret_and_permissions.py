"""What most people never need to sign in: a client secret, and more permissions than the one.

Folded away until somebody asks for it, or until there is something in it to see.
"""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.permissions import permission_choices, permissions_remark, with_choice
from app.viewmodels.ways_in import WaysIn
from app.views.sign_in.fields import FormField
from app.views.widgets.basics import button, label
from app.views.widgets.tips import set_tip


class SecretAndPermissions(Guarded, QWidget):
    """A button that unfolds the field for the secret and a box for each permission."""

    changed = Signal()
    """Another permission is asked for, or one no longer."""

    def __init__(self) -> None:
        """Folded, with the one permission that cannot be left out."""
        super().__init__()
        self.scope = WaysIn().scope
        self.secret = FormField(tr("Client secret"), tr("Only if your administrator gave you one"))
        self.secret.hide_letters()
        self._unfold = button(tr("Client secret and permissions"), self._toggle, "link")
        self._unfold.setAutoDefault(True)
        self._boxes: dict[str, QCheckBox] = {}
        self._remark = label("", "soft", wraps=True)
        self._inside = QWidget()
        self._build()
        self._show_choices()
        self._set_open(is_open=False)

    @property
    def is_open(self) -> bool:
        """Whether the field and the boxes can be seen."""
        return not self._inside.isHidden()

    def open(self) -> None:
        """Unfold it."""
        self._set_open(is_open=True)

    def fill(self, ways_in: WaysIn) -> None:
        """Ask for these permissions; say whether a secret may be kept. What was typed goes."""
        self.scope = ways_in.scope
        self.secret.line.clear()
        self.secret.line.setPlaceholderText(
            tr("Kept on this computer. Type here to use another one.")
            if ways_in.with_secret
            else tr("Only if your administrator gave you one")
        )
        self._show_choices()
        self._set_open(is_open=ways_in.has_more)

    def _build(self) -> None:
        rows = QVBoxLayout(self._inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(self.secret)
        rows.addSpacing(4)
        rows.addWidget(label(tr("Front Desk asks the account to allow:")))
        boxes = QVBoxLayout()
        boxes.setSpacing(0)
        for choice in permission_choices(self.scope):
            box = QCheckBox(choice.words)
            box.setAccessibleDescription(choice.value)
            set_tip(box, choice.value)
            box.setEnabled(not choice.fixed)
            box.toggled.connect(partial(self._chosen, choice.value))
            self._boxes[choice.value] = box
            boxes.addWidget(box)
        rows.addLayout(boxes)
        rows.addWidget(self._remark)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.setSpacing(6)
        around.addWidget(self._unfold, 0, Qt.AlignmentFlag.AlignLeading)
        around.addWidget(self._inside)

    def _chosen(self, value: str, on: bool) -> None:  # noqa: FBT001 - as Qt sends it
        scope = with_choice(self.scope, value, on=on)
        if scope != self.scope:
            self.scope = scope
            self._show_choices()
            self.changed.emit()

    def _show_choices(self) -> None:
        for choice in permission_choices(self.scope):
            self._boxes[choice.value].setChecked(choice.on)
        remark = permissions_remark(self.scope)
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))

    def _toggle(self) -> None:
        self._set_open(is_open=not self.is_open)
        if self.is_open:
            self.secret.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_open(self, *, is_open: bool) -> None:
        self._inside.setVisible(is_open)
        self._unfold.setAccessibleDescription(tr("Unfolded") if is_open else tr("Folded"))
