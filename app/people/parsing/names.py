"""Words in a row, read as a first and a last name by what they are and by the chosen order.

Which words of a line are a name at all is decided in `entry_parser`; whether a first name says both
halves, and one person alone, in `families`, which reads it as a line (`halves_of`).
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from app.people.parsing import east_asian, name_words
from app.people.parsing.tokenizer import Token

Words = tuple[Token, ...]
_MOST_WORDS = 20
_COUPLE = 2
_THREE = 3
_LONGEST_LEAD = 4


class NameOrder(StrEnum):
    """In which order a person types names that have no comma."""

    FIRST_LAST = "first last"
    LAST_FIRST = "last first"


class Name(msgspec.Struct, frozen=True):
    """The words of each half; a word given to `split_name` that is in neither could not be used."""

    first: Words = ()
    last: Words = ()


def split_name(words: Sequence[Token], order: NameOrder) -> Name:
    """Read a name without a comma. Titles and degrees are left out; "Jr." stays with the last name.

    The last word is the last name (or the first word, by `order`), unless particles, capitals,
    initials, a patronymic, two Spanish last names or the script say more. Of a name in two scripts
    one is read, the other left. "Mr and Mrs" stays with the first name: without it a couple would
    be one person, or a last name alone.
    """
    words = _without_company(tuple(words))
    family = _family(words)
    if family is not None:
        return family
    titles, rest = _without_titles(words)
    rest = _without_maiden_name(_without_degrees(rest))[:_MOST_WORDS]
    rest, generation = _without_generation(rest)
    name = _single(rest[0], titles, order) if len(rest) == 1 else _several(rest, order)
    return _of_couple(titles, replace(name, last=name.last + generation))


def is_family(words: Sequence[Token]) -> bool:
    """Whether the words are a family by its name, and nobody of it: the Lovelace family."""
    return _family(tuple(words)) is not None


def without_couple(words: Sequence[Token]) -> Words:
    """The words without "Mr and Mrs" before two first names, of which each is somebody."""
    titles, rest = _without_titles(tuple(words))
    couple = any(name_words.is_and(word.text) for word in titles)
    both = any(name_words.is_and(word.text) for word in rest)
    return rest if couple and both else tuple(words)


def _several(words: Words, order: NameOrder) -> Name:
    return _by_script(words) or _in_two_scripts(words, order) or _by_hints(words, order)


def split_at_comma(last: Sequence[Token], first: Sequence[Token]) -> Name:
    """Read `Lovelace, Ada`: titles are left out, "Jr." and a trailing "van der" go to the last."""
    _, last_words = _without_titles(tuple(last))
    last_words = _without_degrees(last_words)
    titles, first_words = _without_titles(tuple(first))
    if any(name_words.is_and(word.text) for word in first) and _only_titles(first_words):
        titles, first_words = (*titles, *first_words), ()
    first_words = _without_other_script(_without_degrees(first_words), last_words)
    while len(first_words) > 1 and name_words.is_title(first_words[-1].text):
        first_words = first_words[:-1]
    first_words, generation = _cut_behind(first_words, name_words.is_generation)
    first_words, particles = _cut_behind(first_words, _is_small_particle)
    last_words = (particles + last_words)[:_MOST_WORDS] + generation
    return _of_couple(titles, Name(first_words[:_MOST_WORDS], last_words))


def _without_other_script(words: Words, last: Words) -> Words:
    """`Wang, Xiaoming 王小明`: what is in another script than the last name is not the first."""
    own = east_asian.are_family_first([word.text for word in last])
    kept = tuple(word for word in words if east_asian.are_family_first([word.text]) is own)
    return kept or words


def _only_titles(words: Sequence[Token]) -> bool:
    return all(name_words.is_title(word.text) or name_words.is_and(word.text) for word in words)


def _of_couple(titles: Words, name: Name) -> Name:
    """`name` with "Mr and Mrs" before its first name, unless that names both of them."""
    couple = any(map(name_words.is_and, texts := [word.text for word in titles])) or any(
        map(name_words.is_and_title, texts)
    )
    both = any(name_words.is_and(word.text) for word in name.first)
    return replace(name, first=titles + name.first) if couple and not both else name


def _family(words: Words) -> Name | None:
    """`Familie Müller`, `the Lovelace family`: nobody's first name, and shown as it is called."""
    if len(words) == _COUPLE and name_words.is_plural_family(words[0].text, words[1].text):
        return Name((), words[1:])
    if len(words) > 1 and name_words.is_article(words[0].text):
        words = words[1:]
    if len(words) < _COUPLE:
        return None
    if name_words.is_family_word(words[0].text):
        return Name(words[:1], _without_titles(words[1:])[1][:_MOST_WORDS])
    if name_words.is_family_word(words[-1].text):
        return Name((), words[-_MOST_WORDS:])
    return None


