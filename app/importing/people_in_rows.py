"""The people a row of a list says: usually one, a family several, and what of it is not sent.

Which column is what, is decided in `column_guess`; what is wrong with a person, in `verdicts`.
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
from app.people.parsing.name_words import is_and, is_particle, is_title
from app.people.parsing.tokenizer import clean, find_phones
from app.people.search import fold
from app.runtime.words import tr

Other = tuple[tuple[str, str], ...]
"""What is kept beside a person and not sent: each with the heading of its column."""


class FoundPerson(msgspec.Struct, frozen=True, gc=False):
    """One person of a row. `origin` is what several people were made of, blank for one alone.

    `more_emails` were in the row as well, and `not_used` is what no field takes of a name or line;
    they are among `other`, too, as is what is `beside`: what else stood with a name or an email,
    and in no column of its own, and what stood below a name or an email and is nobody's here.
    `is_too_long` where what stands for the name is no name, and was not read: it is among `other`.
    `is_total` where a row says how many there are, and nobody unless somebody says otherwise.
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
    is_total: bool = False


class _PersonColumns(NamedTuple):
    """The columns that are about one person."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    names: tuple[int, ...]
    emails: tuple[int, ...]
    subject: str
    """Blank for whoever the row is about."""

    @classmethod
    def of(cls, columns: Columns) -> "_PersonColumns":
        """All of them, as about one."""
        first, last, names, emails = map(columns.of, _OF_A_PERSON)
        return cls(first, last, names, emails, "")

    @property
    def named(self) -> tuple[int, ...]:
        return (*self.first, *self.last, *self.names)

    def about(self, subjects: Sequence[str], subject: str) -> "_PersonColumns":
        """Those of them that are about somebody, by the `subjects` of all columns."""
        first, last, names, emails = (
            tuple(position for position in positions if subjects[position] == subject)
            for positions in (self.first, self.last, self.names, self.emails)
        )
        return _PersonColumns(first, last, names, emails, subject)


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
    people = tuple(of_one for of_one in each if of_one.first or of_one.names)
    return people if len(people) > 1 else ()


class _Emails(msgspec.Struct, gc=False):
    """What stands in columns of emails."""

    addresses: list[str] = []
    """Each once, in their order."""
    named: list[tuple[int, NewPerson]] = []
    """Whoever is named beside an address, with the place of the column."""
    said: list[tuple[str, str]] = []
    """What else stands there."""


class _NamesRead:
    """What was read of one row by now."""

    def __init__(self, other: list[tuple[str, str]]) -> None:
        """With what is kept in any case."""
        self.other = other
        self.people: list[NewPerson] = []
        self.again: list[NewPerson] = []
        """Said once more, by the same name."""
        self.own: dict[int, list[str]] = {}
        """The addresses in columns about one of the people, by their positions."""
        self.used: set[int] = set()
        """The columns of which all is in somebody's name, or kept."""
        self.unnamed: list[_PersonColumns] = []
        """Of several, those in whose columns nobody is named."""

    def take_in(self, found: Sequence[NewPerson]) -> int:
        """Whoever is not called as somebody before them; gives the place of the first of them."""
        if not self.people or not found:
            self.people += found
            return 0
        before = {fold(person.full_name): at for at, person in enumerate(self.people)}
        position = before.get(fold(found[0].full_name), len(self.people))
        for person in found:
            known = fold(person.full_name) in before
            (self.again if known else self.people).append(person)
        return position

    def words_said(self, cells: Sequence[str]) -> set[str]:
        """The words of everybody's names, and of what was kept of them."""
        said = {word for position in self.used for word in _words(cells[position])}
        return said.union(*(_words(person.full_name) for person in self.people))


