"""What a column's heading says is in it, in the languages and exports that lists come in; the
answers that stand below headings which ask; and which headings are the same.

The words stand in `resources/lists/headings.toml`. What the column is taken for in the end, its
cells considered, is decided in `column_guess`.
"""

import re
import tomllib
from collections.abc import Sequence
from enum import Enum, auto
from functools import cache

import msgspec

from app.people.search import fold
from app.runtime.paths import resource


class Meaning(Enum):
    """What a heading promises."""

    FIRST = auto()
    MIDDLE = auto()
    """More of the first name: a middle or second name in a column of its own."""
    LAST = auto()
    LAST_PART = auto()
    """More of the last name: a particle or the second of two last names."""
    WHOLE = auto()
    """First and last name in one."""
    NAME = auto()
    """"Name", "Nom", "Nombre": whole, or the half that no other column has."""
    SOMEBODY = auto()
    """"Guest", "Member": a name, or the answer whether somebody is one."""
    EMAIL = auto()
    NOT_SENT = auto()
    """Known, and nothing the service takes: a phone number, an address, a note."""


class HeadingWords(msgspec.Struct, frozen=True):
    """The tables of words, folded."""

    meanings: dict[str, Meaning]
    headings: dict[str, frozenset[str]]
    """Whole headings without blanks, by the name of their table."""
    single: dict[str, frozenset[str]]
    """Single words, by the name of their table."""


_MEANINGS = {
    "email": Meaning.EMAIL,
    "somebody": Meaning.SOMEBODY,
    "name": Meaning.NAME,
    "middle": Meaning.MIDDLE,
    "last_part": Meaning.LAST_PART,
    "whole": Meaning.WHOLE,
    "first": Meaning.FIRST,
    "last": Meaning.LAST,
}
"""By the names of their tables; of two that have the same heading the later counts."""


@cache
def heading_words() -> HeadingWords:
    """Read once, when the first list is."""
    tables = tomllib.loads(resource("lists/headings.toml").read_text("utf-8"))
    headings = {
        name: frozenset("".join(words_of(entry)) for entry in text.split(","))
        for name, text in tables["headings"].items()
    }
    single = {
        name: frozenset(word for part in text.split() for word in words_of(part))
        for name, text in tables["words"].items()
    }
    meanings = {entry: meaning for name, meaning in _MEANINGS.items() for entry in headings[name]}
    return HeadingWords(meanings, headings, single)


def key_of(headings: Sequence[str]) -> str:
    """What the headings of a list are remembered by: blind to case, accents and blanks at the ends
    of each.
    """
    return "\n".join(fold(heading)[:100] for heading in headings)


def meaning_of(heading: str) -> Meaning | None:
    """What a heading says of the row's own person, or None for one that says nothing known."""
    known = heading_words()
    numbered = words_of(heading)
    words = [word for word in numbered if not word.isdigit()]
    if not words:
        return None
    fillers = known.single["fillers"]
    for spoken in (numbered, words, [word for word in words if word not in fillers]):
        meaning = known.meanings.get("".join(spoken))
        if meaning is not None:
            return meaning
    if known.single["somebody_else"].intersection(words):
        return Meaning.NOT_SENT
    if not known.headings["email"].isdisjoint(words) or _E_MAIL.search(" ".join(words)):
        said_about_it = known.single["not_the_address"].intersection(words)
        return Meaning.NOT_SENT if said_about_it else Meaning.EMAIL
    return Meaning.NOT_SENT if known.single["not_sent"].intersection(words) else None


def meaning_for_others(heading: str) -> Meaning | None:
    """What a heading says, whomever it is about: "Spouse" and "Child 1 Name" promise names."""
    others = heading_words().single["somebody_else"]
    rest = [word for word in words_of(heading) if word not in others and not word.isdigit()]
    return meaning_of(" ".join(rest)) if rest else Meaning.SOMEBODY


def could_be_a_name(heading: str) -> bool:
    """Whether somebody may be called what this heading says: Grace Last, Will Given."""
    return "".join(words_of(heading)) in heading_words().headings["also_names"]


def is_sometimes_a_name(heading: str) -> bool:
    """Whether whole names stand below such a heading where no other column has them."""
    joined = "".join(words_of(heading))
    return joined in heading_words().headings["sometimes_names"] or is_of_a_family(heading)


def is_of_a_family(heading: str) -> bool:
    """Whether last names may stand below such a heading, beside first names."""
    return "".join(words_of(heading)) in heading_words().headings["families"]


def last_name_stands_first(heading: str) -> bool | None:
    """What "Nom et prénom", "Cognome e Nome" and "First and last name" say of the names below;
    None for a heading that says nothing of it.
    """
    if is_always_last_name_first(heading):
        return True
    known, words = heading_words(), words_of(heading)
    halves = [
        Meaning.FIRST if word in known.single["halves"] else known.meanings.get(word)
        for word in words
    ]
    firsts = [at for at, half in enumerate(halves) if half is Meaning.FIRST]
    lasts = [at for at, half in enumerate(halves) if half is Meaning.LAST]
    names = [at for at, half in enumerate(halves) if half is Meaning.NAME]
    if not (firsts and lasts):
        # "Nome" stands for the half that the other word does not say.
        firsts, lasts = firsts or (names if lasts else []), lasts or (names if firsts else [])
    return lasts[0] < firsts[0] if firsts and lasts else None


def is_always_last_name_first(heading: str) -> bool:
    """Whether the language of the heading has it so, and addresses are made in that order, too."""
    return "".join(words_of(heading)) in heading_words().headings["last_name_first"]


def is_an_answer(cell: str) -> bool:
    """Whether a cell answers a question, or says a voice of a choir; hardly anybody is called so in
    a whole column.
    """
    words = [word for word in words_of(cell) if not word.isdigit()]
    return bool(words) and heading_words().single["answers"].issuperset(words)


def is_form_of_address(cell: str) -> bool:
    """Whether a cell says how somebody is addressed, and nothing of what they are called: told by a
    whole column of them, so that those count, too, which may be something else beside a name (Sr).
    """
    words = words_of(cell)
    return bool(words) and heading_words().single["forms_of_address"].issuperset(words)


def are_headings_of_people(cells: Sequence[str]) -> bool:
    """Whether these are headings beyond doubt: a name, and an email or the other half."""
    said = {meaning for cell in cells if (meaning := meaning_of(cell)) in _OF_PEOPLE}
    sure = {meaning_of(cell) for cell in cells if not could_be_a_name(cell)} & said
    # "First", "Last" and "Email" together are nobody either.
    return not _OF_PEOPLE.difference({Meaning.EMAIL}).isdisjoint(said) and (
        len(sure) > 1 or (len(said) > len(("first", "last")) and bool(sure))
    )


_OF_PEOPLE = {
    *(Meaning.FIRST, Meaning.LAST, Meaning.NAME, Meaning.WHOLE, Meaning.SOMEBODY),
    Meaning.EMAIL,
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_E_MAIL = re.compile(r"\b(?:e|ē) (?:mails?|post|posta)\b|电子 ?邮|電子 ?郵|gmail|elettronica")
_LONGEST_HEADING = 200


def words_of(heading: str) -> list[str]:
    """The words of a heading or cell as they are compared."""
    return _WORD.findall(fold(_CAMEL.sub(" ", heading[:_LONGEST_HEADING])))