def _cut_behind(words: Words, wanted: name_words.WordTest) -> tuple[Words, Words]:
    """The words without those at the end that are `wanted`, and those; one word always stays."""
    end = len(words)
    while end > 1 and wanted(words[end - 1].text):
        end -= 1
    return words[:end], words[end:]


def _is_small_particle(word: str) -> bool:
    return word.islower() and name_words.is_particle(word)


def _without_titles(words: Words) -> tuple[Words, Words]:
    start = 0
    while start + 1 < len(words):
        behind = tuple(word.text for word in words[start : start + _LONGEST_LEAD])
        ends_title = start > 0 and name_words.continues_title(behind[0])
        if ends_title or name_words.is_title(behind[0]) or name_words.leads_title(behind):
            start += 1
        elif 0 < start < len(words) - 2 and name_words.joins_titles(behind):
            start += 2
        else:
            break
    start = min(start, len(words) - 1) if words else 0
    return words[:start], words[start:]


def _without_company(words: Words) -> Words:
    """`Ada Lovelace & family`, `Ada Lovelace and guest`: who comes with her is nobody by name."""
    at = len(words) - _COUPLE
    with_others = at > 0 and name_words.is_and(words[at].text)
    return words[:at] if with_others and name_words.is_company_of(words[-1].text) else words


def _without_degrees(words: Words) -> Words:
    return _cut_behind(words, _stands_behind)[0]


def _stands_behind(word: str) -> bool:
    return name_words.is_degree(word) or east_asian.is_honorific(word)


def _without_maiden_name(words: Words) -> Words:
    for place, word in enumerate(words):
        if place > 1 and name_words.is_maiden_mark(word.text):
            return words[:place]
    return words


def _without_generation(words: Words) -> tuple[Words, Words]:
    if len(words) < _THREE or not name_words.is_generation(words[-1].text):
        return words, ()
    return words[:-1], words[-1:]


def _single(word: Token, titles: Words, order: NameOrder) -> Name:
    if east_asian.are_family_first([word.text]):
        family, given = east_asian.split_east_asian(word.text)
        halves = [(replace(word, text=half),) if half else () for half in (given, family)]
        return Name(*halves)
    dotted = east_asian.split_at_dot(word.text)
    if dotted:
        return Name((replace(word, text=dotted[0]),), (replace(word, text=dotted[1]),))
    if titles:
        as_last = name_words.goes_with_last_name(titles[-1].text, word.text)
    else:
        as_last = order is NameOrder.LAST_FIRST
    return Name((), (word,)) if as_last else Name((word,), ())


def _by_script(words: Words) -> Name | None:
    if east_asian.are_family_first([word.text for word in words]):
        return Name(words[1:], words[:1])
    return None


def _in_two_scripts(words: Words, order: NameOrder) -> Name | None:
    """`Wang Xiaoming 王小明` is one name twice: the first that is whole is read.

    The one that is sure of its order says which half of the other is the family name.
    """
    own = [word for word in words if east_asian.are_family_first([word.text])]
    other = tuple(word for word in words if word not in own)
    if not own or not other:
        return None
    whole = _by_script(tuple(own)) if len(own) > 1 else _single(own[0], (), order)
    if whole is None or not whole.first:
        # A family name alone belongs to the given name beside it: 王 David.
        return Name(other, tuple(own)) if len(other) == 1 else None
    if words[0] in own or len(other) == 1:
        return whole
    family = "".join(word.text for word in whole.last)
    if east_asian.is_romanised(family, other[0].text):
        return Name(other[1:], other[:1])
    return _by_hints(other, order)


