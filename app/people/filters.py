"""The few questions a list of people is narrowed by with one click."""

from enum import StrEnum

from app.store.people_sql import Marks


class PeopleFilter(StrEnum):
    """One of them is always on; the values are kept between two starts."""

    EVERYBODY = "everybody"
    VOLUNTEERS = "volunteers"
    ADMINISTRATORS = "administrators"
    WITHOUT_EMAIL = "without email"
    ARCHIVED = "archived"

    @property
    def mark(self) -> Marks | None:
        """What those who pass carry; None where everybody passes."""
        return _MARKS.get(self)


_MARKS = {
    PeopleFilter.VOLUNTEERS: Marks.VOLUNTEER,
    PeopleFilter.ADMINISTRATORS: Marks.ADMIN,
    PeopleFilter.WITHOUT_EMAIL: Marks.WITHOUT_EMAIL,
    PeopleFilter.ARCHIVED: Marks.ARCHIVED,
}
