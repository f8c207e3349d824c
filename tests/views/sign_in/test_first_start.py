"""The first page under real keys and clicks: Enter, what is wrong, help to copy, files let go."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.session import SessionState
from app.api.errors import ApiError
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.viewmodels.notices import Notice
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.views.window.main_window import MainWindow
from tests.viewmodels.sign_in.sign_in_fixture import ADDRESS, AWAY, BY_PAGE, REFUSED, SignInFixture

Kind = TypeVar("Kind", bound=QWidget)
Run = Callable[[Coroutine[Any, Any, Any]], Any]
KNOWN = Account(
    id="a",
    name="Riverside Community",
    base_url="https://riverside.example.org",
    auth_method=AuthMethod.PAGE,
    client_id="front-desk",
    redirect_uri=DEFAULT_REDIRECT_ADDRESS,
    in_vault=False,
)


@pytest.fixture(autouse=True)
def _no_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    from keyring.backends import fail  # noqa: PLC0415 - loads slowly

    backend = fail.Keyring()  # type: ignore[no-untyped-call]  # theirs
    monkeypatch.setattr("keyring.core._keyring_backend", backend)


class Visitor:
    """Somebody in front of the window."""

    def __init__(self, window: MainWindow, sign_in: SignInFixture) -> None:
        self.window = window
        self.sign_in = sign_in

    def field(self, name: str) -> QLineEdit:
        """The field of that name, which may have to be unfolded first."""
        by_key = name.endswith(", to use an API key")
        if not any(name == line.accessibleName() for line in self._seen(QLineEdit)):
            self.button("Use an API key" if by_key else "Type them in").click()
        return self._named(QLineEdit, name)

    def button(self, name: str) -> QPushButton:
        return self._named(QPushButton, name)

    def type_into(self, name: str, text: str) -> QLineEdit:
        field = self.field(name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        return field

    def enter(self) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, Qt.Key.Key_Return)

    def sees(self, words: str) -> bool:
        texts = (each.text() for each in self.window.findChildren(QLabel) if each.isVisible())
        return any(words in text for text in texts)

    async def is_told(self, words: str) -> None:
        """Wait for the sentence across the window, which does not come under a moving pointer."""
        async with asyncio.timeout(60):
            while not self.sees(words):  # noqa: ASYNC110 - as somebody looks
                await asyncio.sleep(0.01)

    def places(self) -> dict[str, QRect]:
        """Where each control of the page stands in the window."""
        return {
            each.accessibleName() or getattr(each, "text", str)(): QRect(
                each.mapTo(self.window, QPoint()), each.size()
            )
            for each in self.window.first_start.findChildren(QWidget)
            if isinstance(each, QLineEdit | QPushButton) and each.isVisible()
        }

    def let_go(self, over: QWidget, *paths: Path) -> None:
        """Hold files over a widget and let them go there, as the window system tells it."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        # File managers send the names as a text too, which a field would take.
        data.setText("\n".join(str(path) for path in paths))
        target = over
        actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        no_key = Qt.KeyboardModifier.NoModifier
        while True:
            enter = QDragEnterEvent(QPointF(5, 5).toPoint(), actions, data, button, no_key)
            QApplication.sendEvent(target, enter)
            parent = target.parentWidget()
            if (target.acceptDrops() and enter.isAccepted()) or parent is None:
                break
            target = parent
        assert enter.isAccepted()
        drop = QDropEvent(QPointF(5, 5), actions, data, button, no_key)
        QApplication.sendEvent(target, drop)

    def _seen(self, kind: type[Kind]) -> list[Kind]:
        return [each for each in self.window.findChildren(kind) if each.isVisible()]

    def _named(self, kind: type[Kind], name: str) -> Kind:
        return next(
            each
            for each in self._seen(kind)
            if name in (each.accessibleName(), getattr(each, "text", str)())
        )


