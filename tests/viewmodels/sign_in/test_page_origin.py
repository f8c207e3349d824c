"""What the line above the account's page says about where the page comes from."""

import pytest

from app.viewmodels.sign_in.page_origin import (
    PageOrigin,
    Safety,
    looks_like,
    origin_of,
    reaches_the_same,
    same_site,
    scheme_of,
    without_secrets,
)


@pytest.mark.parametrize(
    ("address", "host", "safety"),
    [
        ("https://account.example.org/oauth?x=1", "account.example.org", Safety.ENCRYPTED),
        ("https://account.example.org:443/", "account.example.org", Safety.ENCRYPTED),
        ("https://account.example.org:8443/", "account.example.org:8443", Safety.ENCRYPTED),
        ("http://account.example.org/", "account.example.org", Safety.OPEN),
        ("http://127.0.0.1:8080/oauth", "127.0.0.1:8080", Safety.THIS_COMPUTER),
        ("http://localhost/", "localhost", Safety.THIS_COMPUTER),
        ("http://[::1]:81/", "[::1]:81", Safety.THIS_COMPUTER),
        ("https://user:word@evil.example/", "evil.example", Safety.ENCRYPTED),
        ("https://ACCOUNT.Example.ORG./", "account.example.org", Safety.ENCRYPTED),
        ("https://127.0.0.1.evil.example/", "127.0.0.1.evil.example", Safety.ENCRYPTED),
    ],
)
def test_host_and_safety_of_a_page(address: str, host: str, safety: Safety) -> None:
    assert origin_of(address) == PageOrigin(host, safety)


@pytest.mark.parametrize("host", ["аррӏе.example", "xn--80ak6aa92e.example", "bücher.example"])
def test_a_name_in_another_script_shows_its_plain_form(host: str) -> None:
    place = origin_of(f"https://{host}/")
    assert place is not None
    assert place.host.isascii()
    assert place.host.startswith("xn--")


@pytest.mark.parametrize(
    "address", ["", "about:blank", "file:///etc/passwd", "http://", "http://x:port/", "http://[/"]
)
def test_what_is_no_web_page_has_no_place(address: str) -> None:
    assert origin_of(address) is None


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "[::1]", "[::ffff:127.0.0.1]"),
        *("127.0.0.1", "127.0.0.9", "127.1", "0x7f000001", "2130706433", "0.0.0.0"),  # noqa: S104
    ],
)
def test_every_name_of_this_computer_reaches_the_same_port(host: str) -> None:
    ours = "http://127.0.0.1:38973/signed-in"
    assert reaches_the_same(f"http://{host}:38973/x", ours)
    assert reaches_the_same(f"ws://{host}:38973/x", ours)
    assert not reaches_the_same(f"http://{host}:38974/x", ours)


def test_another_host_does_not_reach_it() -> None:
    assert not reaches_the_same("http://a.example/x", "http://b.example/x")
    assert reaches_the_same("http://A.example/x", "http://a.example:80/y")


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("http://127.0.0.1:38973/Signed-In", True),
        ("http://127.0.0.1:38973/signed%2Din/", True),
        ("http://localhost:9/signed-in", True),
        ("http://127.0.0.1.evil.example/signed-in", True),
        ("http://localhost:9/signed-out", False),
        ("https://evil.example/signed-in", False),
    ],
)
def test_an_address_that_looks_like_the_redirect_address_is_told_from_others(
    address: str, *, meant: bool
) -> None:
    assert looks_like(address, "http://127.0.0.1:38973/signed-in") is meant


def test_a_scheme_is_read_in_small_letters() -> None:
    assert scheme_of("HTTPS://x") == "https"
    assert scheme_of("no scheme") == ""


@pytest.mark.parametrize(
    ("page", "account"),
    [
        ("https://account.example.org/oauth", "https://account.example.org"),
        ("https://login.example.org:8443/x", "https://account.example.org"),
        ("https://example.co.uk/", "https://account.example.co.uk"),
        ("https://login.office.lan/", "http://account.office.lan"),
        ("http://127.0.0.1:9/x", "http://127.0.0.1:8"),
        ("http://localhost:9/x", "http://localhost:8"),
        ("https://login.xn--bcher-kva.example/", "https://bücher.example"),
    ],
)
def test_the_hosts_of_one_organisation_are_one_site(page: str, account: str) -> None:
    assert same_site(page, account)


@pytest.mark.parametrize(
    ("page", "account"),
    [
        ("https://evil.example/", "https://account.example.org"),
        ("https://account.example.org.evil.example/", "https://account.example.org"),
        ("https://badexample.org/", "https://example.org"),
        ("https://other.co.uk/", "https://account.co.uk"),
        ("https://evil.github.io/", "https://account.github.io"),
        ("http://login.example.org/", "https://account.example.org"),
        ("http://10.0.0.1/", "http://11.0.0.1"),
        ("http://127.0.0.1/", "http://localhost"),
        ("http://[::1]/", "http://[::2]"),
        ("http://intranet/", "http://church"),
        ("https://org/", "https://com"),
        ("about:blank", "https://account.example.org"),
        ("", "https://account.example.org"),
    ],
)
def test_everybody_else_is_another_site(page: str, account: str) -> None:
    assert not same_site(page, account)


def test_an_address_in_a_sentence_holds_no_secret() -> None:
    shown = without_secrets("http://ann:pw@127.0.0.1:1/in?code=secret#access_token=secret")
    assert shown == "http://…@127.0.0.1:1/in"
    assert len(without_secrets(f"http://a/{'x' * 9000}")) < 200
