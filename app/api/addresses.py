"""Web addresses of accounts: checked, tidied and taken apart."""

import ipaddress
import re
import socket
from urllib.parse import SplitResult, urlsplit

import msgspec

from app.api.errors import AddressRefused
from app.runtime.words import tr

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_STRANGE = re.compile(r"[\s\\<>\"^`{|}\x00-\x1f\x7f]")
_PASTED_TAIL = re.compile(r"/(v1|oauth)(/.*)?$")
_HOST = re.compile(r"[^\s/?#@%\\,:\[\]()!$&'*+;=]{1,253}")
_OLD_IP = re.compile(r"[0-9a-fx.]+", re.IGNORECASE)
_AROUND = " \t\r\n\u00a0\u200b\ufeff<>\"'"
_PRIVATE_ENDINGS = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test", ".invalid")

USUAL_PORTS = {"http": 80, "https": 443}
"""The port an address means that names none."""


class WebAddress(msgspec.Struct, frozen=True):
    """Where an address leads; `port` is always said, `host` in lower case, `path` as written."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and, where it is not the usual one, port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == USUAL_PORTS[self.scheme]
        return f"{self.scheme}://{host}" if usual else f"{self.scheme}://{host}:{self.port}"


def check_base_url(text: str) -> str:
    """The address of a service as the client wants it; raises AddressRefused with a sentence.

    Adds https:// where nothing is said, drops blanks, slashes at the end and a pasted /v1 or
    /oauth path. Without encryption only this computer and private networks are taken.
    """
    typed = text.strip(_AROUND)
    if not typed:
        raise _refused(tr("Type the address of your account."))
    says_scheme = _SCHEME.match(typed) is not None
    place = parse_address(typed if says_scheme else f"https://{typed.lstrip('/')}")
    is_word = "." not in place.host and not (_ip(place.host) or is_loopback(place.host))
    if is_word and not says_scheme:
        # A word alone may well be a key, which must not be looked for in the network.
        raise _odd()
    if place.scheme == "http" and not is_private(place.host):
        raise _refused(
            tr("Write https:// in front: without it anybody on the way could read along.")
        )
    return _without_tail(place)


def base_address(text: str) -> str:
    """A complete http or https address without its end; raises AddressRefused.

    This is what the client itself insists on; whether it is wise is for `check_base_url`.
    """
    return _without_tail(parse_address(text.strip(_AROUND)))


def _without_tail(place: WebAddress) -> str:
    return f"{place.origin}{_PASTED_TAIL.sub('', place.path.rstrip('/')).rstrip('/')}"


def check_redirect_address(text: str) -> str:
    """The redirect address exactly as registered, blanks around it dropped; AddressRefused."""
    typed = text.strip(_AROUND)
    if not typed:
        raise _refused(tr("Type the redirect address that is registered for Front Desk."))
    if not _SCHEME.match(typed):
        raise _refused(tr("A redirect address begins with http:// or https://."))
    parse_address(typed)
    return typed


def parse_address(text: str) -> WebAddress:
    """Take an http or https address apart; raises AddressRefused for anything unusual in it."""
    if _STRANGE.search(text):
        raise _odd()
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _odd() from None
    if parts.scheme not in USUAL_PORTS:
        raise _refused(tr("The address begins with https:// (or http:// on this computer)."))
    _refuse_extras(text, parts)
    host = _host(parts)
    return WebAddress(
        parts.scheme, host, USUAL_PORTS[parts.scheme] if port is None else port, parts.path
    )


def is_loopback(host: str) -> bool:
    """Whether `host` is this computer itself, in any of the ways to write that."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _ip(name) or _old_ip(name)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    # The address of nowhere leads here, too.
    return address is not None and (address.is_loopback or address.is_unspecified)


def is_private(host: str) -> bool:
    """Whether `host` can only be on this computer or in a private network."""
    address = _ip(host)
    if address is not None:
        return address.is_private or address.is_link_local
    return is_loopback(host) or "." not in host or host.endswith(_PRIVATE_ENDINGS)


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    named = _HOST.fullmatch(host) is not None and all(host.split("."))
    if parts.port == 0 or not (named or _ip(host)):
        raise _odd()
    return host


def _refuse_extras(text: str, parts: SplitResult) -> None:
    if "@" in parts.netloc:
        raise _refused(tr("Leave out the name or the email in front of the @ sign."))
    if "?" in text or "#" in text:
        raise _refused(tr("Leave out what follows the ? or # sign."))
    if "//" in parts.path.rstrip("/") or any(step in {".", ".."} for step in parts.path.split("/")):
        raise _odd()


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _old_ip(host: str) -> ipaddress.IPv4Address | None:
    """127.1, 0x7f000001 or 2130706433: the system's resolver takes them all."""
    if not _OLD_IP.fullmatch(host):
        return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _odd() -> AddressRefused:
    return _refused(tr("This address doesn't look right. Check it with your administrator."))


def _refused(sentence: str) -> AddressRefused:
    return AddressRefused(tr("Check the address"), sentence)
