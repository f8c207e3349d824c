"""`frontdesk import FILE --check`: how a list is read, told without a window or an account.

Nobody is "already here" for it: it knows no account's people.
"""

import argparse
import json
import sys
from pathlib import Path

from app.importing.column_guess import guess_columns
from app.importing.columns import Columns, field_words, title_of
from app.importing.formats.source_table import SourceTable, UnreadableList
from app.importing.people_in_rows import by_heading, heading_of
from app.importing.reading import read_file
from app.importing.review import Review, names_beside_words
from app.importing.verdicts import ReviewRow
from app.model.field_limits import NAME, shortened
from app.model.verdict import verdict_words
from app.people.parsing.entry_parser import NameOrder
from app.runtime.events import EventBus
from app.runtime.terminal import CommandParser, add_data_folder, write_out
from app.runtime.words import tr, trn
from app.settings.column_choices import ColumnChoices
from app.settings.settings import SettingsStore


def add_arguments(parser: CommandParser) -> None:
    """What `frontdesk import` takes."""
    parser.add(
        "file",
        type=Path,
        nargs="?",
        takes=lambda: tr("FILE"),
        tells=lambda: tr("the list; without it, the window asks for one"),
    )
    parser.add(
        "--check",
        action="store_true",
        tells=lambda: tr("tell how the list is read, without a window"),
    )
    parser.add(
        "--json", action="store_true", tells=lambda: tr("with --check: print one JSON object")
    )
    parser.add(
        "--sheet",
        takes=lambda: tr("NAME"),
        tells=lambda: tr("with --check: the sheet of a workbook"),
    )
    add_data_folder(parser)


def check(options: argparse.Namespace) -> int:
    """Print how the list is read; gives the exit code, 1 where it cannot be read or printed."""
    try:
        table = read_file(options.file, options.sheet)
        review = Review(table, _columns(table, options.data_folder))
        review.check_somebody_is_in_it()
    except UnreadableList as error:
        print(error.message, file=sys.stderr)
        return 1
    told = as_json(review) if options.json else as_text(review)
    return 0 if write_out(told, is_json=options.json) else 1


def _columns(table: SourceTable, folder: Path) -> Columns:
    """As the window would take them."""
    settings = SettingsStore(folder, EventBus(_ignore)).settings
    choices = ColumnChoices(folder if settings.keep_on_this_computer else None)
    return guess_columns(table, choices.all(), NameOrder[settings.name_order.name])


def _ignore(_error: BaseException) -> None:
    """Nothing is published here."""


def as_json(review: Review) -> str:
    """`columns` and `rows`; `other` is an object of the headings and what stands below them."""
    columns = review.columns
    return json.dumps(
        {
            "columns": [
                {"heading": heading, "taken_as": taken.value}
                for heading, taken in zip(columns.headings, columns.fields, strict=True)
            ],
            "rows": [
                {
                    "line": row.line,
                    "firstname": row.firstname,
                    "lastname": row.lastname,
                    "email": row.email,
                    "verdict": row.verdict.value,
                    "other": by_heading(row.other),
                }
                for row in review.rows
            ],
        },
        ensure_ascii=False,
    )


def as_text(review: Review) -> str:
    """The same for people: the columns, then a line for every row, then how many of each kind."""
    columns = review.columns
    lines = [
        tr("“{heading}”: {field}", heading=heading_of(columns, place), field=field_words(taken))
        for place, taken in enumerate(columns.fields)
    ]
    if title := title_of(review.table, columns):
        lines.append(tr("Above the list: {title}", title=title))
    if beside := names_beside_words(review):
        lines += ["", beside]
    lines.append("")
    lines += [_row_words(row) for row in review.rows]
    lines.append("")
    rows = len(review.rows)
    lines.append(trn("{n} row", "{n} rows", rows))
    lines += [
        f"  {verdict_words(verdict)}: {count}" for verdict, count in review.counts.items() if count
    ]
    return "\n".join(lines)


def _row_words(row: ReviewRow) -> str:
    shown = (row.firstname, row.lastname, row.email)
    name = " | ".join(shortened(part, NAME) for part in shown)
    said = ", ".join(part for part in (verdict_words(row.verdict), row.detail) if part)
    return f"{row.line:>5}  {name}  ({said})"
