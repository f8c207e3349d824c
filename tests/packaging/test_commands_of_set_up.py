"""The commands of dev.py: what a line of arguments means here, and how the checks are counted."""

import compileall
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

import checks
import commands
import dev
import launch
import private_session
import pytest
import set_up
import system_packages
import timings

from tests.samples import WHOLE, sample

ROOT = Path(__file__).resolve().parents[2]
ONE = ["tests/test_one.py"]
ON_A_DESKTOP = {"DISPLAY": ":0"}
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be without a display")


@on_linux
@pytest.mark.parametrize("arguments", [[], ["--demo"], ["--data-folder", "doctor"]])
def test_without_a_display_the_window_becomes_the_tour(arguments: list[str]) -> None:
    assert commands.tour_instead_of_window(arguments, {})


@pytest.mark.parametrize(
    "arguments",
    [["demo-service", "--port", "0"], ["doctor"], ["tour"], ["--help"], ["--demo", "--version"]],
)
def test_what_answers_in_the_terminal_runs_as_it_is(arguments: list[str]) -> None:
    assert not commands.tour_instead_of_window(arguments, {})


@pytest.mark.parametrize(
    "environment", [ON_A_DESKTOP, {"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "vnc"}]
)
def test_with_a_display_the_window_is_the_window(environment: dict[str, str]) -> None:
    assert not commands.tour_instead_of_window(["--demo"], environment)


def test_the_pictures_are_where_the_arguments_send_them() -> None:
    assert commands.pictures_folder(["tour", "--out", "there"]) == Path.cwd() / "there"
    assert commands.pictures_folder(["tour", "--out=there"]) == Path.cwd() / "there"
    assert commands.pictures_folder(["tour"]) == ROOT / "tour"


def test_the_counts_are_those_of_the_report(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    report.write_text(
        '<testsuites><testsuite tests="10" failures="2" errors="1" skipped="3"/></testsuites>'
    )
    counted = checks.counted(report, 1)
    assert counted == checks.Results(passed=4, failed=3, skipped=3)
    assert checks.last_line(counted) == "4 passed, 3 failed, 3 skipped"
    assert checks.last_line(checks.Results(passed=5)) == "5 passed, 0 failed"


def test_a_test_run_without_a_report_has_failed(tmp_path: Path) -> None:
    for code in (4, 0):
        found = checks.counted(tmp_path / "none.xml", code)
        assert found == checks.Results(failed=1)


def test_a_check_that_fails_does_not_keep_the_others_from_running(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def say(word: str, code: int) -> list[str]:
        return [sys.executable, "-c", f"print({word!r}); raise SystemExit({code})"]

    monkeypatch.setattr(
        checks, "commands", lambda _python: {"first": say("one", 1), "second": say("two", 0)}
    )
    monkeypatch.setattr(checks, "run_tests", lambda *_: checks.Results(passed=7))
    results = checks.run_all(tmp_path, Path(sys.executable), ONE, tmp_path, {})
    assert results == checks.Results(passed=8, failed=1)
    assert "== first\none\n" in capfd.readouterr().out


def test_the_program_is_compiled_before_several_runs_start_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "module.py").touch()
    monkeypatch.delenv(launch.NO_BYTECODE, raising=False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setattr(checks, "commands", lambda _python: {})
    found: list[Path] = []

    def look(*_: object) -> checks.Results:
        found.extend((tmp_path / "app" / "__pycache__").glob("module.*.pyc"))
        return checks.Results()

    monkeypatch.setattr(checks, "run_tests", look)
    checks.run_all(tmp_path, Path(sys.executable), ONE, tmp_path, {})
    assert len(found) == 1


@on_linux
def test_only_the_tests_have_what_only_tests_use_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(
        system_packages, "prepare", lambda _root, **needs: asked.append(needs["tests"])
    )
    monkeypatch.setattr(set_up, "prepare", lambda _root: tmp_path)
    monkeypatch.setattr(checks, "run_all", lambda *_: checks.Results(passed=1))
    commands.test([])
    commands.prepared_python(in_private_session=True)
    assert asked == [True, False]


def test_an_older_python_is_told_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 12))
    with pytest.raises(SystemExit, match=r"^Front Desk needs Python 3\.11 or newer.*3\.10: .*\.$"):
        dev.main(["run"])


def test_an_unknown_command_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["start"]) == 2
    assert "dev.py run [arguments]" in capsys.readouterr().err


@pytest.mark.parametrize("command", sorted(commands.COMMANDS.keys() - {"run"}))
def test_help_behind_a_command_is_answered_without_setting_anything_up(
    command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(commands, "prepared_python")
    monkeypatch.setattr(set_up, "is_ready", lambda _root: False)
    assert dev.main([command, "--help"]) == 0
    assert capfd.readouterr().out.startswith(f"usage: python3 packaging/dev.py {command} ")


def test_help_behind_a_check_tells_its_arguments_once_everything_is_set_up(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(set_up, "is_ready", lambda _root: True)
    monkeypatch.setattr(set_up, "environment_python", lambda _root: Path(sys.executable))
    assert dev.main(["whole", "properties", "-h"]) == 0
    assert "only tests whose names contain this" in capfd.readouterr().out


def test_what_the_tests_take_a_sample_of_is_done_whole_by_a_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "prepared_python", lambda **_: Path(sys.executable))
    monkeypatch.setattr(private_session, "POSSIBLE", False)
    assert dev.main(["whole", "everything"]) == 2
    told = capfd.readouterr().err
    assert all(check in told for check in commands.WHOLE)
    assert all(importlib.util.find_spec(module) for module in commands.WHOLE.values())
    assert dev.main(["whole", "properties", "--reader", "nobody"]) == 2
    assert "dev.py whole properties" in capfd.readouterr().err


def test_only_root_has_the_sandbox_switched_off_and_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(launch.NO_SANDBOX, raising=False)
    monkeypatch.setattr(launch, "is_root", lambda: False)
    assert launch.NO_SANDBOX not in launch.environment(ROOT)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(launch, "is_root", lambda: True)
    assert launch.environment(ROOT)[launch.NO_SANDBOX] == "1"
    assert len(capsys.readouterr().err.splitlines()) == 1
    # Nothing that is built starts it.
    assert launch.NO_SANDBOX not in launch.environment(ROOT, browser=False)
    assert capsys.readouterr().err == ""


def test_bytecode_that_may_not_lie_beside_the_sources_is_kept_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(launch.NO_BYTECODE, "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    (tmp_path / "imported.py").touch()
    program = [sys.executable, "-c", "import imported"]
    assert launch.run_to_its_end(program, launch.environment(tmp_path)) == 0
    assert not (tmp_path / "__pycache__").exists()
    kept = tmp_path / ".venv" / "bytecode"
    assert [file.suffix for file in kept.rglob("imported*")] == [".pyc"]
    # What the set-up compiled is not compiled again.
    installed = Path(sysconfig.get_path("purelib", "venv", {"base": str(tmp_path / ".venv")}))
    installed.mkdir(parents=True)
    (installed / "library.py").touch()
    monkeypatch.setattr(sys, "pycache_prefix", None)
    assert compileall.compile_dir(installed, quiet=1)
    shutil.rmtree(kept)
    program = [sys.executable, "-c", "import library"]
    variables = launch.environment(tmp_path) | {"PYTHONPATH": str(installed)}
    assert launch.run_to_its_end(program, variables) == 0
    (compiled,), (found,) = (installed / "__pycache__").iterdir(), kept.rglob("library*")
    assert found.samefile(compiled)
    monkeypatch.delenv(launch.NO_BYTECODE)
    assert "PYTHONPYCACHEPREFIX" not in launch.environment(tmp_path)


def test_a_program_is_found_and_keeps_its_arguments_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").touch()
    (tmp_path / "app" / "__main__.py").write_text("raise SystemExit(99)")
    monkeypatch.chdir(tmp_path)
    command = launch.front_desk(Path(sys.executable), ["demo-service", "--help"])
    assert launch.run_to_its_end(command, launch.environment(ROOT)) == 0
    assert "--flows" in capfd.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows tells both programs itself")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_handed_on_and_the_exit_code_is_the_program_s_or_that_signal_ends_both(
    number: signal.Signals, tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    program = (
        f"import signal, sys, time; signal.signal({int(number)}, lambda *_: sys.exit(7)); "
        f"open({str(ready)!r}, 'w').close(); time.sleep(60)"
    )
    command = f"[sys.executable, '-c', {program!r}], dict(os.environ)"
    for outer, code in (
        (f"sys.exit(launch.run_to_its_end({command}))", 7),
        (f"launch.run_side_by_side([({command})], ends_with_them=True)", -number),
    ):
        told = [sys.executable, "-c", f"import launch, os, sys; {outer}; print('went on')"]
        started = subprocess.Popen(told, cwd=ROOT / "packaging", stdout=subprocess.PIPE, text=True)
        while not ready.exists():
            time.sleep(0.01)
        ready.unlink()
        started.send_signal(number)
        said, _ = started.communicate(timeout=60)
        assert (started.returncode, said) == (code, "")


@pytest.mark.skipif(os.name == "nt", reason="Windows tells both programs itself")
def test_a_signal_that_comes_before_the_program_is_known_is_handed_on_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Told(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", Told)
    wait = ([sys.executable, "-c", "import time; time.sleep(60)"], dict(os.environ))
    assert launch.run_side_by_side([wait], seconds=20) == [128 + signal.SIGTERM]


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals on Windows")
def test_a_program_that_was_killed_has_the_exit_code_of_a_shell() -> None:
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert launch.run_to_its_end([sys.executable, "-c", kill], dict(os.environ)) == 137


def test_programs_side_by_side_wait_for_each_other_and_are_all_heard(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    meet = (
        "import pathlib, sys, time\n"
        "here, other, code = sys.argv[1:]\n"
        "pathlib.Path(here).touch()\n"
        "while not pathlib.Path(other).exists(): time.sleep(0.01)\n"
        "print('met', here); sys.exit(int(code))"
    )
    wanted = [
        ([sys.executable, "-c", meet, *names], dict(os.environ))
        for names in (("one", "two", "0"), ("two", "one", "3"))
    ]
    assert launch.run_side_by_side(wanted, tmp_path) == [0, 3]
    assert capfd.readouterr().out == "met one\nmet two\n"


MEETING = """
import os, pathlib, time

HERE = pathlib.Path(__file__)

def test_meeting():
    HERE.with_suffix(f".{os.getpid()}").touch()
    while len({met.suffix for met in HERE.parent.glob("test_*.[0-9]*")}) < 2:
        time.sleep(0.01)
"""
BREAKING_OFF = f"{MEETING}    os._exit(3)\n"


UNNEEDED = ("schemathesis", "hypothesispytest", "anyio", "asyncio", "pytest-qt")
"""Plugins that take longer to load than such a run takes."""
SETTINGS = f"""
[pytest]
addopts = --import-mode=importlib
pythonpath = "{ROOT}" "{ROOT / "packaging"}"
"""


@pytest.fixture
def bare_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of tests that show no window start no desktop and load nothing for one."""
    monkeypatch.setattr(private_session, "POSSIBLE", False)
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{plugin}" for plugin in UNNEEDED))


def run_shared(folder: Path, sources: dict[str, str], *more: str, runs: int = 2) -> checks.Results:
    """Runs that share these test files, and are told something `more`."""
    (folder / "pytest.ini").write_text(SETTINGS)
    for name, source in sources.items():
        (folder / name).write_text(source)
    queue = folder / checks.QUEUE
    shutil.rmtree(queue, ignore_errors=True)
    queue.mkdir()
    if (folder / timings.REMEMBERED.name).exists():
        shutil.copy(folder / timings.REMEMBERED.name, queue)
    # What is run is a folder within, as the tests are of the checkout.
    within = ["-c", str(folder / "pytest.ini"), f"--rootdir={folder.parent}"]
    told = [*checks.of_queue(queue), *within]
    part = [*told, "-p", "tests.work_queue", str(folder)]
    return checks.run_tests(
        ROOT, Path(sys.executable), [[*more, *part]] * runs, folder, launch.environment(ROOT)
    )


@pytest.mark.usefixtures("bare_runs")
def test_runs_that_share_the_tests_run_each_file_once_and_at_the_same_time(tmp_path: Path) -> None:
    sources = {f"test_{number}.py": MEETING for number in range(6)}
    assert run_shared(tmp_path, sources) == checks.Results(passed=6)
    assert len(list(tmp_path.glob("test_*.[0-9]*"))) == 6


@pytest.mark.usefixtures("bare_runs")
def test_a_run_that_breaks_off_leaves_the_rest_to_the_other_and_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sources = {f"test_{number}.py": MEETING for number in range(9)} | {"test_2.py": BREAKING_OFF}
    assert run_shared(tmp_path, sources).failed == 1
    # The file that it had taken for the next is lost with it, and no other.
    assert len(list(tmp_path.glob("test_*.[0-9]*"))) >= 8
    assert "broke off" in capfd.readouterr().out


@pytest.mark.usefixtures("bare_runs")
def test_what_took_longest_is_first_or_last_and_a_file_that_cannot_be_read_costs_no_other(
    tmp_path: Path,
) -> None:
    """Each is read by the run that takes it alone, and so is what stands beside it."""
    order = tmp_path / "order"
    fixture = "import pytest\n@pytest.fixture\ndef one(): return 1\n"
    (tmp_path / "conftest.py").write_text(fixture)
    source = (
        f"def test_it(one):\n    assert one == 1\n"
        f"    with open({str(order)!r}, 'a') as order: order.write(__name__[-1])"
    )
    files = {f"test_{number}.py": source for number in range(3)}
    files["test_damaged.py"] = "import no_such_module"
    results = checks.Results(passed=3, failed=1)
    assert run_shared(tmp_path, files, runs=1) == results
    tests, _ = timings.of_tests(tmp_path / checks.QUEUE)
    assert order.read_text() == "012"
    assert len(tests) == len(timings.by_part(tests, 99)) == 3
    took = {
        file: float("102"[number]) for number, file in enumerate(sorted(timings.by_part(tests, 99)))
    }
    (tmp_path / timings.REMEMBERED.name).write_text(json.dumps(took))
    assert run_shared(tmp_path, files, runs=1) == results
    assert run_shared(tmp_path, files, "--from-the-end", runs=1) == results
    assert order.read_text() == "012201102"


@pytest.mark.usefixtures("bare_runs")
def test_a_run_from_which_the_other_takes_everything_has_not_failed(tmp_path: Path) -> None:
    assert run_shared(tmp_path, {"test_one.py": "def test_it(): pass"}) == checks.Results(passed=1)
    (tmp_path / "none").mkdir()
    assert run_shared(tmp_path / "none", {}, runs=1).failed


def test_the_hash_seed_is_the_same_in_each_run_and_another_for_the_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = list[str]()

    def run_tests(*given: Any) -> checks.Results:
        told.append(given[-1][checks.HASH_SEED])
        return checks.Results()

    def of_tests(*_: object, **__: object) -> int:
        told.append(os.environ[checks.HASH_SEED])
        return 0

    monkeypatch.setattr(checks, "commands", lambda _python: {})
    monkeypatch.setattr(checks, "run_tests", run_tests)
    monkeypatch.setattr(commands, "of_tests", of_tests)
    monkeypatch.setenv(checks.HASH_SEED, "7")
    checks.run_all(tmp_path, Path(sys.executable), ONE, tmp_path, {})
    commands.whole(["fuzz"])
    monkeypatch.delenv(checks.HASH_SEED)
    commands.whole(["fuzz"])
    assert told[:2] == ["0", "7"]
    assert f"PYTHONHASHSEED={told[2]}" in capfd.readouterr().err


def test_a_sample_is_the_same_each_time_and_everything_for_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(WHOLE, raising=False)
    assert [*sample(range(7), 3)] == [0, 3, 6]
    monkeypatch.setenv(WHOLE, "1")
    assert [*sample(range(7), 3)] == [*range(7)]


def test_a_run_ends_with_what_it_took_by_step_folder_and_test(tmp_path: Path) -> None:
    (tmp_path / "seconds-1.txt").write_text(
        "tests/a/test_x.py::one\t1.0\t0.5\ntests/b/test_y.py::stuck"
    )
    (tmp_path / "seconds-2.txt").write_text("tests/a/c/test_z.py::two[1]\t2.0\t1.5\n")
    tests, broken_off = timings.of_tests(tmp_path)
    assert broken_off == ["tests/b/test_y.py::stuck"]
    told = timings.table({"set-up": timings.Took(3.0, 1.0)}, tests).splitlines()
    assert [line.split() for line in told if line][1:] == [
        ["3.0", "1.0", "set-up"],
        ["3.0", "2.0", "tests/a"],
        ["2.0", "1.5", "tests/a/c/test_z.py::two[1]"],
        ["1.0", "0.5", "tests/a/test_x.py::one"],
    ]


def test_all_tests_are_shared_and_one_run_begins_at_the_other_end(tmp_path: Path) -> None:
    shares = checks.shares(ROOT, tmp_path)
    for told in shares:
        assert told[-1] == "tests"
        assert Path(told[told.index("--work-queue") + 1]).is_dir()
    own = {each for told in shares for each in told if each.startswith("--basetemp=")}
    assert len(own) == len(shares)
    from_the_end = ["--from-the-end" in told for told in shares]
    assert from_the_end == [*(False for _ in shares[1:]), len(shares) > 1]


@on_linux
def test_files_of_all_tests_lie_in_memory_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checks, "IN_MEMORY", tmp_path)
    monkeypatch.setattr(checks, "ROOM_IN_MEMORY", 1)
    assert checks.own_folder() == tmp_path
    monkeypatch.setattr(checks, "ROOM_IN_MEMORY", 2**60)
    assert checks.own_folder() is None
    monkeypatch.setattr(checks, "IN_MEMORY", tmp_path / "none")
    assert checks.own_folder() is None


STUCK = """
from PySide6.QtCore import QCoreApplication, QEventLoop

def test_that_never_comes_back():
    application = QCoreApplication.instance() or QCoreApplication([])
    QEventLoop().exec()  # no line of Python runs from here on, and so no handler of a signal
"""


@pytest.mark.usefixtures("bare_runs")
def test_a_test_that_is_stuck_in_qt_is_ended_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    limits = ["-o", "faulthandler_timeout=1", "-o", "faulthandler_exit_on_timeout=true"]
    assert run_shared(tmp_path, {"test_it.py": STUCK}, *limits, runs=1) == checks.Results(failed=1)
    assert "most recent call first" in capfd.readouterr().err
    _, (broken_off,) = timings.of_tests(tmp_path / checks.QUEUE)
    assert broken_off.endswith("test_it.py::test_that_never_comes_back")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_program_whose_time_is_over_is_killed_with_all_that_it_started(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    child = "import pathlib, time\nwhile True: pathlib.Path('alive').touch(); time.sleep(0.02)"
    parent = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "time.sleep(60)"
    )
    command = [sys.executable, "-X", "faulthandler", "-c", parent]
    program = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
    while not (tmp_path / "alive").exists():
        time.sleep(0.01)
    assert launch.ended(program, time.monotonic()) == 128 + signal.SIGABRT
    said = capfd.readouterr()
    assert "its time was over" in said.err
    assert "most recent call first" in said.err
    (tmp_path / "alive").unlink()
    time.sleep(0.1)
    assert not (tmp_path / "alive").exists()
