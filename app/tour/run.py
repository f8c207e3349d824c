"""`frontdesk tour`, imported for that command alone: runs the main job in front of a demo service,
and takes one numbered picture per station, of the window as it stands.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from app.application import run_window
from app.container import Container, StartOptions
from app.demo.options import DemoOptions, Fault, FaultKind
from app.demo.server import DemoServer
from app.runtime.paths import resource
from app.runtime.terminal import CommandParser, speak_as_the_terminal_does
from app.runtime.words import language, tr, use_language
from app.tour.main_job import main_job
from app.tour.script import Runner
from app.views.look.language import system_languages

_ANSWERS_IN = 0.1
"""Seconds."""
_SAMPLES = 24
_COLOURS_OF_A_PICTURE = 3


class Camera:
    """Writes pictures into one folder."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError when the folder cannot be made."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._taken = 0

    def take(self, window: QWidget, name: str) -> Path:
        """Save `window`, with what stands above it, as the next picture.

        Raises RuntimeError when the picture is of one colour or cannot be written.
        """
        self._taken += 1
        path = self._folder / f"{self._taken:02}-{name}.png"
        picture = _of_the_screen(window)
        if _blank(picture.toImage()):
            # Some platforms do not let a program see the screen; the window can still paint itself.
            picture = (QApplication.activeWindow() or window).grab()
        if _blank(picture.toImage()) or not picture.save(str(path)):
            raise RuntimeError(f"no picture could be taken for {path.name}")
        return path


def _of_the_screen(window: QWidget) -> QPixmap:
    screen = window.screen()
    frame = window.frameGeometry()
    for other in QApplication.topLevelWidgets():
        if other.isVisible():
            frame |= other.frameGeometry()
    place = frame.intersected(screen.geometry()).translated(-screen.geometry().topLeft())
    return screen.grabWindow(0, place.x(), place.y(), place.width(), place.height())


def _blank(image: QImage) -> bool:
    if image.isNull():
        return True
    seen = {
        image.pixel(image.width() * x // _SAMPLES, image.height() * y // _SAMPLES)
        for x in range(_SAMPLES)
        for y in range(_SAMPLES)
    }
    return len(seen) < _COLOURS_OF_A_PICTURE


def run(arguments: Sequence[str]) -> int:
    """Take the tour; 0 only if each station's text was on the screen."""
    parser = CommandParser(
        "frontdesk tour",
        lambda: tr("Drive the windows through the main job and take a picture of each station."),
    )
    parser.add(
        "--out",
        type=Path,
        required=True,
        takes=lambda: tr("FOLDER"),
        tells=lambda: tr("where the pictures go"),
    )
    folder: Path = parser.read(arguments).out
    try:
        camera = Camera(folder)
    except OSError:
        parser.refuse(lambda: tr("the folder {folder} cannot be made", folder=str(folder)))
    problems: list[str] = []
    # As far away as an account's page is, or nobody would see a list on its way.
    far_away = (Fault(FaultKind.SLOW),)
    # Its people are there before the window speaks.
    use_language(resource("translations"), system_languages())
    service = DemoServer(
        DemoOptions(faults=far_away, slow_seconds=_ANSWERS_IN, language=language, tr=tr)
    )
    access = service.start()
    try:

        def accompany(container: Container) -> Runner:
            def ended(problem: str) -> None:
                problems.append(problem)
                if problem:
                    camera.take(container.window, "not-as-expected")
                container.quit()

            def picture(name: str) -> None:
                say(f"{camera.take(container.window, name)}")

            return Runner(main_job(access, picture), ended)

        with tempfile.TemporaryDirectory(prefix="frontdesk-tour-") as data_folder:
            run_window(StartOptions(data_folder=Path(data_folder)), accompany)
    finally:
        service.stop()
    # The window spoke as the desktop does.
    speak_as_the_terminal_does()
    problem = problems[0] if problems else tr("the window was closed before the end")
    if problem:
        say(tr("The tour ended early: {problem}", problem=problem))
        return 1
    say(tr("All stations seen: {folder}", folder=str(folder)))
    return 0


def say(line: str) -> None:
    """One line for whoever watches."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
