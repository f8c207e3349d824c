"""What one reading of an account found other than the reading before it: people, flows, steps and
administrators that came, went, moved or are called otherwise.
"""

from datetime import datetime
from enum import StrEnum

import msgspec


class ChangeKind(StrEnum):
    """What has happened."""

    CAME = "came"
    ADDED_HERE = "added here"
    """From this computer."""
    GONE = "gone"
    ARCHIVED = "archived"
    DECEASED = "deceased"
    """Marked as deceased now."""
    BACK = "back"
    """Out of the archive."""
    CHANGED = "changed"
    """Fields of a person."""
    FLOW_CAME = "flow came"
    FLOW_GONE = "flow gone"
    FLOW_RENAMED = "flow renamed"
    FLOW_STARTED = "flow started"
    """Active, and was pending."""
    FLOW_STOPPED = "flow stopped"
    FLOW_ACCESS = "flow access"
    FLOW_MOVED = "flow moved"
    FLOWS_SORTED = "flows sorted"
    """So many have moved that it is another order."""
    FLOW_ADMINS = "flow admins"
    """Who runs the whole of it; somebody still does."""
    FLOW_UNSTAFFED = "flow alone"
    """Nobody runs the whole of it any more."""
    STEP_CAME = "step came"
    STEP_GONE = "step gone"
    STEP_RENAMED = "step renamed"
    STEP_STARTED = "step started"
    STEP_STOPPED = "step stopped"
    STEP_OPENED = "step opened"
    """People may join there now."""
    STEP_CLOSED = "step closed"
    STEP_MOVED = "step moved"
    """Within its flow."""
    STEP_ADMINS = "step admins"
    """Who administers it; somebody still does."""
    STEP_UNSTAFFED = "step alone"
    """Nobody administers it any more."""

    @property
    def of_person(self) -> bool:
        """Whether it is about somebody of the list, and not about a flow."""
        return self in OF_PEOPLE

    @property
    def of_step(self) -> bool:
        """Whether it is about a step of a flow."""
        return self.value.startswith("step ")


OF_PEOPLE = frozenset(
    {
        ChangeKind.CAME,
        ChangeKind.ADDED_HERE,
        ChangeKind.GONE,
        ChangeKind.ARCHIVED,
        ChangeKind.DECEASED,
        ChangeKind.BACK,
        ChangeKind.CHANGED,
    }
)


class FieldChange(msgspec.Struct, frozen=True, array_like=True):
    """A field of a person (api-spec, Person), as it was and as it is; flags are "" or "1"."""

    field: str
    before: str
    after: str


class Named(msgspec.Struct, frozen=True, array_like=True):
    """Somebody or something, and what it was called; blank where nobody knew."""

    id: str
    name: str = ""


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that has changed. What does not apply is blank.

    Names are those of the time: what it speaks of may be called otherwise by now, or be gone.
    """

    kind: ChangeKind
    id: str = ""
    """Of the person, or of the flow."""
    name: str = ""
    """What that was called, before and after; where its name changed, after."""
    was: str = ""
    """Its name before."""
    step: Named | None = None
    """Where it is about a step, that one."""
    number: str = ""
    """The step's number in its flow, `4` or `4.1`."""
    stands_before: Named | None = None
    """What moved stands before this step or flow now; None where it stands last."""
    fields: tuple[FieldChange, ...] = ()
    came: tuple[Named, ...] = ()
    """Administrators."""
    gone: tuple[Named, ...] = ()
    more_came: int = 0
    """Administrators that came besides those named."""
    more_gone: int = 0


class LoggedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change, when it was found (UTC), and its number among all: later ones have higher ones."""

    serial: int
    at: datetime
    change: Change
