"""What each column of a list is taken for: by its heading, by what is in it, and by what somebody
chose for such a list before.

Where the list comes from is known in `source_table`; what becomes of its rows, in `people_in_rows`.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from app.importing.cell_kinds import (
    could_be_one_name,
    has_email,
    is_number,
)
from app.importing.column_sample import (
    HALF,
    NEARLY_ALL,
    ColumnSample,
    are_in_emails,
    first_said_by_email,
    holds_names_of,
    second_is_first,
)
from app.importing.columns import ColumnField, Columns, Remembered
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.headings import (
    Meaning,
    could_be_a_name,
    is_always_last_name_first,
    is_an_answer,
    is_of_a_family,
    is_sometimes_a_name,
    key_of,
    last_name_stands_first,
    meaning_for_others,
    meaning_of,
)
from app.importing.top_rows import (
    position_of_headings,
    titles_above_lines,
    titles_above_rows,
)
from app.people.parsing.names import NameOrder

_LOOKED_AT = 300
"""Rows whose cells are looked at; more would say no more."""
_COLUMNS_LOOKED_AT = 200
"""What stands in others is kept; that anybody's name is there nobody has seen."""
_WHO = frozenset({Meaning.FIRST, Meaning.NAME, Meaning.WHOLE, Meaning.SOMEBODY})
_NAMES = frozenset({ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.NAME})


def guess_columns(
    table: SourceTable,
    remembered: Remembered | None = None,
    order: NameOrder = NameOrder.FIRST_LAST,
) -> Columns:
    """How the columns of `table` are likely meant.

    `order` decides only where nothing in the list does.
    """
    width = max((len(row.cells) for row in table.rows), default=0)
    if table.kind is SourceKind.LINES:
        return _lines(table, width, order)
    if table.headings is not None:
        width = max(width, len(table.headings))
        columns = _named(table.headings, width, heads=False, titles=0)
    else:
        position = position_of_headings(table.rows, width, _LOOKED_AT)
        if position is None:
            columns = _named((), width, heads=False, titles=titles_above_rows(table.rows))
        else:
            columns = _named(table.rows[position].cells, width, heads=True, titles=position)
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
    field = ColumnField.EMAIL if lines and bare >= NEARLY_ALL * len(lines) else ColumnField.NAME
    return Columns(
        (" ".join(first.split()) if heads else "",) * width,
        (field,) * width,
        first_row_is_headings=heads,
        titles=titles,
        name_order=order,
    )


def without_headings(table: SourceTable, order: NameOrder = NameOrder.FIRST_LAST) -> Columns:
    """How the columns are meant if the first row is somebody, whatever it looks like."""
    width = max((len(row.cells) for row in table.rows), default=0)
    return _taken(_named((), width, heads=False, titles=0), table, {}, order)


def with_headings(
    table: SourceTable,
    remembered: Remembered | None = None,
    order: NameOrder = NameOrder.FIRST_LAST,
) -> Columns:
    """How the columns are meant if the first row says what is in them."""
    width = max((len(row.cells) for row in table.rows), default=0)
    cells = table.rows[0].cells if table.rows else ()
    return _taken(_named(cells, width, heads=True, titles=0), table, remembered or {}, order)


def _named(cells: Sequence[str], width: int, *, heads: bool, titles: int) -> Columns:
    headings = tuple(
        " ".join(cells[position].split()) if position < len(cells) else ""
        for position in range(width)
    )
    return Columns(headings, (ColumnField.OTHER,) * width, heads, titles)


def _taken(
    columns: Columns, table: SourceTable, remembered: Remembered, order: NameOrder
) -> Columns:
    rows = _sample(table.rows, columns)
    unseen = ColumnSample((), ("",) * len(rows))
    samples = [
        ColumnSample.of(rows, position) if position < _COLUMNS_LOOKED_AT else unseen
        for position in range(len(columns.headings))
    ]
    chosen = remembered.get(key_of(columns.headings)) if any(columns.headings) else None
    known = _understood(chosen, len(samples))
    fields = known or _guessed(table.known_as or columns.headings, samples, order)
    columns = replace(columns, fields=fields)
    return replace(columns, name_order=_order_said(columns, samples, order))


def _understood(chosen: Sequence[str] | None, width: int) -> tuple[ColumnField, ...] | None:
    known = {field.value for field in ColumnField}
    if chosen is None or len(chosen) != width or not known.issuperset(chosen):
        return None
    return tuple(ColumnField(word) for word in chosen)


