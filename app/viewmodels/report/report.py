"""A report for whoever helps: the very text that is saved or copied is shown before."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from app.runtime.files import save_as
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels.exporting.saved_file import not_saved_words, written_in_thread
from app.viewmodels.screen import ActionFeedback, Screen


class ReportState(msgspec.Struct, frozen=True):
    """What the page shows."""

    text: str = ""
    """Blank while it is being put together."""
    failed: bool = False
    """It could not be, and nobody is to wait for it."""


class ReportScreen(Screen[ReportState]):
    """Has the report put together anew whenever it is gone to."""

    def __init__(self, scope: TaskScope, *, read: Callable[[], Awaitable[str]]) -> None:
        """`read` gives the text, which takes seconds."""
        super().__init__(ReportState())
        self.feedback = ActionFeedback(self)
        self._read = read
        self._reading = Action(
            scope, self._look, second="replace", on_error=self.feedback.say_error
        )
        self._writing = Action(scope, self._write, second="drop", on_error=self.feedback.say_error)

    @property
    def name(self) -> str:
        """What the file is called, unless somebody calls it otherwise."""
        return "Front Desk"

    def open(self) -> None:
        """The page comes to the front."""
        self.feedback.say("")
        self._set_state(ReportState())
        self._reading()

    def copied(self) -> None:
        """The text is on the clipboard."""
        self.feedback.say(tr("Copied"))

    def save(self, path: str) -> None:
        """Write the text that is shown."""
        if self.state.text:
            self._writing(Path(path), self.state.text)

    async def _look(self) -> None:
        try:
            text = await self._read()
        except Exception:
            self._set_state(ReportState(failed=True))
            raise
        self._set_state(ReportState(text))

    async def _write(self, path: Path, text: str) -> None:
        try:
            await written_in_thread(lambda: save_as(path, text.encode()))
        except OSError as error:
            self.feedback.say(not_saved_words(path, error), is_error=True)
            return
        self.feedback.say(tr("The report is saved in {file}.", file=path.name))
