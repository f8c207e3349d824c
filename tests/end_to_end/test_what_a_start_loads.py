"""What is not shown is not loaded before the list of people is on the screen."""

import json
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QTimer

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until
from app.views.people.people_table import PeopleTableView
from app.views.quick_add.quick_add import QuickAddCard
from app.views.window.workspace_page import WorkspacePage
from tests.end_to_end.steps import Visit, enter_with_key

ROOT = Path(__file__).resolve().parent.parent.parent

NOT_SHOWN = {
    "the network": {"ssl", "httpx", "httpcore", "h11", "app.api.client"},
    "the comparing of names": {"rapidfuzz"},
    "the reading of what is typed": {"app.people.parsing.entry_parser"},
    "the vault": {"keyring", "secretstorage"},
    "the demo account": {"uvicorn", "starlette", "app.demo.server"},
    "the browser and printing": {"PySide6.QtWebEngineCore", "PySide6.QtPrintSupport"},
    "other tabs": {"app.views.flows.flows_tab", "app.views.flows.flows_page"},
    "other pages": {
        "app.views.sign_in.first_start",
        "app.views.settings.settings_page",
        "app.views.importing.review_page",
        "app.views.outbox.history_page",
        "app.views.exporting.preview_page",
        "app.views.people.duplicate_groups",
    },
    "a list that was left": {"app.importing.review_record", "app.importing.review"},
    "the reading and writing of files": {
        "xlsxwriter",
        "python_calamine",
        "charset_normalizer",
    },
}


NOT_BUILT = {
    "widgets of every kind": {"QMdiArea", "QGraphicsView", "QCalendarWidget", "QColorDialog"},
    "gradients": {"QGradient", "QLinearGradient"},
    "letters in other fonts": {"QTextCharFormat"},
    "what is told aloud": {"QAccessible"},
}
"""Classes that PySide builds when it is asked for them, or for anything that may be one."""


def loaded(*command: str, check: bool = True) -> set[str]:
    """The modules, and the classes of Qt's, that a command has printed as JSON, or the modules that
    Python told of.

    Without `check`, whatever the command says with its exit code.
    """
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=check,
    )
    if done.stdout.startswith("{"):
        told = json.loads(done.stdout.splitlines()[0])
        assert told["tables"]
        return {*told["modules"], *told["classes"]}
    lines = (line.rpartition("|")[2].strip() for line in done.stderr.splitlines())
    return set(lines)


