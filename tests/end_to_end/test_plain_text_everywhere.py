"""Nothing that comes from outside is read as markup or as a key, wherever the window shows it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QModelIndex
from PySide6.QtGui import QAction, QHelpEvent, QKeySequence, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QGroupBox,
    QHeaderView,
    QLabel,
    QListView,
    QMenu,
    QMessageBox,
    QTabBar,
    QTableView,
    QTextEdit,
    QToolTip,
    QWidget,
)

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.container import Container
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import Script, Until, click, press
from app.views.widgets.labels import set_tip, window_title
from tests.end_to_end.layout_states import moment
from tests.end_to_end.steps import CTRL, Visit, write
from tests.made_up_answers.service import Answer, AnsweringService

PICTURE = "<img src=file:///etc/hostname>"
HOSTILE = f"{PICTURE} <b>B</b> &amp; &Quit [*]"
HOSTILE_ID = "<b>&Quit[*]</b>"
"""Without a blank or a sign between words: what has them is no id."""
TURNED = f"{HOSTILE}\u202edrah\u2067\x07"
OUR_OWN = re.compile("<qt>([^<>]|<br>)*</qt>")
TOLD = {
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
}


def is_markup(text: str) -> bool:
    """Whether Qt would take this for markup, but for what we escape ourselves, and once."""
    return Qt.mightBeRichText(text) and (OUR_OWN.fullmatch(text) is None or "&lt;qt&gt;" in text)


def turns(text: str) -> bool:
    """Whether a sign in this has the rest read backwards, or is no sign to be shown at all."""
    return any(sign != "\n" and not sign.isprintable() and sign != "\u200b" for sign in text)


def underlines(text: str) -> bool:
    """Whether a letter of this becomes a key."""
    return not QKeySequence.mnemonic(text).isEmpty()


def misread() -> Iterator[str]:
    """Everything in any window that Qt would not show letter for letter."""
    for widget in QApplication.allWidgets():
        where = f"{type(widget).__name__} “{widget.accessibleName()[:30]}”"
        for told in (widget.toolTip(), widget.statusTip(), widget.whatsThis()):
            if is_markup(told):
                yield f"{where}: a tip of markup: {told}"
            if turns(told):
                yield f"{where}: a tip that is not printed: {told!r}"
        if turns(widget.windowTitle()):
            yield f"{where}: a title that is not printed: {widget.windowTitle()!r}"
        yield from (f"{where}: {wrong}" for wrong in _wrong_with(widget))
        yield from (f"{where}: menu {a.text()}" for a in widget.actions() if _misread_action(a))


def _wrong_with(widget: QWidget) -> Iterator[str]:
    """What Qt itself has in force, whatever our own classes say of it."""
    if isinstance(widget, QLabel | QMessageBox) and not widget.inherits("QTipLabel"):
        if widget.textFormat() is not Qt.TextFormat.PlainText:
            yield f"guesses at {widget.text()}"
    elif isinstance(widget, QTextEdit) and widget.acceptRichText():
        yield "takes markup"
    elif isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        yield from _wrong_in(widget)
    else:
        yield from (f"underlines {words}" for words in _words_of(widget) if underlines(words))


def _words_of(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QAbstractButton):
        yield QAbstractButton.text(widget)
    elif isinstance(widget, QMenu | QGroupBox):
        yield widget.title()
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(index) for index in range(widget.count()))


def _wrong_in(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    columns = model.columnCount(QModelIndex()) if isinstance(view, QTableView) else 1
    for role in TOLD:
        for column in range(columns):
            if is_markup(str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")):
                yield f"heading {column}"
            for row in range(min(model.rowCount(), 20)):
                if is_markup(str(model.index(row, column).data(role) or "")):
                    yield f"cell {row}, {column}"


def _misread_action(action: QAction) -> bool:
    tips = (action.toolTip(), action.statusTip(), action.whatsThis())
    # Qt makes a tip out of the words where there is no other, and shows it in tool bars alone.
    told = any(is_markup(tip) for tip in tips if tip != action.text().replace("&&", "&"))
    return underlines(action.text()) or "\t" in action.text() or told


def hovered(view: QAbstractItemView) -> Iterator[str]:
    """What is told under the pointer over each cell of the first rows."""
    for row in range(min(view.model().rowCount(), 3)):
        for column in range(5 if isinstance(view, QTableView) else 1):
            place = view.visualRect(view.model().index(row, column)).center()
            over = view.viewport().mapToGlobal(place)
            QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, over))
            if QToolTip.isVisible():
                yield QToolTip.text()
                QToolTip.hideText()


def page(key: str, item: str, *items: object) -> tuple[Answer]:
    counts = {"on_this_page": len(items), "page": 1, "per_page": 50, "total": len(items)}
    envelope = {"generated_in": "0.1", "status": "ok", key: counts | {item: items}}
    return (Answer(json.dumps(envelope).encode()),)


@pytest.fixture
def service() -> Iterator[AnsweringService]:
    """Everything that it says is hostile."""
    person: dict[str, Any] = dict.fromkeys(
        ("firstname", "lastname", "email", "phone", "mobile"), TURNED
    )
    person |= {"id": HOSTILE_ID, "volunteer": "1", "date_added": "2024-05-03 14:02:09"}
    step: dict[str, Any] = {
        "id": f"s{HOSTILE}",
        "name": TURNED,
        "status": HOSTILE,
        "admins": [HOSTILE_ID, "<b>no"],
    }
    inner = step | {"id": "inner", "admins": [], "steps": [step | {"id": "inmost"}]}
    flow: dict[str, Any] = {
        "id": HOSTILE,
        "name": TURNED,
        "access": HOSTILE,
        "admins": [HOSTILE_ID, "<i>no"],
    }
    flow |= {"locations": [HOSTILE], "demographics": [{"name": HOSTILE}], "steps": [step, inner]}
    with AnsweringService(
        {
            "people": page("people", "person", person, person | {"id": "<u>other"}),
            "flows": page("people_flows", "people_flow", flow, flow | {"id": "f2", "steps": []}),
        }
    ).running() as made:
        yield made


def test_every_text_of_the_window_is_shown_letter_for_letter(
    visit: Visit, service: AnsweringService, tmp_path: Path
) -> None:
    file = tmp_path / "connection.json"
    place = {"name": TURNED, "base_url": service.base_url, "client_id": "<b>id&amp;"}
    file.write_text(json.dumps(place | {"redirect_uri": "http://127.0.0.1:1/a"}))
    folder = tmp_path / "data"
    folder.mkdir(0o700)
    for number in range(2):
        known = Account(
            id=f"a{number}", name=TURNED, base_url="http://127.0.0.1:1", auth_method=AuthMethod.KEY
        )
        AccountRegistry(folder).keep(known)
    seen = Seen()
    visit(lambda container: first_page(seen, container), connection=file)
    visit(lambda container: lists(seen, container), connection=file, api_key="key")
    assert seen.wrong == []
    assert any("img" in tip for tip in seen.tips)
    assert not [tip for tip in seen.tips if is_markup(tip) or turns(tip)]


@dataclass
class Seen:
    """What was misread in which state, and every tip there was."""

    wrong: list[str] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)

    def look(self, state: str) -> None:
        self.wrong += [f"{state}: {each}" for each in misread()]


def first_page(seen: Seen, container: Container) -> Script:
    """The accounts that are known here, and the file of a colleague."""
    yield Until("the window", container.window.isVisible)
    yield shown(HOSTILE)
    seen.look("first page")


def lists(seen: Seen, container: Container) -> Script:
    """People, flows, and the pages besides them."""
    yield shown("2 people")
    frame = container.window.windowHandle()
    assert frame is not None
    assert HOSTILE in frame.title()
    yield from _people(seen)
    yield from _flows(seen)
    for entry in ("History", "Settings", "About Front Desk"):
        next(a for a in container.window.actions() if a.text() == entry).trigger()
        yield from moment()
        seen.look(entry)


def _people(seen: Seen) -> Script:
    seen.look("people")
    (view,) = (w for w in visible(QTableView) if isinstance(w, QTableView))
    seen.tips += hovered(view)
    press(Qt.Key.Key_F, CTRL)
    write("img file")
    yield from moment()
    click(view.viewport(), view.visualRect(view.model().index(0, 0)).center())
    yield from moment()
    assert text_on_screen().count(HOSTILE) > 5
    seen.look("somebody")
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Menu)
    yield Until("the menu", lambda: any(visible(QMenu)))
    seen.look("the menu")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_N, CTRL)
    write(f"{PICTURE} ada@gmial.com 0400 771 020")
    yield from moment()
    seen.look("typing")
    press(Qt.Key.Key_Return)
    yield from moment()
    seen.look("waiting")


def _flows(seen: Seen) -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield from moment()
    (names,) = (w for w in visible(QListView) if isinstance(w, QListView))
    seen.tips += hovered(names)
    for row in range(2):
        click(names.viewport(), names.visualRect(names.model().index(row, 0)).center())
        yield from moment()
        seen.look(f"flow {row}")
    assert text_on_screen().count(HOSTILE) > 3


def test_a_text_that_is_misread_is_noticed(qapp: QApplication) -> None:
    assert not [*misread()]
    window, button = QWidget(), QMenu()
    label = QLabel(PICTURE, window)
    window.setToolTip(PICTURE)
    button.addAction("&Quit")
    assert len([*misread()]) == 3
    set_tip(window, PICTURE)
    window.setWindowTitle(TURNED)
    assert len([*misread()]) == 3
    window.setWindowTitle(window_title(TURNED))
    label.setTextFormat(Qt.TextFormat.PlainText)
    button.clear()
    assert not [*misread()]
    for each in (window, button):
        each.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
