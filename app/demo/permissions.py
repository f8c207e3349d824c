"""The seven permissions a program can ask for, each with the words the consent page says it in."""

from dataclasses import dataclass
from enum import StrEnum


class Permission(StrEnum):
    """The scope values of the contract (api-spec, Authentication)."""

    MANAGE_PEOPLE = "ManagePeople"
    MANAGE_GROUPS = "ManageGroups"
    MANAGE_SERVICES = "ManageServices"
    MANAGE_SONGS = "ManageSongs"
    MANAGE_CALENDAR = "ManageCalendar"
    MANAGE_FINANCIALS = "ManageFinancials"
    ADMINISTER_ACCOUNT = "AdministerAccount"


@dataclass(frozen=True, slots=True)
class Wording:
    """How a permission reads on the consent page; `far_reaching` earns it a second look."""

    title: str
    grants: str
    far_reaching: bool = False


WORDING = {
    Permission.MANAGE_PEOPLE: Wording(
        "Manage people",
        "See everybody with their contact details, add people and change them, "
        "and see the people flows with who administers each step.",
    ),
    Permission.MANAGE_GROUPS: Wording(
        "Manage groups",
        "See all groups and who belongs to them, add groups, and change or remove them.",
    ),
    Permission.MANAGE_SERVICES: Wording(
        "Manage services",
        "See and plan services: their times, their running order and who serves in them.",
    ),
    Permission.MANAGE_SONGS: Wording(
        "Manage songs",
        "See the song library, add songs, and change their words and arrangements.",
    ),
    Permission.MANAGE_CALENDAR: Wording(
        "Manage calendars and events",
        "See every calendar, add events, and change or cancel them.",
    ),
    Permission.MANAGE_FINANCIALS: Wording(
        "Manage financials",
        "See and change gifts, payments and who gave them.",
        far_reaching=True,
    ),
    Permission.ADMINISTER_ACCOUNT: Wording(
        "Administer the account",
        "Change the settings of the whole account and decide what other people may do in it.",
        far_reaching=True,
    ),
}


def parse_scope(scope: str) -> tuple[Permission, ...]:
    """The permissions of a comma-separated scope, each once, in the order asked.

    Raises ValueError with the first value that is no permission (api-spec, Permissions).
    """
    asked = dict.fromkeys(part.strip() for part in scope.split(",") if part.strip())
    for value in asked:
        if value not in tuple(Permission):
            raise ValueError(value)
    return tuple(Permission(value) for value in asked)
