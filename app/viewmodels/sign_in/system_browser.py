"""Signing in with the system's own browser, for accounts whose sign-in refuses an embedded page.

It decides when the redirect address is listened at and what of an answer is taken; opening the
browser is left to the view, and the ending to the attempt.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum, auto

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from app.api.errors import AuthorisationFailed
from app.api.sign_in.loopback_redirect import RedirectListener, can_listen_at
from app.api.sign_in.oauth import (
    Grant,
    SignInRequest,
    WebAuthorisationRequest,
)
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.model.errors import ExpectedError
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.authorisation import AttemptState, Authorisation
from app.viewmodels.sign_in.page_origin import host_in

WAIT_SECONDS = 600.0


class BrowserStep(StrEnum):
    """How far signing in with the system's browser is."""

    UNUSED = auto()
    """The account's page stands in our own window."""
    WAITING = auto()
    """The system's browser was asked to open it; its answer is listened for."""
    ASKING = auto()
    """Access came, and nothing in it says who finished the sign-in: a person has to."""


class SystemBrowserState(msgspec.Struct, frozen=True):
    """What is shown in the place of the page."""

    step: BrowserStep = BrowserStep.UNUSED
    opened: bool = True
    """Whether the system took the address to open; else somebody has to carry it there."""
    note: str = ""
    """A sentence about what just happened, empty for none."""


