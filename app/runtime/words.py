"""Every sentence a person can read passes through here, so that it can be translated.

It knows gettext and where the catalogues lie; which language is wanted, and how numbers are
written there, is said at start and whenever somebody chooses another.
"""

import gettext
import logging
import os
import re
import struct
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Self

_log = logging.getLogger(__name__)
_DOMAIN = "frontdesk"
_SOURCE = "en"
"""The language the sentences are written in: it needs no catalogue."""
_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = _SOURCE
_unread: dict[str, str] = {}
"""The languages whose catalogues are damaged, not logged yet, with the kind of error of each."""
_written: Callable[[int], str] = "{:,}".format
_COMMA = ", "
_FROM_THE_RIGHT = "\u200f"
"""Not seen: what stands around it goes on from the right, though names in it are read from the
left.
"""
_FROM_THE_LEFT = "\u200e"
"""The same from the left."""
_READ_FROM_THE_RIGHT = frozenset({"ar", "fa", "he", "ur"})
_DIRECTIONS = {"L": _FROM_THE_LEFT, "R": _FROM_THE_RIGHT, "AL": _FROM_THE_RIGHT}
_OWN_COMMAS = dict.fromkeys(("ar", "fa", "ur"), f"،{_FROM_THE_RIGHT} ")
_Fitting = Callable[[str, dict[str, object]], str]
"""Gives the sentence, not filled in yet, with the word that fits the values."""


def _before_sounds(word: str, begins: str, other: str) -> _Fitting:
    """A word that is another one before what is filled in, where that begins in some ways."""
    # Signs that are not seen may stand around a name; an address is read letter by letter.
    place = re.compile(rf"\b{word} (“?\{{(?!host|address|email)(\w+)\}})")
    beginning = re.compile(rf"\W*(?:{begins})", re.IGNORECASE)

    def fitting(sentence: str, values: dict[str, object]) -> str:
        return place.sub(
            lambda found: (
                f"{other}{found[1]}" if beginning.match(str(values.get(found[2], ""))) else found[0]
            ),
            sentence,
        )

    return fitting


@cache
def _words_before_sounds(language: str) -> tuple[_Fitting, ...]:
    """“d’Imani”, “e Imani”."""
    match language:
        case "fr":
            # An h that is not heard: of Hélène, not of Hana; y is none before a vowel.
            vowels = "[aàâeéèêëiîïoôuùûüœæ]|y[^aeiou]|h(?:él|en|er|ipp|on|or|ub|ug)"
            return (_before_sounds("de", vowels, "d’"),)
        case "es":
            i, o = "h?[ií](?![aeouáéóú])", "h?[oó]"
            return (_before_sounds("y", i, "e "), _before_sounds("o", o, "u "))
    return ()


def use_language(folder: Path, languages: Iterable[str]) -> None:
    """Read the first of `languages` (codes as in `de_CH` or `de-CH`) that has a catalogue.

    The catalogues lie in `folder`. English, unless there is a catalogue for it, is what is written
    here: whoever reads it before another language gets no other. A catalogue that is damaged is
    passed over, for `log_damaged_catalogues`.
    """
    global _catalogue, _language  # noqa: PLW0603 - one language at a time
    _catalogue, _language = gettext.NullTranslations(), _SOURCE
    for code in (each.replace("-", "_") for each in languages):
        found = gettext.find(_DOMAIN, folder, [code])
        if found is not None:
            try:
                _catalogue = _read(Path(found))
            except UnreadableCatalogueError as problem:
                _unread[code] = str(problem)
            else:
                _language = Path(found).parent.parent.name
                return
        if code.partition("_")[0] == _SOURCE:
            return


def asks_for_no_language() -> bool:
    """Whether the locale that is named is C: gettext ignores the list in LANGUAGE then, as whoever
    names it wants what is written in the source. Where none is named, the list is heard: not every
    system names one.
    """
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, named), "") in {"C", "POSIX"}


def log_damaged_catalogues() -> None:
    """Log what was passed over; a language is spoken before there is a log."""
    while _unread:
        _log.warning("The sentences in the language %s cannot be read: %s", *_unread.popitem())


def damaged_catalogues(folder: Path) -> list[Path]:
    """The catalogues there that cannot be read."""
    return [each for each in sorted(folder.glob(f"*/*/{_DOMAIN}.mo")) if not _is_readable(each)]


class UnreadableCatalogueError(Exception):
    """Carries the kind of error that gettext met."""


def _read(path: Path) -> gettext.NullTranslations:
    """Raises UnreadableCatalogueError."""
    try:
        with path.open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, ValueError, LookupError, struct.error) as problem:
        raise UnreadableCatalogueError(type(problem).__name__) from problem


