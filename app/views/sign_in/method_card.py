"""One way to sign in as a card, of which the first page has several: its fields, and what is wrong
with one of them.

That stands where the way is described else, in room that is there already: it moves no field and no
button.
"""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.accounts.account import AuthMethod
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.form import (
    Failure,
    Field,
    FieldProblem,
    SignInForm,
    permission_choices,
    permissions_remark,
    with_choice,
)
from app.views.widgets.buttons import CopyAddress, button, label, set_flag
from app.views.widgets.labels import (
    announce,
    set_tip,
)
from app.views.widgets.layouts import FocusInset, wrapping_box

_LINES = {AuthMethod.PAGE: 3, AuthMethod.KEY: 4}
"""For so many lines of what may be wrong there is room in a card; that of a key is narrower."""


class FormField(GuardedOverrides, QWidget):
    """One line to type in. `entered`: Enter in it; `corrected`: typing into it while wrong."""

    entered = Signal()
    corrected = Signal()

    def __init__(self, name: str, hint: str = "", *, spoken: str = "") -> None:
        """`spoken` is what a screen reader calls it, where two fields have one name."""
        super().__init__()
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(hint)
        self.edit.setAccessibleName(spoken or name)
        self.edit.returnPressed.connect(self.entered)
        self.edit.textEdited.connect(self._edited)
        caption = label(name)
        caption.setBuddy(self.edit)
        self._wrong = ""
        self._beside = QHBoxLayout()
        self._beside.setSpacing(8)
        self._beside.addWidget(self.edit, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(caption)
        rows.addLayout(self._beside)

    def put_beside(self, widget: QWidget) -> None:
        """Set a button behind the line."""
        self._beside.addWidget(widget)

    def hide_letters(self) -> None:
        """What is typed here is nobody else's business."""
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)

    def blame(self, sentence: str) -> None:
        """What is wrong with what is typed here gets the keyboard; blank: nothing is."""
        if sentence == self._wrong:
            return
        self._wrong = sentence
        self.edit.setAccessibleDescription(sentence)
        set_flag(self.edit, "wrong", bool(sentence))
        if sentence:
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.edit.selectAll()

    @property
    def is_wrong(self) -> bool:
        """Whether what is typed here has to be changed."""
        return bool(self._wrong)

    def _edited(self) -> None:
        if self._wrong:
            self.corrected.emit()


