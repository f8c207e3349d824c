"""While somebody signs in, no other program can listen where the answer is sent to."""

import contextlib
import socket
from collections.abc import Callable, Iterator

import pytest

from app.api.sign_in.redirect_port import RedirectPortReservation

V4, V6 = ("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6)
HAS_IPV6 = True
try:
    with socket.create_server(("::1", 0), family=socket.AF_INET6):
        pass
except OSError:
    HAS_IPV6 = False
BOTH = [V4, *([V6] if HAS_IPV6 else [])]


@pytest.fixture
def port() -> int:
    """A port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        number: int = free.getsockname()[1]
    return number


@pytest.fixture
def somebody(port: int) -> Iterator[socket.socket]:
    """Another program that listens at the port."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        yield listener


def can_listen(address: str, family: socket.AddressFamily, port: int) -> bool:
    """As most servers do it: taking over a port that nobody listens on."""
    with contextlib.suppress(OSError), socket.create_server((address, port), family=family):
        return True
    return False


Reserve = Callable[[str], RedirectPortReservation]


@pytest.fixture
def reserve() -> Iterator[Reserve]:
    """Makes reservations, not acquired yet; whatever they hold is let go at the end."""
    made: list[RedirectPortReservation] = []

    def make(redirect_uri: str) -> RedirectPortReservation:
        made.append(RedirectPortReservation(redirect_uri))
        return made[-1]

    yield make
    for reservation in made:
        reservation.release()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
@pytest.mark.parametrize("where", BOTH)
def test_while_it_is_held_nobody_listens_and_nobody_is_answered(
    port: int, reserve: Reserve, host: str, where: tuple[str, socket.AddressFamily]
) -> None:
    reservation = reserve(f"http://{host}:{port}/signed-in")
    assert reservation.acquire()
    assert not can_listen(*where, port)
    assert not can_listen("0.0.0.0", socket.AF_INET, port)  # noqa: S104 - what is to be refused
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((where[0], port), timeout=2)
    reservation.release()
    assert can_listen(*where, port)


def test_another_number_of_this_computer_is_held_too(port: int, reserve: Reserve) -> None:
    reserve(f"http://127.0.0.9:{port}/signed-in").acquire()
    assert not can_listen("127.0.0.9", socket.AF_INET, port)


def test_held_again_it_is_held_and_let_go_twice_it_is_free(port: int, reserve: Reserve) -> None:
    reservation = reserve(f"http://127.0.0.1:{port}/signed-in")
    assert reservation.acquire()
    assert reservation.acquire()
    assert not can_listen(*V4, port)
    reservation.release()
    reservation.release()
    assert can_listen(*V4, port)


def test_a_port_somebody_has_is_said_to_be_taken_and_stays_theirs(
    port: int, reserve: Reserve, somebody: socket.socket
) -> None:
    assert not reserve(f"http://127.0.0.1:{port}/signed-in").acquire()
    with socket.create_connection(("127.0.0.1", port), timeout=2):
        somebody.accept()[0].close()


def test_what_somebody_lets_go_of_is_held_at_the_next_try(
    port: int, reserve: Reserve, somebody: socket.socket
) -> None:
    reservation = reserve(f"http://127.0.0.1:{port}/signed-in")
    assert not reservation.acquire()
    # They take over what nobody listens on, and have talked with somebody until now.
    with socket.create_connection(("127.0.0.1", port), timeout=2):
        somebody.accept()[0].close()
    somebody.close()
    assert reservation.acquire()
    assert not can_listen(*V4, port)


@pytest.mark.parametrize(
    "elsewhere", ["https://account.example.org/desktop", "http://192.168.7.7:8080/x", "", "x://y"]
)
def test_an_address_elsewhere_is_not_held(elsewhere: str, reserve: Reserve) -> None:
    assert not reserve(elsewhere).acquire()
