"""The people a row of a list says: usually one, a family several, and what of it is not sent.

Which column is what, is decided in `columns`; what is wrong with a person, in `review`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from app.importing.columns import ColumnField, Columns
from app.importing.formats.source_table import SourceRow
from app.importing.headings import is_only_a_number, subject_of
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


class _PersonColumns(NamedTuple):
    """The columns that are about one person."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    names: tuple[int, ...]
    emails: tuple[int, ...]

    @classmethod
    def of(cls, columns: Columns) -> "_PersonColumns":
        """All of them, as about one."""
        return cls(*map(columns.of, _OF_A_PERSON))

    @property
    def named(self) -> tuple[int, ...]:
        return (*self.first, *self.last, *self.names)

    def about(self, subjects: Sequence[str], subject: str) -> "_PersonColumns":
        """Those of them that are about somebody, by the `subjects` of all columns."""
        return _PersonColumns(
            *(tuple(place for place in places if subjects[place] == subject) for places in self)
        )


_OF_A_PERSON = (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.NAME, ColumnField.EMAIL)


def _several(columns: Columns, everybody: _PersonColumns) -> tuple[_PersonColumns, ...]:
    """The columns of each of several people in a row; nothing where a row is about one."""
    subjects = [subject_of(heading) for heading in columns.headings]
    for number in filter(is_only_a_number, set(subjects)):
        of_one = everybody.about(subjects, number)
        if not (of_one.first and of_one.last):
            # The second of two first names, or of two last ones.
            subjects = ["" if subject == number else subject for subject in subjects]
    each = [everybody.about(subjects, subject) for subject in dict.fromkeys(subjects)]
    people = [of_one for of_one in each if of_one.first or of_one.names]
    if len(people) < 2:  # noqa: PLR2004 - it is one person
        return ()
    own = sum(bool(of_one.emails) for of_one in people) > 1
    return tuple(people if own else (of_one._replace(emails=()) for of_one in people))


