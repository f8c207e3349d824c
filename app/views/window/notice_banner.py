"""The sentence of a `SessionScreen` as a banner: which words and which act belong to an offer."""

from collections.abc import Callable, Mapping

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.runtime.words import tr
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.window.session import SessionScreen
from app.views.widgets.announcing import announce
from app.views.widgets.banner import Act, Banner


class NoticeBanner(Banner):
    """One sentence at a time: a newer one takes the place of the older."""

    def __init__(
        self,
        session: SessionScreen,
        acts: Mapping[NoticeAction, Act],
        parent: QWidget | None = None,
    ) -> None:
        """`acts` are the window's own; what the session itself can do is known here."""
        super().__init__(parent)
        self.closed.connect(session.dismiss)
        self._session = session
        self._copied: Notice | None = None
        self._acts_of: dict[NoticeAction, Act] = {
            NoticeAction.TRY_AGAIN: session.restore,
            NoticeAction.CHECK_CONNECTION: session.check_connection,
            NoticeAction.SIGN_OUT_ANYWAY: session.sign_out,
            NoticeAction.COPY_DETAILS: self._copy_details,
            NoticeAction.SEND_THERE: session.agree,
            NoticeAction.SAME_ACCOUNT: session.agree,
            NoticeAction.OTHER_ACCOUNT: session.decline,
            **acts,
        }
        session.state_changed.connect(self._show_notice)
        self._show_notice()

    def _show_notice(self) -> None:
        notice = self._session.state.notice
        if notice is None:
            self._copied = None
            self.hide()
            return
        first, also = self._action(notice.action), self._action(notice.also)
        words, act = first or ("", None)
        self.say(notice.sentence, words, act, also=also, calm=notice.calm)

    def _action(self, action: NoticeAction) -> tuple[str, Act] | None:
        if action is NoticeAction.NOTHING:
            return None
        if action is NoticeAction.COPY_DETAILS and self._copied == self._session.state.notice:
            return tr("Copied"), self._acts_of[action]
        return _WORDS[action](), self._acts_of[action]

    def _copy_details(self) -> None:
        notice = self._session.state.notice
        if notice is not None:
            QGuiApplication.clipboard().setText(notice.details)
            self._copied = notice
            self._show_notice()
            announce(self, tr("Copied"))


_WORDS: Mapping[NoticeAction, Callable[[], str]] = {
    NoticeAction.SIGN_IN_AGAIN: lambda: tr("Sign in again"),
    NoticeAction.TRY_AGAIN: lambda: tr("Try again"),
    NoticeAction.CHECK_CONNECTION: lambda: tr("Try now"),
    NoticeAction.COPY_DETAILS: lambda: tr("Copy details"),
    NoticeAction.SIGN_OUT: lambda: tr("Sign out"),
    NoticeAction.CLOSE_ANYWAY: lambda: tr("Close anyway"),
    NoticeAction.SIGN_OUT_ANYWAY: lambda: tr("Sign out anyway"),
    NoticeAction.SEND_THERE: lambda: tr("Send there anyway"),
    NoticeAction.SAME_ACCOUNT: lambda: tr("Yes, it is the same"),
    NoticeAction.OTHER_ACCOUNT: lambda: tr("It is another account"),
}
