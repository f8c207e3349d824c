"""The service as the rooms above name it: what can be asked, without how it is asked.

Importing this loads no network library, so that the first picture on the screen need not wait.
"""

from collections.abc import AsyncIterator, Container, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from app.model.flow import PeopleFlow
from app.model.person import Person


class ListedPeople(Protocol):
    """Everybody in page order, each id once; read it person by person or in batches, once."""

    @property
    def total(self) -> int | None:
        """How many the service counts; None before the first page and when it does not tell."""

    @property
    def received(self) -> int:
        """How many have come so far."""

    @property
    def complete(self) -> bool:
        """Whether the reading has ended with no fewer than the service counts."""

    async def hides_somebody(self) -> bool:
        """Ask whether people were left out for the way in which they were asked for."""

    def __aiter__(self) -> AsyncIterator[Person]:
        """Person by person; raises ApiError."""

    def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        """Batch by batch, none empty; raises ApiError."""


class MetPage(msgspec.Struct, frozen=True):
    """A page of the list that came: by what it is told again, and who is on it.

    One that is `known` came before as it is now: nobody on it was read.
    """

    digest: bytes
    ids: frozenset[str]
    known: bool


@runtime_checkable
class RecognisesPages(Protocol):
    """A listing that need not read again what came before as it is now."""

    def recognise(self, known: Container[bytes]) -> None:
        """Pages of these digests are `known`: they are told of, but nobody on them is given, and
        a batch may be empty for it.
        """

    def met_pages(self) -> tuple[MetPage, ...]:
        """The pages since it was asked last of which everybody was given or is known."""


class Service(Protocol):
    """One account's service with one credential; every method raises ApiError and nothing else."""

    def people(self) -> ListedPeople:
        """Everybody; returns at once and fetches while it is read."""

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        """Add somebody; an ApiError with `outcome_unknown` leaves open whether it happened."""

    async def people_flows(self) -> Sequence[PeopleFlow]:
        """Every people flow with its steps."""

    async def check(self) -> None:
        """One small read that proves address and credential."""

    async def aclose(self) -> None:
        """End every connection."""
