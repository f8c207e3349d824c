"""The port of a redirect address on this computer, held so that nobody listens there meanwhile.

It is bound and never listened on: whoever connects is refused. Reading an answer is left to others.
"""

import errno
import ipaddress
import socket

from app.api.addresses import is_loopback, read_place
from app.api.errors import AddressRefused

_BOTH = ("127.0.0.1", "::1")
_ABSENT = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})


class RedirectPortReservation:
    """Keeps other programs off the redirect address while an attempt to sign in is under way.

    Without it a program on this computer could wait there for what a page lets slip. Who wants to
    listen there itself calls `release` first.
    """

    def __init__(self, redirect_uri: str) -> None:
        """Nothing is held before `acquire`; an address elsewhere than here is never held."""
        self._addresses, self._port = _doors(redirect_uri)
        self._held: list[socket.socket] = []

    def acquire(self) -> bool:
        """Hold the port on 127.0.0.1 and [::1], as far as it is free; held already is no error.

        False where another program has it or may not be kept off it: signing in goes on.
        """
        self.release()
        taken = False
        for address in self._addresses:
            try:
                self._held.append(_bound(address, self._port))
            except OSError as error:
                # A computer without IPv6 has nobody at [::1] either.
                taken = taken or error.errno not in _ABSENT
        return bool(self._held) and not taken

    def release(self) -> None:
        """Let go of the port; a second call does nothing."""
        while self._held:
            self._held.pop().close()


def _doors(redirect_uri: str) -> tuple[tuple[str, ...], int]:
    try:
        place = read_place(redirect_uri)
    except AddressRefused:
        return (), 0
    if not is_loopback(place.host):
        return (), 0
    try:
        number = str(ipaddress.ip_address(place.host))
    except ValueError:
        return _BOTH, place.port
    return tuple(dict.fromkeys((*_BOTH, number))), place.port


def _bound(address: str, port: int) -> socket.socket:
    """A bound socket. No SO_REUSEADDR: with it Linux lets others bind there too, and listen."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        # Windows lets others take a bound port unless told not to.
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
        if exclusive is not None:
            made.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made
