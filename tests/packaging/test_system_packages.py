"""What a Linux system lacks, found on invented systems and on this one."""

import os
import platform
import shutil
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import launch
import pytest
import system_packages
from speech import SetUpError

ROOT = Path(__file__).resolve().parents[2]
NEEDS: dict[str, Any] = tomllib.loads((ROOT / system_packages.NEEDS).read_text("utf-8"))
BOOKWORM = {"ID": "debian", "VERSION_ID": "12"}


@dataclass(frozen=True)
class InventedSystem:
    """A machine with exactly these things; nothing at all unless said otherwise."""

    present: frozenset[str] = frozenset()
    programs: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    modules: frozenset[str] = field(default=frozenset({"venv", "ensurepip"}))

    def libraries(self) -> frozenset[str]:
        return self.present

    def has_program(self, name: str) -> bool:
        return name in self.programs

    def has_file(self, path: str) -> bool:
        return path in self.files

    def has_module(self, name: str) -> bool:
        return name in self.modules


def complete(*, without: str = "") -> InventedSystem:
    """A machine with all that is needed, but for one thing."""
    files = {paths[-1] for table in ("files", "wished_files") for paths in NEEDS[table].values()}
    return InventedSystem(
        frozenset(NEEDS["libraries"].values()) - {without},
        frozenset({*NEEDS["private_session"].values(), *NEEDS["tests"].values()}) - {without},
        frozenset(files) - {without},
        frozenset({"venv", "ensurepip"}) - {without},
    )


def lacking(
    system: system_packages.System,
    release: dict[str, str] = BOOKWORM,
    *,
    private_session: bool = True,
    tests: bool = True,
) -> system_packages.Missing:
    return system_packages.missing_packages(
        system,
        NEEDS,
        release,
        new_environment=True,
        private_session=private_session,
        tests=tests,
    )


def test_a_complete_system_lacks_nothing() -> None:
    assert lacking(complete()) == system_packages.Missing((), ())


@pytest.mark.parametrize(
    ("gone", "package"),
    [
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libasound.so.2", "libasound2"),
        ("Xvfb", "xvfb"),
        ("dbus-daemon", "dbus"),
        ("gnome-keyring-daemon", "gnome-keyring"),
        ("php", "php-cli"),
        ("ensurepip", f"python3.{platform.python_version_tuple()[1]}-venv"),
        ("/etc/ssl/certs/ca-certificates.crt", "ca-certificates"),
    ],
)
def test_what_is_gone_is_named_by_its_package(gone: str, package: str) -> None:
    assert lacking(complete(without=gone)).needed == (package,)


def test_a_bare_system_lacks_every_package_once() -> None:
    missing = lacking(InventedSystem(modules=frozenset()))
    everything = [*missing.needed, *missing.wished]
    assert len(everything) == len(set(everything))
    assert {"libegl1", "libnss3", "xvfb", "fonts-dejavu-core", "fonts-noto-core"} <= {*everything}


def test_a_font_for_more_scripts_is_wished_and_not_needed() -> None:
    without_cjk = complete(without=NEEDS["wished_files"]["fonts-wqy-microhei"][-1])
    assert lacking(without_cjk) == system_packages.Missing((), ("fonts-wqy-microhei",))


def test_a_desktop_of_ones_own_needs_no_virtual_one() -> None:
    assert lacking(complete(without="Xvfb"), private_session=False).needed == ()


def test_what_only_the_tests_use_is_installed_for_nobody_else() -> None:
    assert lacking(complete(without="php"), tests=False) == system_packages.Missing((), ())


@pytest.mark.parametrize(
    ("family", "version", "package"),
    [
        ("debian", "12", "libasound2"),
        ("debian", "13", "libasound2t64"),
        ("ubuntu", "22.04", "libasound2"),
        ("ubuntu", "24.04", "libasound2t64"),
        ("ubuntu", "24.10", "libasound2t64"),
        ("debian", "", "libasound2"),
        ("linuxmint", "22", "libasound2"),
    ],
)
def test_a_renamed_package_goes_by_the_name_of_the_release(
    family: str, version: str, package: str
) -> None:
    release = {"ID": family, "VERSION_ID": version}
    assert lacking(complete(without="libasound.so.2"), release).needed == (package,)


@pytest.fixture
def as_somebody(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """On a bare Debian, as an ordinary user."""
    monkeypatch.setattr(launch, "is_root", lambda: False)
    monkeypatch.setattr(system_packages, "ThisSystem", InventedSystem)
    monkeypatch.setattr(system_packages, "os_release", lambda: BOOKWORM)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    return monkeypatch


@pytest.mark.usefixtures("as_somebody")
def test_an_ordinary_user_is_given_one_line_and_nothing_is_installed() -> None:
    with pytest.raises(SetUpError) as stopped:
        system_packages.prepare(ROOT, new_environment=True, private_session=True)
    *sentence, line = str(stopped.value).splitlines()
    assert len(sentence) == 1
    assert line.startswith("sudo apt-get update && sudo apt-get install -y ")
    assert " libxcb-cursor0 " in line
    assert " fonts-wqy-microhei" in line


def test_an_ordinary_user_who_lacks_only_fonts_is_told_and_goes_on(
    as_somebody: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = NEEDS["wished_files"]["fonts-wqy-microhei"][-1]
    as_somebody.setattr(system_packages, "ThisSystem", lambda: complete(without=gone))
    system_packages.prepare(ROOT, new_environment=True, private_session=True)
    assert capsys.readouterr().err.endswith("--no-install-recommends fonts-wqy-microhei\n")


def test_root_has_it_installed(as_somebody: pytest.MonkeyPatch) -> None:
    installed: list[str] = []
    as_somebody.setattr(launch, "is_root", lambda: True)
    as_somebody.setattr(system_packages, "install", installed.extend)
    system_packages.prepare(ROOT, new_environment=False, private_session=False)
    assert {"libegl1", "xvfb", "fonts-noto-core"} <= set(installed)


@pytest.mark.skipif(platform.system() != "Linux", reason="asks Linux's loader")
def test_this_system_has_what_the_tests_are_running_on() -> None:
    system = system_packages.ThisSystem()
    assert "libc.so.6" in system.libraries()
    assert set(NEEDS["libraries"].values()) <= system.libraries()
    assert system.has_program("sh")
    assert system.has_file("/etc/passwd")
    assert system.has_module("json")


@pytest.mark.skipif(os.name == "nt", reason="there is no apt on Windows")
def test_an_install_that_fails_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "apt-get"
    broken.write_text("#!/bin/sh\nexit 100\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(SetUpError, match="apt-get says why"):
        system_packages.install(["libegl1"])
