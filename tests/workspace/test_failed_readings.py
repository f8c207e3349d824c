"""What is said of a reading that failed goes once the same is read again, and nothing else does."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.accounts.account import Account
from app.accounts.folders import OUTBOX
from app.api.errors import ApiError, ServiceFault, Unreachable
from app.api.service import Service
from app.api.sign_in.token_refresh import RefreshableAccess
from app.model.flow import PeopleFlow
from app.outbox.account_matching import write_sample
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.notices import NoticeAction
from tests.viewmodels.conftest import Listing
from tests.workspace.test_damaged_cache import FLOWS, PEOPLE, Desk, Riverside

OUT_OF_ORDER = ServiceFault("Fault", "The service ran into a problem.", details="status: 500")
DOWN = Unreachable("No line", "The service cannot be reached.", transient=True)
NO_FLOWS = ServiceFault("Fault", "The service does not have flows.", details="status: 404")


class Failing(Riverside):
    """Answers with these errors instead, where there are any."""

    def __init__(self) -> None:
        super().__init__()
        self.people_error: ApiError | None = None
        self.flows_error: ApiError | None = None
        self.check_error: ApiError | None = None
        self.told: Callable[[ApiError | None], None]

    async def check(self) -> None:
        self.told(self.check_error)
        if self.check_error is not None:
            raise self.check_error

    def people(self) -> Listing:
        answer = self.people_error or PEOPLE[:5]
        return Listing(answer, total=5)

    async def people_flows(self) -> Sequence[PeopleFlow]:
        if self.flows_error is not None:
            raise self.flows_error
        return FLOWS


class FailingDesk(Desk):
    """An account whose service fails as it is told."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.riverside = self.failing = Failing()

    def connect(
        self,
        account: Account,
        credential: str,
        on_outcome: Callable[[ApiError | None], None],
        access: RefreshableAccess | None,
    ) -> Service:
        self.failing.told = on_outcome
        return super().connect(account, credential, on_outcome, access)

    async def read(self, *, people: ApiError | None = None, flows: ApiError | None = None) -> None:
        """As F5 does, until both lists are read or have failed."""
        self.failing.people_error, self.failing.flows_error = people, flows
        self.workspace.refresh()
        assert self.workspace.screens.status.state.under_way
        await self.until(lambda: not self.workspace.screens.status.state.under_way)

    async def open(self) -> None:
        """As the program starts, until nothing is under way."""
        await self.begin()
        await self.workspace.read_list()
        self.workspace.take_up()
        await self.workspace.open()
        await self.until(lambda: not self.workspace.screens.status.state.under_way)


@pytest.fixture
async def desk(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> AsyncIterator[FailingDesk]:
    desk = FailingDesk(tmp_path)
    yield desk
    await desk.end()
    assert desk.crashes == []


async def test_reading_the_list_has_whoever_was_put_off_tried_at_once(desk: FailingDesk) -> None:
    await desk.open()
    tried: list[bool] = []
    desk.workspace._outbox.service_answered = lambda: tried.append(True)  # type: ignore[method-assign]
    await desk.read(people=OUT_OF_ORDER)
    assert tried == []
    await desk.read()
    assert tried == [True]


async def test_what_was_wrong_with_a_reading_goes_when_that_list_is_read_again(
    desk: FailingDesk,
) -> None:
    await desk.open()
    assert desk.said == ""
    await desk.read(people=OUT_OF_ORDER)
    assert desk.said == OUT_OF_ORDER.message
    await desk.read(people=OUT_OF_ORDER)
    assert desk.said == OUT_OF_ORDER.message
    await desk.read()
    assert desk.said == ""
    await desk.read(flows=NO_FLOWS)
    assert desk.said == NO_FLOWS.message
    await desk.read()
    assert desk.said == ""


@pytest.mark.parametrize("failing", ["people", "flows"])
async def test_what_was_wrong_with_a_reading_is_not_said_of_the_next_account(
    desk: FailingDesk, failing: str
) -> None:
    await desk.open()
    await desk.read(**{failing: OUT_OF_ORDER})
    assert desk.said == OUT_OF_ORDER.message
    await desk.leave()
    assert desk.said == ""


async def test_nor_is_what_nobody_has_read_of_its_files(desk: FailingDesk) -> None:
    desk.cache.with_name(OUTBOX).write_bytes(b"no database" * 1_000)
    await desk.open()
    assert "was damaged" in desk.said
    await desk.leave()
    assert desk.said == ""


async def test_it_stays_while_only_the_other_list_is_read(desk: FailingDesk) -> None:
    await desk.open()
    for _ in range(2):
        await desk.read(flows=NO_FLOWS)
        assert desk.said == NO_FLOWS.message
    await desk.read(people=OUT_OF_ORDER, flows=NO_FLOWS)
    await desk.read(people=OUT_OF_ORDER)
    assert desk.said == OUT_OF_ORDER.message


async def test_an_error_of_something_else_stays_when_the_lists_are_read(desk: FailingDesk) -> None:
    await desk.open()
    await desk.read(people=OUT_OF_ORDER)
    refused = ServiceFault("Fault", "The file could not be saved.", details="there is no room")
    desk.screen.say_error(refused)
    await desk.read()
    notice = desk.screen.state.notice
    assert notice is not None
    assert (notice.sentence, notice.action) == (refused.message, NoticeAction.COPY_DETAILS)


async def test_what_trying_the_line_met_is_said_no_longer_than_it_is_true(
    desk: FailingDesk,
) -> None:
    """The service answers, with an error at first: the lists, read at once, say how it is now."""
    await desk.open()
    desk.failing.told(DOWN)
    desk.failing.check_error = OUT_OF_ORDER
    desk.screen.check_connection()
    status = desk.workspace.screens.status
    await desk.until(lambda: desk.session.online and not desk.screen.state.work_words)
    await desk.until(lambda: not status.state.under_way)
    assert desk.said == ""


async def test_so_does_what_was_wrong_with_the_list_while_its_account_was_compared(
    desk: FailingDesk,
) -> None:
    outbox = OutboxStore.open(desk.cache.with_name(OUTBOX))
    write_sample(outbox, (person.id for person in PEOPLE[:5]))
    outbox.close_now()
    desk.failing.people_error = OUT_OF_ORDER
    await desk.open()
    assert desk.said == OUT_OF_ORDER.message
    assert desk.workspace.screens.people.table.people_count == 0
    await desk.read()
    await desk.until(lambda: desk.workspace.screens.people.table.people_count == len(PEOPLE[:5]))
    assert desk.said == ""
