"""What is asked and waited for before the window closes or somebody signs out, so that nothing that
was typed is lost.

How many wait, and what would be lost, is known to the workspace; the sentences are in `notices`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from PySide6.QtCore import QTimer

from app.runtime.data_folder import takes_more
from app.viewmodels.notices import (
    Notice,
    NoticeAction,
    closing_file_words,
    closing_unsent_words,
    closing_words,
    signing_out_words,
)
from app.viewmodels.window.session import SessionScreen
from app.views.window.main_window import MainWindow
from app.workspace.switcher import WorkspaceSwitcher
from app.workspace.workspace import Workspace

_SENDING_MILLISECONDS = 8_000
"""How long those who are held may leave once the window is closed; the next start sends who is
left."""
_ARRIVING_MILLISECONDS = 30_000
"""How long those who have left by then may take: whoever is cut off on the way has to be made sure
of, and where nobody can, a person has to decide."""
_WRITING_MILLISECONDS = 100
"""Between two looks at whether a file is written."""
_WRITING_SECONDS = 60
"""How long a window that was closed waits for one."""
_UNREAD_SECONDS = 3.0
"""A question that is answered sooner by what happens was read by nobody."""


class _Place(NamedTuple):
    """Where somebody is, and what they have typed there."""

    typed: str = ""
    tab: int = 0
    page: type | None = None
    """The kind of the window's own page that is shown; None for the lists."""


