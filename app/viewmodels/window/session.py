"""Signing in, again and out, as the window shows it: its words and its errors."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import chain, repeat

from PySide6.QtCore import QObject, QTimer, Signal

from app.accounts.account import Account, AuthMethod
from app.accounts.connection_file import ConnectionDetails
from app.accounts.reconnect import WAITS
from app.accounts.registry import AccountRegistry
from app.accounts.session import (
    AccountRecogniser,
    ConnectionChanged,
    Session,
    SessionChanged,
    SessionState,
    SupersededError,
)
from app.api.errors import ApiError, NotAuthorised, TooSlow, Unreachable, UnreadableAnswer
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels import notices
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.notices import Notice
from app.viewmodels.screen import Screen
from app.viewmodels.sign_in.form import (
    FieldRefused,
    FirstStartForm,
    SecretMissing,
    SignInForm,
    key_in,
)
from app.viewmodels.sign_in.signing_in import DemoStarter, SignInBrowser, SigningIn
from app.viewmodels.window.notice_queue import NoticeQueue
from app.viewmodels.window.session_state import (
    ExpiryTimer,
    SessionScreenState,
    session_screen_state,
)


def is_transient(error: Exception) -> bool:
    """Whether the same key may well be taken a little later: nobody has refused it."""
    about_connection = isinstance(error, (Unreachable, TooSlow, UnreadableAnswer))
    return about_connection or (isinstance(error, ApiError) and error.transient)


class KeyRetry(GuardedOverrides, QObject):
    """Signs in without a word, ever more rarely, while nothing else is under way."""

    refused = Signal(object)
    """Carries the error that ends trying."""

    def __init__(
        self,
        session: Session,
        signing_in: SigningIn,
        scope: TaskScope,
        *,
        waits: Sequence[float] | None = None,
    ) -> None:
        """`waits` are seconds between two tries, the last one repeats."""
        super().__init__()
        self._session = session
        self._signing_in = signing_in
        self.given: tuple[Account, str] | None = None
        """The key and the account it is for; None ends trying."""
        self._waits = WAITS if waits is None else waits
        self.begin = Action(scope, self._try_again, second="drop", on_error=self.refused.emit)

    async def _try_again(self) -> None:
        for seconds in chain(self._waits, repeat(self._waits[-1])):
            await asyncio.sleep(seconds)
            given = self.given
            if given is None:
                return
            if not self._signing_in.running and await self._answered(*given):
                return

    async def _answered(self, account: Account, key: str) -> bool:
        try:
            await self._session.sign_in(account, key, remember=False)
        except SupersededError:
            return False
        except ExpectedError as error:
            if is_transient(error):
                return False
            raise
        return True


class SessionScreen(Screen[SessionScreenState]):
    """Signing in, again and out. Every way ends once, with a sentence when it did not work."""

    went_on = Signal()
    """Somebody does the next thing: what was said of the last one is over."""

    def __init__(
        self,
        session: Session,
        events: EventBus,
        scope: TaskScope,
        *,
        browser: SignInBrowser,
        demo: DemoStarter,
        registry: AccountRegistry,
    ) -> None:
        """Nobody is signed in yet."""
        super().__init__(SessionScreenState())
        self._session = session
        self._browser = browser
        self.first_page = FirstStartForm(registry)
        self._notices = NoticeQueue()
        self._lists_as_of: datetime | None = None
        self._was = SessionState.SIGNED_OUT
        self._shown: Account | None = None
        self._before: Notice | None = None
        self._beginning = False
        self._asks: Notice | None = None
        tell = self._work_changed
        self._expiry_timer = ExpiryTimer(session, scope)
        self._expiry_timer.passed.connect(self._tell)
        self._remark_ends = QTimer(self, singleShot=True)
        self._remark_ends.timeout.connect(self.went_on)
        scope.call_on_close(self._remark_ends.stop)
        self.went_on.connect(self._take_back_remark)
        self._signing_in = SigningIn(session, scope, browser, demo)
        self._signing_in.given_up.connect(self._given_up)
        self._signing_in.failed.connect(self._failed)
        self._signing_in.work_changed.connect(tell)
        self._signing_out = Action(scope, self._leave, second="drop", on_error=self.say_error)
        self._restoring = Action(
            scope, session.restore, second="drop", on_error=self.say_error, on_change=tell
        )
        self._going_on = Action(
            scope, session.go_on_with, second="drop", on_error=self.say_error, on_change=tell
        )
        self._asking = Action(
            scope,
            self._check_connection,
            second="drop",
            on_error=self._check_failed,
            on_change=tell,
        )
        self._key_retry = KeyRetry(session, self._signing_in, scope)
        self._key_retry.refused.connect(self._given_refused)
        events.subscribe(SessionChanged, self._session_changed, scope)
        events.subscribe(ConnectionChanged, self._connection_changed, scope)
        self._tell()

    def recognise_with(self, recogniser: AccountRecogniser) -> None:
        """Let `recogniser` tell accounts of one address apart; before it nobody does."""
        self._signing_in.recogniser = recogniser

    @property
    def account(self) -> Account | None:
        """The account the window is about, signed in or not."""
        return self._session.account

    # What can be done

    def begin(self, way: Callable[[], object]) -> None:
        """At the start of the program: `way` leads back in, and nobody is asked meanwhile."""
        self._beginning = True
        way()
        self._work_changed()

    def restore(self) -> None:
        """Come back to the account used last, or to the one whose key was given at the start."""
        self._before = self.state.notice
        self.say(None)
        if self._key_retry.given is not None:
            self._signing_in.for_this_run(*self._key_retry.given)
        else:
            self._restoring()

    def check_connection(self) -> None:
        """Ask the service now whether it answers."""
        self._asking()

    def try_demo(self) -> None:
        """Sign in to the demo account, which lives on this computer."""
        self._signing_in.by_demo()

    def sign_in_with_page(self, sign_in_form: SignInForm, secret: str = "") -> None:
        """Show the account's own page and sign in with what it grants.

        With a client `secret`, typed or kept, access is renewed by itself from then on.
        """
        self._begin(sign_in_form, AuthMethod.PAGE, secret.strip())

    def sign_in_with_key(self, sign_in_form: SignInForm, key: str) -> None:
        """Sign in with an API key."""
        self._begin(sign_in_form, AuthMethod.KEY, key_in(key))

    def sign_in_to(self, account: Account) -> None:
        """Sign in to a known account; where that takes a key, the first page asks for it."""
        if account.auth_method is AuthMethod.PAGE:
            self.say(None)
            self._signing_in.by_page(account)
        else:
            self.first_page.ask_key_of(account)
            self.say(notices.key_wanted(account.name))

    def sign_in_again(self) -> bool:
        """Repeat the page sign-in of the account shown; False when a key must be typed instead."""
        account = self._session.account
        if account is None or account.auth_method is AuthMethod.KEY:
            return False
        if account.auth_method is AuthMethod.DEMO:
            self.try_demo()
        else:
            self._signing_in.by_page(account)
        return True

    def replace_key(self, key: str) -> None:
        """Sign in to the account shown with another key."""
        if self._session.account is not None and (taken := key_in(key)):
            self._signing_in.give_way()
            self._signing_in.by_key(self._session.account, taken)

    def use_key(self, account: Account, key: str, *, known: bool = False) -> None:
        """Sign in with a key given from outside (a kiosk's environment).

        `known`: this computer has its lists, which are shown before the service is asked.
        """
        if known:
            self._signing_in.from_outside = True
            self._going_on(account, key)
            return
        self._key_retry.given = account, key
        self._signing_in.for_this_run(account, key)

    def stop(self) -> None:
        """Give up signing in; nothing has changed."""
        self._signing_in.stop()
        if self._restoring.running:
            self._restoring.cancel()
            self.say(self._before or notices.not_asked())

    def sign_out(self) -> None:
        """Forget the credential, here and in the vault."""
        self._signing_out()

    async def signed_out(self) -> None:
        """Wait until a signing out that is under way has deleted what it deletes."""
        await self._signing_out.ended()

    def take_connection(self, connection: ConnectionDetails) -> None:
        """Fill the first page from a connection."""
        self.first_page.take_connection(connection)
        self.say(None)

    def correct(self) -> None:
        """Somebody types into the field that was wrong: what was said about it is answered."""
        problem = self.first_page.state.said
        self.first_page.forget_problem()
        said = self._notices.said
        if problem and said and said.sentence == problem.sentence:
            self.say(None)

    def dismiss(self) -> None:
        """The person puts the sentence away."""
        self._notices.read()
        self._tell()

    def agree(self) -> None:
        """The person says yes to what the sentence offers."""
        self._notices.agree()
        self._tell()

    def decline(self) -> None:
        """The person says no to it."""
        self._notices.decline()
        self._tell()

    async def ask(self, question: Notice) -> bool | None:
        """Put up a question that waits for its answer: True where somebody agrees, False where they
        say that it is otherwise, None where they put it away.
        """
        said: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()

        def take(*, answer: bool | None) -> None:
            if not said.done():
                said.set_result(answer)

        self._notices.put_up(
            question,
            partial(take, answer=None),
            partial(take, answer=True),
            partial(take, answer=False),
        )
        self._asks = question
        self._tell()
        try:
            return await said
        finally:
            self._asks = None
            self.take_back(question)

    def say(self, notice: Notice | None) -> None:
        """Put a sentence across the window, in place of the one before."""
        self._notices.said = notice
        if notice is not None and notice.passing:
            self.go_on_in_time()
        self._tell()

    def go_on_in_time(self) -> None:
        """Tell `went_on` once somebody had the time to read what is said now, if not before."""
        self._remark_ends.start(round(notices.REMARK_SECONDS * 1000))

    def ask_before_leaving(self, question: Notice) -> None:
        """Ask whether to go all the same, until somebody says so or puts the question away."""
        self._notices.question = question
        self._tell()

    def pin(self, notice: Notice | None) -> None:
        """Show `notice` for as long as it is true, behind all that is graver; None: it is not
        true any more. Put away by somebody, it is gone until it is said anew.
        """
        self._notices.pinned = notice
        self._tell()

    def say_until_read(
        self,
        notice: Notice,
        on_read: Callable[[], None] = lambda: None,
        on_yes: Callable[[], None] = lambda: None,
    ) -> None:
        """Put up a sentence that stays, behind trouble of the moment, until somebody answers."""
        self._notices.put_up(notice, on_read, on_yes)
        self._tell()

    def take_back(self, notice: Notice) -> None:
        """What was said is no longer true."""
        self._notices.take_down(notice)
        self._tell()

    def shows_lists_of(self, moment: datetime | None) -> None:
        """How old the lists on the screen are (UTC), for as long as the service says nothing."""
        self._lists_as_of = moment
        self._tell()

    def report(self, error: Exception) -> Notice | None:
        """Say an expected error; one about being refused is followed by the session's own. Gives
        what is said, to be taken back once it is not true.
        """
        if self._session.state is not SessionState.SIGNED_IN:
            return None
        self.first_page.blame(error, None)
        return self.say_error_of_moment(error)

    def say_error(self, error: Exception, auth_method: AuthMethod | None = None) -> None:
        """Say an expected error, where that is wanted with the way in that has failed."""
        self.first_page.blame(error, auth_method)
        self.say(self._went_wrong(error))

    def say_error_of_moment(self, error: Exception) -> Notice:
        """Say an expected error; gives what is said, to be taken back once it is not true."""
        notice = self._went_wrong(error)
        self.say(notice)
        return notice

    # How it is done

    def _take_back_remark(self) -> None:
        self._remark_ends.stop()
        said = self._notices.said
        if said is not None and said.passing:
            self.say(None)

    def _went_wrong(self, error: Exception) -> Notice:
        state = self._session.state  # asked first: it may end a session whose time is over
        about_connection = self._was is SessionState.SIGNED_IN and not self._session.online
        return notices.went_wrong(error, state, about_connection=about_connection)

    def _begin(self, sign_in_form: SignInForm, auth_method: AuthMethod, secret: str) -> None:
        if self._busy:
            return
        try:
            account = self.first_page.account(sign_in_form, auth_method, secret)
        except FieldRefused as error:
            self.say_error(error, auth_method)
            return
        self.say(None)
        if auth_method is AuthMethod.PAGE:
            self._signing_in.by_page(account, secret, by=auth_method)
        else:
            self._signing_in.by_key(account, secret, by=auth_method)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, SecretMissing):
            self.first_page.ask_secret_of(error.account)
        if not self._signing_in.from_outside:
            self.say_error(error, self._signing_in.by)
        elif isinstance(error, ExpectedError) and is_transient(error):
            self.say(notices.tried_again(error))
            self._key_retry.begin()
        else:
            self._given_refused(error)

    def _given_refused(self, error: Exception) -> None:
        given, self._key_retry.given = self._key_retry.given, None
        if given is not None and isinstance(error, NotAuthorised):
            sentence = notices.given_key_words(given[0].name)
            error = ExpectedError(error.title, sentence, details=error.details)
        self.say_error(error)

    def _given_up(self) -> None:
        self.say(notices.given_up(self._session.state, given=self._key_retry.given))

    def say_anew(self) -> None:
        """Another language is spoken: what is true is said in it."""
        self.first_page.reread_known()
        self._tell()

    def _work_changed(self) -> None:
        if not self._busy:
            self._beginning = False
        self._tell()

    @property
    def _busy(self) -> bool:
        coming_back = self._restoring.running or self._going_on.running
        return self._signing_in.running or coming_back

    @property
    def _work_words(self) -> str:
        if self._restoring.running:
            return tr("Asking this computer's vault")
        if self._asks is not None:
            return ""  # it is the person's turn
        return tr("Trying the connection") if self._asking.running else self._signing_in.words

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the session."""
        # Asked before anything else is gathered: asking ends a session whose time is over, and what
        # is shown of that end would be written over with what was true before.
        _ = self._session.state
        self._notices.said_in_form = self._said_in_form()
        state = session_screen_state(
            self._session,
            self._notices.shown,
            self._lists_as_of,
            busy=self._busy,
            beginning=self._beginning,
            work_words=self._work_words,
            beside=self._notices.beside,
            said_in_form=self._notices.said_in_form,
        )
        self._set_state(state)
        # Whoever said last what stands there already knows it again by its notice.
        self.state = state

    def _said_in_form(self) -> Notice | None:
        said, problem = self._notices.said, self.first_page.state.said
        asks = self._session.state is SessionState.SIGNED_OUT and not self._beginning
        if said is None or problem is None or not asks:
            return None
        return said if said.sentence == problem.sentence else None

    async def _check_connection(self) -> None:
        if self._session.service is not None:
            await self._session.service.check()

    def _check_failed(self, error: Exception) -> None:
        """Where it answers again the lists are read at once, and say what is still wrong."""
        if self._session.state is not SessionState.SIGNED_IN or not self._session.online:
            self.say_error(error)

    async def _leave(self) -> None:
        self._browser.forget()
        if not await self._session.sign_out():
            self.say(notices.vault_unsure())

    def _session_changed(self, event: SessionChanged) -> None:
        was, self._was = self._was, event.state
        left, self._shown = self._shown, event.account
        said = self._session.notice
        if event.state is SessionState.EXPIRED:
            ended = self._ended(event.account, "" if was is SessionState.SIGNED_IN else said)
            if was is SessionState.RETURNING:
                self._notices.say_behind(ended)
            else:
                self._notices.said = ended
        elif event.state is SessionState.SIGNED_IN:
            self._key_retry.given = None
            self._notices.said = Notice(said, calm=True) if said else None
            self.first_page.reread_known()
        elif event.state is SessionState.SIGNED_OUT and left is not None:
            self._notices.said = self._notices.question = None
            self.first_page.take_account(left)
        self._expiry_timer.restart()
        self._tell()

    def _ended(self, account: Account | None, said: str) -> Notice:
        """`said` is what kept the vault from giving access at the start, or blank."""
        if account is None or account.auth_method is not AuthMethod.KEY or account.in_vault:
            return notices.ended(said)
        given = self._signing_in.from_outside
        return notices.given_key_refused(account.name) if given else notices.ended(said)

    def _connection_changed(self, event: ConnectionChanged) -> None:
        said = self._notices.said
        if event.online and said is not None and said.about_connection:
            self._notices.said = None
        self._tell()