def _guessed(
    headings: Sequence[str], samples: Sequence[ColumnSample], order: NameOrder
) -> tuple[ColumnField, ...]:
    meanings = _meanings(headings, samples)
    fields = [ColumnField.OTHER] * len(samples)
    for position, (meaning, sample) in enumerate(zip(meanings, samples, strict=True)):
        if meaning is Meaning.EMAIL and (sample.has_emails or not sample.cells):
            fields[position] = ColumnField.EMAIL
    _take_names(fields, meanings, samples)
    if ColumnField.EMAIL not in fields:
        _take_emails_found(fields, meanings, samples)
    if not _NAMES & set(fields):
        _take_names_found(fields, headings, samples, order)
    _take_family_name(fields, headings, samples)
    if not _NAMES & set(fields):
        # A name with its address behind it is read as one line.
        for position, sample in enumerate(samples):
            lines = sample.share(lambda cell: " " in cell and cell.count("@") == 1) >= HALF
            if lines and meanings[position] is not Meaning.NOT_SENT:
                fields[position] = ColumnField.NAME
                break
    return tuple(fields)


def _meanings(headings: Sequence[str], samples: Sequence[ColumnSample]) -> list[Meaning | None]:
    """What the headings say: beside "First name", "Given name" is that of somebody's papers."""
    meanings = [meaning_of(heading) for heading in headings]
    plain = {heading.casefold(): position for position, heading in enumerate(headings)}
    first, given = plain.get("first name"), plain.get("given name")
    if (
        first is not None
        and given is not None
        and len(samples[first].cells) >= HALF * len(samples[given].cells)
    ):
        meanings[given] = Meaning.NOT_SENT
    return meanings


def _take_emails_found(
    fields: list[ColumnField], meanings: Sequence[Meaning | None], samples: Sequence[ColumnSample]
) -> None:
    """No heading says email: what mostly holds addresses is one, below a heading that says nothing
    known.
    """
    for position, sample in enumerate(samples):
        if meanings[position] is None and sample.share(has_email) >= HALF:
            fields[position] = ColumnField.EMAIL


def _take_names(
    fields: list[ColumnField], meanings: Sequence[Meaning | None], samples: Sequence[ColumnSample]
) -> None:
    positions: dict[Meaning, list[int]] = {}
    for position, meaning in enumerate(meanings):
        free = fields[position] is ColumnField.OTHER
        if meaning is not None and free and not samples[position].share(is_number) >= HALF:
            positions.setdefault(meaning, []).append(position)
    somebody = positions.pop(Meaning.SOMEBODY, [])
    named = not _SAYS_A_NAME.isdisjoint(positions)
    somebody = [
        position for position in somebody if _are_called_so(samples[position], beside=named)
    ]
    positions[Meaning.NAME] = [*positions.get(Meaning.NAME, []), *somebody]
    first, last, name, whole = (
        _fullest(positions.get(meaning, []), samples)
        for meaning in (Meaning.FIRST, Meaning.LAST, Meaning.NAME, Meaning.WHOLE)
    )
    first, last, name = _name_beside_half(first, last, name, samples)
    if last is None and name is None and whole is None and first is not None:
        # "Name" alone in many a language is what others call the first name.
        name, first = (first, None) if samples[first].whole_names else (None, first)
    taken = [(first, ColumnField.FIRSTNAME), (last, ColumnField.LASTNAME)]
    if first is not None:
        taken += [
            (position, ColumnField.FIRSTNAME) for position in positions.get(Meaning.MIDDLE, [])
        ]
    if first is not None or last is not None:
        taken += [
            (position, ColumnField.LASTNAME) for position in positions.get(Meaning.LAST_PART, [])
        ]
    taken.append((whole if whole is not None else name, ColumnField.NAME))
    for column, field in taken:
        if column is not None:
            fields[column] = field


_SAYS_A_NAME = _WHO | {Meaning.LAST}


def _are_called_so(sample: ColumnSample, *, beside: bool) -> bool:
    """Whether people are called what stands below "Member", and not asked whether they are one;
    `beside` other names, hardly.
    """
    if not beside:
        return not sample.holds_choices
    names = sample.share(could_be_one_name) >= NEARLY_ALL and sample.differs_below("Member")
    return names and not sample.share(is_an_answer) >= NEARLY_ALL


def _name_beside_half(
    first: int | None, last: int | None, name: int | None, samples: Sequence[ColumnSample]
) -> tuple[int | None, int | None, int | None]:
    """ "Name, Vorname" and "Nombre, Apellidos": the half that is missing, unless it has both."""
    if name is None or (first is None) == (last is None):
        return first, last, name
    half = first if first is not None else last
    if half is not None and holds_names_of(samples[name], samples[half]):
        return first, last, name
    return (name, last, None) if first is None else (first, name, None)


