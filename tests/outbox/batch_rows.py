"""Rows of a batch, and what becomes of them."""

from typing import TYPE_CHECKING

from app.api.errors import ApiError, NotAuthorised, TooManyRequests
from app.model.outbox import BatchRow, NewPerson

if TYPE_CHECKING:
    from tests.outbox.conftest import OutboxFixture

LONG = 60.0
LOST = ApiError("No reply", "The reply never came.", outcome_unknown=True)
NO = ApiError("Refused", "The email is not allowed.")
BUSY = TooManyRequests("Busy", "The service has too much to do.", retry_after=0.03)
EXPIRED = NotAuthorised("Sign in", "Sign in again.")
HEADINGS = ("Name", "Note")


def row(line: int, name: str) -> BatchRow:
    return BatchRow(line, (name, "choir"), NewPerson(firstname=name, email=f"{name}@x.org"))


def rows(*names: str) -> list[BatchRow]:
    return [row(line, name) for line, name in enumerate(names, 2)]


def many(count: int) -> list[BatchRow]:
    return rows(*(f"Ada{number}" for number in range(count)))


async def take(subject: "OutboxFixture", taken: list[BatchRow]) -> str:
    return (await subject.outbox.batches.take("sign-up.csv", HEADINGS, taken)).id


async def outcomes(subject: "OutboxFixture", batch: str) -> list[tuple[str, str]]:
    return [(one.cells[0], one.outcome.value) for one in await subject.outbox.batches.result(batch)]
