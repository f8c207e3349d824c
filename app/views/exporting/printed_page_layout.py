"""What stands together on paper, and where a page ends: a page as data, which is drawn elsewhere.

A heading is never the last thing on a page, and a page ends between two steps, never inside one.
What the words are is not known here, nor how a mark is drawn.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice, pairwise, zip_longest

import msgspec
from msgspec import structs
from msgspec.structs import replace

from app.runtime.words import tr
from app.settings.settings import PaperSize
from app.viewmodels.exporting.print_content import (
    PrintedDocument,
    PrintedGroup,
    PrintedLine,
    PrintedSection,
    PrintedStep,
)
from app.viewmodels.exporting.printed_pages import (
    POINT,
    Arrow,
    Box,
    Ink,
    Mark,
    PrintedPage,
    Side,
    Text,
    TextStyle,
)
from app.viewmodels.formatting import number
from app.views.exporting.printed_page_painting import (
    broken_text,
    line_height,
    text_height,
    text_width,
)

PAPER_SIZES = {PaperSize.A4: (595, 842), PaperSize.LETTER: (612, 792)}
"""Width and height in points."""
_AROUND = 48 * POINT
_FOOT = 30 * POINT
"""From the lower edge of the sheet up to its footer."""
_GAP = 20 * POINT
_PADDING = 9 * POINT
_AIR = 2.5 * POINT
_ROW_SPACE = 11 * POINT
_INDENT = 8 * POINT
_RADIUS = 6 * POINT
_COLUMNS = 3
_MOST_TITLE, _MOST_DETAIL, _MOST_STEP_NAME, _MOST_NAME, _MOST_LINE = 4, 12, 5, 3, 6
_MOST_OF_A_LINE = 0.45
"""That the number of a step deep inside others may take."""
_MOST_OF_A_PAGE = 0.8
"""That a heading takes for steps to stand below it."""
_TALLEST = 0.45
"""Of a page, for a step with those inside it in one card; else each has a card of its own."""
_PICTURE_COLUMNS = 4
_PICTURE_WIDTH = 860 * POINT
_PICTURE_AROUND = 24 * POINT
_PICTURE_ROOM = 640 * POINT
"""The tallest a card in a picture may be."""


class Band(msgspec.Struct, frozen=True):
    """What stands across the page and is never broken; its marks count from its own top."""

    height: float
    marks: tuple[Mark, ...]
    space: float = 0
    """Above it, unless it begins a page."""
    keeps: bool = False
    """Whether it stands on the page of what follows it."""
    under: str = ""
    """The heading it stands below."""


def lay_out(
    document: PrintedDocument, paper: PaperSize
) -> Generator[float, None, tuple[PrintedPage, ...]]:
    """Set `document` on pages of `paper`, some of it a step: gives how much is done, from 0 to 1.

    Its value in the end is the pages.
    """
    width, height = (side * POINT for side in PAPER_SIZES[paper])
    body = width - 2 * _AROUND
    sections = document.sections
    before = len(_contents_pages(document, [0] * len(sections), width, height))
    pages = _Sheets(width, height)
    if not document.contents:
        pages.put(_notes(document, body), "")
    begun = []
    for done, section in enumerate(sections):
        bands: list[Band] = []
        for band in _bands(section, body, _COLUMNS, pages.room):
            bands.append(band)
            yield done / len(sections)
        # What has to be known first stands above the first of them, not on a page of its own.
        if done and (document.page_each or not pages.fits_here(bands)):
            pages.begin()
        pages.put(bands, section.title)
        begun.append(before + pages.page_of_last_put)
        yield done / len(sections)
    contents = _contents_pages(document, begun, width, height)
    yield 1
    sheets = [*contents, *pages.sheets]
    set_out: list[PrintedPage] = []
    for page_number, marks in enumerate(sheets, 1):
        footer = _footer(document, page_number, len(sheets), width, height)
        set_out.append(PrintedPage(width, height, (*marks, *footer)))
        yield 1
    return tuple(set_out)


def lay_out_picture(document: PrintedDocument) -> Generator[float, None, PrintedPage]:
    """Set the first section of `document`, and what has to be known before, on one sheet as high as
    they need, some of it a step; its value is it.
    """
    section = document.sections[0]
    width = _PICTURE_WIDTH
    pages = _Sheets(width, float("inf"), _PICTURE_AROUND)
    body = width - 2 * _PICTURE_AROUND
    bands: list[Band] = []
    for band in _bands(section, body, _PICTURE_COLUMNS, _PICTURE_ROOM):
        bands.append(band)
        yield min(len(bands) * _PICTURE_COLUMNS / (len(section.steps) + 1), 1)
    pages.put([*_notes(document, body), *bands], section.title)
    height = pages.y + _PICTURE_AROUND
    ground = Box(0, 0, width, height, 0, ground="card")
    return PrintedPage(width, height, (ground, *(mark for marks in pages.sheets for mark in marks)))


class _Sheets:
    """Fills sheet after sheet."""

    def __init__(self, width: float, height: float, around: float = _AROUND) -> None:
        self.sheets: list[list[Mark]] = []
        self._around = around
        self._width = width
        self._bottom = height - around
        self.room = self._bottom - around
        """The height there is for bands on one sheet."""
        self.y = around
        self.page_of_last_put = 1

    @property
    def _fresh(self) -> bool:
        return not self.sheets or self.y == self._around

    def begin(self) -> None:
        """Go on on a new sheet, unless this one is empty."""
        if not self._fresh or not self.sheets:
            self.sheets.append([])
            self.y = self._around

    def fits_here(self, bands: Sequence[Band]) -> bool:
        """Whether all of them have room on this sheet, or would not have it on an empty one."""
        needed = _height(bands)
        return self.y + bands[0].space + needed <= self._bottom or needed > self.room

    def put(self, bands: Sequence[Band], title: str) -> None:
        """Put them below each other; where a sheet ends, the next one says what goes on there."""
        at = 0
        while at < len(bands):
            end = at
            while bands[end].keeps and end + 1 < len(bands):
                end += 1
            together = bands[at : end + 1]
            space = 0 if self._fresh else together[0].space
            if self.y + space + _height(together) > self._bottom:
                self._go_on(title if at else "", bands[at])
            for index, band in enumerate(together, at):
                # All that stands together may be more than a sheet.
                if self.y + band.height > self._bottom:
                    self._go_on(title, band)
                self._put(band)
                if not index:
                    self.page_of_last_put = len(self.sheets)
            at = end + 1

    def _go_on(self, title: str, band: Band) -> None:
        if self._fresh and self.sheets:
            return
        self.begin()
        if title:
            goes_on = " · ".join(words for words in (title, band.under) if words)
            words = tr("{title}, continued", title=goes_on)
            self._put(_paragraph(words, TextStyle.SMALL, self._width - 2 * self._around, 1))
            self.y += _ROW_SPACE / 2

    def _put(self, band: Band) -> None:
        if not self.sheets:
            self.begin()
        if not self._fresh:
            self.y += band.space
        self.sheets[-1] += [_moved(mark, self._around, self.y) for mark in band.marks]
        self.y += band.height


def _height(bands: Sequence[Band]) -> float:
    """Of all of them below each other, without the space above the first."""
    return sum(band.height + band.space for band in bands) - (bands[0].space if bands else 0)


def _moved(mark: Mark, right: float, down: float) -> Mark:
    return structs.replace(mark, x=mark.x + right, y=mark.y + down)


# What a section is made of


def _bands(section: PrintedSection, width: float, columns: int, room: float) -> Iterator[Band]:
    title = _paragraph(section.title, TextStyle.TITLE, width, _MOST_TITLE, space=26 * POINT)
    head = [replace(title, keeps=True)]
    for words in section.details:
        head += _divided_paragraph(words, width)
    yield from head
    yield from _strip(section.steps, width, columns, room, below=_height(head) + _ROW_SPACE)
    for group in section.groups:
        yield from _group(group, width)


def _paragraph(
    words: str,
    style: TextStyle,
    width: float,
    most_lines: int,
    *,
    ink: Ink | None = None,
    space: float = 0,
) -> Band:
    height = text_height(words, style, width, most_lines)
    shade = ink or (Ink.SOFT if style is TextStyle.SMALL else Ink.TEXT)
    text = Text(0, 0, width, words, style, shade, most_lines=most_lines)
    return Band(height, (text,), space)


def _divided_paragraph(words: str, width: float) -> Iterator[Band]:
    """All the words: a page may end between two pieces of very many, and nowhere else."""
    pieces = broken_text(words, TextStyle.BODY, width, _MOST_DETAIL)
    for index, piece in enumerate(pieces):
        space = 0 if index else _AIR
        band = _paragraph(piece, TextStyle.BODY, width, _MOST_DETAIL, ink=Ink.SOFT, space=space)
        yield replace(band, keeps=index == len(pieces) - 1)


def _group(group: PrintedGroup, width: float) -> Iterator[Band]:
    heading = _paragraph(group.heading, TextStyle.HEADING, width, 2, space=14 * POINT)
    yield replace(heading, keeps=True)
    for line in group.lines:
        yield from (replace(band, under=group.heading) for band in _line(line, width))


def _line(line: PrintedLine, width: float) -> Iterator[Band]:
    """A box to tick, the words, and behind them the note; a page may end between two pieces of
    very many words.
    """
    side = line_height(TextStyle.BODY) * 0.7
    begin = side + 7 * POINT if line.ticked else _INDENT
    behind = width * 0.36 if line.note else 0
    room, inside = width - begin - behind, behind - _INDENT
    words = broken_text(line.words, TextStyle.BODY, room, _MOST_LINE)
    notes = broken_text(line.note, TextStyle.SMALL, inside, _MOST_LINE) if line.note else ()
    last = max(len(words), len(notes)) - 1
    for index, (said, note) in enumerate(zip_longest(words, notes, fillvalue="")):
        marks: list[Mark] = []
        height = 0.0
        if said:
            marks.append(Text(begin, _AIR, room, said, TextStyle.BODY, most_lines=_MOST_LINE))
            height = text_height(said, TextStyle.BODY, room, _MOST_LINE)
        if note:
            ink = Ink.AMBER if line.missing else Ink.SOFT
            below = (line_height(TextStyle.BODY) - line_height(TextStyle.SMALL)) / 2 + _AIR
            left = width - inside
            small = TextStyle.SMALL
            marks.append(Text(left, below, inside, note, small, ink, Side.END, _MOST_LINE))
            height = max(height, text_height(note, small, inside, _MOST_LINE) + below)
        if line.ticked and not index:
            marks.append(Box(0, _AIR + side * 0.2, side, side, POINT, Ink.TEXT))
        whole = height + 2 * _AIR
        if index == last:
            marks.append(Box(0, whole, width, POINT * 0.4, 0, ground="edge"))
        yield Band(whole, tuple(marks), space=0 if index else POINT)


# The strip of steps


class _Card(msgspec.Struct, frozen=True):
    step: PrintedStep
    height: float
    marks: tuple[Mark, ...]


def _strip(
    steps: Sequence[PrintedStep], width: float, columns: int, room: float, below: float
) -> Iterator[Band]:
    """The steps as cards side by side, a line of them each; the first of these stands `below` a
    heading, which is not to be alone on its page.
    """
    each = (width - _GAP * (columns - 1)) / columns
    left = room - below if below < room * _MOST_OF_A_PAGE else room
    cards = _all_cards(steps, each, room, left, columns)
    while row := list(islice(cards, columns)):
        height = max(card.height for card in row)
        marks: list[Mark] = []
        for column, card in enumerate(row):
            left = column * (each + _GAP)
            edge = Ink.AMBER if card.step.missing_words else Ink.EDGE
            ground = "ground" if card.step.depth else "card"
            dashed = bool(card.step.pending_words)
            marks.append(Box(left, 0, each, height, _RADIUS, edge, ground, dashed))
            marks += [_moved(mark, left, 0) for mark in card.marks]
        for column, (card, following) in enumerate(pairwise(row)):
            if following.step.depth <= card.step.depth and following.step is not card.step:
                left = column * (each + _GAP) + each + _GAP * 0.2
                marks.append(Arrow(left, 15 * POINT, _GAP * 0.6))
        yield Band(height, tuple(marks), space=_ROW_SPACE)


def _all_cards(
    steps: Iterable[PrintedStep], width: float, room: float, left: float, columns: int
) -> Iterator[_Card]:
    """For the first line of them there is no more room than is `left`."""
    count = 0
    for group in _with_those_inside(steps):
        for card in _cards(group, width, room, left if count < columns else room):
            yield card
            count += 1


def _with_those_inside(steps: Iterable[PrintedStep]) -> Iterator[list[PrintedStep]]:
    """Each step of the flow itself with all the steps inside it."""
    group: list[PrintedStep] = []
    for step in steps:
        if group and not step.depth:
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def _cards(group: list[PrintedStep], width: float, room: float, left: float) -> Iterator[_Card]:
    """One card for all of them where it is no taller than a part of the page, else one each; none
    taller than what is `left` of it.
    """
    together = _card(group, width)
    if len(group) == 1 or together.height <= min(room * _TALLEST, left):
        whole = [together]
    else:
        whole = [_card([step], width) for step in group]
    # What goes on on a page has a line above it that says so.
    tallest = min(left, room - 4 * line_height(TextStyle.BODY))
    for card in whole:
        yield from [card] if card.height <= tallest else _divided(card.step, width, tallest)


def _divided(step: PrintedStep, width: float, tallest: float) -> Iterator[_Card]:
    """A step with very many administrators is higher than a page: its names on several. One that is
    as high without them has one card.
    """
    goes_on = structs.replace(step, name=tr("{title}, continued", title=step.name))
    names = list(step.names)
    while True:
        height, some = _card([structs.replace(step, names=())], width).height, 0
        for name in names:
            height += _name_height(name.words, width - 2 * _PADDING)
            if some and height > tallest:
                break
            some += 1
        yield _card([structs.replace(step, names=tuple(names[:some]))], width)
        names, step = names[some:], goes_on
        if not names:
            return


def _name_height(words: str, width: float) -> float:
    return text_height(words, TextStyle.BODY, width, _MOST_NAME) + _AIR / 2


def _card(group: Sequence[PrintedStep], width: float) -> _Card:
    marks: list[Mark] = []
    y: float = _PADDING
    for index, step in enumerate(group):
        left = _PADDING + _INDENT * min(step.depth - group[0].depth, 3)
        if index:
            y += 3 * _AIR
            marks.append(Box(left, y - 1.5 * _AIR, width - left - _PADDING, 4, 0, ground="edge"))
        y = _add_step(marks, step, left, y, width - left - _PADDING)
    return _Card(group[0], y + _PADDING, tuple(marks))


def _add_step(marks: list[Mark], step: PrintedStep, left: float, y: float, width: float) -> float:
    """Add the number, the name and what is below it; gives where that ends."""
    pill = min(text_width(step.number, TextStyle.SMALL) + 9 * POINT, width * _MOST_OF_A_LINE)
    tall = line_height(TextStyle.NAME)
    lower = (tall - line_height(TextStyle.SMALL)) / 2
    marks.append(Box(left, y, pill, tall, tall / 2, ground="accent_ground"))
    marks.append(Text(left, y + lower, pill, step.number, TextStyle.SMALL, Ink.ACCENT, Side.MIDDLE))
    begin = left + pill + 5 * POINT
    room = width - pill - 5 * POINT
    name = Text(begin, y, room, step.name, TextStyle.NAME, most_lines=_MOST_STEP_NAME)
    marks.append(name)
    y += text_height(step.name, TextStyle.NAME, room, _MOST_STEP_NAME) + _AIR
    said = (
        (step.join_words, Ink.ACCENT),
        (step.pending_words, Ink.SOFT),
        (step.missing_words, Ink.AMBER),
    )
    for words, ink in said:
        if words:
            marks.append(Text(left, y, width, words, TextStyle.SMALL, ink, most_lines=3))
            y += text_height(words, TextStyle.SMALL, width, 3) + _AIR / 2
    for one in step.names:
        ink = Ink.AMBER if one.missing else Ink.TEXT
        marks.append(Text(left, y, width, one.words, TextStyle.BODY, ink, most_lines=_MOST_NAME))
        y += _name_height(one.words, width)
    return y


# What stands around


def _contents_pages(
    document: PrintedDocument, begun: Sequence[int], width: float, height: float
) -> list[list[Mark]]:
    """The title and the contents; as many pages whatever the numbers are."""
    if not document.contents:
        return []
    body = width - 2 * _AROUND
    contents = _Sheets(width, height)
    head = [
        _paragraph(document.title, TextStyle.COVER, body, _MOST_TITLE),
        _paragraph(document.account, TextStyle.HEADING, body, 2, ink=Ink.SOFT, space=4 * POINT),
        *_notes(document, body),
        _paragraph(tr("Contents"), TextStyle.HEADING, body, 1, space=24 * POINT),
    ]
    lines = [
        _contents_line(section.title, page, body)
        for section, page in zip(document.sections, begun, strict=True)
    ]
    contents.put([*(replace(band, keeps=True) for band in head), *lines], tr("Contents"))
    return contents.sheets


def _contents_line(title: str, page: int, width: float) -> Band:
    """As high as every other, so that nobody has to measure a thousand."""
    room = 48 * POINT
    tall = 1.25 * line_height(TextStyle.BODY) + 2 * _AIR
    marks = (
        Text(0, _AIR, width - room, title, TextStyle.BODY),
        Text(width - room, _AIR, room, number(page), TextStyle.BODY, side=Side.END),
        Box(0, tall, width, POINT * 0.4, 0, ground="edge"),
    )
    return Band(tall, marks)


def _notes(document: PrintedDocument, width: float) -> list[Band]:
    return [
        _paragraph(words, TextStyle.BODY, width, _MOST_DETAIL, ink=Ink.AMBER, space=4 * POINT)
        for words in document.notes
    ]


def _footer(
    document: PrintedDocument, page_number: int, total: int, width: float, height: float
) -> Iterator[Mark]:
    body = width - 2 * _AROUND
    top = height - _FOOT
    yield Box(_AROUND, top - 5 * POINT, body, POINT * 0.4, 0, ground="edge")
    page = tr("Page {page} of {total}", page=number(page_number), total=number(total))
    parts = (
        (document.account, 0.0, 0.4, Side.BEGIN),
        (document.date, 0.4, 0.2, Side.MIDDLE),
        (page, 0.6, 0.4, Side.END),
    )
    for words, begin, share, side in parts:
        left = _AROUND + body * begin
        yield Text(left, top, body * share, words, TextStyle.SMALL, Ink.SOFT, side)
