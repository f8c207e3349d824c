"""Walks through the real window in one scale and theme, and prints what the layout rules find, as
JSON.

Run in a process of its own, because Qt takes the scale once: `python -m
tests.end_to_end.layout_walk SCHEME [turned] [states:FIRST,EVERY] LANGUAGE:WIDTHxHEIGHT,... ...`.
Sizes are in device independent pixels; the small window has its own.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import qasync
from msgspec.structs import replace
from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.application import make_application
from app.container import Container, StartOptions
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from app.runtime.crash import CrashReporter
from app.runtime.paths import make_private_folder, resource
from app.runtime.words import tr
from app.settings.settings import SettingsChanged
from app.tour.screen_reader import named, text_on_screen
from app.tour.script import Runner, Script, Until, click
from app.views.look.language import speak
from app.views.people.people_table import PeopleTableView
from app.views.small_window.window_sizes import LEAST_SMALL, SMALL
from tests.end_to_end.layout_contrast import FINE, faint
from tests.end_to_end.layout_rules import Finding, findings, mirror_findings, places
from tests.end_to_end.layout_states import STATES, small_window
from tests.end_to_end.pseudo_languages import LANGUAGES, MIRRORED, PLAIN
from tests.end_to_end.spoken import misleading, spoken, unnamed

_LOW = 560
"""A window on a usual screen at 200 %: the list is scrolled there for what all is said above it."""
_FEWEST_ROWS, _FEWEST_WHEN_LOW = 4, 1
_HOLD = 3_600
SMALL_SIZES = (LEAST_SMALL, SMALL, QSize(560, 720))
"""As small as it gets, as it is at first, and drawn larger."""


class Speakable(Protocol):
    """A language that the window can be walked in."""

    @property
    def name(self) -> str:
        """What it is called in the report."""

    def speak(self, application: QApplication) -> None:
        """Have what is built from now on say it in this language."""


@dataclass(frozen=True)
class Translated:
    """One that somebody speaks, by its catalogue."""

    name: str

    def speak(self, application: QApplication) -> None:
        """As the program does."""
        speak(application, resource("translations"), [self.name])


TURNED = "turned"
"""The argument that has the window turned in each state."""
LOOKED_AT = "states"
"""The argument that says which states are looked at, of those that are walked through."""
Places = dict[str, tuple[QRect, int]]


class Walk:
    """Looks at the window wherever it is led, in every size, and writes down what is wrong."""

    def __init__(self) -> None:
        self._plain: dict[tuple[str, int, int], Places] = {}
        self.language: Speakable = PLAIN
        self.sizes: list[QSize] = []
        self.found: list[dict[str, str]] = []
        self._readable: set[tuple[str, str]] = set()
        self.looks = 0
        self.roles: set[str] = set()
        """Of what a screen reader was told of."""
        self.turned = False
        """Whether it is turned in its first size, to see what does not mirror itself."""
        self.looked_at = slice(0, None, 1)
        """Which states of the desk are looked at on the way through all of them."""

    def look(
        self,
        container: Container,
        state: str,
        *,
        smallest: bool = False,
        sizes: Sequence[QSize] = (),
    ) -> None:
        """Look at the window, and what stands above it, in these sizes or in every size of the
        walk; the `smallest`: in the narrowest and the lowest alone.
        """
        window = container.window
        sizes = sizes or self.sizes
        narrow = min(size.width() for size in sizes)
        low = min(size.height() for size in sizes)
        for size in sizes:
            if smallest and size.width() > narrow and size.height() > low:
                continue
            window.resize(size)
            self._settle()
            if window.size() != size:
                self._note(state, size, Finding("size", "MainWindow", f"{window.size()}"))
            for top in {window, *QApplication.topLevelWidgets()}:
                if top.isVisible():
                    for finding in findings(top):
                        self._note(state, size, finding)
            if size == sizes[0] and window.devicePixelRatioF() >= FINE:
                for finding in faint(window, self._readable):
                    self._note(state, size, finding)
            self._compare(window, state, size)
            if self.turned and size == sizes[0]:
                self._turn(window, state, size)
            self._count_rows(window, state, size)
            self.looks += 1
        window.resize(sizes[0])
        self._settle()
        self._listen(window, state)

    def _listen(self, window: QWidget, state: str) -> None:
        """A screen reader finds a name for every control, and is told nothing untrue of it."""
        told = [*spoken(window)]
        for each in (*unnamed(told), *misleading(told)):
            self._note(state, window.size(), Finding("told", each, "to who does not see it"))
        self.roles.update(each.role().name for each in told)

    def _compare(self, window: QWidget, state: str, size: QSize) -> None:
        key = (state, size.width(), size.height())
        if self.language is PLAIN:
            self._plain[key] = places(window)
        elif self.language is MIRRORED:
            for finding in mirror_findings(self._plain.get(key, {}), places(window)):
                self._note(state, size, finding)

    def _turn(self, window: QWidget, state: str, size: QSize) -> None:
        """What is read from the left mirrors itself while it is open, and back."""
        before = places(window)
        QGuiApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        # A window has another size as it is opened: what is set out then is set out once more.
        window.resize(size.grownBy(QMargins(0, 0, 1, 1)))
        window.resize(size)
        self._settle()
        for finding in mirror_findings(before, places(window)):
            self._note(f"{state}, turned", size, finding)
        QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        window.resize(size.grownBy(QMargins(0, 0, 1, 1)))

    def _count_rows(self, window: QWidget, state: str, size: QSize) -> None:
        """Whatever is said above them, some people are seen whole, also in the smallest window."""
        if self.language is not PLAIN and not self.turned:
            return
        for table in window.findChildren(PeopleTableView):
            rows = table.viewport().height() // table.verticalHeader().defaultSectionSize()
            fewest = _FEWEST_WHEN_LOW if size.height() < _LOW else _FEWEST_ROWS
            if table.isVisible() and rows < fewest:
                self._note(state, size, Finding("few_rows", "PeopleTableView", f"{rows}"))

    def _note(self, state: str, size: QSize, finding: Finding) -> None:
        where = {"language": self.language.name, "state": state}
        self.found.append(where | {"size": f"{size.width()}x{size.height()}"} | asdict(finding))

    def _settle(self) -> None:
        for _ in range(3):
            QApplication.processEvents()
        # What these have said anew is set out before it is looked at.
        QApplication.sendPostedEvents()


def first_start(walk: Walk, container: Container) -> Script:
    """The window before anybody has signed in."""
    yield Until("the window", container.window.isVisible)
    walk.look(container, "first start")
    for words in ("Type them in", "Use an API key"):
        button = named(tr(words), QPushButton)
        assert button is not None
        click(button)
    walk.look(container, "first start, unfolded")
    yield from small_window(container)
    walk.look(container, "small window, signed out", sizes=SMALL_SIZES)


def desk(walk: Walk, container: Container) -> Script:
    """Both tabs, by the keys and clicks of a person."""
    # Whoever is added waits longer than anybody may choose: once sent, the status bar says less.
    settings = container._settings
    settings._settings = replace(settings.settings, hold_seconds=_HOLD)
    # An account that is open by now has asked already.
    settings._events.publish(SettingsChanged(settings.settings))
    looked_at = {state.name for state in STATES[walk.looked_at]}
    for state in STATES:
        yield from state.reach(container)
        if state.name not in looked_at:
            continue
        sizes = SMALL_SIZES if state.small else ()
        walk.look(container, state.name, smallest=state.once, sizes=sizes)


def visit(
    application: QApplication,
    options: StartOptions,
    script: Callable[[Container], Script],
) -> str:
    """Open the window, run `script` in front of it, close it; gives what was not seen, if any."""
    crashes = CrashReporter("walk")
    problems: list[str] = []
    with qasync.QEventLoop(application) as loop:
        asyncio.set_event_loop(loop)
        crashes.watch(loop)
        container = Container(options, crashes)

        def ended(problem: str) -> None:
            problems.append(f"{problem}\n{text_on_screen()}" if problem else "")
            container.quit()

        runner = Runner(script(container), ended)
        loop.run_until_complete(container.run())
        runner.stop()
    asyncio.set_event_loop(None)
    problems += [report.details for report in crashes.reports]
    return "\n".join(problem for problem in problems if problem)


def walk_in(
    walk: Walk, language: Speakable, application: QApplication, access: DemoAccess, scheme: str
) -> Iterator[str]:
    """The whole walk in one language; gives what kept it from going on."""
    theme, _, contrast = scheme.partition("-")
    # What still comes or goes would be seen faint.
    look = {"theme": theme, "contrast": bool(contrast), "motion": False}
    language.speak(application)
    walk.language = language
    with tempfile.TemporaryDirectory() as folder:
        bare = make_private_folder(Path(folder) / "empty")
        (bare / "settings.json").write_text(json.dumps(look))
        empty = StartOptions(data_folder=bare)
        yield visit(application, empty, lambda container: first_start(walk, container))
        connection = Path(folder) / "connection.json"
        there = ConnectionDetails(name="Riverside Community", base_url=access.base_url)
        write_connection(connection, there)
        kept = make_private_folder(Path(folder) / "desk")
        (kept / "settings.json").write_text(json.dumps(look))
        with_key = StartOptions(data_folder=kept, connection=connection, api_key=access.api_key)
        yield visit(application, with_key, lambda container: desk(walk, container))


def main(arguments: list[str]) -> None:
    """Walk in the named languages, each in its sizes, and print findings and troubles."""
    scheme, *walks = arguments
    turned = TURNED in walks
    wanted = dict(argument.split(":") for argument in walks if argument != TURNED)
    first, every = map(int, wanted.pop(LOOKED_AT, "0,1").split(","))
    made_up: list[Speakable] = [language for language in LANGUAGES if language.name in wanted]
    named = {language.name for language in made_up}
    spoken = [Translated(name) for name in wanted if name not in named]
    application = make_application()
    walk = Walk()
    walk.turned = turned
    walk.looked_at = slice(first, None, every)
    troubles: list[str] = []
    for language in (*made_up, *spoken):
        sizes = wanted[language.name].split(",")
        walk.sizes = [QSize(*map(int, size.split("x"))) for size in sizes]
        # One for each: whoever was sent in one language would be there already in the next.
        service = DemoServer(DemoOptions(nested_steps=True))
        try:
            seen = walk_in(walk, language, application, service.start(), scheme)
            troubles += [text for text in seen if text]
        finally:
            service.stop()
    report = {
        "looks": walk.looks,
        "roles": sorted(walk.roles),
        "troubles": troubles,
        "found": walk.found,
    }
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])
