"""How the two halves of a name are put into one line, as the people who carry such names write it.

The script decides and nothing else: a Hungarian or Vietnamese name in Latin letters tells nobody
which half is which. What the halves are is the service's word or the reader's of typed lines.
"""

import re

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u3099\u309a\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_FAMILY_FIRST = re.compile(rf"[{_HAN}{_HANGUL}{_HIRAGANA}{_KATAKANA}]+")
# A middle initial stands between dots of its own: マイケル・J.
_FOREIGN = re.compile(rf"[{_KATAKANA}][{_KATAKANA}・･A-Za-z.]*")
_HIRAGANA_ONLY = re.compile(rf"[{_HIRAGANA}ー]+")
_KHMER = re.compile("[\u1780-\u17ff\u19e0-\u19ff\u200b]+")
_MIDDLE_DOT = "・"


def display_name(firstname: str | None, lastname: str | None) -> str:
    """First and last name in one line; blank where both are.

    In a script that puts the family name first it stands first, without a blank where none is
    written: 王小明, 김민준, 山田太郎. A foreign name in katakana keeps its order, with a dot:
    ジョン・スミス.
    """
    first, last = firstname or "", lastname or ""
    if not first or not last:
        return first or last
    if first.isascii() or last.isascii():
        return f"{first} {last}"
    return _in_order_of_script(first, last)


def is_family_first(word: str) -> bool:
    """Whether a word is in a script in which the family name stands first."""
    return _FAMILY_FIRST.fullmatch(word) is not None or _KHMER.fullmatch(word) is not None


def _in_order_of_script(first: str, last: str) -> str:
    # "小明 David" is written behind its family name too; what is behind it says nothing.
    leading, ending = (first.split() or [""])[0], (last.split() or [""])[-1]
    if _KHMER.fullmatch(leading) and _KHMER.fullmatch(ending):
        return f"{last} {first}"
    if not _FAMILY_FIRST.fullmatch(ending) or not all(map(is_family_first, last.split())):
        return f"{first} {last}"
    if _FOREIGN.fullmatch(leading) and _FOREIGN.fullmatch(ending):
        return f"{first}{_MIDDLE_DOT}{last}"
    if not _FAMILY_FIRST.fullmatch(leading):
        return f"{first} {last}"
    if _HIRAGANA_ONLY.fullmatch(leading) and _HIRAGANA_ONLY.fullmatch(ending):
        # Of kana alone nobody sees where the family name ends.
        return f"{last} {first}"
    return f"{last}{first}"
