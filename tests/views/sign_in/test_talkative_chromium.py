"""How Chromium is started: its remarks kept to itself, and what no guard sees switched off."""

from app.accounts.account import Account, AuthMethod
from app.views.sign_in.browser_lockdown import hush, lock_down, redirect_addresses


def test_it_says_only_what_ends_it() -> None:
    environment: dict[str, str] = {}
    hush(environment)
    assert environment == {"QTWEBENGINE_CHROMIUM_FLAGS": "--log-level=3"}


def test_whoever_set_flags_keeps_them() -> None:
    environment = {"QTWEBENGINE_CHROMIUM_FLAGS": "--enable-logging"}
    hush(environment)
    assert environment == {"QTWEBENGINE_CHROMIUM_FLAGS": "--enable-logging"}


def flags_after(kept_off: str, before: str = "") -> str:
    environment = {"QTWEBENGINE_CHROMIUM_FLAGS": before}
    lock_down(kept_off, environment)
    return environment["QTWEBENGINE_CHROMIUM_FLAGS"]


def test_a_port_of_this_computer_is_out_of_its_reach_under_every_name() -> None:
    flags = flags_after("http://127.0.0.9:38973/signed-in")
    for name in ("127.0.0.9", "127.0.0.1", "localhost", "[::1]"):
        assert f"MAP {name}:38973 ~NOTFOUND" in flags


def test_a_port_of_another_host_is_out_of_its_reach_too() -> None:
    flags = flags_after("http://192.0.2.2:8123/signed-in")
    assert "MAP 192.0.2.2:8123 ~NOTFOUND" in flags
    assert "localhost" not in flags


def test_a_website_stays_in_reach_because_other_accounts_may_need_it() -> None:
    assert "MAP" not in flags_after("https://www.example.org/done")
    assert "MAP" not in flags_after("")


def test_what_somebody_has_switched_off_stays_off() -> None:
    before = (
        '--enable-logging "--host-resolver-rules=MAP a.example b.example" --disable-features=A,B'
    )
    flags = flags_after("http://localhost:1/x", before)
    assert "--enable-logging" in flags
    assert "MAP a.example b.example,MAP " in flags
    assert "--disable-features=A,B,FedCm" in flags
    assert flags.count("--disable-features") == flags.count("--host-resolver-rules") == 1
    assert flags_after("http://localhost:1/x", flags) == flags


def test_the_redirect_addresses_of_later_sign_ins_are_out_of_its_reach_from_the_start() -> None:
    known = [
        Account(
            id=str(number),
            name="",
            base_url=f"http://127.0.0.1:{4000 + number}",
            auth_method=AuthMethod.PAGE,
            redirect_uri=redirect,
        )
        for number, redirect in enumerate(
            ("http://localhost:5001/a", "http://127.0.0.1:5002/b", "http://[::1]:4001/in-itself")
        )
    ]
    others = redirect_addresses(known, "http://127.0.0.1:5002/oauth?type=user_agent")
    environment: dict[str, str] = {}
    lock_down("http://127.0.0.1:5000/c", environment, known=others)
    flags = environment["QTWEBENGINE_CHROMIUM_FLAGS"]
    for port in (5000, 5001, 38973):
        assert f"MAP 127.0.0.1:{port} ~NOTFOUND" in flags
    for service in (4001, 5002):
        assert f":{service} " not in flags
