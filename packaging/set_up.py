"""The virtual environment of a checkout: made, filled with the locked dependencies, remembered.

The environment is `.venv` beside pyproject.toml. A stamp in it says what it was made from; when
that is still so, nothing is done. A mark says that the work goes on: found later, it broke off.
"""

import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from speech import SetUpError, say

STAMP = "frontdesk-set-up.json"
UNDER_WAY = "frontdesk-set-up-under-way"
PIP_OPTIONS = (
    "--require-hashes",
    "--only-binary=:all:",
    "--no-deps",
    "--no-input",
    "--no-warn-script-location",
    "--disable-pip-version-check",
)
LOCKS = ("uv.lock", "packaging/requirements.txt")
HARDLY_IMPORTED = (
    "babel",
    "graphql-core",
    "mypy",
    "pygments",
    "pyinstaller",
    "pyinstaller-hooks-contrib",
    "pyside6",
    "pyside6-addons",
    "pyside6-essentials",
    "rich",
    "ruff",
    "schemathesis",
    "setuptools",
    "shiboken6",
    "uv",
    "werkzeug",
)
"""Packages that are mostly compiled, or of which few modules are ever imported. To install them
takes about as long as all others together.
"""


def environment_python(root: Path) -> Path:
    """The Python of the checkout's environment."""
    folder = root / ".venv"
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def made_from(root: Path) -> dict[str, str]:
    """What an environment made now would be made from; when an item differs, it is out of date."""
    locked = hashlib.sha256()
    for name in LOCKS:
        locked.update((root / name).read_bytes())
    return {
        "dependencies": locked.hexdigest(),
        "set-up": hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
        "python": f"{sys.implementation.cache_tag} {platform.python_version()} {sys.base_prefix}",
        "platform": f"{sys.platform} {platform.machine()}",
        "folder": str(root),
    }


