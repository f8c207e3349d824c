"""The Debian package: the folder build with an entry, icons, a file type and a manual beside it.

What Debian has itself is not carried but depended upon, as dpkg-shlibdeps finds it.
"""

import email.parser
import gzip
import hashlib
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from speech import SetUpError, say

NAME = "frontdesk"
HERE = Path("packaging", "linux")
HOME = Path("usr", "lib", NAME)
"""Where the program is, below the root of the system."""
MAINTAINER = "The maintainers of Front Desk <maintainers@frontdesk.invalid>"
_TEXTS = {
    "frontdesk.desktop": Path("usr/share/applications/frontdesk.desktop"),
    "frontdesk.xml": Path("usr/share/mime/packages/frontdesk.xml"),
    "frontdesk.metainfo.xml": Path("usr/share/metainfo/frontdesk.metainfo.xml"),
    "lintian-overrides": Path("usr/share/lintian/overrides/frontdesk"),
}
_PACKED = {
    "changelog": Path("usr/share/doc/frontdesk/changelog.gz"),
    "frontdesk.1": Path("usr/share/man/man1/frontdesk.1.gz"),
}
_NEVER_DEBIANS = ("libpython",)
"""Python is carried whole: its library goes with its modules."""
_DESCRIPTION = """\
add people quickly, and see who administers each step
 Front Desk is a desktop companion for church and office staff whose
 organisation's account lives behind a web service: one line adds a person,
 a copied list adds many, and the people flows show who administers each step.
 .
 What was typed is kept on this computer while the connection is slow or
 down, and signing in happens on the account's own page. A demo account with
 made-up people needs no network.
"""


def is_possible() -> bool:
    """Whether this is a Debian, or one of its relatives, which can make its packages."""
    return shutil.which("dpkg-shlibdeps") is not None and shutil.which("dpkg-deb") is not None


def build(root: Path, python: Path, folder: Path, *, packed: bool = True) -> Path:
    """The package made of the folder build at `folder`, beside it; `packed` as small as it gets.

    Raises SetUpError where that fails.
    """
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    architecture = _said(["dpkg", "--print-architecture"])
    package = folder.parent / f"{NAME}_{version}_{architecture}.deb"
    say("Making the Debian package; this takes a few minutes.")
    with tempfile.TemporaryDirectory(prefix="frontdesk-") as work:
        system = Path(work, "root")
        lay_out(root, folder, system)
        _run([str(python), str(root / "packaging" / "app_icons.py"), str(system / _ICONS)])
        depends = [*needed_packages(system, Path(work)), *needed_files(root)]
        control = {
            "Package": NAME,
            "Version": version,
            "Architecture": architecture,
            "Maintainer": MAINTAINER,
            "Installed-Size": str(_kibibytes(system)),
            "Depends": ", ".join(depends),
            "Recommends": ", ".join(wished_packages(root)),
            "Section": "misc",
            "Priority": "optional",
            "Description": _DESCRIPTION.rstrip(),
        }
        _write_control(system, control)
        _set_rights(system)
        kind = ["-Zxz", "-z1"] if packed else ["-Zgzip", "-z1"]
        _run(["dpkg-deb", "--root-owner-group", *kind, "--build", str(system), str(package)])
    return package


_ICONS = Path("usr/share/icons")


def lay_out(root: Path, folder: Path, system: Path) -> None:
    """Everything but the icons where it will lie, below `system` instead of `/`."""
    home = system / HOME
    shutil.copytree(folder, home, symlinks=True)
    for library in debians_own(home / "_internal"):
        library.unlink()
    binary = system / "usr" / "bin" / NAME
    binary.parent.mkdir(parents=True)
    binary.symlink_to(Path("..", "lib", NAME, NAME))
    for name, place in _TEXTS.items():
        _put(system / place, (root / HERE / name).read_bytes())
    for name, place in _PACKED.items():
        _put(system / place, gzip.compress((root / HERE / name).read_bytes(), mtime=0))
    _put(system / "usr/share/doc/frontdesk/copyright", copyright_text(root, home).encode())


