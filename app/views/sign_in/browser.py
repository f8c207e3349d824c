"""The embedded browser, which alone imports WebEngine, and is imported only when somebody signs in.

It shows the account's page and asks the attempt about every step; what a navigation or a failure
means is decided in the view-model.
"""

import asyncio
import logging
import re
import sys
from functools import partial
from typing import Any
from urllib.parse import urljoin

import shiboken6
from PySide6.QtCore import (
    QByteArray,
    QChildEvent,
    QMessageLogContext,
    QObject,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineLoadingInfo,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineScript,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineWebAuthUxRequest,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from app.accounts.registry import AccountRegistry
from app.api.sign_in.oauth import SignInAnswer, SignInRequest
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.authorisation import FIRST_PAGE_SECONDS, Authorisation
from app.viewmodels.sign_in.load_errors import load_error_of
from app.viewmodels.sign_in.system_browser import SystemBrowser
from app.views.sign_in.authorisation_dialog import AuthorisationDialog
from app.views.sign_in.browser_lockdown import (
    DOCUMENT_SHOWN,
    MAY_COPY,
    copying_script,
    hush,
    lock_down,
    no_calls_script,
    pages_only_script,
    policy_script,
    redirect_addresses,
    spelling_script,
)

_log = logging.getLogger(__name__)

_Attribute = QWebEngineSettings.WebAttribute
_Kind = QWebEngineUrlRequestInfo.ResourceType
_Redirect = QWebEnginePage.NavigationType.NavigationTypeRedirect
_Status = QWebEngineLoadingInfo.LoadStatus
_World = QWebEngineScript.ScriptWorldId

# On unless told otherwise. Clipboard, plug-ins, full screen and the like are off already.
_OFF = (
    _Attribute.AutoLoadIconsForPage,
    # The sentences for a page that does not come are ours.
    _Attribute.ErrorPageEnabled,
    _Attribute.LocalContentCanAccessFileUrls,
    _Attribute.NavigateOnDropEnabled,
    _Attribute.PdfViewerEnabled,
)
# What signing in does not need, and what goes on when the page has gone.
_NEVER_FETCHED = frozenset(
    {
        _Kind.ResourceTypeCspReport,
        _Kind.ResourceTypePing,
        _Kind.ResourceTypePrefetch,
        _Kind.ResourceTypeServiceWorker,
        _Kind.ResourceTypeSharedWorker,
        _Kind.ResourceTypeWorker,
    }
)
_MOMENT_MS = 250
_ZOOM_STEP = 1.1
_ZOOM_LIMITS = (0.5, 3.0)


def make_profile() -> QWebEngineProfile:
    """A profile without a name, which is off the record; the first of all starts Chromium.

    Qt then looks for a graphics card and remarks on what it does not find. No flag keeps that out
    of the terminal, so it is written to the log; what ends the program is still said there.
    """

    def listen(kind: QtMsgType, _where: QMessageLogContext, message: str) -> None:
        if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
            sys.stderr.write(f"{message}\n")
        else:
            _log.info("%s", message)

    before = qInstallMessageHandler(listen)
    try:
        return QWebEngineProfile()
    finally:
        qInstallMessageHandler(before)


class BrowserProfile:
    """What the browser remembers (cookies above all): in memory only, until `forget`.

    Keeping it between two sign-ins makes the second one a single click.
    """

    def __init__(self, registry: AccountRegistry) -> None:
        """Nothing is made before the first sign-in; those in `registry` may follow."""
        self._registry = registry
        self._profile: QWebEngineProfile | None = None
        self._guard: _Guard | None = None
        self._windows: set[_Window] = set()

    def forget(self) -> None:
        """Close what is open and drop every cookie: at sign-out and at the program's end."""
        for window in tuple(self._windows):
            window.attempt.close()
            self.release(window)
        profile, self._profile, self._guard = self._profile, None, None
        if profile is not None:
            shiboken6.delete(profile)

    def open(
        self, attempt: Authorisation, system_browser: SystemBrowser, parent: QWidget | None
    ) -> "_Window":
        """A window for `attempt`; give it back with `release`."""
        if self._profile is None or self._guard is None:
            hush()
            others = redirect_addresses(self._registry.accounts(), attempt.first_address)
            lock_down(attempt.kept_off, known=others)
            self._profile = make_profile()
            # On the page it would not see what workers ask for.
            self._guard = _Guard(self._profile)
            self._profile.setUrlRequestInterceptor(self._guard)
            self._profile.downloadRequested.connect(self._refuse_download)
        window = _Window(attempt, system_browser, self._profile, parent)
        self._windows.add(window)
        self._guard.attempt = attempt
        return window

    def release(self, window: "_Window") -> None:
        """Take a window down at once; a second call does nothing."""
        if window in self._windows:
            self._windows.remove(window)
            if self._guard is not None and self._guard.attempt is window.attempt:
                self._guard.attempt = None
            window.delete()

    def _refuse_download(self, download: QWebEngineDownloadRequest) -> None:
        # Nobody asks whose it is: `download.page()` makes the page the download's own, and both go.
        download.cancel()
        if self._guard is not None and self._guard.attempt is not None:
            self._guard.attempt.download_refused()


async def authorise(
    parent: QWidget | None,
    request: SignInRequest,
    profile: BrowserProfile,
    *,
    first_page_seconds: float = FIRST_PAGE_SECONDS,
) -> SignInAnswer | None:
    """Show the account's page over `parent` and wait for its end.

    Gives what the page gave, access or a one-time code, or None when the person closed the window.
    Raises ExpectedError with a sentence for every other end. Cancelling closes the window.
    `first_page_seconds` is how long nothing may be seen.
    """
    attempt = Authorisation(request, first_page_seconds=first_page_seconds)
    system_browser = SystemBrowser(attempt, request)
    outcome: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    def settle(result: object) -> None:
        if not outcome.done():
            outcome.set_result(result)

    attempt.ended.connect(settle)
    window = profile.open(attempt, system_browser, parent)
    try:
        window.begin()
        ended_with = await outcome
    finally:
        attempt.close()
        profile.release(window)
        await system_browser.close()
    if isinstance(ended_with, BaseException):
        raise ended_with
    return ended_with if isinstance(ended_with, SignInAnswer) else None


class _Window:
    """Page, view and dialog of one attempt, and the order in which they go."""

    def __init__(
        self,
        attempt: Authorisation,
        system_browser: SystemBrowser,
        profile: QWebEngineProfile,
        parent: QWidget | None,
    ) -> None:
        self.attempt = attempt
        self._page = _SignInPage(attempt, profile)
        self._view = _View(self._page)
        action = self._page.action
        self._dialog = AuthorisationDialog(
            attempt,
            self._view,
            action(QWebEnginePage.WebAction.Back),
            action(QWebEnginePage.WebAction.Reload),
            parent,
            system_browser=system_browser,
        )
        attempt.page_left.connect(self._page.stop_loading)
        attempt.page_wanted.connect(self._show_first_page)

    def begin(self) -> None:
        """Show the dialog and ask for the first page."""
        self._dialog.show()
        self.attempt.begin()
        self._show_first_page()

    def _show_first_page(self) -> None:
        self._view.setFocus()
        self._page.load(QUrl(self.attempt.first_address))

    def delete(self) -> None:
        """Page, view, dialog: a profile must outlive its pages, and nothing is left to a later turn
        of an event loop that may have ended.
        """
        for part in (self._page, self._view, self._dialog):
            if shiboken6.isValid(part):
                shiboken6.delete(part)


class _SignInPage(GuardedOverrides, QWebEnginePage):
    """Passes what happens on to the attempt; a page gets nothing that signing in does not need."""

    def __init__(self, attempt: Authorisation, profile: QWebEngineProfile) -> None:
        super().__init__(profile)
        self._attempt = attempt
        self._asked = ""
        self._led_to = ""
        for script in (
            _script(policy_script(attempt.first_address, attempt.kept_off), _World.UserWorld),
            _script(spelling_script(attempt.redirect_uri), _World.UserWorld),
            _script(copying_script(), _World.UserWorld),
            _script(pages_only_script(), _World.UserWorld),
            _script(no_calls_script(), _World.MainWorld),
        ):
            self.scripts().insert(script)
        settings = self.settings()
        for attribute in _OFF:
            settings.setAttribute(attribute, False)  # noqa: FBT003 - Qt's signature
        # A link to another program would carry its whole address, and so a token, to that program.
        settings.setUnknownUrlSchemePolicy(
            QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes
        )
        self.loadingChanged.connect(self._loading)
        self.loadProgress.connect(attempt.load_progressed)
        self.urlChanged.connect(self._arrived)
        self.contentsSizeChanged.connect(self._laid_out)
        self.newWindowRequested.connect(self._open_here)
        self.permissionRequested.connect(QWebEnginePermission.deny)
        self.webAuthUxRequested.connect(self._passkey)
        self.authenticationRequired.connect(self._password_box)
        self.proxyAuthenticationRequired.connect(self._password_box)
        self.renderProcessTerminated.connect(attempt.browser_died)

    def stop_loading(self) -> None:
        """Nobody looks at the page any more."""
        self.triggerAction(QWebEnginePage.WebAction.Stop)

    def acceptNavigationRequest(
        self,
        url: QUrl | str,
        kind: QWebEnginePage.NavigationType,
        main_frame: bool,  # noqa: FBT001 - Qt's signature
    ) -> bool:
        """Asked before every request for a page, each hop of a redirect included."""
        address = _written(url)
        if self._led_to:
            return False
        if main_frame and kind is _Redirect and self._attempt.is_answer(address):
            # How it was written only the answer says that led there, and in a moment: QUrl has
            # read it already.
            self._led_to = address
            QTimer.singleShot(_MOMENT_MS, self, self._hear)
            return False
        allowed = self._attempt.allows(address, main_frame=main_frame, page=self._shown_address())
        if allowed and main_frame:
            self._asked = address
        return allowed

    def _hear(self, location: str = "") -> None:
        """Tell the attempt where the page was led to; `location` is how an answer wrote that."""
        address, self._led_to = self._led_to, ""
        if not address:
            return
        head, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", address, re.DOTALL).groups()  # type: ignore[union-attr]  # it matches anything
        written = re.split(r"[?#]", urljoin(self._asked, location.strip()), maxsplit=1)[0]
        if location and _written(written) == head:
            head = written
        self._attempt.allows(f"{head}{mark}{rest}", main_frame=True, page=self._shown_address())

    def _shown_address(self) -> str:
        history = self.history()
        return _written(history.currentItem().url()) if history.count() else ""

    def javaScriptAlert(self, _origin: QUrl | str, message: str) -> None:
        """No box: Qt's would run a loop of its own inside ours."""
        self._attempt.page_said(message)

    def javaScriptConfirm(self, _origin: QUrl | str, message: str) -> bool:
        """No box, see `javaScriptAlert`; a question nobody was asked has no yes."""
        self._attempt.page_said(message)
        return False

    def javaScriptPrompt(
        self, _origin: QUrl | str, message: str, _default: str
    ) -> tuple[bool, str]:
        """No box, see `javaScriptAlert`."""
        self._attempt.page_said(message)
        return False, ""

    def javaScriptConsoleMessage(self, *_told: object) -> None:
        """Not logged: such messages quote addresses."""

    def chooseFiles(self, *_asked: object) -> list[str]:
        """No file of this computer goes into a sign-in page."""
        return []

    def _loading(self, info: QWebEngineLoadingInfo) -> None:
        attempt, status, address = self._attempt, info.status(), _written(info.url())
        self._hear(_header(info, b"location"))
        if status is _Status.LoadStartedStatus:
            attempt.load_started()
        elif info.isDownload():
            attempt.load_set_aside()
        elif status is _Status.LoadStoppedStatus:
            attempt.load_stopped(address, something_came=self.history().count() > 0)
        elif info.errorDomain() is QWebEngineLoadingInfo.ErrorDomain.HttpStatusCodeDomain:
            # A page came. Qt calls 400 and above a failure, but it is the page that explains it.
            attempt.load_ended(info.errorCode(), _media(info))
            self._ask_what_is_shown()
        elif status is _Status.LoadSucceededStatus:
            attempt.load_ended(media=_media(info))
            self._ask_what_is_shown()
        else:
            attempt.load_failed(load_error_of(info.errorCode()), address)

    def _arrived(self, _url: QUrl) -> None:
        # Not the url of the signal: that may be one still on its way, under the old page.
        if shown := self._shown_address():
            self._attempt.came_to(shown)
            self._ask_what_is_shown()

    def _ask_what_is_shown(self) -> None:
        self.runJavaScript(DOCUMENT_SHOWN, _World.UserWorld, self._shows)

    def _shows(self, answer: object) -> None:
        # Nothing where the page has gone by now.
        if answer:
            status, _, media = str(answer).partition(" ")
            self._attempt.document_shown(int(status), media)

    def _laid_out(self) -> None:
        if not self.contentsSize().isEmpty():
            self._attempt.content_shown()

    def _open_here(self, request: QWebEngineNewWindowRequest) -> None:
        url = request.requestedUrl()
        # Windows nobody clicked for are left unopened; the rest asks `acceptNavigationRequest`.
        if request.isUserInitiated() and self._attempt.may_fetch(_written(url)):
            self.load(url)

    def _passkey(self, request: QWebEngineWebAuthUxRequest) -> None:
        request.cancel()
        self._attempt.asked_for_passkey()

    def _password_box(self) -> None:
        self._attempt.asked_for_password()
        # Left to itself, Chromium asks the server again and again with an empty answer.
        self.triggerAction(QWebEnginePage.WebAction.Stop)


class _Guard(GuardedOverrides, QWebEngineUrlRequestInterceptor):
    """Stands before what a page loads as parts of itself: pictures, scripts, its own requests."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.attempt: Authorisation | None = None
        """Whose pages are shown; without one nothing may be asked for."""

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        """Asked before every request. Pages fetched on a guess are refused: those, and their
        redirects, never ask `acceptNavigationRequest`.
        """
        if not self._allows(info):
            info.block(True)  # noqa: FBT003 - Qt's signature

    def _allows(self, info: QWebEngineUrlRequestInfo) -> bool:
        guessed = any(name.toLower() == b"sec-purpose" for name in info.httpHeaders())
        return (
            self.attempt is not None
            and not guessed
            and info.resourceType() not in _NEVER_FETCHED
            and self.attempt.may_fetch(_written(info.requestUrl()))
        )


class _View(GuardedOverrides, QWebEngineView):
    """The page on the screen, with zoom keys and a menu of the three things one does with text."""

    def __init__(self, page: QWebEnginePage) -> None:
        super().__init__()
        self.setPage(page)
        for keys, factor in (
            ("Ctrl++", _ZOOM_STEP),
            ("Ctrl+=", _ZOOM_STEP),
            ("Ctrl+-", 1 / _ZOOM_STEP),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(partial(self._zoom, factor))
        QShortcut(QKeySequence("Ctrl+0"), self).activated.connect(partial(self.setZoomFactor, 1.0))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Cut, copy, paste; never the browser's own menu with its tools."""
        menu, action = QMenu(self), QWebEnginePage.WebAction
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Cut"), partial(self._copy, action.Cut))
        menu.addAction(tr("Copy"), partial(self._copy, action.Copy))
        menu.addAction(tr("Paste"), self.pageAction(action.Paste).trigger)
        menu.popup(event.globalPos())

    def childEvent(self, event: QChildEvent) -> None:
        """The browser opens its box of colours itself; it is put away before it is seen."""
        box = event.child()
        if event.polished() and isinstance(box, QDialog):
            box.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            QTimer.singleShot(0, box, box.reject)
        super().childEvent(event)

    def _copy(self, action: QWebEnginePage.WebAction) -> None:
        page = self.page()

        def copy(_said: object) -> None:
            if shiboken6.isValid(page):
                page.triggerAction(action)

        page.runJavaScript(MAY_COPY, _World.UserWorld, copy)

    def _zoom(self, factor: float) -> None:
        least, most = _ZOOM_LIMITS
        self.setZoomFactor(min(max(self.zoomFactor() * factor, least), most))


def _script(source: str, world: QWebEngineScript.ScriptWorldId) -> QWebEngineScript:
    """Runs in every page and frame before what stands there."""
    made = QWebEngineScript()
    made.setSourceCode(source)
    made.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    made.setWorldId(world)
    made.setRunsOnSubFrames(True)
    return made


def _media(info: QWebEngineLoadingInfo) -> str:
    """What the answer called itself, in small letters and without parameters."""
    return _header(info, b"content-type").partition(";")[0].strip().lower()


def _header(info: QWebEngineLoadingInfo, name: bytes) -> str:
    """A header of the answer; blank where it has none."""
    told = b""
    # Lists, whatever the binding's stubs say: a header may stand more than once.
    headers: dict[QByteArray, Any] = info.responseHeaders()
    for each, values in headers.items():
        if bytes(each.data()).lower() == name and values:
            told = bytes(values[-1].data())
    return told.decode("latin-1")


def _written(url: QUrl | str) -> str:
    """An address as it goes over the line: ASCII, everything in it kept."""
    return bytes(QUrl(url).toEncoded().data()).decode("ascii")
