"""What a person is found and sorted by: the folded fields, and how they are joined into one key.

The database keeps the fields, memory keeps the joined key; looking into it is left to others.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from app.model.person import Person
from app.runtime.memory import remembered_for_a_while
from app.runtime.words import tr
from app.store.folding import fold

SEPARATOR = "\x1f"
"""Stands between the fields of a key; below every character that `fold` lets through."""

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MOST_LAYERS = 3
_LONGEST_OTHERS = 500
"""Characters: what is looked through at each key press stays small."""
_ADDRESSES = ("picture",)
_TRUE = frozenset({"1", "yes", "true", "y"})
_FALSE = frozenset({"0", "no", "false", "n"})
_NOTHING_TOLD = _FALSE | {""}
_NOT_A_DIGIT = re.compile(r"[^0-9]+")
_WORDS_KEPT = 4_096
"""Names are the same few thousand again and again, however long a list is."""
_OTHERS_KEPT = 1_024
_DECEASED = "deceased"
_FEW = 4
"""Texts that are looked at one by one."""
_BETWEEN_DIGITS = b" -+.()/"
_LETTER = re.compile(r"[^\W\d_]")
# Kana, ideographs and Hangul: names that are written, and typed, without a blank between them.
_UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]")


class PersonKeys(NamedTuple):
    """The folded fields of one person; a field that is blank or was not given is blank."""

    last: str
    first: str
    email: str
    phone: str
    mobile: str
    unspaced: str
    """The whole name as it is written where names have no blank, blank everywhere else."""
    others: str = ""
    """Words of the fields beyond the document's that stand in no name; blank for most."""


def keys_of(person: Person) -> PersonKeys:
    """What `person` is found and sorted by."""
    return keys_of_all((person,))[0]


def keys_of_all(people: Sequence[Person]) -> list[PersonKeys]:
    """The same of many, in their order, field by field: each takes far less time than alone."""
    if not people:
        return []
    lasts = list(map(_folded, [each.lastname for each in people]))
    firsts = list(map(_folded, [each.firstname for each in people]))
    fields = zip(
        lasts,
        firsts,
        _search_texts([each.email or "" for each in people]),
        _phone_texts([each.phone or "" for each in people]),
        _phone_texts([each.mobile or "" for each in people]),
        map(_unspaced_name, lasts, firsts),
        [
            _others_text(each, last, first)
            if each.others or each.preferred_name or each.deceased
            else ""
            for each, last, first in zip(people, lasts, firsts, strict=True)
        ],
        strict=True,
    )
    return list(map(PersonKeys._make, fields))


def shown_word() -> str:
    """By which those who have died are found, besides the word in their keys: the one that is shown
    in the language spoken. Blank where it is the same.
    """
    word = search_text(tr("deceased"))
    return "" if word == _DECEASED else word


def with_shown_word(key: str, word: str) -> str:
    """A joined key, with `shown_word` behind it where it says that somebody has died."""
    if _DECEASED not in key:  # nearly all
        return key
    others = key.split(SEPARATOR)[len(PersonKeys._fields) - 1 :]
    # By the words alone, so that people are in order as they are without it.
    is_said = bool(others) and _DECEASED in others[0].split()
    return f"{key}{SEPARATOR}{word}" if is_said else key


def _unspaced_name(last: str, first: str) -> str:
    if last.isascii() or first.isascii():  # nearly all
        return ""
    return last + first if _UNSPACED.search(last) and _UNSPACED.search(first) else ""


def _search_texts(texts: Sequence[str]) -> list[str]:
    """What `search_text` makes of each, of nearly all in one go: they are joined, looked at and
    taken apart again. Where that cannot be, half of them at a time.
    """
    joined = " ".join(texts)
    if _is_plain(joined) and joined.count(" ") == len(texts) - 1:
        return joined.lower().replace("`", "").replace("'", "").split(" ")
    if len(texts) <= _FEW:
        return list(map(search_text, texts))
    half = len(texts) // 2
    return _search_texts(texts[:half]) + _search_texts(texts[half:])


