"""Chinese, Japanese and Korean names in their own scripts: where the family name ends.

What stands in which field of a line that has such a name is decided in `names`.
"""

import re
import unicodedata
from functools import cache

from app.model.display_name import is_family_first
from app.people.parsing.name_words import LISTS, words
from app.store.folding import fold

_KATAKANA = re.compile(r"[\u3099\u309a\u30a0-\u30ff\uff66-\uff9f]+\Z")
_KHMER = re.compile(r"[\u1780-\u17ff]")
_JAMO = re.compile(r"[\u1100-\u11ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+\Z")
_HAN_THEN_KANA = re.compile(r"([^\u3040-\u309f\u30a0-\u30ff]+)([\u3040-\u309f\u30a0-\u30ff]+)\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309fー]+\Z")
_KOREAN_TWO = words("korean_two")
_CHINESE_TWO = words("chinese_two")
_JAPANESE_FOUR = words("japanese_four")
_JAPANESE_THREE = words("japanese_three")
_JAPANESE_TWO = words("japanese_two")
_WHOLE_FOUR = 4
_DOT = "・"

# Forms of address stand behind a name, most often without a blank.
_HONORIFICS = words("honorifics")
_ADDRESSED = re.compile(
    rf"(?P<name>\S+?)(?P<honorific>{'|'.join(sorted(_HONORIFICS, key=len, reverse=True))})\Z"
)
# A name may end in these: only behind a family name and a given name of two are they an address.
_MAY_END_A_NAME = words("may_end_a_name")
_SHORTEST_WHOLE = 3
_SHORTEST_BEFORE_KANA = 2


@cache
def _romanised() -> dict[str, frozenset[str]]:
    """The common spellings in Latin letters, folded, of family names."""
    lines = (line.partition(": ") for line in LISTS["romanised"])
    return {
        family: frozenset(spellings.split())
        for families, _, spellings in lines
        for family in families.split()
    }


def are_family_first(words: list[str]) -> bool:
    """Whether the words are a name in a script that puts the family name first.

    Of katakana alone, which is for names from elsewhere, nobody can tell.
    """
    return all(map(is_family_first, words)) and not all(map(_KATAKANA.match, words))


def split_east_asian(word: str) -> tuple[str, str]:
    """Family name and given name of a name written without a blank; the given one may be blank.

    A word that cannot be split (a name in kana alone) comes back as the given name.
    """
    if _JAMO.search(word):
        # A syllable that is written as its letters is not cut in two.
        word = unicodedata.normalize("NFC", word)
    kana = _HAN_THEN_KANA.match(word)
    if kana:
        return kana[1], kana[2]
    if _HIRAGANA.match(word) or _KHMER.search(word):
        return "", word
    size = _family_size(word)
    return word[:size], word[size:]


def _family_size(word: str) -> int:
    if _HANGUL.match(word):
        return 2 if word[:2] in _KOREAN_TWO else 1
    if word[:4] in _JAPANESE_FOUR:
        return 4
    if word[:3] in _JAPANESE_THREE:
        return 3
    if word[:2] in _JAPANESE_TWO or word[:2] in _CHINESE_TWO:
        return 2
    return 2 if len(word) >= _WHOLE_FOUR else 1


def split_at_dot(word: str) -> tuple[str, str] | None:
    """First and last name of a foreign name in katakana, ジョン・スミス, or None."""
    first, dot, last = word.rpartition(_DOT)
    return (first, last) if dot and first and last and _KATAKANA.match(last) else None


def is_honorific(word: str) -> bool:
    """Whether a word behind a name is a form of address: 先生, 様, 목사님."""
    return word in _HONORIFICS


def without_honorific(word: str) -> str:
    """The name in a word that ends in a form of address (山田花子様, 李老师), or the whole word."""
    found = _ADDRESSED.match(word)
    if found is None or not is_family_first(word):
        return word
    name, honorific = found["name"], found["honorific"]
    if honorific in _MAY_END_A_NAME:
        shortest = _SHORTEST_WHOLE if _HANGUL.match(word) else _SHORTEST_BEFORE_KANA
        return name if len(name) >= shortest else word
    return name


def is_romanised(family: str, word: str) -> bool:
    """Whether a word in Latin letters is a common spelling of the family name: 王 as Wang, Wong."""
    return fold(word) in _romanised().get(family, ())
