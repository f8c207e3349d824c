"""One attempt to sign in on the account's page in the embedded browser: where it may go, what is
said when it cannot, and that it ends once.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum, auto

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from app.api.error_responses import plain_words
from app.api.responses import is_page
from app.api.sign_in.oauth import Grant, SignInRequest
from app.api.sign_in.redirect_port import RedirectPortReservation
from app.model.errors import ExpectedError
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.load_errors import LoadError, sentence_for
from app.viewmodels.sign_in.page_origin import (
    PageOrigin,
    host_in,
    looks_like,
    origin_of,
    reaches_the_same,
    same_site,
    scheme_of,
    without_secrets,
)

FIRST_PAGE_SECONDS = 45.0
_TRY_PORT_AGAIN_MILLISECONDS = 250
_WEB = frozenset({"http", "https"})
_IN_FRAMES = _WEB | {"about", "blob", "data"}
_PARTS = _IN_FRAMES | {"ws", "wss"}
_SERVICE_FAULT = 500
_MARKS_OF_A_REMARK = 120


class AttemptState(StrEnum):
    """Where the attempt stands."""

    LOADING = auto()
    """Nothing can be seen yet."""
    SHOWN = auto()
    ELSEWHERE = auto()
    """The person goes on in the system's browser: nothing comes of this page any more."""
    ASKING = auto()
    """Access is there, and the person says whether to take it from where it came."""
    ENDED = auto()


_AWAY = frozenset({AttemptState.ELSEWHERE, AttemptState.ASKING, AttemptState.ENDED})


class Note(msgspec.Struct, frozen=True):
    """A sentence inside the window; `reload` offers to load the page again.

    `stays`: it is not about the page that is shown, so the next page does not take it away.
    `elsewhere` offers the system's browser.
    `take` offers to take the access that came.
    """

    sentence: str
    reload: bool = False
    stays: bool = False
    elsewhere: bool = False
    take: bool = False


class AuthorisationState(msgspec.Struct, frozen=True):
    """What the sign-in window shows around the page."""

    step: AttemptState = AttemptState.LOADING
    origin: PageOrigin | None = None
    """Whose page is on the screen; None before there is one."""
    note: Note | None = None
    """A sentence above the page."""
    progress: int | None = None
    """How much of a page is here, in per cent; None while nothing is being loaded."""


