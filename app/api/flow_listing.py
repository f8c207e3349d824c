"""The people flows as one answer gave them, with the service's own count."""

from collections.abc import Iterator, Sequence
from typing import overload

from app.model import bounds
from app.model.flow import PeopleFlow


class PeopleFlows(Sequence[PeopleFlow]):
    """The flows in the service's order; `total` is how many it counts, at least those it sent.

    `unreadable` of those it sent could not be read. Of more than `bounds.FLOWS` only the first are
    here.
    """

    __slots__ = ("_flows", "total", "unreadable")

    def __init__(
        self, flows: tuple[PeopleFlow, ...], total: int | None = None, unreadable: int = 0
    ) -> None:
        """`total` as told by the service; None when it told nothing."""
        self._flows = flows[: bounds.FLOWS]
        self.total = max(total or 0, len(flows) + unreadable)
        self.unreadable = unreadable

    @overload
    def __getitem__(self, index: int) -> PeopleFlow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PeopleFlow, ...]: ...
    def __getitem__(self, index: int | slice) -> PeopleFlow | tuple[PeopleFlow, ...]:
        return self._flows[index]

    def __len__(self) -> int:
        return len(self._flows)

    def __iter__(self) -> Iterator[PeopleFlow]:
        return iter(self._flows)

    def __repr__(self) -> str:
        return f"PeopleFlows({len(self._flows)} of {self.total})"
