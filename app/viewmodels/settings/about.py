"""What the program is, which versions run here, and what it is made of, under which licences.

Where versions and licences are read is left to those who gave the functions.
"""

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels.screen import Screen


class Component(msgspec.Struct, frozen=True):
    """Something the program carries with it; `version` and `licence` are blank where unknown."""

    name: str
    version: str
    licence: str


class BuildInfo(msgspec.Struct, frozen=True):
    """The versions to tell somebody who helps, in the order to tell them, and every part."""

    versions: tuple[tuple[str, str], ...]
    parts: tuple[Component, ...]


class WebLink(msgspec.Struct, frozen=True):
    """A page in the browser, and what there is to find."""

    words: str
    address: str


class AboutState(msgspec.Struct, frozen=True):
    """What the page shows, as far as it has been read."""

    versions: tuple[tuple[str, str], ...] = ()
    """Name and version, a line each; blank where it is not known."""
    parts: tuple[Component, ...] = ()
    """What the program is made of, by name."""

    @property
    def version_lines(self) -> str:
        """The versions as they are copied."""
        lines = (f"{name}: {number or tr('not found')}" for name, number in self.versions)
        return "\n".join(lines)


def about_state(build_info: BuildInfo, found: tuple[str, str] | None) -> AboutState:
    """What the page shows; the browser's version and the vault are `found` later than the rest."""
    chromium, vault = found or (tr("looking"), tr("looking"))
    versions = (*build_info.versions, ("Chromium", chromium), (tr("Vault"), vault))
    return AboutState(versions, build_info.parts)


class AboutScreen(Screen[AboutState]):
    """What the page shows; it is read when the page is first gone to."""

    def __init__(
        self,
        scope: TaskScope,
        *,
        read: Callable[[], Awaitable[BuildInfo]],
        find_browser_and_vault: Callable[[], Awaitable[tuple[str, str]]],
    ) -> None:
        """`find_browser_and_vault` gives the version of the one and the name of the other, blank
        where there is none.

        It takes longer than the rest, which is shown before it.
        """
        super().__init__(AboutState())
        self._read = read
        self._find_browser_and_vault = find_browser_and_vault
        self._whole = False
        self._reading = Action(scope, self._look, second="drop")

    @property
    def links(self) -> Sequence[WebLink]:
        """Where the terms of Qt and its sources are."""
        return (
            WebLink(
                tr("Text of the licence (LGPL version 3)"),
                "https://www.gnu.org/licenses/lgpl-3.0.html",
            ),
            WebLink(tr("Source of Qt"), "https://download.qt.io/official_releases/qt/"),
            WebLink(
                tr("Source of PySide6"),
                "https://download.qt.io/official_releases/QtForPython/pyside6/",
            ),
            WebLink(
                tr("Other licences inside Qt and its browser"),
                "https://doc.qt.io/qt-6/licenses-used-in-qt.html",
            ),
        )

    def open(self) -> None:
        """The page comes to the front."""
        if not self._whole:
            self._reading()

    async def _look(self) -> None:
        build_info = await self._read()
        self._set_state(about_state(build_info, None))
        self._set_state(about_state(build_info, await self._find_browser_and_vault()))
        self._whole = True
