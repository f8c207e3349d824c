"""The preview of what is printed: set on pages, saved, sent to a printer, taken as a picture.

What stands on paper is `print_content`'s. Pages are set and painted by a `Typesetter`, a slice at a
time: a booklet of a thousand flows stops nobody.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Protocol, TypeVar

import msgspec
from PySide6.QtCore import QLocale, Signal

from app.flows.administrators import Administrators
from app.flows.catalogue import FlowCatalogue
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.files import save_as
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import AT_ONCE_SECONDS, in_turns
from app.runtime.words import tr
from app.settings.settings import PaperSize, SettingsError, SettingsStore
from app.viewmodels.exporting.print_content import (
    PrintedDocument,
    PrintedGroup,
    PrintedSection,
    away_section,
    flow_section,
    gaps_groups,
    news_groups,
    person_section,
)
from app.viewmodels.exporting.print_requests import (
    PrintAllFlows,
    PrintAway,
    PrintFlow,
    PrintGaps,
    PrintNews,
    PrintNothing,
    PrintPeople,
    PrintRequest,
)
from app.viewmodels.exporting.printed_pages import POINT, PrintedPage
from app.viewmodels.exporting.saved_file import not_saved_words
from app.viewmodels.flows.sentences import missing_words, unknown_names_words
from app.viewmodels.formatting import day, number
from app.viewmodels.notices import Notice
from app.viewmodels.screen import ActionFeedback, Screen
from app.viewmodels.window.session import SessionScreen

Done = TypeVar("Done")
_TELL_AFTER, _TELL_EVERY = 0.5, 0.1
"""Seconds before work is told of, and between two words of how far it is."""
_LETTER = frozenset(
    {
        *(QLocale.Country.UnitedStates, QLocale.Country.Canada, QLocale.Country.Mexico),
        *(QLocale.Country.Belize, QLocale.Country.Chile, QLocale.Country.Colombia),
        *(QLocale.Country.CostaRica, QLocale.Country.ElSalvador, QLocale.Country.Guatemala),
        *(QLocale.Country.Nicaragua, QLocale.Country.Panama, QLocale.Country.Philippines),
        *(QLocale.Country.PuertoRico, QLocale.Country.Venezuela),
    }
)
"""Where paper is US Letter (Unicode's CLDR, supplemental data)."""
_NOT_IN_A_FILE_NAME = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_LONGEST_FILE_NAME = 80
_LONGEST_PICTURE = 20_000 * POINT
"""As high as a picture can be in pixels, its letters are half as large as on paper then."""
_Work = Coroutine[object, object, None]


class PrintJob(Protocol):
    """What somebody has chosen to print on."""

    def print_pages(
        self, pages: Sequence[PrintedPage], title: str, /
    ) -> Generator[float, None, bool]:
        """A page a step, with how much is done; the value in the end is whether it was taken."""


class Typesetter(Protocol):
    """Knows fonts and how to paint. What takes long gives, step by step, how much is done."""

    def lay_out(
        self, document: PrintedDocument, paper: PaperSize
    ) -> Generator[float, None, tuple[PrintedPage, ...]]:
        """The document on pages."""

    def pdf(
        self, pages: Sequence[PrintedPage], title: str, account: str
    ) -> Generator[float, None, bytes]:
        """The pages as a PDF file."""

    def picture(self, document: PrintedDocument) -> Generator[float, None, PrintedPage]:
        """All of it on one sheet."""

    def image(self, page: PrintedPage) -> Generator[float, None, object]:
        """The sheet as the clipboard takes a picture."""


class CopiedPicture(msgspec.Struct, frozen=True):
    """A flow for the clipboard."""

    image: object


class PrintState(msgspec.Struct, frozen=True):
    """What a view shows of the preview. What does not apply is blank."""

    title: str = ""
    paper: PaperSize = PaperSize.A4
    pages: tuple[PrintedPage, ...] = ()
    has_picture: bool = False
    """Whether it can be taken as a picture: it is one flow."""
    work_words: str = ""
    """What is under way, once it takes long."""
    work_share: float = 0
    """How much of that is done, from 0 to 1."""
    empty_words: str = ""
    """What to say where there is no page."""
    said: str = ""
    """What was just done, or what was in the way, in one sentence."""
    trouble: bool = False


class PrintScreen(Screen[PrintState]):
    """Open between `open` and `close`; what is saved or printed then still comes to its end."""

    copied = Signal(object)
    """Carries a `CopiedPicture`."""

    def __init__(
        self,
        catalogue: FlowCatalogue,
        directory: PeopleDirectory,
        settings: SettingsStore,
        session: SessionScreen,
        scope: TaskScope,
    ) -> None:
        """Closed: nothing is printed."""
        super().__init__(PrintState())
        self._catalogue = catalogue
        self._directory = directory
        self._settings = settings
        self._session = session
        self._typesetter: Typesetter | None = None
        self._document = PrintedDocument("")
        self._pages: tuple[PrintedPage, ...] = ()
        self._old_pages: list[PrintedPage] = []
        self._picture = False
        self._is_open = False
        self.failures = 0
        """How many of these could not be written, or were not taken by the printer."""
        self._writes = False
        self._work_words, self._work_share = "", 0.0
        self._feedback = ActionFeedback(self)
        self._feedback.changed.connect(self._tell)
        tell, say, not_done = self._tell, self._feedback.say_error, self._not_done
        self._setting = Action(scope, self._set, second="replace", on_error=say, on_change=tell)
        self._letting_go = Action(scope, self._let_go, second="drop")
        self._working = Action(scope, self._work, second="drop", on_error=not_done, on_change=tell)

    # What can be done

    @property
    def paper(self) -> PaperSize:
        """What was chosen, else what the country prints on."""
        chosen = self._settings.settings.paper
        if chosen is not None:
            return chosen
        return PaperSize.LETTER if QLocale().territory() in _LETTER else PaperSize.A4

    @property
    def busy(self) -> bool:
        """Whether pages are set, saved or printed."""
        return self._setting.running or self._working.running

    @property
    def working(self) -> bool:
        """Whether pages are saved or printed."""
        return self._working.running

    @property
    def file_name(self) -> str:
        """A name for the file, without an ending, until a person chooses another."""
        name = _NOT_IN_A_FILE_NAME.sub(" ", self._document.title)[:_LONGEST_FILE_NAME]
        return name.strip(" .") or tr("Front Desk")

    def open(self, request: PrintRequest, typesetter: Typesetter) -> None:
        """Somebody wants to see this on pages."""
        self._typesetter = typesetter
        self._is_open = True
        self._picture = isinstance(request, PrintFlow)
        self._document = PrintedDocument("")
        self._take_pages(())
        self._feedback.say(_left_out_words(request))
        self._setting(request)
        self._tell()

    def close(self) -> None:
        """Nobody looks any more."""
        self._is_open = False
        self._setting.cancel()
        self._take_pages(())

    def choose_paper(self, paper: PaperSize) -> None:
        """Set the pages anew on this paper, now and from now on."""
        if paper is self.paper and self._settings.settings.paper is not None:
            return
        try:
            self._settings.change(paper=paper)
        except SettingsError as error:
            self._feedback.say_error(error)
        if self._document.sections:
            self._setting(None)
        self._tell()

    def cancel(self) -> None:
        """Give up what is under way; a file that is being written comes to its end, and is told."""
        if self._writes:
            return
        if self._working.running:
            self._working.cancel()
            self._feedback.say(tr("Cancelled: nothing was saved or printed."))
        elif self._setting.running:
            self._setting.cancel()
            self._feedback.say(tr("Cancelled."))

    def save(self, path: str) -> None:
        """Write the pages to a PDF file; says how that went."""
        self._start_with_pages(partial(self._save_pdf, Path(path), self._pages, self._document))

    def print_on(self, job: PrintJob, printer: str) -> None:
        """Send the pages to what was chosen; says how that went."""
        work = job.print_pages(self._pages, self._document.title)
        self._start_with_pages(partial(self._print, work, printer))

    def copy_picture(self) -> None:
        """Hand over the flow as a picture for the clipboard."""
        if self.state.has_picture:
            self._start_with_pages(partial(self._copy_picture, self._document))

    def copy_picture_of(self, flow_id: str, typesetter: Typesetter) -> None:
        """Hand over a flow in the same way, nothing of it being shown before."""
        self._typesetter = typesetter

        async def work() -> None:
            document = await self._written(PrintFlow(flow_id))
            if document.sections:
                await self._copy_picture(document)
            else:
                self._told(tr("This flow is not there any more."), is_error=True)

        self._start(work)

    def no_printer(self) -> None:
        """There is nothing to print on."""
        self._feedback.say(
            tr("No printer was found on this computer. Save it as a PDF, to be printed elsewhere."),
            is_error=True,
        )

    def dismiss(self) -> None:
        """What was said has been read."""
        self._feedback.say("")

    # How it is set

    async def _set(self, request: PrintRequest | None) -> None:
        """Set anew what `request` asks for, or, without one, what is there already."""
        typesetter = self._typesetter
        if typesetter is None:
            return
        if request is not None:
            self._document = await self._written(request)
        if self._document.sections:
            work = typesetter.lay_out(self._document, self.paper)
            self._take_pages(await self._in_slices(work, tr("Setting the pages")))

    def _take_pages(self, pages: tuple[PrintedPage, ...]) -> None:
        before, self._pages = self._pages, pages
        # Nobody holds those before when they are let go.
        self._tell()
        self._let_go_of(before)

    def _let_go_of(self, pages: Sequence[PrintedPage]) -> None:
        """A few in each turn: to free a thousand of them takes a frame."""
        self._old_pages += pages
        if self._old_pages:
            self._letting_go()

    async def _let_go(self) -> None:
        def one_by_one() -> Iterator[None]:
            while self._old_pages:
                self._old_pages.pop()
                yield

        async for _ in in_turns(one_by_one()):
            pass

    async def _written(self, request: PrintRequest) -> PrintedDocument:
        """What was asked for, in words."""
        flows = self._catalogue.flows()
        if isinstance(request, PrintFlow):
            flows = tuple(flow for flow in flows if flow.id == request.flow_id)
        administrators = Administrators(flows, _nobody)
        for _ in administrators.read_in_slices():
            await asyncio.sleep(0)
        wanted: tuple[str, ...] = ()
        if isinstance(request, PrintPeople):
            wanted = request.person_ids
        elif isinstance(request, PrintAway):
            wanted = (request.person_id,)
        people = await self._directory.people_by_id({*administrators.everybody(), *wanted})
        # Before the people have been read nobody can say who is not among them.
        known = self._directory.as_of is not None
        administrators = administrators.with_people(people.get, people_read=known)
        sections = _sections(request, flows, administrators)
        written = await self._in_slices(_collected(sections), tr("Setting the pages"))
        # What has to be known before the pages are believed.
        notes = missing_words(self._catalogue.missing), unknown_names_words(self._directory)
        return PrintedDocument(
            title=_title(request, written),
            account=self._session.state.account_name,
            date=day(datetime.now(UTC)),
            notes=tuple(filter(None, notes)),
            sections=tuple(written),
            contents=isinstance(request, PrintAllFlows),
            page_each=isinstance(request, PrintPeople),
        )

    async def _in_slices(self, work: Generator[float, None, Done], words: str) -> Done:
        """Do all of `work`, telling how far it is once it takes long; gives its value."""
        begun = told = perf_counter()
        done: list[Done] = []

        def shares() -> Iterator[float]:
            done.append((yield from work))

        with closing(work):
            async for share in in_turns(shares(), turn_seconds=AT_ONCE_SECONDS):
                now = perf_counter()
                if now - begun > _TELL_AFTER and now - told > _TELL_EVERY:
                    told = now
                    self._tell_work(words, share)
        return done[0]

    # How it is taken along

    def _start_with_pages(self, work: Callable[[], _Work]) -> None:
        if self._setting.running or not self._pages:
            unset = tr("The pages are not set yet. Try again in a moment.")
            self._say(unset, is_error=True)
        else:
            self._start(work)

    def _start(self, work: Callable[[], _Work]) -> None:
        if self._working(work):
            self._feedback.say("")
        else:
            still = tr("The last one is still being saved or printed. Try again in a moment.")
            self._say(still, is_error=True)

    async def _work(self, work: Callable[[], _Work]) -> None:
        pages = self._pages
        try:
            await work()
        finally:
            if pages is not self._pages:
                self._let_go_of(pages)

    async def _save_pdf(
        self, path: Path, pages: Sequence[PrintedPage], document: PrintedDocument
    ) -> None:
        if self._typesetter is not None:
            work = self._typesetter.pdf(pages, document.title, document.account)
            content = await self._in_slices(work, tr("Saving"))
            await self._write(path, content)

    async def _copy_picture(self, document: PrintedDocument) -> None:
        if self._typesetter is None:
            return
        page = await self._in_slices(self._typesetter.picture(document), tr("Copying"))
        if page.height > _LONGEST_PICTURE:
            long = tr("This flow is too long for a picture. Save it as a PDF.")
            self._told(long, is_error=True)
            return
        image = await self._in_slices(self._typesetter.image(page), tr("Copying"))
        self.copied.emit(CopiedPicture(image))
        self._told(tr("The picture is copied."))

    async def _write(self, path: Path, content: bytes) -> None:
        self._writes = True
        try:
            await asyncio.to_thread(save_as, path, content)
        except OSError as error:
            self._told(not_saved_words(path, error), is_error=True)
        else:
            self._told(tr("{file} is saved.", file=path.name))
        finally:
            self._writes = False

    async def _print(self, work: Generator[float, None, bool], printer: str) -> None:
        if await self._in_slices(work, tr("Printing")):
            self._told(tr("Sent to {printer}.", printer=printer))
        else:
            refused = tr("{printer} did not take it. Nothing was printed.", printer=printer)
            self._told(refused, is_error=True)

    def _told(self, sentence: str, *, is_error: bool = False) -> None:
        """Say how it went."""
        self.failures += is_error
        self._say(sentence, is_error=is_error)

    def _not_done(self, error: Exception) -> None:
        self._told(error.message if isinstance(error, ExpectedError) else str(error), is_error=True)

    def _say(self, sentence: str, *, is_error: bool = False) -> None:
        """To whoever has gone on to other work, too."""
        if self._is_open:
            self._feedback.say(sentence, is_error=is_error)
        else:
            self._session.say(Notice(sentence, calm=not is_error, passing=not is_error))

    # How it is shown

    def _tell_work(self, words: str, share: float) -> None:
        self._work_words, self._work_share = words, share
        self._tell()

    def _tell(self) -> None:
        if not self.busy:
            self._work_words, self._work_share = "", 0.0
        nothing = not self._pages and not self._setting.running
        self._set_state(
            PrintState(
                title=self._document.title,
                paper=self.paper,
                pages=self._pages,
                has_picture=self._picture and bool(self._pages),
                work_words=self._work_words,
                work_share=self._work_share,
                empty_words=tr("There is nothing to print.") if nothing else "",
                said=self._feedback.sentence,
                trouble=self._feedback.is_error,
            )
        )


def pages_words(place: int, total: int) -> str:
    """Which of the pages is looked at; `place` counts from 1."""
    return tr("Page {page} of {total}", page=number(place), total=number(total))


def _sections(
    request: PrintRequest, flows: Sequence[PeopleFlow], administrators: Administrators
) -> Iterator[PrintedSection | None]:
    """What was asked for, each of it a step; None is a step without any."""
    if isinstance(request, PrintPeople):
        yield from (person_section(person_id, administrators) for person_id in request.person_ids)
    elif isinstance(request, PrintAway):
        yield away_section(request.person_id, administrators)
    elif isinstance(request, PrintNews | PrintGaps):
        yield from _list_section(request)
    elif isinstance(request, PrintNothing):
        yield PrintedSection(title=request.title, details=request.notes)
    else:
        yield from (flow_section(flow, administrators) for flow in flows)


def _list_section(request: PrintNews | PrintGaps) -> Iterator[PrintedSection | None]:
    """The one section of a list; None for each step on the way there."""
    groups: Iterator[PrintedGroup | None]
    if isinstance(request, PrintNews):
        groups = news_groups(request.rows())
    else:
        groups = gaps_groups(request.gaps)
    found: list[PrintedGroup] = []
    for group in groups:
        if group is not None:
            found.append(group)
        yield None
    if found or isinstance(request, PrintGaps):
        yield PrintedSection(title=request.title, details=request.notes, groups=tuple(found))


def _collected(
    sections: Iterator[PrintedSection | None],
) -> Generator[float, None, list[PrintedSection]]:
    found: list[PrintedSection] = []
    for section in sections:
        if section is not None:
            found.append(section)
        yield 0
    return found


def _left_out_words(request: PrintRequest) -> str:
    """That not all who were chosen are printed; blank where they are."""
    if not isinstance(request, PrintPeople) or not request.left_out:
        return ""
    first = len(request.person_ids)
    return tr(
        "Only the first {first} of the {all} people you chose who administer something are "
        "printed.",
        first=number(first),
        all=number(first + request.left_out),
    )


def _title(request: PrintRequest, sections: Sequence[PrintedSection]) -> str:
    if isinstance(request, PrintAllFlows):
        return tr("People flows")
    if isinstance(request, PrintPeople) and len(sections) != 1:
        return tr("Who is responsible for what")
    return sections[0].title if sections else ""


def _nobody(_person_id: str) -> Person | None:
    return None
