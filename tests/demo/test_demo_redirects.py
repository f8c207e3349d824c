"""Which addresses the account page sends an answer to, and which it never does."""

from urllib.parse import parse_qs, urlsplit

import pytest

from app.demo.authorisation_attempts import WayBack, is_allowed

REGISTERED = "http://127.0.0.1:38973/signed-in"


@pytest.mark.parametrize(
    "address",
    [
        REGISTERED,
        f"{REGISTERED}?attempt=5f0a",
        f"{REGISTERED}/5f0a",
        f"{REGISTERED}?next=/../x",
        f"{REGISTERED}/a%20b",
    ],
)
def test_an_address_that_begins_with_the_registered_one_is_allowed(address: str) -> None:
    assert is_allowed(address, REGISTERED)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://127.0.0.1:38973/",
        "http://127.0.0.1:38973",
        "http://127.0.0.1:38973.evil.example/signed-in",
        "http://127.0.0.1:38973@evil.example/signed-in",
        "http://evil.example/signed-in",
        "http://evil.example/?http://127.0.0.1:38973/signed-in",
        "https://127.0.0.1:38973/signed-in",
        "http://localhost:38973/signed-in",
        "http://127.0.0.1:3897/signed-in",
        "http://127.0.0.1:389730/signed-in",
        "HTTP://127.0.0.1:38973/signed-in",
        "http://127.0.0.1:38973/Signed-in",
        f" {REGISTERED}",
        f"{REGISTERED}/../elsewhere",
        f"{REGISTERED}/./x",
        f"{REGISTERED}/%2e%2e/elsewhere",
        f"{REGISTERED}/%252e%252e/elsewhere",
        f"{REGISTERED}%2f..%2felsewhere",
        f"{REGISTERED}\\..\\elsewhere",
        f"{REGISTERED}/%5c..%5celsewhere",
        f"{REGISTERED}#access_token=theirs",
        f"{REGISTERED}\n",
        f"{REGISTERED}/\t../x",
        f"{REGISTERED}/a b",
        f"{REGISTERED}/ž",
        "javascript:alert(1)",
        "//127.0.0.1:38973/signed-in",
    ],
)
def test_any_other_address_is_not(address: str) -> None:
    assert not is_allowed(address, REGISTERED)


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:38973.evil.example/", "http://127.0.0.1:38973@evil.example/"],
)
def test_a_registered_address_without_a_path_cannot_be_grown_into_another_host(
    address: str,
) -> None:
    assert is_allowed("http://127.0.0.1:38973/anything", "http://127.0.0.1:38973")
    assert not is_allowed(address, "http://127.0.0.1:38973")


@pytest.mark.parametrize(
    ("way_back", "begun"),
    [
        (WayBack(REGISTERED, in_hash=True), f"{REGISTERED}#"),
        (WayBack(f"{REGISTERED}?mine=1", in_hash=True), f"{REGISTERED}?mine=1#"),
        (WayBack(REGISTERED), f"{REGISTERED}?"),
        (WayBack(f"{REGISTERED}?mine=1"), f"{REGISTERED}?mine=1&"),
    ],
)
def test_the_answer_is_encoded_where_its_program_reads_it(way_back: WayBack, begun: str) -> None:
    assert way_back.with_answer({"error": "x", "error_description": "No & no, + ž"}) == (
        f"{begun}error=x&error_description=No%20%26%20no%2C%20%2B%20%C5%BE"
    )


def test_a_state_goes_back_in_the_query_unchanged_and_never_in_the_hash() -> None:
    state = "a+b c%20/?&=#ž\n"
    where = WayBack(REGISTERED, state=state).with_answer({"code": "c"})
    assert parse_qs(urlsplit(where).query) == {"code": ["c"], "state": [state]}
    assert WayBack(REGISTERED, state="").with_answer({"code": "c"}).endswith("?code=c&state=")
    in_hash = WayBack(REGISTERED, in_hash=True, state=state)
    assert in_hash.with_answer({"error": "x"}) == f"{REGISTERED}#error=x"
