"""Finding what a Linux system lacks, and installing it by apt or giving the one line for it.

What is needed stands in resources/system/debian.toml. Looking takes a few milliseconds, so every
start looks: a package that was removed is noticed.
"""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import launch
from speech import SetUpError, say

NEEDS = Path("resources", "system", "debian.toml")


class System(Protocol):
    """What can be asked of a machine."""

    def libraries(self) -> frozenset[str]:
        """The names of the shared libraries that programs of this machine can load."""

    def has_program(self, name: str) -> bool: ...

    def has_file(self, path: str) -> bool: ...

    def has_module(self, name: str) -> bool: ...


class ThisSystem:
    """The machine this runs on."""

    def libraries(self) -> frozenset[str]:
        listing = subprocess.run(
            ["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False
        ).stdout
        kind = {"x86_64": "x86-64", "aarch64": "AArch64"}.get(platform.machine(), "")
        return frozenset(
            line.split(maxsplit=1)[0]
            for line in listing.splitlines()
            if line.startswith("\t") and kind in line
        )

    def has_program(self, name: str) -> bool:
        return shutil.which(name) is not None

    def has_file(self, path: str) -> bool:
        return Path(path).exists()

    def has_module(self, name: str) -> bool:
        return importlib.util.find_spec(name) is not None


@dataclass(frozen=True, slots=True)
class Missing:
    """Names of packages: without the needed ones it does not work, without the others not well."""

    needed: tuple[str, ...]
    wished: tuple[str, ...]


def missing_packages(
    system: System,
    needs: dict[str, Any],
    release: dict[str, str],
    *,
    new_environment: bool,
    private_session: bool,
    tests: bool = False,
    package: bool = False,
) -> Missing:
    """The packages that `system` lacks, in the order of the alphabet, by the names of `release`.

    `needs`: the tables of debian.toml; `release`: the fields of os-release; `new_environment`:
    a virtual environment is to be made; `private_session`: a display and a vault are to be started;
    `tests`: the tests are to be run; `package`: the folder build is to be made.
    """
    present = system.libraries()
    needed = [package for package, name in needs["libraries"].items() if name not in present]
    if has_newer_names(release, needs["renamed_since"]):
        needed = [needs["renamed"].get(package, package) for package in needed]
    needed += without_files(system, needs["files"])
    if private_session:
        needed += without_program(system, needs["private_session"])
    if tests:
        needed += without_program(system, needs["tests"])
    if package:
        needed += without_program(system, needs["package"])
    if new_environment and not (system.has_module("venv") and system.has_module("ensurepip")):
        needed.append(f"python3.{sys.version_info.minor}-venv")
    wished = without_files(system, needs["wished_files"])
    return Missing(tuple(sorted(needed)), tuple(sorted(wished)))


def without_program(system: System, packages: dict[str, str]) -> list[str]:
    """The packages of which the program is not there."""
    return [package for package, name in packages.items() if not system.has_program(name)]


def without_files(system: System, packages: dict[str, list[str]]) -> list[str]:
    """The packages of which none of the files is there."""
    return [
        package
        for package, files in packages.items()
        if not any(system.has_file(path) for path in files)
    ]


def has_newer_names(release: dict[str, str], since: dict[str, float]) -> bool:
    """Whether this release is at least the one `since` which its family renamed packages."""
    version = release.get("VERSION_ID", "")
    if not version.replace(".", "", 1).isdigit():
        return False
    return float(version) >= since.get(release.get("ID", ""), float("inf"))


def apt_line(packages: Iterable[str]) -> str:
    """The one line that an ordinary user can hand to somebody who may install."""
    sudo = "sudo " if shutil.which("sudo") else ""
    install = f"{sudo}apt-get install -y --no-install-recommends"
    return f"{sudo}apt-get update && {install} {' '.join(packages)}"


def prepare(
    root: Path,
    *,
    new_environment: bool,
    private_session: bool,
    tests: bool = False,
    package: bool = False,
) -> None:
    """Make sure that the system has what is needed: install it as root, else say how and stop."""
    missing = missing_packages(
        ThisSystem(),
        tomllib.loads((root / NEEDS).read_text("utf-8")),
        os_release(),
        new_environment=new_environment,
        private_session=private_session or launch.is_root(),
        tests=tests,
        package=package,
    )
    everything = (*missing.needed, *missing.wished)
    if not everything:
        return
    if not shutil.which("apt-get"):
        say(
            "Some of what Front Desk needs seems to be missing here, and only Debian's apt-get is "
            f"known to this set-up. In Debian's names: {' '.join(everything)}"
        )
    elif launch.is_root():
        install(everything)
    elif missing.needed:
        raise SetUpError(
            "Some of what Front Desk needs is missing. Run this line as an administrator, then "
            f"start again:\n{apt_line(everything)}"
        )
    else:
        say(f"Names in some scripts will be drawn as boxes until you run: {apt_line(everything)}")


def os_release() -> dict[str, str]:
    """The fields that name this release, none where the system does not say."""
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def install(packages: Sequence[str]) -> None:
    """Install packages by apt-get; needs root. Raises SetUpError with what to look at."""
    say(f"Installing from this system's packages: {' '.join(packages)}")
    path = f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin"
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "PATH": path}
    apt_get = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    # A failed update is not the end: the lists may be fresh enough, and the next step will tell.
    subprocess.run([*apt_get, "update"], env=environment, stdout=sys.stderr, check=False)
    done = subprocess.run(
        [*apt_get, "install", "-y", "--no-install-recommends", *packages],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        check=False,
    )
    if done.returncode != 0:
        raise SetUpError(
            "The system's packages could not be installed; apt-get says why in the lines above."
        )
