"""The addresses people type and paste."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.addresses import check_base_url, check_redirect_address, is_loopback, is_private
from app.api.errors import AddressRefused
from app.model.errors import ExpectedError
from tests.any_character import ANY_CHARACTER


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("church.example", "https://church.example"),
        ("  church.example/ \n", "https://church.example"),
        ("HTTPS://Church.Example", "https://church.example"),
        ("<https://church.example>", "https://church.example"),
        ("https://church.example:443/", "https://church.example"),
        ("https://church.example:8443", "https://church.example:8443"),
        ("church.example:8443", "https://church.example:8443"),
        ("https://church.example/api/", "https://church.example/api"),
        ("https://church.example/v1", "https://church.example"),
        ("https://church.example/v1/people/getAll.json", "https://church.example"),
        ("https://church.example/api/v1/people", "https://church.example/api"),
        ("https://church.example/oauth", "https://church.example"),
        ("https://church.example/api/oauth/token", "https://church.example/api"),
        ("https://church.example/v10", "https://church.example/v10"),
        ("//church.example", "https://church.example"),
        ("https://bücher.example", "https://bücher.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://192.168.1.20", "http://192.168.1.20"),
        ("http://office.local", "http://office.local"),
        ("http://nas/api", "http://nas/api"),
    ],
)
def test_an_address_is_made_whole(typed: str, address: str) -> None:
    assert check_base_url(typed) == address
    assert check_base_url(address) == address


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "https://",
        "http://church.example",
        "http://8.8.8.8",
        "ftp://church.example",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "mailto:ada@church.example",
        "ada@church.example",
        "https://ada:secret@church.example",
        "https://church.example?x=1",
        "https://church.example/#top",
        "https://church.example/?",
        "https://church example",
        "https://church.example/a b",
        "https:\\\\church.example",
        "https://church.example:0",
        "https://church.example:99999",
        "https://church.example:port",
        "https://[::1",
        "https://.example",
        "https://church..example",
        "https://church.example./x",
        "https://%63hurch.example",
        "https://church.example/a/../b",
        "our church",
    ],
)
def test_what_is_no_address_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(ExpectedError) as caught:
        check_base_url(typed)
    assert caught.value.message.endswith(".")


@given(st.text(ANY_CHARACTER) | st.text("htps:/[]@.:0129abc?#%\\", max_size=30))
def test_any_text_gives_an_address_or_a_sentence(typed: str) -> None:
    with contextlib.suppress(AddressRefused):
        address = check_base_url(typed)
        assert address.startswith(("https://", "http://"))
        assert check_base_url(address) == address


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        *(
            (typed, "doesn't look right")
            for typed in (
                "https//church.example",
                "https:///church.example",
                "https;//church.example",
                "https:church.example",
                "https://https://church.example",
                "https://a.examplehttps://b.example",
                "https:// church.example",
                "a.example; b.example",
                "church,example",
                "C:\\Users\\ada\\riverside.json",
                "/home/ada/riverside.json",
                "riverside",
                "rck-9d4b7e21f6c84a0fb35e6a17",
                "our church",
                "::1",
            )
        ),
        ("htp://church.example", "begins with https://"),
        ("file:///home/ada/riverside.json", "begins with https://"),
        ("church.example/v1/people/getAll.json?page=1", "? or #"),
        ("ada@church.example", "in front of the @"),
        ("http://church.example", "https://"),
    ],
)
def test_what_is_mistyped_is_refused_and_says_why(typed: str, words: str) -> None:
    with pytest.raises(AddressRefused) as caught:
        check_base_url(typed)
    assert words in caught.value.message


@pytest.mark.parametrize(
    "typed", ["http://127.0.0.1:38973/signed-in", "https://church.example/in/", " http://x.org "]
)
def test_a_redirect_address_is_kept_as_registered(typed: str) -> None:
    assert check_redirect_address(typed) == typed.strip()


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "frontdesk://signed-in",
        "church.example/in",
        "http://x.org/#in",
        "http://u@x.org",
        "http:",
    ],
)
def test_a_redirect_address_no_browser_view_could_catch_is_refused(typed: str) -> None:
    with pytest.raises(ExpectedError):
        check_redirect_address(typed)


def test_loopback_and_private_hosts_are_told_apart() -> None:
    assert all(is_loopback(host) for host in ("localhost", "a.localhost", "127.9.9.9", "::1"))
    assert not any(is_loopback(host) for host in ("localhost.example", "10.0.0.1", "x.org"))
    assert all(is_private(host) for host in ("10.0.0.1", "fd00::1", "nas", "a.lan", "127.0.0.1"))
    assert not any(is_private(host) for host in ("8.8.8.8", "church.example", "2606:4700::1"))


@pytest.mark.parametrize(
    "host",
    [
        "LOCALHOST",
        "localhost.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0.0.0.0",  # noqa: S104 - nothing is bound to it
        "::",
        "::ffff:127.0.0.1",
    ],
)
def test_this_computer_is_known_by_every_name_the_system_takes_for_it(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["8.8", "face.example", "0x8.8", "1.2.3.4.5", "9" * 30, "fe80::1"])
def test_another_address_is_not_this_computer(host: str) -> None:
    assert not is_loopback(host)
