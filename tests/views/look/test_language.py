"""The language of the window: the side on which lines begin, and what Qt says by itself."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QFileInfo, QLocale, Qt, QTranslator
from PySide6.QtGui import QKeySequence, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFileIconProvider,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.runtime.paths import resource
from app.runtime.words import languages, tr, use_language
from app.views.look.language import speak
from app.views.widgets.buttons import label
from tests.catalogues import write_catalogue

ROOT = Path(__file__).resolve().parents[3]
TRANSLATIONS = resource("translations")
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


def test_keys_are_called_what_the_sentences_of_the_program_call_them(
    qapp: QApplication, folder: Path
) -> None:
    def written(keys: str) -> str:
        return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)

    keys = ("Ctrl+Shift+Z", "Return", "Del", "Home")
    english = [written(each) for each in keys]
    named = {"Ctrl": "Ctrl", "Shift": "Mayús", "Enter": "Enter", "Del": "Supr"}
    write_catalogue(folder, "es", named)
    speak(qapp, folder, ["es"])
    assert [written(each) for each in keys] == ["Ctrl+Mayús+Z", "Enter", "Supr", "Inicio"]
    speak(qapp, folder, ["en"])
    assert [written(each) for each in keys] == english


def test_a_comma_that_is_a_key_is_seen_behind_the_others_where_lines_begin_on_the_right(
    qapp: QApplication, folder: Path
) -> None:
    speak(qapp, folder, ["ar"])
    keys = QKeySequence("Ctrl+,").toString(QKeySequence.SequenceFormat.NativeText)
    layout = QTextLayout(keys, qapp.font())
    option = QTextOption()
    option.setTextDirection(RIGHT)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    places = [line.cursorToX(keys.index(sign)) for sign in ("t", ",")]
    (first, _), (last, _) = cast("list[tuple[float, int]]", places)
    assert first < last


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


@pytest.mark.parametrize("language", [each for each in languages(TRANSLATIONS) if each != "en"])
def test_a_box_that_asks_for_a_file_speaks_no_english(
    qapp: QApplication,
    qtbot: QtBot,
    folder: Path,  # noqa: ARG001 - it has the application as it was afterwards
    language: str,
) -> None:
    def said() -> list[str]:
        box = QFileDialog()
        box.setOption(QFileDialog.Option.DontUseNativeDialog)
        qtbot.addWidget(box)
        labels = [each.text() for each in box.findChildren(QLabel)]
        kinds = QFileIconProvider()
        return [*filter(None, labels), kinds.type(QFileInfo(str(TRANSLATIONS)))]

    speak(qapp, TRANSLATIONS, ["en"])
    english = said()
    assert "&Look in:" in english
    assert "Folder" in english
    speak(qapp, TRANSLATIONS, [language])
    assert not set(said()) & set(english)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is set another way")
@pytest.mark.parametrize(
    ("variables", "month", "day"),
    [
        ({"LANG": "de_CH.UTF-8"}, "März", "09.03.24"),
        ({"LANG": "de_DE.UTF-8", "LC_TIME": "en_GB.UTF-8"}, "März", "09.03.24"),
        ({"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}, "März", "09.03.24"),
        ({"LANG": "en_AU.UTF-8", "LC_TIME": "de_DE.UTF-8"}, "March", "9/3/24"),
        ({"LC_ALL": "C.UTF-8"}, "March", "09/03/2024"),
        # As with gettext: whoever names this locale wants no other language.
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}, "March", "09/03/2024"),
    ],
)
def test_dates_are_written_in_the_language_that_is_spoken(
    variables: dict[str, str], month: str, day: str, tmp_path: Path
) -> None:
    write_catalogue(tmp_path, "de", {"Back": "Zurück"})
    program = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QDate, QLocale\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from app.views.look.language import speak, system_languages\n"
        "speak(QApplication([]), Path(sys.argv[1]), system_languages())\n"
        "print(QLocale().monthName(3))\n"
        "print(QLocale().toString(QDate(2024, 3, 9), QLocale.FormatType.ShortFormat))"
    )
    said = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program, str(tmp_path)],
        env={n: v for n, v in os.environ.items() if n != "LANG" and not n.startswith("LC_")}
        | {"QT_QPA_PLATFORM": "offscreen"}
        | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert said.stdout.split("\n")[:2] == [month, day]
