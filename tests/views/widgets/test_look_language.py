"""The language of the window: the side on which lines begin, and what Qt says by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.runtime.words import tr, use_language
from app.views.widgets.buttons import label
from app.views.widgets.language import speak
from tests.catalogues import write_catalogue

LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


@pytest.fixture
def folder(qapp: QApplication, tmp_path: Path) -> Iterator[Path]:
    """Catalogues of two languages; the application is as it was afterwards."""
    write_catalogue(tmp_path, "ar", {"Back": "رجوع"})
    write_catalogue(tmp_path, "de", {"Back": "Zurück"})
    before, written = set(qapp.findChildren(QTranslator)), QLocale()
    yield tmp_path
    for each in set(qapp.findChildren(QTranslator)) - before:
        qapp.removeTranslator(each)
        shiboken6.delete(each)
    QLocale.setDefault(written)
    qapp.setLayoutDirection(LEFT)
    use_language(tmp_path / "nothing", [])


@pytest.mark.parametrize(
    ("wanted", "side", "words"),
    [("ar-EG", RIGHT, ("رجوع", "ألغِ")), ("de-CH", LEFT, ("Zurück", "Abbrechen"))],
)
def test_a_catalogue_turns_the_window_and_brings_the_words_of_qt(
    qapp: QApplication,
    folder: Path,
    wanted: str,
    side: Qt.LayoutDirection,
    words: tuple[str, str],
) -> None:
    speak(qapp, folder, [wanted])
    assert qapp.layoutDirection() is side
    assert (tr("Back"), QCoreApplication.translate("QPlatformTheme", "Cancel")) == words


def test_a_language_without_a_catalogue_leaves_the_window_as_it_is_written(
    qapp: QApplication, folder: Path
) -> None:
    speak(qapp, folder, ["he-IL"])
    assert qapp.layoutDirection() is LEFT
    assert tr("Back") == "Back"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_what_is_built_after_a_mirrored_language_begins_on_the_right(
    qapp: QApplication, qtbot: QtBot, folder: Path
) -> None:
    speak(qapp, folder, ["ar"])
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    words, line = label("رجوع"), QLineEdit()
    row.addWidget(words)
    row.addWidget(line, 1)
    with qtbot.waitExposed(window):
        window.show()
    assert words.x() > line.x()


def test_dates_and_numbers_follow_the_language_and_go_back_with_it(
    qapp: QApplication, folder: Path
) -> None:
    speak(qapp, folder, ["de"])
    assert (QLocale().toString(1.5), QLocale().monthName(3)) == ("1,5", "März")
    speak(qapp, folder, ["en"])
    assert (QLocale().toString(1.5), QLocale().monthName(3)) == ("1.5", "March")
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"
