"""What each column of a list is taken for: by its heading, by what is in it, and by what somebody
chose for such a list before.

Where the list comes from is known in `source_table`; what becomes of its rows, in `people_in_rows`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from app.importing.cell_kinds import could_be_name, could_be_one_name, has_email, is_number
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.headings import (
    Meaning,
    could_be_a_name,
    is_a_child,
    is_an_answer,
    is_form_of_address,
    is_of_a_family,
    is_one_of_several,
    is_only_a_number,
    is_sometimes_a_name,
    is_wanted_beside,
    meaning_for_somebody,
    meaning_for_subject,
    meaning_of,
    subject_of,
)
from app.importing.top_rows import (
    place_of_headings,
    titles_above_lines,
    titles_above_rows,
)
from app.people.parsing.names import NameOrder
from app.people.search import fold
from app.runtime.words import tr


class ColumnField(StrEnum):
    """What a column is taken for."""

    FIRSTNAME = "firstname"
    LASTNAME = "lastname"
    NAME = "name"
    """First and last name in one, read by the parser of the quick-add line."""
    EMAIL = "email"
    OTHER = "other"
    """Kept with the entry, and not sent."""


def field_words(field: ColumnField) -> str:
    """What a column is taken for."""
    return {
        ColumnField.FIRSTNAME: tr("First name"),
        ColumnField.LASTNAME: tr("Last name"),
        ColumnField.NAME: tr("Full name"),
        ColumnField.EMAIL: tr("Email"),
        ColumnField.OTHER: tr("Not sent, only kept"),
    }[field]


Remembered = Mapping[str, Sequence[str]]
"""What somebody chose for such headings before: the fields' words by `key_of` the headings."""

_LOOKED_AT = 300
"""Rows whose cells are looked at; more would say no more."""
_FEW = 6
_MOST_COLUMNS = 200
_NEARLY_ALL = 0.8
_HALF = 0.5


class Columns(msgspec.Struct, frozen=True):
    """How the columns are taken, from the left; `headings` are blank where the list has none.

    `titles` counts the rows at the top which say what the list is about and nobody's name.
    `name_order` is how names in one column are read where they do not say it themselves. `kept` are
    the places of those that somebody said are not to be sent.
    """

    headings: tuple[str, ...]
    fields: tuple[ColumnField, ...]
    first_row_is_headings: bool
    titles: int = 0
    name_order: NameOrder = NameOrder.FIRST_LAST
    kept: frozenset[int] = frozenset()

    @property
    def first_person(self) -> int:
        """The place of the first row that is not about the list itself."""
        return self.titles + int(self.first_row_is_headings)

    def of(self, field: ColumnField) -> tuple[int, ...]:
        """The places of the columns that are taken for `field`, from the left."""
        return tuple(place for place, taken in enumerate(self.fields) if taken is field)

    def taken_as(self, column: int, field: ColumnField) -> "Columns":
        """The same with one column taken for something else.

        A first or last name that another column was taken for, both being whole, stays there: the
        two are joined, as a middle name in a column of its own is.
        """
        fields = (*self.fields[:column], field, *self.fields[column + 1 :])
        kept = self.kept | {column} if field is ColumnField.OTHER else self.kept - {column}
        return replace(self, fields=fields, kept=kept)


def key_of(headings: Sequence[str]) -> str:
    """What headings are remembered by: blind to case, accents and blanks at the ends."""
    return "\n".join(fold(heading)[:100] for heading in headings)


def guess_columns(
    table: SourceTable,
    remembered: Remembered | None = None,
    order: NameOrder = NameOrder.FIRST_LAST,
) -> Columns:
    """How the columns of `table` are likely meant.

    `order` decides only where nothing in the list does.
    """
    width = min(max((len(row.cells) for row in table.rows), default=0), _MOST_COLUMNS)
    if table.kind is SourceKind.LINES:
        return _lines(table, width, order)
    if table.headings is not None:
        width = max(width, len(table.headings))
        columns = _named(table.headings, width, heads=False, titles=0)
    else:
        place = place_of_headings(table.rows, width, _LOOKED_AT)
        if place is None:
            columns = _named((), width, heads=False, titles=titles_above_rows(table.rows))
        else:
            columns = _named(table.rows[place].cells, width, heads=True, titles=place)
    return _taken(columns, table, remembered or {}, order)


