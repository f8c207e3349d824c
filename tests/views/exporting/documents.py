"""Documents to be set on pages, and the pages of them."""

from collections.abc import Generator, Sequence
from typing import TypeVar

from app.settings.settings import PaperSize
from app.viewmodels.exporting.print_content import (
    PrintedDocument,
    PrintedGroup,
    PrintedLine,
    PrintedName,
    PrintedSection,
    PrintedStep,
)
from app.viewmodels.exporting.printed_pages import PrintedPage
from app.views.exporting.printed_page_layout import lay_out, lay_out_picture

Done = TypeVar("Done")
NAMES = ("Ada Lovelace", "محمد الأمين", "שרה כהן", "王小明", "김민준", "สมชาย ใจดี", "Łukasz Øst")


def finished(work: Generator[object, None, Done]) -> Done:
    """The value of `work`, which is done to its end."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            value: Done = end.value
            return value


def step(number: str, name: str = "", *names: str, depth: int | None = None) -> PrintedStep:
    """A step with these administrators."""
    return PrintedStep(
        number=number,
        name=name or f"Step {number}",
        depth=number.count(".") if depth is None else depth,
        join_words="",
        pending_words="",
        missing_words="" if names else "nobody administers this step",
        names=tuple(PrintedName(each) for each in names),
    )


def flow(name: str, steps: int, *names: str) -> PrintedSection:
    """A flow of as many steps, each with these administrators."""
    made = (step(str(n), f"{name}, step {n}", *(names or NAMES[:1])) for n in range(1, steps + 1))
    return PrintedSection(name, (f"{steps} steps",), tuple(made))


def listed(title: str, groups: int, lines: int) -> PrintedSection:
    """A list with as many headings, and lines below each."""
    return PrintedSection(
        title,
        (),
        groups=tuple(
            PrintedGroup(
                f"Heading {at}",
                tuple(PrintedLine(f"Line {at}.{n}", ticked=True) for n in range(lines)),
            )
            for at in range(groups)
        ),
    )


def booklet(*sections: PrintedSection) -> PrintedDocument:
    """All of these with contents."""
    return PrintedDocument(
        "People flows", "Riverside", "3 May 2024", sections=tuple(sections), contents=True
    )


def pages_of(document: PrintedDocument, paper: PaperSize = PaperSize.A4) -> Sequence[PrintedPage]:
    """The document on pages."""
    return finished(lay_out(document, paper))


def finished_picture(section: PrintedSection, *notes: str) -> PrintedPage:
    """The section on one sheet."""
    document = PrintedDocument(section.title, notes=notes, sections=(section,))
    return finished(lay_out_picture(document))
