"""`frontdesk doctor`: what it tells, and when it says that something needed is missing."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import main as command_line
from app.diagnostics import doctor
from tests.catalogues import write_catalogue

ROOT = Path(__file__).resolve().parents[2]
MISSING = "needed is missing."
NO_GL = "libGL.so.1: cannot open shared object file: No such file or directory"


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = doctor.run(["--json", *arguments])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, report


def test_it_tells_every_version_and_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = told(["--data-folder", str(tmp_path)], capsys)
    assert (code, report["works"]) == (0, True)
    versions = report["versions"]
    assert {
        "app",
        "python",
        "qt",
        "pyside6",
        "chromium",
        "httpx",
        "keyring",
        "sqlite",
        "system",
    } == {*versions}
    assert all(versions.values())
    assert report["data_folder"] == {"path": str(tmp_path), "writable": True}


def test_it_leaves_the_data_folder_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(["--data-folder", str(tmp_path / "not" / "made")], capsys)[0] == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="these are POSIX permissions")
@pytest.mark.parametrize(("mode", "told_of"), [(0o755, False), (0o775, True), (0o777, True)])
def test_a_data_folder_that_others_can_write_to_is_told_and_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: int, *, told_of: bool
) -> None:
    tmp_path.chmod(mode)
    assert doctor.run(["--data-folder", str(tmp_path)]) == 0
    assert (f"chmod go-w {tmp_path}" in capsys.readouterr().out) is told_of
    assert tmp_path.stat().st_mode & 0o777 == mode


def test_a_data_folder_that_cannot_be_written_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    code, report = told(["--data-folder", str(tmp_path / "file")], capsys)
    assert (code, report["works"], report["data_folder"]["writable"]) == (1, False, False)
    assert [missing["needed"] for missing in report["missing"] if "file" in missing["what"]]


def test_a_library_that_qt_misses_is_told_with_the_package_that_brings_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        problem = f"libnss3.so: cannot open shared object file, for {name}"
        raise ImportError(problem)

    monkeypatch.setattr(doctor, "import_module", broken)
    monkeypatch.setattr(
        "platform.freedesktop_os_release", lambda: {"ID": "debian", "VERSION_ID": "12"}
    )
    assert doctor.run(["--data-folder", str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert "sudo apt-get install --no-install-recommends libnss3" in output
    assert MISSING in output


def test_a_library_that_several_parts_of_qt_miss_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_name: str) -> Any:
        raise ImportError(NO_GL)

    monkeypatch.setattr(doctor, "import_module", broken)
    _, report = told(["--data-folder", str(tmp_path)], capsys)
    assert [NO_GL in missing["what"] for missing in report["missing"]].count(True) == 1
    doctor.run(["--data-folder", str(tmp_path)])
    assert capsys.readouterr().out.count(NO_GL) == 1


def test_of_a_display_part_what_the_loader_said_is_told_and_not_what_was_made_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> None:
        problem = f"Failed to load dynlib/dll '{name}'."
        said = {
            "libGL.so.1": NO_GL,
            "libasound.so.2": NO_GL.replace("libGL.so.1", "libasound.so.2"),
            # Carried by the folder build, where the one that it asks for is not.
            "libxcb-cursor.so.0": NO_GL.replace("libGL.so.1", "libxcb.so.1"),
        }
        if name in said or "offscreen" in name:
            raise OSError(problem) from OSError(said.get(name, NO_GL))

    monkeypatch.setattr(ctypes, "CDLL", broken)
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: {"ID": "debian"})
    missing = doctor.plugin_trouble("offscreen")
    assert missing is not None
    # And all that is missing besides, which the loader would tell one after the other.
    assert missing.what == (
        "A part of Qt cannot be loaded: libGL.so.1, libasound.so.2, libxcb.so.1: "
        "cannot open shared object file: No such file or directory."
    )
    assert missing.mend == f"{doctor.APT} libgl1 libasound2t64 libxcb1"
    # Another part of Qt lacks another of them first; that is no second thing to mend.
    assert doctor.missing_library(NO_GL.replace("libGL.so.1", "libxcb.so.1")) == missing


@pytest.mark.parametrize(
    ("folder", "mend"),
    [
        (Path(doctor.__file__).parents[2] / "PySide6" / "Qt" / "lib", "install Front Desk again"),
        (Path(sys.prefix) / "lib" / ".." / "lib", "install Front Desk again"),
        (
            Path("/somewhere/else"),
            "install the package of your system that has libQt6Gui.so.6",
        ),
    ],
    ids=["beside the program", "in its environment", "of the system"],
)
def test_a_damaged_library_that_the_program_brings_comes_back_with_it(
    monkeypatch: pytest.MonkeyPatch, folder: Path, mend: str
) -> None:
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    missing = doctor.missing_library(f"{folder}/libQt6Gui.so.6: file too short")
    assert missing.what == "A part of Qt cannot be loaded: libQt6Gui.so.6: file too short."
    assert missing.mend == mend


def test_a_window_that_lacks_a_library_is_told_in_a_sentence_with_what_mends_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Any:
        raise ImportError(NO_GL)

    monkeypatch.setattr(command_line, "loaded_at_once", broken)
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: {"ID": "debian"})
    # Nothing that is not seen stands round a command: it is copied into the terminal as it is.
    monkeypatch.setenv("LANGUAGE", "ar")
    assert command_line.main([]) == 1
    assert capsys.readouterr().err.splitlines()[1].endswith(f" {doctor.APT} libgl1")
    monkeypatch.setenv("LANGUAGE", "C")
    assert command_line.main([]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"A part of Qt cannot be loaded: {NO_GL}.",
        f"  To mend it: {doctor.APT} libgl1",
    ]


DAMAGED = [
    (
        "libsqlite3.so.0",
        "A library that Front Desk needs cannot be loaded: libsqlite3.so.0: file too short.",
        "install the package of your system that has libsqlite3.so.0",
    ),
    (
        "libfontconfig.so.1",
        "A part of Qt cannot be loaded: libfontconfig.so.1: file too short.",
        f"{doctor.APT} --reinstall libfontconfig1",
    ),
]


@pytest.mark.parametrize(("library", "said", "mend"), DAMAGED)
@pytest.mark.skipif(sys.platform != "linux", reason="the others load libraries in another way")
def test_a_damaged_library_is_told_by_its_name_with_what_mends_it(
    tmp_path: Path, library: str, said: str, mend: str
) -> None:
    (tmp_path / library).write_bytes(b"")
    done = with_libraries_of(tmp_path, "add")
    told = done.stderr.splitlines()[-2:]
    assert told == [said, f"  To mend it: {mend}"]
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (1, "", False)


@pytest.mark.skipif(sys.platform != "linux", reason="the others load libraries in another way")
def test_each_damaged_library_is_told_with_what_mends_it_by_the_doctor(tmp_path: Path) -> None:
    for library, _, _ in DAMAGED:
        (tmp_path / library).write_bytes(b"")
    done = with_libraries_of(tmp_path, "doctor")
    lines = done.stdout.splitlines()
    for _, said, mend in DAMAGED:
        assert lines[lines.index(said) + 1] == f"  To mend it: {mend}"
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


def with_libraries_of(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _ON_DEBIAN, command, "--data-folder", str(folder / "data")],
        env=os.environ | {"LD_LIBRARY_PATH": str(folder)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


_ON_DEBIAN = """
import platform, sys
platform.freedesktop_os_release = lambda: {"ID": "debian"}
from app.main import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("version", "package"), [("12", "libasound2"), ("13", "libasound2t64"), ("", "libasound2t64")]
)
def test_a_package_goes_by_the_name_of_the_release(
    monkeypatch: pytest.MonkeyPatch, version: str, package: str
) -> None:
    release = {"ID": "debian"} | ({"VERSION_ID": version} if version else {})
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: release)
    assert doctor.packages_with(["libasound.so.2", "libnone.so.1"]) == [package]


