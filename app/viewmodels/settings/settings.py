"""The settings page: the choices, what is kept on this computer, and the accounts it knows."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec
from PySide6.QtCore import QLocale

from app.accounts.account import Account, AuthMethod
from app.accounts.session import SessionChanged
from app.accounts.vault import VaultReport
from app.model.errors import ExpectedError
from app.outbox.unsent_people import UnsentPeople
from app.runtime.events import EventBus
from app.runtime.paths import shown
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.settings.settings import (
    LONGEST_HOLD,
    Changes,
    NameOrderChoice,
    Settings,
    SettingsChanged,
    SettingsStore,
    ThemeChoice,
)
from app.viewmodels.formatting import day
from app.viewmodels.notices import rescued, shortened
from app.viewmodels.screen import ActionFeedback, Screen


class KeptThing(msgspec.Struct, frozen=True):
    """One kind of thing that may be kept on this computer, and what of it is."""

    name: str
    sentence: str


class AccountRow(msgspec.Struct, frozen=True):
    """An account that this computer knows; `in_use` when the window shows it."""

    id: str
    name: str
    address: str
    auth_method: str
    sign_in: str
    in_use: bool


class Question(msgspec.Struct, frozen=True):
    """What is asked before an account is forgotten.

    `anyway` names the way out when the vault leaves it open whether a sign-in is gone, else blank.
    """

    account_id: str
    sentence: str
    act: str
    anyway: str = ""


def kept_things(vault: VaultReport | None, *, keeps: bool) -> tuple[KeptThing, ...]:
    """What is kept; `vault` is None until it was found out, `keeps` is the person's choice."""
    place = tr("Not kept: where you were is gone when you close the window.")
    lists = tr(
        "Not kept. They are read again at each start. Only people who are not sent when you "
        "choose this stay until they are; later ones are lost with the window, which asks first. "
        "Where it cannot ask, at a logout or a shutdown, they stay as well; a power cut loses them."
    )
    if keeps:
        lists = tr(
            "The lists as they were last read, and what you typed with what became of it: one "
            "folder for each account, readable by you alone. Forgetting an account removes it."
        )
        place = tr(
            "Where the window was, how the lists of each account were arranged, and what was "
            "chosen in them. No names and no email addresses."
        )
    return (
        KeptThing(
            tr("Accounts"),
            tr("Name, address and way in of the accounts below. No key and no password."),
        ),
        KeptThing(tr("Sign-ins"), _vault_words(vault)),
        KeptThing(tr("Settings"), tr("What you choose on this page.")),
        KeptThing(tr("Where you were"), place),
        KeptThing(
            tr("Log"),
            tr("What went wrong and when. No names, no email addresses, no key."),
        ),
        KeptThing(tr("People and flows"), lists),
    )


def _vault_words(vault: VaultReport | None) -> str:
    if vault is None:
        return tr("Looking for the vault of this computer.")
    if not vault.real:
        return vault.problem
    return tr("In the vault of this computer, {vault}, as “Front Desk”.", vault=vault.name)


def account_row(account: Account, in_use: str | None) -> AccountRow:
    """The row of `account`; `in_use` is the id of the account that the window shows."""
    return AccountRow(
        id=account.id,
        name=account.name,
        address=account.base_url,
        auth_method={
            AuthMethod.PAGE: tr("Signed in with its account page"),
            AuthMethod.KEY: tr("Signed in with an API key"),
            AuthMethod.DEMO: tr("Demo account"),
        }[account.auth_method],
        sign_in=_sign_in_words(account),
        in_use=account.id == in_use,
    )


def _sign_in_words(account: Account) -> str:
    if not account.in_vault:
        return tr("no sign-in kept")
    if account.has_expired(datetime.now(UTC)):
        return tr("the sign-in that is kept has ended")
    if account.expires_at is not None:
        return tr("sign-in kept until {day}", day=day(account.expires_at))
    if account.with_secret and account.access_until is None:
        return tr("only the client secret is kept")
    return tr("sign-in kept")