def test_before_the_list_nothing_is_loaded_or_built_for_what_it_does_not_show(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    """Nor for a list that was left half looked over, which is read behind the list of people."""
    left = tmp_path / "left.csv"
    left.write_text("First name,Last name,Email\nAda,Lovelace,ada@x.org\n", "utf-8")

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        container.window.list_given.emit(left)
        yield shown("ada@x.org")

    def again(_container: Container) -> Script:
        yield shown("Go on with “left.csv”")

    visit(script)
    started = loaded("-m", "tests.end_to_end.started_window", str(tmp_path / "data"))
    assert {"app.views.people.people_tab", "app.viewmodels.importing.list_import"} <= started
    for what, modules in NOT_SHOWN.items():
        assert not modules & started, what
    assert {"QTableView", "QPainter"} <= started
    for what, classes in NOT_BUILT.items():
        assert not classes & started, what
    visit(again)


def test_the_version_is_told_without_the_window() -> None:
    told = loaded("-X", "importtime", "-m", "app", "--version")
    assert "app.main" in told
    assert not {name for name in told if name.startswith(("PySide6", "app.view", "app.api"))}
    assert not {"httpx", "keyring", "sqlite3", "asyncio", "msgspec"} & told


def test_the_doctor_loads_nothing_but_what_it_looks_at() -> None:
    # What it finds here is its own affair.
    told = loaded("-X", "importtime", "-m", "app", "doctor", check=False)
    assert "app.diagnostics.doctor" in told
    assert not {name for name in told if name.startswith(("app.view", "app.api", "app.store"))}
    assert not {"httpx", "uvicorn", "qasync", "rapidfuzz", "PySide6.QtWidgets"} & told


ASKING = """
import asyncio, json, sys
from app.accounts.account import Account, AuthMethod
from app.accounts.service_connector import ServiceConnector

async def ask(base_url, key):
    connector = ServiceConnector()
    await connector.load()
    before = set(sys.modules)
    account = Account(id="a", name="A", base_url=base_url, auth_method=AuthMethod.KEY)
    service = connector.connect(account, key, lambda error: None, None)
    await service.check()
    await service.people_flows()
    await service.aclose()
    await connector.close()
    return sorted(set(sys.modules) - before)

print(json.dumps(asyncio.run(ask(*sys.argv[1:]))))
"""


def test_asked_first_the_service_has_nothing_left_to_load_in_the_turns_of_the_window(
    access: DemoAccess,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKING, access.base_url, access.api_key],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    late = json.loads(done.stdout)
    libraries = {"httpx", "httpcore", "h11", "anyio", "sniffio", "app"}
    assert not {name for name in late if name.partition(".")[0] in libraries}


LOADING = """
import json, sys
from app.views.window import workspace_page

def ours():
    return {name for name in sys.modules if name.startswith("app.views.flows.")}

steps = []
for name in (*workspace_page._FLOWS_MODULES, "app.views.flows.flows_tab"):
    before = ours()
    workspace_page.import_module(name)
    steps.append(sorted(ours() - before))
print(json.dumps(steps))
"""


def test_behind_the_list_the_tab_of_flows_is_loaded_one_module_in_a_turn() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    steps = json.loads(done.stdout)
    assert steps[-1] == ["app.views.flows.flows_tab"]
    assert max(map(len, steps)) <= 2


def test_the_lists_are_built_a_part_in_a_turn_seen_when_whole_and_replaced_in_one_turn(
    visit: Visit, access: DemoAccess
) -> None:
    """The tab of flows behind them in two turns: one makes it, another gives it its place."""
    first: set[tuple[bool, bool, bool]] = set()
    seen_early: list[object] = []
    flows: list[tuple[bool, bool]] = []
    anew: list[int] = []

    def script(container: Container) -> Script:
        window = container.window

        def look_at_the_first() -> None:
            parts = window.findChild(QuickAddCard), window.findChild(PeopleTableView)
            line, table = (part is not None for part in parts)
            first.add((line, table, window.screens is not None))
            if window.screens is None:
                seen_early.extend(part for part in parts if part is not None and part.isVisible())

        timer = QTimer(interval=0)
        timer.timeout.connect(look_at_the_first)
        timer.start()
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        timer.stop()
        assert window.screens is not None
        stopped = window.build_workspace(window.screens)
        next(stopped)
        assert len(window.findChildren(QuickAddCard)) == 2
        stopped.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert len(window.findChildren(QuickAddCard)) == 1
        page = WorkspacePage(window.screens)
        for _ in page._to_get_ready():
            made = page._flows
            flows.append((made is not None, made is not None and page.indexOf(made) >= 0))
        assert page.flows is page._flows
        page.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        before = window._workspace

        def look_at_those_shown_anew() -> None:
            if window._workspace is before:
                anew.append(len(window.findChildren(QuickAddCard)))

        timer.timeout.disconnect()
        timer.timeout.connect(look_at_those_shown_anew)
        timer.start()
        container._switcher.show_anew(lambda: None)
        yield Until("the lists", lambda: window._workspace not in {None, before})
        timer.stop()
        yield shown("80 people", "Up to date")

    visit(script)
    assert {(True, False, False), (True, True, False), (True, True, True)} <= first
    assert not seen_early
    assert (True, False) in flows
    assert flows[-1] == (True, True)
    assert set(anew) == {1}
