"""The installers for Windows (NSIS, for one person) and macOS (a disk image).

The one for Windows can be made on Debian as well, to try its description; neither was ever run.
"""

import os
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

import folder_build
from speech import SetUpError, say

_SIGNER = "FRONTDESK_SIGNER"
"""The name of the owner's certificate in the keychain, of the kind *Developer ID Application*."""
_NOTARY = "FRONTDESK_NOTARY_PROFILE"
"""What the owner called their access to Apple's notary in `notarytool store-credentials`."""


def for_windows(root: Path, python: Path, folder: Path) -> Path:
    """The installer of the folder build at `folder`, beside it. Raises SetUpError."""
    maker = shutil.which("makensis") or _where_windows_keeps_it()
    if maker is None:
        raise SetUpError("NSIS is missing here: install it, and makensis makes the installer.")
    installer = folder.parent / f"frontdesk-{version(root)}-setup.exe"
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as work:
        icon = folder_build.drawn_icon(root, python, Path(work, "frontdesk.ico"))
        values = {"FOLDER": folder, "VERSION": version(root), "ICON": icon, "OUT": installer}
        _run(
            maker,
            "-V2",
            "-WX",
            *(f"-D{name}={value}" for name, value in values.items()),
            str(root / "packaging" / "windows" / "frontdesk.nsi"),
        )
    return installer


def _where_windows_keeps_it() -> str | None:
    places = (Path(os.environ.get(name, ""), "NSIS", "makensis.exe") for name in _PROGRAMS)
    return next((str(place) for place in places if place.is_file()), None)


_PROGRAMS = ("ProgramFiles(x86)", "ProgramFiles")


def for_macos(root: Path, folder: Path) -> Path:
    """The disk image with the program beside the folder build at `folder`. Raises SetUpError.

    Signed and notarised where the environment names the owner's certificate and their access to
    Apple's notary; without these, macOS asks whoever opens it.
    """
    program = folder.parent / "Front Desk.app"
    image = folder.parent / f"frontdesk-{version(root)}.dmg"
    signer, notary = os.environ.get(_SIGNER), os.environ.get(_NOTARY)
    if signer:
        rights = str(root / "packaging" / "macos" / "entitlements.plist")
        sign = ["--force", "--timestamp", "--options", "runtime", "--entitlements", rights]
        _run("codesign", "--deep", *sign, "--sign", signer, str(program))
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as work:
        inside = Path(work, "Front Desk")
        shutil.copytree(program, inside / program.name, symlinks=True)
        (inside / "Applications").symlink_to("/Applications")
        _run("hdiutil", "create", "-ov", "-format", "UDZO", "-srcfolder", str(inside), str(image))
    if signer and notary:
        _run("codesign", "--timestamp", "--sign", signer, str(image))
        _run("xcrun", "notarytool", "submit", "--wait", "--keychain-profile", notary, str(image))
        _run("xcrun", "stapler", "staple", str(image))
    else:
        say(f"Not notarised: that needs {_SIGNER} and {_NOTARY}.")
    return image


def version(root: Path) -> str:
    """The program's."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetUpError(f"{command[0]} failed:\n{(done.stderr or done.stdout).strip()}")
