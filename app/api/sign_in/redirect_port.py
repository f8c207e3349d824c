"""The redirect address that is offered, and the port of one on this computer: held against
everybody, or listened at.

Held, it is bound and nobody listens: whoever connects is refused. What is said to those who come
while it is listened at is known to `loopback_redirect`.
"""

import errno
import ipaddress
import socket

from app.api.addresses import is_loopback, parse_address
from app.api.errors import AddressRefused

DEFAULT_REDIRECT_ADDRESS = "http://127.0.0.1:38973/signed-in"
"""Fit for the embedded browser and the system's: either can be used where it is registered."""

_BOTH = ("127.0.0.1", "::1")
_ABSENT = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
# Windows lets others take a bound port unless told not to; nothing is shared there.
_EXCLUSIVE = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)


class RedirectPortReservation:
    """Keeps other programs off the redirect address while an attempt to sign in is under way.

    Without it a program on this computer could wait there for what a page lets slip. Who wants to
    listen there itself calls `release` first.
    """

    def __init__(self, redirect_uri: str) -> None:
        """Nothing is held before `acquire`; an address elsewhere than here is never held."""
        self._numbers, self._port = _numbers_of(redirect_uri)
        self._held: dict[str, socket.socket] = {}

    @property
    def is_here(self) -> bool:
        """Whether there is anything to hold: the address is one of this computer."""
        return bool(self._numbers)

    def acquire(self) -> bool:
        """Hold the port on 127.0.0.1 and [::1], as far as it is free; what is held stays so.

        False where another program has it or may not be kept off it: signing in goes on, and a
        later call tries again.
        """
        taken = False
        for number in self._numbers:
            if number in self._held:
                continue
            try:
                door = reserve(number, self._port)
            except OSError:
                taken = True
                continue
            # A computer without IPv6 has nobody at [::1] either.
            if door is not None:
                self._held[number] = door
        return bool(self._held) and not taken

    def release(self) -> None:
        """Let go of the port; a second call does nothing."""
        while self._held:
            self._held.popitem()[1].close()


def reserve(number: str, port: int) -> socket.socket | None:
    """A socket that keeps everybody else off `port` of `number`, and does not listen.

    None on a computer that has no such number. Raises OSError where somebody has it.
    """
    try:
        return _bound(number, port, shared=False)
    except OSError as error:
        if error.errno != errno.EADDRINUSE or _EXCLUSIVE is not None:
            raise
    # Connections that have ended there, or are about to, keep off whoever does not share.
    door = _bound(number, port, shared=True)
    if door is not None:
        # From here on nobody else shares it. Not so for the first on a port, see above: Linux
        # remembers what that one asked for.
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    return door


def listen(number: str, port: int, backlog: int) -> socket.socket | None:
    """A socket that listens at `port` of `number`, also just after connections there have ended.

    None on a computer that has no such number. Raises OSError where somebody has it.
    """
    door = _bound(number, port, shared=True)
    if door is not None:
        try:
            door.listen(backlog)
        except OSError:
            door.close()
            raise
    return door


def _numbers_of(redirect_uri: str) -> tuple[tuple[str, ...], int]:
    try:
        place = parse_address(redirect_uri)
    except AddressRefused:
        return (), 0
    if not is_loopback(place.host):
        return (), 0
    try:
        number = str(ipaddress.ip_address(place.host))
    except ValueError:
        return _BOTH, place.port
    return tuple(dict.fromkeys((*_BOTH, number))), place.port


def _bound(number: str, port: int, *, shared: bool) -> socket.socket | None:
    """`shared`: with those that say so as well; on Linux they could listen there too."""
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    try:
        door = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        if error.errno in _ABSENT:
            return None
        raise
    try:
        if family == socket.AF_INET6:
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if _EXCLUSIVE is not None:
            door.setsockopt(socket.SOL_SOCKET, _EXCLUSIVE, 1)
        elif shared:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((number, port))
    except OSError as error:
        door.close()
        if error.errno in _ABSENT:
            return None
        raise
    return door
