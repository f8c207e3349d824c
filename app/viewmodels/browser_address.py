"""What an address in the browser says to a person, and which computer's door it reaches."""

import ipaddress
from dataclasses import dataclass
from enum import StrEnum, auto
from urllib.parse import SplitResult, urlsplit

_USUAL_PORT = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HERE = "this computer"


class Safety(StrEnum):
    """Who could read what is typed into the page on its way."""

    ENCRYPTED = auto()
    THIS_COMPUTER = auto()
    """It never leaves this computer."""
    OPEN = auto()
    """Anybody between here and there."""


@dataclass(frozen=True, slots=True)
class Place:
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


def place_of(address: str) -> Place | None:
    """The host to show for `address`; None where it names none."""
    parts = _split(address)
    if parts is None:
        return None
    host, port = _host(parts), _port(parts)
    shown = f"[{host}]" if ":" in host else host
    if port != _USUAL_PORT.get(parts.scheme):
        shown = f"{shown}:{port}"
    return Place(shown, _safety(parts.scheme, host))


def reaches_the_same(one: str, other: str) -> bool:
    """Whether both addresses knock at the same port of the same host.

    All names of this computer are one: `localhost`, 127.0.0.1 and [::1] end at the same listener.
    """
    door = _door(one)
    return door is not None and door == _door(other)


def _door(address: str) -> tuple[str, int | None] | None:
    parts = _split(address)
    if parts is None:
        return None
    host = _host(parts)
    return (_HERE if _is_here(host) else host, _port(parts))


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        usable = parts.scheme in _USUAL_PORT and parts.hostname and _port(parts) is not None
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
    return parts.port if parts.port is not None else _USUAL_PORT.get(parts.scheme)


def _safety(scheme: str, host: str) -> Safety:
    if _is_here(host):
        return Safety.THIS_COMPUTER
    return Safety.ENCRYPTED if scheme == "https" else Safety.OPEN


def _is_here(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(number, "ipv4_mapped", None) or number
    return bool(mapped.is_loopback or mapped.is_unspecified)
