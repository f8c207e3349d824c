"""Why a page of the embedded browser did not come, and the sentence that says so."""

from enum import StrEnum, auto

from app.runtime.words import tr
from app.viewmodels.browser_address import place_of

_NAME_ERRORS = frozenset({-105, -137, *range(-899, -799)})
_TLS_ERRORS = frozenset({-107, -110, -113, -117, -141, *range(-299, -199)})
_PORT_NEVER_ASKED = -312
_LINE_ERRORS = frozenset({-7, -15, -21, -324, *range(-199, -99)})


class Trouble(StrEnum):
    """The kinds of failure a person can do something different about."""

    NAME = auto()
    """No such host is known."""
    CONNECTION = auto()
    NOBODY = auto()
    """The address has a port at which no page is ever offered, so browsers do not ask."""
    NOT_SECURE = auto()
    """The host did not prove who it is."""
    PASSWORD_BOX = auto()
    """The page, or a proxy before it, wants a password that no page asks for (HTTP's own)."""
    OTHER = auto()


def trouble_of(net_error: int) -> Trouble:
    """The kind of a failure, by Chromium's number for it (all are below zero)."""
    if net_error == _PORT_NEVER_ASKED:
        return Trouble.NOBODY
    if net_error in _NAME_ERRORS:
        return Trouble.NAME
    if net_error in _TLS_ERRORS:
        return Trouble.NOT_SECURE
    return Trouble.CONNECTION if net_error in _LINE_ERRORS else Trouble.OTHER


def host_in(address: str) -> str:
    """The host of `address` for a sentence; the rest of an address never stands in one."""
    place = place_of(address)
    return place.host if place else tr("The page")


def sentence_for(trouble: Trouble, address: str) -> str:
    """What happened at `address`, and what to do."""
    host = host_in(address)
    match trouble:
        case Trouble.NAME:
            return tr(
                "{host} was not found. Check the address and your connection, then try again.",
                host=host,
            )
        case Trouble.CONNECTION:
            return tr("No connection to {host}. Check the network, then try again.", host=host)
        case Trouble.NOBODY:
            return tr("Nobody answers at {host}. Check the address, its port above all.", host=host)
        case Trouble.NOT_SECURE:
            return tr(
                "{host} could not prove who it is, so nothing was sent to it. "
                "Ask whoever looks after your network.",
                host=host,
            )
        case Trouble.PASSWORD_BOX:
            return tr(
                "{host} or your network asks for a password outside the sign-in page. "
                "Ask whoever looks after your network.",
                host=host,
            )
        case Trouble.OTHER:
            return tr("The page of {host} could not be loaded. Try again in a moment.", host=host)