def test_a_lost_file_of_the_program_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "RESOURCES", ("icons/no-such.svg",))
    code, report = told(["--data-folder", str(tmp_path)], capsys)
    assert (code, report["resources"]) == (1, {"icons/no-such.svg": None})


def test_a_damaged_catalogue_is_told_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalogue(tmp_path, "de", {"People": "Personen"})
    write_catalogue(tmp_path, "fr", {"People": "Personnes"})
    damaged = tmp_path / "de" / "LC_MESSAGES" / "frontdesk.mo"
    damaged.write_bytes(b"")
    monkeypatch.setattr(doctor, "resource", lambda _name: tmp_path)
    assert doctor.run(["--data-folder", str(tmp_path)]) == 1
    said = capsys.readouterr().out.splitlines()
    told_of = [line for line in said if line.startswith("The program's own file")]
    assert told_of == [f"The program's own file {damaged} is damaged."]


def test_a_switched_off_sandbox_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTWEBENGINE_DISABLE_SANDBOX", "1")
    found = doctor.sandbox()
    assert found.facts["on"] is False
    assert "switched off from outside" in found.sentence


def test_a_system_that_forbids_the_sandbox_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QTWEBENGINE_DISABLE_SANDBOX", raising=False)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(doctor, "may_make_namespaces", lambda: False)
    found = doctor.sandbox()
    assert found.facts["on"] is False
    assert [missing.needed for missing in found.missing] == [False]


