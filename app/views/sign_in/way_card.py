"""One way in as a card: a heading, a sentence, the fields and the button that Enter presses."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.accounts.account import WayIn
from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.ways_in import Field, FieldProblem, WaysIn
from app.views.sign_in.copy_address import CopyAddress
from app.views.sign_in.fields import FormField
from app.views.sign_in.secret_and_permissions import SecretAndPermissions
from app.views.widgets.basics import button, label, set_flag
from app.views.widgets.wrapping import wrapping_box


class WayCard(Guarded, QFrame):
    """What the two ways with fields share; `pressed` is the button, by click or by Enter."""

    pressed = Signal()
    corrected = Signal()

    def __init__(self, way_in: WayIn, title: str, sentence: str, action: str) -> None:
        """A card without fields yet; `action` is the button's text."""
        super().__init__()
        self.setProperty("role", "card")
        self.way_in = way_in
        self._fields: Mapping[Field | None, FormField] = {}
        self.button = button(action, self.pressed.emit, "primary")
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(20, 16, 20, 16)
        self._rows.setSpacing(10)
        self._rows.addWidget(label(title, "heading"))
        self._rows.addWidget(label(sentence, "soft", wraps=True))
        self._foot, self.foot = wrapping_box(10)

    def lead(self, leads: bool) -> None:  # noqa: FBT001 - a plain switch, like setEnabled
        """There is one loud button on the page; this card has it or has not."""
        set_flag(self.button, "role", "primary" if leads else "")

    def show_problem(self, problem: FieldProblem | None) -> None:
        """Say what is wrong at its field; None, or a problem of the other way: nothing is."""
        mine = problem if problem is not None and problem.way_in is self.way_in else None
        for kind, field in self._fields.items():
            if mine is not None and kind is mine.field:
                field.show_problem(mine.sentence, mine.suggestion)
            else:
                field.show_problem("")

    def focus(self, kind: Field | None) -> None:
        """Put the keyboard into a field, or on the button when nothing is left to type."""
        field = self._fields.get(kind) if kind is not None else None
        (field.line if field is not None else self.button).setFocus()

    @property
    def said(self) -> WaysIn:
        """What the fields say; each way has others."""
        raise NotImplementedError

    def fill(self, ways_in: WaysIn) -> None:
        """Say this from now on."""
        raise NotImplementedError

    def empty(self, said: WaysIn) -> None:
        """Say nothing any more, unless somebody has typed something else than `said`."""
        if self.said == said:
            self.fill(WaysIn())

    def _take_fields(
        self, fields: Mapping[Field | None, FormField], below: QWidget | None = None
    ) -> None:
        """`below` comes after the fields and holds those among them that have a parent already."""
        self._fields = fields
        for field in fields.values():
            field.entered.connect(self.button.click)
            field.corrected.connect(self.corrected)
            if field.parentWidget() is None:
                self._rows.addWidget(field)
        if below is not None:
            self._rows.addWidget(below)
        self.foot.insert_widget(self.button)
        self._rows.addSpacing(4)
        self._rows.addWidget(self._foot)
        self._rows.addStretch(1)


class PageCard(WayCard):
    """Signing in on the account's own page."""

    def __init__(self) -> None:
        """Empty fields but for our usual redirect address."""
        super().__init__(
            WayIn.PAGE,
            tr("Sign in with your account page"),
            tr(
                "You sign in on the account's own page and allow Front Desk there. "
                "A colleague's connection file fills in the rest."
            ),
            tr("Sign in"),
        )
        self._address = FormField(tr("Address"), tr("For example: https://riverside.example.org"))
        self._client_id = FormField(
            tr("Client ID"), tr("From an administrator of the account, or a connection file")
        )
        self._redirect = FormField(tr("Redirect address"))
        self._redirect.put_beside(CopyAddress(tr("Copy the redirect address"), self.redirect_uri))
        self._name = FormField(tr("Name"), tr("If you like. For example: Riverside Community"))
        self._with_secret = False
        self._more = SecretAndPermissions()
        self._take_fields(
            {
                Field.ADDRESS: self._address,
                Field.CLIENT_ID: self._client_id,
                Field.REDIRECT: self._redirect,
                None: self._name,
                Field.SECRET: self._more.secret,
            },
            below=self._more,
        )

    @property
    def secret(self) -> str:
        """The client secret as it was typed."""
        return self._more.secret.line.text()

    def forget_secret(self) -> None:
        """It has opened the account: it stays nowhere that can be looked at."""
        self._more.secret.line.clear()

    def show_problem(self, problem: FieldProblem | None) -> None:
        """As in every card; a field that is folded away is unfolded first."""
        if problem is not None and (problem.way_in, problem.field) == (self.way_in, Field.SECRET):
            self._more.open()
        super().show_problem(problem)

    def focus(self, kind: Field | None) -> None:
        """As in every card; a field that is folded away is unfolded first."""
        if kind is Field.SECRET:
            self._more.open()
        super().focus(kind)

    @property
    def said(self) -> WaysIn:
        """What the fields say, but for the secret."""
        return WaysIn(
            name=self._name.line.text(),
            base_url=self._address.line.text(),
            client_id=self._client_id.line.text(),
            redirect_uri=self._redirect.line.text(),
            scope=self._more.scope,
            with_secret=self._with_secret,
        )

    def redirect_uri(self) -> str:
        """The redirect address as it stands in its field."""
        return self._redirect.line.text()

    def fill(self, ways_in: WaysIn) -> None:
        """Say this from now on."""
        self._name.line.setText(ways_in.name)
        self._address.line.setText(ways_in.base_url)
        self._client_id.line.setText(ways_in.client_id)
        self._redirect.line.setText(ways_in.redirect_uri)
        self._with_secret = ways_in.with_secret
        self._more.fill(ways_in)


class KeyCard(WayCard):
    """Signing in with an API key."""

    def __init__(self) -> None:
        """Empty fields."""
        super().__init__(
            WayIn.KEY,
            tr("Use an API key"),
            tr("Whoever holds the key can do everything the account allows: keep it to yourself."),
            tr("Use this key"),
        )
        spoken = tr("{field}, to use an API key")
        self._address = FormField(
            tr("Address"),
            tr("For example: https://riverside.example.org"),
            spoken=spoken.format(field=tr("Address")),
        )
        self._key = FormField(
            tr("API key"),
            tr("From the account's settings page"),
            spoken=spoken.format(field=tr("API key")),
        )
        self._key.hide_letters()
        self._name = FormField(
            tr("Name"),
            tr("If you like. For example: Riverside Community"),
            spoken=spoken.format(field=tr("Name")),
        )
        self._take_fields({Field.ADDRESS: self._address, Field.KEY: self._key, None: self._name})

    @property
    def said(self) -> WaysIn:
        """What the fields say, but for the key."""
        return WaysIn(name=self._name.line.text(), base_url=self._address.line.text())

    @property
    def key(self) -> str:
        """The key as it was typed."""
        return self._key.line.text()

    def fill(self, ways_in: WaysIn) -> None:
        """Say this from now on."""
        self._name.line.setText(ways_in.name)
        self._address.line.setText(ways_in.base_url)

    def forget_key(self) -> None:
        """It has opened the account: it stays nowhere that can be looked at."""
        self._key.line.clear()