class Authorisation(GuardedOverrides, QObject):
    """Allows or refuses each navigation, takes the answer once, and ends exactly once.

    `ended` carries the outcome: a PageAnswer, None when the person closed the window, or the
    exception that says what went wrong (an ExpectedError, unless the fault is the program's own).
    """

    state_changed = Signal(object)
    """Carries the `AuthorisationState` that is to be shown now."""
    ended = Signal(object)
    page_left = Signal()
    page_wanted = Signal()
    """The first page has to be loaded again: somebody came back to it."""

    def __init__(
        self,
        request: SignInRequest,
        *,
        first_page_seconds: float = FIRST_PAGE_SECONDS,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`first_page_seconds` is how long nothing may be seen before the attempt ends."""
        super().__init__()
        self._request = request
        self._now = now
        self._known_error: LoadError | None = None
        self._held: Grant | None = None
        self._led_by = ""
        self._question = ""
        self._deadline = QTimer(self, singleShot=True, interval=round(first_page_seconds * 1000))
        self._deadline.timeout.connect(self._too_slow)
        self.redirect_uri = request.redirect_uri
        """The address that the account's page leads to at the end; nothing is asked of it."""
        self.redirect_port = RedirectPortReservation(request.redirect_uri)
        """Held while the page is open, so that nobody on this computer listens there for it."""
        self._port_retry = QTimer(self, singleShot=True, interval=_TRY_PORT_AGAIN_MILLISECONDS)
        self._port_retry.timeout.connect(self.hold_redirect_port)
        at_the_service = reaches_the_same(request.address, request.redirect_uri)
        self.kept_off = "" if at_the_service else request.redirect_uri
        """The redirect address, where nobody but its own host would miss it: nothing asks there."""
        self._step = AttemptState.LOADING
        self._origin: PageOrigin | None = None
        self._note: Note | None = None
        self._progress: int | None = None
        self.state = AuthorisationState()
        """What is shown now."""

    @property
    def first_address(self) -> str:
        """The page to open."""
        return self._request.address

    def begin(self) -> None:
        """The first page is being asked for: from now on time runs."""
        self.hold_redirect_port()
        self._deadline.start()
        self._progress = 0
        self._tell()

    # What the browser asks

    def is_answer(self, address: str) -> bool:
        """Whether `address` is the redirect address itself, and somebody waits for an answer."""
        return self._step not in _AWAY and self._is_answer(address)

    def allows(self, address: str, *, main_frame: bool, page: str = "") -> bool:
        """Whether the browser may go to `address`. At our redirect address the attempt ends.

        `page` is the address of the page that stands in the main frame; blank where none does.
        """
        if self._step in _AWAY:
            return False
        if self._is_answer(address):
            if main_frame:
                self._take_answer(address, page)
            return False
        scheme = scheme_of(address)
        if main_frame and scheme not in _WEB:
            self._leads_out()
            return False
        if main_frame and self._is_look_alike(address):
            self._say_look_alike(address)
            return False
        allowed = scheme in _IN_FRAMES and not self._is_kept_off(address)
        if allowed and main_frame:
            self._led_by = self._stranger(address)
        return allowed

    def may_fetch(self, address: str) -> bool:
        """Whether a page may load `address` as a part of itself; never anything of ours."""
        return (
            self._step not in _AWAY
            and scheme_of(address) in _PARTS
            and not self._is_answer(address)
            and not self._is_kept_off(address)
        )

    def _is_answer(self, address: str) -> bool:
        try:
            return self._request.is_answer(address)
        except Exception as error:  # noqa: BLE001 - Qt would swallow it and go there
            self._end(error)
            return True

    def _is_kept_off(self, address: str) -> bool:
        return reaches_the_same(address, self.kept_off)

    def _is_look_alike(self, address: str) -> bool:
        if self._is_kept_off(address):
            return True
        if reaches_the_same(address, self._request.address):
            # Pages of the service itself, unless one of them is handed what only we are to get.
            carries = "#" in address or "?" in address
            return carries and not self.kept_off and looks_like(address, self.redirect_uri)
        return looks_like(address, self.redirect_uri)

    def _stranger(self, address: str) -> str:
        """The host of `address` where it is not of the account's own site; blank where it is."""
        if not address or same_site(address, self._request.address):
            return ""
        return host_in(address)

    def _take_answer(self, address: str, page: str) -> None:
        try:
            outcome: object = self._request.read_answer(address, self._now())
        except Exception as error:  # noqa: BLE001 - it is the outcome, whatever it is
            outcome = error
        # Access comes without a state that would say whom it answers (api-spec, Non-web flow).
        stranger = self._led_by or self._stranger(page)
        if isinstance(outcome, Grant) and stranger:
            self._ask(outcome, stranger)
        else:
            self._end(outcome)

    def _ask(self, access: Grant, stranger: str) -> None:
        self._question = tr(
            "{host} finished the sign-in, and it is not part of {account}. Sign in with what it "
            "gave only if you know it as your organisation's.",
            host=stranger,
            account=host_in(self._request.address),
        )
        self._held, self._step, self._progress = access, AttemptState.ASKING, None
        self._deadline.stop()
        self._note = Note(self._question, stays=True, take=True)
        self._tell()

    def take(self) -> None:
        """The person takes the access that came from elsewhere."""
        if self._step is AttemptState.ASKING:
            self._end(self._held)

    # What the browser tells

    def load_started(self) -> None:
        """A page is being loaded."""
        if self._step in _AWAY:
            return
        if self._step is AttemptState.SHOWN:
            self._deadline.start()
        self._known_error, self._progress = None, 0
        self._note = self._note if self._note is not None and self._note.stays else None
        self._tell()

    def load_progressed(self, percent: int) -> None:
        """So much of the page is here."""
        if self._progress is not None and self._step not in _AWAY:
            self._progress = percent
            self._tell()

    def came_to(self, address: str) -> None:
        """The page of `address` is the one on the screen."""
        self._origin = origin_of(address)
        self._tell()

    def content_shown(self) -> None:
        """There is something to see."""
        if self._step is AttemptState.LOADING:
            self._step = AttemptState.SHOWN
            self._deadline.stop()
            self._tell()

    def load_ended(self, status: int = 200, media: str = "") -> None:
        """The page is here; its answer carried HTTP `status`. Most refusals a page says itself.

        `media` is what its answer called it, without parameters; blank where it did not say. What
        is no page is not left on the screen: nobody signs in on a service's data.
        """
        self.document_shown(status, media)
        if self._step in _AWAY:
            return
        self.content_shown()
        self._rest()
        if status >= _SERVICE_FAULT:
            self._say(tr("The service has a problem. Try again in a moment."), reload=True)

    def document_shown(self, status: int, media: str) -> None:
        """What is in the window came with HTTP `status` and is `media`; maybe not all is here."""
        if not is_page(media) and self._step not in _AWAY:
            self._end(_problem(self._no_page(status)))

    def _no_page(self, status: int) -> str:
        if status >= _SERVICE_FAULT:
            return tr("The service has a problem. Try again in a moment.")
        where = self._origin.host if self._origin else host_in(self._request.address)
        return tr("{host} answered with data instead of a page. Check the address.", host=where)

    def load_stopped(self, address: str, *, something_came: bool) -> None:
        """Loading `address` ended without a page: refused, a download, or nothing was sent."""
        self._rest()
        if scheme_of(address) not in _WEB:
            self._leads_out()
        elif self._known_error or not something_came:
            self.load_failed(LoadError.OTHER, address)

    def load_set_aside(self) -> None:
        """What was being loaded is a file; `download_refused` speaks of it."""
        self._rest()

    def load_failed(self, error: LoadError, address: str) -> None:
        """Loading `address` broke off."""
        error = self._known_error or error
        self._rest()
        if self._step is AttemptState.LOADING:
            self._end(_problem(sentence_for(error, address)))
        else:
            self._say(sentence_for(error, address), reload=True)

    def asked_for_password(self) -> None:
        """HTTP's own password question came; the failure that follows is said in its words."""
        self._known_error = LoadError.PASSWORD_BOX

    def asked_for_passkey(self) -> None:
        """The page wants a passkey or a security key, which it cannot have here."""
        if self._step not in _AWAY:
            sentence = tr("This page asks for a passkey or a security key. Use your own browser.")
            self._note = Note(sentence, elsewhere=True)
            self._tell()

    def download_refused(self) -> None:
        """The page offered a file."""
        if self._step is AttemptState.LOADING:
            self._end(_problem(tr("The address leads to a file, not to a sign-in page.")))
        else:
            self._say(tr("This window does not save files."))

    def page_said(self, remark: str) -> None:
        """The page opened a box of its own, which a page could keep open for ever."""
        # What is cut off is not gone through: a page may say a hundred million letters.
        words = plain_words(remark[:_MARKS_OF_A_REMARK])
        more = "…" if len(remark) > _MARKS_OF_A_REMARK else ""
        self._say(tr("The page says: {remark}", remark=f"{words}{more}"))

    def browser_died(self) -> None:
        """The process that draws the page is gone."""
        if self._step in _AWAY:
            return
        self._end(_problem(tr("The sign-in page stopped working. Try again.")))

    def close(self) -> None:
        """The person closed the window, or the program is closing; nothing where it has ended."""
        self._end(None)

    def put_note_away(self) -> None:
        """The sentence was read; where it asked whether to sign in, that is a no."""
        if self._step is AttemptState.ASKING:
            self.close()
        self._note = None
        self._tell()

    # What the system's browser does

    def leave_page(self) -> None:
        """The person goes on in the system's browser; what came here by then is dropped."""
        if self._step in {AttemptState.ELSEWHERE, AttemptState.ENDED}:
            return
        self._held, self._led_by = None, ""
        self._step, self._progress, self._note = AttemptState.ELSEWHERE, None, None
        self._deadline.stop()
        self.page_left.emit()
        self._tell()

    def come_back(self) -> None:
        """The person goes on here, from the first page."""
        if self._step is AttemptState.ELSEWHERE:
            self._step = AttemptState.LOADING
            self.begin()
            self.page_wanted.emit()

    def hold_redirect_port(self) -> None:
        """Keep everybody off the redirect address; where somebody has it, as soon as it is free."""
        if self._step is AttemptState.ENDED:
            return
        if not self.redirect_port.acquire() and self.redirect_port.is_here:
            self._port_retry.start()

    def free_redirect_port(self) -> None:
        """Let it go: the answer is listened for, or none is waited for any more."""
        self._port_retry.stop()
        self.redirect_port.release()

    def say(self, sentence: str) -> None:
        """Show a sentence above the page until it is put away; a question there stays."""
        if self._step is AttemptState.ASKING:
            self._note = Note(f"{sentence} {self._question}", stays=True, take=True)
            self._tell()
        else:
            self._say(sentence, stays=True)

    def settle(self, outcome: object) -> None:
        """It ended in the system's browser, see `ended`."""
        self._end(outcome)

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the attempt."""
        state = AuthorisationState(self._step, self._origin, self._note, self._progress)
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)

    # How it ends

    def _leads_out(self) -> None:
        sentence = tr("The page tried to open something outside the browser. That was refused.")
        if self._step is AttemptState.LOADING:
            self._end(_problem(sentence))
        else:
            self._say(sentence)

    def _say_look_alike(self, address: str) -> None:
        sentence = tr(
            "The account sent you to another redirect address than the one agreed on: {sent} "
            "instead of {agreed}. The one in the account's settings, under integrations, and the "
            "one on the first page of Front Desk have to be the same, letter for letter.",
            sent=plain_words(without_secrets(address)),
            agreed=self.redirect_uri,
        )
        if self._step is AttemptState.LOADING:
            self._end(_problem(sentence))
        else:
            self._say(sentence, stays=True)

    def _too_slow(self) -> None:
        if self._step is AttemptState.LOADING:
            where = host_in(self._request.address)
            self._end(_problem(tr("{host} did not show its page in time. Try again.", host=where)))
        else:
            self._say(tr("The page is taking long. Wait, or load it again."), reload=True)

    def _rest(self) -> None:
        if self._step is AttemptState.SHOWN:
            self._deadline.stop()
        self._progress = None
        self._tell()

    def _say(self, sentence: str, *, reload: bool = False, stays: bool = False) -> None:
        if self._step not in _AWAY:
            self._note = Note(sentence, reload, stays)
            self._tell()

    def _end(self, outcome: object) -> None:
        if self._step is AttemptState.ENDED:
            return
        self._step, self._progress, self._note = AttemptState.ENDED, None, None
        self._held = None
        self._deadline.stop()
        self.free_redirect_port()
        self._tell()
        self.ended.emit(outcome)


def _problem(sentence: str) -> ExpectedError:
    return ExpectedError(tr("Not signed in"), sentence)
