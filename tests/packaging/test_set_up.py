"""When the environment of a checkout is made, mended, made again, and left alone."""

import json
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest
import set_up
from speech import SetUpError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose dependencies are one empty list; installing makes a Python and no more."""
    (tmp_path / "packaging").mkdir()
    for name in set_up.LOCKS:
        (tmp_path / name).write_text("")
    monkeypatch.setattr(set_up, "uv", lambda: None)
    monkeypatch.setattr(set_up, "install_with_pip", pretend_to_install)
    return tmp_path


def pretend_to_install(root: Path) -> None:
    python = set_up.environment_python(root)
    python.parent.mkdir(parents=True, exist_ok=True)
    python.touch()
    (root / ".venv" / "pyvenv.cfg").write_text(f"version = {sys.version.split()[0]}\n")
    with (root / ".venv" / "installs").open("a") as log:
        log.write("x")


def installs(root: Path) -> int:
    """How often something was installed since the environment was made from scratch."""
    return len((root / ".venv" / "installs").read_text())


def stamp(root: Path) -> Path:
    return root / ".venv" / set_up.STAMP


def test_a_first_start_sets_up_and_a_second_does_nothing(checkout: Path) -> None:
    assert not set_up.is_ready(checkout)
    assert set_up.prepare(checkout) == set_up.environment_python(checkout)
    assert set_up.is_ready(checkout)
    set_up.prepare(checkout)
    assert installs(checkout) == 1


@pytest.mark.parametrize("lock", set_up.LOCKS)
def test_a_changed_lock_is_installed_into_the_same_environment(checkout: Path, lock: str) -> None:
    set_up.prepare(checkout)
    (checkout / lock).write_text("another version")
    set_up.prepare(checkout)
    assert installs(checkout) == 2


@pytest.mark.parametrize("item", ["python", "platform", "folder"])
def test_another_python_platform_or_folder_starts_from_scratch(checkout: Path, item: str) -> None:
    set_up.prepare(checkout)
    before = json.loads(stamp(checkout).read_text())
    stamp(checkout).write_text(json.dumps(before | {item: "another"}))
    set_up.prepare(checkout)
    assert installs(checkout) == 1
    assert set_up.is_ready(checkout)


def test_a_moved_checkout_starts_from_scratch(checkout: Path, tmp_path: Path) -> None:
    set_up.prepare(checkout)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for part in (".venv", "uv.lock", "packaging"):
        (checkout / part).rename(moved / part)
    assert not set_up.is_ready(moved)
    set_up.prepare(moved)
    assert installs(moved) == 1


def test_a_set_up_that_broke_off_is_done_again_from_scratch(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off(root: Path) -> None:
        pretend_to_install(root)
        raise KeyboardInterrupt

    monkeypatch.setattr(set_up, "install_with_pip", breaks_off)
    with pytest.raises(KeyboardInterrupt):
        set_up.prepare(checkout)
    assert not set_up.is_ready(checkout)
    monkeypatch.setattr(set_up, "install_with_pip", pretend_to_install)
    set_up.prepare(checkout)
    assert installs(checkout) == 1


def test_an_environment_made_by_hand_is_kept_when_it_is_of_this_python(checkout: Path) -> None:
    pretend_to_install(checkout)
    set_up.prepare(checkout)
    assert installs(checkout) == 2


def test_an_environment_made_by_hand_of_another_python_is_made_again(checkout: Path) -> None:
    pretend_to_install(checkout)
    (checkout / ".venv" / "pyvenv.cfg").write_text("version_info = 3.9.1\n")
    set_up.prepare(checkout)
    assert installs(checkout) == 1


def test_an_environment_whose_python_is_gone_is_made_again(checkout: Path) -> None:
    set_up.prepare(checkout)
    set_up.environment_python(checkout).unlink()
    assert not set_up.is_ready(checkout)
    set_up.prepare(checkout)
    assert installs(checkout) == 1


def test_a_damaged_stamp_is_no_stamp(checkout: Path) -> None:
    set_up.prepare(checkout)
    stamp(checkout).write_text("[")
    assert not set_up.is_ready(checkout)
    set_up.prepare(checkout)
    assert set_up.is_ready(checkout)


def test_two_starts_at_once_set_up_once(checkout: Path) -> None:
    starts = [threading.Thread(target=set_up.prepare, args=(checkout,)) for _ in range(4)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert installs(checkout) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no lock to hand on")
def test_the_lock_is_held_by_an_installer_that_outlives_its_set_up() -> None:
    with set_up.one_at_a_time():
        installer = subprocess.Popen(["/bin/sleep", "30"], close_fds=False)
    with Path(set_up.__file__).open("rb") as another:
        assert not set_up.lock(another, wait=False)
        installer.kill()
        installer.wait()
        assert set_up.lock(another, wait=False)


def test_a_step_that_fails_ends_in_a_sentence_and_leaves_no_stamp(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(root: Path) -> None:
        set_up.step([sys.executable, "-c", "raise SystemExit(3)"], root, {})

    monkeypatch.setattr(set_up, "install_with_pip", fails)
    with pytest.raises(SetUpError, match="start it again"):
        set_up.prepare(checkout)
    assert not set_up.is_ready(checkout)


def test_of_two_steps_at_once_both_have_ended_when_one_has_failed(tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    wait = f"import time, pathlib; time.sleep(0.3); pathlib.Path({str(ended)!r}).touch()"
    commands = [[sys.executable, "-S", "-c", code] for code in ("raise SystemExit(3)", wait)]
    with pytest.raises(SetUpError, match="start it again"):
        set_up.steps_at_once(commands, tmp_path, {})
    assert ended.exists()


def test_every_package_of_the_list_is_installed_once_and_pip_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[list[str]] = []

    def note(commands: list[list[str]], _root: Path, _environment: dict[str, str]) -> None:
        told.append([Path(command[-1]).read_text("utf-8") for command in commands])

    listed = (ROOT / "packaging" / "requirements.txt").read_text("utf-8")
    (tmp_path / "packaging").mkdir()
    (tmp_path / "packaging" / "requirements.txt").write_text(listed, "utf-8")
    set_up.environment_python(tmp_path).parent.mkdir(parents=True)
    set_up.environment_python(tmp_path).touch()
    monkeypatch.setattr(set_up, "steps_at_once", note)
    set_up.install_with_pip(tmp_path)
    (pip,), (large, others) = told
    assert pip.startswith("pip==")
    assert tuple(set_up.requirements(large)) == set_up.HARDLY_IMPORTED
    assert sorted((pip + large + others).splitlines()) == sorted(listed.splitlines())


@pytest.mark.skipif(find_spec("ensurepip") is None, reason="this Python carries no pip")
def test_the_pip_that_python_carries_is_read_from_its_wheel() -> None:
    carried = set_up.carried_pip()
    assert carried is not None
    told = subprocess.run(
        [sys.executable, "-S", "-c", "import pip; print(pip.__version__, pip.__file__)"],
        env={"PYTHONPATH": str(carried)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith(f"{carried.name.split('-')[1]} {carried}")


def test_a_folder_that_is_closed_to_us_is_named(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(_root: Path) -> None:
        raise PermissionError(13, "Permission denied", "/closed/.venv")

    monkeypatch.setattr(set_up, "install_with_pip", closed)
    with pytest.raises(SetUpError, match=r"/closed/\.venv, which is closed to you"):
        set_up.prepare(checkout)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (f"planted==1.0 --hash=sha256:{'0' * 64}", "DO NOT MATCH THE HASHES"),
        ("planted==1.0", "Hashes are required"),
    ],
)
def test_pip_refuses_a_file_whose_hash_is_not_in_the_list(
    tmp_path: Path, entry: str, complaint: str
) -> None:
    """The very options of the set-up, against a wheel that is not the one that was locked."""
    wheel = tmp_path / "planted-1.0-py3-none-any.whl"
    wheel.write_bytes(b"not what was locked")
    locked = tmp_path / "requirements.txt"
    locked.write_text(f"{entry}\n")
    looking_here = ["--no-index", "--find-links", str(tmp_path), "--target", str(tmp_path / "t")]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *set_up.PIP_OPTIONS, *looking_here, "-r", locked],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert complaint in done.stderr