def first_question(account: Account, *, in_use: bool, unsent: UnsentPeople) -> Question:
    """Whether to forget `account`; those who are `unsent` would be lost."""
    sentences = [
        tr(
            "Forget {name}? Its address, its sign-in, its lists and what you typed are removed "
            "from this computer. In the account itself nothing changes.",
            name=account.name,
        )
    ]
    if account.with_secret and account.in_vault:
        sentences.append(
            tr(
                "Its client secret, which signing out leaves in the vault of this computer, is "
                "removed from there, too."
            )
        )
    if in_use:
        sentences.append(tr("You will be signed out."))
    sentences += _lost_words(unsent)
    return Question(account.id, " ".join(sentences), tr("Forget it"))


def _lost_words(unsent: UnsentPeople) -> list[str]:
    """Who would be lost, and where nobody can tell, that somebody may be."""
    sentences, people = [], len(unsent.entries)
    if unsent.rescue is not None:
        sentences.append(rescued(unsent.rescue).sentence)
        if not unsent.rescue.other_account:
            sentences.append(tr("That file is removed, too."))
    if unsent.unread:
        may = tr("People may be waiting whom Front Desk cannot read now; they would be lost.")
        sentences += [unsent.unread, may]
    if people and unsent.elsewhere:
        sentences.append(
            trn(
                "{n} person in its file is for another account or another address, {address}, "
                "is not sent yet and would be lost.",
                "{n} people in its file are for another account or another address, {address}, "
                "are not sent yet and would be lost.",
                people,
                address=shortened(unsent.elsewhere),
            )
        )
    elif people:
        sentences.append(
            trn(
                "{n} person is not sent yet and would be lost.",
                "{n} people are not sent yet and would be lost.",
                people,
            )
        )
    if unsent.set_aside:
        sentences.append(
            trn(
                "{n} person who was set aside in another file is not sent yet and would be lost.",
                "{n} people who were set aside in other files are not sent yet and would be lost.",
                len(unsent.set_aside),
            )
        )
    return sentences


def unsure_question(account: Account) -> Question:
    """What to do when the vault did not confirm that the sign-in is gone."""
    return Question(
        account.id,
        tr(
            "The vault of this computer did not confirm that the sign-in of {name} is gone. "
            "Unlock the vault and try again. Or take the account off this list and delete "
            "“Front Desk” in the vault yourself.",
            name=account.name,
        ),
        tr("Try again"),
        tr("Take it off the list"),
    )


Value = TypeVar("Value")


class SettingOption(msgspec.Struct, Generic[Value], frozen=True):
    """One of a few, and the words beside it."""

    value: Value
    words: str


class RememberedAccounts(Protocol):
    """The accounts of this computer, and what it keeps of them (`workspace.local_accounts`)."""

    @property
    def in_use(self) -> str | None:
        """The id of the one the window shows, None where nobody is in."""

    def all(self) -> Sequence[Account]:
        """Those this computer knows, and the one in use."""

    def unsent_of(self, account: Account) -> UnsentPeople:
        """Who of this account is not sent, wherever they are."""

    async def vault_in_use(self) -> VaultReport:
        """Where their sign-ins are kept; it may take seconds to find out."""

    async def forget(self, account_id: str, *, even_unsure: bool) -> bool:
        """Remove an account with everything that is kept of it; True when it is off the list.

        False when the vault, read again, did not confirm that the sign-in is gone: the account
        then stays on the list, unless `even_unsure`. Raises ExpectedError.
        """


class SettingsState(msgspec.Struct, frozen=True):
    """What the page shows. What does not apply is blank."""

    settings: Settings
    """The choices in force."""
    language: str
    """The code of the language that is chosen, blank for the system's."""
    hold_words: str
    """What the seconds an entry is held mean for the person."""
    kept: tuple[KeptThing, ...]
    """What is kept on this computer."""
    accounts: tuple[AccountRow, ...] = ()
    question: Question | None = None
    """Asked before an account is forgotten."""
    busy: bool = False
    """Whether an account is being forgotten."""
    said: str = ""
    """What was just done, or what was in the way, in one sentence."""
    is_error: bool = False
    """Whether `said` is about something that went wrong."""


