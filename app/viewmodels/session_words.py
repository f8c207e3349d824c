"""How the connection is, in coarse words, and when the passing of time makes them others."""

from datetime import UTC, datetime, time, timedelta

from app.accounts.account import WayIn
from app.accounts.session import Session, SessionState
from app.runtime.words import tr
from app.viewmodels.notice import Offer
from app.viewmodels.wording import clock, moment_words

_SOON = timedelta(days=1)
"""Before the end of a sign-in, from which on the header names it."""
_VERY_SOON = timedelta(hours=1)
"""From here on to the minute."""


def state_words(session: Session, now: datetime, lists_as_of: datetime | None = None) -> str:
    """The state of the connection; `now` is UTC, and so is what the lists that are shown are of."""
    if session.state is not SessionState.SIGNED_IN:
        return tr("Sign in again")
    if not session.online:
        heard = session.last_heard or lists_as_of
        return tr("Offline, as of {time}", time=moment_words(heard)) if heard else tr("Offline")
    until = _named_end(session, now)
    if until is not None:
        return end_words(until, now)
    if session.account is not None and session.account.way_in is WayIn.DEMO:
        return tr("Demo account: nothing here is real")
    return tr("Signed in")


def state_offer(session: Session, now: datetime) -> Offer:
    """What the header offers to do about it: the words themselves, or a link behind them."""
    if session.state is SessionState.SIGNED_OUT:
        return Offer.NOTHING
    if session.state is SessionState.EXPIRED:
        return Offer.SIGN_IN_AGAIN
    if not session.online:
        return Offer.TRY_LINE
    return Offer.NOTHING if _named_end(session, now) is None else Offer.SIGN_IN_AGAIN


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


_NOON = 12
