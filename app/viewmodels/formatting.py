"""How names, dates and blanks are put before a person, the same way on every screen."""

from collections.abc import Sequence
from datetime import UTC, datetime
from unicodedata import east_asian_width

from PySide6.QtCore import QDate, QLocale, QTime

from app.model.person import Person
from app.runtime.words import in_a_row, tr, trn


def name_of(person: Person) -> str:
    """The name to show; a person without one is still somebody."""
    return person.full_name or tr("(no name)")


def initials(name: str) -> str:
    """Up to two letters for a round mark: of the first and the last word.

    Of a script with wide letters one: two do not fit, and one is how such names are marked.
    """
    letters = [word[0] for word in name.split() if word[0].isalnum()]
    narrow = [letter for letter in letters if east_asian_width(letter) not in {"W", "F"}]
    if letters[:1] != narrow[:1]:
        return letters[0]
    return "".join([narrow[0], narrow[-1]] if narrow[1:] else narrow).upper()


def local(moment: datetime) -> datetime:
    """A UTC moment in the person's own zone; as it is, where no calendar there can hold it.

    Windows knows none of before 1970.
    """
    try:
        return moment.astimezone()
    except (OverflowError, ValueError, OSError):
        return moment


def day(moment: datetime | None) -> str:
    """A UTC moment as a date in the person's own zone and format; blank when not given."""
    if moment is None:
        return ""
    there = local(moment)
    return QLocale().toString(
        QDate(there.year, there.month, there.day), QLocale.FormatType.ShortFormat
    )


def clock(moment: datetime) -> str:
    """The time of day of a UTC moment, in the person's own zone and format."""
    there = local(moment)
    return QLocale().toString(QTime(there.hour, there.minute), QLocale.FormatType.ShortFormat)


def day_and_clock(moment: datetime) -> str:
    """Date and time of a UTC moment."""
    return tr("{day}, {clock}", day=day(moment), clock=clock(moment))


def moment_words(moment: datetime) -> str:
    """A UTC moment: the time alone where it is today, else the date with it."""
    return clock(moment) if is_today(moment) else day_and_clock(moment)


def is_today(moment: datetime) -> bool:
    """Whether a UTC moment is of this day, in the person's own zone."""
    return local(moment).date() == datetime.now(UTC).astimezone().date()


def given(value: str | None) -> str:
    """A field's text; one that was not sent is told apart from one that is blank."""
    if value is None:
        return tr("not given")
    return value.strip() or tr("none")


def field_words(name: str) -> str:
    """What a field is called that the service tells of a person beyond the document's."""
    labels = {
        "middle_name": tr("Middle name"),
        "contact": tr("Contact"),
        "family": tr("Family"),
        "family_relationship": tr("In the family"),
        "family_id": tr("Id of the family"),
        "category": tr("Category"),
        "category_id": tr("Id of the category"),
        "picture": tr("Address of the picture"),
    }
    return labels.get(name, name.replace("_", " "))


_NO_MARKS = frozenset({"middle_name", "family_id", "category", "category_id", "picture"})
"""Of these a number or a letter is what it is; any other may mark somebody, or not."""
_YES, _NO = frozenset({"1", "yes", "true", "y"}), frozenset({"0", "no", "false", "n"})


def field_text(name: str, sent: str) -> str:
    """What such a field says; one that is a mark says "yes", and nothing where it is a no."""
    told = sent.strip()
    if name in _NO_MARKS or told.lower() not in _YES | _NO:
        return told
    return tr("yes") if told.lower() in _YES else ""


def number(value: int) -> str:
    """A count with the person's own digit groups."""
    return QLocale().toString(value)


def list_names(names: Sequence[str], more: int = 0) -> str:
    """Names in a row, and how many there are besides: “A, B”, “A, B and 3 more”, “3 more”."""
    row = in_a_row(names)
    if more <= 0:
        return row
    if not names:
        return trn("{n} more", "{n} more", more)
    return trn("{names} and {n} more", "{names} and {n} more", more, names=row)


def names_in_sentence(names: Sequence[str], more: int = 0) -> str:
    """The same where a sentence goes on behind them: “A and B”, “A, B and 3 more”."""
    if more <= 0 and len(names) > 1:
        return tr("{names} and {last}", names=in_a_row(names[:-1]), last=names[-1])
    return list_names(names, more)


def and_more_words(more: int) -> str:
    """What stands below a list that is cut: “and 3 more”; blank where it is whole."""
    return trn("and {n} more", "and {n} more", more) if more > 0 else ""


def badges(person: Person) -> tuple[str, ...]:
    """The flags that are set, as the words shown beside the name."""
    if not (person.deceased or person.volunteer or person.admin or person.archived):
        return ()  # as most are, at each painting
    flags = (
        (person.deceased, tr("deceased")),
        (person.volunteer, tr("volunteer")),
        (person.admin, tr("admin")),
        (person.archived, tr("archived")),
    )
    return tuple(word for flag, word in flags if flag)
