"""A secret is hidden however it is spelt: in an address, JSON, HTML, a traceback or a header."""

import base64
import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from app.runtime import secrets
from app.runtime.crash import CrashReporter
from app.runtime.secrets import redact, remember_secret

Spell = Callable[[str], str]

SECRETS = (
    "canary-plain-0123456789",
    "canary/with+signs=and&more?<é'\"\\ end",
    "canary clé 日本 \U0001f511 key",
    "canary" + "-long%" * 300 + "the-last",
)


def every_sign_in_percent(secret: str) -> str:
    return "".join(f"%{byte:02X}" for byte in secret.encode())


def basic(before: str, after: str, encode: Callable[[bytes], bytes]) -> Spell:
    return lambda secret: encode(f"{before}{secret}{after}".encode()).decode()


SPELLINGS: dict[str, Spell] = {
    "percent": lambda secret: quote(secret, safe=""),
    "percent, lower case": lambda secret: re.sub(
        "%[0-9A-F]{2}", lambda found: found[0].lower(), quote(secret, safe="")
    ),
    "percent, some signs left": lambda secret: quote(secret, safe="/+=&?"),
    "percent, plus for blanks": quote_plus,
    "percent, every sign": every_sign_in_percent,
    "percent, twice": lambda secret: quote(quote(secret, safe=""), safe=""),
    "JSON": json.dumps,
    "JSON as is": lambda secret: json.dumps(secret, ensure_ascii=False),
    "JSON in JSON": lambda secret: json.dumps(json.dumps(secret)),
    "JSON of PHP": lambda secret: json.dumps(secret).replace("/", "\\/"),
    "Python": repr,
    "Python, bytes": lambda secret: repr(secret.encode("utf-16-be").decode("utf-16-be")),
    "HTML": html.escape,
}
for name, encode in (("base64", base64.b64encode), ("base64, url", base64.urlsafe_b64encode)):
    for before in ("", "k", "kk", "someone:"):
        for after in ("", ":", ":password"):
            SPELLINGS[f"{name} {before!r} {after!r}"] = basic(before, after, encode)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("padding", ["=", ""])
def test_no_spelling_of_a_secret_is_left(secret: str, spelling: str, padding: str) -> None:
    remember_secret(secret)
    spelt = SPELLINGS[spelling](secret).replace("=", "=" if "base64" not in spelling else padding)
    left = redact(f"before {spelt} after")
    assert left.startswith("before ")
    assert left.endswith(" after")
    # Of base64 the signs at its ends, which say more than the secret, may be left.
    most = 30 if "base64" in spelling else 11
    assert len(left) - len("before  after") <= most
    assert "•••" in left


def test_what_is_shaped_like_a_credential_goes_unknown_as_well() -> None:
    for text in (
        "https://a.example/x#access_token=unknown-1&expires_in=3",
        "next=https%3A%2F%2Fa.example%2Fx%23access_token%3Dunknown-1%26expires_in%3D3",
        '{"access_token": "unknown-1", "expires_in": 3}',
        "{'client_secret': 'unknown-1'}",
        '"{\\"refresh_token\\": \\"unknown-1\\"}"',
        "Authorization: Basic dW5rbm93bi0xOg",
    ):
        assert "unknown" not in redact(text)
        assert "dW5rbm93" not in redact(text)


def test_what_is_no_secret_stays() -> None:
    remember_secret("canary-plain-0123456789")
    for text in (
        "GET /v1/people/getAll.json?page=2 said 404, code 404",
        '{"code": 404, "message": "Not Found"}',
        "100% of 25 % + a=b & c\\d \\u00e9 &amp; dGhpcyBpcyBubyBzZWNyZXQ=",
    ):
        assert redact(text) == text


@pytest.mark.logs_errors
def test_a_report_holds_no_spelling_either() -> None:
    remember_secret("canary/in-a-report+1")
    crashes = CrashReporter("1")
    crashes.report(RuntimeError(f"GET {quote('canary/in-a-report+1', safe='')} failed"))
    (report,) = crashes.reports
    assert "canary" not in report.details


FLOODS = ("\\", "25", "%25", "&amp;", "A", "canary", "%63", '"')


@pytest.mark.parametrize("flood", FLOODS)
def test_a_secret_is_found_behind_a_long_text_that_begins_as_one_again_and_again(
    flood: str,
) -> None:
    remember_secret("canary-plain-0123456789")
    text = flood * (150_000 // len(flood))
    assert redact(f"{text} canary%2Dplain-0123456789.") == f"{text} •••."


@pytest.mark.parametrize("spelt", ["tr&lt;pd00r-value", "tr%3Cpd00r-value", "tr\\u003cpd00r-value"])
def test_one_spelling_alone_is_found(spelt: str) -> None:
    remember_secret("tr<pd00r-value")
    assert redact(f"sent {spelt} there") == "sent ••• there"


def test_a_long_secret_is_known_by_how_it_begins() -> None:
    begins = "".join(f"{number:02}" for number in range(32))
    remember_secret(f"{begins}-and-what-follows")
    assert redact(f"sent {begins}-cut there") == "sent ••• there"


def test_a_secret_that_another_thread_comes_to_know_meanwhile_breaks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remember_secret("trapd00r-value")
    spellings = secrets._spellings

    def meanwhile(secret: str) -> re.Pattern[str]:
        remember_secret("another-trapd00r")
        return spellings(secret)

    monkeypatch.setattr(secrets, "_spellings", meanwhile)
    assert redact("sent trapd00r-value there") == "sent ••• there"