class Closing:
    """Asks before the window closes or somebody signs out, and waits for what is under way."""

    def __init__(
        self,
        data_folder: Path,
        window: MainWindow,
        screen: SessionScreen,
        switcher: WorkspaceSwitcher,
        quit_now: Callable[[], None],
    ) -> None:
        """`quit_now` ends the program, whatever is under way."""
        self._data_folder = data_folder
        self._window = window
        self._screen = screen
        self._switcher = switcher
        self._quit = quit_now
        self._asked_to_close: Notice | None = None
        self._asked_at, self._asked_beside = 0.0, ""
        self._asked_to_sign_out: Notice | None = None
        self._waited: frozenset[str] = frozenset()
        """Ids of those who were not sent when somebody asked to sign out; nobody once they have
        gone on typing: it does not go on by itself then."""
        self._asked_from = _Place()
        self._send_timer = QTimer(singleShot=True, interval=_SENDING_MILLISECONDS)
        self._send_timer.timeout.connect(self._send_nobody_more)
        self._arrive_timer = QTimer(singleShot=True, interval=_ARRIVING_MILLISECONDS)
        self._arrive_timer.timeout.connect(self._quit)
        self._file_timer = QTimer(interval=_WRITING_MILLISECONDS)
        self._file_timer.timeout.connect(self._close_when_written)
        self._waits_for_file_until = 0.0
        self._files_failed_before = 0
        self._ended = False
        screen.state_changed.connect(self._said_something_else)
        window.lists_shown.connect(self._lists_shown)
        window.close_wanted.connect(self.ask_to_quit)
        window.quit_wanted.connect(self.ask_to_quit)
        window.sign_out_wanted.connect(self.ask_to_sign_out)

    def ask_to_quit(self) -> None:
        """Quit, but do not lose what somebody typed; a second time quits all the same."""
        workspace = self._switcher.shown
        if workspace is None or workspace.leaving:
            self._quit()
        elif workspace.writes_file:
            self._ask_to_wait_for_file(workspace)
        elif sentence := self._closing_sentence(workspace):
            self._ask_about_closing(workspace, sentence)
        elif workspace.has_to_send:
            self._send_and_quit(workspace)
        else:
            self._quit()

    def ask_to_sign_out(self) -> None:
        """Sign out; where that keeps or loses what somebody typed, ask first. Where those who are
        not sent yet are all that is asked about, it goes on by itself once they are, as long as
        the question stands and whoever asked did nothing since.
        """
        workspace = self._switcher.shown
        # Somebody who says that it is the wrong account has been told who waits.
        if workspace is not None and not workspace.asks_for_account:
            sentence = self._signing_out_sentence(workspace)
            if sentence:
                self._waited = frozenset(entry.id for entry in workspace.unsent())
                self._asked_from = self._place(workspace)
                self._ask_about_signing_out(workspace, sentence)
                return
        self._screen.sign_out()

    def come_to_front(self) -> None:
        """The window is wanted: it is not to close, nor by itself once those who are held are sent,
        for which it was hidden.
        """
        if self._asked_to_close is not None:
            self._screen.take_back(self._asked_to_close)
        if self._send_timer.isActive() or self._arrive_timer.isActive():
            self._send_timer.stop()
            self._arrive_timer.stop()
            if self._switcher.shown is not None:
                self._switcher.shown.stay()
            self._window.show()
        self._window.come_to_front()

    def end(self) -> None:
        """The program ends: nothing is asked or waited for any more."""
        self._ended = True
        for timer in (self._send_timer, self._arrive_timer, self._file_timer):
            timer.stop()

    # The file that is written

    def _ask_to_wait_for_file(self, workspace: Workspace) -> None:
        """The window stays, since it says how the file went, and whoever does not want to wait can
        say so there.
        """
        if self._file_timer.isActive():
            return
        self._files_failed_before = workspace.files_failed
        self._asked_to_close = Notice(closing_file_words(), NoticeAction.CLOSE_ANYWAY)
        self._screen.ask_before_leaving(self._asked_to_close)
        self._waits_for_file_until = monotonic() + _WRITING_SECONDS
        self._file_timer.start()

    def _close_when_written(self) -> None:
        workspace, asked = self._switcher.shown, self._asked_to_close
        if workspace is None or asked is None:
            self._file_timer.stop()
        elif not workspace.writes_file:
            self._file_timer.stop()
            self._screen.take_back(asked)
            if workspace.files_failed == self._files_failed_before:
                self.ask_to_quit()
        elif monotonic() > self._waits_for_file_until:
            self._quit()

    # Those who are held

    def _send_and_quit(self, workspace: Workspace) -> None:
        """The window goes at once, the program when those who are held are sent, or cannot be."""
        self._window.hide()
        self._send_timer.start()
        workspace.leave_when_sent(self._quit)

    def _send_nobody_more(self) -> None:
        """It takes too long: who is on the way may arrive, the others go at the next start."""
        workspace = self._switcher.shown
        if workspace is None:
            self._quit()
        else:
            self._arrive_timer.start()
            workspace.leave_when_arrived(self._quit)

    # The questions

    def _ask_about_closing(self, workspace: Workspace, sentence: str) -> None:
        # While something is typed or undecided, closing waits for a person, not for the connection;
        # and for nobody who is kept.
        waits = workspace.half_typed or workspace.undecided or workspace.losing_lists_words
        sends = not (waits or workspace.kept)
        workspace.follow_typed(self._ask_anew)
        workspace.leave_when_sent(self._quit if sends else self._stay_open)
        if self._asked_to_close is None:
            self._asked_at = monotonic()
            self._asked_beside = workspace.screens.quick_add.state.typed
        self._asked_to_close = Notice(sentence, NoticeAction.CLOSE_ANYWAY)
        self._screen.ask_before_leaving(self._asked_to_close)

    def _ask_about_signing_out(self, workspace: Workspace, sentence: str) -> None:
        workspace.follow_typed(self._ask_anew)
        self._asked_to_sign_out = Notice(sentence, NoticeAction.SIGN_OUT_ANYWAY)
        self._screen.ask_before_leaving(self._asked_to_sign_out)

    def _closing_sentence(self, workspace: Workspace) -> str:
        if workspace.losing_lists_words:
            return workspace.losing_lists_words
        if not self._keeps_all_of(workspace):
            return closing_words(
                half_typed=workspace.half_typed,
                undecided=workspace.undecided,
                unsent=0 if workspace.kept else workspace.unsent_count,
            )
        reason = workspace.cannot_send
        if not workspace.has_to_send or reason is None:
            return ""
        return closing_unsent_words(workspace.to_send_count, reason)

    def _signing_out_sentence(self, workspace: Workspace) -> str:
        if workspace.losing_lists_words:
            return workspace.losing_lists_words
        keeps_all = self._keeps_all_of(workspace)
        # Where the line alone finds no room, nobody else is lost.
        tells_unsent = keeps_all or not workspace.kept
        return signing_out_words(
            half_typed=workspace.half_typed,
            unsent=workspace.unsent_count if tells_unsent else 0,
            kept=keeps_all,
        )

    def _keeps_all_of(self, workspace: Workspace) -> bool:
        """Whether what is typed there outlives this run: a half-typed line may find no room, while
        whoever was added is on the disk by then.
        """
        return workspace.kept and (not workspace.half_typed or takes_more(self._data_folder))

    def _stay_open(self) -> None:
        """Nothing more is on its way, but somebody still has to say that the window may close."""

    def _said_something_else(self) -> None:
        """Putting the sentence about closing away means: stay open."""
        asked = self._asked_to_close
        if asked is not None and self._screen.state.notice is not asked:
            self._asked_to_close = None
            if self._switcher.shown is not None:
                self._switcher.shown.stay()

    def _lists_shown(self, _screens: object) -> None:
        """What is asked stands on where the lists are shown anew: in another language, say."""
        # What was typed is in the line again by then.
        QTimer.singleShot(0, self._window, partial(self._ask_anew, of_new_lists=True))

    def _ask_anew(self, *, of_new_lists: bool = False) -> None:
        """Before leaving: say what would be lost or left behind now, and nothing once that is
        nobody. `of_new_lists`: other lists than those it was asked about are to be followed.
        """
        workspace, asked = self._switcher.shown, self._screen.state.notice
        if workspace is None or asked is None or self._ended:
            return
        if asked is self._asked_to_sign_out:
            sentence, ask = self._signing_out_sentence(workspace), self._ask_about_signing_out
        elif asked is self._asked_to_close:
            sentence, ask = self._closing_sentence(workspace), self._ask_about_closing
        else:
            return
        if self._place(workspace) != self._asked_from:
            self._waited = frozenset()
        if not sentence:
            unread = asked is self._asked_to_close and self._nobody_read_question(workspace)
            all_sent = bool(self._waited) and workspace.nobody_taken_off(self._waited)
            self._screen.take_back(asked)
            if unread:
                self.ask_to_quit()
            elif asked is self._asked_to_sign_out and all_sent:
                self.ask_to_sign_out()
        elif of_new_lists or sentence != asked.sentence:
            ask(workspace, sentence)

    def _nobody_read_question(self, workspace: Workspace) -> bool:
        """Whether it goes as it comes: who wanted to close, and did nothing since, still does."""
        at_once = monotonic() - self._asked_at < _UNREAD_SECONDS
        return at_once and workspace.screens.quick_add.state.typed == self._asked_beside

    def _place(self, workspace: Workspace) -> _Place:
        """Whoever asked to sign out and is elsewhere since, or has typed on, goes on."""
        page = self._window.page
        return _Place(
            workspace.screens.quick_add.state.typed,
            self._window.header.tabs.currentIndex(),
            # In another language it is built anew.
            None if page is None else type(page),
        )
