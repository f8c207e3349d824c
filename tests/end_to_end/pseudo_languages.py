"""Languages nobody speaks, made from the English sentences: one a third longer, one mirrored,
one that is both.
"""

import gettext
import re
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.runtime import words

_ACCENTED = str.maketrans("aeiouAEIOU", "áéíöúÁÉÍÖÚ")
_VALUE = re.compile(r"(\{[^}]*\})")
OPEN, SHUT = "⟦", "⟧"


def stretched(sentence: str) -> str:
    """The sentence with accents, in brackets, at least a third longer; its `{values}` untouched."""
    if not sentence:
        return ""
    parts = _VALUE.split(sentence)
    grown = "".join(part if part.startswith("{") else _grown(part) for part in parts)
    missing = -(-len(sentence) * 4 // 3) - len(grown) - 2
    return OPEN + grown + "~" * max(missing, 0) + SHUT


def _grown(part: str) -> str:
    """Every vowel twice: words get longer as they do in a real language, and no gap is added."""
    return re.sub("[aeiouAEIOU]", lambda m: m[0].translate(_ACCENTED) + m[0].lower(), part)


class _Catalogue(gettext.NullTranslations):
    def __init__(self, spoken: Callable[[str], str]) -> None:
        super().__init__()
        self._spoken = spoken

    def gettext(self, message: str) -> str:
        return self._spoken(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._spoken(msgid1 if n == 1 else msgid2)


@dataclass(frozen=True)
class Language:
    """How sentences read, and from which side."""

    name: str
    spoken: Callable[[str], str]
    direction: Qt.LayoutDirection

    def speak(self, application: QApplication) -> None:
        """What is built from now on is in this language."""
        words._catalogue = _Catalogue(self.spoken)
        application.setLayoutDirection(self.direction)


def _as_it_is(sentence: str) -> str:
    return sentence


def _from_the_right(sentence: str) -> str:
    """Qt aligns a text by its first letter: this mark counts as one that is read leftwards."""
    return f"\N{RIGHT-TO-LEFT MARK}{sentence}" if sentence else ""


PLAIN = Language("plain", _as_it_is, Qt.LayoutDirection.LeftToRight)
LONG = Language("long", stretched, Qt.LayoutDirection.LeftToRight)
MIRRORED = Language("mirrored", _from_the_right, Qt.LayoutDirection.RightToLeft)
BOTH = Language(
    "both", lambda sentence: _from_the_right(stretched(sentence)), Qt.LayoutDirection.RightToLeft
)
LANGUAGES = (PLAIN, LONG, MIRRORED, BOTH)
