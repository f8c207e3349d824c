"""The rules that the import contracts cannot say: which library is imported where, and what a
source file must not do. They read the syntax tree; nothing is imported but in a process apart.
"""

import ast
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "app"
NO_QT = (
    *("runtime", "model", "api", "store", "people", "outbox", "flows", "accounts", "settings"),
    *("importing", "exporting", "demo"),
)
SANDBOX_SWITCHES = ("QTWEBENGINE_DISABLE_SANDBOX", "--no-sandbox")
NESTED_LOOPS = {
    "QColorDialog": ("getColor",),
    "QFileDialog": ("getExistingDirectory", "getOpenFile", "getSaveFile"),
    "QInputDialog": ("get",),
    "QMessageBox": ("about", "critical", "information", "question", "warning"),
}


def sources(*rooms: str) -> list[str]:
    """The files of these rooms (of the whole app, when none is named), as seen from `app`."""
    folders = [APP / room for room in rooms] or [APP]
    return sorted(p.relative_to(APP).as_posix() for f in folders for p in f.rglob("*.py"))


Node = TypeVar("Node", bound=ast.AST)


class Nodes:
    """All of one file by their kind: a rule looks at some kinds, and most nodes are of others."""

    def __init__(self, tree: ast.AST) -> None:
        self._found = defaultdict[type[ast.AST], list[Any]](list)
        for node in ast.walk(tree):
            self._found[type(node)].append(node)

    def __getitem__(self, kind: type[Node]) -> Sequence[Node]:
        return self._found.get(kind, ())


@dataclass(frozen=True, slots=True)
class Source:
    """What the tests ask of one file, whose tree is read once for all of them."""

    words: str
    """How it begins."""
    imported: frozenset[str]
    classes: tuple[str, ...]
    broken: dict[str, list[int]]
    """By the name of a rule the lines that break it."""


@cache
def read() -> dict[str, Source]:
    """Every file of the app. The trees themselves are not kept, for they are many objects."""
    found: dict[str, Source] = {}
    for source in sources():
        tree = ast.parse((APP / source).read_text("utf-8"))
        nodes = Nodes(tree)
        classes = tuple(node.name for node in nodes[ast.ClassDef])
        broken = {name: rule(nodes) for name, (rule, _) in RULES.items()}
        words = ast.get_docstring(tree) or ""
        found[source] = Source(words, imports_in(nodes), classes, broken)
    return found


def imported(source: str) -> frozenset[str]:
    """Every module that a file imports."""
    return read()[source].imported


def imports_in(nodes: Nodes) -> frozenset[str]:
    """Inside functions and by `import_module` too; `from PySide6 import QtGui` counts as
    PySide6.QtGui.
    """
    found: set[str] = set()
    for node in nodes[ast.Import]:
        found |= {alias.name for alias in node.names}
    for origin in nodes[ast.ImportFrom]:
        if origin.module and not origin.level:
            found |= {origin.module, *(f"{origin.module}.{one.name}" for one in origin.names)}
    for call in nodes[ast.Call]:
        if called(call) in {"import_module", "__import__"}:
            found |= {str(a.value) for a in call.args if isinstance(a, ast.Constant)}
    return frozenset(found)


