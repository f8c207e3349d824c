"""The desktop of our own, with the real display, bus and vault."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import private_session
import pytest
from speech import SetUpError

PACKAGING = Path(private_session.__file__).parent
pytestmark = pytest.mark.skipif(not private_session.POSSIBLE, reason="only Linux has one")


@pytest.fixture(scope="module")
def session() -> Iterator[private_session.Session]:
    with private_session.started() as session:
        yield session


def say(session: private_session.Session, program: str) -> str:
    """What a Python program that lives in the session prints."""
    environment = session.applied_to(dict(os.environ))
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_window_can_be_shown_in_it(session: private_session.Session) -> None:
    program = (
        "from PySide6.QtWidgets import QApplication, QLabel\n"
        "application = QApplication([]); label = QLabel('there'); label.show()\n"
        "print(application.platformName(), label.isVisible(), application.primaryScreen().size())"
    )
    assert say(session, program) == "xcb True PySide6.QtCore.QSize(1600, 1000)"


def test_its_vault_is_real_empty_and_open(session: private_session.Session) -> None:
    program = (
        "import keyring; print(type(keyring.get_keyring()).__module__)\n"
        "print(keyring.get_password('frontdesk', 'somebody'))\n"
        "keyring.set_password('frontdesk', 'somebody', 'kept')\n"
        "print(keyring.get_password('frontdesk', 'somebody'))\n"
        "keyring.delete_password('frontdesk', 'somebody')"
    )
    backend = "keyring.backends.SecretService"
    assert say(session, program).split() == [backend, "None", "kept"]


def test_nothing_leads_back_to_the_desktop_it_was_started_from(
    session: private_session.Session,
) -> None:
    theirs = dict.fromkeys(private_session.OF_THEIR_DESKTOP, "theirs")
    theirs |= {"DISPLAY": "theirs", "DBUS_SESSION_BUS_ADDRESS": "theirs", "HOME": "theirs"}
    assert "theirs" not in session.applied_to(theirs).values()
    assert session.applied_to({"PATH": "/bin"})["PATH"] == "/bin"


def test_nothing_of_it_is_left_when_it_ends() -> None:
    with private_session.started() as session:
        home = Path(session.variables["HOME"])
        assert home.is_dir()
        assert processes_of(home)
    assert not home.exists()
    assert not processes_of(home)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_nothing_of_it_is_left_when_the_set_up_is_told_to_end(number: signal.Signals) -> None:
    """Told while the session is up, and before a program runs in it."""
    program = (
        "import commands, private_session, sys, time\n"
        "def stay(_):\n"
        "    with private_session.started() as session:\n"
        "        print(session.variables['HOME'], flush=True)\n"
        "        time.sleep(60)\n"
        "sys.exit(commands.stopping_with_a_sentence(stay)([]))"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=PACKAGING, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        home = Path(started.stdout.readline().strip())
        assert processes_of(home)
        started.send_signal(number)
        assert started.wait(20) == 128 + number
    assert not home.exists()
    assert not processes_of(home)


def processes_of(home: Path) -> list[str]:
    """The processes that live in this home."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes()
        except OSError:
            continue
        if f"HOME={home}".encode() in variables:
            found.append(folder.name)
    return found


def test_a_vault_that_may_not_be_started_as_it_is_starts_as_a_copy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a container the daemon's capability can be refused; then its file is not for us."""
    started = subprocess.Popen

    def refused(command: list[str], **options: object) -> object:
        if command[0] == "/usr/bin/gnome-keyring-daemon":
            raise PermissionError(1, "Operation not permitted", command[0])
        return started(command, **options)  # type: ignore[call-overload]  # handed on as it came

    monkeypatch.setattr(subprocess, "Popen", refused)
    with private_session.started() as session:
        home = Path(session.variables["HOME"])
        assert (home / "gnome-keyring-daemon").exists()
        assert "SecretService" in say(session, "import keyring; print(keyring.get_keyring())")


def test_a_display_that_does_not_start_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Xvfb").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "Xvfb").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(SetUpError, match=r"did not start: .*Xvfb"), private_session.started():
        pytest.fail("there is no session without a display")
