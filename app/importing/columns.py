"""How the columns of a list are taken, and what its first rows are taken for.

Guessed in `column_guess`; what becomes of the rows, in `people_in_rows`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from app.importing.formats.source_table import SourceTable
from app.people.parsing.names import NameOrder
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
"""What somebody chose for such headings before: the fields' words by `headings.key_of` them."""


class Columns(msgspec.Struct, frozen=True):
    """How the columns are taken, from the left; `headings` are blank where the list has none.

    `titles` counts the rows at the top which say what the list is about and nobody's name.
    `name_order` is how names in one column are read where they do not say it themselves.
    """

    headings: tuple[str, ...]
    fields: tuple[ColumnField, ...]
    first_row_is_headings: bool
    titles: int = 0
    name_order: NameOrder = NameOrder.FIRST_LAST

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
        return replace(self, fields=fields)


def title_of(table: SourceTable, columns: Columns) -> str:
    """What stands above the list, in one line; blank for nothing."""
    cells = (cell for row in table.rows[: columns.titles] for cell in row.cells)
    return table.title or ", ".join(" ".join(cell.split()) for cell in cells if cell.strip())
