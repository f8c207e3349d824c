"""What goes into the folder build and what stays out, held against the Qt that is installed."""

import ast
import importlib.util
import json
import platform
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import bundle
import folder_build
import PySide6
import pytest

from tests.packaging.elf import asked_for

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(PySide6.__file__).parent.parent
_LEFT_OUT = """
     3DAnimation 3DCore 3DExtras 3DInput 3DLogic 3DQuick 3DQuickAnimation 3DQuickExtras
3DQuickInput 3DQuickLogic 3DQuickRender 3DQuickScene2D 3DQuickScene3D 3DRender Bluetooth
CanvasPainter Charts ChartsQml Concurrent DataVisualization DataVisualizationQml Designer
DesignerComponents EglFSDeviceIntegration EglFsKmsSupport FFmpegStub-crypto.so.3
FFmpegStub-ssl.so.3 FFmpegStub-va-drm.so.2 FFmpegStub-va-x11.so.2 FFmpegStub-va.so.2 Graphs
GraphsWidgets Help HttpServer LabsAnimation LabsFolderListModel LabsPlatform LabsQmlModels
LabsSettings LabsSharedImage LabsStyleKit LabsStyleKitImpl LabsSynchronizer
LabsWavefrontMesh Location Lottie LottieVectorImageGenerator LottieVectorImageHelpers
Multimedia MultimediaQuick MultimediaWidgets NetworkAuth Nfc OpenGLWidgets Pdf PdfQuick
PdfWidgets PositioningQuick QmlCompiler QmlCore QmlLocalStorage QmlNetwork QmlXmlListModel
Quick3D Quick3DAssetImport Quick3DAssetUtils Quick3DEffects Quick3DGlslParser Quick3DHelpers
Quick3DHelpersImpl Quick3DIblBaker Quick3DParticleEffects Quick3DParticles
Quick3DRuntimeRender Quick3DSpatialAudio Quick3DUtils Quick3DXr QuickControls2
QuickControls2Basic QuickControls2BasicStyleImpl QuickControls2FluentWinUI3StyleImpl
QuickControls2Fusion QuickControls2FusionStyleImpl QuickControls2Imagine
QuickControls2ImagineStyleImpl QuickControls2Impl QuickControls2Material
QuickControls2MaterialStyleImpl QuickControls2Universal QuickControls2UniversalStyleImpl
QuickDialogs2 QuickDialogs2QuickImpl QuickDialogs2Utils QuickEffects QuickLayouts
QuickParticles QuickShapes QuickShapesDesignHelpers QuickTemplates2 QuickTest QuickTimeline
QuickTimelineBlendTrees QuickVectorImage QuickVectorImageGenerator QuickVectorImageHelpers
RemoteObjects RemoteObjectsQml Scxml ScxmlQml Sensors SensorsQuick SerialBus SerialPort
ShaderTools SpatialAudio Sql StateMachine StateMachineQml SvgWidgets TextToSpeech UiTools
VirtualKeyboard VirtualKeyboardQml VirtualKeyboardSettings WaylandCompositor
WaylandEglCompositorHwIntegration WebChannelQuick WebEngineQuick WebEngineQuickDelegatesQml
WebSockets WebView WebViewQuick Xml libavcodec.so libavcodec.so.61 libavcodec.so.61.19.101
libavformat.so libavformat.so.61 libavformat.so.61.7.103 libavutil.so libavutil.so.59
libavutil.so.59.39.100 libswresample.so libswresample.so.5 libswresample.so.5.3.100
libswscale.so libswscale.so.8 libswscale.so.8.3.100
"""
LEFT_OUT = frozenset(_LEFT_OUT.split())
"""The libraries of Qt, and those it brings along, that nothing which is carried asks for."""