class CardSentence(GuardedOverrides, QWidget):
    """What a way to sign in is; or, in the same place, what is wrong."""

    def __init__(self, sentence: str, lines: int) -> None:
        """Nothing is wrong, for which there is room in so many `lines`."""
        super().__init__()
        self._what = label(sentence, "soft", wraps=True)
        self._problem = label("", "problem", wraps=True)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        for each in (self._what, self._problem):
            rows.addWidget(each)
        rows.addStretch(1)
        self._problem.ensurePolished()
        self.setMinimumHeight(lines * self._problem.fontMetrics().lineSpacing())
        self.say("")

    def say(self, problem: str) -> None:
        """Say what is wrong; blank: nothing is."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._what.setVisible(not problem)


class SecretAndPermissions(GuardedOverrides, QWidget):
    """A button that unfolds the field for the secret and a box for each permission."""

    scope_changed = Signal()
    """Another permission is asked for, or one no longer."""

    def __init__(self) -> None:
        """Folded, with the one permission that cannot be left out."""
        super().__init__()
        self.scope = SignInForm().scope
        self.secret = FormField(tr("Client secret"), tr("Only if your administrator gave you one"))
        self.secret.hide_letters()
        self._unfold = button(tr("Client secret and permissions"), self._toggle, "link")
        self._unfold.setAutoDefault(True)
        self._boxes: dict[str, QCheckBox] = {}
        self._remark = label("", "soft", wraps=True)
        self._inside = QWidget()
        self._build()
        self._show_choices()
        self.open(is_open=False)

    @property
    def is_open(self) -> bool:
        """Whether the field and the boxes can be seen."""
        return not self._inside.isHidden()

    def open(self, *, is_open: bool = True) -> None:
        """Unfold it, or fold it."""
        self._inside.setVisible(is_open)
        self._unfold.setAccessibleDescription(tr("Unfolded") if is_open else tr("Folded"))

    def fill(self, sign_in_form: SignInForm) -> None:
        """Ask for these permissions; say whether a secret may be kept. What was typed goes."""
        self.scope = sign_in_form.scope
        self.secret.edit.clear()
        self.secret.edit.setPlaceholderText(
            tr("Kept on this computer. Type here to use another one.")
            if sign_in_form.with_secret
            else tr("Only if your administrator gave you one")
        )
        self._show_choices()
        self.open(is_open=sign_in_form.has_more)

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
            self.scope_changed.emit()

    def _show_choices(self) -> None:
        for choice in permission_choices(self.scope):
            self._boxes[choice.value].setChecked(choice.on)
        remark = permissions_remark(self.scope)
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))

    def _toggle(self) -> None:
        self.open(is_open=not self.is_open)
        if self.is_open:
            self.secret.edit.setFocus(Qt.FocusReason.OtherFocusReason)


class MethodCard(GuardedOverrides, QFrame):
    """What the two ways with fields share; `pressed` is the button, by click or by Enter.

    The fields stay folded away until somebody asks for them, or there is something in them.
    """

    pressed = Signal()
    corrected = Signal()
    unfolded = Signal()
    """The fields can be seen now, or no longer."""

    def __init__(self, auth_method: AuthMethod, sentence: str, unfold: str, action: str) -> None:
        """A card without fields yet; `unfold` and `action` are the texts of its buttons."""
        super().__init__()
        self.setProperty("role", "card")
        self.auth_method = auth_method
        self._fields: Mapping[Field, FormField] = {}
        self.button = button(action, self.pressed.emit, "primary")
        self._unfold = button(unfold, self._toggle, "link")
        self._unfold.setAutoDefault(True)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(20, 16, 20, 16)
        self._rows.setSpacing(10)
        self._inside = QWidget()
        self._form = QVBoxLayout(self._inside)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setSpacing(10)
        self._inside.hide()
        self._unfold.setAccessibleDescription(tr("Folded"))
        self._sentence = CardSentence(sentence, _LINES[auth_method])
        self._copy = button(tr("Copy details"), self._copy_details, "link")
        self._copy.hide()
        self._details = ""
        self._blames_no_field = False

    def lead(self, leads: bool) -> None:  # noqa: FBT001 - a plain switch, like setEnabled
        """There is one loud button on the page; this card has it or has not."""
        set_flag(self.button, "role", "primary" if leads else "")

    @property
    def has_open_fields(self) -> bool:
        """Whether there is something to type into."""
        return not self._inside.isHidden()

    @property
    def form(self) -> QWidget:
        """The fields with their button: closed while an answer is waited for."""
        return self._inside

    @property
    def leads_on(self) -> QPushButton:
        """The button for what comes next in this way: its fields, or what is done with them."""
        return self.button if self.has_open_fields else self._unfold

    def open_fields(self, *, is_open: bool = True) -> None:
        """Unfold the fields, or fold them."""
        if is_open != self.has_open_fields:
            self._unfold.setAccessibleDescription(tr("Unfolded") if is_open else tr("Folded"))
            self._inside.setVisible(is_open)
            self.unfolded.emit()

    def show_problem(self, problem: FieldProblem | Failure | None, details: str = "") -> None:
        """Say what is wrong, mark its field, and offer `details` to copy; None, or a problem of the
        other way: nothing is.
        """
        mine = problem if problem is not None and problem.auth_method is self.auth_method else None
        if mine is not None:
            self.open_fields()
        blamed = mine if isinstance(mine, FieldProblem) else None
        field = blamed.field if blamed is not None else None
        said = mine.words if mine is not None else ""
        self._sentence.say(said)
        before, self._blames_no_field = self._blames_no_field, mine is not None and field is None
        for kind, each in self._fields.items():
            each.blame(said if kind is field else "")
        if self._blames_no_field and not before:
            announce(self, said, urgent=True)
        self._offer_details(details if mine is not None else "")

    @property
    def said_of_it(self) -> QWidget:
        """Where what is wrong stands."""
        return self._sentence

    def focus(self, kind: Field | None) -> None:
        """Put the keyboard into a field, or on the button when nothing is left to type."""
        self.open_fields()
        field = self._fields.get(kind) if kind is not None else None
        (field.edit if field is not None else self.button).setFocus()

    @property
    def said(self) -> SignInForm:
        """What the fields say; each way has others."""
        raise NotImplementedError

    @property
    def secret(self) -> str:
        """What is secret among what is typed, as it was typed; each way has another."""
        raise NotImplementedError

    def fill(self, sign_in_form: SignInForm) -> None:
        """Say this from now on, unfolded where it is anything."""
        self._say(sign_in_form)
        if sign_in_form != SignInForm():
            self.open_fields()

    def empty(self, said: SignInForm) -> None:
        """Say nothing any more, unless somebody has typed something else than `said`."""
        if self.said == said:
            self.fill(SignInForm())

    def _say(self, sign_in_form: SignInForm) -> None:
        raise NotImplementedError

    def _toggle(self) -> None:
        self.open_fields(is_open=not self.has_open_fields)
        if self.has_open_fields:
            next(iter(self._fields.values())).edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _last(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.button)
        line.addWidget(self._copy)
        line.addStretch(1)
        return line

    def _offer_details(self, details: str) -> None:
        if details != self._details:
            self._details = details
            self._copy.setText(tr("Copy details"))
            self._copy.setVisible(bool(details))

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(self._details)
        self._copy.setText(tr("Copied"))
        announce(self, tr("Copied"))

    def _edited(self) -> None:
        if self._blames_no_field:
            self.corrected.emit()

    def _take_fields(self, fields: Mapping[Field, FormField], below: QWidget | None = None) -> None:
        """`below` comes after the fields and holds those among them that have a parent already."""
        self._fields = fields
        for field in fields.values():
            field.entered.connect(self.button.click)
            field.corrected.connect(self.corrected)
            field.edit.textEdited.connect(self._edited)
            if field.parentWidget() is None:
                self._form.addWidget(field)
        if below is not None:
            self._form.addWidget(below)
        self._form.addSpacing(4)
        self._form.addLayout(self._last())
        self._rows.addWidget(self._inside)
        self._rows.addStretch(1)


class PageCard(MethodCard):
    """Signing in on the account's own page."""

    def __init__(self, first: QWidget | None = None, last: QWidget | None = None) -> None:
        """Empty fields but for our usual redirect address.

        `first` and `last` stand before and behind the button that unfolds them.
        """
        sentence = tr(
            "You sign in on the account's own page and allow Front Desk there. "
            "A colleague's connection file brings the address and the client ID."
        )
        super().__init__(AuthMethod.PAGE, sentence, tr("Type them in"), tr("Sign in"))
        self._rows.addWidget(label(tr("Sign in with your account page"), "heading"))
        self._rows.addWidget(self._sentence)
        box, line = wrapping_box(10)
        for each in (first, self._unfold, last):
            if each is not None:
                line.insert_widget(each)
        self._rows.addWidget(box)
        self._address = FormField(tr("Address"), tr("For example: https://riverside.example.org"))
        self._client_id = FormField(
            tr("Client ID"), tr("From an administrator of the account, or a connection file")
        )
        self._redirect = FormField(tr("Redirect address"))
        self._redirect.put_beside(CopyAddress(tr("Copy the redirect address"), self.redirect_uri))
        self._name = FormField(tr("Name"), tr("If you like. For example: Riverside Community"))
        self._with_secret = False
        self._more = SecretAndPermissions()
        self._more.scope_changed.connect(self._edited)
        self._take_fields(
            {
                Field.ADDRESS: self._address,
                Field.CLIENT_ID: self._client_id,
                Field.REDIRECT: self._redirect,
                Field.NAME: self._name,
                Field.SECRET: self._more.secret,
            },
            below=self._more,
        )

    @property
    def secret(self) -> str:
        """The client secret as it was typed."""
        return self._more.secret.edit.text()

    @property
    def is_unfolded(self) -> bool:
        """Whether the secret and the permissions can be seen."""
        return self._more.is_open

    def type_secret(self, secret: str, *, is_unfolded: bool) -> None:
        """Have this typed where it goes, and that field unfolded or not."""
        self._more.secret.edit.setText(secret)
        self._more.open(is_open=is_unfolded)

    def forget_secret(self) -> None:
        """It has opened the account: it stays nowhere that can be looked at."""
        self._more.secret.edit.clear()

    def show_problem(self, problem: FieldProblem | Failure | None, details: str = "") -> None:
        """As in every card; a field that is folded away is unfolded first."""
        if isinstance(problem, FieldProblem):
            wrong = (problem.auth_method, problem.field)
            if wrong == (self.auth_method, Field.SECRET):
                self._more.open()
        super().show_problem(problem, details)

    def focus(self, kind: Field | None) -> None:
        """As in every card; a field that is folded away is unfolded first."""
        if kind is Field.SECRET:
            self._more.open()
        super().focus(kind)

    @property
    def said(self) -> SignInForm:
        """What the fields say, but for the secret."""
        return SignInForm(
            name=self._name.edit.text(),
            base_url=self._address.edit.text(),
            client_id=self._client_id.edit.text(),
            redirect_uri=self._redirect.edit.text(),
            scope=self._more.scope,
            with_secret=self._with_secret,
        )

    def redirect_uri(self) -> str:
        """The redirect address as it stands in its field."""
        return self._redirect.edit.text()

    def _say(self, sign_in_form: SignInForm) -> None:
        self._name.edit.setText(sign_in_form.name)
        self._address.edit.setText(sign_in_form.base_url)
        self._client_id.edit.setText(sign_in_form.client_id)
        self._redirect.edit.setText(sign_in_form.redirect_uri)
        self._with_secret = sign_in_form.with_secret
        self._more.fill(sign_in_form)


class KeyCard(MethodCard):
    """Signing in with an API key."""

    def __init__(self) -> None:
        """Empty fields."""
        sentence = tr(
            "Whoever holds the key can do everything the account allows: keep it to yourself."
        )
        super().__init__(AuthMethod.KEY, sentence, tr("Use an API key"), tr("Use this key"))
        self._rows.addLayout(FocusInset(self._unfold))
        self._form.addWidget(self._sentence)
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
        self._take_fields(
            {Field.ADDRESS: self._address, Field.KEY: self._key, Field.NAME: self._name}
        )

    @property
    def said(self) -> SignInForm:
        """What the fields say, but for the key."""
        return SignInForm(name=self._name.edit.text(), base_url=self._address.edit.text())

    @property
    def secret(self) -> str:
        """The key as it was typed."""
        return self._key.edit.text()

    def _say(self, sign_in_form: SignInForm) -> None:
        self._name.edit.setText(sign_in_form.name)
        self._address.edit.setText(sign_in_form.base_url)

    def type_key(self, key: str) -> None:
        """Have this typed where the key goes."""
        self._key.edit.setText(key)

    def forget_key(self) -> None:
        """It has opened the account: it stays nowhere that can be looked at."""
        self._key.edit.clear()
