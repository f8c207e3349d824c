"""What is known of everybody in memory, a bit each: the filters of the list, and what can be found
out of whole columns.
"""

from enum import IntFlag


class PersonFlags(IntFlag):
    """What is known of everybody in memory; a flag that was not given is not set."""

    ADMIN = 1
    ARCHIVED = 2
    VOLUNTEER = 4
    WITHOUT_EMAIL = 8
    """The email was given, and blank."""
    RECENTLY_ADDED = 16
    """From this computer; known to memory alone."""
    HAS_PHONE = 32
    HAS_MOBILE = 64
    NUMBERS_GIVEN = 128
    """Phone and mobile were given, and may be blank."""


FILTERS = (
    PersonFlags.ADMIN
    | PersonFlags.ARCHIVED
    | PersonFlags.VOLUNTEER
    | PersonFlags.WITHOUT_EMAIL
    | PersonFlags.RECENTLY_ADDED
)
"""What the list of people is narrowed by."""

FLAGS_IN_SQL = " | ".join(
    # Whatever a damaged table has there, this is nothing but a flag.
    f"({condition} IS 1) * {flag.value}"
    for condition, flag in {
        "admin": PersonFlags.ADMIN,
        "archived": PersonFlags.ARCHIVED,
        "volunteer": PersonFlags.VOLUNTEER,
        "(email = '')": PersonFlags.WITHOUT_EMAIL,
        "(phone <> '')": PersonFlags.HAS_PHONE,
        "(mobile <> '')": PersonFlags.HAS_MOBILE,
        "(phone IS NOT NULL AND mobile IS NOT NULL)": PersonFlags.NUMBERS_GIVEN,
    }.items()
)
"""The same of a row of the table `people`, as an expression."""
