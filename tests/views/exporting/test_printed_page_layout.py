"""Where a page ends, told by which words stand on which page."""

import gc
from collections.abc import Sequence

import pytest
from msgspec import structs
from PySide6.QtWidgets import QApplication

from app.settings.settings import PaperSize
from app.viewmodels.exporting.print_content import (
    PrintedDocument,
    PrintedGroup,
    PrintedLine,
    PrintedSection,
)
from app.viewmodels.exporting.printed_pages import Box, Ink, PrintedPage, Text
from app.views.exporting.printed_page_painting import line_height, text_height
from tests.views.exporting.documents import (
    NAMES,
    booklet,
    finished_picture,
    flow,
    listed,
    pages_of,
    step,
)

BOTH = pytest.mark.parametrize("paper", list(PaperSize))


@pytest.fixture(autouse=True)
def _fonts(qapp: QApplication) -> None:
    """Nothing can be measured without them."""


def page_with(pages: Sequence[PrintedPage], words: str) -> int:
    """The number of the page on which `words` stand, from 1; they stand on one."""
    found = [place for place, page in enumerate(pages, 1) if words in page.words]
    assert len(found) == 1
    return found[0]


def texts(page: PrintedPage) -> list[Text]:
    return [mark for mark in page.marks if isinstance(mark, Text)]


@BOTH
def test_the_contents_name_the_page_on_which_each_flow_begins(paper: PaperSize) -> None:
    flows = [flow(f"Flow {n}", n * 7 % 50) for n in range(120)]
    pages = list(pages_of(booklet(*flows), paper))
    told: dict[str, int] = {}
    begin = next(n for n, page in enumerate(pages) if "0 steps" in page.words)
    for page in pages[:begin]:
        rows = [text for text in texts(page) if text.words.startswith("Flow ")]
        for row in rows:
            (number,) = (t for t in texts(page) if t.y == row.y and t is not row)
            told[row.words] = int(number.words)
    assert begin > 1
    assert told == {each.title: page_with(pages[begin:], each.title) + begin for each in flows}


@BOTH
def test_each_page_says_whose_it_is_the_day_and_its_number(paper: PaperSize) -> None:
    pages = pages_of(booklet(*(flow(f"Flow {n}", 9) for n in range(9))), paper)
    for place, page in enumerate(pages, 1):
        assert page.words[-3:] == ("Riverside", "3 May 2024", f"Page {place} of {len(pages)}")


@BOTH
@pytest.mark.parametrize("lines", range(1, 9))
def test_a_heading_is_never_the_last_on_a_page(paper: PaperSize, lines: int) -> None:
    pages = pages_of(PrintedDocument("Gaps", sections=(listed("Gaps", 60, lines),)), paper)
    assert len(pages) > 1
    for page in pages:
        said = [words for words in page.words if words.startswith(("Heading", "Line"))]
        assert said[-1].startswith("Line")


@BOTH
def test_a_long_flow_breaks_between_steps_and_says_what_goes_on(paper: PaperSize) -> None:
    names = NAMES[:5]
    long = flow("Welcome", 80, *names)
    pages = pages_of(PrintedDocument("Welcome", sections=(long,)), paper)
    assert len(pages) > 2
    for page in pages[1:]:
        assert page.words[0] == "Welcome, continued"
    # A step stands on one page with everybody who administers it, and each step stands once.
    steps = [[words for words in page.words if words.startswith("Welcome, step")] for page in pages]
    assert [words for page in steps for words in page] == [each.name for each in long.steps]
    for page, on_it in zip(pages, steps, strict=True):
        assert [page.words.count(name) for name in names] == [len(on_it)] * len(names)


@BOTH
def test_nothing_stands_outside_the_page_or_across_its_footer(paper: PaperSize) -> None:
    wide = "W" * 400
    sections = (
        structs.replace(flow(wide, 9, wide, *NAMES), details=(wide, wide)),
        listed(wide, 3, 40),
        PrintedSection("Deep", (), (step("1"), *(step(".".join("1" * n)) for n in range(2, 70)))),
    )
    for page in pages_of(booklet(*sections), paper):
        footer = texts(page)[-1].y
        for mark in page.marks:
            assert mark.x >= 0
            assert mark.x + mark.width <= page.width
            if isinstance(mark, Box):
                assert mark.y + mark.height <= footer
        assert all(text.y <= footer for text in texts(page))


def test_a_flow_that_fits_on_a_page_is_not_broken_and_short_ones_share_one() -> None:
    pages = pages_of(PrintedDocument("All", sections=tuple(flow(f"F{n}", 12) for n in range(6))))
    for n in range(6):
        first = page_with(pages, f"F{n}")
        assert {page_with(pages, f"F{n}, step {k}") for k in range(1, 13)} == {first}
    assert len(pages) < 6


def test_people_begin_a_page_each() -> None:
    people = tuple(listed(f"Person {n}", 2, 3) for n in range(4))
    pages = pages_of(PrintedDocument("Who", sections=people, page_each=True))
    assert [page.words[0] for page in pages] == [person.title for person in people]


def test_what_goes_on_below_a_heading_names_it_on_the_next_page() -> None:
    pages = pages_of(PrintedDocument("Who", sections=(listed("Ada", 1, 90),), page_each=True))
    assert pages[1].words[0] == "Ada · Heading 0, continued"


