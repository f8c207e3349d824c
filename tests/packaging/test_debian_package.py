"""The Debian package: what lies where, and that its parts speak of the same things.

A small folder stands for the folder build, which takes minutes to make.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

import catalogues
import debian_package
import pytest
from defusedxml.ElementTree import fromstring

from app import main as command_line
from app.container import StartOptions

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
MIME = "application/vnd.frontdesk.connection+json"
ENTRY = ConfigParser(interpolation=None, delimiters=("=",))
ENTRY.optionxform = str  # type: ignore[assignment,method-assign]  # keys are as they are written
ENTRY.read(LINUX / "frontdesk.desktop", "utf-8")
_ADDED = ("Add a person", "Add from a list")

makes_packages = pytest.mark.skipif(
    not debian_package.is_possible(), reason="no tools of Debian's here"
)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of a program that is only a small one of the system's."""
    folder = tmp_path_factory.mktemp("built") / "frontdesk"
    inner = folder / "_internal"
    part = inner / "small-1.0.dist-info"
    part.mkdir(parents=True)
    (part / "METADATA").write_text("Name: small\nVersion: 1.0\nLicense-Expression: MIT\n")
    shutil.copy("/bin/true", folder / "frontdesk")
    library = next(Path("/lib").glob("*/libz.so.1"))
    for name in ("libz.so.1", "libnobody-has-this.so.1", "libpython3.11.so.1.0"):
        shutil.copy(library, inner / name)
        (inner / name).chmod(0o755)
    return debian_package.build(ROOT, Path(sys.executable), folder, packed=False)