class RowReader:
    """Reads the rows of one list."""

    def __init__(self, columns: Columns) -> None:
        """Take the columns as `columns` says."""
        self._order = columns.name_order
        self._rest = columns.of(ColumnField.OTHER)
        self._headings = [heading_of(columns, place) for place in range(len(columns.headings))]
        self._of_all = everybody = _PersonColumns.of(columns)
        self._several = _several(columns, everybody)
        """Where a row has columns for several people: those of each."""
        of_one = {place for each in self._several for place in each.last}
        self._lasts = sorted(everybody.last, key=of_one.__contains__)
        """That of the whole family first, where it has a column."""
        self._each = self._several or (everybody,)

    def people(self, row: SourceRow) -> tuple[FoundPerson, ...]:
        """Whoever the row says; always somebody, nobody at all where it is blank."""
        cells = [_tidy(cell) for cell in row.cells]
        cells += [""] * (len(self._headings) - len(cells))
        if any(len(cells[place]) > TEXT for place in self._of_all.named):
            return (self._unread(cells),)
        emails, beside, said = self._read_emails(cells, self._of_all.emails)
        other = [*self._kept(cells, self._rest), *said]
        other += self._kept(cells, [n for n in self._of_all.emails if len(cells[n]) > TEXT])
        people: list[NewPerson] = []
        own: dict[int, Sequence[str]] = {}
        for columns in self._each:
            found = self._read_names(cells, columns, people, other)
            if found and self._several and columns.emails:
                own[len(people)] = self._read_emails(cells, columns.emails)[0]
            people += found
        if not people and self._several:
            last = self._family_name(cells)
            people = [NewPerson(lastname=last)] if last else []
        people = people or ([beside] if beside else [NewPerson()])
        for person in people:
            other += _said_beside(person)
        said += [(tr("Phone"), person.phone) for person in people if person.phone]
        emails = list(dict.fromkeys([*emails, *(each.email for each in people if each.email)]))
        beside_names = tuple(dict.fromkeys(value for _, value in said))
        return self._sorted_out(people, emails, own, tuple(dict.fromkeys(other)), beside_names)

    def _unread(self, cells: Sequence[str]) -> FoundPerson:
        """Nobody is sent under a whole text, and none of it is lost."""
        emails, *_ = self._read_emails(cells, self._of_all.emails)
        other = self._kept(cells, sorted({*self._of_all.named, *self._of_all.emails, *self._rest}))
        return FoundPerson(email=next(iter(emails), ""), other=tuple(other), is_too_long=True)

    def _kept(self, cells: Sequence[str], places: Iterable[int]) -> list[tuple[str, str]]:
        return [(self._headings[place], cells[place]) for place in places if cells[place]]

    def _read_names(
        self,
        cells: Sequence[str],
        columns: "_PersonColumns",
        before: Sequence[NewPerson],
        other: list[tuple[str, str]],
    ) -> list[NewPerson]:
        """Whoever these columns say, beside those who stand in the row `before` them; what is kept
        of the names goes to `other`.
        """
        first, titles = _without_titles(self._joined(cells, columns.first))
        last, more_titles = _without_titles(self._joined(cells, columns.last))
        if self._several and not first and not any(cells[place] for place in columns.names):
            return []
        if self._several and not last:
            last = self._family_name(cells) or next(
                (person.lastname for person in before if person.lastname), ""
            )
        if first or (last and not self._several):
            people = _with_one_last_name(first, last)
            name = " ".join(filter(None, (first, last, titles, more_titles)))
            other += self._names_not_used(cells, columns, name)
            other += [(tr("Not part of the name"), each) for each in (titles, more_titles) if each]
        else:
            name = next((cells[place] for place in columns.names if cells[place]), "")
            alone = self._several and last and " " not in name
            one = [NewPerson(firstname=name, lastname=last)]
            people = one if alone else list(people_in(name, self._order))
        names = {fold(person.full_name) for person in before}
        return [person for person in people if fold(person.full_name) not in names]

    def _family_name(self, cells: Sequence[str]) -> str:
        """The last name for those of a row who have none of their own."""
        return next((name for place in self._lasts if (name := _name(cells[place]))), "")

    def _joined(self, cells: Sequence[str], places: Sequence[int]) -> str:
        """The cells of a first name and its middle names, as one; the same twice is one."""
        if len(places) == 1:
            return _name(cells[places[0]])
        return " ".join(dict.fromkeys(name for place in places if (name := _name(cells[place]))))

    def _names_not_used(
        self, cells: Sequence[str], columns: "_PersonColumns", name: str
    ) -> list[tuple[str, str]]:
        """A whole name beside its halves, where it says anything that they do not."""
        said = set(fold(name).split())
        return [
            (self._headings[place], cells[place])
            for place in columns.names
            if not said.issuperset(fold(cells[place]).replace(",", " ").split())
        ]

    def _read_emails(
        self, cells: Sequence[str], places: Iterable[int]
    ) -> tuple[list[str], NewPerson | None, list[tuple[str, str]]]:
        """The addresses in these columns, the first one first, somebody named beside one of them,
        and what else is said there.
        """
        emails: list[str] = []
        beside: NewPerson | None = None
        said: list[tuple[str, str]] = []
        for place in places:
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
        own: Mapping[int, Sequence[str]],
        other: Other,
        beside: tuple[str, ...],
    ) -> tuple[FoundPerson, ...]:
        """Each with the address that is theirs; the first has those that are left. `own` are those
        in columns that are about one of the people.
        """
        if len(people) == 1:
            emails = list(dict.fromkeys([*own.get(0, ()), *emails]))
            return (self._found(people[0], emails, emails[1:], other, beside=beside),)
        origin = _origin(people)
        theirs = {place: addresses[0] for place, addresses in own.items() if addresses}
        free = [place for place in range(len(people)) if place not in theirs]
        said = {email for addresses in own.values() for email in addresses}
        shared = [email for email in emails if email not in said]
        found = emails_of([people[place] for place in free], shared)
        theirs |= {free[at]: email for at, email in found.items()}
        left = [email for email in emails if email not in theirs.values()]
        return tuple(
            self._found(
                person,
                [theirs[place]] if place in theirs else (),
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