def _phone_texts(texts: Sequence[str]) -> list[str]:
    """What `phone_text` makes of each, in the same way."""
    joined = ",".join(texts)
    if joined.isascii():
        alone = joined.encode().translate(None, _BETWEEN_DIGITS).decode()
        digits = alone.replace(",", "")
        if (digits.isdecimal() or not digits) and alone.count(",") == len(texts) - 1:
            return alone.split(",")
    if len(texts) <= _FEW:
        return list(map(phone_text, texts))
    half = len(texts) // 2
    return _phone_texts(texts[:half]) + _phone_texts(texts[half:])


def _others_text(person: Person, last: str, first: str) -> str:
    """The words that the name does not hold already.

    The address of a picture and the numbers of a family or category are left out: in those, a few
    letters of a name stand by chance. A field that is a yes is found by what it is called. Nothing
    here is of the language spoken, which may be another one when this is read.
    """
    texts = [_folded(person.preferred_name)] if person.preferred_name else []
    if person.deceased:
        texts.append(_DECEASED)
    if person.others:
        texts += _words_of_all(person.others)
    if not texts:
        return ""
    name = f"{last} {first}"
    if len(texts) == 1 and " " not in texts[0]:  # most
        return "" if texts[0] in name else texts[0][:_LONGEST_OTHERS]
    new = (word for text in texts for word in text.split() if word not in name)
    return " ".join(dict.fromkeys(new))[:_LONGEST_OTHERS]


@remembered_for_a_while
@lru_cache(_OTHERS_KEPT)
def _words_of_all(others: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """What all these fields are found by: of many people they are the same."""
    words: list[str] = []
    for field, value in others:
        if value in _NOTHING_TOLD:  # nearly all
            continue
        if value.isascii() and value.isdecimal() and value not in _TRUE and field.endswith("_id"):
            continue  # as `_words_of` has it; kept, they would push out what comes again
        if not field.startswith(_ADDRESSES) or search_text(value) in _TRUE:
            words += _words_of(field, value)
    return tuple(words)


@remembered_for_a_while
@lru_cache(_WORDS_KEPT)
def _words_of(field: str, value: str) -> tuple[str, ...]:
    """What a field is found by."""
    folded = search_text(value)
    if folded in _TRUE:
        return (search_text(field),)
    if folded in _FALSE:
        return ()
    words = folded.split()
    return tuple(word for word in words if not (field.endswith("_id") and digits_of(word)))


def search_text(text: str | None) -> str:
    """`text` as it was typed, folded, and without apostrophes: people look for O'Brien as obrien
    too.
    """
    if not text:
        return ""
    if _is_plain(text) and " " not in text:  # nearly all
        return text.lower().replace("`", "").replace("'", "")
    return fold(as_typed(text)).replace("'", "")


def _is_plain(text: str) -> bool:
    """Whether folding changes nothing in it but capitals, quotes and blanks."""
    return text.isascii() and text.isprintable() and "&" not in text


# What stands in many people, each folded once.
_folded = remembered_for_a_while(lru_cache(_WORDS_KEPT)(search_text))


def as_typed(text: str) -> str:
    """`text` with HTML entities decoded, for comparing only: it is shown as it was sent.

    Seen in the field: lists in which O'Brien has become `O&#039;Brien`, some of them twice over.
    """
    for _ in range(_MOST_LAYERS):
        if "&" not in text or not _ENTITY.search(text):
            break
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    return text


def phone_text(text: str | None) -> str:
    """The digits of a phone number; where words stand beside them, the words too.

    Seen in the field: numbers come back in another form than they were typed in.
    """
    if not text:
        return ""
    alone = text.replace(" ", "").replace("-", "").replace("+", "").replace(".", "")
    alone = alone.replace("(", "").replace(")", "").replace("/", "")  # a table takes far longer
    if alone.isascii() and alone.isdecimal():  # nearly all
        return alone
    folded = search_text(text)
    digits = digits_of(folded)
    return f"{digits} {folded}" if _LETTER.search(folded) else digits


def digits_of(folded: str) -> str:
    """The digits of a folded text and nothing else."""
    return _NOT_A_DIGIT.sub("", folded)
