"""The command line: what cannot be done is said in one sentence, with an exit code that says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.main import main

ROOT = Path(__file__).resolve().parents[2]
DISPLAYS = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")


def front_desk(folder: Path, **displays: str) -> subprocess.CompletedProcess[str]:
    """Start the window with no display but these."""
    environment = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    return subprocess.run(
        [sys.executable, "-m", "app", "--data-folder", str(folder)],
        cwd=ROOT,
        env=environment | displays,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["frob"], "there is no command “frob”"),
        (["docter"], "there is no command “docter” (did you mean “doctor”?)"),
        (["--frob"], "there is no argument “--frob”"),
        (["--demo", "frob"], "there is no command “frob”"),
        (["--connection"], "argument --connection: expected one argument"),
    ],
)
def test_what_there_is_not_is_said_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    said = f"frontdesk: {sentence}; “frontdesk --help” tells what there is.\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.skipif(sys.platform != "linux", reason="the others have a display of their own")
@pytest.mark.parametrize(
    ("displays", "sentence"),
    [
        ({}, "There is no display here, so Front Desk cannot show its window"),
        ({"DISPLAY": ":99999"}, "the display it was told to use does not answer"),
        ({"QT_QPA_PLATFORM": "telegraph"}, "the display it was told to use does not answer"),
    ],
)
def test_without_a_display_the_window_ends_with_one_sentence(
    displays: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    done = front_desk(tmp_path, **displays)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