def called(call: ast.Call) -> str:
    """The last name of what is called: `exec` for both `exec()` and `dialog.exec()`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def importers(library: str) -> set[str]:
    """The files of the app that import `library` or something in it."""
    return {
        source
        for source in sources()
        if any(f"{name}.".startswith(f"{library}.") for name in imported(source))
    }


@pytest.mark.parametrize(
    ("library", "home"),
    [
        ("filelock", ["runtime/program_lock.py"]),
        ("h11", ["api/sign_in/loopback_redirect.py", "demo/listener.py"]),
        ("httpx", ["api/transport.py", "api/auth.py"]),
        ("truststore", ["api/transport.py", "api/auth.py"]),
        ("keyring", ["accounts/vault.py"]),
        # The doctor loads every part of Qt, to see whether it can be.
        ("PySide6.QtWebEngineCore", ["views/sign_in/browser.py", "diagnostics/doctor.py"]),
        ("PySide6.QtWebEngineWidgets", ["views/sign_in/browser.py"]),
        ("PySide6.QtWebEngineQuick", []),
        ("PySide6.QtNetwork", ["single_instance.py"]),
        ("PySide6.QtDBus", ["views/look/desktop_motion.py"]),
        ("PySide6.QtPrintSupport", ["views/exporting/printer.py", "diagnostics/doctor.py"]),
        ("PySide6.QtSvg", ["views/look/icons.py"]),
        ("qasync", ["application.py"]),
        ("publicsuffixlist", ["viewmodels/sign_in/page_origin.py"]),
        ("charset_normalizer", ["importing/formats/encodings.py"]),
        ("python_calamine", ["importing/formats/workbook.py"]),
        ("xlsxwriter", ["exporting/table.py"]),
    ],
)
def test_a_library_is_imported_only_at_its_own_door(library: str, home: list[str]) -> None:
    assert importers(library) <= set(home)


@pytest.mark.parametrize("library", ["uvicorn", "starlette", "jinja2", "python_multipart"])
def test_the_serving_libraries_stay_in_the_demo_service(library: str) -> None:
    assert importers(library) <= set(sources("demo"))


def test_the_rooms_that_do_the_work_know_no_qt() -> None:
    assert not (importers("PySide6") | importers("qasync")) & set(sources(*NO_QT))


def test_a_view_model_knows_of_qt_only_the_core() -> None:
    known = {n for s in sources("viewmodels") for n in imported(s) if n.startswith("PySide6.")}
    assert not {name for name in known if name.split(".")[1] != "QtCore"}


Rule = Callable[[Nodes], list[int]]  # gives the lines that break it


def names_a_sandbox_switch(nodes: Nodes) -> list[int]:
    """Anything but a plain question what it is set to."""
    asked = {id(a) for call in nodes[ast.Call] if called(call) == "get" for a in call.args}
    return [
        node.lineno
        for node in nodes[ast.Constant]
        if isinstance(node.value, str)
        and any(switch in node.value for switch in SANDBOX_SWITCHES)
        and id(node) not in asked
    ]


def starts_a_loop_inside_the_loop(nodes: Nodes) -> list[int]:
    """A dialog or a menu that is waited for in the middle of other work."""
    return [
        call.lineno
        for call in nodes[ast.Call]
        if isinstance(call.func, ast.Attribute)
        and (call.func.attr in {"exec", "exec_"} or asks_and_waits(call.func))
    ]


def asks_and_waits(function: ast.Attribute) -> bool:
    """Whether this is one of Qt's ready-made questions, which run a loop of their own."""
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    return owner in NESTED_LOOPS and function.attr.startswith(NESTED_LOOPS[owner])


def sends_what_a_signal_copies_or_cuts(nodes: Nodes) -> list[int]:
    """Lists and dicts are copied, and ints cut to 32 bits, on the way."""
    return [
        call.lineno
        for call in nodes[ast.Call]
        if called(call) == "Signal"
        and {a.id for a in call.args if isinstance(a, ast.Name)} & {"list", "dict", "int"}
    ]


def lets_errors_into_qt(nodes: Nodes) -> list[int]:
    """A class made of one of Qt's whose first base is not `GuardedOverrides`."""
    return [
        kind.lineno
        for kind in nodes[ast.ClassDef]
        if (bases := [base.id for base in kind.bases if isinstance(base, ast.Name)])
        and any(base[0] == "Q" and base[1:2].isupper() for base in bases)
        and bases[0] != "GuardedOverrides"
    ]


def starts_work_that_nobody_owns(nodes: Nodes) -> list[int]:
    """A task outside a scope."""
    return [c.lineno for c in nodes[ast.Call] if called(c) in {"create_task", "ensure_future"}]


def makes_what_guesses_at_markup(nodes: Nodes) -> list[int]:
    """A label of Qt's own, or a kind of it: whether a text is markup, it finds out by looking."""
    made = [call.lineno for call in nodes[ast.Call] if called(call) == "QLabel"]
    return made + [
        kind.lineno
        for kind in nodes[ast.ClassDef]
        if any(isinstance(base, ast.Name) and base.id == "QLabel" for base in kind.bases)
    ]


def numbers_the_values_of_a_statement(nodes: Nodes) -> list[int]:
    """Python 3.12 warns of `?1` beside a sequence of values, and 3.14 refuses it."""
    return [
        node.lineno
        for node in nodes[ast.Constant]
        if isinstance(node.value, str) and re.search(r"[=(,]\s*\?\d", node.value)
    ]


def shows_a_reason_in_the_words_it_was_kept_in(nodes: Nodes) -> list[int]:
    """The sentence that an entry keeps is in the language that was spoken then."""
    return [
        node.lineno
        for node in nodes[ast.Attribute]
        if node.attr == "reason" and isinstance(node.value, ast.Name) and node.value.id == "entry"
    ]


