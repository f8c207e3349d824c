"""The lock and the list made from it: the same files, with hashes, of the public index alone."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from uv import find_uv_bin

from app import __version__

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "packaging" / "requirements.txt"
EXPORT = ("export", "--frozen", "--all-groups", "--no-emit-project", "--no-annotate", "--no-header")


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def locked() -> dict[str, dict[str, Any]]:
    """The packages of uv.lock by name, the project itself left out."""
    packages = {package["name"]: package for package in read("uv.lock")["package"]}
    del packages["frontdesk"]
    return packages


def listed() -> dict[str, tuple[str, set[str]]]:
    """The version and the hashes of each line of the list, by name."""
    lines = LIST.read_text("utf-8").replace("\\\n", " ").splitlines()
    found = {}
    for line in lines:
        match = re.fullmatch(r"([a-z0-9-]+)==(\S+)( ; [^#]+?)?((?:\s+--hash=sha256:\w+)+)", line)
        assert match, line
        found[match[1]] = (match[2], set(match[4].replace("--hash=", "").split()))
    return found


def test_the_list_and_the_lock_name_the_same_files(locked: dict[str, dict[str, Any]]) -> None:
    files = {
        name: (package["version"], {file["hash"] for file in files_of(package)})
        for name, package in locked.items()
    }
    assert listed() == files


def files_of(package: dict[str, Any]) -> list[dict[str, str]]:
    return [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]


def test_every_package_has_a_wheel_so_that_nothing_is_built(
    locked: dict[str, dict[str, Any]],
) -> None:
    assert [name for name, package in locked.items() if not package.get("wheels")] == []


def test_the_lock_names_the_public_index_and_no_other_host() -> None:
    hosts = set(re.findall(r"\w+://([^/\"]+)", (ROOT / "uv.lock").read_text("utf-8")))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}
    assert "://" not in LIST.read_text("utf-8")


def test_the_lock_was_made_from_what_the_project_asks_for(
    locked: dict[str, dict[str, Any]],
) -> None:
    project = read("pyproject.toml")
    asked = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    for requirement in map(Requirement, asked):
        package = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(package["version"]), requirement
    known = next(p for p in read("uv.lock")["package"] if p["name"] == "frontdesk")
    assert {entry["name"] for entry in known["metadata"]["requires-dist"]} == {
        canonicalize_name(Requirement(line).name) for line in project["project"]["dependencies"]
    }


def test_the_program_and_the_project_give_the_same_version() -> None:
    assert read("pyproject.toml")["project"]["version"] == __version__


def test_the_list_is_what_uv_makes_of_the_lock() -> None:
    made = subprocess.run(
        [find_uv_bin(), *EXPORT, "--quiet"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == LIST.read_text("utf-8")
