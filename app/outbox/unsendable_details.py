"""What was typed beside a person and the account does not take: kept until the program ends.

The service takes a first name, a last name and an email (api-spec, people/create); a phone number
that was typed must still be there to copy once the person has been added.
"""

from app.model.outbox import NewPerson
from app.outbox.events import PersonAdded
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope


class UnsendableDetails:
    """By the service's id of a person who was added since the start."""

    def __init__(self, events: EventBus, scope: TaskScope) -> None:
        """Listens for everybody who is added."""
        self._typed: dict[str, NewPerson] = {}
        events.subscribe(PersonAdded, self._added, scope)

    def of(self, person_id: str) -> NewPerson | None:
        """What was typed for this person, where some of it could not be sent; else None."""
        return self._typed.get(person_id)

    def _added(self, event: PersonAdded) -> None:
        typed = event.entry.new_person
        if typed.phone or typed.leftover:
            self._typed[event.person.id] = typed
