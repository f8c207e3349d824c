"""People flows and their steps as the service tells them (api-spec, People flow and Step).

Nothing in them leads back to them, and there may be a hundred thousand steps: the collector of
reference cycles, which would look at each of them again and again, passes them by.
"""

from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One step of a people flow; `admins` are person ids and may match nobody.

    Not `admins_told`, `steps_told`: these were not sent, so that there are none says nothing.
    `left_out` of them were sent and are too many to be kept.
    """

    id: str
    name: str | None = None
    status: str | None = None
    entry_point: str | None = None
    steps: tuple["Step", ...] = ()
    admins: tuple[str, ...] = ()
    steps_told: bool = True
    admins_told: bool = True
    left_out: int = 0

    @property
    def pending(self) -> bool:
        """Whether the step is not active yet (seen in the field: any status but blank)."""
        return bool(self.status and not self.status.isspace())

    @property
    def people_join_here(self) -> bool:
        """Whether people may join the flow at this step (seen in the field: `y`)."""
        return (self.entry_point or "").strip().lower() in {"y", "yes", "1", "true"}


class PeopleFlow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One people flow with its steps in the service's order.

    The document does not show the shape of `locations` and `demographics`: they are kept as sent.
    `steps_told`, `admins_told` and `left_out` are those of a step.
    """

    id: str
    name: str | None = None
    status: str | None = None
    access: str | None = None
    steps: tuple[Step, ...] = ()
    admins: tuple[str, ...] = ()
    locations: tuple[Any, ...] = ()
    demographics: tuple[Any, ...] = ()
    steps_told: bool = True
    admins_told: bool = True
    left_out: int = 0

    @property
    def pending(self) -> bool:
        """Whether the flow is not active yet (seen in the field: any status but blank)."""
        return bool(self.status and not self.status.isspace())
