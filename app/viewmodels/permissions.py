"""Which permissions signing in on the account's page asks for, and which of them can be chosen."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.api.oauth import LEAST_PERMISSIONS, PERMISSIONS, in_order
from app.runtime.words import tr


@dataclass(frozen=True, slots=True)
class PermissionChoice:
    """One permission: its value, what it allows, and whether it is asked for.

    `fixed`: Front Desk cannot do without it, so there is nothing to choose.
    """

    value: str
    words: str
    on: bool
    fixed: bool


def permission_choices(scope: Iterable[str]) -> tuple[PermissionChoice, ...]:
    """All permissions there are, in the order of the document."""
    asked = frozenset((*LEAST_PERMISSIONS, *scope))
    return tuple(
        PermissionChoice(value, words(), value in asked, value in LEAST_PERMISSIONS)
        for value, words in PERMISSIONS.items()
    )


def with_choice(scope: Iterable[str], value: str, *, on: bool) -> tuple[str, ...]:
    """The scope after somebody turned one permission on or off; a fixed one stays on."""
    asked = frozenset(scope) | {value} if on else frozenset(scope) - {value}
    return in_order((*LEAST_PERMISSIONS, *asked))


def permissions_remark(scope: Iterable[str]) -> str:
    """What to think of before asking for more than is needed; blank where nothing more is asked."""
    if in_order(scope) == LEAST_PERMISSIONS:
        return ""
    return tr(
        "Front Desk itself needs only the first. Whoever signs in must be allowed all of them."
    )
