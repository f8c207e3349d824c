"""The pieces of the detail pane: who it is, one field, the flows somebody administers."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.person import Administers, Detail, DetailField, FlowLink
from app.views.widgets.avatar import Avatar
from app.views.widgets.basics import button, label, set_flag
from app.views.widgets.copy_button import CopyButton
from app.views.widgets.flush import Flush
from app.views.widgets.tips import set_tip
from app.views.widgets.value_label import ValueLabel
from app.views.widgets.wrapping import wrapping_box


def open_mail(link: str) -> None:
    """Have the computer's mail program begin a mail."""
    QDesktopServices.openUrl(QUrl(link, QUrl.ParsingMode.StrictMode))


def top(detail: Detail) -> QHBoxLayout:
    """The round mark, the name and the badges."""
    across = QHBoxLayout()
    across.setSpacing(12)
    across.addWidget(Avatar(detail.initials), 0, Qt.AlignmentFlag.AlignTop)
    names = QVBoxLayout()
    names.setSpacing(4)
    names.addWidget(label(detail.name, "heading", wraps=True))
    if detail.badges:
        box, wrapping = wrapping_box(4)
        for badge in detail.badges:
            wrapping.insert_widget(label(badge, "badge"))
        names.addWidget(box)
    across.addLayout(names, 1)
    return across


def field_rows(field: DetailField) -> QVBoxLayout:
    """The field's name with what can be done, and below it the value on the whole width."""
    rows = QVBoxLayout()
    rows.setSpacing(0)
    box, across = wrapping_box(2, spread=True)
    across.insert_widget(label(field.name, "small"))
    if field.mail:
        across.insert_widget(_mail(field))
    if field.copy:
        told = tr("Copy {field}", field=field.name)
        across.insert_widget(CopyButton(told, partial(str, field.copy)))
    rows.addWidget(box)
    rows.addWidget(ValueLabel(field.value, "" if field.copy else "soft"))
    return rows


def candidate_box(fields: Sequence[DetailField]) -> QFrame:
    """Somebody in the list who may be the one, set apart from what was typed."""
    box = QFrame()
    box.setProperty("role", "aside")
    box.setAccessibleName(tr("The person in the list"))
    rows = QVBoxLayout(box)
    rows.setContentsMargins(12, 10, 12, 10)
    rows.setSpacing(8)
    for field in fields:
        said = QVBoxLayout()
        said.setSpacing(0)
        said.addWidget(label(field.name, "small"))
        said.addWidget(ValueLabel(field.value))
        rows.addLayout(said)
    return box


def flow_rows(flow: Administers, follow: Callable[[FlowLink], object]) -> QVBoxLayout:
    """The flow's name and what of it somebody administers, each a link."""
    rows = QVBoxLayout()
    rows.setSpacing(1)
    told = tr("Show the flow {name}", name=flow.flow_name)
    whole = _link(flow.flow_link, told, follow)
    set_flag(whole, "strong", value=True)
    rows.addLayout(Flush(whole))
    for link in flow.links:
        told = tr("Show {step} in the flow {name}", step=link.words, name=flow.flow_name)
        within = QHBoxLayout()
        # A space is mirrored, the margins of a layout are not.
        within.setContentsMargins(0, 0, 0, 0)
        within.addSpacing(12)
        within.addWidget(_link(link, told, follow))
        within.addStretch(1)
        rows.addLayout(within)
    return rows


def _mail(field: DetailField) -> QPushButton:
    write = button(tr("Write"), partial(open_mail, field.mail), "link", icon="mail")
    write.setAccessibleName(tr("Write a mail to {email}", email=field.copy))
    return write


def _link(link: FlowLink, told: str, follow: Callable[[FlowLink], object]) -> QWidget:
    made = button(link.words, partial(follow, link), "link")
    made.setAccessibleName(told)
    set_tip(made, told)
    return made
