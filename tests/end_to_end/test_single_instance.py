"""Two starts with one data folder: the second raises the first window and ends."""

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import qasync
from filelock import FileLock
from PySide6.QtCore import QDir
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.single_instance import SingleInstance, Start, WindowRequest, _name_of, _written
from tests.end_to_end.later_start import LaterStart

ROOT = Path(__file__).resolve().parent.parent.parent


LATER = """
import os, sys
os.environ["QT_API"] = "pyside6"
from pathlib import Path
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from app.single_instance import SingleInstance
starts = set()
with QEventLoop(QApplication([])) as loop:
    for folder in sys.argv[1:]:
        later = SingleInstance(Path(folder))
        starts.add(loop.run_until_complete(later.begin()))
        later.end()
if "PySide6.QtNetwork" in sys.modules:
    print("loaded")
(start,) = starts
sys.exit(start.value)
"""


class Starts:
    """Real processes on one data folder."""

    def __init__(self, folder: Path) -> None:
        self._arguments = [str(folder / "data"), "", "wait"]
        self.running: list[subprocess.Popen[str]] = []
        self.waiting: list[LaterStart] = []

    def first(self) -> "subprocess.Popen[str]":
        """A window that stays; it is there when this returns."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.end_to_end.killed_window", *self._arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    def later(self, people: str = "") -> LaterStart:
        """A later start that is watched."""
        self.waiting.append(LaterStart(Path(self._arguments[0]), people))
        return self.waiting[-1]

    def again(self) -> "subprocess.CompletedProcess[str]":
        """What becomes of a later start."""
        return subprocess.run(
            [sys.executable, "-m", "app", "--data-folder", self._arguments[0]],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[Starts]:
    starts = Starts(tmp_path)
    yield starts
    for later in starts.waiting:
        later.kill()
    for process in starts.running:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


def test_a_later_start_raises_the_first_window_says_that_it_hangs_and_takes_its_place_once_killed(
    starts: Starts,
) -> None:
    first = starts.first()
    done = starts.again()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert first.poll() is None
    first.send_signal(signal.SIGSTOP)
    named, unnamed = starts.later("Ada Lovelace\nBob Byron"), starts.later()
    told = named.says()
    assert told.startswith("Front Desk is open already and does not answer.")
    assert "“Ada Lovelace, Bob Byron” waits here until it answers" in told
    given_up = (
        "“Ada Lovelace, Bob Byron” was not added: Front Desk is open already and does not answer."
    )
    assert named.closed() == (1, f"{given_up}\n")
    assert "does not answer" in unnamed.says()
    # It goes by itself once that is no longer true.
    first.send_signal(signal.SIGCONT)
    assert unnamed.ended() == (0, "")
    first.send_signal(signal.SIGSTOP)
    later = starts.later()
    assert "does not answer" in later.says()
    # Nor does it wait for one that was killed: it becomes the first.
    first.kill()
    assert starts.again().returncode == 0
    assert later.closed() == (0, "")


# In one process: two starts, and what stands where the first one should listen.


@pytest.fixture
def one(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., SingleInstance]]:
    """A start with the same folder, as far as it gets in a moment; all are ended."""
    made: list[SingleInstance] = []
    with qasync.QEventLoop(qapp) as loop:

        def start(asked: WindowRequest | None = None) -> SingleInstance:
            made.append(SingleInstance(tmp_path / "data", timeout=0.4, asked=asked))
            loop.run_until_complete(made[-1].begin())
            return made[-1]

        yield start
        for each in made:
            each.end()


def listens_at(folder: Path) -> Path:
    return Path(QDir.tempPath(), _name_of(folder))


def said(start: SingleInstance) -> str:
    """What has become of it by now."""
    return start.start.name


class Window:
    """Counts how often it was raised."""

    def __init__(self) -> None:
        self.raised = 0

    def come(self) -> None:
        self.raised += 1


def test_a_socket_that_was_left_behind_is_replaced_and_one_that_was_tidied_away_made_again(
    one: Callable[[], SingleInstance], tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(listens_at(tmp_path / "data")))
    left = listens_at(tmp_path / "data").stat().st_ino
    first, window = one(), Window()
    assert said(first) == "FIRST"
    first.when_asked(window.come)
    until = time.monotonic() + 10
    while listens_at(tmp_path / "data").stat().st_ino == left:
        assert time.monotonic() < until
        QTest.qWait(20)
    for again in range(3):
        listens_at(tmp_path / "data").unlink()
        assert said(one()) == "RAISED"
        assert window.raised == again + 1


def test_the_first_window_is_there_before_anything_is_loaded_to_listen_also_after_a_kill(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    # What one leaves that was killed: a socket where nobody listens, and a lock that nobody has.
    (folder / "window.lock").touch()
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(listens_at(folder)))
        killed.listen()
    command = [sys.executable, "-c", LATER, str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    listens_at(folder).unlink(missing_ok=True)
    assert (done.returncode, done.stdout) == (Start.FIRST.value, b"")


def test_a_stranger_in_place_of_the_socket_is_no_first_window(
    one: Callable[[], SingleInstance], tmp_path: Path
) -> None:
    first = one()
    assert said(first) == "FIRST"
    first.end()
    with FileLock(tmp_path / "data" / "window.lock"), socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(str(listens_at(tmp_path / "data")))
        stranger.listen()
        later = one()
        heard, _ = stranger.accept()
        with heard:
            heard.sendall(b"not done at all" * 10_000)
            QTest.qWait(200)
        assert said(later) == "NO_ANSWER"
    QTest.qWait(500)
    assert said(later) == "FIRST"


def test_where_no_lock_can_be_had_a_window_that_answers_is_raised_all_the_same(
    qapp: QApplication, tmp_path: Path
) -> None:
    folders = [tmp_path / kind for kind in ("folder", "link", "no folder")]
    (folders[0] / "window.lock").mkdir(parents=True)
    folders[1].mkdir()
    (folders[1] / "window.lock").symlink_to(tmp_path / "elsewhere")
    folders[2].touch()
    windows = [Window() for _ in folders]
    with qasync.QEventLoop(qapp) as loop:
        first = [SingleInstance(folder, timeout=0.4) for folder in folders]
        for one, window in zip(first, windows, strict=True):
            loop.run_until_complete(one.begin())
            assert said(one) == "FIRST"
            one.when_asked(window.come)
        later = subprocess.Popen([sys.executable, "-c", LATER, *map(str, folders)], cwd=ROOT)
        while later.poll() is None:
            QTest.qWait(20)
        for one in first:
            one.end()
    assert later.returncode == Start.RAISED.value
    assert [window.raised for window in windows] == [1, 1, 1]
    assert not (tmp_path / "elsewhere").exists()


STRANGE = Path("Sonntag\nMittag – 日\udcff.csv")


WANTED = (
    WindowRequest(list_file=STRANGE),
    WindowRequest(connection=STRANGE),
    WindowRequest(people="Ada Lovelace ada@x.org\n王小明"),
    WindowRequest(people=""),
    WindowRequest(chooses_list=True),
    WindowRequest(people="Zora Neale zora@example.org\n" * 20_000),
)


def test_what_a_later_start_wants_is_done_in_the_first_window(
    one: Callable[..., SingleInstance],
) -> None:
    first, window = one(), Window()
    wanted: list[WindowRequest] = []
    first.when_asked(window.come, wanted.append)
    for number, asked in enumerate(WANTED, 1):
        assert said(one(asked)) == "RAISED"
        assert (window.raised, wanted) == (number, [*WANTED[:number]])
    assert said(one()) == "RAISED"
    assert (window.raised, wanted) == (len(WANTED) + 1, [*WANTED])


def test_what_is_asked_of_one_that_ends_is_done_by_the_next(
    one: Callable[..., SingleInstance], tmp_path: Path
) -> None:
    first, window = one(), Window()
    wanted: list[WindowRequest] = []
    first.when_asked(window.come, wanted.append)
    assert said(one()) == "RAISED"
    # Connected by now, but nothing was said yet.
    with socket.socket(socket.AF_UNIX) as early:
        early.connect(str(listens_at(tmp_path / "data")))
        QTest.qWait(20)
        first.answer_nobody_more()
        later = one(WindowRequest(people="Ada Lovelace\nGrace Hopper"))
        assert (said(later), wanted) == ("NO_ANSWER", [])
        assert early.recv(1) == b""
    first.end()
    QTest.qWait(300)
    assert said(later) == "FIRST"


def test_whoever_has_left_before_they_are_heard_asks_for_nothing(
    one: Callable[[], SingleInstance], tmp_path: Path
) -> None:
    first, window = one(), Window()
    wanted: list[WindowRequest] = []
    first.when_asked(window.come, wanted.append)
    while not listens_at(tmp_path / "data").exists():
        QTest.qWait(20)
    # As a window hears them that hung, when they were told so and gave up.
    with socket.socket(socket.AF_UNIX) as early:
        early.connect(str(listens_at(tmp_path / "data")))
        early.sendall(_written(WindowRequest(people="Ada Lovelace")))
    while not window.raised:
        QTest.qWait(20)
    QTest.qWait(100)
    assert wanted == []


ENDING = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app import application
from app.container import Container, StartOptions
from app.single_instance import SingleInstance

class First(SingleInstance):
    def answer_nobody_more(self):
        print("answers nobody more")
        super().answer_nobody_more()
class Ending(Container):
    async def _end(self):
        print("ends")
        await super()._end()
class Companion:
    def stop(self): pass
def accompany(container):
    QTimer.singleShot(0, container.quit)
    return Companion()
application.Container, application.SingleInstance = Ending, First
sys.exit(application.run_window(StartOptions(Path(sys.argv[1])), accompany))
"""


