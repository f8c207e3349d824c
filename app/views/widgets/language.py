"""The language of the window: its sentences, the words of Qt, its dates and numbers, its sides."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.runtime.words import language, use_language

_WORDS_OF_QT = "words of Qt"
_MARCH = 3


def system_languages() -> list[str]:
    """What the system is to be read in, the best first."""
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
        application.installTranslator(words_of_qt)
    # Said after: a translator that is installed has Qt guess the side.
    application.setLayoutDirection(spoken.textDirection())


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