def binds_keys_that_the_help_does_not_tell(nodes: Nodes) -> list[int]:
    """A page of the window that has keys without `bind_told`."""
    bases = [base for node in nodes[ast.ClassDef] for base in node.bases]
    pages = {"InnerPage", "TablePage"}
    if not any(isinstance(base, ast.Name) and base.id in pages for base in bases):
        return []
    return [call.lineno for call in nodes[ast.Call] if called(call) == "bind_keys"]


def names(*forbidden: str) -> Rule:
    """A rule against these names, wherever they are written."""

    def lines(nodes: Nodes) -> list[int]:
        return [
            *(node.lineno for node in nodes[ast.Name] if node.id in forbidden),
            *(node.lineno for node in nodes[ast.Attribute] if node.attr in forbidden),
            *(node.lineno for node in nodes[ast.alias] if node.name in forbidden),
        ]

    return lines


RULES: dict[str, tuple[Rule, tuple[str, ...]]] = {
    "the browser's sandbox stays on": (names_a_sandbox_switch, ()),
    "no loop inside the loop": (starts_a_loop_inside_the_loop, ()),
    "signals carry object": (sends_what_a_signal_copies_or_cuts, ()),
    "what Qt calls is guarded": (lets_errors_into_qt, ()),
    "tasks are owned": (starts_work_that_nobody_owns, ("runtime/", "demo/")),
    "no slot of qasync": (names("asyncSlot", "asyncClose"), ()),
    "values have names": (numbers_the_values_of_a_statement, ()),
    "a reason is said in the language of now": (shows_a_reason_in_the_words_it_was_kept_in, ()),
    "a key of a page is told": (binds_keys_that_the_help_does_not_tell, ()),
    "no proxy model": (names("QSortFilterProxyModel"), ()),
    "a label shows plain text": (makes_what_guesses_at_markup, ("views/widgets/labels.py",)),
    "a tooltip shows plain text": (names("setToolTip", "QToolTip"), ("views/widgets/labels.py",)),
    # Rounded to the nearest pixel, it is too narrow for words that `advance` leaves whole.
    "words are measured to be cut nowhere": (
        names("horizontalAdvance"),
        (
            "views/widgets/labels.py",
            # Where a mark within a line is painted; letters are added up in fractions.
            "views/cell_table/cell_delegate.py",
            # Where the next piece of a line is painted, in fractions.
            "views/widgets/highlighted_text.py",
            # A page has fractions of a pixel, and nothing is rounded.
            "views/exporting/printed_page_painting.py",
        ),
    ),
}
"""Each with the files it does not hold for."""


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_of_the_house_is_kept_everywhere(rule: str) -> None:
    held = [source for source in sources() if not source.startswith(RULES[rule][1])]
    assert {source: lines for source in held if (lines := read()[source].broken[rule])} == {}


@pytest.mark.parametrize(
    ("rule", "offence"),
    [
        (names_a_sandbox_switch, 'environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"'),
        (names_a_sandbox_switch, 'flags = "--no-sandbox --headless"'),
        (starts_a_loop_inside_the_loop, "dialog.exec()"),
        (starts_a_loop_inside_the_loop, 'QFileDialog.getOpenFileName(self, "Open")'),
        (starts_a_loop_inside_the_loop, 'QMessageBox.question(self, "Sure?")'),
        (sends_what_a_signal_copies_or_cuts, "changed = Signal(str, list)"),
        (lets_errors_into_qt, "class Line(QWidget): ..."),
        (lets_errors_into_qt, "class Line(QWidget, GuardedOverrides): ..."),
        (starts_work_that_nobody_owns, "asyncio.create_task(read())"),
        (shows_a_reason_in_the_words_it_was_kept_in, "said = entry.reason or words"),
        (binds_keys_that_the_help_does_not_tell, "class P(InnerPage): bind_keys(self, 'F9', f)"),
        (binds_keys_that_the_help_does_not_tell, "class P(TablePage): bind_keys(self, 'F9', f)"),
        (names("asyncSlot"), "@qasync.asyncSlot()\ndef f(): ..."),
        (names("asyncSlot"), "from qasync import asyncSlot"),
        (makes_what_guesses_at_markup, "said = QLabel(name)"),
        (makes_what_guesses_at_markup, "class Name(QLabel): ..."),
        (names("setToolTip"), "self.setToolTip(name)"),
        (names("horizontalAdvance"), "width = max(map(metrics.horizontalAdvance, words))"),
    ],
)
def test_a_rule_sees_an_offence(rule: Rule, offence: str) -> None:
    assert rule(Nodes(ast.parse(offence))) == [1]


