"""The preview in a window: pages by keyboard, the paper, a file, a printer, and what goes wrong."""

import asyncio
import io
from collections.abc import Callable, Coroutine, Generator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QPushButton, QVBoxLayout, QWidget

from app.flows.gaps import GapKind
from app.model.flow import PeopleFlow, Step
from app.runtime.turns import BESIDE_SECONDS
from app.settings.settings import PaperSize
from app.tour.screen_reader import text_on_screen
from app.viewmodels.exporting import print_preview
from app.viewmodels.exporting.print_content import PrintedDocument
from app.viewmodels.exporting.print_preview import PrintScreen
from app.viewmodels.exporting.print_requests import (
    PrintAllFlows,
    PrintAway,
    PrintedNewsRow,
    PrintFlow,
    PrintNews,
    PrintNothing,
    PrintPeople,
    PrintRequest,
)
from app.viewmodels.exporting.printed_pages import PrintedPage
from app.views.exporting.clipboard import put_on_clipboard
from app.views.exporting.preview_page import PreviewPage
from app.views.exporting.printed_page_layout import PAPER_SIZES
from app.views.exporting.printer import PagesToPrinter
from app.views.exporting.typesetter import PageTypesetter
from app.views.look.theme import colour, tokens
from tests.viewmodels.conftest import ADA, BOB, AccountFixture
from tests.viewmodels.conftest import no_vault as no_vault  # noqa: PLC0414 - a fixture here too
from tests.viewmodels.flows.test_gaps_screen import screen_of as gaps_screen_of
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture
from tests.views.conftest import shown

Run = Callable[[Coroutine[Any, Any, Any]], Any]
Work = Callable[["PreviewFixture"], Coroutine[Any, Any, None]]
CTRL = Qt.KeyboardModifier.ControlModifier


def a_flow(flow_id: str, name: str, steps: int) -> PeopleFlow:
    return PeopleFlow(
        id=flow_id,
        name=name,
        steps=tuple(
            Step(id=f"{flow_id}{n}", name=f"{name} {n}", admins=("ada", "bob")[: n % 3])
            for n in range(steps)
        ),
    )


WELCOME = a_flow("w", "Welcome", 60)
BAPTISM = a_flow("b", "Baptism", 3)


class PreviewFixture:
    """The page in a window of its own, over a real account."""

    def __init__(self, account: AccountFixture, sign_in: SignInFixture) -> None:
        self.account = account
        self.sign_in = sign_in
        self.screen = PrintScreen(
            account.catalogue, account.directory, account.settings, sign_in.screen, account.scope
        )
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.page = PreviewPage(self.screen)
        # As the window does it.
        self.screen.copied.connect(put_on_clipboard)
        rows = QVBoxLayout(self.window)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.page)
        self.window.resize(900, 540)

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)

    async def open(self, request: PrintRequest) -> Sequence[PrintedPage]:
        self.screen.open(request, PageTypesetter())
        await self.account.until(lambda: not self.screen.busy)
        return self.screen.state.pages

    async def told(self, words: str) -> None:
        await self.account.until(lambda: words in text_on_screen())

    async def noticed(self, words: str) -> None:
        """The window says it, nobody looking at the preview."""

        def said() -> bool:
            notice = self.sign_in.screen.state.notice
            return notice is not None and notice.sentence.startswith(words)

        await self.account.until(said)

    def press(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key, modifiers)

    def button(self, words: str) -> QPushButton:
        return next(b for b in self.page.findChildren(QPushButton) if b.text() == words)


@pytest.fixture
def preview(
    run: Run,
    no_vault: None,  # noqa: ARG001 - nothing may reach the vault of this computer
    tmp_path: Path,
) -> Callable[..., None]:
    """Does `work` at a preview over these flows."""

    def visit(work: Work, *flows: PeopleFlow, people_read: bool = True) -> None:
        async def whole() -> None:
            account = AccountFixture()
            await account.open()
            if people_read:
                await account.list_people(ADA, BOB)
            await account.list_flows(*(flows or (WELCOME, BAPTISM)))
            sign_in = SignInFixture(tmp_path / "desk")
            subject = PreviewFixture(account, sign_in)
            async with shown(subject, account):
                await work(subject)
            await sign_in.scope.close()
            await sign_in.session.close()

        run(whole())

    return visit


