"""The people a row of a list says: usually one, a family several, and what of it is not sent.

Which column is what, is decided in `columns`; what is wrong with a person, in `review`.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from app.importing.columns import ColumnField, Columns
from app.importing.formats.source_table import SourceRow
from app.importing.headings import is_one_of_several
from app.model.field_limits import TEXT, shortened
from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import read_entry
from app.people.parsing.families import emails_of, people_in
from app.people.parsing.name_words import is_and, is_title
from app.people.parsing.tokenizer import find_phones
from app.people.search import fold
from app.runtime.words import tr

Other = tuple[tuple[str, str], ...]
"""What is kept beside a person and not sent: each with the heading of its column."""


class FoundPerson(msgspec.Struct, frozen=True, gc=False):
    """One person of a row. `origin` is what several people were made of, blank for one alone.

    `more_emails` were in the row as well, and `not_used` is what no field takes of a name or line;
    they are among `other`, too, as is what is `beside`: what else stood with a name or an email,
    and in no column of its own. `is_too_long` where what stands for the name is no name, and was
    not read: it is among `other`.
    """

    firstname: str = ""
    lastname: str = ""
    email: str = ""
    other: Other = ()
    origin: str = ""
    more_emails: tuple[str, ...] = ()
    not_used: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    is_too_long: bool = False


class RowReader:
    """Reads the rows of one list."""

    def __init__(self, columns: Columns) -> None:
        """Take the columns as `columns` says."""
        self._order = columns.name_order
        self._first, self._last, self._names, self._emails, self._rest = (
            columns.of(field)
            for field in (
                ColumnField.FIRSTNAME,
                ColumnField.LASTNAME,
                ColumnField.NAME,
                ColumnField.EMAIL,
                ColumnField.OTHER,
            )
        )
        self._headings = [heading_of(columns, place) for place in range(len(columns.headings))]
        named = (*self._first, *self._names)
        several = [place for place in named if is_one_of_several(columns.headings[place])]
        self._several = frozenset(several if len(several) > 1 else ())
        """Columns of names that are each somebody else's."""

    def people(self, row: SourceRow) -> tuple[FoundPerson, ...]:
        """Whoever the row says; always somebody, nobody at all where it is blank."""
        cells = [_tidy(cell) for cell in row.cells]
        cells += [""] * (len(self._headings) - len(cells))
        named = (*self._first, *self._last, *self._names)
        if any(len(cells[place]) > TEXT for place in named):
            return (self._unread(cells, named),)
        first, titles = _without_titles(self._joined(cells, self._first))
        last, more_titles = _without_titles(self._joined(cells, self._last))
        emails, beside, said = self._read_emails(cells)
        other = [*self._kept(cells, self._rest), *said]
        other += self._kept(cells, [n for n in self._emails if len(cells[n]) > TEXT])
        if first or last:
            people = _with_one_last_name(first, last)
            name = " ".join(filter(None, (first, last, titles, more_titles)))
            other += self._names_not_used(cells, name)
            other += [(tr("Not part of the name"), each) for each in (titles, more_titles) if each]
        else:
            people = self._read_names(cells) or ([beside] if beside else [NewPerson()])
        for person in people:
            other += _said_beside(person)
        said += [(tr("Phone"), person.phone) for person in people if person.phone]
        emails = list(dict.fromkeys([*emails, *(each.email for each in people if each.email)]))
        beside_names = tuple(dict.fromkeys(value for _, value in said))
        return self._sorted_out(people, emails, tuple(dict.fromkeys(other)), beside_names)

    def _unread(self, cells: Sequence[str], named: Sequence[int]) -> FoundPerson:
        """Nobody is sent under a whole text, and none of it is lost."""
        emails, *_ = self._read_emails(cells)
        other = self._kept(cells, sorted({*named, *self._emails, *self._rest}))
        return FoundPerson(email=next(iter(emails), ""), other=tuple(other), is_too_long=True)

    def _kept(self, cells: Sequence[str], places: Iterable[int]) -> list[tuple[str, str]]:
        return [(self._headings[place], cells[place]) for place in places if cells[place]]

    def _joined(self, cells: Sequence[str], places: Sequence[int]) -> str:
        """The cells of a first name and its middle names, as one; the same twice is one."""
        if len(places) == 1:
            return _name(cells[places[0]])
        between = " & " if self._several.issuperset(places) else " "
        return between.join(
            dict.fromkeys(name for place in places if (name := _name(cells[place])))
        )

    def _read_names(self, cells: Sequence[str]) -> list[NewPerson]:
        filled = [place for place in self._names if cells[place]]
        read = filled if self._several.issuperset(filled) else filled[:1]
        return [person for place in read for person in people_in(cells[place], self._order)]

    def _names_not_used(self, cells: Sequence[str], name: str) -> list[tuple[str, str]]:
        """A whole name beside its halves, where it says anything that they do not."""
        said = set(fold(name).split())
        return [
            (self._headings[place], cells[place])
            for place in self._names
            if not said.issuperset(fold(cells[place]).replace(",", " ").split())
        ]

    def _read_emails(
        self, cells: Sequence[str]
    ) -> tuple[list[str], NewPerson | None, list[tuple[str, str]]]:
        """The addresses of the row, the first one first, somebody named beside one of them, and
        what else is said there.
        """
        emails: list[str] = []
        beside: NewPerson | None = None
        said: list[tuple[str, str]] = []
        for place in self._emails:
            cell = cells[place]
            if len(cell) > TEXT:  # nobody's, to be put right
                emails.append(shortened(cell, TEXT))
                continue
            for address in _addresses(cell):
                email = address
                if "@" in address and ("<" in address or " " in address):
                    read = read_entry(address, self._order)
                    email = read.email or address
                    beside = beside or (read if read.full_name else None)
                    said += _said_beside(read) if read.email else []
                if email.casefold() not in {one.casefold() for one in emails}:
                    emails.append(email)
        return emails, beside, said

    def _sorted_out(
        self,
        people: Sequence[NewPerson],
        emails: Sequence[str],
        other: Other,
        beside: tuple[str, ...],
    ) -> tuple[FoundPerson, ...]:
        """Each with the address that is theirs; the first has those that are left."""
        if len(people) == 1:
            return (self._found(people[0], emails, emails[1:], other, beside=beside),)
        origin = _origin(people)
        own = emails_of(people, emails)
        left = [email for email in emails if email not in own.values()]
        return tuple(
            self._found(
                person,
                [own[place]] if place in own else (),
                () if place else left,
                other,
                origin,
                beside=() if place else beside,
            )
            for place, person in enumerate(people)
        )

    def _found(
        self,
        person: NewPerson,
        emails: Sequence[str],
        more: Sequence[str],
        other: Other,
        origin: str = "",
        *,
        beside: tuple[str, ...] = (),
    ) -> FoundPerson:
        # No address is ever saved as a name, whichever column it was in.
        first, last = person.firstname, person.lastname
        email = emails[0] if emails else ""
        if "@" in first:
            email, first = email or first, ""
        if "@" in last:
            email, last = email or last, ""
        heading = tr("Other email")
        kept = (*other, *((heading, one) for one in more))
        not_used = (person.leftover,) if person.leftover else ()
        return FoundPerson(first, last, email, kept, origin, tuple(more), not_used, beside)


