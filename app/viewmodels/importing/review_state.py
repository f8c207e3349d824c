"""What a page shows of one list that is looked over, made of the list as it stands: the chips of
the verdicts, what can be done with many rows at once, and each sentence above the rows.

Which changes somebody makes is left to `review`.
"""

from collections.abc import Iterable, Sequence
from enum import Enum, auto

import msgspec

from app.importing.columns import ColumnField, Columns, title_of
from app.importing.formats.source_table import SourceKind
from app.importing.list_name import list_title, name_of
from app.importing.people_in_rows import heading_of
from app.importing.review import Review, names_beside_words
from app.model.verdict import Verdict, verdict_words
from app.outbox.uncompared_people import FirstReading
from app.runtime.words import in_a_row, tr, trn
from app.viewmodels.formatting import number
from app.viewmodels.notices import shortened
from app.viewmodels.screen import ActionFeedback

_ORDER = (
    Verdict.READY,
    Verdict.ALREADY_HERE,
    Verdict.TWICE,
    Verdict.EMAIL_LOOKS_WRONG,
    Verdict.CHECK_NAME,
    Verdict.NEEDS_A_NAME,
    Verdict.NOT_A_PERSON,
    Verdict.EMPTY,
)


class OtherKind(Enum):
    """Rows of which a verdict says less than somebody wants to know."""

    PERHAPS_HERE = auto()
    """Ready, though somebody of the account may be the person."""


Kind = Verdict | OtherKind


class VerdictChip(msgspec.Struct, frozen=True):
    """A button above the list, which shows the rows of one kind; `verdict` None: all of them."""

    verdict: Kind | None
    text: str
    spoken: str
    count: int

    @property
    def is_shown(self) -> bool:
        """Whether there is anything to show."""
        return self.count > 0 or self.verdict is None

    @property
    def wants_somebody(self) -> bool:
        """Whether somebody may have to do something about these."""
        return self.verdict not in {None, Verdict.READY}


class BulkAction(Enum):
    """What can be done with all rows of the kind that is shown."""

    TAKE_IN = auto()
    LEAVE_OUT = auto()
    REPAIR = auto()


class RowAction(Enum):
    """What can be done with the rows that are chosen."""

    REPAIR = auto()
    TAKE_IN = auto()
    LEAVE_OUT = auto()


class ColumnMenu(msgspec.Struct, frozen=True):
    """A column of the list: what it is called there, and what it is taken for."""

    column: int
    heading: str
    field: ColumnField


class ReviewState(msgspec.Struct, frozen=True):
    """What a view shows besides the rows. What does not apply is blank."""

    title: str = ""
    about: str = ""
    """Where the list is from and how it was read."""
    sheets: tuple[str, ...] = ()
    """Those of a workbook, where there is a choice."""
    sheet: str = ""
    chips: tuple[VerdictChip, ...] = ()
    shown: Kind | None = None
    """The kind of rows that is shown, None: all."""
    bulk: tuple[tuple[BulkAction, str], ...] = ()
    columns: tuple[ColumnMenu, ...] = ()
    headings_row: bool | None = None
    """Whether the first row says what is in the columns; None where nobody can choose."""
    left_out_words: str = ""
    beside_words: str = ""
    """What is kept, and not sent, names of others first."""
    add_words: str = ""
    can_add: bool = False
    """Whether there is anybody; it waits for what `held_words` say."""
    busy: bool = False
    held_words: str = ""
    """Why nobody is added just now, though all else can be done."""
    is_added: bool = False
    """Whether its people are being taken: nothing is changed any more."""
    said: str = ""
    trouble: bool = False
    uncompared_words: str = ""
    """That nobody here is compared with the account yet, and what that means for adding."""
    put_away_words: str = ""
    """Which list gave way to this one; there is a way back to it."""

    @property
    def spoken(self) -> str:
        """The list in one sentence, for whoever does not see the page."""
        counts = [chip.text for chip in self.chips if chip.is_shown and chip.verdict is not None]
        return ". ".join((self.title, in_a_row(counts)))


def review_state(
    review: Review,
    shown: Kind | None,
    feedback: ActionFeedback,
    *,
    busy: bool,
    is_added: bool = False,
    put_away: str = "",
    first_reading: FirstReading = FirstReading.DONE,
    asked: bool = False,
    likely: Sequence[int] = (),
) -> ReviewState:
    """What a view shows of `review` once these are the facts; `asked`: Enter is wanted again;
    `likely`: the positions of those who may be here.
    """
    table, rows, taken = review.table, len(review.rows), review.taken_in
    out = rows - taken
    return ReviewState(
        title=list_title(name_of(review)),
        about=in_a_row(_about(review)),
        sheets=table.sheets if len(table.sheets) > 1 else (),
        sheet=table.sheet or "",
        chips=(
            _chip(None, rows),
            *(_chip(each, review.counts.get(each, 0)) for each in _ORDER),
            _chip(OtherKind.PERHAPS_HERE, len(likely)),
        ),
        shown=shown,
        bulk=_bulk(review, positions_of(review, shown, likely)),
        columns=tuple(
            ColumnMenu(at, heading_of(review.columns, at), field)
            for at, field in enumerate(review.columns.fields)
        ),
        headings_row=_headings_row(review),
        left_out_words=trn("{n} row is left out", "{n} rows are left out", out) if out else "",
        beside_words=f"{names_beside_words(review)} {_beside_words(review.columns)}".strip(),
        add_words=trn("Add {n} person", "Add {n} people", taken),
        can_add=taken > 0 and not is_added,
        busy=busy,
        held_words=tr("The rows are compared anew. Nobody is added before that is done.")
        if busy and not is_added
        else "",
        is_added=is_added,
        said=feedback.sentence,
        trouble=feedback.is_error,
        uncompared_words=_uncompared_words(first_reading, asked=asked),
        put_away_words=tr(
            "“{list}” is put away: nothing was changed in it.", list=shortened(put_away)
        )
        if put_away
        else "",
    )


