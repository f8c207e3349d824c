"""Why somebody was not added, or why nobody knows: kept as what it is, and put into words when it
is shown, in the language that is spoken then.
"""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from app.runtime.words import tr


class CauseKind(StrEnum):
    """What it is; its value is what is kept on disk."""

    NOT_ACCEPTED = "not accepted"
    NOT_PERMITTED = "not permitted"
    NOT_FOUND = "not found"
    WEB_PAGE = "web page"
    """Something in front of the service has answered in its place, and refused."""
    ALREADY_THERE = "already there"
    """Nothing was sent: the account has this person."""
    CUT_SHORT = "cut short"
    """It was on its way when the work ended. From here on nobody knows whether it arrived."""
    UNEXPECTED = "unexpected"
    SERVICE_FAULT = "service fault"
    TOO_SLOW = "too slow"
    UNREADABLE = "unreadable"
    LOST = "lost"
    DAMAGED_FILE = "damaged file"


class Cause(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A CauseKind (text, because a later version may know others) with what belongs to it: the
    `host` that answered, the `person` who is there, and the service's own `words`.
    """

    kind: str
    host: str = ""
    person: str = ""
    words: str = ""

    def __str__(self) -> str:
        """In one or two sentences; blank where this version does not know the kind."""
        said = _SAID.get(self.kind)
        return "" if said is None else with_service_words(said(self), self.words)


def with_service_words(sentence: str, words: str) -> str:
    """`sentence` and what the service itself said, where that is something."""
    if not words:
        return sentence
    return tr("{message} It says: {words}", message=sentence, words=words)


def _left_open(sentence: str) -> str:
    return f"{sentence} {tr('The person may or may not have been added.')}"


_SAID: dict[str, Callable[[Cause], str]] = {
    CauseKind.NOT_ACCEPTED: lambda _cause: tr(
        "The service did not accept this: something is missing or not right."
    ),
    CauseKind.NOT_PERMITTED: lambda _cause: tr(
        "Your sign-in does not allow this. Ask an administrator of the account."
    ),
    CauseKind.NOT_FOUND: lambda cause: tr(
        "{host} does not have what Front Desk asked for. Check the address.", host=cause.host
    ),
    CauseKind.WEB_PAGE: lambda cause: tr(
        "{host} answered with a web page instead of your account's data. On a guest network, "
        "open a browser and sign in to the network first; otherwise check the address.",
        host=cause.host,
    ),
    CauseKind.ALREADY_THERE: lambda cause: tr(
        "Already in the account: {person}. Sending again adds a second one, for good.",
        person=cause.person,
    ),
    CauseKind.CUT_SHORT: lambda _cause: _left_open(tr("This was on its way when the work ended.")),
    CauseKind.UNEXPECTED: lambda _cause: _left_open(
        tr("Something unexpected happened on the way.")
    ),
    CauseKind.SERVICE_FAULT: lambda _cause: _left_open(tr("The service had a problem.")),
    CauseKind.TOO_SLOW: lambda _cause: _left_open(tr("The service took too long to answer.")),
    CauseKind.UNREADABLE: lambda _cause: _left_open(tr("The answer could not be read.")),
    CauseKind.LOST: lambda _cause: _left_open(tr("The answer got lost.")),
    CauseKind.DAMAGED_FILE: lambda _cause: tr(
        "This was read from a damaged file. The person may or may not have been added."
    ),
}