def debians_own(internal: Path) -> Iterator[Path]:
    """The libraries beside the program that a package of Debian brings, under the same name."""
    libraries = [
        path
        for path in sorted(internal.glob("lib*.so*"))
        if not path.name.startswith(_NEVER_DEBIANS)
    ]
    patterns = [f"*/lib/*/{path.name}" for path in libraries]
    # It also tells, by its exit code, of those that nobody has.
    told = subprocess.run(
        ["dpkg-query", "--search", *patterns], capture_output=True, text=True, check=False
    )
    known = {line.rpartition("/")[2] for line in told.stdout.splitlines()}
    yield from (path for path in libraries if path.name in known)


def needed_packages(system: Path, work: Path) -> list[str]:
    """What the program's own libraries need of Debian, each with the least version that will do."""
    home = system / HOME
    (work / "debian").mkdir()
    (work / "debian" / "control").write_text(
        f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n", "utf-8"
    )
    parts = [path for path in home.rglob("*") if path.is_file() and _is_elf(path)]
    folders = sorted({path.parent for path in parts})
    options = ["-O", "--ignore-missing-info", "--warnings=0", *(f"-l{each}" for each in folders)]
    told = _said(["dpkg-shlibdeps", *options, *(f"-e{part}" for part in parts)], folder=work)
    named = told.partition("shlibs:Depends=")[2].splitlines()[0]
    # Its own packages are no packages of Debian.
    return [each for each in named.split(", ") if each]


def needed_files(root: Path) -> list[str]:
    """The packages of which a file is needed that no library asks for."""
    return list(_needs(root)["files"])


def wished_packages(root: Path) -> list[str]:
    """Those without which it works, though not as well: names are boxes, no sign-in is kept, no
    file is opened by a double click. Every desktop has the last ones.
    """
    vaults, desktop = "gnome-keyring | kwalletmanager", "desktop-file-utils, shared-mime-info"
    return [*_needs(root)["wished_files"], vaults, desktop, "hicolor-icon-theme", "xdg-utils"]


def _needs(root: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads((root / "resources" / "system" / "debian.toml").read_text("utf-8"))


def copyright_text(root: Path, home: Path) -> str:
    """Whose the parts are and under which terms, as far as each part says so itself."""
    told = (root / HERE / "copyright").read_text("utf-8")
    return told + "".join(f"  {line}\n" for line in sorted(set(_parts(home)), key=str.lower))


def _parts(home: Path) -> Iterable[str]:
    for path in home.rglob("*.dist-info/METADATA"):
        said = email.parser.Parser().parsestr(path.read_text("utf-8"))
        licence = (
            said["License-Expression"] or said["License"] or _classified(said.get_all("Classifier"))
        )
        first = re.sub(r"\s+", " ", (licence or "see its folder").splitlines()[0]).strip()
        yield f"{said['Name']} {said['Version']}: {first}"


def _classified(classifiers: list[str] | None) -> str:
    ends = [each.rpartition(" :: ")[2] for each in classifiers or () if each.startswith("License")]
    return ", ".join(ends)


def _write_control(system: Path, control: Mapping[str, str]) -> None:
    text = "".join(f"{name}: {value}\n" for name, value in control.items() if value)
    _put(system / "DEBIAN" / "control", text.encode())
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {place}\n"
        for path, place in _files(system)
        if not place.startswith("DEBIAN/")
    ]
    _put(system / "DEBIAN" / "md5sums", "".join(sums).encode())


def _set_rights(system: Path) -> None:
    """Programs may be run, everything else read."""
    for path in (system, *system.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    for path, _ in _files(system):
        is_program = _is_elf(path) and not re.search(r"\.so(\.|$)", path.name)
        path.chmod(0o755 if is_program else 0o644)


def _files(system: Path) -> list[tuple[Path, str]]:
    paths = (path for path in system.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted((path, path.relative_to(system).as_posix()) for path in paths)


def _kibibytes(system: Path) -> int:
    return sum(-(-path.stat().st_size // 1024) for path, _ in _files(system))


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _said(command: list[str], folder: Path | None = None) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetUpError(f"{command[0]} failed:\n{done.stderr.strip()}")
    return done.stdout.strip()


def _run(command: list[str]) -> None:
    _said(command)
