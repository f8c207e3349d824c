"""The settings page: every choice acts when it is made; an account is forgotten after a question.

How a choice looks or what it does to an account's screens is left to those who hear of it.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from app.accounts.account import Account
from app.accounts.session import SessionChanged
from app.accounts.vault import VaultReport
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.paths import shown
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.settings.settings import (
    LONGEST_HOLD,
    Changes,
    NameOrderChoice,
    Settings,
    SettingsBook,
    SettingsChanged,
    ThemeChoice,
)
from app.viewmodels.guarded import Guarded
from app.viewmodels.settings_rows import (
    AccountRow,
    KeptThing,
    Question,
    account_row,
    first_question,
    kept_things,
    unsure_question,
)

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Choice(Generic[Value]):
    """One of a few, and the words beside it."""

    value: Value
    words: str


class Forget(Protocol):
    """Removes an account with everything that is kept of it."""

    def __call__(self, account_id: str, *, even_unsure: bool) -> Awaitable[bool]:
        """True when the account is off the list.

        False when the vault, read again, did not confirm that the sign-in is gone: the account
        then stays on the list, unless `even_unsure`. Raises ExpectedError.
        """


class SettingsScreen(Guarded, QObject):
    """What the page shows and can do."""

    changed = Signal()

    def __init__(
        self,
        book: SettingsBook,
        events: EventBus,
        scope: TaskScope,
        *,
        accounts: Callable[[], Sequence[Account]],
        forget: Forget,
        in_use: Callable[[], str | None],
        unsent: Callable[[str], int],
        look_at_vault: Callable[[], Awaitable[VaultReport]],
        data_folder: Path,
    ) -> None:
        """`accounts` gives those of this computer, `in_use` the id of the one the window shows.

        `unsent`: how many people of the account of that id are not sent. `look_at_vault` may take
        seconds.
        """
        super().__init__()
        self._book = book
        self._accounts = accounts
        self._in_use = in_use
        self._unsent = unsent
        self._forget = forget
        self._look_at_vault = look_at_vault
        self._vault: VaultReport | None = None
        self._asked: Account | None = None
        self.data_folder = shown(data_folder)
        self.longest_hold = LONGEST_HOLD
        self.themes = (
            Choice(ThemeChoice.SYSTEM, tr("Follow the system")),
            Choice(ThemeChoice.LIGHT, tr("Light")),
            Choice(ThemeChoice.DARK, tr("Dark")),
        )
        self.name_orders = (
            Choice(NameOrderChoice.FIRST_LAST, tr("First name first, as in Ada Lovelace")),
            Choice(NameOrderChoice.LAST_FIRST, tr("Last name first, as in Lovelace Ada")),
        )
        self.accounts: tuple[AccountRow, ...] = ()
        self.question: Question | None = None
        self.said = ""
        self.trouble = False
        self._looking = Action(scope, self._find_vault, second="drop")
        self._forgetting = Action(
            scope,
            self._take_away,
            second="drop",
            on_error=self._failed,
            on_change=self.changed.emit,
        )
        events.subscribe(SettingsChanged, self._settings_changed, scope)
        events.subscribe(SessionChanged, self._session_changed, scope)

    # What is shown

    @property
    def settings(self) -> Settings:
        """The choices in force."""
        return self._book.settings

    @property
    def hold_words(self) -> str:
        """What the seconds an entry is held mean for the person."""
        if self.settings.hold_seconds == 0:
            return tr("A new person is sent at once and cannot be undone.")
        return trn(
            "A new person can be undone for {n} second. Once sent, it is final.",
            "A new person can be undone for {n} seconds. Once sent, it is final.",
            self.settings.hold_seconds,
        )

    @property
    def kept(self) -> tuple[KeptThing, ...]:
        """What is kept on this computer."""
        return kept_things(self._vault, keeps=self.settings.keep_on_this_computer)

    @property
    def busy(self) -> bool:
        """Whether an account is being forgotten."""
        return self._forgetting.running

    def open(self) -> None:
        """The page comes to the front: what it shows is read again."""
        self._say("")
        self.question = self._asked = None
        self._read_accounts()
        self._looking()

    # What can be done

    def choose_theme(self, theme: ThemeChoice) -> None:
        """Dress the window in this palette."""
        self._change({"theme": theme})

    def choose_name_order(self, order: NameOrderChoice) -> None:
        """Read typed names in this order."""
        self._change({"name_order": order})

    def hold(self, seconds: int) -> None:
        """Hold a new entry for so long; beyond the range the nearest that is allowed."""
        self._change({"hold_seconds": min(max(seconds, 0), LONGEST_HOLD)})

    def set_motion(self, on: bool) -> None:  # noqa: FBT001 - a plain switch, as Qt sends it
        """Let things on the screen move, or not."""
        self._change({"motion": on})

    def keep_nothing(self, on: bool) -> None:  # noqa: FBT001 - as above
        """Keep nothing of what is seen and done in an account beyond this run."""
        self._change({"keep_on_this_computer": not on})

    def say(self, sentence: str) -> None:
        """Put a sentence on the page that something did not work."""
        self._say(sentence, trouble=True)
        self.changed.emit()

    def dismiss(self) -> None:
        """Put the sentence away."""
        self._say("")
        self.changed.emit()

    def folder_stayed_shut(self) -> None:
        """The system would not open the folder."""
        self.say(tr("The folder could not be opened from here. Copy its path instead."))

    def ask_to_forget(self, account_id: str) -> None:
        """Ask first; an account that is gone already is only taken off the page."""
        account = next((one for one in self._accounts() if one.id == account_id), None)
        if self.busy:
            return
        self._say("")
        if account is None:
            self._read_accounts()
            return
        self._asked = account
        in_use = account_id == self._in_use()
        self.question = first_question(account, in_use=in_use, unsent=self._unsent(account_id))
        self.changed.emit()

    def keep_account(self) -> None:
        """The answer is no."""
        if not self.busy:
            self.question = self._asked = None
            self.changed.emit()

    def forget_account(self) -> None:
        """The answer is yes, or yes once more."""
        if self._asked is not None:
            self._forgetting(self._asked, even_unsure=False)

    def forget_anyway(self) -> None:
        """Take the account off the list although the vault left it open what it holds."""
        if self._asked is not None and self.question is not None and self.question.anyway:
            self._forgetting(self._asked, even_unsure=True)

    # How it is done

    def _change(self, changes: Changes) -> None:
        self._say("")
        try:
            self._book.change(**changes)
        except ExpectedError as error:
            self._say(error.message, trouble=True)
        self.changed.emit()

    async def _take_away(self, account: Account, *, even_unsure: bool) -> None:
        gone = await self._forget(account.id, even_unsure=even_unsure)
        if gone:
            self.question = self._asked = None
            self._say(tr("This computer no longer knows {name}.", name=account.name))
        else:
            self.question = unsure_question(account)
        self._read_accounts()

    def _failed(self, error: Exception) -> None:
        name = self._asked.name if self._asked is not None else ""
        self.question = self._asked = None
        self._say(
            tr("{name} could not be forgotten. {reason}", name=name, reason=str(error)),
            trouble=True,
        )
        self._read_accounts()

    async def _find_vault(self) -> None:
        self._vault = await self._look_at_vault()
        self.changed.emit()

    def _read_accounts(self) -> None:
        in_use = self._in_use()
        self.accounts = tuple(account_row(account, in_use) for account in self._accounts())
        self.changed.emit()

    def _say(self, sentence: str, *, trouble: bool = False) -> None:
        self.said, self.trouble = sentence, trouble

    def _settings_changed(self, _event: SettingsChanged) -> None:
        self.changed.emit()

    def _session_changed(self, _event: SessionChanged) -> None:
        self._read_accounts()