def test_a_window_answers_nobody_more_before_anything_of_it_ends(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDING, str(tmp_path / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[:2] == ["answers nobody more", "ends"]


def test_what_fails_in_the_first_window_is_tried_once_and_answered(
    one: Callable[..., SingleInstance], monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: faults.append(error))
    first, window, error = one(), Window(), LookupError("not there")
    wanted: list[WindowRequest] = []

    def take(asked: WindowRequest) -> None:
        wanted.append(asked)
        raise error

    first.when_asked(window.come, take)
    asked = WindowRequest(people="Ada Lovelace")
    assert said(one(asked)) == "RAISED"
    QTest.qWait(1_200)  # twice as long as somebody who says nothing is waited for
    assert (window.raised, wanted, faults) == (1, [asked], [error])


def test_whoever_speaks_otherwise_sees_the_window_and_asks_for_nothing(
    one: Callable[[], SingleInstance], tmp_path: Path
) -> None:
    first, window = one(), Window()
    wanted: list[WindowRequest] = []
    first.when_asked(window.come, wanted.append)
    while not listens_at(tmp_path / "data").exists():
        QTest.qWait(20)
    strange = (
        b"99999999999999999999999999999",
        b"-5\nxxxxx",
        b"7\nnothing",
        b"5\n\x91\x01\x02\x03\x04",
        b"ten\n",
    )
    for number, spoken in enumerate(strange, 1):
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.connect(str(listens_at(tmp_path / "data")))
            stranger.sendall(spoken)
            stranger.setblocking(False)
            heard = b""
            while not heard:
                QTest.qWait(20)
                with contextlib.suppress(BlockingIOError):
                    heard = stranger.recv(10)
        assert (spoken, heard, window.raised, wanted) == (spoken, b"done\n", number, [])
