"""The report holds what helps, and no secret, no person and no account, wherever they stood."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.accounts.worker_thread import NoAnswerError
from app.diagnostics import report as report_module
from app.diagnostics.components import DoctorProcess
from app.diagnostics.report import composed, log_excerpt, report_text
from app.runtime.crash import CrashReporter
from app.runtime.events import EventBus
from app.runtime.logging import close_log, write_log_to
from app.runtime.secrets import remember_secret
from app.settings.settings import Settings, SettingsStore

SECRET = "hush-4711-canary-secret"
NAMES = ("Ada", "Lovelace", "Grace", "Mark", "Will", "Young", "Hall", "Büttner")
EMAIL = "ada.lovelace@riverside.example"
ADDRESS = "https://riverside.example.org/api/v2"
FOUND: dict[str, object] = {
    "versions": {"app": "0.1.0", "python": "3.11.7", "qt": "6.11.3"},
    "resources": {"translations": "/home/ada/frontdesk/translations", "icons": None},
    "data_folder": {"path": "/home/ada/Riverside", "writable": True},
    "vault": {"name": "Secret Service", "real": False, "problem": f"{EMAIL} {ADDRESS}"},
    "missing": [{"what": "/home/ada/Riverside cannot be written", "mend": "chmod"}],
    "works": True,
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "Riverside of Ada Lovelace"
    write_log_to(folder)
    yield folder
    close_log()


def report(folder: Path, settings: Settings | None = None) -> str:
    return composed(FOUND, folder, settings or Settings(), log_excerpt(folder))


def private_things_in(text: str) -> list[str]:
    named = [name for name in NAMES if re.search(rf"\b{name}\b", text, re.IGNORECASE)]
    return named + [one for one in (SECRET, EMAIL, "riverside", "canary") if one in text.lower()]


def log_all_kinds_of_lines() -> None:
    """As the program writes them, and as nobody meant to."""
    drafts = logging.getLogger("app.store.outbox.drafts")
    drafts.warning("the half-typed line could not be kept: %s", "No space left on device")
    drafts.warning("the half-typed line could not be kept: %s", f"Ada Lovelace {EMAIL}")
    drafts.warning("Grace Young <%s> at %s", EMAIL, ADDRESS)
    drafts.warning("Ada Lovelace")
    drafts.warning("line\nAda Lovelace\n2026-11-22 10:00:00,000 INFO Grace.Young: Mark Hall")
    drafts.warning('File "/home/ada/app/Ada.py", line 3, in Lovelace\nGrace: Will Young')
    logging.getLogger("Ada.Lovelace").warning("Büttner")
    logging.getLogger("app.Ada").warning("Büttner")
    logging.getLogger("app.demo.names").warning("Ada Lovelace, %s", SECRET)
    logging.getLogger("app.store.cache").warning("the cache is made anew: %s", "ValueError")
    crashes = CrashReporter("test")
    try:
        SettingsStore(None, EventBus(crashes.report)).change(hold_seconds="Ada Lovelace")  # type: ignore[arg-type]  # it is to fail
    except ValueError as error:
        error.add_note(f"for Will Young, {EMAIL}, {SECRET}")
        crashes.report(error, "slot")


@pytest.mark.logs_errors
def test_no_secret_no_person_and_no_account_stands_in_it(folder: Path) -> None:
    remember_secret(SECRET)
    log_all_kinds_of_lines()
    (folder / "settings.json").write_text(
        json.dumps({"language": f"Ada Lovelace {EMAIL}", "Grace": ADDRESS, "semicolons": True})
    )
    (folder / "accounts.json").write_text(json.dumps({"name": "Riverside", "address": ADDRESS}))
    settings = SettingsStore(folder, EventBus(lambda _: None)).settings
    assert "Ada" in settings.language
    assert "Ada Lovelace" in (folder / "frontdesk.log").read_text("utf-8")
    assert private_things_in(report(folder, settings)) == []


@pytest.mark.logs_errors
def test_what_helps_is_told(folder: Path) -> None:
    log_all_kinds_of_lines()
    text = report(folder, Settings(semicolons=True, language="de"))
    for told in (
        "python 3.11.7",
        "resources: icons",
        "path another, writable True",
        "semicolons: True",
        "language: de",
        "app.store.outbox.drafts: the half-typed line could not be kept: No space left on device",
        "app.store.outbox.drafts: the half-typed line could not be kept: •••",
        "app.store.cache: the cache is made anew: ValueError",
        "app.runtime.crash: uncaught in slot",
        "app/settings/settings.py",
        "change",
        "Traceback (most recent call last):",
    ):
        assert told in text


def test_the_places_in_a_program_that_was_built_are_told_too(tmp_path: Path) -> None:
    (tmp_path / "frontdesk.log").write_text(
        '  File "app/settings/settings.py", line 7, in change\n'
    )
    assert log_excerpt(tmp_path) == ["  app/settings/settings.py, 7, change"]


def test_without_a_log_and_without_an_answer_there_is_a_report_all_the_same(
    tmp_path: Path,
) -> None:
    text = composed({}, tmp_path / "nowhere", Settings(), log_excerpt(tmp_path / "nowhere"))
    assert "doctor\n-\n" in text
    assert text.endswith("log\n-\n")


@pytest.mark.parametrize("error", [NoAnswerError(), PermissionError(), ValueError()])
async def test_what_gives_no_answer_keeps_nobody_waiting_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(DoctorProcess, "ask", fails)
    monkeypatch.setattr(report_module, "log_excerpt", fails)
    text = await report_text(tmp_path, Settings())
    assert "doctor\n-\n" in text
    assert text.endswith("log\n-\n")
