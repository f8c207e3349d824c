"""The first page: three ways in, and what an administrator needs to set one of them up."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.session import SessionScreen
from app.viewmodels.ways_in import WaysIn
from app.views.widgets.basics import button, card, label

_WIDTH = 1000


class FirstStart(QScrollArea):
    """Bound to a `SessionScreen`; what is typed here stays until a way in has worked."""

    def __init__(self, session: SessionScreen, parent: QWidget | None = None) -> None:
        """Show the three ways in."""
        super().__init__(parent)
        self._session = session
        self._shown: WaysIn | None = None
        self._name = _field(tr("For example: Riverside Community"))
        self._address = _field(tr("For example: https://riverside.example.org"))
        self._client_id = _field(tr("The account's settings show it under integrations"))
        self._redirect = _field("")
        self._key_name = _field(tr("For example: Riverside Community"))
        self._key_address = _field(tr("For example: https://riverside.example.org"))
        self._key = _field(tr("From the account's settings page"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._buttons = [
            button(tr("Try the demo account"), session.try_demo, "primary"),
            button(tr("Sign in"), self._sign_in, "primary"),
            button(tr("Use this key"), self._use_key, "primary"),
        ]
        self._lay_out()
        session.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        page = QWidget()
        page.setProperty("role", "page")
        self.setWidget(page)
        around = QHBoxLayout(page)
        around.setContentsMargins(20, 8, 20, 24)
        around.addStretch(1)
        column = QWidget()
        column.setMaximumWidth(_WIDTH)
        around.addWidget(column, 100)
        around.addStretch(1)
        rows = QVBoxLayout(column)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(14)
        rows.addWidget(label(tr("Welcome to Front Desk"), "title"))
        rows.addWidget(
            label(
                tr(
                    "Add people quickly, and see who administers each step of your people flows. "
                    "Choose a way in."
                ),
                "soft",
                wraps=True,
            )
        )
        across = QHBoxLayout()
        across.setSpacing(14)
        across.addWidget(self._page_card(), 5)
        others = QVBoxLayout()
        others.setSpacing(14)
        others.addWidget(self._demo_card())
        others.addWidget(self._key_card(), 1)
        across.addLayout(others, 4)
        rows.addLayout(across)
        rows.addStretch(1)

    def _page_card(self) -> QFrame:
        redirect = QHBoxLayout()
        redirect.setSpacing(8)
        redirect.addWidget(self._redirect, 1)
        redirect.addWidget(button(tr("Copy"), self._copy_redirect))
        form = _form(
            (tr("Name"), self._name),
            (tr("Address"), self._address),
            (tr("Client ID"), self._client_id),
        )
        caption = label(tr("Redirect address"))
        caption.setBuddy(self._redirect)
        self._redirect.setAccessibleName(tr("Redirect address"))
        form.addRow(caption, redirect)
        foot = QHBoxLayout()
        foot.addWidget(self._buttons[1])
        foot.addWidget(button(tr("Open a connection file"), self._open_connection))
        foot.addStretch(1)
        return _way(
            tr("Sign in with your account page"),
            tr(
                "An administrator registers Front Desk once: in the account's settings, under "
                "integrations. The redirect address below is pasted there; the client ID comes "
                "from there. A colleague may give you both as a connection file."
            ),
            form,
            foot,
        )

    def _demo_card(self) -> QFrame:
        foot = QHBoxLayout()
        foot.addWidget(self._buttons[0])
        foot.addStretch(1)
        return _way(
            tr("Try the demo account"),
            tr("An account with made-up people, on this computer only. One click, no network."),
            None,
            foot,
        )

    def _key_card(self) -> QFrame:
        foot = QHBoxLayout()
        foot.addWidget(self._buttons[2])
        foot.addStretch(1)
        return _way(
            tr("Use an API key"),
            tr("Whoever holds the key can do everything the account allows: keep it to yourself."),
            _form(
                (tr("Name"), self._key_name),
                (tr("Address"), self._key_address),
                (tr("API key"), self._key),
                spoken=tr("{field}, to use an API key"),
            ),
            foot,
        )

    def _show(self) -> None:
        for each in self._buttons:
            each.setEnabled(not self._session.busy)
        ways_in = self._session.ways_in
        if ways_in is self._shown:
            return
        self._shown = ways_in
        for field, value in (
            (self._name, ways_in.name),
            (self._address, ways_in.base_url),
            (self._client_id, ways_in.client_id),
            (self._redirect, ways_in.redirect_uri),
        ):
            field.setText(value)

    def _sign_in(self) -> None:
        self._shown = WaysIn(
            name=self._name.text(),
            base_url=self._address.text(),
            client_id=self._client_id.text(),
            redirect_uri=self._redirect.text(),
        )
        self._session.sign_in_with_page(self._shown)

    def _use_key(self) -> None:
        ways_in = WaysIn(name=self._key_name.text(), base_url=self._key_address.text())
        self._shown = ways_in
        self._session.sign_in_with_key(ways_in, self._key.text())

    def _copy_redirect(self) -> None:
        QGuiApplication.clipboard().setText(self._redirect.text())

    def _open_connection(self) -> None:
        dialog = QFileDialog(self, tr("Open a connection file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(tr("Connection files (*.json)"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._session.open_connection_file)
        dialog.open()


def _field(hint: str) -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(hint)
    return made


def _form(*rows: tuple[str, QLineEdit], spoken: str = "{field}") -> QFormLayout:
    """`spoken` makes the name a screen reader says: two ways in ask for an address."""
    form = QFormLayout()
    form.setVerticalSpacing(4)
    form.setHorizontalSpacing(12)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    for name, field in rows:
        caption = label(name)
        caption.setBuddy(field)
        field.setAccessibleName(spoken.format(field=name))
        form.addRow(caption, field)
    return form


def _way(title: str, sentence: str, form: QFormLayout | None, foot: QHBoxLayout) -> QFrame:
    surface = card()
    rows = QVBoxLayout(surface)
    rows.setContentsMargins(18, 16, 18, 16)
    rows.setSpacing(10)
    rows.addWidget(label(title, "heading"))
    rows.addWidget(label(sentence, "soft", wraps=True))
    if form is not None:
        rows.addLayout(form)
    rows.addStretch(1)
    rows.addLayout(foot)
    return surface