def settings_state(
    settings: Settings,
    accounts: tuple[AccountRow, ...] = (),
    vault: VaultReport | None = None,
    question: Question | None = None,
    *,
    languages: Sequence[str] = (),
    busy: bool = False,
    said: str = "",
    is_error: bool = False,
) -> SettingsState:
    """What the page shows; `vault` is None until it was found out.

    `languages` are those there are: one that was chosen where there were others is the system's.
    """
    return SettingsState(
        settings=settings,
        language=settings.language if settings.language in languages else "",
        hold_words=hold_words(settings.hold_seconds),
        kept=kept_things(vault, keeps=settings.keep_on_this_computer),
        accounts=accounts,
        question=question,
        busy=busy,
        said=said,
        is_error=is_error,
    )


def hold_words(seconds: int) -> str:
    """What the seconds an entry is held mean for the person."""
    if seconds == 0:
        return tr("A new person is sent at once and cannot be undone.")
    return trn(
        "A new person can be undone for {n} second. Once sent, it is final.",
        "A new person can be undone for {n} seconds. Once sent, it is final.",
        seconds,
    )


_SPOKEN_ANYWHERE = {"en": "English", "es": "Español"}


def _own_name(code: str) -> str:
    """What those who speak a language call it, as it stands in a list."""
    language, _, country = code.partition("_")
    locale = QLocale(code)
    # Qt calls what is spoken anywhere by one of its countries: "español de España".
    name = _SPOKEN_ANYWHERE.get(language) or locale.nativeLanguageName()
    there = f" ({locale.nativeTerritoryName()})" if country else ""
    return f"{name[:1].upper()}{name[1:]}{there}"


