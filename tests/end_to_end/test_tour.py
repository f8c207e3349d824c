"""The tour as a person starts it: a process of its own, a picture per station, exit code 0."""

import subprocess
import sys
from pathlib import Path

STATIONS = (
    "first-start",
    "account-page",
    "consent",
    "people",
    "quick-add",
    "waiting",
    "in-the-list",
    "already-here",
    "maybe-twice",
    "review",
    "flows",
    "by-person",
    "gaps",
    "person",
    "search",
    "progress",
    "result",
    "what-is-new",
    "small",
    "settings",
    "people-dark",
    "flows-dark",
)


def test_the_tour_sees_every_station_and_keeps_a_picture_of_each(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "tour", "--out", str(tmp_path / "pictures")],
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    taken = sorted(path.name for path in (tmp_path / "pictures").glob("*.png"))
    assert taken == [f"{number:02}-{name}.png" for number, name in enumerate(STATIONS, 1)]
