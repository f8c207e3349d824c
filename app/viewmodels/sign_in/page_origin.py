"""What an address in the browser says to a person, and which computer's door it reaches."""

import ipaddress
from enum import StrEnum, auto
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from app.api.addresses import USUAL_PORTS, is_loopback
from app.runtime.words import tr

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

# Sockets knock at the ports of pages.
_USUAL_PORTS = {**USUAL_PORTS, "ws": USUAL_PORTS["http"], "wss": USUAL_PORTS["https"]}
_HERE = "this computer"
_LONGEST_SHOWN = 120


class Safety(StrEnum):
    """Who could read what is typed into the page on its way."""

    ENCRYPTED = auto()
    THIS_COMPUTER = auto()
    """It never leaves this computer."""
    OPEN = auto()
    """Anybody between here and there."""


class PageOrigin(msgspec.Struct, frozen=True):
    """Where a page comes from: the host in its plain ASCII form, with the port where unusual.

    A name in another script stays in its `xn--` form, because letters of two scripts can look the
    same and the name is shown so that a wrong one is noticed.
    """

    host: str
    safety: Safety


def scheme_of(address: str) -> str:
    """The scheme in small letters; empty where there is none."""
    scheme, colon, _rest = address.partition(":")
    return scheme.strip().lower() if colon else ""


def origin_of(address: str) -> PageOrigin | None:
    """The host to show for `address`; None where it names none."""
    parts = _split(address)
    if parts is None:
        return None
    host, port = _host(parts), _port(parts)
    shown = f"[{host}]" if ":" in host else host
    if port != _USUAL_PORTS.get(parts.scheme):
        shown = f"{shown}:{port}"
    return PageOrigin(shown, _safety(parts.scheme, host))


def host_in(address: str) -> str:
    """The host of `address` for a sentence; the rest of an address never stands in one."""
    origin = origin_of(address)
    return origin.host if origin else tr("The page")


def reaches_the_same(one: str, other: str) -> bool:
    """Whether both addresses knock at the same port of the same host.

    All names of this computer are one: `localhost`, 127.0.0.1 and [::1] end at the same listener.
    """
    door = _door(one)
    return door is not None and door == _door(other)


def same_site(address: str, account: str) -> bool:
    """Whether a page of `address` is of the site of `account`: one organisation's hosts.

    That is one domain as it is registered (`account.example.org` and `login.example.org`), by the
    public list of suffixes that is shipped; a host that has none, a number above all, is its own
    site. A page without encryption is no part of a site with it: anybody on the way could be it.
    """
    one, other = _split(address), _split(account)
    if one is None or other is None or (other.scheme == "https" and one.scheme != "https"):
        return False
    host, ours = _host(one), _host(other)
    return host == ours or _registered(host) == (_registered(ours) or object())


def looks_like(address: str, redirect_uri: str) -> bool:
    """Whether `address` seems to be meant as `redirect_uri`: its path, in any spelling, at the same
    host, at another port of this computer or at a host that begins alike.
    """
    sent, agreed = _split(address), _split(redirect_uri)
    if sent is None or agreed is None:
        return False
    host, ours = _host(sent), _host(agreed)
    path = _bare(agreed.path)
    near = host == ours or host.startswith(f"{ours}.") or (is_loopback(host) and is_loopback(ours))
    return bool(path) and near and _bare(sent.path) == path


def without_secrets(address: str) -> str:
    """`address` for a sentence: no query, no hash, no name and password, and not long."""
    head = address.partition("#")[0].partition("?")[0]
    scheme, mark, rest = head.partition("://")
    host, slash, path = rest.partition("/")
    _named, at, host = host.rpartition("@")
    shown = f"{scheme}{mark}{'…@' if at else ''}{host}{slash}{path}"
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def _bare(path: str) -> str:
    return unquote(path).casefold().strip("/")


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - a tenth of a second, rarely

    return PublicSuffixList()


def _registered(host: str) -> str | None:
    if _is_number(host):
        return None
    found: str | None = _suffixes().privatesuffix(host)
    return found


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _door(address: str) -> tuple[str, int | None] | None:
    parts = _split(address)
    if parts is None:
        return None
    host = _host(parts)
    return (_HERE if is_loopback(host) else host, _port(parts))


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        usable = parts.scheme in _USUAL_PORTS and parts.hostname and _port(parts) is not None
    except ValueError:
        return None
    return parts if usable else None


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host.encode("ascii", "backslashreplace").decode("ascii")


def _port(parts: SplitResult) -> int | None:
    return parts.port if parts.port is not None else _USUAL_PORTS.get(parts.scheme)


def _safety(scheme: str, host: str) -> Safety:
    if is_loopback(host):
        return Safety.THIS_COMPUTER
    return Safety.ENCRYPTED if scheme == "https" else Safety.OPEN
