"""Looking for people by what is typed: each word anywhere, in slices that can be stopped.

It knows queries, keys and where a found word stands in the text that was folded; where the keys
are kept, and when to give up, is decided by others.
"""

import re
import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import compress, islice, repeat
from operator import contains, or_
from typing import NamedTuple

from app.model.person import Person
from app.people.packed_keys import END, KeyText
from app.store.folding import fold
from app.store.ordering import ByRow
from app.store.person_flags import PersonFlags
from app.store.search_keys import SEPARATOR, digits_of, keys_of, search_text

__all__ = [
    "SLICE",
    "ListedKeys",
    "Span",
    "fold",
    "found_beyond",
    "marked",
    "marked_name",
    "marked_number",
    "matches",
    "narrows",
    "query_words",
    "search_slices",
    "words_of_names",
]

SLICE = 4_000
"""Rows looked at before the caller gets its turn: well under a frame."""

# A word as phone numbers are written, and not just one sign of it.
_PHONE_LIKE = re.compile(r"[+(]*[0-9][0-9+()./-]*")
_APOSTROPHE = re.compile("['`]")


def query_words(query: str) -> tuple[str, ...]:
    """What each of must be found: the folded words of `query`, the longest (rarest) first.

    Words that stand together and look like parts of a phone number are one number, so that it is
    found however it was blanked.
    """
    found: list[str] = []
    number = ""
    for word in search_text(query).split():
        if _PHONE_LIKE.fullmatch(word):
            number += digits_of(word)
            continue
        found += [number, word]
        number = ""
    return tuple(sorted({*found, number} - {""}, key=lambda word: (-len(word), word)))


def matches(key: str, wanted: Sequence[str]) -> bool:
    """Whether every one of the wanted words stands somewhere in `key`."""
    return all(map(key.__contains__, wanted))


def narrows(wanted: Sequence[str], before: Sequence[str]) -> bool:
    """Whether all that have the `wanted` words were among those that had the ones `before`."""
    return all(any(old in new for new in wanted) for old in before)


_WORTH_KEEPING = 0.8
"""Of those among whom was looked: what was found in most of a slice saves hardly any time."""


class _Found(NamedTuple):
    """What searches found in one slice: the rows and keys that have every one of the words."""

    fewest: tuple[str, ...]
    most: tuple[str, ...]
    """Whatever has the `fewest` words has these, too."""
    rows: tuple[int, ...]
    keys: tuple[str, ...]
    """Tuples, which are not looked through for cycles again and again, as lists are."""


