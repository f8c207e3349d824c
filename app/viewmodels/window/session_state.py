"""What the window shows of a session: the state of its connection in words, and when time alone
makes them others.

What somebody can do about it is left to `session`.
"""

from datetime import UTC, datetime, time, timedelta
from math import ceil

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.accounts.account import AuthMethod
from app.accounts.session import Session, SessionState, utc_now
from app.runtime.tasks import TaskScope
from app.runtime.words import tr
from app.viewmodels.formatting import clock, moment_words
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.notices import Notice, NoticeAction

_NOT_IN = frozenset({SessionState.SIGNED_OUT, SessionState.EXPIRED})
_SOON = timedelta(days=1)
"""Before the end of a sign-in, from which on the header names it."""
_VERY_SOON = timedelta(hours=1)
"""From here on to the minute."""
_NOON = 12
_LONGEST_MS = 2**31 - 1
"""The longest time a timer of Qt can be set to."""


def state_words(session: Session, now: datetime, lists_as_of: datetime | None = None) -> str:
    """The state of the connection; `now` is UTC, and so is what the lists that are shown are of."""
    if session.state is SessionState.RETURNING:
        return tr("Asking this computer's vault")
    if session.state is not SessionState.SIGNED_IN:
        return tr("Sign in again")
    if not session.online:
        # The same moment as the status bar's, which speaks of the lists.
        heard = lists_as_of or session.last_heard
        return tr("Offline, as of {time}", time=moment_words(heard)) if heard else tr("Offline")
    until = _named_end(session, now)
    if until is not None:
        return end_words(until, now)
    if session.account is not None and session.account.auth_method is AuthMethod.DEMO:
        return tr("Demo account: nothing here is real")
    return tr("Signed in")


def state_action(session: Session, now: datetime) -> NoticeAction:
    """What the header offers to do about it: the words themselves, or a link behind them."""
    if session.state in {SessionState.SIGNED_OUT, SessionState.RETURNING}:
        return NoticeAction.NOTHING
    if session.state is SessionState.EXPIRED:
        return NoticeAction.SIGN_IN_AGAIN
    if not session.online:
        return NoticeAction.CHECK_CONNECTION
    return NoticeAction.NOTHING if _named_end(session, now) is None else NoticeAction.SIGN_IN_AGAIN


def end_words(until: datetime, now: datetime) -> str:
    """When to sign in again, both UTC: whole hours, rounded to the safe side, until the last."""
    if until - now < _VERY_SOON:
        return tr("Sign in again before {time}", time=clock(until))
    hour = until.astimezone().replace(minute=0, second=0, microsecond=0)
    tomorrow = hour.date() != now.astimezone().date()
    if hour.hour == 0:
        return tr("Sign in again before midnight")
    if hour.hour == _NOON:
        if tomorrow:
            return tr("Sign in again before noon tomorrow")
        return tr("Sign in again before noon")
    if tomorrow:
        return tr("Sign in again before {time} tomorrow", time=clock(hour))
    return tr("Sign in again before {time}", time=clock(hour))


def seconds_until_other_words(session: Session, now: datetime) -> float | None:
    """When time alone will change the words, in seconds from `now`; None when it never will."""
    account = session.account
    if session.state is not SessionState.SIGNED_IN or account is None or account.expires_at is None:
        return None
    until = account.expires_at
    if until - now > _SOON:
        return (until - _SOON - now).total_seconds()
    midnight = datetime.combine(now.astimezone().date() + timedelta(days=1), time.min).astimezone()
    moments = (until - _VERY_SOON, until, midnight.astimezone(UTC))
    return min((moment - now).total_seconds() for moment in moments if moment > now)


def _named_end(session: Session, now: datetime) -> datetime | None:
    account = session.account
    if account is None or account.expires_at is None or account.expires_at - now >= _SOON:
        return None
    return account.expires_at


class ExpiryTimer(GuardedOverrides, QObject):
    """Knows when the words for the end of a sign-in are others, and when that end has come."""

    passed = Signal()
    """Time alone has changed the words."""

    def __init__(self, session: Session, scope: TaskScope) -> None:
        """Stands still until it is started; ends with `scope`."""
        super().__init__()
        self._session = session
        # Qt's usual timers may be early by a twentieth: an hour and more in a day.
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._time_has_passed)
        scope.call_on_close(self._timer.stop)

    def restart(self) -> None:
        """Look anew when to wake up: the session is another."""
        seconds = seconds_until_other_words(self._session, datetime.now(UTC))
        if seconds is None:
            self._timer.stop()
        else:
            self._timer.start(min(ceil(seconds * 1000), _LONGEST_MS))

    def _time_has_passed(self) -> None:
        # Asking for the state is what ends a session whose time is over.
        if self._session.state is SessionState.SIGNED_IN:
            self.restart()
        self.passed.emit()


class SessionScreenState(msgspec.Struct, frozen=True):
    """What the window shows of the session. What does not apply is blank."""

    session: SessionState = SessionState.SIGNED_OUT
    account_name: str = ""
    state_words: str = ""
    """The state of the connection in coarse words."""
    state_action: NoticeAction = NoticeAction.NOTHING
    """What the header offers: the words themselves to sign in again, or a link behind them."""
    needs_attention: bool = False
    """Whether the header's mark is amber."""
    busy: bool = False
    """Whether a sign-in is under way, or this computer's vault is being asked for one."""
    asks_to_sign_in: bool = True
    """Whether it is the first page's turn: nobody is in, nor on the way in since the start."""
    work_words: str = ""
    """What is being done; blank when nothing is, or while it is the person's turn."""
    notice: Notice | None = None
    """The sentence across the window."""
    beside: Notice | None = None
    """What is told beside it, because it is true until somebody has dealt with it."""
    said_in_form: Notice | None = None
    """What the first page says with the way in that it is about, and nothing else has to say."""


def session_screen_state(
    session: Session,
    notice: Notice | None,
    lists_as_of: datetime | None,
    *,
    busy: bool,
    beginning: bool,
    work_words: str,
    beside: Notice | None = None,
    said_in_form: Notice | None = None,
) -> SessionScreenState:
    """What the window shows at this moment; `beginning`: a way back in is tried since the start."""
    state, now = session.state, utc_now()
    return SessionScreenState(
        session=state,
        account_name=session.account.name if session.account else "",
        state_words=state_words(session, now, lists_as_of),
        state_action=state_action(session, now),
        needs_attention=state in _NOT_IN or not session.online,
        busy=busy,
        asks_to_sign_in=state is SessionState.SIGNED_OUT and not beginning,
        work_words=work_words,
        notice=notice,
        beside=beside,
        said_in_form=said_in_form,
    )