def _uncompared_words(first_reading: FirstReading, *, asked: bool) -> str:
    if first_reading is FirstReading.UNDER_WAY:
        if asked:
            return tr(
                "Nobody is added before the list of the account is read: who is "
                "there already would be added twice."
            )
        return tr("The list of the account is not read yet: nobody here is compared with it.")
    if first_reading is FirstReading.MISSING:
        unread = tr(
            "The list of the account has not been read, so nobody knows who is there already. "
            "F5 reads it again."
        )
        if not asked:
            return unread
        again = tr("Enter again adds and sends all the same. Once sent, nobody can be taken back.")
        return f"{unread} {again}"
    return ""


def _about(review: Review) -> Iterable[str]:
    table, rows = review.table, len(review.rows)
    if table.sheet and len(table.sheets) <= 1:
        yield tr("sheet “{sheet}”", sheet=table.sheet)
    yield trn("{n} row", "{n} rows", rows)
    if title := title_of(table, review.columns):
        yield tr("below “{title}”", title=shortened(title))
    if table.encoding and (written_by := _written_by(table.encoding)):
        yield written_by


def _written_by(encoding: str) -> str:
    """Where text in that encoding comes from; blank for Unicode, of which there is no doubt."""
    # What the names of encodings begin with, as Python spells them.
    by_beginning = {
        ("utf",): "",
        ("cp125",): tr("read as text from Windows"),
        ("mac_",): tr("read as text from a Mac"),
        ("big5", "gb"): tr("read as Chinese text"),
        ("cp932", "euc_j"): tr("read as Japanese text"),
        ("euc_kr",): tr("read as Korean text"),
    }
    older = tr("read as text from an older program")
    return next((by_beginning[each] for each in by_beginning if encoding.startswith(each)), older)


def positions_of(review: Review, kind: Kind | None, likely: Sequence[int]) -> Sequence[int] | None:
    """The positions of the rows of one kind; None for all."""
    if isinstance(kind, OtherKind):
        return likely
    return None if kind is None else review.positions_of(kind)


def _chip(kind: Kind | None, count: int) -> VerdictChip:
    if isinstance(kind, OtherKind):
        name = tr("Perhaps here")
    else:
        name = tr("All") if kind is None else verdict_words(kind)
    text = f"{name[:1].upper()}{name[1:]} {number(count)}"
    return VerdictChip(kind, text, text, count)


def _bulk(review: Review, positions: Sequence[int] | None) -> tuple[tuple[BulkAction, str], ...]:
    # They may just be being read anew.
    rows = [review.rows[position] for position in positions or () if position < len(review.rows)]
    if not rows:
        return ()
    out = sum(row.left_out for row in rows)
    mends = sum(row.repaired is not None for row in rows)
    bulk = []
    if mends:
        bulk.append((BulkAction.REPAIR, tr("Put all of them right")))
    if out and rows[0].can_be_sent:
        bulk.append((BulkAction.TAKE_IN, tr("Take all of them in")))
    if out < len(rows):
        bulk.append((BulkAction.LEAVE_OUT, tr("Leave all of them out")))
    return tuple(bulk)


def _headings_row(review: Review) -> bool | None:
    table = review.table
    if table.headings is not None or table.kind is SourceKind.LINES:
        return None
    return review.columns.first_row_is_headings


def _beside_words(columns: Columns) -> str:
    beside = [
        heading_of(columns, position)
        for position in columns.of(ColumnField.OTHER)
        if columns.headings[position]
    ]
    if not beside:
        return ""
    one, *others = beside
    if not others:
        return tr(
            "“{heading}” is kept beside each person: the service takes a name and an email.",
            heading=one,
        )
    if len(others) == 1:
        return tr(
            "“{one}” and “{other}” are kept beside each person: "
            "the service takes a name and an email.",
            one=one,
            other=others[0],
        )
    return trn(
        "“{heading}” and {n} other column are kept beside each person: "
        "the service takes a name and an email.",
        "“{heading}” and {n} other columns are kept beside each person: "
        "the service takes a name and an email.",
        len(others),
        heading=one,
    )