def _fullest(positions: Sequence[int], samples: Sequence[ColumnSample]) -> int | None:
    """The first of the columns that has something in it; the first, where none has."""
    if not positions:
        return None
    most = max(len(samples[position].cells) for position in positions)
    return next(position for position in positions if 2 * len(samples[position].cells) >= most)


def _take_names_found(
    fields: list[ColumnField],
    headings: Sequence[str],
    samples: Sequence[ColumnSample],
    order: NameOrder,
) -> None:
    """No heading says name: what looks like names is, the leftmost first."""
    meanings = [meaning_of(heading) for heading in headings]
    found = [
        position
        for position, sample in enumerate(samples)
        if fields[position] is ColumnField.OTHER and meanings[position] is None and sample.has_names
    ]
    beside = [
        position
        for position, sample in enumerate(samples)
        if meanings[position] is Meaning.NOT_SENT
        and is_sometimes_a_name(headings[position])
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
            position
            for position in found[1:]
            if samples[position].differs_below(headings[position])
            or are_in_emails(samples[position], emails)
        ),
        None,
    )
    if two is None or samples[one].whole_names or samples[two].whole_names:
        whole = next((position for position in found if samples[position].whole_names), one)
        fields[whole] = ColumnField.NAME
        return
    if second_is_first(samples[one], samples[two], emails, order):
        one, two = two, one
    fields[one], fields[two] = ColumnField.FIRSTNAME, ColumnField.LASTNAME


def _take_family_name(
    fields: list[ColumnField], headings: Sequence[str], samples: Sequence[ColumnSample]
) -> None:
    """ "Vorname, Familie": beside first names, and names of one word, a family is the last name."""
    named = [n for n, field in enumerate(fields) if field in _NAMES]
    families = [n for n, heading in enumerate(headings) if is_of_a_family(heading)]
    if len(named) != 1 or not families or fields[named[0]] is ColumnField.LASTNAME:
        return
    one, family = named[0], families[0]
    is_first = fields[one] is ColumnField.FIRSTNAME or not samples[one].whole_names
    if one != family and is_first and samples[family].share(could_be_one_name) >= NEARLY_ALL:
        fields[one], fields[family] = ColumnField.FIRSTNAME, ColumnField.LASTNAME


def _emails(
    fields: Sequence[ColumnField], samples: Sequence[ColumnSample]
) -> Sequence[Sequence[str]]:
    return [
        samples[position].by_row
        for position, taken in enumerate(fields)
        if taken is ColumnField.EMAIL
    ]


def may_name_others(table: SourceTable, columns: Columns) -> Sequence[int]:
    """The places of columns that are not sent, and may name others than the people of the rows: by
    their headings, or, where these say nothing known, by whole names in them, or any where the
    people have but one half of a name.
    """
    are_halves = len(_NAMES & set(columns.fields)) == 1 and not columns.of(ColumnField.NAME)
    rows = _sample(table.rows, columns)
    found = []
    for position in columns.of(ColumnField.OTHER):
        heading = columns.headings[position]
        meaning = meaning_for_others(heading) if heading else None
        sample = ColumnSample.of(rows, position)
        unknown = meaning is None and sample.has_names
        is_beside = are_halves or sample.whole_names or meaning_of(heading) is Meaning.NOT_SENT
        if meaning in _WHO or (unknown and is_beside):
            found.append(position)
    return found


def _order_said(columns: Columns, samples: Sequence[ColumnSample], order: NameOrder) -> NameOrder:
    """In which order names in one column stand, as far as the addresses beside them say it, or the
    heading above.
    """
    names = columns.of(ColumnField.NAME)
    if not names:
        return order
    if is_always_last_name_first(columns.headings[names[0]]):
        return NameOrder.LAST_FIRST
    said = 0
    for position in columns.of(ColumnField.EMAIL):
        for name, email in zip(samples[names[0]].by_row, samples[position].by_row, strict=True):
            words = name.split()
            if len(words) == 2 and "," not in name and email:  # noqa: PLR2004 - first and last
                said += first_said_by_email(words[0], words[1], email)
    if not said:
        last_first = last_name_stands_first(columns.headings[names[0]])
        if last_first is None:
            return order
        return NameOrder.LAST_FIRST if last_first else NameOrder.FIRST_LAST
    return NameOrder.FIRST_LAST if said > 0 else NameOrder.LAST_FIRST


def _sample(rows: Sequence[SourceRow], columns: Columns) -> list[SourceRow]:
    """The rows that are looked at: from the whole list, for its end may be unlike its beginning."""
    count = len(rows) - columns.first_person
    step = max(1, count // _LOOKED_AT)
    return list(rows[columns.first_person :: step])
