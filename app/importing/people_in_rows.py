"""The person a row of a list says, or a couple in one name, and what of it is not sent.

Which column is what, is decided in `column_guess`; what is wrong with a person, in `verdicts`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from app.importing.column_guess import may_name_others
from app.importing.columns import ColumnField, Columns
from app.importing.formats.source_table import SourceRow, SourceTable
from app.importing.headings import Meaning, is_an_answer, meaning_of
from app.model.field_limits import TEXT, shortened
from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import read_entry
from app.people.parsing.families import emails_of, people_in
from app.people.parsing.name_words import is_and, is_particle, is_surely_title, is_title
from app.people.parsing.tokenizer import clean, find_phones
from app.people.search import fold
from app.runtime.words import tr

Other = tuple[tuple[str, str], ...]
"""What is kept beside a person and not sent: each with the heading of its column."""


class FoundPerson(msgspec.Struct, frozen=True, gc=False):
    """One person of a row. `origin` is what a couple was made of, blank for one alone.

    `more_emails` were in the row as well, and `not_used` is what no field takes of a name or line;
    they are among `other`, too, as is what is `beside`: what else stood with a name or an email,
    and in no column of its own. `is_too_long` where what stands for the name is no name, and was
    not read: it is among `other`. `is_labelled` where its name stands behind something that is said
    of it ("Helper: Ada King"). `is_person` is False for a row that counts the others.
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
    is_labelled: bool = False
    is_person: bool = True


class _Emails(msgspec.Struct, gc=False):
    """What stands in columns of emails."""

    addresses: list[str] = []
    """Each once, in their order."""
    named: list[tuple[int, NewPerson]] = []
    """Whoever is named beside an address, with the place of the column."""
    said: list[tuple[str, str]] = []
    """What else stands there."""


class RowReader:
    """Reads the rows of one list."""

    def __init__(self, columns: Columns) -> None:
        """Take the columns as `columns` says."""
        self._order = columns.name_order
        self._rest = columns.of(ColumnField.OTHER)
        self._headings = [
            heading_of(columns, position) for position in range(len(columns.headings))
        ]
        self._first, self._last, self._whole, self._emails = map(
            columns.of,
            (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.NAME, ColumnField.EMAIL),
        )
        self._named = (*self._first, *self._last, *self._whole)

    def people(self, row: SourceRow) -> tuple[FoundPerson, ...]:
        """The person of the row, or two where its name is a couple's; a blank one where the row is
        blank.
        """
        cells = [_tidy(cell) for cell in row.cells]
        cells += [""] * (len(self._headings) - len(cells))
        if any(len(cells[position]) > TEXT for position in self._named):
            return (self._unread(cells),)
        people, used = self._people_named(cells)
        found = self._with_the_rest(cells, people, used)
        if any(_is_labelled(cells[position]) for position in self._whole):
            return tuple(msgspec.structs.replace(each, is_labelled=True) for each in found)
        return found

    def _unread(self, cells: Sequence[str]) -> FoundPerson:
        """Nobody is sent under a whole text, and none of it is lost."""
        emails = self._read_emails(cells).addresses
        other = self._kept(cells, sorted({*self._named, *self._emails, *self._rest}))
        return FoundPerson(email=next(iter(emails), ""), other=tuple(other), is_too_long=True)

    def _kept(self, cells: Sequence[str], positions: Iterable[int]) -> list[tuple[str, str]]:
        return [
            (self._headings[position], cells[position]) for position in positions if cells[position]
        ]

    def _people_named(self, cells: Sequence[str]) -> tuple[Sequence[NewPerson], Collection[int]]:
        """The people named in the columns of names, and the positions that say them."""
        first, titles = _without_titles(self._joined(cells, self._first))
        lasts = sorted(self._last, key=lambda position: not _says_particles(cells[position]))
        last, more_titles = _without_titles(self._joined(cells, lasts))
        whole = next((position for position in self._whole if cells[position]), None)
        name = cells[whole] if whole is not None else ""
        if name and bool(first) is not bool(last) and _words(name) > _words(first or last):
            first = last = ""  # the other half is said in the whole name alone
        if first or last:
            halves = (*self._first, *self._last)
            one, *others = _with_one_last_name(first, last)
            leftover = " ".join(each for each in (titles, more_titles) if each)
            used = {position for position in halves if _name(cells[position])}
            return [msgspec.structs.replace(one, leftover=leftover), *others], used
        return people_in(name, self._order), () if whole is None else {whole}

    def _joined(self, cells: Sequence[str], positions: Sequence[int]) -> str:
        """The cells of a first name and its middle names, as one; the same twice is one."""
        if len(positions) == 1:
            return _name(cells[positions[0]])
        return " ".join(
            dict.fromkeys(name for position in positions if (name := _name(cells[position])))
        )

    def _read_emails(self, cells: Sequence[str]) -> _Emails:
        read = _Emails()
        for position in self._emails:
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

    def _with_the_rest(
        self, cells: Sequence[str], people: Sequence[NewPerson], used: Collection[int]
    ) -> tuple[FoundPerson, ...]:
        """Each with the address that is theirs; the first has those that are left, and what is in
        no name and no email is kept with all of them.
        """
        in_emails = self._read_emails(cells)
        people = people or [person for _, person in in_emails.named[:1]] or [NewPerson()]
        known = {word for person in people for word in _words(person.full_name)}
        known.update(word for position in used for word in _words(cells[position]))
        unsaid = [
            position
            for position in self._named
            if cells[position] and position not in used and not known >= _words(cells[position])
        ]
        other = [*self._kept(cells, self._rest), *in_emails.said]
        other += self._kept(cells, (n for n in self._emails if len(cells[n]) > TEXT))
        for person in people:
            other += _said_beside(person)
        other += self._kept(cells, unsaid)
        said = [value for _, value in in_emails.said]
        said += [person.phone for person in people if person.phone]
        said += [cells[position] for position in unsaid]
        for position, person in in_emails.named:
            if not known >= _words(person.full_name):
                other += self._kept(cells, [position])
                said.append(person.full_name)
        emails = list(dict.fromkeys([*in_emails.addresses, *(p.email for p in people if p.email)]))
        kept, beside = tuple(dict.fromkeys(other)), tuple(dict.fromkeys(said))
        if len(people) == 1:
            return (_found(people[0], emails, emails[1:], kept, beside=beside),)
        origin = self._as_written(cells, people)
        theirs = emails_of(people, emails)
        left = [email for email in emails if email not in theirs.values()]
        return tuple(
            _found(
                person,
                [theirs[position]] if position in theirs else (),
                () if position else left,
                kept,
                beside=() if position else beside,
                origin=origin,
            )
            for position, person in enumerate(people)
        )

    def _as_written(self, cells: Sequence[str], people: Sequence[NewPerson]) -> str:
        """What a couple was made of, in the words of the source."""
        halves = [cells[position] for position in (*self._first, *self._last)]
        wholes = [cells[position] for position in self._whole]
        named = {word for person in people for word in _WORD.findall(fold(person.full_name))}
        for text in (" ".join(filter(None, halves)), *wholes):
            said = _BEHIND_NAMES.split(text.replace("&amp;", "&"), maxsplit=1)[0]
            if named.issubset(_WORD.findall(fold(said))):
                return said
        return " & ".join(one.full_name for one in people)


