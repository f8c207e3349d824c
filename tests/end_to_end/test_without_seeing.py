"""The day's job by keyboard alone, by somebody who hears the window and does not see it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from app.container import Container
from app.tour.script import Script, Until, press, type_text
from tests.end_to_end.spoken import Listener
from tests.end_to_end.steps import CTRL, HoldFor, Visit

FIVE = (
    "Noor Haddad noor@haddad.example",
    "Tomas Lind",
    "Mei Tanaka mei@tanaka.example",
    "Iolo Prydderch",
    "Sade Abara sade@abara.example",
)
MOST = 12
"""Tabs from the first control to any that is needed here."""


def test_the_days_job_is_done_by_hearing_and_the_keyboard_alone(
    visit: Visit, hold_for: HoldFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_for(0)
    # However soon the demo account is there, somebody waits for it.
    monkeypatch.setattr("app.views.widgets.banner._DELAY_MS", 0)
    listener = Listener(monkeypatch)

    def told(words: str) -> Until:
        return Until(f"being told: {words}", lambda: listener.was_told(words))

    def tab_to(name: str, role: QAccessible.Role) -> None:
        for _ in range(MOST):
            if listener.at.startswith(name):
                break
            press(Qt.Key.Key_Tab)
        assert listener.at.startswith(name), listener.at
        assert listener.role is role

    def script(container: Container) -> Script:
        yield Until("the first page", lambda: listener.at.startswith("Open a connection file"))
        tab_to("Try the demo account", QAccessible.Role.Button)
        listener.visited()
        press(Qt.Key.Key_Space)
        yield Until("the line", lambda: listener.role is QAccessible.Role.EditableText)
        # Neither the menu nor what stops the sign-in, which a blank typed ahead would press.
        assert listener.visited() == ["The lists are being opened", "Add a person"]
        assert listener.heard == ["Starting the demo account"]
        for line in FIVE:
            type_text(line)
            first, last, *_ = line.split()
            # How it is read is told of the line, before it is there.
            assert f"{first}" in listener.at
            press(Qt.Key.Key_Return)
            yield told(f"{first} {last} added. Undo")
            yield told(f"{first} {last} added")
        assert not listener.was_told("Name in either order")
        press(Qt.Key.Key_K, CTRL)
        type_text("history")
        # Each letter leaves the same row chosen.
        assert listener.heard.count("History, Ctrl+Shift+H") == 1
        press(Qt.Key.Key_Escape)
        listener.visited()
        press(Qt.Key.Key_F1)
        press(Qt.Key.Key_Escape)
        assert listener.visited() == ["Keys and help", "Add a person"]
        # To the flows and back, over nothing that stands in between.
        for key, there in ((Qt.Key.Key_2, "Flows"), (Qt.Key.Key_1, "Add a person")):
            press(key, CTRL)
            assert listener.visited() == [there]
        press(Qt.Key.Key_2, CTRL)
        press(Qt.Key.Key_F, CTRL)
        assert listener.at.startswith("Search")
        type_text("welcome call")
        press(Qt.Key.Key_Return)
        yield Until("the flow", lambda: listener.at.startswith("Newcomers"))
        press(Qt.Key.Key_Tab)
        assert "Welcome call" in listener.at, listener.at
        assert "Grace Lindqvist" in listener.at, listener.at
        press(Qt.Key.Key_Q, CTRL)
        yield Until("the window closed", lambda: not container.window.isVisible())

    visit(script)
