"""The recipes for Windows and macOS, as far as they can be tried on another system."""

import plistlib
import shutil
import sys
from pathlib import Path

import app_icons
import bundle
import installers
import pytest
from PySide6.QtGui import QImageReader

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("end", "sizes"), [(".ico", [256]), (".icns", [128, 256, 512, 1024])])
def test_the_icon_is_one_file_as_its_system_has_it(
    tmp_path: Path, end: str, sizes: list[int]
) -> None:
    app_icons.write_icon(tmp_path / f"frontdesk{end}")
    reader = QImageReader(str(tmp_path / f"frontdesk{end}"))
    for number, size in enumerate(sizes):
        reader.jumpToImage(number)
        icon = reader.read()
        assert (icon.width(), icon.height()) == (size, size)
        assert icon.pixelColor(size // 2, size // 30 + 1).alpha() == 255
        assert icon.pixelColor(0, 0).alpha() == 0


def test_macos_is_told_whose_the_connection_files_are() -> None:
    told = plistlib.loads(plistlib.dumps(bundle.told_to_macos()))
    (declared,) = told["UTExportedTypeDeclarations"]
    (opened,) = told["CFBundleDocumentTypes"]
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": ["frontdesk"]}
    assert opened["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]


def test_the_rights_that_macos_is_asked_for_can_be_read() -> None:
    rights = plistlib.loads((ROOT / "packaging" / "macos" / "entitlements.plist").read_bytes())
    assert rights["com.apple.security.cs.allow-jit"] is True


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not here to make it")
def test_the_installer_for_windows_can_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "frontdesk"
    (folder / "_internal").mkdir(parents=True)
    (folder / "frontdesk.exe").write_bytes(b"MZ")
    (folder / "_internal" / "part").write_bytes(b"part")
    installer = installers.for_windows(ROOT, Path(sys.executable), folder)
    assert installer.read_bytes().startswith(b"MZ")