@pytest.mark.parametrize(
    ("rule", "harmless"),
    [
        (names_a_sandbox_switch, 'os.environ.get("QTWEBENGINE_DISABLE_SANDBOX")'),
        (starts_a_loop_inside_the_loop, "dialog.open()"),
        (sends_what_a_signal_copies_or_cuts, "changed = Signal(object)"),
        (lets_errors_into_qt, "class Line(GuardedOverrides, QWidget): ..."),
        (shows_a_reason_in_the_words_it_was_kept_in, "said = entry.reason_words or words"),
    ],
)
def test_a_rule_lets_good_code_pass(rule: Rule, harmless: str) -> None:
    assert rule(Nodes(ast.parse(harmless))) == []


WINDOW_UNTIL_ITS_FIRST_PAINT = """
import sys
from pathlib import Path
from PySide6.QtCore import QEvent, QObject
from app.application import run_window
from app.container import StartOptions

class FirstPaint(QObject):
    def __init__(self, container):
        super().__init__()
        self.container = container
        container.window.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.container.window.removeEventFilter(self)
            print(*(name for name in sys.modules if name in LATE))
            self.container.quit()
        return False

    def stop(self):
        pass

LATE = {"httpx", "keyring", "uvicorn", "starlette", "jinja2", "PySide6.QtWebEngineCore"}
LATE |= {"PySide6.QtPrintSupport", "PySide6.QtDBus"}
LATE |= {"python_calamine", "charset_normalizer", "xlsxwriter"}
sys.exit(run_window(StartOptions(Path(sys.argv[1])), FirstPaint))
"""


def test_the_first_paint_waits_for_no_network_vault_or_service(tmp_path: Path) -> None:
    """A window that is on the screen has imported none of the slow libraries."""
    done = subprocess.run(
        [sys.executable, "-c", WINDOW_UNTIL_ITS_FIRST_PAINT, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def classes_by_name() -> dict[str, list[str]]:
    """Where each class of the app is defined, by its name."""
    found: dict[str, list[str]] = {}
    for source in sources():
        for name in read()[source].classes:
            found.setdefault(name, []).append(source)
    return found


def test_no_two_classes_have_one_name() -> None:
    assert {name: at for name, at in classes_by_name().items() if len(at) > 1} == {}


def imports_among_modules() -> dict[str, frozenset[str]]:
    """The modules of the app, each with those of the app that it imports in any way."""
    names = {source: f"app.{source.removesuffix('.py').replace('/', '.')}" for source in sources()}
    known = set(names.values())
    return {name: imported(source) & known for source, name in names.items()}


def test_no_module_leads_back_to_itself() -> None:
    """Also for the type checker alone: two files in a circle are read, moved and tested as one."""
    above = imports_among_modules()
    while left := {name for name, below in above.items() if not below & above.keys()}:
        above = {name: below for name, below in above.items() if name not in left}
    assert above.keys() == set()


def files_named_in(words: str) -> set[str]:
    """Modules, and rooms of the app, between backticks, as a README and docstrings name them."""
    named = re.findall(r"`([\w./-]+\.py|[a-z_]+(?:/[a-z_]+)+/?)`", words)
    rooms = {path.name for path in APP.iterdir()} | {"app"}
    return {
        name.strip("/").removesuffix(".py")
        for name in named
        if name.endswith(".py") or name.split("/")[0] in rooms
    }


def test_every_file_that_is_named_in_words_is_there() -> None:
    """Whoever looks for a rule follows these names; a file that moves takes them along."""
    rooms = [ROOT / room for room in ("app", "packaging", "tests")]
    there = {
        f"/{path.relative_to(ROOT).with_suffix('').as_posix()}/"
        for room in rooms
        for path in room.rglob("*.py")
    }
    words = {f"app/{source}": read()[source].words for source in sources()}
    words["README.md"] = (ROOT / "README.md").read_text("utf-8")
    lost = {
        f"{file}: {name}"
        for file, said in words.items()
        for name in files_named_in(said)
        if not any(f"/{name}/" in path for path in there)
    }
    assert lost == set()
