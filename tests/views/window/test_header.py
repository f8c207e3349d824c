"""The header in the narrowest window: what is said of the connection gives way to the tabs."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QTabBar, QToolButton

from app.api.sign_in.oauth import Grant
from app.runtime.paths import resource
from app.runtime.words import languages, use_language
from app.tour.screen_reader import named
from app.views.look.theme import Theme
from app.views.window.header import Header
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture

TRANSLATIONS = resource("translations")
NARROW = 760
"""The least that the window gets."""


@pytest.fixture
async def sign_in(qapp: QApplication, tmp_path: Path) -> AsyncIterator[SignInFixture]:
    theme = Theme(qapp)
    made = SignInFixture(tmp_path / "desk")
    yield made
    use_language(TRANSLATIONS, ["en"])
    await made.scope.close()
    await made.session.close()
    theme.deleteLater()


def narrow_header(sign_in: SignInFixture) -> Header:
    """As it stands in the window."""
    header = Header(sign_in.screen, QMenu())
    header.show_lists(True)
    header.setMinimumWidth(1)
    header.resize(NARROW, header.sizeHint().height())
    header.show()
    QApplication.processEvents()
    assert header.width() == NARROW
    return header


def cut_tabs(tabs: QTabBar) -> list[str]:
    """Those that are not seen whole."""
    assert not any(each.isVisible() for each in tabs.findChildren(QToolButton))
    return [
        tabs.tabText(at) for at in range(tabs.count()) if tabs.tabRect(at).right() >= tabs.width()
    ]


@pytest.mark.parametrize("language", sorted({*languages(TRANSLATIONS), "en"}))
async def test_the_tabs_are_seen_whole_beside_the_longest_words(
    language: str, sign_in: SignInFixture
) -> None:
    use_language(TRANSLATIONS, [language])
    await sign_in.enter_demo()
    header = narrow_header(sign_in)
    assert cut_tabs(header.tabs) == []
    await sign_in.session.sign_out()
    sign_in.granted = Grant("a-token", datetime.now(UTC) + timedelta(hours=23))
    await sign_in.enter_by_page()
    QApplication.processEvents()
    words = sign_in.screen.state.state_words
    link = named(words, QPushButton)
    assert link is not None
    assert cut_tabs(header.tabs) == []
    # What is cut is told whole.
    assert link.width() >= link.sizeHint().width() or words in link.toolTip()
    header.close()