class RowReader:
    """Reads the rows of one list."""

    def __init__(self, columns: Columns) -> None:
        """Take the columns as `columns` says."""
        self._order = columns.name_order
        self._rest = columns.of(ColumnField.OTHER)
        self._headings = [
            heading_of(columns, position) for position in range(len(columns.headings))
        ]
        self._of_all = everybody = _PersonColumns.of(columns)
        self._several = _several(columns, everybody)
        """Where a row has columns for several people: those of each."""
        of_one = {position for each in self._several for position in each.last}
        self._lasts = sorted(everybody.last, key=of_one.__contains__)
        """That of the whole family first, where it has a column."""
        self._each = self._several or (everybody,)
        self._have_own_emails = sum(bool(each.emails) for each in self._several) > 1

    def people(self, row: SourceRow) -> tuple[FoundPerson, ...]:
        """Whoever the row says; always somebody, nobody at all where it is blank."""
        cells = [_tidy(cell) for cell in row.cells]
        cells += [""] * (len(self._headings) - len(cells))
        if any(len(cells[position]) > TEXT for position in self._of_all.named):
            return (self._unread(cells),)
        read = _NamesRead(self._kept(cells, self._rest))
        for columns in self._each:
            found = self._read_names(cells, columns, read)
            position = read.take_in(found)
            if not found and self._several:
                read.unnamed.append(columns)
            elif self._have_own_emails:
                addresses = self._read_emails(cells, columns.emails).addresses
                read.own.setdefault(position, []).extend(addresses)
        if not read.people and self._several:
            self._read_family_name(cells, read)
        return self._sorted_out(cells, read)

    def _unread(self, cells: Sequence[str]) -> FoundPerson:
        """Nobody is sent under a whole text, and none of it is lost."""
        emails = self._read_emails(cells, self._of_all.emails).addresses
        other = self._kept(cells, sorted({*self._of_all.named, *self._of_all.emails, *self._rest}))
        return FoundPerson(email=next(iter(emails), ""), other=tuple(other), is_too_long=True)

    def _kept(self, cells: Sequence[str], positions: Iterable[int]) -> list[tuple[str, str]]:
        return [
            (self._headings[position], cells[position]) for position in positions if cells[position]
        ]

    def _read_names(
        self, cells: Sequence[str], columns: _PersonColumns, read: "_NamesRead"
    ) -> Sequence[NewPerson]:
        """Whoever these columns say; what is kept of the names goes to `read`."""
        first, titles = _without_titles(self._joined(cells, columns.first))
        lasts = sorted(columns.last, key=lambda position: not _says_particles(cells[position]))
        last, more_titles = _without_titles(self._joined(cells, lasts))
        whole = next((position for position in columns.names if cells[position]), None)
        name = cells[whole] if whole is not None else ""
        if self._several and not first and not name:
            return ()
        if name and bool(first) is not bool(last) and _words(name) > _words(first or last):
            first = last = ""  # the other half is said in the whole name alone
        own_last = last
        if self._several and not last:
            last = self._family_name(cells) or next(
                (person.lastname for person in read.people if person.lastname), ""
            )
        if first or (last and not self._several):
            halves = (*columns.first, *columns.last)
            read.used.update(position for position in halves if _name(cells[position]))
            one, *others = _with_one_last_name(first, last)
            leftover = " ".join(each for each in (titles, more_titles) if each)
            return [msgspec.structs.replace(one, leftover=leftover), *others]
        if whole is not None:
            read.used.add(whole)
        if self._several and last and " " not in name:
            read.used.update(columns.last if own_last else ())
            return (NewPerson(firstname=name, lastname=last),)
        return people_in(name, self._order)

    def _read_family_name(self, cells: Sequence[str], read: "_NamesRead") -> None:
        """Nobody has a first name: the first of the last names is somebody, with what is known of
        whoever it is about.
        """
        position = next((position for position in self._lasts if _name(cells[position])), None)
        if position is None:
            read.unnamed.clear()
            return
        read.people.append(NewPerson(lastname=cells[position]))
        read.used.add(position)
        theirs = [columns for columns in read.unnamed if position in columns.last]
        read.unnamed = [columns for columns in read.unnamed if theirs and columns not in theirs]

    def _family_name(self, cells: Sequence[str]) -> str:
        """The last name for those of a row who have none of their own."""
        return next((name for position in self._lasts if (name := _name(cells[position]))), "")

    def _joined(self, cells: Sequence[str], positions: Sequence[int]) -> str:
        """The cells of a first name and its middle names, as one; the same twice is one."""
        if len(positions) == 1:
            return _name(cells[positions[0]])
        return " ".join(
            dict.fromkeys(name for position in positions if (name := _name(cells[position])))
        )

    def _read_emails(self, cells: Sequence[str], positions: Iterable[int]) -> "_Emails":
        read = _Emails()
        for position in positions:
            cell = cells[position]
            if len(cell) > TEXT:  # nobody's, to be put right
                read.addresses.append(shortened(cell, TEXT))
                continue
            for address in _addresses(cell):
                email = address
                if "@" in address and ("<" in address or " " in address):
                    entry = read_entry(address, self._order)
                    email = entry.email or address
                    if entry.full_name:
                        read.named.append((position, entry))
                    read.said += _said_beside(entry) if entry.email else []
                if email.casefold() not in {one.casefold() for one in read.addresses}:
                    read.addresses.append(email)
        return read

    def _nobodys(self, cells: Sequence[str], read: "_NamesRead") -> list[int]:
        """The positions of what is said of somebody who is nobody here: a last name without a first
        one, and the address beside it.

        What stands in somebody's name as well is theirs, such as a last name of two.
        """
        left = [
            position
            for position in self._of_all.named
            if cells[position] and position not in read.used
        ]
        whole = {person.full_name for person in read.people} if left else ()
        left = [position for position in left if cells[position] not in whole]
        if left:
            said = read.words_said(cells)
            left = [position for position in left if not said.issuperset(_words(cells[position]))]
        for columns in read.unnamed:
            # Without another name, whoever the row is about is the household.
            if columns.subject or not set(columns.named).isdisjoint(left):
                left += [position for position in columns.emails if cells[position]]
        return left

    def _sorted_out(self, cells: Sequence[str], read: "_NamesRead") -> tuple[FoundPerson, ...]:
        """Each with the address that is theirs; the first has those that are left, and what is
        nobody's is kept with all of them.
        """
        nobodys = self._nobodys(cells, read)
        positions = [position for position in self._of_all.emails if position not in nobodys]
        in_emails = self._read_emails(cells, positions)
        other = [*read.other, *in_emails.said]
        other += self._kept(
            cells, [position for position in positions if len(cells[position]) > TEXT]
        )
        people = read.people or [person for _, person in in_emails.named[:1]] or [NewPerson()]
        everybody = [*people, *read.again]
        for person in everybody:
            other += _said_beside(person)
        other += self._kept(cells, nobodys)
        said = [value for _, value in in_emails.said]
        said += [person.phone for person in everybody if person.phone]
        said += [cells[position] for position in nobodys]
        if in_emails.named:
            known = read.words_said(cells).union(_words(people[0].full_name))
            for position, person in in_emails.named:
                if not known.issuperset(_words(person.full_name)):
                    other += self._kept(cells, [position])
                    said.append(person.full_name)
        addresses = [*in_emails.addresses, *(each.email for each in everybody if each.email)]
        emails = list(dict.fromkeys(addresses))
        beside = tuple(dict.fromkeys(said))
        origin = self._as_written(cells, people) if len(people) > 1 else ""
        kept = tuple(dict.fromkeys(other))
        return self._with_emails(people, emails, read.own, kept, beside, origin=origin)

    def _as_written(self, cells: Sequence[str], people: Sequence[NewPerson]) -> str:
        """What several people were made of, in the words of the source where they are together."""
        halves = [cells[position] for position in (*self._of_all.first, *self._of_all.last)]
        wholes = [cells[position] for position in self._of_all.names]
        named = {word for person in people for word in _WORD.findall(fold(person.full_name))}
        for text in () if self._several else (" ".join(filter(None, halves)), *wholes):
            said = _BEHIND_NAMES.split(text.replace("&amp;", "&"), maxsplit=1)[0]
            if named.issubset(_WORD.findall(fold(said))):
                return said
        return _origin(people)

    def _with_emails(
        self,
        people: Sequence[NewPerson],
        emails: Sequence[str],
        own: Mapping[int, Sequence[str]],
        other: Other,
        beside: tuple[str, ...],
        *,
        origin: str,
    ) -> tuple[FoundPerson, ...]:
        """Each with the address that is theirs; `own` are those in columns that are about one of
        the people.
        """
        if len(people) == 1:
            emails = list(dict.fromkeys([*own.get(0, ()), *emails]))
            return (self._found(people[0], emails, emails[1:], other, beside=beside),)
        theirs = {position: addresses[0] for position, addresses in own.items() if addresses}
        free = [position for position in range(len(people)) if position not in theirs]
        said = {email for addresses in own.values() for email in addresses}
        shared = [email for email in emails if email not in said]
        found = emails_of([people[position] for position in free], shared)
        theirs |= {free[at]: email for at, email in found.items()}
        left = [email for email in shared if email not in theirs.values()]
        return tuple(
            self._found(
                person,
                [theirs[position]] if position in theirs else (),
                [*own.get(position, ())[1:], *(() if position else left)],
                other,
                origin,
                beside=() if position else beside,
            )
            for position, person in enumerate(people)
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
        in_names = [name for name in (first, last) if "@" in name]
        first, last = ("" if "@" in name else name for name in (first, last))
        email, *spare = dict.fromkeys([*emails[:1], *in_names]) or [""]
        more = list(dict.fromkeys([*more, *spare]))
        heading = tr("Other email")
        kept = (*other, *((heading, one) for one in more))
        not_used = (person.leftover,) if person.leftover else ()
        return FoundPerson(first, last, email, kept, origin, tuple(more), not_used, beside)


def heading_of(columns: Columns, position: int) -> str:
    """What a column is called: by its heading, or by its number where it has none."""
    return columns.headings[position] or tr("Column {number}", number=position + 1)


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
# Of the titles in `name_words` those that are nothing else, also without a stop.
_TITLES_ONLY = frozenset(
    {"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "herr", "frau", "mme", "mlle"}
)
_WORD = re.compile(r"\w+")
_BEHIND_NAMES = re.compile(r"[\s<(\[,;:]*\S*[@\d]")
_BEHIND_BRACKETS = re.compile(r"(?<=>)\s*[;,|]?\s*")
_BETWEEN_ADDRESSES = re.compile(r"\s*(?::::|[;,|/\n])\s*|\s+(?:or|and|und|oder|&)?\s*(?=\S+@)")


def _tidy(cell: str) -> str:
    """A cell without doubled blanks and marks that nobody sees, and blank where it says that there
    is nothing.
    """
    text = " ".join((cell if cell.isprintable() else clean(cell)).split())
    return "" if text.casefold() in _NOTHING else text


def _words(name: str) -> set[str]:
    """The words of a name as they are compared, whichever of them comes first."""
    words = set(fold(name).replace(",", " ").split())
    return {word for word in words if not is_and(word)} or words


def _name(cell: str) -> str:
    return cell if any(sign.isalpha() or sign == "@" for sign in cell) else ""


def _says_particles(cell: str) -> bool:
    """Whether a cell is what a last name begins with, in whichever column: "von der"."""
    return all(map(is_particle, cell.split()))


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
    """`John & Mary` and `David, Sue and Ann` beside `Smith` are several, titles alone (`Mr & Mrs`)
    are one.
    """
    words = first.split()
    ands = [
        position
        for position, word in enumerate(words)
        if 0 < position < len(words) - 1 and is_and(word) and not word[0].isupper()
    ]
    if ands:
        ends = [-1, *ands, len(words)]
        between = (" ".join(words[start + 1 : end]) for start, end in pairwise(ends))
        listed = (name for part in between for name in part.split(","))
        names = [name.strip() for name in listed if name.strip()]
        if all(name and not all(map(is_title, name.split())) for name in names):
            return [NewPerson(firstname=name, lastname=last) for name in names]
    return [NewPerson(firstname=first, lastname=last)]


def _said_beside(person: NewPerson) -> list[tuple[str, str]]:
    said = ((tr("Phone"), person.phone), (tr("Not part of the name"), person.leftover))
    return [(heading, value) for heading, value in said if value]


def _origin(people: Sequence[NewPerson]) -> str:
    """What a family would be called whose names stand apart: one last name once."""
    if len({one.lastname for one in people}) == 1:
        together = " & ".join(one.firstname for one in people)
        return " ".join(filter(None, (together, people[0].lastname)))
    return " & ".join(one.full_name for one in people)
