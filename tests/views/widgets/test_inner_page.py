"""A page inside the window: which of its keys the palette offers."""

from pytestqt.qtbot import QtBot

from app.viewmodels.help.help import PageKind
from app.views.widgets.inner_page import InnerPage


class Pages(InnerPage):
    page_kind = PageKind.PREVIEW


def test_the_palette_offers_what_the_keys_of_a_page_can_do_now(qtbot: QtBot) -> None:
    page = Pages("Pages")
    qtbot.addWidget(page)
    larger = False
    done: list[str] = []
    page.bind_told("Ctrl++", lambda: done.append("larger"), can_be_done=lambda: larger)
    page.bind_told("Ctrl+-", lambda: done.append("smaller"), offered=False)
    assert [command.words for command, _ in page.offers()] == []
    larger = True
    ((command, act),) = page.offers()
    act()
    assert (command.words, done) == ("Larger", ["larger"])
