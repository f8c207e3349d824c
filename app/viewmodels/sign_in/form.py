"""What is typed on the first page: checked, filled in from what is known, made into an account."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum, auto
from functools import partial

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.accounts.account import Account, AuthMethod, new_account_id
from app.accounts.connection_file import ConnectionDetails
from app.accounts.registry import AccountRegistry, RegistryError, as_known
from app.api.addresses import check_base_url, check_redirect_address
from app.api.error_responses import plain_words
from app.api.errors import (
    AddressRefused,
    AuthorisationFailed,
    NotAuthorised,
    NotEncrypted,
    NotFound,
    UnreadableAnswer,
)
from app.api.sign_in.oauth import LEAST_PERMISSIONS, PERMISSIONS, in_order
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.api.sign_in.redirect_response import SecretRefused
from app.model.errors import ExpectedError, retranslatable_error, retranslatable_message
from app.runtime.words import retranslated, tr
from app.viewmodels.guarded_overrides import GuardedOverrides


class PermissionChoice(msgspec.Struct, frozen=True):
    """One permission: its value, what it allows, and whether it is asked for.

    `fixed`: Front Desk cannot do without it, so there is nothing to choose.
    """

    value: str
    words: str
    on: bool
    fixed: bool


def permission_choices(scope: Iterable[str]) -> tuple[PermissionChoice, ...]:
    """All permissions there are, in the order of the document."""
    asked = frozenset((*LEAST_PERMISSIONS, *scope))
    return tuple(
        PermissionChoice(value, words(), value in asked, value in LEAST_PERMISSIONS)
        for value, words in PERMISSIONS.items()
    )


def with_choice(scope: Iterable[str], value: str, *, on: bool) -> tuple[str, ...]:
    """The scope after somebody turned one permission on or off; a fixed one stays on."""
    asked = frozenset(scope) | {value} if on else frozenset(scope) - {value}
    return in_order((*LEAST_PERMISSIONS, *asked))


def permissions_remark(scope: Iterable[str]) -> str:
    """What to think of before asking for more than is needed; blank where nothing more is asked."""
    if in_order(scope) == LEAST_PERMISSIONS:
        return ""
    return tr(
        "Front Desk itself needs only the first. Whoever signs in must be allowed all of them."
    )


class SignInForm(msgspec.Struct, frozen=True):
    """What the fields of one way in say, but for what is secret.

    `with_secret`: the account was signed in to with a client secret, which may be kept.
    """

    name: str = ""
    base_url: str = ""
    client_id: str = ""
    redirect_uri: str = DEFAULT_REDIRECT_ADDRESS
    scope: tuple[str, ...] = LEAST_PERMISSIONS
    with_secret: bool = False

    @property
    def has_more(self) -> bool:
        """Whether there is something to see among what most people never need."""
        return self.with_secret or self.scope != LEAST_PERMISSIONS


class Field(Enum):
    """A field of the first page."""

    ADDRESS = auto()
    CLIENT_ID = auto()
    REDIRECT = auto()
    SECRET = auto()
    KEY = auto()
    PERMISSIONS = auto()
    NAME = auto()


class FieldRefused(ExpectedError):
    """What one field says cannot be right."""

    def __init__(self, field: Field, title: str, message: str, *, details: str = "") -> None:
        """`message` is one sentence that says what to change."""
        super().__init__(title, message, details=details)
        self.field = field


class SecretMissing(FieldRefused):
    """Signing in to this account takes a client secret that this computer does not have."""

    def __init__(self, account: Account) -> None:
        """Says where to type it."""
        super().__init__(
            Field.SECRET,
            tr("No client secret"),
            tr(
                "The client secret of {account} is not kept on this computer. "
                "Type it on the first page, behind “Client secret and permissions”.",
                account=account.name,
            ),
        )
        self.account = account


class FieldProblem(msgspec.Struct, frozen=True):
    """A sentence about one field of one way in."""

    auth_method: AuthMethod
    field: Field
    sentence: str

    @property
    def words(self) -> str:
        """The sentence, in the language that is spoken now."""
        return retranslated(self.sentence)


class Failure(msgspec.Struct, frozen=True):
    """Why one way in failed, where nothing that was typed is to blame."""

    auth_method: AuthMethod
    sentence: str

    @property
    def words(self) -> str:
        """The sentence, in the language that is spoken now."""
        return retranslated(self.sentence)


class Filled(msgspec.Struct, frozen=True):
    """The fields of one way in are to say this; `focus` is the one that is still to be typed.

    With `in_place_of` only while they say that: what somebody typed since is theirs.
    """

    auth_method: AuthMethod
    sign_in_form: SignInForm
    focus: Field | None = None
    in_place_of: SignInForm | None = None


def new_account(sign_in_form: SignInForm, auth_method: AuthMethod) -> Account:
    """The account that the first page's fields describe.

    Raises FieldRefused for an address or a client ID that cannot be one.
    """
    by_page = auth_method is AuthMethod.PAGE
    base_url = _checked(Field.ADDRESS, check_base_url, sign_in_form.base_url)
    if by_page and not sign_in_form.client_id.strip():
        raise FieldRefused(
            Field.CLIENT_ID,
            tr("No client ID"),
            tr("Please type the client ID that the account's settings show under integrations."),
        )
    redirect_uri = (
        _checked(Field.REDIRECT, check_redirect_address, sign_in_form.redirect_uri)
        if by_page
        else None
    )
    return Account(
        id=new_account_id(),
        name=sign_in_form.name.strip() or _name_by_address(base_url),
        base_url=base_url,
        auth_method=auth_method,
        client_id=sign_in_form.client_id.strip() if by_page else None,
        redirect_uri=redirect_uri if by_page else None,
        expires_at=None,
        scope=in_order((*LEAST_PERMISSIONS, *sign_in_form.scope)) if by_page else LEAST_PERMISSIONS,
    )


@retranslatable_error
def no_key() -> FieldRefused:
    """The field for the API key says nothing."""
    return FieldRefused(Field.KEY, tr("No key"), tr("Please paste the API key of the account."))


def key_refused(account: Account, error: NotAuthorised) -> FieldRefused:
    """The service does not know the key that was typed."""
    return _key_refused(account, error.details)


@retranslatable_error
def _key_refused(account: Account, details: str) -> FieldRefused:
    return FieldRefused(
        Field.KEY,
        tr("Key not accepted"),
        tr(
            "This key is not accepted. Copy the whole key once more from the settings of "
            "{account}, or ask an administrator of the account.",
            account=plain_words(account.name),
        ),
        details=details,
    )


def key_in(pasted: str) -> str:
    """The key without what is pasted along with it: blanks, quotation marks, a label before it.

    No key has a colon: it is a user name of HTTP Basic (api-spec, Method 2).
    """
    typed = pasted.strip(_AROUND_KEY)
    labelled = _LABELLED_KEY.fullmatch(typed)
    return labelled["key"].strip(_AROUND_KEY) if labelled else typed


_AROUND_KEY = " \t\r\n\u00a0\u200b\ufeff\"'“”‘’„«»"
_LABELLED_KEY = re.compile(r"([^:=]*:|[^:=]*key\s*=)\s*(?P<key>[^\s:]{4,})", re.IGNORECASE)


def field_to_blame(error: Exception, auth_method: AuthMethod | None) -> Field | None:
    """The field that has to be changed before the same attempt can work; None where none has."""
    if isinstance(error, FieldRefused):
        return error.field
    if isinstance(error, SecretRefused):
        return Field.SECRET
    if isinstance(error, AuthorisationFailed):
        return _BLAMED.get(error.value or "")
    if isinstance(error, NotAuthorised) and auth_method is AuthMethod.KEY:
        return Field.KEY
    not_there = isinstance(error, NotFound | UnreadableAnswer) and not error.transient
    return Field.ADDRESS if not_there or isinstance(error, NotEncrypted) else None


def sign_in_form_of(known: Account | ConnectionDetails) -> SignInForm:
    """The first page filled in for an account that is known already, or from a connection file.

    A name that nobody typed stays empty there, so that it follows the address.
    """
    return SignInForm(
        name="" if known.name == _name_by_address(known.base_url) else known.name,
        base_url=known.base_url,
        client_id=known.client_id or "",
        redirect_uri=known.redirect_uri or DEFAULT_REDIRECT_ADDRESS,
        scope=known.scope,
        with_secret=isinstance(known, Account) and known.with_secret,
    )


def _name_by_address(base_url: str) -> str:
    """What an account is called that nobody has named."""
    return base_url.rsplit("://", maxsplit=1)[-1]


def _checked(field: Field, check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except AddressRefused as error:
        refused = FieldRefused(field, error.title, error.message)
        refused.retranslate = partial(_refusal, check, text)
        raise refused from error


def _refusal(check: Callable[[str], str], text: str) -> ExpectedError:
    """What `check` says against a text that it does not take."""
    try:
        check(text)
    except AddressRefused as error:
        return error
    raise ValueError("an address that was refused is refused again")


_BLAMED = {"unknown_client": Field.CLIENT_ID, "invalid_redirect_uri": Field.REDIRECT}
"""By the error value in the redirect (api-spec, OAuth exchange errors)."""


class FirstPageState(msgspec.Struct, frozen=True):
    """What the first page shows besides what stands in its fields."""

    known: tuple[Account, ...] = ()
    """The accounts of this computer, the one used last first."""
    problem: FieldProblem | None = None
    """What has to be changed in one of the fields."""
    failure: Failure | None = None

    @property
    def said(self) -> FieldProblem | Failure | None:
        """What is said with one of the ways in."""
        return self.problem or self.failure


class FirstStartForm(GuardedOverrides, QObject):
    """The fields of the two ways in that have any. What somebody typed is never taken away."""

    state_changed = Signal(object)
    """Carries the `FirstPageState` that is to be shown now."""
    filled = Signal(object)
    """Carries a `Filled`: what the fields of one way in are to say from now on."""

    def __init__(self, registry: AccountRegistry) -> None:
        """Begins with the accounts that `registry` knows."""
        super().__init__()
        self._registry = registry
        self.state = FirstPageState(registry.accounts())
        self._fields = {
            auth_method: self._begun_with(auth_method)
            for auth_method in (AuthMethod.PAGE, AuthMethod.KEY)
        }

    def sign_in_form(self, auth_method: AuthMethod) -> SignInForm:
        """What the fields of a way in say, as far as anybody has pressed its button."""
        return self._fields[auth_method]

    def begun(self) -> AuthMethod | None:
        """The way in that somebody began with and that has not worked yet."""
        begun = self._registry.begun()
        return begun.auth_method if begun is not None else None

    def account(
        self, sign_in_form: SignInForm, auth_method: AuthMethod, secret: str = ""
    ) -> Account:
        """The account these fields describe, a known one if it is; raises FieldRefused.

        What they say is there again at the next start, should the window be closed meanwhile.
        """
        self._fields[auth_method] = sign_in_form
        self.forget_problem()
        account = as_known(new_account(sign_in_form, auth_method), self._registry.accounts())
        if auth_method is AuthMethod.KEY and not secret:
            raise no_key()
        # Signing in says by itself what it cannot write.
        with suppress(RegistryError):
            self._registry.begin(account)
        return account

    def take_account(self, account: Account) -> None:
        """Somebody left this account: signing in to it again needs no typing."""
        self.reread_known()
        if account.auth_method is not AuthMethod.DEMO:
            self._fill(Filled(account.auth_method, sign_in_form_of(account)))

    def ask_key_of(self, account: Account) -> None:
        """Only the key is missing to sign in to this account."""
        self._fill(Filled(AuthMethod.KEY, sign_in_form_of(account), Field.KEY))

    def ask_secret_of(self, account: Account) -> None:
        """Only the client secret is missing to sign in to this account."""
        self._fill(Filled(AuthMethod.PAGE, sign_in_form_of(account), Field.SECRET))

    def take_connection(self, connection: ConnectionDetails) -> None:
        """Fill the fields from a connection; one without a client ID is for an API key."""
        sign_in_form = sign_in_form_of(connection)
        self.forget_problem()
        self._fill(Filled(AuthMethod.PAGE, sign_in_form))
        if connection.client_id is None:
            self._fill(Filled(AuthMethod.KEY, sign_in_form, Field.KEY))

    def blame(self, error: Exception, auth_method: AuthMethod | None) -> None:
        """Say with this way in why it failed, and mark the field that has to be changed before it
        can work, if it is one; None: nobody went that way.
        """
        field = field_to_blame(error, auth_method)
        if auth_method is None:
            return
        sentence = retranslatable_message(error)
        if field is None:
            self._tell(replace(self.state, failure=Failure(auth_method, sentence)))
            return
        problem = FieldProblem(auth_method, field, sentence)
        self._tell(replace(self.state, problem=problem))

    def forget_problem(self) -> None:
        """Somebody types into the field that was wrong, or begins anew."""
        self._tell(replace(self.state, problem=None, failure=None))

    def reread_known(self) -> None:
        """An account of this computer was added, renamed or forgotten."""
        before, known = self.state.known, self._registry.accounts()
        self._tell(replace(self.state, known=known))
        there = {account.id for account in known}
        for account in before:
            if account.id not in there and account.auth_method in self._fields:
                self._empty(account)

    def _begun_with(self, auth_method: AuthMethod) -> SignInForm:
        begun = self._registry.begun()
        first = () if begun is None else (begun,)
        used = next(
            (each for each in (*first, *self.state.known) if each.auth_method is auth_method), None
        )
        return sign_in_form_of(used) if used is not None else SignInForm()

    def _empty(self, forgotten: Account) -> None:
        """What this computer no longer knows does not stand in its fields any more."""
        said = sign_in_form_of(forgotten)
        if self._fields[forgotten.auth_method] == said:
            self._fill(Filled(forgotten.auth_method, SignInForm(), in_place_of=said))

    def _fill(self, filled: Filled) -> None:
        self._fields[filled.auth_method] = filled.sign_in_form
        self.filled.emit(filled)

    def _tell(self, state: FirstPageState) -> None:
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)