class ListedKeys:
    """The keys of a list in its order, slice by slice, as they are needed while somebody types.

    Each slice remembers what was found in it: a letter more is looked for among those alone, and
    one letter less is known already. Until somebody has stopped searching, those are taken apart
    that had to be looked at one by one: an object for each takes three times the memory.
    """

    def __init__(self, rows: Sequence[int], text_of: Callable[[Sequence[int]], KeyText]) -> None:
        """`rows` of the list in order, which stay as they are; `text_of` some of them."""
        self.rows = rows
        self._text_of = text_of
        self._texts: dict[tuple[int, int], KeyText] = {}
        self._apart: dict[tuple[int, int], _Found] = {}
        self._found: dict[tuple[int, int], list[_Found]] = {}
        self._common = ""
        """The word that many had in the slice looked at last: in the next they will, too."""

    def found(
        self, start: int, end: int, wanted: tuple[str, ...]
    ) -> tuple[Sequence[int], Iterable[str]]:
        """Those from one place in the list to behind another whose key has every wanted word, and
        these keys, to be gone through once.

        Not to be changed.
        """
        before = self._found.setdefault((start, end), [])
        while before and not narrows(wanted, before[-1].fewest):
            before.pop()
        if before and narrows(before[-1].most, wanted):
            return before[-1].rows, before[-1].keys
        among = before[-1] if before else self._all_between(start, end, wanted)
        rows, keys = _narrowed(among, wanted)
        if wanted and wanted[0] == self._common and len(rows) <= (end - start) // _RARE:
            self._common = ""
        if before and len(rows) == len(among.rows):
            before[-1] = among._replace(most=wanted)
            return rows, among.keys
        if len(rows) <= _WORTH_KEEPING * (end - start if not before else len(among.rows)):
            keys = tuple(keys)
            before.append(_Found(wanted, wanted, rows, keys))
        return rows, keys

    def forget_searches(self) -> None:
        """Nothing is searched any more: hold nothing of what was found."""
        self._found.clear()

    def put_together(self) -> None:
        """Nobody has searched for a while: hold nothing but where the keys lie."""
        self._apart.clear()

    def _all_between(self, start: int, end: int, wanted: tuple[str, ...]) -> _Found:
        """Those among whom the wanted words are looked for: fewer than all where one is rare."""
        text = self._texts.get((start, end))
        if text is None:
            text = self._texts[start, end] = self._text_of(self.rows[start:end])
        apart = self._apart.get((start, end))
        word = wanted[0] if wanted else ""
        may_be_rare = word != self._common and _may_be_rare(text, word, end - start)
        if apart is not None and not may_be_rare:
            return apart
        whole = text.read()
        if may_be_rare:
            most = (end - start) // _RARE
            some = list(islice(_keys_with(whole, word), most + 1))
            if len(some) <= most:
                found = tuple(self.rows[start + at] for at, _ in some)
                return _Found((), wanted[:1], found, tuple(key for _, key in some))
            self._common = word
        if apart is None:
            # Numbers that are objects already are gathered in half the time.
            rows = tuple(self.rows[start:end])
            apart = self._apart[start, end] = _Found((), (), rows, tuple(whole.split(END)))
        return apart


def search_slices(
    listed: ListedKeys,
    wanted: tuple[str, ...],
    slice_size: int = SLICE,
    *,
    flags: bytes | bytearray = b"",
    flag: int = 0,
    names_begin: Sequence[str] = (),
) -> Iterator[Sequence[int]]:
    """The `listed` rows, in their order, whose key has every wanted word, slice by slice.

    A blank key is of somebody who is gone and never found. With a `flag`, only rows that carry it
    in `flags` are found; with `names_begin`, only those in whose names each of these folded words
    begins one of theirs. Each step gives what one slice of the rows yields, often nothing, or less
    of it where that takes longer, so that the caller can draw it, let the event loop run, or stop.
    """
    # A flag of Python's own takes twenty times as long to compare as its number.
    carriers = bytes(each & int(flag) != 0 for each in range(256))
    for start in range(0, len(listed.rows), slice_size):
        found, keys = listed.found(start, min(start + slice_size, len(listed.rows)), wanted)
        parts: Iterable[Sequence[int]] = (found,)
        if names_begin:
            parts = _whose_names_begin(found, tuple(keys), tuple(names_begin))
        for part in parts:
            if flag:
                theirs = bytes(map(flags.__getitem__, part)).translate(carriers)
                yield list(compress(part, theirs))
            else:
                yield list(part)


_NAMES = re.compile(f"^[^{SEPARATOR}{END}]*{SEPARATOR}[^{SEPARATOR}{END}]*", re.MULTILINE)
"""The first two fields of each key in a text: last and first name."""


def words_of_names(text: KeyText) -> set[str]:
    """The folded words of the names in these keys."""
    # What stands between two fields divides words as a blank does.
    return set(" ".join(_NAMES.findall(text.read())).split())


_CLOSELY = 500
"""Keys looked at closely in one go: half a millisecond where all of them may begin so."""


def _whose_names_begin(
    rows: Sequence[int], keys: Sequence[str], words: tuple[str, ...]
) -> Iterator[list[int]]:
    """Those of whom that is true, in parts: enough of them may be in the first."""
    for start in range(0, max(len(rows), 1), _CLOSELY):
        part = slice(start, start + _CLOSELY)
        yield _beginning_so(rows[part], keys[part], words)