def libraries() -> list[Path]:
    """The libraries of the installed Qt, those of Python's modules among them."""
    patterns = (
        "PySide6/*.so*",
        "PySide6/Qt/lib/*.so*",
        "PySide6/Qt/plugins/*/*.so",
        "PySide6/Qt/libexec/QtWebEngineProcess",
        "shiboken6/*.so*",
    )
    return [path for pattern in patterns for path in SITE.glob(pattern)]


@pytest.mark.skipif(platform.system() != "Linux", reason="reads Linux's libraries")
def test_each_library_of_qt_is_carried_or_needed_nowhere() -> None:
    paths = libraries()
    by_name = {path.name: str(path) for path in paths}

    def needed_by(path: str) -> Iterable[str]:
        return [by_name[name] for name in asked_for(Path(path)) if name in by_name]

    entries = [(str(path.relative_to(SITE)), str(path), "BINARY") for path in paths]
    carried, left_out = bundle.wanted(entries, needed_by)
    for _, path, _ in carried:
        assert {Path(each).name for each in needed_by(path)}.isdisjoint(LEFT_OUT)
    found = {Path(path).name for place, path, _ in left_out if "/lib/" in place}
    assert {name.removeprefix("libQt6").removesuffix(".so.6") for name in found} == LEFT_OUT


def test_each_module_of_qt_that_the_program_imports_is_carried() -> None:
    qt = "PySide6.Qt"
    imported = {name.partition(".")[2] for name in imported_by_app() if name.startswith(qt)}
    assert {"QtCore", "QtWebEngineCore"} <= imported <= set(bundle.QT_MODULES)


@cache
def imported_by_app() -> dict[str, set[str]]:
    """By the name of each module that the program imports, the statements that do."""
    found = defaultdict[str, set[str]](set)
    for path in (ROOT / "app").rglob("*.py"):
        for node in statements_in(ast.parse(path.read_text("utf-8"))):
            for name in imports_of(node):
                found[name].add(ast.unparse(node))
    return found


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """All of them, also those within others; no expression is looked into."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        within = getattr(node, field, [])
        for each in within if isinstance(within, list) else ():  # of a lambda it is an expression
            yield each
            yield from statements_in(each)


def imports_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    module = node.module if isinstance(node, ast.ImportFrom) else None
    # Its own modules are most of all, and no library.
    return [module] if module and module.partition(".")[0] != "app" else []


_WITHOUT = """
import json, sys
left_out, statements = json.loads(sys.stdin.read())
sys.modules.update(dict.fromkeys(left_out))
for statement in statements:
    try:
        exec(statement)
    except ImportError as error:
        print(f"{statement}: {error}")
