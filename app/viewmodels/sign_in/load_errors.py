"""Why a page of the account did not come, by the browser's own numbers, and what is said of it."""

from enum import StrEnum, auto

from app.runtime.words import tr
from app.viewmodels.sign_in.page_origin import host_in

_NAME_ERRORS = frozenset({-105, -137, *range(-899, -799)})
_TLS_ERRORS = frozenset({-107, -110, -113, -117, -141, *range(-299, -199)})
_PORT_NEVER_ASKED = -312
_CONNECTION_ERRORS = frozenset({-7, -15, -21, -324, *range(-199, -99)})


class LoadError(StrEnum):
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


def load_error_of(net_error: int) -> LoadError:
    """The kind of a failure, by Chromium's number for it (all are below zero)."""
    if net_error == _PORT_NEVER_ASKED:
        return LoadError.NOBODY
    if net_error in _NAME_ERRORS:
        return LoadError.NAME
    if net_error in _TLS_ERRORS:
        return LoadError.NOT_SECURE
    return LoadError.CONNECTION if net_error in _CONNECTION_ERRORS else LoadError.OTHER


def sentence_for(error: LoadError, address: str) -> str:
    """What happened at `address`, and what to do."""
    host = host_in(address)
    match error:
        case LoadError.NAME:
            return tr(
                "{host} was not found. Check the address and your connection, then try again.",
                host=host,
            )
        case LoadError.CONNECTION:
            return tr("No connection to {host}. Check the network, then try again.", host=host)
        case LoadError.NOBODY:
            return tr("Nobody answers at {host}. Check the address, its port above all.", host=host)
        case LoadError.NOT_SECURE:
            return tr(
                "{host} could not prove who it is, so nothing was sent to it. "
                "Ask whoever looks after your network.",
                host=host,
            )
        case LoadError.PASSWORD_BOX:
            return tr(
                "{host} or your network asks for a password outside the sign-in page. "
                "Ask whoever looks after your network.",
                host=host,
            )
        case LoadError.OTHER:
            return tr("The page of {host} could not be loaded. Try again in a moment.", host=host)