class SystemBrowser(GuardedOverrides, QObject):
    """One attempt's way through the system's browser and, if somebody likes, back from it.

    In the user-agent flow nothing in an answer belongs to the attempt (api-spec, Authentication:
    there is no `state`), and any page in that browser can lead it to the redirect address with
    access to somebody else's account, or with words of its own for an error. So that access is
    taken only when a person has said that it was them, and an error ends nothing and is not quoted.
    A code, or an error beside the state of its attempt, is taken at once.
    """

    state_changed = Signal(object)
    """Carries the `SystemBrowserState` that is to be shown now."""
    open_wanted = Signal(object)
    """Carries the address that the system's browser is to open."""
    answered = Signal()
    """The browser was here: the window comes to the front."""

    def __init__(
        self,
        attempt: Authorisation,
        request: SignInRequest,
        *,
        wait_seconds: float = WAIT_SECONDS,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`wait_seconds` is how long the answer may take from the last opening on."""
        super().__init__()
        self._attempt = attempt
        self._request = request
        self._now = now
        self._listener: RedirectListener | None = None
        self._access: Grant | None = None
        self._minutes = max(1, round(wait_seconds / 60))
        self._deadline = QTimer(self, singleShot=True, interval=round(wait_seconds * 1000))
        self._deadline.timeout.connect(self._too_late)
        self._scope = TaskScope("system browser", attempt.settle, ExpectedError)
        self._listening = Action(
            self._scope, self._listen, second="drop", on_error=self._could_not_listen
        )
        self._step, self._opened, self._note = BrowserStep.UNUSED, True, ""
        self.state = SystemBrowserState()
        """What is shown now."""
        attempt.ended.connect(self._stop)

    @property
    def address(self) -> str:
        """The account's page, as the system's browser opens it."""
        return self._request.address

    @property
    def host(self) -> str:
        """Whose page that is."""
        return host_in(self.address)

    @property
    def redirect_uri(self) -> str:
        """Where the answer is listened for."""
        return self._request.redirect_uri

    @property
    def minutes(self) -> int:
        """For how long after the last opening it is listened for."""
        return self._minutes

    # What the person does

    def use(self) -> None:
        """Go on in the system's browser, or say why that cannot be."""
        if self._attempt.state.step in {AttemptState.ENDED, AttemptState.ELSEWHERE}:
            return
        if can_listen_at(self._request.redirect_uri):
            self._listening()
            return
        self._attempt.say(
            tr(
                "Your own browser can only give its answer at a redirect address of this "
                "computer, such as {address}. An administrator can change it in the account's "
                "settings, under integrations, and then here.",
                address=DEFAULT_REDIRECT_ADDRESS,
            )
        )

    def open_again(self) -> None:
        """The page was closed or never came."""
        if self._step is BrowserStep.WAITING:
            self._begin_waiting()

    def could_not_open(self) -> None:
        """The system has no browser that it would open."""
        self._set_opened(opened=False)

    def back(self) -> None:
        """Go on in our own window, from the first page."""
        if self._step is not BrowserStep.UNUSED:
            self._stop()
            self._attempt.come_back()

    def confirm(self) -> None:
        """It was them."""
        access, self._access = self._access, None
        if access is not None:
            self._attempt.settle(access)

    def deny(self) -> None:
        """It was not: what came is dropped, and their own answer is waited for."""
        if self._step is BrowserStep.ASKING:
            self._access = None
            self._listening()

    async def close(self) -> None:
        """End listening and whatever is under way; the browser may still read its last page."""
        self._stop()
        await self._scope.close()
        if self._listener is not None:
            await self._listener.wait_closed()

    # Listening

    async def _listen(self) -> None:
        if self._listener is not None:
            await self._listener.wait_closed()
        in_query = isinstance(self._request, WebAuthorisationRequest)
        self._listener = RedirectListener(self.redirect_uri, self._take, in_query=in_query)
        # Held so that nobody else listens there.
        self._attempt.free_redirect_port()
        await self._listener.open()
        if self._step is BrowserStep.ASKING:
            self._go_to(
                BrowserStep.WAITING,
                tr("That answer was dropped. Finish signing in, or open the page again."),
            )
            return
        self._attempt.leave_page()
        self._begin_waiting()

    def _could_not_listen(self, error: Exception) -> None:
        if self._step is BrowserStep.UNUSED:
            self._attempt.hold_redirect_port()
            self._attempt.say(str(error))
        else:
            self._attempt.settle(error)

    def _begin_waiting(self) -> None:
        self._deadline.start()
        self._go_to(BrowserStep.WAITING)
        self._set_opened(opened=True)
        self.open_wanted.emit(self.address)

    def _take(self, url: str) -> bool:
        """Whether a redirect is an answer. What may be anybody's ends nothing: anybody knocks."""
        try:
            answer: object = self._request.read_answer(url, self._now())
        except AuthorisationFailed as error:
            if error.value is None or not self._request.answers_this_attempt(url):
                self._say(_told_of(error))
                return False
            answer = error
        except Exception as error:  # noqa: BLE001 - it is the outcome, whatever it is
            answer = error
        if isinstance(answer, Grant):
            self._access = answer
            self._close_doors()
            # The question may stand for long, and what came may be a decoy: the honest page's
            # answer must not go to somebody else meanwhile.
            self._attempt.hold_redirect_port()
            self._go_to(BrowserStep.ASKING)
        else:
            self._attempt.settle(answer)
        self.answered.emit()
        return True

    def _too_late(self) -> None:
        self._attempt.settle(
            ExpectedError(
                tr("Not signed in"),
                tr(
                    "The sign-in in your own browser was not finished within {minutes} minutes "
                    "after its page was opened. Sign in again.",
                    minutes=str(self._minutes),
                ),
            )
        )

    def _stop(self, _outcome: object = None) -> None:
        self._listening.cancel()
        self._deadline.stop()
        self._access = None
        self._close_doors()
        self._go_to(BrowserStep.UNUSED)

    def _close_doors(self) -> None:
        if self._listener is not None:
            self._listener.close()

    def _say(self, sentence: str) -> None:
        self._go_to(self._step, sentence)

    def _set_opened(self, *, opened: bool) -> None:
        self._opened = opened
        self._tell()

    def _go_to(self, step: BrowserStep, note: str = "") -> None:
        self._step, self._note = step, note
        self._tell()

    def _tell(self) -> None:
        state = SystemBrowserState(self._step, self._opened, self._note)
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)


def _told_of(error: AuthorisationFailed) -> str:
    """What may be said of an error that any page can have sent: nothing in its own words."""
    if error.value is None:
        return tr("Something came from your browser that is no answer. Still waiting for it.")
    return tr(
        "A page in your browser says that the sign-in did not succeed. Any page could say so, "
        "so Front Desk still waits. Open it again, or cancel."
    )
