"""Lists of people of one account, as they are looked over, and what came of them."""

import asyncio
import time
from pathlib import Path

import pytest
import xlsxwriter

from app.model.person import Person
from app.outbox.uncompared_people import UncomparedPeople
from app.people.duplicates import Duplicates
from app.settings.column_choices import ColumnChoices
from app.viewmodels.importing.list_import import ListImport, ListSource
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_state import BulkAction
from app.viewmodels.importing.review_table import Part
from tests.viewmodels.conftest import AccountFixture

GRACE = Person(id="grace", firstname="Grace", lastname="Hopper", email="grace@x.org")
HEAD = "First name\tLast name\tEmail\tPhone\n"
ROWS = (
    "Ada\tLovelace\tada@x.org\t0410 220 118\n"
    "Grace\tHopper\tgrace@x.org\t\n"
    "Zoë\tMüller\tzoe@gmial.com\t\n"
    "\t\tinfo@hall.example\t\n"
    "Grace\tHopper\tgrace@x.org\t\n"
)


class Lists:
    """The lists of one account, and what came of them."""

    def __init__(
        self,
        account: AccountFixture,
        *,
        kept: bool = False,
        uncompared: UncomparedPeople | None = None,
    ) -> None:
        self.account = account
        self.choices = ColumnChoices(None)
        self.lists = ListImport(
            account.outbox,
            account.duplicates,
            account.settings,
            choices=self.choices,
            events=account.events,
            scope=account.scope,
            kept=kept,
            uncompared=uncompared,
        )
        self.opened: list[ReviewScreen] = []
        self.failed: list[Exception] = []
        self.taken: list[object] = []
        self.lists.opened.connect(self.opened.append)
        self.lists.failed.connect(self.failed.append)
        self.lists.taken.connect(self.taken.append)

    async def review(self, source: ListSource) -> ReviewScreen:
        before = len(self.opened)
        self.lists.add_from_list(source)
        await self.account.until(lambda: len(self.opened) > before)
        return self.opened[-1]

    async def is_left(self, ended: str) -> None:
        if ended == "by Escape":
            self.lists.stop_reading()
        else:
            await self.account.scope.close()

    async def is_left_at_once(self, asked: list[object], ended: str) -> None:
        """Who is here already is asked of a few rows more at most, once the list is left."""
        await self.account.until(lambda: len(asked) > 3)
        await self.is_left(ended)
        before = len(asked)
        await asyncio.sleep(0.1)
        assert len(asked) <= before + 2
        assert self.opened == []


def slow_answers(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Gives who was asked about, whether they are here already, a moment each."""
    asked: list[object] = []

    def certain(*names: object) -> None:
        asked.append(names)
        time.sleep(0.002)

    monkeypatch.setattr(Duplicates, "certain", certain)
    return asked


def verdicts(screen: ReviewScreen) -> list[str]:
    table = screen.table
    at = table.column_of(Part.VERDICT)
    return [str(table.index(row, at).data()) for row in range(table.rowCount())]


def cell(screen: ReviewScreen, row: int, part: Part) -> str:
    return str(screen.table.index(row, screen.table.column_of(part)).data() or "")


def chips(screen: ReviewScreen) -> list[str]:
    return [chip.text for chip in screen.state.chips if chip.is_shown]


def bulk(screen: ReviewScreen) -> list[BulkAction]:
    return [action for action, _ in screen.state.bulk]


def can_add(screen: ReviewScreen) -> bool:
    return screen.state.can_add


def two_sheets(path: Path) -> Path:
    book = xlsxwriter.Workbook(str(path))
    for name, first in (("May", "Ada"), ("June", "Bob")):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["First name", "Last name", "Email"])
        sheet.write_row(1, 0, [first, "King", f"{first.lower()}@y.org"])
    book.close()
    return path