"""


def test_no_library_that_the_program_imports_needs_a_module_that_is_left_out() -> None:
    statements = {
        statement
        for name, statements in imported_by_app().items()
        if is_of_a_library(name)
        for statement in statements
    }
    assert "from charset_normalizer import from_bytes" in statements
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT],
        input=json.dumps((bundle.LEFT_OUT_MODULES, sorted(statements))),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""


def is_of_a_library(module: str) -> bool:
    """Whether it is neither Python's nor the program's own; some are for one system alone."""
    name = module.partition(".")[0]
    ours = name in ("", "app") or name in sys.stdlib_module_names
    return not ours and importlib.util.find_spec(name) is not None


@pytest.mark.parametrize("plugin", ["platforms/libqxcb.so", "platforms/qwindows.dll", "tls/q.so"])
def test_a_plugin_the_program_needs_is_carried_though_nobody_asks_for_it(plugin: str) -> None:
    entries = [(f"PySide6/Qt/plugins/{plugin}", plugin, "BINARY")]
    assert bundle.wanted(entries, lambda _: ()) == (entries, [])


def test_what_a_left_out_plugin_alone_asks_for_stays_out_with_it() -> None:
    theme = ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "gtk3", "BINARY")
    gtk, x11, nss = (
        ("libgtk-3.so.0", "gtk", "BINARY"),
        ("libX11.so.6", "x11", "BINARY"),
        ("libnss3.so", "nss", "BINARY"),
    )
    xcb = ("PySide6/Qt/plugins/platforms/libqxcb.so", "xcb", "BINARY")
    needs = {"gtk3": ["gtk"], "gtk": ["x11"], "xcb": ["x11"]}
    carried, left_out = bundle.wanted([theme, gtk, x11, nss, xcb], lambda path: needs.get(path, []))
    assert carried == [x11, nss, xcb]
    assert left_out == [theme, gtk]


@pytest.mark.parametrize(
    ("place", "carried"),
    [
        ("resources/icons/add.svg", True),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("resources/translations/de/LC_MESSAGES/frontdesk.mo", True),
        ("resources/translations/de/LC_MESSAGES/frontdesk.po", False),
        ("resources/translations/frontdesk.pot", False),
        ("resources\\translations\\README.md", True),
        ("resources/translations/de/GLOSSARY.md", False),
        ("filelock-4.0.dist-info/sboms/filelock.cdx.json", False),
        ("filelock-4.0.dist-info/licenses/LICENSE", True),
        ("PySide6/Qt/translations/qtbase_pt_BR.qm", True),
        ("PySide6/Qt/translations/qtbase_ja.qm", False),
        ("PySide6/Qt/translations/qtwebengine_locales/es-419.pak", True),
        ("PySide6\\translations\\qtwebengine_locales\\ta.pak", False),
        ("PySide6/Qt/resources/qtwebengine_resources_200p.pak", True),
        ("PySide6/Qt/resources/icudtl.dat", True),
        ("PySide6/Qt/resources/qtwebengine_devtools_resources.pak", False),
        ("PySide6/Qt/qml/QtQuick/qmldir", False),
    ],
)
def test_of_the_data_only_what_the_languages_of_the_window_need_is_carried(
    place: str, carried: bool
) -> None:
    assert bundle.is_carried(place) is carried


def test_a_language_that_is_added_is_carried_with_the_words_of_qt(tmp_path: Path) -> None:
    for code in ("it", "pt_BR"):
        (tmp_path / code / "LC_MESSAGES").mkdir(parents=True)
        (tmp_path / code / "LC_MESSAGES" / "frontdesk.po").touch()
    assert bundle.languages(tmp_path) == {"en"}
    (tmp_path / "it" / "LC_MESSAGES" / "frontdesk.mo").touch()
    (tmp_path / "pt_BR" / "LC_MESSAGES" / "frontdesk.mo").touch()
    assert bundle.languages(tmp_path) == {"en", "it", "pt"}


def test_nothing_runs_before_the_program_that_could_switch_off_the_sandbox() -> None:
    scripts = ["pyi_rth_inspect", "pyi_rth_pyside6", "pyi_rth_pyside6webengine", "__main__"]
    assert [each for each in scripts if bundle.is_started(each)] == ["pyi_rth_pyside6", "__main__"]


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is interrupted that way there")
def test_ctrl_c_is_silent_once_the_first_script_of_the_build_has_run() -> None:
    script = Path(bundle.__file__).with_name("interrupt.py")
    program = f"exec({script.read_text('utf-8')!r}); import os; os.kill(os.getpid(), 2)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-2, b"")


def test_what_is_asked_for_by_a_library_is_told_in_about_as_well() -> None:
    found = bundle.distributions(["httpx>=0.28,<0.29", "no-such-thing"])
    assert {"httpx", "httpcore", "h11"} <= set(found)
    assert "no-such-thing" not in found


def test_the_weights_are_those_of_all_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "large").write_bytes(bytes(3_000_000))
    (tmp_path / "inner" / "small").write_bytes(bytes(10))
    (tmp_path / "inner" / "smaller").write_bytes(bytes(5))
    (tmp_path / "link").symlink_to(tmp_path / "inner" / "large")
    assert folder_build.weights(tmp_path) == [
        ("altogether", 3_000_015),
        ("inner/large", 3_000_000),
        ("inner (smaller files)", 15),
    ]