def _lines(table: SourceTable, width: int, order: NameOrder) -> Columns:
    """Plain lines, each read like the line for adding; a single word above them may say what."""
    titles = titles_above_lines(table.rows)
    first = table.rows[titles].cells[0] if width and table.rows else ""
    heads = meaning_of(first) not in {None, Meaning.NOT_SENT} and not could_be_a_name(first)
    heads = heads and len(table.rows) > titles + 1
    below = table.rows[titles + int(heads) : _LOOKED_AT]
    lines = [row.cells[0].strip() for row in below if row.cells]
    bare = sum("@" in line and " " not in line for line in lines)
    field = ColumnField.EMAIL if lines and bare >= _NEARLY_ALL * len(lines) else ColumnField.NAME
    return Columns(
        (" ".join(first.split()) if heads else "",) * width,
        (field,) * width,
        first_row_is_headings=heads,
        titles=titles,
        name_order=order,
    )


def without_headings(table: SourceTable, order: NameOrder = NameOrder.FIRST_LAST) -> Columns:
    """How the columns are meant if the first row is somebody, whatever it looks like."""
    width = min(max((len(row.cells) for row in table.rows), default=0), _MOST_COLUMNS)
    return _taken(_named((), width, heads=False, titles=0), table, {}, order)


def with_headings(
    table: SourceTable,
    remembered: Remembered | None = None,
    order: NameOrder = NameOrder.FIRST_LAST,
) -> Columns:
    """How the columns are meant if the first row says what is in them."""
    width = min(max((len(row.cells) for row in table.rows), default=0), _MOST_COLUMNS)
    cells = table.rows[0].cells if table.rows else ()
    return _taken(_named(cells, width, heads=True, titles=0), table, remembered or {}, order)


def title_of(table: SourceTable, columns: Columns) -> str:
    """What stands above the list, in one line; blank for nothing."""
    cells = (cell for row in table.rows[: columns.titles] for cell in row.cells)
    return ", ".join(" ".join(cell.split()) for cell in cells if cell.strip())


def _named(cells: Sequence[str], width: int, *, heads: bool, titles: int) -> Columns:
    headings = tuple(
        " ".join(cells[place].split()) if place < len(cells) else "" for place in range(width)
    )
    return Columns(headings, (ColumnField.OTHER,) * width, heads, titles)


def _taken(
    columns: Columns, table: SourceTable, remembered: Remembered, order: NameOrder
) -> Columns:
    rows = _sample(table.rows, columns)
    samples = [_Sample.of(rows, place) for place in range(len(columns.headings))]
    chosen = remembered.get(key_of(columns.headings)) if any(columns.headings) else None
    known = _understood(chosen, len(samples))
    fields = known or _guessed(columns.headings, samples, order)
    kept = (place for place, field in enumerate(known or ()) if field is ColumnField.OTHER)
    columns = replace(columns, fields=fields, kept=frozenset(kept))
    return replace(columns, name_order=_order_said(columns, samples, order))


def _understood(chosen: Sequence[str] | None, width: int) -> tuple[ColumnField, ...] | None:
    known = {field.value for field in ColumnField}
    if chosen is None or len(chosen) != width or not known.issuperset(chosen):
        return None
    return tuple(ColumnField(word) for word in chosen)