def _found(
    person: NewPerson,
    emails: Sequence[str],
    more: Sequence[str],
    other: Other,
    *,
    beside: tuple[str, ...],
    origin: str = "",
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


class NamesBeside:
    """Counts the names in the columns that name others than the people of the rows: these are kept
    beside the people, and not added.
    """

    def __init__(self, table: SourceTable, columns: Columns) -> None:
        """Of the list `table`, its columns taken as `columns` says."""
        self._counts = dict.fromkeys(may_name_others(table, columns), 0)
        self._columns = columns

    def count(self, row: SourceRow, people: Sequence[FoundPerson]) -> None:
        """A row with the people that were read of it."""
        for position in self._counts:
            name = _name(_tidy(row.cell(position)))
            if not name or is_an_answer(name):
                continue
            known = (_words(f"{each.firstname} {each.lastname}") for each in people)
            self._counts[position] += not set().union(*known).issuperset(_words(name))

    def by_heading(self) -> Mapping[str, int]:
        """How many were counted, by the headings of the columns that had any."""
        return {heading_of(self._columns, at): many for at, many in self._counts.items() if many}


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
_WORD = re.compile(r"\w+")
_LABEL = re.compile(r"([^\W\d][^:@\d]{0,39}):")
_BEHIND_NAMES = re.compile(r"[\s<(\[,;:]*\S*[@\d]")
_BEHIND_BRACKETS = re.compile(r"(?<=>)\s*[;,|]?\s*")
_BETWEEN_ADDRESSES = re.compile(r"\s*(?::::|[;,|/\n])\s*|\s+(?:or|and|und|oder|&)?\s*(?=\S+@)")


def _tidy(cell: str) -> str:
    """A cell without doubled blanks and marks that nobody sees, and blank where it says that there
    is nothing.
    """
    text = " ".join((cell if cell.isprintable() else clean(cell)).split())
    return "" if text.casefold() in _NOTHING else text


def _is_labelled(cell: str) -> bool:
    """Whether a name stands behind a label which says that it is something else than a name."""
    label = _LABEL.match(cell) if ":" in cell else None
    return label is not None and meaning_of(label[1]) in {None, Meaning.NOT_SENT}


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
    """A name without the titles it begins with, and these; titles alone stay as they are."""
    words = name.split()
    many = 0
    while many < len(words) - 1 and is_surely_title(words[many]):
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
