"""The program that was packaged beside the one of the checkout: from start to the rows.

Both are watched from outside, on the screen, as processes of their own that find the same people.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from PySide6.QtGui import QGuiApplication, QImage

from tests.benchmarks.figures import NotMeasured, application_of_all_rows
from tests.benchmarks.starting import StartFigure, keep_people

PEOPLE = 10_000
QUICK_PEOPLE = 300
_STARTS = 7
_QUICK_STARTS = 1
_PATIENCE = 60.0
_ROOT = Path(__file__).parents[2]
PACKAGED = _ROOT / "packaging" / "out" / "frontdesk" / "frontdesk"


def figures(*, quick: bool) -> list[StartFigure]:
    """The checkout and the packaged program in turns.

    Raises NotMeasured where nothing was packaged, or what the checkout was before.
    """
    if not PACKAGED.exists():
        raise NotMeasured("is not measured: `dev.py package` has built nothing yet")
    changed = max(_sources(), key=_written_at)
    if _written_at(changed) > _written_at(PACKAGED):
        name = changed.relative_to(_ROOT).as_posix()
        raise NotMeasured(f"is not measured: {name} is newer than what `dev.py package` has built")
    application_of_all_rows()
    if QGuiApplication.platformName() != "xcb":
        return []
    people, starts = (QUICK_PEOPLE, _QUICK_STARTS) if quick else (PEOPLE, _STARTS)
    with TemporaryDirectory(prefix="frontdesk-bench-") as folder:
        asyncio.run(keep_people(Path(folder), people))
        options = ["--data-folder", folder]
        checkout = [sys.executable, "-P", "-m", "app", *options]
        packaged = [str(PACKAGED), *options]
        # The first of each warms what every later one finds.
        pairs = [(_start(checkout), _start(packaged)) for _ in range(starts + 1)][1:]
    found = {"checkout": [one for one, _ in pairs], "packaged": [one for _, one in pairs]}
    middle = {step: sorted(seconds)[starts // 2] for step, seconds in found.items()}
    return [
        StartFigure(
            step, people, starts, middle[step], max(seconds), middle[step] / middle["checkout"]
        )
        for step, seconds in found.items()
    ]


def _sources() -> Iterator[Path]:
    """What the packaged program is made of."""
    yield from (_ROOT / name for name in ("pyproject.toml", "uv.lock"))
    parts = ("bundle.py", "frontdesk.spec", "icu_data.py", "interrupt.py")
    yield from (_ROOT / "packaging" / name for name in parts)
    for folder in ("app", "resources"):
        for path in (_ROOT / folder).rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                yield path


def _written_at(path: Path) -> float:
    return path.stat().st_mtime


def _start(command: Sequence[str]) -> float:
    """Seconds until rows of people are on the screen, all over the place of the list."""
    begun = monotonic()
    program = subprocess.Popen(
        command, cwd=_ROOT, env=os.environ | {"PYTHONPATH": str(_ROOT)}, stderr=subprocess.DEVNULL
    )
    try:
        while not _rows_are_seen():
            if program.poll() is not None or monotonic() - begun > _PATIENCE:
                raise RuntimeError(f"{command[0]} showed no list")
            sleep(0.004)
        return monotonic() - begun
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(_PATIENCE)


def _rows_are_seen() -> bool:
    """Whether something is written in each of several stripes, as no empty list has it."""
    screen = QGuiApplication.primaryScreen()
    size = screen.size()
    left, width = int(size.width() * 0.03), int(size.width() * 0.2)
    top, height = int(size.height() * 0.5), int(size.height() * 0.06)
    stripes = [screen.grabWindow(0, left, top + n * height, width, height) for n in range(4)]
    return all(_is_written_on(stripe.toImage()) for stripe in stripes)


def _is_written_on(stripe: QImage) -> bool:
    plain = QImage(stripe.size(), stripe.format())
    plain.fill(stripe.pixelColor(0, 0))
    return stripe != plain
