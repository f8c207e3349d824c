"""What the cells of a column say by themselves, whatever its heading is: whether they are names,
and which of two columns the addresses beside them say holds the first names.

A single cell is known in `cell_kinds`; what the column is taken for, in `column_guess`.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from app.importing.cell_kinds import could_be_name
from app.importing.formats.source_table import SourceRow
from app.importing.headings import is_an_answer, is_form_of_address
from app.model.display_name import is_family_first
from app.people.duplicates.names import compared
from app.people.duplicates.nicknames import long_forms, short_forms
from app.people.parsing.east_asian import split_east_asian
from app.people.parsing.names import NameOrder
from app.people.search import fold

NEARLY_ALL = 0.8
HALF = 0.5
_FEW = 6
_WORDS_OF_A_WHOLE_NAME = 1.6
_FEWEST_DIFFERENT = 0.4
"""The share of different cells below which a column holds choices ("vegetarian"), not names."""


class ColumnSample(msgspec.Struct, frozen=True):
    """Some cells of a column, blank ones left out but counted in `rows`."""

    cells: tuple[str, ...]
    by_row: tuple[str, ...]

    @classmethod
    def of(cls, rows: Sequence[SourceRow], place: int) -> "ColumnSample":
        by_row = tuple(" ".join(row.cell(place).split()) for row in rows)
        return cls(tuple(cell for cell in by_row if cell), by_row)

    def share(self, test: Callable[[str], bool]) -> float:
        return sum(map(test, self.cells)) / len(self.cells) if self.cells else 0.0

    @property
    def has_emails(self) -> bool:
        """Whether addresses were meant where a heading asks for them, right or mistyped."""
        return any("@" in cell for cell in self.cells)

    @property
    def has_names(self) -> bool:
        names = self.share(could_be_name) >= NEARLY_ALL and not self.holds_choices
        return self.is_filled and names and self.differs

    @property
    def holds_choices(self) -> bool:
        """Whether it says yes or no, Mr or Mrs: never who somebody is, however few there are."""
        answers = len(self.cells) > 1 and self.share(is_an_answer) >= NEARLY_ALL
        return answers or self.share(is_form_of_address) >= NEARLY_ALL

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
        return words >= _WORDS_OF_A_WHOLE_NAME * len(self.cells) or self.share(_is_whole) > HALF


def _is_whole(cell: str) -> bool:
    """王小明: no blank stands between the two. Two characters may be a first name alone."""
    return len(cell) > 2 and is_family_first(cell) and all(split_east_asian(cell))  # noqa: PLR2004 - as said


def holds_names_of(whole: ColumnSample, half: ColumnSample) -> bool:
    """Whether the names of one column stand in another as well."""
    pairs = [
        (fold(one), fold(two))
        for one, two in zip(whole.by_row, half.by_row, strict=True)
        if one and two
    ]
    return bool(pairs) and 2 * sum(_is_part_of(one, two) for one, two in pairs) > len(pairs)


def _is_part_of(name: str, part: str) -> bool:
    """ "Ada" of "Ada King", and no "Jon" of "Jones": but scripts without capitals set no blank."""
    if part.lower() == part.upper():
        return part in name and part != name
    return name != part and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", name) is not None


def are_in_emails(names: ColumnSample, emails: Sequence[Sequence[str]]) -> bool:
    """Whether the addresses beside them, by column and row, say most of these names."""
    pairs = [
        (fold(name).replace(" ", ""), fold(email).partition("@")[0])
        for column in emails
        for name, email in zip(names.by_row, column, strict=True)
        if len(name) > 2 and email  # noqa: PLR2004 - an initial is in any word
    ]
    return bool(pairs) and 2 * sum(name in local for name, local in pairs) > len(pairs)


def second_is_first(
    one: ColumnSample, two: ColumnSample, emails: Sequence[Sequence[str]], order: NameOrder
) -> bool:
    """Whether the second of two columns of names holds the first names; `order` decides only where
    the columns do not say it.
    """
    said = sum(
        first_said_by_email(left, right, email)
        for column in emails
        for left, right, email in zip(one.by_row, two.by_row, column, strict=True)
        if left and right and email
    )
    if said:
        return said < 0
    if (known := _known_first_names(two)) >= HALF and known > 3 * _known_first_names(one):
        return True
    loud = one.share(str.isupper) - two.share(str.isupper)
    return loud > HALF or (loud >= -HALF and order is NameOrder.LAST_FIRST)


def _known_first_names(sample: ColumnSample) -> float:
    """The share of the first names that have a short form, or are one; few of them are last names,
    too.
    """
    names = {compared(cell) for cell in sample.cells}
    known = sum(bool(short_forms(name) or long_forms(name)) for name in names)
    return known / len(names) if known > 1 else 0.0


def first_said_by_email(left: str, right: str, email: str) -> int:
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
