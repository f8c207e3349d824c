"""What a value in an answer of the service may be at most.

The API document gives no lengths (api-spec, Person and People flow: "string") and no limits; these
are generous. Who reads, and what becomes of a record, is decided there.
"""

from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta

NAME = 200
"""Characters in a first or last name, or in the name of a flow or step."""
TEXT = 1_000
"""Characters in any other text that is shown."""
WORD = 100
"""Characters in a status, an access or an entry point: the document shows single words."""
IDENTIFIER = 200
"""Characters in an id; the document calls it UUID-like."""
OTHERS = 16
"""Fields of a person beyond the document's that are kept."""
COUNT = 2**31 - 1
"""The highest count or code: no account has more people, and Qt counts no further."""
STEPS = 500
"""Steps in a flow, and inside one step."""
FLOWS = 20_000
"""Flows of an account: no office looks after as many, and memory holds them whole."""
ADMINS = 500
"""Administrators of a flow or a step."""
PLACES = 200
"""Locations or demographics of a flow."""

_CUT = "…"
# No zone is a whole day away from UTC, so every zone's calendar can hold these.
_EARLIEST = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
_LATEST = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def shortened(text: str, most: int) -> str:
    """`text` in at most `most` characters; what is cut ends with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}{_CUT}"


def in_every_calendar(moment: datetime) -> datetime | None:
    """A UTC `moment`; None for one that the calendar of some zone cannot hold."""
    if MINYEAR < moment.year < MAXYEAR:  # all but two years
        return moment
    return moment if _EARLIEST <= moment <= _LATEST else None
