"""The command line: what cannot be done is said in one sentence, with an exit code that says so."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.container import StartOptions
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
        (["--data-folder", "x", "docter"], "there is no command “docter” (did you mean “doctor”?)"),
        (["--data-folder", "x", "tour"], "“tour” takes no “--data-folder” before it"),
        (["--demo", "doctor"], "“doctor” takes no “--demo” before it"),
        (["--connection"], "“--connection” needs a value"),
        (["--demo=3"], "“--demo” takes no value"),
        (["--d", "x"], "“--d” is short for several arguments"),
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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--help"], "das Demokonto öffnen"),
        (["add", "-h"], "Jemanden in die Eingabezeile setzen"),
        (["import", "--help"], "das Blatt einer Arbeitsmappe"),
        (["doctor", "-h"], "wo alles liegt, was auf diesem Computer bleibt"),
        (["tour", "--help"], "wohin die Bilder kommen"),
    ],
)
def test_help_is_in_the_language_of_the_terminal(
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    english = ("Usage: ", "Options:")
    for locale, language, words in (
        ("C.UTF-8", "de_DE.UTF-8", ("Aufruf: ", told)),
        ("C.UTF-8", "C", english),
        # As with gettext: whoever names this locale wants no other language.
        ("C", "de", english),
    ):
        monkeypatch.setenv("LC_ALL", locale)
        monkeypatch.setenv("LANGUAGE", language)
        with pytest.raises(SystemExit) as left:
            main(arguments)
        help_text = capsys.readouterr().out
        assert (left.value.code, help_text.startswith(words[0])) == (0, True)
        assert words[1] in help_text


@pytest.mark.parametrize("why", ["no folder", "no folder can be made there"])
def test_a_refusal_is_in_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    why: str,
) -> None:
    folder = tmp_path / "file" / "pictures"
    folder.parent.write_text("")
    sentences, arguments = {
        "no folder": (
            {"de": "„--out“ wird gebraucht;", "C": "“--out” is needed;"},
            ["tour"],
        ),
        "no folder can be made there": (
            {
                "de": f"der Ordner {folder} lässt sich nicht anlegen;",
                "C": f"the folder {folder} cannot be made;",
            },
            ["tour", "--out", str(folder)],
        ),
    }[why]
    for language, sentence in sentences.items():
        monkeypatch.setenv("LANGUAGE", language)
        with pytest.raises(SystemExit) as left:
            main(arguments)
        (said,) = capsys.readouterr().err.splitlines()
        assert (left.value.code, said.startswith(f"frontdesk tour: {sentence}")) == (2, True)


def test_a_start_that_tells_nothing_reads_no_catalogue_for_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[object] = []
    monkeypatch.setattr("app.runtime.terminal.use_language", read.append)
    monkeypatch.setattr("app.application.run_window", lambda _options: 0)
    assert (main([]), main(["add", "Ada"]), main(["import", "x.csv"]), read) == (0, 0, 0, [])


@pytest.mark.parametrize(
    "order",
    [
        "import LIST --check --data-folder FOLDER",
        "--data-folder FOLDER import LIST --check",
        "--data-folder=FOLDER import --check LIST",
        "--data-folder FOLDER --check import LIST",
        "--demo --data-folder FOLDER import --check LIST",
        "import --data-folder FOLDER --check LIST",
    ],
)
def test_options_may_stand_before_the_command(
    order: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = tmp_path / "import.csv"
    people.write_text("First name,Last name\nAda,Lovelace\n", encoding="utf-8")
    folder = str(tmp_path / "import")
    words = order.replace("LIST", str(people)).replace("FOLDER", folder).split()
    assert main(words) == 0
    assert "Ada | Lovelace" in capsys.readouterr().out


def test_the_doctor_looks_at_the_folder_that_was_named_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--data-folder", str(tmp_path / "named"), "doctor", "--json"])
    assert str(tmp_path / "named") in capsys.readouterr().out


def test_the_window_is_opened_on_a_list_whatever_stands_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[StartOptions] = []

    def run_window(options: StartOptions) -> int:
        opened.append(options)
        return 0

    monkeypatch.setattr("app.application.run_window", run_window)
    monkeypatch.chdir(tmp_path)
    assert main(["--demo", "--data-folder", "import", "import", "people.csv"]) == 0
    (options,) = opened
    assert (options.demo, options.data_folder) == (True, tmp_path / "import")
    assert options.list_file == tmp_path / "people.csv"


_INTERRUPTED = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "MODULE":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signals")
@pytest.mark.parametrize("module", ["app.main", "app.application"])
def test_an_interrupted_start_says_nothing(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_INTERRUPTED.replace("MODULE", module))
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = front_desk(tmp_path / "data", DISPLAY=os.environ["DISPLAY"], PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signals")
def test_who_is_started_to_ignore_an_interrupt_ignores_it() -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); import app.__main__; "
    code += "raise SystemExit(signal.getsignal(signal.SIGINT) is not signal.SIG_IGN)"
    subprocess.run(
        [sys.executable, "-P", "-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that is in use stays there")
@pytest.mark.parametrize(
    "arguments", [["import", "x.csv"], ["--connection", "x"], ["x.frontdesk"], ["--data-folder=x"]]
)
def test_a_folder_that_was_removed_is_told_in_the_language_of_the_terminal(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("app.application.run_window", lambda _options: 0)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    sentences = {
        "de_DE.UTF-8:fr": "Der Ordner, in dem das gestartet wurde, ist nicht mehr da;",
        "C": "The folder this was started in is not there any more;",
    }
    for language, sentence in sentences.items():
        monkeypatch.setenv("LANGUAGE", language)
        with pytest.raises(SystemExit) as left:
            main(arguments)
        (said,) = capsys.readouterr().err.splitlines()
        assert (left.value.code, said.partition(" ")[2].startswith(sentence)) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that is in use stays there")
def test_the_doctor_tells_of_a_folder_in_one_that_was_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["doctor", "--data-folder", "x"]) == 1
    told = capsys.readouterr().out
    # Why is the system's sentence, in whatever language it was asked first.
    assert "The folder x cannot be written: " in told


@pytest.mark.parametrize(
    ("arguments", "people"),
    [
        (["add"], ""),
        (["add", "Ada Lovelace ada@x.org"], "Ada Lovelace ada@x.org"),
        (["add", "Ada", "Lovelace", "ada@x.org"], "Ada Lovelace ada@x.org"),
        (["add", "Ada Lovelace\nGrace Hopper"], "Ada Lovelace\nGrace Hopper"),
        (["add", "Bob Two", "Carl Three c@x.org", "Ann"], "Bob Two\nCarl Three c@x.org\nAnn"),
        (["add", "--demo", "Zo\udcffra"], "Zo\ufffdra"),
        (["--demo", "add", "-"], "Zoë\nGrace\n"),
    ],
)
def test_whom_to_add_is_taken_as_it_would_be_typed(
    arguments: list[str], people: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[StartOptions] = []

    def run_window(options: StartOptions) -> int:
        opened.append(options)
        return 0

    monkeypatch.setattr("app.application.run_window", run_window)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Zoë\nGrace\n".encode())))
    assert main(arguments) == 0
    (options,) = opened
    assert (options.people, options.demo) == (people, "--demo" in arguments)


def test_the_small_window_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[StartOptions] = []

    def run_window(options: StartOptions) -> int:
        opened.append(options)
        return 0

    monkeypatch.setattr("app.application.run_window", run_window)
    assert (main(["--small"]), main([]), main(["add", "Ada"])) == (0, 0, 0)
    assert [options.asked.small for options in opened] == [True, False, False]


def test_where_there_is_no_standard_input_that_is_said_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)  # as in a window on Windows
    with pytest.raises(SystemExit) as left:
        main(["add", "-"])
    assert left.value.code == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "there is no standard input here" in sentence


def test_a_connection_file_may_stand_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[StartOptions] = []

    def run_window(options: StartOptions) -> int:
        opened.append(options)
        return 0

    monkeypatch.setattr("app.application.run_window", run_window)
    monkeypatch.chdir(tmp_path)
    assert main(["Riverside Community.frontdesk"]) == 0
    assert opened[0].connection == tmp_path / "Riverside Community.frontdesk"


@pytest.mark.skipif(sys.platform != "linux", reason="the others have a display of their own")
@pytest.mark.parametrize(
    ("displays", "sentence"),
    [
        ({}, "There is no display here, so Front Desk cannot show its window"),
        ({"DISPLAY": ":99999"}, "the display it was told to use does not answer"),
    ],
)
def test_without_a_display_the_window_ends_with_one_sentence(
    displays: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    done = front_desk(tmp_path, **displays)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the others have a display of their own")
def test_what_qt_lacks_for_the_display_is_told_at_the_start_as_the_doctor_tells_it(
    tmp_path: Path,
) -> None:
    done = front_desk(tmp_path, QT_QPA_PLATFORM="telegraph")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "Qt has no part named telegraph.",
        "  To mend it: unset QT_QPA_PLATFORM",
    ]