@pytest.fixture
def visit(run: Run, tmp_path: Path) -> Callable[..., None]:
    """Open the window on the first page and let a test act in front of it."""

    @asynccontextmanager
    async def opened(*known: Account) -> AsyncIterator[Visitor]:
        sign_in = SignInFixture(tmp_path / "desk")
        for account in known:
            sign_in.registry.leave(account)
        sign_in.screen.first_page.reread_known()
        window = MainWindow(sign_in.screen, ConnectionFiles(sign_in.screen))
        window.show()
        window.activateWindow()
        try:
            async with asyncio.timeout(60):
                while QApplication.activeWindow() is not window:  # noqa: ASYNC110 - the system's
                    await asyncio.sleep(0.005)
            yield Visitor(window, sign_in)
        finally:
            shiboken6.delete(window)
            await sign_in.scope.close()
            await sign_in.session.close()
        assert sign_in.crashes == []

    def start(act: Callable[[Visitor], Coroutine[Any, Any, None]], *known: Account) -> None:
        async def all_of_it() -> None:
            async with opened(*known) as visitor:
                if known:
                    visitor.window.show_first_start()
                await act(visitor)

        run(all_of_it())

    return start


Visit = Callable[..., None]


def test_enter_in_a_field_presses_the_button_of_its_way(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.type_into("Address", ADDRESS)
        visitor.type_into("Client ID", "front-desk")
        visitor.enter()
        await visitor.sign_in.ended()
        assert len(visitor.sign_in.asked) == 1
        visitor.sign_in.screen.sign_out()
        await visitor.sign_in.ended()
        visitor.type_into("Address, to use an API key", ADDRESS)
        visitor.type_into("API key, to use an API key", "a-key")
        visitor.enter()
        await visitor.sign_in.ended()
        assert visitor.sign_in.credentials[-1] == "a-key"

    visit(act)


def test_a_wrong_address_is_said_at_its_field_which_gets_the_keyboard(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        address = visitor.type_into("Address", "ftp://x.org")
        client = visitor.type_into("Client ID", "front-desk")
        visitor.enter()
        assert QApplication.focusWidget() is address
        assert address.accessibleDescription().startswith("The address begins with https://")
        assert (address.text(), client.text()) == ("ftp://x.org", "front-desk")
        QTest.keyClicks(address, ADDRESS)
        assert address.accessibleDescription() == ""
        assert not visitor.sees("The address begins with")

    visit(act)


def test_what_is_wrong_with_the_address_is_said_once_and_moves_nothing_below(
    visit: Visit,
) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.field("Address").setFocus()
        demo = visitor.button("Try the demo account")
        place = demo.mapTo(visitor.window, QPoint())
        visitor.enter()
        await asyncio.sleep(0.4)
        said = visitor.field("Address").accessibleDescription()
        shown = [each for each in visitor.window.findChildren(QLabel) if each.isVisible()]
        assert [each.text() for each in shown].count(said) == 1
        assert demo.mapTo(visitor.window, QPoint()) == place

    visit(act)


@pytest.mark.parametrize(
    ("size", "card", "text", "error"),
    [
        ((900, 560), "Address", "https//anselm.example.org", None),
        ((900, 560), "Address, to use an API key", "https//anselm.example.org", None),
        ((900, 560), "Address, to use an API key", ADDRESS, REFUSED),
        ((900, 560), "Address, to use an API key", ADDRESS, AWAY),
        ((900, 560), "Address", ADDRESS, AWAY),
        ((1366, 728), "Address, to use an API key", ADDRESS, AWAY),
    ],
)
def test_why_a_way_in_failed_is_said_once_and_moves_nothing(
    visit: Visit, size: tuple[int, int], card: str, text: str, error: ApiError | None
) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.window.resize(*size)
        visitor.type_into("Client ID", "front-desk")
        visitor.type_into("API key, to use an API key", "a-key")
        field = visitor.type_into(card, text)
        visitor.sign_in.error = error
        visitor.sign_in.granted = error or visitor.sign_in.granted
        await asyncio.sleep(0.1)
        places = visitor.places()
        visitor.enter()
        await visitor.sign_in.ended()
        await asyncio.sleep(0.4)
        problem = visitor.sign_in.screen.first_page.state.said
        assert problem is not None
        shown = [each for each in visitor.window.findChildren(QLabel) if each.isVisible()]
        assert [each.text() for each in shown].count(problem.sentence) == 1
        assert places.items() <= visitor.places().items()
        wrong = QApplication.focusWidget()
        QTest.keyClicks(wrong if isinstance(wrong, QLineEdit) else field, "x")
        assert not visitor.sees(problem.sentence)

    visit(act)


def test_the_details_of_a_refused_key_can_be_copied_where_it_is_said(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.sign_in.error = REFUSED
        visitor.type_into("Address, to use an API key", ADDRESS)
        visitor.type_into("API key, to use an API key", "a-key")
        visitor.enter()
        await visitor.sign_in.ended()
        visitor.button("Copy details").click()
        assert QGuiApplication.clipboard().text() == REFUSED.details
        visitor.button("Use this key").click()
        await visitor.sign_in.ended()
        assert visitor.button("Copy details").isEnabled()

    visit(act)


def test_what_has_to_be_read_stays_while_a_form_says_what_is_wrong(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.sign_in.screen.say_until_read(Notice("Somebody is not sent yet.", first=True))
        await visitor.is_told("Somebody is not sent yet.")
        visitor.type_into("Address", "ftp://x.org")
        visitor.enter()
        await asyncio.sleep(0.4)
        assert visitor.sees("The address begins with")
        assert visitor.sees("Somebody is not sent yet.")
        visitor.sign_in.screen.dismiss()
        await asyncio.sleep(0.4)
        assert not visitor.sees("Somebody is not sent yet.")
        assert visitor.sees("The address begins with")

    visit(act)


def test_a_refused_key_is_said_at_its_field_also_when_the_help_covered_it(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.sign_in.error = REFUSED
        visitor.type_into("Address, to use an API key", ADDRESS)
        key = visitor.type_into("API key, to use an API key", "a-key")
        visitor.enter()
        visitor.button("For the administrator").click()
        assert not key.isVisible()
        await visitor.sign_in.ended()
        assert key.isVisible()
        assert QApplication.focusWidget() is key
        assert key.text() == "a-key"
        assert visitor.sees("This key is not accepted.")

    visit(act)


@pytest.mark.parametrize("ending", ["refused", "stopped"])
def test_while_a_key_is_asked_about_the_form_is_closed_and_then_as_it_was_typed(
    visit: Visit, ending: str
) -> None:
    async def act(visitor: Visitor) -> None:
        sign_in = visitor.sign_in
        answer = sign_in.answer_gate = asyncio.Event()
        sign_in.error = REFUSED
        address = visitor.type_into("Address, to use an API key", ADDRESS)
        key = visitor.type_into("API key, to use an API key", "a-key")
        visitor.enter()
        await asyncio.sleep(0.01)
        for closed in (address, key, visitor.button("Use this key"), visitor.field("Address")):
            assert not closed.isEnabled()
        if ending == "stopped":
            sign_in.screen.stop()
        answer.set()
        await sign_in.ended()
        assert visitor.sees("This key is not accepted.") is (ending == "refused")
        assert (address.text(), key.text()) == (ADDRESS, "a-key")
        assert QApplication.focusWidget() is key
        assert visitor.button("Use this key").isEnabled()
        assert sign_in.credentials == ["a-key"]

    visit(act)


def test_a_key_that_opened_the_account_stays_in_no_field(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.type_into("Address, to use an API key", ADDRESS)
        key = visitor.type_into("API key, to use an API key", "a-key")
        visitor.enter()
        await visitor.sign_in.ended()
        assert visitor.sign_in.screen.state.session is SessionState.SIGNED_IN
        assert key.text() == ""

    visit(act)


def test_the_known_account_has_the_keyboard_and_is_one_press_away(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        assert QApplication.focusWidget() is visitor.button("Sign in to Riverside Community again")
        visitor.enter()
        await visitor.sign_in.ended()
        assert visitor.sign_in.account.id == KNOWN.id

    visit(act, KNOWN)


def test_the_known_account_keeps_the_keyboard_while_what_nobody_sees_of_it_changes(
    visit: Visit,
) -> None:
    now = msgspec.structs.replace(KNOWN, in_vault=True, client_id="another-id")

    async def act(visitor: Visitor) -> None:
        known = visitor.button("Sign in to Riverside Community again")
        visitor.sign_in.registry.leave(now)
        visitor.sign_in.screen.first_page.reread_known()
        assert QApplication.focusWidget() is known
        visitor.enter()
        await visitor.sign_in.ended()
        assert [each.client_id for each in visitor.sign_in.asked] == ["another-id"]

    visit(act, KNOWN)


def test_an_account_may_get_other_names_while_somebody_signs_in_to_it(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.sign_in.gate = asyncio.Event()
        pressed = visitor.button("Sign in to Riverside Community again")
        pressed.click()
        for name in ("Riverside", "Riverside Church"):
            visitor.sign_in.registry.leave(msgspec.structs.replace(KNOWN, name=name))
            visitor.sign_in.screen.first_page.reread_known()
            async with asyncio.timeout(60):
                while shiboken6.isValid(pressed):  # noqa: ASYNC110 - Qt deletes in a later turn
                    await asyncio.sleep(0.001)
        visitor.sign_in.granted = None
        visitor.sign_in.gate.set()
        await visitor.sign_in.ended()
        assert visitor.button("Sign in to Riverside Church again").isEnabled()

    visit(act, KNOWN)


def test_who_began_with_a_key_has_the_keyboard_in_its_field_at_the_next_start(
    visit: Visit, tmp_path: Path
) -> None:
    begun = Account(
        id="b", name="Anselm", base_url="http://127.0.0.1:8472", auth_method=AuthMethod.KEY
    )
    AccountRegistry(tmp_path / "desk").begin(begun)

    async def act(visitor: Visitor) -> None:
        visitor.window.show_first_start()
        assert visitor.field("Address, to use an API key").text() == begun.base_url
        assert QApplication.focusWidget() is visitor.field("API key, to use an API key")

    visit(act)


def test_the_pressed_button_has_the_keyboard_again_after_it_failed(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.sign_in.granted = None
        known = visitor.button("Sign in to Riverside Community again")
        known.click()
        assert not known.isEnabled()
        await visitor.sign_in.ended()
        assert QApplication.focusWidget() is known

    visit(act, KNOWN)


def test_the_help_copies_the_redirect_address_as_it_stands_and_says_so(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.type_into("Redirect address", "http://127.0.0.1:40000/in")
        opened = visitor.button("For the administrator")
        opened.setFocus()
        visitor.enter()
        copy = QApplication.focusWidget()
        assert isinstance(copy, QPushButton)
        assert visitor.sees("http://127.0.0.1:40000/in")
        visitor.enter()
        assert QGuiApplication.clipboard().text() == "http://127.0.0.1:40000/in"
        assert copy.text() == "Copied"
        QTest.keyClick(copy, Qt.Key.Key_Escape)
        assert QApplication.focusWidget() is opened
        assert not visitor.sees("Open the account's own page")

    visit(act)


def test_the_help_fits_into_the_window_as_it_opens(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.window.resize(1180, 760)
        visitor.button("For the administrator").click()
        await asyncio.sleep(0.05)
        page = visitor.window.first_start
        assert page.verticalScrollBar().maximum() == 0
        assert page.horizontalScrollBar().maximum() == 0

    visit(act)


@pytest.mark.parametrize("over", ["the window", "a field"])
def test_a_connection_file_let_go_anywhere_fills_the_fields(
    visit: Visit, tmp_path: Path, over: str
) -> None:
    file = tmp_path / "anselm.json"
    file.write_text(json.dumps({"name": "St Anselm", "base_url": ADDRESS, "client_id": "c"}))

    async def act(visitor: Visitor) -> None:
        target = visitor.window if over == "the window" else visitor.field("Client ID")
        visitor.let_go(target, file)
        assert visitor.field("Address").text() == ADDRESS
        assert visitor.field("Client ID").text() == "c"
        assert QApplication.focusWidget() is visitor.button("Sign in")

    visit(act)


def test_a_file_held_over_the_window_is_told_what_would_come_of_it(
    visit: Visit, tmp_path: Path
) -> None:
    file = tmp_path / "anselm.json"
    file.write_text("{}")

    async def act(visitor: Visitor) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        enter = QDragEnterEvent(
            QPointF(5, 5).toPoint(),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(visitor.window, enter)
        assert visitor.sees("Drop the connection file here")
        QApplication.sendEvent(visitor.window, QDragLeaveEvent())
        assert not visitor.sees("Drop the connection file here")
        QApplication.sendEvent(visitor.window, enter)
        assert visitor.sees("Drop the connection file here")
        visitor.let_go(visitor.window, file)
        assert not visitor.sees("Drop the connection file here")
        await visitor.is_told("does not say the address")

    visit(act)


def test_the_fields_are_saved_through_a_dialog_that_holds_nothing_up(
    visit: Visit, tmp_path: Path
) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.type_into("Address", ADDRESS)
        visitor.type_into("Client ID", "front-desk")
        visitor.type_into("Name", "St Anselm")
        visitor.button("For the administrator").click()
        visitor.button("Save a connection file").click()
        dialog = visitor.window.findChild(QFileDialog)
        assert dialog is not None
        dialog.setDirectory(str(tmp_path))
        dialog.fileSelected.emit(str(tmp_path / "anselm.json"))
        dialog.reject()
        written = json.loads((tmp_path / "anselm.json").read_text())
        assert written == {
            "name": "St Anselm",
            "base_url": ADDRESS,
            "client_id": "front-desk",
            "redirect_uri": DEFAULT_REDIRECT_ADDRESS,
        }
        await visitor.is_told("anselm.json is saved")

    visit(act)


def by_tab(first: QWidget, most: int) -> list[str]:
    """What the keyboard meets from there on, as it is told."""
    seen: list[str] = []
    first.setFocus()
    for _ in range(most):
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus.accessibleName() or getattr(focus, "text", str)())
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    return seen


FOLDED = [
    "Open a connection file",
    "Type them in",
    "For the administrator",
    "Try the demo account",
    "Use an API key",
]


def test_the_page_begins_with_what_most_people_have_and_the_rest_is_unfolded(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.window.show_first_start()
        first = QApplication.focusWidget()
        assert first is visitor.button("Open a connection file")
        assert by_tab(first, len(FOLDED)) == FOLDED
        assert not visitor.sees("Client ID")
        unfold = visitor.button("Type them in")
        assert unfold.accessibleDescription() == "Folded"
        unfold.setFocus()
        visitor.enter()
        assert QApplication.focusWidget() is visitor.field("Address")
        assert unfold.accessibleDescription() == "Unfolded"
        visitor.button("Use an API key").click()
        assert QApplication.focusWidget() is visitor.field("Address, to use an API key")
        unfold.click()
        assert not visitor.sees("Client ID")

    visit(act)


def test_one_button_is_loud_and_it_is_the_next_thing_to_do(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        def loud() -> list[str]:
            buttons = visitor.window.first_start.findChildren(QPushButton)
            seen = [each for each in buttons if each.isVisible()]
            return [each.text() for each in seen if each.property("role") == "primary"]

        assert loud() == ["Open a connection file"]
        visitor.button("Type them in").click()
        assert loud() == ["Sign in"]

    visit(act)


def test_what_is_kept_of_an_account_is_there_unfolded(visit: Visit, tmp_path: Path) -> None:
    AccountRegistry(tmp_path / "desk").begin(KNOWN)

    async def act(visitor: Visitor) -> None:
        visitor.window.show_first_start()
        assert visitor.sees("Client ID")
        assert not visitor.sees("API key")
        assert QApplication.focusWidget() is visitor.button("Sign in")

    visit(act)


def test_the_keyboard_goes_through_the_page_in_the_order_it_is_read(visit: Visit) -> None:
    async def act(visitor: Visitor) -> None:
        visitor.field("Address, to use an API key")
        visitor.field("Address")
        assert by_tab(visitor.button("Open a connection file"), 15) == [
            "Open a connection file",
            "Type them in",
            "For the administrator",
            "Address",
            "Client ID",
            "Redirect address",
            "Copy the redirect address",
            "Name",
            "Client secret and permissions",
            "Sign in",
            "Try the demo account",
            "Use an API key",
            "Address, to use an API key",
            "API key, to use an API key",
            "Name, to use an API key",
        ]

    visit(act)


@pytest.mark.parametrize("typed", [False, True])
def test_forgetting_an_account_empties_its_fields_but_takes_nothing_away_that_was_typed(
    visit: Visit, typed: bool
) -> None:
    async def act(visitor: Visitor) -> None:
        sign_in = visitor.sign_in
        await sign_in.enter_by_page()
        account = sign_in.account
        sign_in.screen.sign_out()
        await sign_in.ended()
        assert visitor.sees("St Anselm")
        address = visitor.field("Address")
        if typed:
            visitor.type_into("Address", "https://elsewhere.example.org")
        sign_in.registry.forget(account.id)
        sign_in.screen.first_page.reread_known()
        assert not visitor.sees("St Anselm")
        assert address.text() == ("https://elsewhere.example.org" if typed else "")

    visit(act)


def test_the_first_page_comes_with_the_keyboard_in_it_once_the_way_back_in_has_failed(
    visit: Visit,
) -> None:
    async def act(visitor: Visitor) -> None:
        sign_in, screen = visitor.sign_in, visitor.sign_in.screen
        sign_in.gate = asyncio.Event()
        screen.begin(lambda: screen.sign_in_with_page(BY_PAGE))
        assert not visitor.window.first_start.isVisible()
        screen.stop()
        await sign_in.ended()
        assert visitor.window.first_start.isVisible()
        assert QApplication.focusWidget() is visitor.button("Open a connection file")

    visit(act)
