"""Chromium is asked to keep its remarks to itself, unless somebody wants to hear them."""

from app.views.sign_in.chromium import hush


def test_it_says_only_what_ends_it() -> None:
    environment: dict[str, str] = {}
    hush(environment)
    assert environment == {"QTWEBENGINE_CHROMIUM_FLAGS": "--log-level=3"}


def test_whoever_set_flags_keeps_them() -> None:
    environment = {"QTWEBENGINE_CHROMIUM_FLAGS": "--enable-logging"}
    hush(environment)
    assert environment == {"QTWEBENGINE_CHROMIUM_FLAGS": "--enable-logging"}