def _sample(rows: Sequence[SourceRow], columns: Columns) -> list[SourceRow]:
    """The rows that are looked at: from the whole list, for its end may be unlike its beginning."""
    count = len(rows) - columns.first_person
    step = max(1, count // _LOOKED_AT)
    return list(rows[columns.first_person :: step])


# What is in the columns

_WORDS_OF_A_WHOLE_NAME = 1.6
_NAMES = frozenset({ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.NAME})
_FEWEST_DIFFERENT = 0.4
"""The share of different cells below which a column holds choices ("vegetarian"), not names."""


class _Sample(msgspec.Struct, frozen=True):
    """Some cells of a column, blank ones left out but counted in `rows`."""

    cells: tuple[str, ...]
    by_row: tuple[str, ...]

    @classmethod
    def of(cls, rows: Sequence[SourceRow], place: int) -> "_Sample":
        by_row = tuple(" ".join(row.cell(place).split()) for row in rows)
        return cls(tuple(cell for cell in by_row if cell), by_row)

    def share(self, test: Callable[[str], bool]) -> float:
        return sum(map(test, self.cells)) / len(self.cells) if self.cells else 0.0

    @property
    def has_emails(self) -> bool:
        return any(map(has_email, self.cells))

    @property
    def has_names(self) -> bool:
        names = self.share(could_be_name) >= _NEARLY_ALL and not self.holds_choices
        return self.is_filled and names and self.differs

    @property
    def holds_choices(self) -> bool:
        """Whether it says yes or no, Mr or Mrs: never who somebody is, however few there are."""
        answers = len(self.cells) > 1 and self.share(is_an_answer) >= _NEARLY_ALL
        return answers or self.share(is_form_of_address) >= _NEARLY_ALL

    @property
    def is_filled(self) -> bool:
        return len(self.cells) >= max(1, 0.3 * len(self.by_row))

    @property
    def differs(self) -> bool:
        if len(self.cells) <= _FEW:
            return True
        return len(set(self.cells)) / len(self.cells) >= _FEWEST_DIFFERENT

    def differs_below(self, heading: str) -> bool:
        """The same where a heading says something that nobody knows: the groups of a few people
        look like their last names, unless no two are alike.
        """
        if heading and len(self.cells) <= _FEW:
            return len(set(self.cells)) == len(self.cells)
        return self.differs

    @property
    def whole_names(self) -> bool:
        words = sum(len(cell.split()) for cell in self.cells)
        return words >= _WORDS_OF_A_WHOLE_NAME * len(self.cells)


def _guessed(
    headings: Sequence[str], samples: Sequence[_Sample], order: NameOrder
) -> tuple[ColumnField, ...]:
    children = _children(headings, samples)
    headings = ["" if place in children else heading for place, heading in enumerate(headings)]
    samples = [
        _Sample((), ("",) * len(sample.by_row)) if place in children else sample
        for place, sample in enumerate(samples)
    ]
    meanings = [meaning_of(heading) for heading in headings]
    fields = _by_headings(meanings, samples)
    if not _NAMES & set(fields):
        # Nobody is named but a parent, or whoever bought the ticket.
        others = [meaning_for_somebody(heading) for heading in headings]
        found = _by_headings(others, samples)
        if _NAMES & set(found):
            fields = found
    _take_each_of_several(fields, headings, samples)
    if not {ColumnField.FIRSTNAME, ColumnField.NAME} & set(fields):
        _take_side_by_side(fields, headings, samples)
    if ColumnField.EMAIL not in fields:
        _take_emails_found(fields, samples)
    if not _NAMES & set(fields):
        _take_names_found(fields, headings, samples, order)
    _take_other_half(fields, headings, samples)
    if not _NAMES & set(fields):
        # A name with its address behind it is read as one line.
        for place, sample in enumerate(samples):
            if sample.share(lambda cell: " " in cell and cell.count("@") == 1) >= _HALF:
                fields[place] = ColumnField.NAME
                break
    return tuple(fields)


def _children(headings: Sequence[str], samples: Sequence[_Sample]) -> set[int]:
    """The places of what is said of children beside grown-ups: kept with these, and not sent."""
    subjects = [subject_of(heading) for heading in headings]
    children = {place for place, subject in enumerate(subjects) if is_a_child(subject)}
    grown_up = any(
        meaning_for_subject(heading) in {Meaning.FIRST, Meaning.NAME, Meaning.WHOLE}
        and sample.cells
        and sample.share(is_number) < 1
        for place, (heading, sample) in enumerate(zip(headings, samples, strict=True))
        if place not in children
    )
    return children if grown_up else set()


def _by_headings(
    meanings: Sequence[Meaning | None], samples: Sequence[_Sample]
) -> list[ColumnField]:
    fields = [ColumnField.OTHER] * len(samples)
    for place, (meaning, sample) in enumerate(zip(meanings, samples, strict=True)):
        says_email = meaning is Meaning.EMAIL and (sample.has_emails or not sample.cells)
        if says_email or (meaning is None and sample.share(has_email) >= _HALF):
            fields[place] = ColumnField.EMAIL
    _take_names(fields, meanings, samples)
    return fields


def _take_side_by_side(
    fields: list[ColumnField], headings: Sequence[str], samples: Sequence[_Sample]
) -> None:
    """ "Adult 1, Adult 2": each row is several people, each in a column of their own."""
    places = [
        place
        for place, (heading, sample) in enumerate(zip(headings, samples, strict=True))
        if fields[place] is ColumnField.OTHER
        and is_one_of_several(heading)
        and sample.share(could_be_name) >= _NEARLY_ALL
    ]
    if len(places) > 1:
        whole = any(samples[place].whole_names for place in places)
        for place in places:
            fields[place] = ColumnField.NAME if whole else ColumnField.FIRSTNAME


def _take_each_of_several(
    fields: list[ColumnField], headings: Sequence[str], samples: Sequence[_Sample]
) -> None:
    """ "Adult 2 Last Name", "Spouse Email": each row is several people, with columns of their own
    for what is known of each.
    """
    people: dict[str, dict[Meaning, int]] = {}
    for place, (heading, sample) in enumerate(zip(headings, samples, strict=True)):
        subject, meaning = subject_of(heading), meaning_for_subject(heading)
        holds = sample.has_emails if meaning is Meaning.EMAIL else bool(sample.cells)
        if meaning is not None and holds and not sample.share(is_number) >= _HALF:
            people.setdefault(subject, {}).setdefault(meaning, place)
    own = any(
        fields[place] in _NAMES - {ColumnField.LASTNAME} and not subject_of(heading)
        for place, heading in enumerate(headings)
    )
    others = [
        taken
        for subject, taken in people.items()
        if subject and _is_somebody(subject, taken) and (not own or is_wanted_beside(subject))
    ]
    if len(others) + own < 2:  # noqa: PLR2004 - it is one person
        return
    for taken in others:
        halves = {Meaning.FIRST, Meaning.LAST}.intersection(taken)
        for meaning, place in taken.items():
            field = _FIELDS_OF_ONE.get(meaning, ColumnField.OTHER)
            if meaning is Meaning.NAME and len(halves) == 1:
                (half,) = halves
                if not _holds(samples[place], samples[taken[half]]):
                    # "Nom" beside "Prénom": the half that no other column has.
                    field = _FIELDS_OF_ONE[_OTHER_HALF[half]]
            if field is not ColumnField.NAME or len(halves) < len(_OTHER_HALF):
                fields[place] = field


_FIELDS_OF_ONE = {
    Meaning.FIRST: ColumnField.FIRSTNAME,
    Meaning.MIDDLE: ColumnField.FIRSTNAME,
    Meaning.LAST: ColumnField.LASTNAME,
    Meaning.LAST_PART: ColumnField.LASTNAME,
    Meaning.WHOLE: ColumnField.NAME,
    Meaning.NAME: ColumnField.NAME,
    Meaning.EMAIL: ColumnField.EMAIL,
}


_OTHER_HALF = {Meaning.FIRST: Meaning.LAST, Meaning.LAST: Meaning.FIRST}


def _is_somebody(subject: str, taken: Collection[Meaning]) -> bool:
    """Whether enough is known of one of several to be added; no child is, beside a family."""
    if is_a_child(subject):
        return False
    if is_only_a_number(subject):
        return {Meaning.FIRST, Meaning.LAST}.issubset(taken)
    return not {Meaning.FIRST, Meaning.NAME, Meaning.WHOLE}.isdisjoint(taken)


def _take_emails_found(fields: list[ColumnField], samples: Sequence[_Sample]) -> None:
    """No heading says email: what is full of addresses is one, whatever it is called."""
    for place, sample in enumerate(samples):
        if fields[place] is ColumnField.OTHER and sample.share(has_email) >= _NEARLY_ALL:
            fields[place] = ColumnField.EMAIL


def _take_names(
    fields: list[ColumnField], meanings: Sequence[Meaning | None], samples: Sequence[_Sample]
) -> None:
    places: dict[Meaning, list[int]] = {}
    for place, meaning in enumerate(meanings):
        free = fields[place] is ColumnField.OTHER
        if meaning is not None and free and not samples[place].share(is_number) >= _HALF:
            places.setdefault(meaning, []).append(place)
    first, last, name, whole = (
        _fullest(places.get(meaning, []), samples)
        for meaning in (Meaning.FIRST, Meaning.LAST, Meaning.NAME, Meaning.WHOLE)
    )
    first, last, name = _name_beside_half(first, last, name, samples)
    if last is None and name is None and whole is None and first is not None:
        # "Name" alone in many a language is what others call the first name.
        name, first = (first, None) if samples[first].whole_names else (None, first)
    taken = [(first, ColumnField.FIRSTNAME), (last, ColumnField.LASTNAME)]
    if first is not None:
        taken += [(place, ColumnField.FIRSTNAME) for place in places.get(Meaning.MIDDLE, [])]
    if first is not None or last is not None:
        taken += [(place, ColumnField.LASTNAME) for place in places.get(Meaning.LAST_PART, [])]
    taken.append((whole if whole is not None else name, ColumnField.NAME))
    for column, field in taken:
        if column is not None:
            fields[column] = field


def _name_beside_half(
    first: int | None, last: int | None, name: int | None, samples: Sequence[_Sample]
) -> tuple[int | None, int | None, int | None]:
    """ "Name, Vorname" and "Nombre, Apellidos": the half that is missing, unless it has both."""
    if name is None or (first is None) == (last is None):
        return first, last, name
    half = first if first is not None else last
    if half is not None and _holds(samples[name], samples[half]):
        return first, last, name
    return (name, last, None) if first is None else (first, name, None)


def _fullest(places: Sequence[int], samples: Sequence[_Sample]) -> int | None:
    """The first of the columns that has something in it; the first, where none has."""
    if not places:
        return None
    most = max(len(samples[place].cells) for place in places)
    return next(place for place in places if 2 * len(samples[place].cells) >= most)


def _holds(whole: _Sample, half: _Sample) -> bool:
    """Whether the names of one column stand in another as well."""
    pairs = [
        (fold(one), fold(two))
        for one, two in zip(whole.by_row, half.by_row, strict=True)
        if one and two
    ]
    return bool(pairs) and 2 * sum(two in one and one != two for one, two in pairs) > len(pairs)


def _take_names_found(
    fields: list[ColumnField],
    headings: Sequence[str],
    samples: Sequence[_Sample],
    order: NameOrder,
) -> None:
    """No heading says name: what looks like names is, the leftmost first."""
    meanings = [meaning_of(heading) for heading in headings]
    found = [
        place
        for place, sample in enumerate(samples)
        if fields[place] is ColumnField.OTHER and meanings[place] is None and sample.has_names
    ]
    beside = [
        place
        for place, sample in enumerate(samples)
        if meanings[place] is Meaning.NOT_SENT
        and is_sometimes_a_name(headings[place])
        and sample.has_names
        and sample.whole_names
    ]
    if beside:
        fields[beside[0]] = ColumnField.NAME
        return
    if not found:
        return
    emails = _emails(fields, samples)
    one = found[0]
    two = next(
        (
            place
            for place in found[1:]
            if samples[place].differs_below(headings[place])
            or _are_in_emails(samples[place], emails)
        ),
        None,
    )
    if two is None or samples[one].whole_names or samples[two].whole_names:
        whole = next((place for place in found if samples[place].whole_names), one)
        fields[whole] = ColumnField.NAME
        return
    if _second_is_first(samples[one], samples[two], emails, order):
        one, two = two, one
    fields[one], fields[two] = ColumnField.FIRSTNAME, ColumnField.LASTNAME


def _take_other_half(
    fields: list[ColumnField], headings: Sequence[str], samples: Sequence[_Sample]
) -> None:
    """First names without last ones, or the reverse: what looks like the other half is, where it
    is called a family, stands beside or is what the addresses say.
    """
    half = _half_missing(fields)
    short = _NAMES & set(fields) == {ColumnField.NAME} and not any(
        samples[place].whole_names for place, taken in enumerate(fields) if taken in _NAMES
    )
    if half is None and not short:
        return
    there = [place for place, taken in enumerate(fields) if taken in _NAMES]
    emails = _emails(fields, samples)
    found = [
        place
        for place in _like_the_other_half(fields, headings, samples)
        if not samples[place].whole_names
    ]
    families = [place for place in found if is_of_a_family(headings[place])]
    said = [
        place
        for place in found
        if samples[place].differs and _are_in_emails(samples[place], emails)
    ]
    beside = [
        place
        for place in found
        if samples[place].differs_below(headings[place])
        and (place - 1 in there or place + 1 in there)
    ]
    if short:
        # "Name" for a single word says less: what stands beside may be anything.
        half, beside = ColumnField.LASTNAME, []
    ranked = [*(families if half is ColumnField.LASTNAME else ()), *said, *beside]
    if half is not None and ranked:
        fields[ranked[0]] = half
        if short:
            fields[there[0]] = ColumnField.FIRSTNAME


def _half_missing(fields: Sequence[ColumnField]) -> ColumnField | None:
    """The half of a name for which no column is taken, where one is for the other."""
    names = _NAMES & set(fields)
    if names == {ColumnField.FIRSTNAME}:
        return ColumnField.LASTNAME
    return ColumnField.FIRSTNAME if names == {ColumnField.LASTNAME} else None


def _like_the_other_half(
    fields: Sequence[ColumnField], headings: Sequence[str], samples: Sequence[_Sample]
) -> list[int]:
    """The columns that are not sent and hold words like names, below no heading that says else."""
    return [
        place
        for place, (heading, sample) in enumerate(zip(headings, samples, strict=True))
        if fields[place] is ColumnField.OTHER
        and (meaning_of(heading) is None or is_of_a_family(heading))
        and sample.is_filled
        and sample.share(could_be_one_name) >= _NEARLY_ALL
        and not sample.holds_choices
    ]


def _emails(fields: Sequence[ColumnField], samples: Sequence[_Sample]) -> Sequence[Sequence[str]]:
    return [
        samples[place].by_row for place, taken in enumerate(fields) if taken is ColumnField.EMAIL
    ]


def _are_in_emails(names: _Sample, emails: Sequence[Sequence[str]]) -> bool:
    pairs = [
        (fold(name).replace(" ", ""), fold(email).partition("@")[0])
        for column in emails
        for name, email in zip(names.by_row, column, strict=True)
        if len(name) > 2 and email  # noqa: PLR2004 - an initial is in any word
    ]
    return bool(pairs) and 2 * sum(name in local for name, local in pairs) > len(pairs)


class HalfMissing(msgspec.Struct, frozen=True):
    """Everybody comes with one half of a name, though the other may be in a column not sent."""

    half: ColumnField
    """First or last name: the one that is missing."""
    column: int
    """Where it may be."""


def half_missing(table: SourceTable, columns: Columns) -> HalfMissing | None:
    """Which half of the names `columns` leave out, as far as it seems to be in the list and nobody
    said that it is not to be sent.
    """
    half = _half_missing(columns.fields)
    if half is None:
        return None
    rows = _sample(table.rows, columns)
    samples = [_Sample.of(rows, place) for place in range(len(columns.fields))]
    found = _like_the_other_half(columns.fields, columns.headings, samples)
    if columns.kept.intersection(found):
        return None
    families = [place for place in found if is_of_a_family(columns.headings[place])]
    found = families or [place for place in found if samples[place].differs]
    return HalfMissing(half, found[0]) if found else None


def _second_is_first(
    one: _Sample, two: _Sample, emails: Sequence[Sequence[str]], order: NameOrder
) -> bool:
    """Whether the second of two columns of names holds the first names."""
    said = sum(
        _said_by_email(left, right, email)
        for column in emails
        for left, right, email in zip(one.by_row, two.by_row, column, strict=True)
        if left and right and email
    )
    if said:
        return said < 0
    loud = one.share(str.isupper) - two.share(str.isupper)
    return loud > _HALF or (loud >= -_HALF and order is NameOrder.LAST_FIRST)


def _said_by_email(left: str, right: str, email: str) -> int:
    """1 where an address says that `left` is the first name, -1 where `right` is, 0 for neither.

    `ada.lovelace@` and `alovelace@` say the first name first, nearly everywhere.
    """
    local = fold(email).partition("@")[0]
    one, two = fold(left).partition(" ")[0], fold(right).rpartition(" ")[2]
    if len(one) < 2 or len(two) < 2 or one == two:  # noqa: PLR2004 - an initial is in any word
        return 0
    at_one, at_two = local.find(one), local.find(two)
    if at_one >= 0 and at_two >= 0:
        return 1 if at_one < at_two else -1
    if at_two > 0 and local[:at_two].strip("._-") == one[0]:
        return 1
    if at_one > 0 and local[:at_one].strip("._-") == two[0]:
        return -1
    return 0


def _order_said(columns: Columns, samples: Sequence[_Sample], order: NameOrder) -> NameOrder:
    """In which order names in one column stand, as far as the addresses beside them say it."""
    names = columns.of(ColumnField.NAME)
    if not names:
        return order
    said = 0
    for place in columns.of(ColumnField.EMAIL):
        for name, email in zip(samples[names[0]].by_row, samples[place].by_row, strict=True):
            words = name.split()
            if len(words) == 2 and "," not in name and email:  # noqa: PLR2004 - first and last
                said += _said_by_email(words[0], words[1], email)
    if not said:
        return order
    return NameOrder.FIRST_LAST if said > 0 else NameOrder.LAST_FIRST