def told(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@makes_packages
def test_everything_a_desktop_looks_for_is_in_the_package(package: Path) -> None:
    rows = [line.split(maxsplit=5) for line in told("dpkg-deb", "-c", package).splitlines()]
    files = {row[5].removeprefix("./"): row[0] for row in rows}
    assert files.keys() >= {
        "usr/bin/frontdesk -> ../lib/frontdesk/frontdesk",
        "usr/share/applications/frontdesk.desktop",
        "usr/share/mime/packages/frontdesk.xml",
        "usr/share/metainfo/frontdesk.metainfo.xml",
        "usr/share/man/man1/frontdesk.1.gz",
        "usr/share/doc/frontdesk/copyright",
        "usr/share/doc/frontdesk/changelog.gz",
        "usr/share/icons/hicolor/scalable/apps/frontdesk.svg",
    }
    for size in (16, 24, 32, 48, 64, 128, 256, 512):
        folder = f"usr/share/icons/hicolor/{size}x{size}"
        assert f"{folder}/apps/frontdesk.png" in files
        assert f"{folder}/mimetypes/{MIME.replace('/', '-')}.png" in files
    assert files["usr/lib/frontdesk/frontdesk"] == "-rwxr-xr-x"
    assert files["usr/lib/frontdesk/_internal/libnobody-has-this.so.1"] == "-rw-r--r--"


@makes_packages
def test_what_debian_has_is_depended_upon_and_not_carried(package: Path) -> None:
    carried = told("dpkg-deb", "-c", package)
    assert "libz.so.1" not in carried
    assert "libpython3.11.so.1.0" in carried
    depends = told("dpkg-deb", "-f", package, "Depends")
    assert re.search(r"\blibc6 \(>= ", depends)
    assert "ca-certificates" in depends


@makes_packages
def test_the_copyright_file_names_each_part_with_its_licence(package: Path, tmp_path: Path) -> None:
    told("dpkg-deb", "-x", package, tmp_path)
    text = (tmp_path / "usr/share/doc/frontdesk/copyright").read_text("utf-8")
    assert "small 1.0: MIT" in text


def test_each_command_of_the_entry_is_one_that_the_program_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[StartOptions] = []

    def run_window(options: StartOptions) -> int:
        opened.append(options)
        return 0

    monkeypatch.setattr("app.application.run_window", run_window)
    names = ENTRY["Desktop Entry"]["Actions"].strip(";").split(";")
    actions = [ENTRY[f"Desktop Action {name}"] for name in names]
    assert tuple(action["Name"] for action in actions) == _ADDED
    for each in (ENTRY["Desktop Entry"], *actions):
        program, *arguments = each["Exec"].replace("%f", "riverside.frontdesk").split()
        assert program == "frontdesk"
        assert command_line.main(arguments) == 0
    connection, person, a_list = opened
    assert connection.connection == Path.cwd() / "riverside.frontdesk"
    assert person.people == ""
    assert a_list.chooses_list


_XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_MIME_COMMENT = "{http://www.freedesktop.org/standards/shared-mime-info}comment"


@pytest.mark.parametrize("language", catalogues.offered(ROOT))
def test_the_desktop_speaks_each_language_of_the_window_in_its_words(language: str) -> None:
    file = catalogues.translated_file(ROOT, language)
    spoken = catalogues.sentences(catalogues.catalogue(file, language))
    main = ENTRY["Desktop Entry"]
    assert main[f"GenericName[{language}]"] != main["GenericName"]
    assert main[f"Keywords[{language}]"].count(";") >= main["Keywords"].count(";")
    actions = [ENTRY["Desktop Action add-person"], ENTRY["Desktop Action add-list"]]
    names = [action[f"Name[{language}]"] for action in actions]
    assert names == [spoken[name].string for name in _ADDED]
    comment = main[f"Comment[{language}]"]
    # The first page goes on from there.
    (whole,) = (each for each in spoken if each.startswith(main["Comment"]))
    assert words(comment) <= words(str(spoken[whole].string))
    described = fromstring((LINUX / "frontdesk.metainfo.xml").read_text("utf-8"))
    summaries = described.iter("summary")
    assert {each.get(_XML_LANGUAGE): each.text for each in summaries}[language] == comment
    paragraphs = [each.get(_XML_LANGUAGE) for each in described.iterfind("description/p")]
    assert paragraphs.count(language) == paragraphs.count(None)
    comments = fromstring((LINUX / "frontdesk.xml").read_text("utf-8")).iter(_MIME_COMMENT)
    told = {each.get(_XML_LANGUAGE): each.text for each in comments}
    assert told[language] != told[None]


def words(sentence: str) -> set[str]:
    return set(re.findall(r"\w+", sentence))


def test_all_files_mean_the_same_type_of_file_and_the_same_version() -> None:
    assert ENTRY["Desktop Entry"]["MimeType"] == f"{MIME};"
    mime = fromstring((LINUX / "frontdesk.xml").read_text("utf-8"))[0]
    assert mime.get("type") == MIME
    told_of = fromstring((LINUX / "frontdesk.metainfo.xml").read_text("utf-8"))
    assert told_of.findtext("provides/mediatype") == MIME
    release = told_of.find("releases/release")
    assert release is not None
    assert release.get("version") == VERSION
    assert (LINUX / "changelog").read_text("utf-8").startswith(f"frontdesk ({VERSION}) ")


def test_the_manual_tells_each_command_and_each_option() -> None:
    manual = (LINUX / "frontdesk.1").read_text("utf-8").replace("\\-", "-")
    commands = set(command_line._SUBCOMMANDS)
    assert commands <= set(re.findall(r"^\.B ([a-z-]+)$", manual, re.MULTILINE))
    parser = command_line._parser()
    for action in parser._actions:
        assert any(option in manual for option in action.option_strings)


@pytest.mark.parametrize(
    "command",
    [
        ("desktop-file-validate", LINUX / "frontdesk.desktop"),
        ("appstreamcli", "validate", "--no-net", LINUX / "frontdesk.metainfo.xml"),
    ],
)
def test_whoever_judges_such_files_finds_no_fault(command: tuple[str | Path, ...]) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not here to ask")
    told(*command)