def test_each_request_is_set_on_pages(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        (page,) = await subject.open(PrintFlow("b"))
        assert page.words[0] == "Baptism"
        pages = await subject.open(PrintAllFlows())
        assert pages[0].words[0] == "People flows"
        assert "Contents" in pages[0].words
        pages = await subject.open(PrintPeople(("bob", "ada")))
        assert [page.words[0] for page in pages if "continued" not in page.words[0]] == [
            "Bob Øst",
            "Ada Lovelace",
        ]

    preview(work)


@pytest.mark.parametrize(
    ("read", "name"),
    [(False, "somebody (…gone)"), (True, "somebody not in your list (…gone)")],
)
def test_nobody_is_said_not_to_be_in_a_list_that_was_not_read(
    preview: Callable[..., None], name: str, *, read: bool
) -> None:
    async def work(subject: PreviewFixture) -> None:
        (page,) = await subject.open(PrintFlow("f"))
        assert name in page.words
        untold = "The list of people has not been read yet: names are missing."
        assert (untold in page.words) is not read

    flow = PeopleFlow(id="f", name="Camp", steps=(Step(id="1", admins=("gone",)),))
    preview(work, flow, people_read=read)


def test_gaps_are_printed_as_they_are_listed(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        gaps = gaps_screen_of(subject.account)
        await subject.account.list_flows(WELCOME, BAPTISM)
        await subject.account.until(lambda: gaps.count == 25)

        async def printed() -> tuple[str, ...]:
            request = gaps.print_request()
            assert request is not None
            pages = await subject.open(request)
            return pages[0].words

        assert (await printed())[:2] == ("Gaps", "25 gaps")
        gaps.show_kind(GapKind.NO_ENTRY_POINT)
        assert (await printed())[:2] == ("Gaps: No entry point", "2 of 25 gaps")
        gaps.search("baptism")
        words = await printed()
        assert words[:4] == (
            "Gaps: No entry point",
            "1 of 25 gaps",
            "Only what matches “baptism”.",
            "Baptism",
        )
        assert "Welcome" not in words
        gaps.search("zzz")
        assert (await printed())[1] == "No gap matches “zzz”."
        gaps.search("")
        gaps.show_kind(GapKind.DECEASED)
        assert (await printed())[:2] == ("Gaps: Deceased", "There is no gap of this kind.")
        pages = await subject.open(PrintAway("ada"))
        assert pages[0].words[:2] == (
            "If Ada Lovelace is away",
            "Nobody for 21 of 42 steps and flows.",
        )
        lines = (PrintedNewsRow("Today", is_day=True), PrintedNewsRow("Bob Øst came"))
        (page,) = await subject.open(
            PrintNews("Since Monday", ("All of it.",), lambda: iter(lines))
        )
        assert page.words[:4] == ("Since Monday", "All of it.", "Today", "Bob Øst came")
        (page,) = await subject.open(PrintNothing("By person", ("Nobody matches.",)))
        assert page.words[:2] == ("By person", "Nobody matches.")

    preview(work)


def test_it_says_that_more_were_chosen_than_are_printed(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        said = "Only the first 1 of the 121 people you chose who administer something are printed."
        await subject.open(PrintPeople(("ada",), left_out=120))
        assert said in text_on_screen()
        await subject.open(PrintPeople(("ada", "bob")))
        assert said not in text_on_screen()

    preview(work)


def test_the_keys_lead_from_page_to_page_and_enlarge(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        many = len(await subject.open(PrintFlow("w")))
        assert many > 2
        view = subject.page.view
        assert QApplication.focusWidget() is view
        assert f"Page 1 of {many}" in text_on_screen()
        subject.press(Qt.Key.Key_PageDown)
        assert f"Page 2 of {many}" in text_on_screen()
        assert view.accessibleName() == f"Page 2 of {many}"
        assert "Welcome, continued" in view.accessibleDescription()
        subject.press(Qt.Key.Key_End)
        assert f"Page {many} of {many}" in text_on_screen()
        before = view.zoom
        subject.press(Qt.Key.Key_Plus, CTRL)
        assert view.zoom > before
        assert f"Page {many} of {many}" in text_on_screen()
        subject.press(Qt.Key.Key_0, CTRL)
        assert view.zoom < before
        subject.press(Qt.Key.Key_Home)
        assert f"Page 1 of {many}" in text_on_screen()

    preview(work)


def test_the_pages_wear_the_ring_while_they_have_the_keyboard_and_no_longer(
    preview: Callable[..., None],
) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        view, screen = subject.page.view, subject.window.screen()

        def edge() -> str:
            # As it stands on the screen: to draw it anew would hide what was not drawn.
            at = view.viewport().mapToGlobal(QPoint(1, view.viewport().height() // 2))
            return screen.grabWindow(0, at.x(), at.y(), 1, 1).toImage().pixelColor(0, 0).name()

        ring = colour(tokens().accent).name()
        await subject.account.until(lambda: edge() == ring)
        subject.button("Print…").setFocus()
        await subject.account.until(lambda: edge() != ring)
        view.setFocus()
        await subject.account.until(lambda: edge() == ring)

    preview(work)


def test_the_paper_is_kept_and_the_pages_set_anew(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        (before,) = await subject.open(PrintFlow("b"))
        other = next(paper for paper in PaperSize if paper is not subject.screen.paper)
        subject.screen.choose_paper(other)
        await subject.account.until(lambda: not subject.screen.busy)
        (after,) = subject.screen.state.pages
        assert (after.width, after.height) != (before.width, before.height)
        assert subject.account.settings.settings.paper is other
        (again,) = await subject.open(PrintFlow("b"))
        assert again.height == after.height

    preview(work)


def test_on_another_paper_the_first_page_is_told_anew(
    preview: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    # So low that there are more sheets of it, whatever the fonts are.
    monkeypatch.setitem(PAPER_SIZES, PaperSize.LETTER, (612, 400))

    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("w"))
        many = set()
        for paper in PaperSize:
            subject.screen.choose_paper(paper)
            await subject.account.until(lambda: not subject.screen.busy)
            many.add(len(subject.screen.state.pages))
            told = f"Page 1 of {len(subject.screen.state.pages)}"
            assert told in text_on_screen()
            assert subject.page.view.accessibleName() == told
        assert len(many) > 1

    preview(work)


def test_a_second_thing_waits_its_turn_and_it_is_said(
    preview: Callable[..., None], tmp_path: Path
) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        job = _SlowJob()
        subject.screen.print_on(job, "Office")
        await subject.told("Printing")
        subject.screen.save(str(tmp_path / "second.pdf"))
        await subject.told("The last one is still being saved or printed.")
        assert not job.ended
        subject.screen.cancel()
        await subject.account.until(lambda: job.ended)
        subject.screen.save(str(tmp_path / "second.pdf"))
        await subject.told("second.pdf is saved.")
        # A place was chosen while the pages are set for another paper.
        subject.screen.choose_paper(
            next(paper for paper in PaperSize if paper is not subject.screen.paper)
        )
        subject.screen.save(str(tmp_path / "early.pdf"))
        await subject.told("The pages are not set yet. Try again in a moment.")

    preview(work)


def test_a_pdf_is_saved_where_it_was_chosen(preview: Callable[..., None], tmp_path: Path) -> None:
    async def work(subject: PreviewFixture) -> None:
        pages = await subject.open(PrintFlow("w"))
        subject.press(Qt.Key.Key_S, CTRL)
        dialog = subject.page.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        assert dialog.selectedFiles()[0].endswith("Welcome.pdf")
        dialog.fileSelected.emit(str(tmp_path / "mine.pdf"))
        dialog.reject()
        await subject.told("mine.pdf is saved.")
        reader = PdfReader(tmp_path / "mine.pdf")
        assert len(reader.pages) == len(pages)

    preview(work)


def test_what_keeps_a_file_from_being_saved_is_told_and_nothing_is_lost(
    preview: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        subject.screen.save(str(tmp_path / "gone" / "a.pdf"))
        await subject.told("a.pdf could not be saved: its folder is not there any more.")
        kept = tmp_path / "kept.pdf"
        kept.write_bytes(b"what was there")

        def full(_file: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", full)
            subject.screen.save(str(kept))
            await subject.told("kept.pdf could not be saved: there is no room left there.")
        assert kept.read_bytes() == b"what was there"
        assert subject.screen.state.pages

    preview(work)
    assert list(tmp_path.glob(".kept*")) == []


def test_the_picture_of_a_flow_is_copied(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        subject.button("Copy the picture").click()
        await subject.told("The picture is copied.")
        assert QGuiApplication.clipboard().mimeData().hasImage()
        await subject.open(PrintAllFlows())
        assert not subject.button("Copy the picture").isVisible()

    preview(work)


def test_a_flow_is_copied_as_a_picture_without_a_preview(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        subject.page.hide()
        QGuiApplication.clipboard().clear()
        screen, typesetter = subject.screen, PageTypesetter()
        screen.copy_picture_of("b", typesetter)
        screen.copy_picture_of("w", typesetter)
        await subject.noticed("The last one is still being saved or printed.")
        await subject.noticed("The picture is copied.")
        assert QGuiApplication.clipboard().mimeData().hasImage()
        assert screen.failures == 0
        screen.copy_picture_of("gone", typesetter)
        await subject.noticed("This flow is not there any more.")
        assert screen.failures == 1
        assert not screen.state.pages

    preview(work)


def test_a_flow_too_long_for_a_picture_is_told(
    preview: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PreviewFixture) -> None:
        monkeypatch.setattr(print_preview, "_LONGEST_PICTURE", 5_000)
        await subject.open(PrintFlow("w"))
        subject.button("Copy the picture").click()
        await subject.told("This flow is too long for a picture.")

    preview(work)


def test_without_a_printer_the_page_says_so_and_offers_the_pdf(
    preview: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PreviewFixture) -> None:
        monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", staticmethod(list))
        await subject.open(PrintFlow("b"))
        subject.button("Print…").click()
        await subject.told("No printer was found on this computer. Save it as a PDF")

    preview(work)


def test_the_printer_is_asked_for_and_gets_the_pages(
    preview: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PreviewFixture) -> None:
        monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", staticmethod(lambda: ["Office"]))
        pages = await subject.open(PrintFlow("w"))
        subject.button("Print…").click()
        dialog = subject.page.findChild(QPrintDialog)
        assert isinstance(dialog, QPrintDialog)
        assert (dialog.minPage(), dialog.maxPage()) == (1, len(pages))
        dialog.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        dialog.printer().setOutputFileName(str(tmp_path / "paper.pdf"))
        QDialog.accept(dialog)
        await subject.told("Sent to")
        assert len(PdfReader(tmp_path / "paper.pdf").pages) == len(pages)

    preview(work)


def test_the_chosen_pages_go_to_the_printer(preview: Callable[..., None], tmp_path: Path) -> None:
    """A printer of Qt's own that prints to a file."""

    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("w"))
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "paper.pdf"))
        printer.setPrintRange(QPrinter.PrintRange.PageRange)
        printer.setFromTo(2, 3)
        subject.screen.print_on(PagesToPrinter(printer), "Office")
        await subject.told("Sent to Office.")
        reader = PdfReader(io.BytesIO((tmp_path / "paper.pdf").read_bytes()))
        assert len(reader.pages) == 2
        assert "Page 2 of" in " ".join(reader.pages[0].extract_text().split())
        printer.setPageOrder(QPrinter.PageOrder.LastPageFirst)
        printer.setOutputFileName(str(tmp_path / "backwards.pdf"))
        await subject.account.until(lambda: not subject.screen.working)
        subject.screen.print_on(PagesToPrinter(printer), "Back office")
        await subject.told("Sent to Back office.")
        reader = PdfReader(io.BytesIO((tmp_path / "backwards.pdf").read_bytes()))
        assert "Page 3 of" in " ".join(reader.pages[0].extract_text().split())

    preview(work)


@pytest.mark.qt_log_ignore("Returned false", extend=True)
def test_a_printer_that_takes_nothing_is_told(preview: Callable[..., None], tmp_path: Path) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "gone" / "paper.pdf"))
        subject.screen.print_on(PagesToPrinter(printer), "Office")
        await subject.told("Office did not take it. Nothing was printed.")

    preview(work)


class _SlowJob:
    """Prints until somebody gives it up."""

    def __init__(self) -> None:
        self.ended = False

    def print_pages(
        self, _pages: Sequence[PrintedPage], _title: str
    ) -> Generator[float, None, bool]:
        try:
            while True:
                yield 0.5
        finally:
            self.ended = True


def test_long_work_is_told_and_can_be_given_up(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        job = _SlowJob()
        subject.screen.print_on(job, "Office")
        await subject.told("Printing")
        subject.button("Cancel").click()
        await subject.told("Cancelled: nothing was saved or printed.")
        await subject.account.until(lambda: job.ended)
        assert "Printing" not in text_on_screen()
        assert subject.screen.state.pages

    preview(work)


def test_what_is_given_up_while_it_is_written_is_told_to_be_saved(
    preview: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PreviewFixture) -> None:
        begun, go_on = Event(), Event()

        def slow(_file: int) -> None:
            begun.set()
            go_on.wait(20)

        monkeypatch.setattr("os.fsync", slow)
        await subject.open(PrintFlow("b"))
        subject.screen.save(str(tmp_path / "whole.pdf"))
        await subject.account.until(begun.is_set)
        subject.screen.cancel()
        go_on.set()
        await subject.told("whole.pdf is saved.")
        assert PdfReader(tmp_path / "whole.pdf").pages

    preview(work)


def test_who_leaves_the_page_hears_how_the_printing_went(
    preview: Callable[..., None], tmp_path: Path
) -> None:
    async def work(subject: PreviewFixture) -> None:
        await subject.open(PrintFlow("b"))
        subject.screen.save(str(tmp_path / "late.pdf"))
        subject.page.hide()
        assert not subject.screen.state.pages
        await subject.noticed("late.pdf is saved.")
        assert PdfReader(tmp_path / "late.pdf").pages
        assert subject.screen.failures == 0
        subject.page.show()
        await subject.open(PrintFlow("b"))
        subject.screen.save(str(tmp_path / "gone" / "late.pdf"))
        subject.page.hide()
        await subject.noticed("late.pdf could not be saved: its folder is not there any more.")
        assert subject.screen.failures == 1

    preview(work)


def test_a_flow_that_is_gone_leaves_nothing_to_print(preview: Callable[..., None]) -> None:
    async def work(subject: PreviewFixture) -> None:
        assert not await subject.open(PrintFlow("gone"))
        await subject.told("There is nothing to print.")
        assert not subject.button("Print…").isEnabled()

    preview(work)


class _HeavyMark:
    """Takes a while to be freed, as all that stands on a page does."""

    def __init__(self, freed: list[object]) -> None:
        self._freed = freed

    def __del__(self) -> None:
        self._freed.append(None)


class _HeavyPages(PageTypesetter):
    def __init__(self, many: int) -> None:
        super().__init__()
        self._many = many
        self.freed: list[object] = []

    def lay_out(
        self,
        document: PrintedDocument,  # noqa: ARG002 - whatever is printed
        paper: PaperSize,  # noqa: ARG002
    ) -> Generator[float, None, tuple[PrintedPage, ...]]:
        yield 0.5
        marks = (_HeavyMark(self.freed) for _ in range(self._many))
        return tuple(PrintedPage(600, 800, (mark,)) for mark in marks)  # type: ignore[arg-type]


@pytest.mark.parametrize("leaves", ["closes", "chooses another paper", "opens another"])
def test_pages_that_nobody_looks_at_any_more_are_freed_a_few_in_each_turn(
    preview: Callable[..., None], leaves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PreviewFixture) -> None:
        many = 500
        heavy = _HeavyPages(many)
        clock = "app.runtime.turns.perf_counter"
        monkeypatch.setattr(clock, lambda: len(heavy.freed) * BESIDE_SECONDS / 10)
        screen = subject.screen
        subject.page.hide()
        screen.open(PrintAllFlows(), heavy)
        await subject.account.until(lambda: not screen.busy)
        assert len(screen.state.pages) == many
        freed, most = heavy.freed, 0
        if leaves == "closes":
            screen.close()
        elif leaves == "opens another":
            screen.open(PrintAllFlows(), PageTypesetter())
        else:
            other = {PaperSize.A4: PaperSize.LETTER, PaperSize.LETTER: PaperSize.A4}
            screen.choose_paper(other[screen.state.paper])
        most = len(freed)
        async with asyncio.timeout(20):
            while len(freed) < many:
                before = len(freed)
                await asyncio.sleep(0)
                most = max(most, len(freed) - before)
        assert most <= 20
        screen.close()

    preview(work)
