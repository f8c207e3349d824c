"""`frontdesk tour`: the real window, a real service on loopback, real keys and a real mouse."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from app.application import run_window
from app.container import Container, StartOptions
from app.demo.server import DemoOptions, DemoServer
from app.tour.camera import Camera
from app.tour.script import Runner
from app.tour.stations import main_job


def run(arguments: Sequence[str]) -> int:
    """Take the tour; 0 only if each station's text was on the screen."""
    parser = argparse.ArgumentParser(prog="frontdesk tour", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    folder: Path = parser.parse_args(arguments).out
    problems: list[str] = []
    service = DemoServer(DemoOptions())
    access = service.start()
    try:
        camera = Camera(folder)

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
    problem = problems[0] if problems else "the window was closed before the end"
    say(f"The tour ended early: {problem}" if problem else f"All stations seen: {folder}")
    return 1 if problem else 0


def say(line: str) -> None:
    """One line for whoever watches."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
