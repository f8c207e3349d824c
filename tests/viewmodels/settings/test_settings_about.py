"""What the page about the program tells, and when it knows it."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from PySide6.QtWidgets import QApplication

from app.model.errors import ExpectedError
from app.runtime.tasks import TaskScope
from app.viewmodels.settings.about import AboutScreen, BuildInfo, Component

MAKEUP = BuildInfo(
    (("Front Desk", "0.1.0"), ("Qt", "")), (Component("httpx", "0.28.1", "BSD-3-Clause"),)
)


class Reader:
    """Reads a made-up program; the browser's version comes when a test lets it."""

    def __init__(self) -> None:
        self.crashes: list[BaseException] = []
        self.scope = TaskScope("about", self.crashes.append, ExpectedError)
        self.browser = asyncio.Event()
        self.chromium = "140.0.7339.264"
        self.read = 0
        self.screen = AboutScreen(self.scope, read=self._read, find_browser_and_vault=self._find)

    async def _read(self) -> BuildInfo:
        self.read += 1
        return MAKEUP

    async def _find(self) -> tuple[str, str]:
        await self.browser.wait()
        return self.chromium, "Secret Service"

    async def until(self, true: Callable[[], object]) -> None:
        """Wait for something that has to come."""
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    async def settle(self) -> None:
        """Wait until nothing is under way."""
        await self.until(lambda: not self.scope.busy)


@pytest.fixture
async def reader(qapp: QApplication) -> AsyncIterator[Reader]:  # noqa: ARG001 - Qt must be there
    reader = Reader()
    yield reader
    await reader.scope.close()
    assert reader.crashes == []


async def test_nothing_is_read_before_the_page_is_gone_to(reader: Reader) -> None:
    assert (reader.screen.state.versions, reader.screen.state.parts, reader.read) == ((), (), 0)


async def test_what_is_known_is_shown_before_the_browser_was_asked(reader: Reader) -> None:
    reader.screen.open()
    told: list[None] = []
    reader.screen.state_changed.connect(lambda: told.append(None))
    await reader.until(lambda: told)
    assert reader.screen.state.parts == MAKEUP.parts
    assert dict(reader.screen.state.versions)["Chromium"] == "looking"
    reader.browser.set()
    await reader.settle()
    assert dict(reader.screen.state.versions)["Chromium"] == "140.0.7339.264"


async def test_the_versions_are_copied_a_line_each(reader: Reader) -> None:
    reader.browser.set()
    reader.chromium = ""
    reader.screen.open()
    await reader.settle()
    assert reader.screen.state.version_lines.splitlines() == [
        "Front Desk: 0.1.0",
        "Qt: not found",
        "Chromium: not found",
        "Vault: Secret Service",
    ]


async def test_the_program_is_read_once(reader: Reader) -> None:
    reader.browser.set()
    reader.screen.open()
    reader.screen.open()
    await reader.settle()
    reader.screen.open()
    await reader.settle()
    assert reader.read == 1


async def test_the_terms_of_qt_and_its_sources_can_be_found(reader: Reader) -> None:
    addresses = [link.address for link in reader.screen.links]
    assert "https://www.gnu.org/licenses/lgpl-3.0.html" in addresses
    assert sum("download.qt.io" in address for address in addresses) == 2
    assert all(address.startswith("https://") for address in addresses)
