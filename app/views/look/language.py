"""The language of the window: its sentences, the words of Qt, its dates and numbers, its sides."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from app.runtime.words import asks_for_no_language, language, tr, use_language
from app.viewmodels.guarded_overrides import GuardedOverrides

_WORDS_OF_QT = "words of Qt"
_KEYS_BEFORE = {
    ("QFileDialog", "&Look in:"): ("QFileDialog", "Look in:"),
    ("QFileDialog", "Files of &type:"): ("QFileDialog", "Files of type:"),
    **{
        ("QAbstractFileIconProvider", kind): ("QFileDialog", kind)
        for kind in ("Drive", "%1 File", "File", "File Folder", "Folder", "Unknown")
    },
}
"""Contexts and sources of Qt 6's file dialog, as Qt 5 had them."""
_MARCH = 3
_FROM_THE_LEFT = "\u202a"
"""Not seen: what comes goes on from the left to its end."""


def system_languages() -> list[str]:
    """What the system is to be read in, the best first; none where the locale is C, under which Qt
    would follow LANGUAGE and gettext does not.
    """
    if sys.platform == "linux" and asks_for_no_language():
        return []
    return QLocale.system().uiLanguages()


def speak(application: QApplication, folder: Path, languages: Sequence[str]) -> None:
    """Have all that is built from now on speak the first of `languages` with a catalogue.

    The catalogues lie in `folder`. Lines begin on the side where that language begins them, dates
    and numbers are written as it writes them where this computer stands, and what Qt says itself
    (in its menus and dialogs) is said in it too, as far as Qt knows it.
    """
    use_language(folder, languages)
    spoken = QLocale(language())
    QLocale.setDefault(_written_here(spoken))
    for before in application.findChildren(QTranslator, _WORDS_OF_QT):
        application.removeTranslator(before)
        before.deleteLater()
    words_of_qt = QTranslator(application)
    words_of_qt.setObjectName(_WORDS_OF_QT)
    place = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if words_of_qt.load(spoken, "qtbase", "_", place):
        # Asked after the words of Qt: what is installed before them.
        older_words = _OlderWords(application, words_of_qt)
        older_words.setObjectName(_WORDS_OF_QT)
        application.installTranslator(older_words)
        application.installTranslator(words_of_qt)
    if spoken.language() is not QLocale.Language.English:
        key_names = _KeyNames(application)
        key_names.setObjectName(_WORDS_OF_QT)
        # Asked before the words of Qt: the last that is installed.
        application.installTranslator(key_names)
    # Said after: a translator that is installed has Qt guess the side.
    application.setLayoutDirection(spoken.textDirection())


class _OlderWords(GuardedOverrides, QTranslator):
    """What Qt's file dialog says by other keys now than its translators know: under those that it
    had before, most languages still have it.
    """

    def __init__(self, parent: QObject, words_of_qt: QTranslator) -> None:
        super().__init__(parent)
        self._words_of_qt = words_of_qt

    def translate(
        self,
        context: str,
        source: str,
        disambiguation: str | None = None,
        n: int = -1,
    ) -> str | None:
        """None leaves it in English."""
        before = _KEYS_BEFORE.get((context, source))
        if before is None:
            return None
        return self._words_of_qt.translate(*before, disambiguation, n) or None


class _KeyNames(GuardedOverrides, QTranslator):
    """Keys as the sentences of the program call them: Qt has other names for some."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # Translators: Keys, as it stands on the keyboards of your language, or is said of them.
        self._names = {
            "Ctrl": tr("Ctrl"),
            "Shift": tr("Shift"),
            "Return": tr("Enter"),
            "Enter": tr("Enter"),
            "Esc": tr("Escape"),
            "Del": tr("Del"),
            "Up": tr("Arrow up"),
            "Down": tr("Arrow down"),
            "Left": tr("Arrow left"),
            "Right": tr("Arrow right"),
            "PgUp": tr("Page up"),
            "PgDown": tr("Page down"),
        }
        if QLocale(language()).textDirection() is Qt.LayoutDirection.RightToLeft:
            # Or a comma that is a key would be seen on the other side of it.
            self._names["Ctrl"] = f"{_FROM_THE_LEFT}{self._names['Ctrl']}"

    def translate(
        self,
        context: str,
        source: str,
        disambiguation: str | None = None,
        n: int = -1,
    ) -> str | None:
        """None leaves it to the words of Qt."""
        return self._names.get(source) if context == "QShortcut" else None


def _written_here(spoken: QLocale) -> QLocale:
    """How dates and numbers are written in this language where this computer stands."""
    here = QLocale.system()
    if here.language() is QLocale.Language.C:
        # A machine without a locale would show dates in no order that anybody reads.
        here = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    if here.language() is spoken.language():
        # Its dates may be set to be written in another language, with the months that it has.
        of_language = QLocale(here.name())
        return here if here.monthName(_MARCH) == of_language.monthName(_MARCH) else of_language
    there = QLocale(spoken.language(), here.territory())
    return there if there.territory() is here.territory() else spoken
