"""A first or last name, and an email, as they are compared: letters alone, however they were typed.

It knows one half of a name; how alike two of them are is worked out in `scoring`.
"""

import unicodedata

from app.store.search_keys import as_typed, search_text

_LONGEST = 60
"""Letters compared: nobody tells two people apart by those behind them."""


class _OnlyLetters(dict[int, int | None]):
    """Leaves out blanks, dots, dashes and signs, but never a vowel mark of an Indic script."""

    def __missing__(self, code: int) -> int | None:
        kept = None if unicodedata.category(chr(code))[0] in "PSZC" else code
        self[code] = kept
        return kept


_ONLY_LETTERS = _OnlyLetters()


def compared(name: str | None) -> str:
    """The letters of a name, folded as in the search: `de la O&#039;Brien` is delaobrien."""
    return search_text(name).translate(_ONLY_LETTERS)[:_LONGEST] if name else ""


def words_of(name: str | None) -> tuple[str, ...]:
    """The words of a name, each as compared; a hyphen stands between two as a blank does."""
    if not name:
        return ()
    parts = search_text(name).replace("-", " ").split()
    words = (part.translate(_ONLY_LETTERS)[:_LONGEST] for part in parts[:_MOST_WORDS])
    return tuple(word for word in words if word)


_MOST_WORDS = 8


_WHOLE_UNSPACED = 3
_FIRST_UNSPACED = "\u2e80"
"""From here on letters are words or syllables, and a name has two or three of them."""


def is_of_whole_words(name: str) -> bool:
    """Whether each letter of a compared name is a word or a syllable of its own."""
    return name[:1] >= _FIRST_UNSPACED


def is_unspaced(name: str) -> bool:
    """Whether a compared name holds both halves of a Chinese, Japanese or Korean one."""
    return is_of_whole_words(name) and len(name) >= _WHOLE_UNSPACED


_GMAIL = frozenset({"gmail.com", "googlemail.com"})


def compared_email(email: str | None) -> str:
    """The mailbox an email reaches: case, `+tags`, and the dots of Gmail, make no other one."""
    if not email:
        return ""
    mailbox, at, domain = as_typed(email).strip().casefold().rpartition("@")
    if not at:
        return domain
    mailbox = mailbox.partition("+")[0] or mailbox
    if domain in _GMAIL:
        return f"{mailbox.replace('.', '')}@gmail.com"
    return f"{mailbox}@{domain}"