def _is_readable(path: Path) -> bool:
    try:
        _read(path)
    except UnreadableCatalogueError:
        return False
    return True


def languages(folder: Path) -> list[str]:
    """The codes of all languages that can be spoken: English, and those with a catalogue there."""
    return sorted(
        {_SOURCE, *(each.parent.parent.name for each in folder.glob(f"*/*/{_DOMAIN}.mo"))}
    )


def language() -> str:
    """The code of the language that is spoken, as its catalogue's folder is called (`de_CH`)."""
    return _language


def use_number_format(written: Callable[[int], str]) -> None:
    """Have counts stand in sentences as `written` puts them; until this is said, as in English."""
    global _written  # noqa: PLW0603 - as above
    _written = written


def tr(sentence: str, **values: object) -> str:
    """The sentence in the person's language, its `{names}` filled from `values`.

    Signs that are not seen stand around a name that is read from the other side, so that the
    sentence goes on from its own: `without_direction_marks` takes them out for what is no label.
    """
    return _filled(_catalogue.gettext(sentence), values, sentence)


class _Retranslatable(str):
    """A sentence, and how it is made."""

    __slots__ = ("made",)

    def __new__(cls, made: Callable[[], str]) -> Self:
        sentence = super().__new__(cls, made())
        sentence.made = made
        return sentence

    made: Callable[[], str]


def retranslatable(made: Callable[[], str]) -> str:
    """The sentence that `made` gives, for where it may still stand when another language is spoken:
    `retranslated` makes it again.
    """
    return _Retranslatable(made)


def retranslated(sentence: str) -> str:
    """A `retranslatable` sentence in the language that is spoken now; any other as it is."""
    return _Retranslatable(sentence.made) if isinstance(sentence, _Retranslatable) else sentence


def trn(one: str, many: str, n: int, **values: object) -> str:
    """The form of a sentence that fits `n`, with `{n}`, its digits in groups, and `values` filled
    in.
    """
    values = {"n": _written(n), **values}
    return _filled(_catalogue.ngettext(one, many, n), values, one if n == 1 else many)


def in_a_row(parts: Iterable[str]) -> str:
    """Names or remarks one behind the other, with the comma that the person's language has."""
    several = [part.removeprefix(_FROM_THE_RIGHT) for part in parts]
    comma = _OWN_COMMAS.get(_language.partition("_")[0], _COMMA)
    if comma == _COMMA:
        return comma.join(map(_held_in_place, several) if len(several) > 1 else several)
    begins = _FROM_THE_RIGHT if len(several) > 1 else ""
    return f"{begins}{comma.join(several)}"


def _held_in_place(name: str) -> str:
    """`name` with signs that are not seen on those of its sides where it is read in the other
    direction than the language.

    A line begins on the side of its first letter, and a number goes on in the direction of the
    letter before it: a sentence that begins with such a name would be read from its end. These
    signs are letters of the language in both. They are no embedding, which a name could end.
    """
    from_right = _language.partition("_")[0] in _READ_FROM_THE_RIGHT
    if not from_right and name.isascii():
        return name
    mark = _FROM_THE_RIGHT if from_right else _FROM_THE_LEFT
    sides = (mark if _direction(way) != mark else "" for way in (name, reversed(name)))
    return f"{next(sides)}{name}{next(sides)}" if _direction(name) else name


def _direction(signs: Iterable[str]) -> str:
    """The mark that goes where the first letter of `signs` does; blank where there is none."""
    marks = (_DIRECTIONS.get(unicodedata.bidirectional(sign), "") for sign in signs)
    return next(filter(None, marks), "")


def without_direction_marks(sentence: str) -> str:
    """`sentence` for a file, its name or another program, where nobody expects such signs."""
    return sentence.replace(_FROM_THE_LEFT, "").replace(_FROM_THE_RIGHT, "")


def _filled(sentence: str, values: dict[str, object], source: str) -> str:
    if not values:
        return sentence
    shown = {name: _shown(value) for name, value in values.items()}
    for each in _words_before_sounds(_language.partition("_")[0]):
        sentence = each(sentence, shown)
    try:
        return sentence.format(**shown)
    except (ValueError, LookupError, AttributeError, TypeError):
        # Its translation has a name that is none, or a brace too many.
        return source.format(**shown)


def _shown(value: object) -> object:
    if isinstance(value, str):
        return _held_in_place(value)
    return with_own_digits(value) if isinstance(value, int) else value


def with_own_digits(value: int | str) -> str:
    """A line, a year or the number of a step (`4.1`): not in groups, but with the digits that
    counts have.
    """
    return "".join(_written(int(sign)) if sign.isdigit() else sign for sign in str(value))