def test_steps_inside_a_step_stand_in_its_card_and_a_very_long_one_has_cards_of_its_own() -> None:
    few = PrintedSection("F", (), (step("1"), step("1.1"), step("2")))
    many = [step("1", "", "Ada"), *(step(f"1.{n}", "", *NAMES) for n in range(1, 30))]
    (page,) = pages_of(PrintedDocument("F", sections=(few,)))
    assert sum(isinstance(m, Box) and m.edge is not None for m in page.marks) == 2
    pages = pages_of(PrintedDocument("F", sections=(PrintedSection("F", (), tuple(many)),)))
    cards = [m for page in pages for m in page.marks if isinstance(m, Box) and m.edge is not None]
    assert len(cards) == 30


def test_a_step_with_more_names_than_a_page_has_room_for_names_all_of_them() -> None:
    names = [f"Somebody {n}" for n in range(400)]
    one = PrintedSection("F", (), (step("1", "S", *names),))
    pages = pages_of(PrintedDocument("F", sections=(one,)))
    assert [words for page in pages for words in page.words if words in set(names)] == names


@BOTH
def test_a_step_that_nobody_administers_is_there_however_high_its_card(paper: PaperSize) -> None:
    high = "ཧཱུྃ་" * 200
    for details in range(1, 48):
        said = tuple(f"Said {n}" for n in range(details))
        section = PrintedSection("F", said, (step("1", high), step("2")))
        words = [
            each
            for page in pages_of(PrintedDocument("F", sections=(section,)), paper)
            for each in page.words
        ]
        assert high in words, details


@BOTH
def test_a_line_and_what_is_said_of_a_flow_name_everybody(paper: PaperSize) -> None:
    names = [f"Somebody {n}, the {n}th of that name" for n in range(500)]
    everybody = ", ".join(names)
    group = PrintedGroup("G", (PrintedLine(everybody, everybody, ticked=True), PrintedLine("End")))
    run_by = f"Run by {everybody}"
    section = PrintedSection("F", ("2 steps", run_by), (step("1"),), (group,))
    pages = pages_of(PrintedDocument("F", sections=(section,)), paper)
    set_out = [text for page in pages for text in texts(page)]
    said = {
        (text.style, text.ink, text.x): [
            each
            for each in set_out
            if (each.style, each.ink, each.x) == (text.style, text.ink, text.x)
        ]
        for text in set_out
        if "Somebody" in text.words
    }
    assert len(said) == 3
    for column in said.values():
        assert everybody in " ".join(text.words for text in column)
        for text in column:
            whole = text_height(text.words, text.style, text.width, len(names))
            assert whole == text_height(text.words, text.style, text.width, text.most_lines)
    for page in pages:
        *lines, account, _date, _page = texts(page)
        ends = (t.y + text_height(t.words, t.style, t.width, t.most_lines) for t in lines)
        assert max(ends) <= account.y
    assert sum(isinstance(m, Box) and m.edge is Ink.TEXT for p in pages for m in p.marks) == 1


@BOTH
def test_a_step_as_high_as_a_page_never_reaches_into_the_footer(paper: PaperSize) -> None:
    for many in range(44, 60):
        names = [f"Somebody {n}" for n in range(many)]
        section = PrintedSection(
            "F", (), (step("1"), *(step(str(n), "", *names) for n in (2, 3, 4)))
        )
        for page in pages_of(PrintedDocument("F", sections=(section,)), paper):
            *lines, account, _date, _page = texts(page)
            assert max(line.y + line_height(line.style) for line in lines) < account.y


@BOTH
@pytest.mark.parametrize("details", [1, 5, 12])
def test_a_heading_is_never_alone_above_a_step_as_high_as_a_page(
    paper: PaperSize, details: int
) -> None:
    said = tuple(f"Said {n}" for n in range(details))
    for many in (*range(30, 60, 4), 200):
        names = [f"Somebody {n}" for n in range(many)]
        one = step("1", "First step", *names)
        sections = (flow("Before", 3), PrintedSection("The flow", said, (one, step("2"))))
        pages = pages_of(PrintedDocument("F", sections=sections), paper)
        (page,) = (page for page in pages if "The flow" in page.words)
        assert "First step" in page.words
        assert [words for page in pages for words in page.words if words in set(names)] == names


def test_notes_stand_before_the_contents_and_before_what_has_none() -> None:
    note = "The list of people was not read whole."
    for document in (
        PrintedDocument("All", notes=(note,), sections=(flow("F", 2),), contents=True),
        PrintedDocument("All", notes=(note,), sections=(flow("F", 2),)),
    ):
        words = pages_of(document)[0].words
        assert words.index(note) < words.index("F")


def test_notes_have_no_page_of_their_own_before_people_who_have_one_each() -> None:
    people = tuple(listed(f"Person {n}", 2, 3) for n in range(4))
    note = "The list of people was not read whole."
    pages = pages_of(PrintedDocument("Who", notes=(note,), sections=people, page_each=True))
    assert [person.title in page.words for person, page in zip(people, pages, strict=True)] == [
        True
    ] * 4


def test_a_picture_says_what_has_to_be_known_first_as_paper_does() -> None:
    note = "The list of people was not read whole."
    assert finished_picture(flow("F", 2), note).words[:2] == (note, "F")


def test_a_picture_is_one_sheet_as_high_as_the_flow() -> None:
    short, long = finished_picture(flow("Short", 2)), finished_picture(flow("Long", 90))
    assert long.height > short.height
    assert [w for w in long.words if "step" in w][-1] == "Long, step 90"
    assert max(mark.y for mark in long.marks) < long.height


def test_a_booklet_that_was_set_leaves_hardly_anything_for_the_collector_of_cycles() -> None:
    texts_set = [flow(f"Distinct {n}", 40) for n in range(40)]
    gc.collect()
    before = len(gc.get_objects())
    pages = pages_of(booklet(*texts_set))
    gc.collect()
    come = len(gc.get_objects()) - before
    assert come < sum(len(page.words) for page in pages) / 10