def test_a_part_of_qt_for_a_display_that_does_not_exist_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "telegraph")
    (missing,) = doctor.display().missing
    assert missing.needed
    assert missing.what == "Qt has no part named telegraph."


def doctor_without_a_display(
    monkeypatch: pytest.MonkeyPatch, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return subprocess.run(
        [sys.executable, "-m", "app", "doctor", "--data-folder", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_display_nothing_is_amiss_but_no_window_can_be_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = doctor_without_a_display(monkeypatch, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("There is no display here") == 1
    assert done.stdout.rstrip().endswith("what is missing above cannot be used here.")


@pytest.mark.skipif(sys.platform != "linux", reason="the others have a display and fonts always")
def test_a_display_that_does_not_answer_is_not_taken_for_one_and_missing_fonts_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "fonts.conf").write_text(
        f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}</cachedir></fontconfig>"
    )
    fonts = str(tmp_path / "fonts.conf")
    done = doctor_without_a_display(monkeypatch, tmp_path, DISPLAY=":99999", FONTCONFIG_FILE=fonts)
    assert (done.returncode, done.stderr) == (1, "")
    assert "The display :99999 does not answer." in done.stdout
    assert done.stdout.count("No font is installed, so windows show no letters.") == 1
    assert done.stdout.rstrip().endswith(MISSING)
    # Each would be enough to say so: asked here, where only the fonts are as they were.
    monkeypatch.setattr(doctor, "_has_fonts", lambda: False)
    for found in (doctor.display(), doctor.fonts()):
        assert [missing.needed for missing in found.missing] == [True]


def finding(*needed: bool) -> doctor.Finding:
    missing = tuple(
        doctor.Missing(f"No {number}.", "mend", needed=each) for number, each in enumerate(needed)
    )
    return doctor.Finding("thing", {}, "A thing.", missing)


@pytest.mark.parametrize(
    ("findings", "code", "closing"),
    [
        ([finding()], 0, "Everything that is needed is here."),
        (
            [finding(False)],
            0,
            "What is installed is whole; what is missing above cannot be used here.",
        ),
        ([finding(False), finding(True)], 1, MISSING),
    ],
)
def test_the_last_sentence_and_the_exit_code_agree_with_what_was_found(
    findings: list[doctor.Finding],
    code: int,
    closing: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(doctor, "of_this_computer", lambda _folder: findings)
    assert doctor.run([]) == code
    assert capsys.readouterr().out.rstrip().endswith(closing)