class SettingsScreen(Screen[SettingsState]):
    """What the page shows and can do."""

    def __init__(
        self,
        store: SettingsStore,
        events: EventBus,
        scope: TaskScope,
        accounts: RememberedAccounts,
        data_folder: Path,
        *,
        languages: Sequence[str] = (),
    ) -> None:
        """Nothing is read before `open`. `languages` are the codes of those there are to choose."""
        super().__init__(settings_state(store.settings, languages=languages))
        self._store = store
        self._accounts = accounts
        self._vault: VaultReport | None = None
        self._asked: Account | None = None
        self._languages = languages
        self.data_folder = shown(data_folder)
        self.longest_hold = LONGEST_HOLD
        self._rows: tuple[AccountRow, ...] = ()
        self._question: Question | None = None
        self._feedback = ActionFeedback(self)
        self._feedback.changed.connect(self._tell)
        self._looking = Action(scope, self._find_vault, second="drop")
        self._forgetting = Action(
            scope,
            self._take_away,
            second="drop",
            on_error=self._failed,
            on_change=self._tell,
        )
        events.subscribe(SettingsChanged, self._settings_changed, scope)
        events.subscribe(SessionChanged, self._session_changed, scope)

    # What there is to choose from

    @property
    def themes(self) -> Sequence[SettingOption[ThemeChoice]]:
        """The palettes."""
        return (
            SettingOption(ThemeChoice.SYSTEM, tr("Follow the system")),
            SettingOption(ThemeChoice.LIGHT, tr("Light")),
            SettingOption(ThemeChoice.DARK, tr("Dark")),
        )

    @property
    def languages(self) -> Sequence[SettingOption[str]]:
        """The system's, which may be any of the others, and each by the name it has in itself."""
        offered = (SettingOption(code, _own_name(code)) for code in self._languages)
        return (SettingOption("", tr("The language of the system")), *offered)

    @property
    def name_orders(self) -> Sequence[SettingOption[NameOrderChoice]]:
        """How a name may be read."""
        return (
            SettingOption(NameOrderChoice.FIRST_LAST, tr("First name first, as in Ada Lovelace")),
            SettingOption(NameOrderChoice.LAST_FIRST, tr("Last name first, as in Lovelace Ada")),
        )

    # What can be done

    def open(self) -> None:
        """The page comes to the front: what it shows is read again."""
        self._feedback.say("")
        self._question = self._asked = None
        self._read_accounts()
        self._looking()

    def choose_theme(self, theme: ThemeChoice) -> None:
        """Dress the window in this palette."""
        self._change({"theme": theme})

    def choose_language(self, code: str) -> None:
        """Speak this language, blank for the system's."""
        self._change({"language": code})

    def say_anew(self) -> None:
        """Another language is spoken: what the page says is said in it."""
        self._feedback.say("")
        self._question = self._asked = None
        self._read_accounts()

    def choose_name_order(self, order: NameOrderChoice) -> None:
        """Read typed names in this order."""
        self._change({"name_order": order})

    def hold(self, seconds: int) -> None:
        """Hold a new entry for so long; beyond the range the nearest that is allowed."""
        self._change({"hold_seconds": min(max(seconds, 0), LONGEST_HOLD)})

    def set_motion(self, on: bool) -> None:  # noqa: FBT001 - a plain switch, as Qt sends it
        """Let things on the screen move, or not."""
        self._change({"motion": on})

    def set_contrast(self, on: bool) -> None:  # noqa: FBT001 - as above
        """Have more contrast, whatever the system asks for, or as it asks."""
        self._change({"contrast": on})

    def separate_by_semicolons(self, on: bool) -> None:  # noqa: FBT001 - as above
        """Put semicolons between copied addresses, or commas."""
        self._change({"semicolons": on})

    def keep_nothing(self, on: bool) -> None:  # noqa: FBT001 - as above
        """Keep nothing of what is seen and done in an account beyond this run."""
        self._change({"keep_on_this_computer": not on})

    def say(self, sentence: str) -> None:
        """Put a sentence on the page that something did not work."""
        self._feedback.say(sentence, is_error=True)

    def dismiss(self) -> None:
        """Put the sentence away."""
        self._feedback.say("")

    def folder_stayed_shut(self) -> None:
        """The system would not open the folder."""
        self.say(tr("The folder could not be opened from here. Copy its path instead."))

    def ask_to_forget(self, account_id: str) -> None:
        """Ask first; an account that is gone already is only taken off the page."""
        account = next((one for one in self._accounts.all() if one.id == account_id), None)
        if self._forgetting.running:
            return
        self._feedback.say("")
        if account is None:
            self._read_accounts()
            return
        self._asked = account
        in_use, unsent = account_id == self._accounts.in_use, self._accounts.unsent_of(account)
        self._question = first_question(account, in_use=in_use, unsent=unsent)
        self._tell()

    def keep_account(self) -> None:
        """The answer is no."""
        if not self._forgetting.running:
            self._question = self._asked = None
            self._tell()

    def forget_account(self) -> None:
        """The answer is yes, or yes once more."""
        if self._asked is not None:
            self._forgetting(self._asked, even_unsure=False)

    def forget_anyway(self) -> None:
        """Take the account off the list although the vault left it open what it holds."""
        if self._asked is not None and self._question is not None and self._question.anyway:
            self._forgetting(self._asked, even_unsure=True)

    # How it is done

    def _change(self, changes: Changes) -> None:
        self._feedback.say("")
        try:
            self._store.change(**changes)
        except ExpectedError as error:
            self._feedback.say_error(error)
        self._tell()

    async def _take_away(self, account: Account, *, even_unsure: bool) -> None:
        gone = await self._accounts.forget(account.id, even_unsure=even_unsure)
        if not gone:
            self._question = unsure_question(account)
            self._read_accounts()
            return
        self._question = self._asked = None
        self._read_accounts()
        self._feedback.say(tr("This computer no longer knows {name}.", name=account.name))

    def _failed(self, error: Exception) -> None:
        name = self._asked.name if self._asked is not None else ""
        self._question = self._asked = None
        self._read_accounts()
        self._feedback.say(
            tr("{name} could not be forgotten. {reason}", name=name, reason=str(error)),
            is_error=True,
        )

    async def _find_vault(self) -> None:
        self._vault = await self._accounts.vault_in_use()
        self._tell()

    def _read_accounts(self) -> None:
        in_use = self._accounts.in_use
        self._rows = tuple(account_row(account, in_use) for account in self._accounts.all())
        self._tell()

    def _settings_changed(self, _event: SettingsChanged) -> None:
        self._tell()

    def _session_changed(self, _event: SessionChanged) -> None:
        self._read_accounts()

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the page."""
        self._set_state(
            settings_state(
                self._store.settings,
                self._rows,
                self._vault,
                self._question,
                languages=self._languages,
                busy=self._forgetting.running,
                said=self._feedback.sentence,
                is_error=self._feedback.is_error,
            )
        )
