"""The whole program in front of a real service: driven by keys and mouse, watched on the screen."""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
import qasync
import shiboken6
from PySide6.QtWidgets import QApplication

from app.container import Container, StartOptions
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from app.model.outbox import OutboxEntry
from app.outbox.sender import OutboxSender
from app.runtime.crash import CrashReporter
from app.runtime.paths import make_private_folder
from app.settings.settings import LONGEST_HOLD
from app.tour.screen_reader import text_on_screen
from app.tour.script import Runner, Script
from app.views.look.theme import Theme
from tests.end_to_end.kept_files import Kiosk
from tests.end_to_end.steps import Serve, Visit

EVERYBODY = 80
"""All people written by hand, who administer the flows, and those of other names at home: each
visit reads, compares and lists them all.
"""


@pytest.fixture(scope="module")
def dressed(qapp: QApplication) -> QApplication:
    """The application with its theme, as the program has it, whatever a file before made of it."""
    qapp.setQuitOnLastWindowClosed(False)
    theme = qapp.findChild(Theme) or Theme(qapp)
    theme.choose("system")
    return qapp


@pytest.fixture(autouse=True)
def _has_eighty_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window's demo account has no more people than those of `serve`."""
    monkeypatch.setattr("app.demo.server.DemoOptions", partial(DemoOptions, people=EVERYBODY))


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start demo services, of 80 people unless told otherwise; they are stopped at the end."""
    servers: list[DemoServer] = []

    def start(**options: object) -> DemoServer:
        server = DemoServer(DemoOptions(**{"people": EVERYBODY, **options}))  # type: ignore[arg-type]  # named by each test
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def service(serve: Serve) -> DemoServer:
    """A demo service with everybody in it, not yet started."""
    return serve()


@pytest.fixture
def access(service: DemoServer) -> DemoAccess:
    """The demo service, running."""
    return service.start()


@pytest.fixture
def hold_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Hold new entries for so many seconds, as somebody chose in the settings; those of the longest
    hold for as long as the test takes, on any machine.
    """
    hold = OutboxSender.hold

    def for_long(sender: OutboxSender, entries: Iterable[OutboxEntry], seconds: float) -> None:
        hold(sender, entries, seconds and 3600.0)

    def choose(seconds: int) -> None:
        assert seconds <= LONGEST_HOLD
        if seconds == LONGEST_HOLD:
            monkeypatch.setattr(OutboxSender, "hold", for_long)
        folder = make_private_folder(tmp_path / "data")
        (folder / "settings.json").write_text(json.dumps({"hold_seconds": seconds}))

    return choose


@pytest.fixture
def settles_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that are not about what moves under the pointer: who looks at the screen waits for
    all of that, and it takes a quarter of its time here.
    """
    monkeypatch.setattr("app.views.widgets.pointer.SETTLED_MS", 100)


@pytest.fixture
def visit(
    dressed: QApplication,
    browser_engine: None,  # noqa: ARG001 - Chromium has its first say before
    tmp_path: Path,
) -> Iterator[Visit]:
    """Open the window, run a script in front of it, and close it; every step must be seen.

    The script gets the container only to look at or to close its window, never to act through it.
    """

    before = set(dressed.topLevelWidgets())

    def run(
        script: Callable[[Container], Script],
        *,
        expect_crashes: bool = False,
        **options: object,
    ) -> Container:
        crashes = CrashReporter("test")
        crashes.install()
        problems: list[str] = []
        start = StartOptions(data_folder=tmp_path / "data", **options)  # type: ignore[arg-type]  # named by each test
        try:
            with qasync.QEventLoop(dressed) as loop:
                asyncio.set_event_loop(loop)
                crashes.watch(loop)
                container = Container(start, crashes)

                def ended(problem: str) -> None:
                    problems.append(f"{problem}\n{text_on_screen()}" if problem else "")
                    container.quit()

                steps = script(container)
                runner = Runner(steps, ended)
                loop.run_until_complete(container.run())
                # Where closing the window is what it looks at, its last step is the one under way.
                unseen = None if problems else next(steps, None)
                runner.stop()
        finally:
            asyncio.set_event_loop(None)
            crashes.uninstall()
        assert problems in ([""], []), problems[0]
        assert unseen is None, f"the window was closed before somebody saw {unseen.what}"
        assert expect_crashes or not crashes.reports, crashes.reports[0].details
        return container

    yield run
    # The program ends with its windows; here each theme that is chosen later would dress them all.
    for left in set(dressed.topLevelWidgets()) - before:
        # A window inside another's goes with that, which would look for it where it no longer is.
        if shiboken6.isValid(left) and left.parent() is None:
            shiboken6.delete(left)


@pytest.fixture
def kiosk(tmp_path: Path) -> Kiosk:
    """The start options of a computer that is given its key at each start."""

    def options(access: DemoAccess) -> dict[str, object]:
        file = tmp_path / "riverside.json"
        file.write_text(json.dumps({"name": "Riverside", "base_url": access.base_url}))
        return {"connection": file, "api_key": access.api_key}

    return options