def _beginning_so(rows: Sequence[int], keys: Sequence[str], words: tuple[str, ...]) -> list[int]:
    may: Iterator[tuple[int, str]] = zip(rows, keys, strict=True)
    # Each key that is looked at closely takes four times as long.
    word = words[0]
    behind_another = map(contains, keys, repeat(SEPARATOR + word))
    within = map(contains, keys, repeat(" " + word))
    first = map(str.startswith, keys, repeat(word))
    may = compress(may, map(or_, map(or_, behind_another, within), first))
    begins = _names_begin(words).match
    return [row for row, key in may if begins(key)]


@lru_cache(maxsize=16)
def _names_begin(words: tuple[str, ...]) -> re.Pattern[str]:
    """Finds a key in whose first two fields, the names, each of the `words` begins one."""
    field = f"[^{SEPARATOR}]*"
    begun = (f"(?=(?:{field}{SEPARATOR})?(?:{field} )?{re.escape(word)})" for word in words)
    return re.compile("".join(begun))


def _narrowed(among: _Found, wanted: tuple[str, ...]) -> tuple[tuple[int, ...], Iterable[str]]:
    """Those whose key has every one of the `wanted` words, and their keys."""
    rows, keys = among.rows, among.keys
    found: Iterable[str] = keys
    if not wanted:
        # Nothing is found in a blank key.
        rows, found = tuple(compress(rows, keys)), filter(None, keys)
    for word in wanted:
        if word not in among.most:
            keys = keys if found is keys else tuple(found)
            has = list(map(contains, keys, repeat(word)))
            rows, found = tuple(compress(rows, has)), compress(keys, has)
    return rows, found


_TRIED = 16
"""The part of a text in which a word is counted first."""
_RARE = 10
"""To go from one find to the next takes as long as to look at so many keys one by one."""


def _may_be_rare(text: KeyText, word: str, many: int) -> bool:
    return text.often(word, _TRIED) * _TRIED <= many // _RARE


def _keys_with(text: str, word: str) -> Iterator[tuple[int, str]]:
    """The keys in `text` that have the word, each with how many stand before it."""
    many, end, at = 0, 0, text.find(word)
    while at >= 0:
        many += text.count(END, end, at)
        start = text.rfind(END, end, at) + 1
        end = text.find(END, at)
        if end < 0:
            yield many, text[start:]
            return
        yield many, text[start:end]
        at = text.find(word, end)


_MARKED = 2_000
"""Letters of a text: nobody sees those behind them."""
Span = tuple[int, int]
"""A piece of a text: its first letter, and the one behind its last."""


def marked(text: str, wanted: Sequence[str]) -> tuple[Span, ...]:
    """Where the `wanted` words stand in `text`: in order, none touching the next.

    A letter is marked whole, with its accents and with the apostrophe inside a word; of ß, which
    is looked for as ss, half a find is enough. Of a very long text its beginning is marked.
    """
    seen = text[:_MARKED]
    return _joined(span for word in wanted for span in _spans(_reading(seen), word))


def marked_number(text: str, wanted: Sequence[str]) -> tuple[Span, ...]:
    """The same in a phone number, where a word of digits is found however they are blanked."""
    if not wanted:
        return ()
    whole = _reading(text[:_MARKED])
    digits = _Reading.of(each for each in whole.each() if each[0].isdecimal())
    readings = [digits, whole] if any(letter.isalpha() for letter in whole.letters) else [digits]
    return _joined(s for word in wanted for each in readings for s in _spans(each, word))


def marked_name(person: Person, wanted: Sequence[str]) -> tuple[Span, ...]:
    """The same in a person's full name, also where it is found as written without a blank."""
    if not wanted:
        return ()
    name = person.full_name
    spans = list(marked(name, wanted))
    if not name.isascii() and keys_of(person).unspaced:
        first, last = (person.firstname or "").strip(), (person.lastname or "").strip()
        family_first = name.lstrip().startswith(last)
        first_at = name.rfind(first) if family_first else name.find(first)
        last_at = name.find(last) if family_first else name.rfind(last)
        turned = _Reading.of((*_behind(last_at, last), *_behind(first_at, first)))
        # Letter by letter: what is found may begin near the end of the name as it is shown.
        spans += (turned.spans[at] for word in wanted for at in _letters(turned, word))
    return _joined(spans)