def _by_hints(words: Words, order: NameOrder) -> Name:
    texts = [word.text for word in words]
    if len(texts) == _COUPLE and name_words.is_servant_of(texts[0]):
        return Name(words, ())
    for last_start, last_end in (_particles_first(texts), _shouted(texts), _family_first(texts)):
        if last_end:
            return Name(words[:last_start] + words[last_end:], words[last_start:last_end])
    if order is NameOrder.LAST_FIRST and not _given_first(texts):
        end = _last_name_end(texts)
        return Name(words[end:], words[:end])
    start = _pulled(texts, len(texts) - 1)
    return Name(words[:start], words[start:])


def _particles_first(texts: list[str]) -> tuple[int, int]:
    """A line that begins with small particles begins with the last name: `van der Berg`."""
    run = _particle_run(texts)
    small = all(text.islower() for text in texts[:run])
    sure = (
        any(not text.islower() for text in texts) or run > 1 or name_words.is_never_first(texts[0])
    )
    if not run or not small or not sure:
        return 0, 0
    return 0, _last_name_end(texts) if len(texts) > run + 1 else len(texts)


def _particle_run(texts: list[str]) -> int:
    run = 0
    while run < len(texts) - 1 and (
        name_words.is_particle(texts[run]) or name_words.leads_particle(texts[run], texts[run + 1])
    ):
        run += 1
    return run


def _shouted(texts: list[str]) -> tuple[int, int]:
    """`LOVELACE Ada` and `Ada LOVELACE`: capitals at one end alone mark the last name."""
    quiet = [not text.isupper() and not name_words.is_initial(text) for text in texts]
    loud = [place for place, text in enumerate(texts) if name_words.is_shouted(text)]
    if not any(quiet) or not loud:
        return 0, 0
    head = next((place for place, text in enumerate(texts) if not text.isupper()), 0)
    if head > loud[-1]:
        return 0, head
    tail = len(texts)
    while tail and texts[tail - 1].isupper() and not name_words.is_initial(texts[tail - 1]):
        tail -= 1
    if tail <= loud[0] and tail < len(texts):
        return _pulled(texts, tail), len(texts)
    return 0, 0


def _family_first(texts: list[str]) -> tuple[int, int]:
    """`Tolkien J. R. R.` and `Иванов Иван Иванович`: what follows cannot be a last name."""
    given = texts[1:]
    initials = all(name_words.is_dotted_initial(text) for text in given)
    if initials and not name_words.is_initial(texts[0]) and "".join(given).count(".") > 1:
        return 0, 1
    if (
        len(texts) == _THREE
        and name_words.is_patronymic(texts[2])
        and not name_words.is_patronymic(texts[1])
    ):
        return 0, 1
    return 0, 0


def _given_first(texts: list[str]) -> bool:
    """`J. R. R. Tolkien` and `Иван Иванович Иванов`, also where the last name is typed first."""
    return name_words.is_initial(texts[0]) or (
        len(texts) == _THREE and name_words.is_patronymic(texts[1])
    )


def _pulled(texts: list[str], start: int) -> int:
    """How far particles and links pull the last name to the left; one word stays the first name."""
    while start > 1:
        before, word = texts[start - 1], texts[start]
        if name_words.is_particle(before) or name_words.leads_particle(before, word):
            start -= 1
        elif name_words.is_link(before) and start > 2:  # noqa: PLR2004 - the link and what it links
            start -= 2
        else:
            break
    return start - 1 if _is_first_of_two(texts, start) else start


def _is_first_of_two(texts: list[str], start: int) -> bool:
    """Whether the word before the last name is the first of two: García Márquez."""
    if start <= 1 or not name_words.is_spanish_surname(texts[start - 1]):
        return False
    particle = name_words.is_particle(texts[start])
    return particle or name_words.is_spanish_surname(texts[start])


def _last_name_end(texts: list[str]) -> int:
    """Where a last name that stands first ends; one word stays for the first name."""
    end = min(_particle_run(texts), len(texts) - 2) + 1
    while end < len(texts) - 2 and name_words.is_link(texts[end]):
        end += 2
    if end < len(texts) - 1 and all(map(name_words.is_spanish_surname, texts[end - 1 : end + 1])):
        end += 1
    if end < len(texts) - 1 and name_words.is_generation(texts[end]):
        end += 1
    return end