def heading_of(columns: Columns, place: int) -> str:
    """What a column is called: by its heading, or by its number where it has none."""
    return columns.headings[place] or tr("Column {number}", number=place + 1)


def by_heading(other: Other) -> dict[str, str]:
    """What is kept, by the headings; what stands under one more than once is one value."""
    kept: dict[str, str] = {}
    for heading, value in other:
        kept[heading] = f"{kept[heading]}; {value}" if heading in kept else value
    return kept


def new_person(firstname: str, lastname: str, email: str, other: Other) -> NewPerson:
    """A person of a list as the outbox takes one: a number is kept as the phone, the rest beside it
    with the headings it had.
    """
    phone = next((value for _, value in other if find_phones(value)), "")
    beside = [f"{heading}: {value}" for heading, value in other if value != phone]
    return NewPerson(
        firstname=firstname,
        lastname=lastname,
        email=email,
        phone=phone,
        leftover="; ".join(beside),
    )


_NOTHING = frozenset(
    {"n/a", "na", "none", "nil", "null", "unknown", "keine", "kein", "unbekannt", "?", "."}
    | {"-", "--", "---", "–", "—"}
    | {"#n/a", "#ref!", "#value!", "#name?", "#div/0!", "#null!", "#num!"}
)
_TITLES_ONLY = frozenset(
    {"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "herr", "frau", "mme", "mlle"}
)
_BEHIND_BRACKETS = re.compile(r"(?<=>)\s*[;,|]?\s*")
_BETWEEN_ADDRESSES = re.compile(r"\s*(?::::|[;,|/\n])\s*|\s+(?:or|and|und|oder|&)?\s*(?=\S+@)")


def _tidy(cell: str) -> str:
    """A cell without doubled blanks, and blank where it says that there is nothing."""
    text = " ".join(cell.split())
    return "" if text.casefold() in _NOTHING else text


def _name(cell: str) -> str:
    return cell if any(sign.isalpha() or sign == "@" for sign in cell) else ""


def _addresses(cell: str) -> list[str]:
    """The addresses of one cell; one that is not an address stays whole, to be put right."""
    text = cell.removeprefix("mailto:")
    if text.count("@") < 2:  # noqa: PLR2004 - one address
        return [text] if text else []
    between = _BEHIND_BRACKETS if "<" in text else _BETWEEN_ADDRESSES
    parts = between.split(text)
    addresses = [part.strip() for part in parts if part and part.strip()]
    return addresses if all("@" in part for part in addresses) else [text]


def _without_titles(name: str) -> tuple[str, str]:
    """A name without the titles it begins with, and these; titles alone stay as they are.

    Only what is hardly ever a name: Dean and Major are.
    """
    words = name.split()
    many = 0
    while many < len(words) - 1 and (
        (words[many].endswith(".") and is_title(words[many])) or fold(words[many]) in _TITLES_ONLY
    ):
        many += 1
    if not many or is_and(words[many]):
        return name, ""
    return " ".join(words[many:]), " ".join(words[:many])


def _with_one_last_name(first: str, last: str) -> list[NewPerson]:
    """`John & Mary` beside `Smith` are two, titles alone (`Mr & Mrs`) are one."""
    words = first.split()
    ands = [
        place
        for place, word in enumerate(words)
        if 0 < place < len(words) - 1 and is_and(word) and not word[0].isupper()
    ]
    if ands:
        ends = [-1, *ands, len(words)]
        names = [" ".join(words[start + 1 : end]) for start, end in pairwise(ends)]
        if all(name and not all(map(is_title, name.split())) for name in names):
            return [NewPerson(firstname=name, lastname=last) for name in names]
    return [NewPerson(firstname=first, lastname=last)]


def _said_beside(person: NewPerson) -> list[tuple[str, str]]:
    said = ((tr("Phone"), person.phone), (tr("Not part of the name"), person.leftover))
    return [(heading, value) for heading, value in said if value]


def _origin(people: Sequence[NewPerson]) -> str:
    """What the family stood as: one last name once."""
    if len({one.lastname for one in people}) == 1:
        together = " & ".join(one.firstname for one in people)
        return " ".join(filter(None, (together, people[0].lastname)))
    return " & ".join(one.full_name for one in people)