def found_beyond(person: Person, wanted: Sequence[str]) -> str:
    """The preferred name or other text for which somebody was found whose name, email and numbers
    do not hold all of the `wanted` words; blank where those do.
    """
    if not (person.preferred_name or person.others):
        return ""
    keys = keys_of(person)
    missing = [word for word in wanted if not any(word in key for key in keys[:-1])]
    texts = (person.preferred_name or "", *(text for _, text in person.others))
    folded = ((search_text(text), text) for text in texts)
    return next((text for key, text in folded if any(word in key for word in missing)), "")


def _behind(start: int, half: str) -> Iterator[tuple[str, int, int]]:
    """The letters of one half of a name, without blanks at its ends, as it is folded."""
    reading = _reading(half)
    letters = list(reading.each())
    begin = len(letters) - len(reading.letters.lstrip())
    end = len(reading.letters.rstrip())
    return ((each, a + start, b + start) for each, a, b in letters[begin:end])


class _Reading(NamedTuple):
    """A text as it is searched, and the piece of the text that each of its letters comes from."""

    letters: str
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, letters: Iterable[tuple[str, int, int]]) -> "_Reading":
        kept = tuple(letters)
        return cls("".join(each for each, *_ in kept), tuple((a, b) for _, a, b in kept))

    def each(self) -> Iterator[tuple[str, int, int]]:
        return ((each, a, b) for each, (a, b) in zip(self.letters, self.spans, strict=True))


@lru_cache(maxsize=2_048)
def _reading(text: str) -> _Reading:
    """A screenful and what was searched around it is kept: painting asks again and again."""
    if text.isascii() and text.isprintable() and not _APOSTROPHE.search(text):
        return _Reading(text.lower(), tuple((at, at + 1) for at in range(len(text))))
    return _Reading.of(
        (letter, start, end)
        for start, end in _whole_letters(text)
        # Between two others nothing is trimmed from the ends.
        for letter in fold(f"x{text[start:end]}x")[1:-1]
        if letter != "'"
    )


def _whole_letters(text: str) -> Iterator[Span]:
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _belongs_to_the_one_before(text[end]):
            yield start, end
            start = end


@cache
def _belongs_to_the_one_before(character: str) -> bool:
    """Whether folding joins it with what stands before, or leaves it out."""
    apart = unicodedata.normalize("NFKD", character)
    if apart[0].isspace():
        return False
    return (
        not fold(character) or unicodedata.category(apart[0])[0] == "M" or apart[0] in _JAMO_BEHIND
    )


_JAMO_BEHIND = frozenset(map(chr, range(0x1160, 0x1200)))
"""Vowels and finals of Hangul, which make one syllable with the letter before them."""


def _letters(reading: _Reading, word: str) -> Iterator[int]:
    at = reading.letters.find(word)
    while at >= 0:
        yield from range(at, at + len(word))
        at = reading.letters.find(word, at + 1)


def _spans(reading: _Reading, word: str) -> Iterator[Span]:
    at = reading.letters.find(word)
    while at >= 0:
        yield reading.spans[at][0], reading.spans[at + len(word) - 1][1]
        at = reading.letters.find(word, at + 1)


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    apart: list[Span] = []
    for start, end in sorted(spans):
        if apart and start <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return tuple(apart)


_PART = 2_000
"""Rows looked at in one go."""


