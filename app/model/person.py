"""A person as the service tells it (api-spec, Person)."""

from datetime import datetime

import msgspec

from app.model.display_name import display_name


class Person(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One person. A field that was not sent is None; one that was sent blank is blank.

    Dates are UTC. `id` is the service's own text and never empty. Beyond the document's eleven
    (seen in the field): the name somebody goes by, whether they have died, and `others`, each the
    field's name as the service calls it and its text as shown; blank text is a field sent blank.
    """

    id: str
    firstname: str | None = None
    lastname: str | None = None
    email: str | None = None
    phone: str | None = None
    mobile: str | None = None
    date_added: datetime | None = None
    date_modified: datetime | None = None
    admin: bool | None = None
    archived: bool | None = None
    volunteer: bool | None = None
    preferred_name: str | None = None
    deceased: bool | None = None
    others: tuple[tuple[str, str], ...] = ()

    @property
    def full_name(self) -> str:
        """Both names as they are written together; blank when the service gave neither."""
        return display_name(self.firstname, self.lastname)