def remembered(root: Path) -> dict[str, str] | None:
    """What the environment was made from; None when none was finished here."""
    try:
        stamp = json.loads((root / ".venv" / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return stamp if isinstance(stamp, dict) else None


def is_ready(root: Path) -> bool:
    """Whether the environment is finished and made from what the checkout asks for now."""
    try:
        return remembered(root) == made_from(root) and environment_python(root).exists()
    except PermissionError:  # somebody else's Python, in a home that is closed to us
        return False


def uv() -> str | None:
    """The uv program, where there is one."""
    return shutil.which("uv")


def prepare(root: Path) -> Path:
    """Make the environment ready and give its Python. Raises SetUpError with what went wrong."""
    if not is_ready(root):
        with one_at_a_time():
            if not is_ready(root):
                build(root)
    return environment_python(root)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold a lock on this file: of two starts at once, the second finds the work done.

    It ends with this process and with the installing programs that it started, killed or not.
    """
    with Path(__file__).open("rb") as held:
        if not lock(held, wait=False):
            say("Waiting for another set-up to end.")
            while not lock(held, wait=True):
                pass  # Windows gives up after ten seconds
        yield


def lock(file: BinaryIO, *, wait: bool) -> bool:
    """Whether the lock on `file` is ours now, or needless, where the disk knows no locks."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  (only Windows has it)

        try:
            file.seek(1 << 30)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl  # noqa: PLC0415  (Windows has none)

        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003  (by position alone)
    return True


def build(root: Path) -> None:
    """Make or mend the environment; on the way a mark tells that it is not finished."""
    folder, now = root / ".venv", made_from(root)
    try:
        if must_start_over(root, now):
            say("Setting up in .venv again, from scratch.")
            shutil.rmtree(folder)
        elif folder.exists():
            say("Bringing .venv up to date.")
        else:
            say("Setting up in .venv; the first time takes a few minutes.")
        folder.mkdir(exist_ok=True)
        (folder / STAMP).unlink(missing_ok=True)
        (folder / UNDER_WAY).touch()
        install_with_uv(root) if uv() else install_with_pip(root)
        (folder / STAMP).write_text(json.dumps(now, indent=2), "utf-8")
        (folder / UNDER_WAY).unlink()
    except PermissionError as problem:
        raise SetUpError(
            f"Setting up needs to write to {problem.filename}, which is closed to you: make your "
            "own clone, or ask whoever owns this one to run the set-up."
        ) from problem
    except OSError as problem:
        raise SetUpError(f"Setting up could not write to .venv: {problem}") from problem


def must_start_over(root: Path, now: dict[str, str]) -> bool:
    """Whether the environment that is there cannot be mended by installing into it."""
    folder, before = root / ".venv", remembered(root)
    if not folder.exists():
        return False
    if (folder / UNDER_WAY).exists() or not environment_python(root).exists():
        return True
    if before is None:  # somebody made it by hand: it is good when it is of this Python
        return python_of(folder) != f"3.{sys.version_info.minor}"
    return any(before.get(item) != now[item] for item in ("python", "platform", "folder"))


def python_of(folder: Path) -> str:
    """The first two numbers of a virtual environment's Python; nothing where it does not say."""
    try:
        configuration = (folder / "pyvenv.cfg").read_text("utf-8")
    except OSError:
        return ""
    found = re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+)", configuration, re.MULTILINE)
    return found[1] if found else ""


def base_python() -> str:
    """The Python that environments are made from, also when this one runs in an environment."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def install_with_uv(root: Path) -> None:
    """Fill the environment by uv, which checks the hashes of the lock."""
    folder, program = str(root / ".venv"), str(uv())
    environment = os.environ | {"UV_PROJECT_ENVIRONMENT": folder}
    if not environment_python(root).exists():
        made = [program, "venv", "--allow-existing", "--python", base_python(), folder]
        step(made, root, environment)
    options = ["--frozen", "--no-install-project", "--no-build", "--compile-bytecode"]
    step([program, "sync", *options], root, environment)


def install_with_pip(root: Path) -> None:
    """Fill the environment by its own pip, which refuses a file whose hash is not in the list."""
    python, carried = str(environment_python(root)), carried_pip()
    if not Path(python).exists():
        options = [] if carried is None else ["--without-pip"]
        made = [base_python(), "-m", "venv", *options, str(root / ".venv")]
        step(made, root, dict(os.environ))
    install = [python, "-m", "pip", "install", *PIP_OPTIONS]
    listed = requirements((root / "packaging" / "requirements.txt").read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as folder:
        pip, large, others = (Path(folder) / name for name in ("pip", "large", "others"))
        pip.write_text(listed.pop("pip", ""), "utf-8")
        large.write_text("".join(listed.pop(name, "") for name in HARDLY_IMPORTED), "utf-8")
        others.write_text("".join(listed.values()), "utf-8")
        # The pip that comes with an older Python takes thrice as long over the others.
        by_carried = {} if carried is None else {"PYTHONPATH": str(carried)}
        step([*install, "-r", str(pip)], root, os.environ | by_carried)
        # It uses one core: of two at once each has its own packages, and one shows its progress.
        silent = [*install, "--progress-bar", "off", "-r", str(others)]
        # What of the large ones is imported is compiled then.
        shown = [*install, "--no-compile", "-r", str(large)]
        steps_at_once([shown, silent], root, dict(os.environ))


def carried_pip() -> Path | None:
    """The wheel of pip that Python carries, which can be run as it is; None where none is found.

    To make an environment with it inside takes seconds, and the pip of the lock takes its place.
    """
    of_system = sysconfig.get_config_var("WHEEL_PKG_DIR")
    found = importlib.util.find_spec("ensurepip")
    of_python = [] if found is None else found.submodule_search_locations or []
    folders = [Path(folder) / "_bundled" for folder in of_python]
    folders += [Path(of_system)] if of_system else []
    return next((wheel for folder in folders for wheel in folder.glob("pip-*.whl")), None)


def requirements(listed: str) -> dict[str, str]:
    """The entries of a list for pip, each with its hashes, by the name of the package."""
    entries = re.findall(r"^\S.*(?:\n\s.*)*\n", listed, re.MULTILINE)
    return {entry.partition("==")[0]: entry for entry in entries}


def step(command: list[str], root: Path, environment: dict[str, str]) -> None:
    """Run one command of the set-up, its output on stderr. Raises SetUpError when it fails."""
    steps_at_once([command], root, environment)


def steps_at_once(commands: list[list[str]], root: Path, environment: dict[str, str]) -> None:
    """Run commands of the set-up that do not need each other. Raises SetUpError when one fails,
    once all have ended.
    """
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            program = subprocess.Popen(
                command,
                cwd=root,
                env=environment,
                stdout=sys.stderr,
                close_fds=os.name == "nt",  # elsewhere it holds the lock too
            )
            running.append(program)
        codes = [program.wait() for program in running]
    except BaseException:
        for program in running:
            program.kill()
            program.wait()
        raise
    if any(codes):
        raise SetUpError(
            "The set-up did not get through; the lines above say why. It goes on from here when "
            "you start it again."
        )