def position_starting(
    rows: Sequence[int],
    keys: ByRow[str],
    text_of: Callable[[Sequence[int]], KeyText],
    begin: int,
    prefix: str,
    *,
    by_last_name: bool,
    descending: bool | None = None,
) -> int | None:
    """Where in `rows` the first name from `begin` on, round the end, starts with `prefix`.

    `prefix` is folded and not blank; `keys` holds joined keys, looked up by row, and `text_of`
    tells those of some rows; a blank one is of somebody who is gone. Names lead as they are shown,
    or last names where the list is sorted by them; only where nobody fits, the other way round is
    tried. None when nobody fits.

    `descending` tells which way the `rows` are sorted by the name that leads; None: by no name.
    """
    head = prefix.split(" ", 1)[0]
    leads = range(len(rows))
    # A name as it is written where names have no blank stands elsewhere.
    if descending is not None and prefix.isascii():
        leads = _beginning(rows, keys, head, 0 if by_last_name else 1, descending=descending)
    searches = (_by_last, _by_first) if by_last_name else (_by_first, _by_last)
    for search, among in zip(searches, (leads, range(len(rows))), strict=True):
        for start, end in _parts(begin, among):
            for at in search(text_of(rows[start:end]).read(), head, prefix):
                return start + at
    return None


def _by_first(text: str, head: str, prefix: str) -> Iterator[int]:
    # A first name follows the separator; so may others, which are looked at more closely.
    for at, key in _keys_with(text, SEPARATOR + head):
        last, first, _, _, _, unspaced, *_ = key.split(SEPARATOR)
        if f"{first} {last}".startswith(prefix) or unspaced.startswith(prefix):
            yield at


def _by_last(text: str, head: str, prefix: str) -> Iterator[int]:
    for at, key in enumerate(text.split(END)):
        if key.startswith(head):
            last, first, _ = key.split(SEPARATOR, 2)
            if f"{last} {first}".startswith(prefix):
                yield at


def _beginning(
    rows: Sequence[int], keys: ByRow[str], head: str, field: int, *, descending: bool
) -> range:
    """The places in `rows` whose `field` begins with `head`, by which they are sorted: among a
    million some forty of them are looked at.
    """

    def is_behind(limit: str) -> Callable[[int], bool]:
        def behind(row: int) -> bool:
            # Blank ones come last in either direction.
            value = "".join(keys[row].split(SEPARATOR, field + 1)[field : field + 1])
            return not value or (value < limit if descending else value >= limit)

        return behind

    limits = (head, head + _LAST_LETTER)
    first, last = reversed(limits) if descending else limits
    start = bisect_left(rows, 1, key=is_behind(first))
    return range(start, bisect_left(rows, 1, start, key=is_behind(last)))


_LAST_LETTER = chr(sys.maxunicode)


def _parts(begin: int, among: range) -> Iterator[tuple[int, int]]:
    """Round the end: looked at in parts, so that a name nearby is not waited for."""
    here = min(max(begin, among.start), among.stop)
    for first, behind_last in ((here, among.stop), (among.start, here)):
        for start in range(first, behind_last, _PART):
            yield start, min(start + _PART, behind_last)


class PeopleFilter(StrEnum):
    """One of them is always on; the values are kept between two starts."""

    EVERYBODY = "everybody"
    VOLUNTEERS = "volunteers"
    ADMINISTRATORS = "administrators"
    WITHOUT_EMAIL = "without email"
    ARCHIVED = "archived"
    RECENTLY_ADDED = "recently added"
    """From this computer: who is on the way, and who was added in the last weeks."""

    @property
    def flag(self) -> PersonFlags | None:
        """What those who pass carry; None where everybody passes."""
        return _FLAGS.get(self)


_FLAGS = {
    PeopleFilter.VOLUNTEERS: PersonFlags.VOLUNTEER,
    PeopleFilter.ADMINISTRATORS: PersonFlags.ADMIN,
    PeopleFilter.WITHOUT_EMAIL: PersonFlags.WITHOUT_EMAIL,
    PeopleFilter.ARCHIVED: PersonFlags.ARCHIVED,
    PeopleFilter.RECENTLY_ADDED: PersonFlags.RECENTLY_ADDED,
}
