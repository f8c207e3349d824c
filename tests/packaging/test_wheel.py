"""The wheel, installed elsewhere without a network, finds what it carries and runs."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from uv import find_uv_bin

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout by the build backend that is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    program = f"from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    built = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return folder / built.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it, that borrows the other libraries from this one."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [find_uv_bin(), "pip", "install", "--python", str(python)]
    options = ["--no-deps", "--no-index", "--offline", "--no-cache", "--quiet"]
    subprocess.run([*install, *options, str(wheel)], cwd=folder, check=True)
    paths = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "nt" if os.name == "nt" else "venv", vars=paths))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def command(installed: Path) -> Path:
    return installed / ("Scripts/frontdesk.exe" if os.name == "nt" else "bin/frontdesk")


def elsewhere() -> dict[str, str]:
    """An environment in which nothing leads back to the checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def test_the_wheel_carries_the_program_and_its_resources_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"app", "frontdesk-0.1.0.dist-info"}
    carried = {name.removeprefix("app/") for name in names if name.startswith("app/resources/")}
    there = {p.relative_to(ROOT).as_posix() for p in (ROOT / "resources").rglob("*") if p.is_file()}
    assert carried == there
    assert not [name for name in names if "__pycache__" in name]


def test_the_installed_program_finds_what_it_carries(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [command(installed), "doctor", "--json", "--data-folder", "local"],
        cwd=tmp_path,
        env=elsewhere(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["works"]
    for path in report["resources"].values():
        assert Path(path).is_relative_to(installed)
        assert Path(path).exists()


def test_the_installed_demo_service_starts_and_says_where_it_is(
    installed: Path, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [command(installed), "demo-service", "--port", "0"],
        cwd=tmp_path,
        env=elsewhere(),
        stdout=subprocess.PIPE,
        text=True,
    ) as service:
        assert service.stdout is not None
        first = json.loads(service.stdout.readline())
        service.terminate()
    assert first["base_url"].startswith("http://127.0.0.1:")


def test_the_installed_window_opens_and_closes(installed: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QTimer\n"
        "from app.application import run_window; from app.container import StartOptions\n"
        "quit_soon = lambda container: QTimer.singleShot(200, container.quit)\n"
        "sys.exit(run_window(StartOptions(Path('local')), quit_soon))"
    )
    done = subprocess.run(
        [command(installed).with_name("python"), "-c", program],
        cwd=tmp_path,
        env=elsewhere() | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
