"""Words in a row, read as a first and a last name by what they are and by the chosen order.

Which words of a line are a name at all is decided in `entry`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.people.parsing import name_words
from app.people.parsing.tokenizer import Token

Words = tuple[Token, ...]
_MOST_WORDS = 20
_THREE = 3


class NameOrder(StrEnum):
    """In which order a person types names that have no comma."""

    FIRST_LAST = "first last"
    LAST_FIRST = "last first"


@dataclass(frozen=True, slots=True)
class Name:
    """The words of each half; a word given to `split_name` that is in neither could not be used."""

    first: Words = ()
    last: Words = ()


def split_name(words: Sequence[Token], order: NameOrder) -> Name:
    """Read a name without a comma. Titles and degrees are left out; "Jr." stays with the last name.

    The last word is the last name (or the first word, by `order`), unless particles, capitals,
    initials, a patronymic or the script say more.
    """
    titles, rest = _without_titles(tuple(words))
    rest = _without_maiden_name(_without_degrees(rest))[:_MOST_WORDS]
    rest, generation = _without_generation(rest)
    if len(rest) == 1:
        name = _single(rest[0], titles, order)
    else:
        name = _by_script(rest) or _by_hints(rest, order)
    return replace(name, last=name.last + generation)


def split_at_comma(last: Sequence[Token], first: Sequence[Token]) -> Name:
    """Read `Lovelace, Ada`: titles are left out, "Jr." and a trailing "van der" go to the last."""
    _, last_words = _without_titles(tuple(last))
    last_words = _without_degrees(last_words)
    _, first_words = _without_titles(tuple(first))
    first_words = _without_degrees(first_words)
    while len(first_words) > 1 and name_words.is_title(first_words[-1].text):
        first_words = first_words[:-1]
    first_words, generation = _cut_behind(first_words, name_words.is_generation)
    first_words, particles = _cut_behind(first_words, _is_small_particle)
    return Name(first_words[:_MOST_WORDS], (particles + last_words)[:_MOST_WORDS] + generation)


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
        if name_words.is_title(words[start].text):
            start += 1
        elif 0 < start < len(words) - 2 and (
            name_words.is_and(words[start].text) and name_words.is_title(words[start + 1].text)
        ):
            start += 2
        else:
            break
    start = min(start, len(words) - 1) if words else 0
    return words[:start], words[start:]


def _without_degrees(words: Words) -> Words:
    return _cut_behind(words, name_words.is_degree)[0]


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
    if is_family_first([word.text]):
        family, given = split_east_asian(word.text)
        halves = [(replace(word, text=half),) if half else () for half in (given, family)]
        return Name(*halves)
    dotted = split_at_dot(word.text)
    if dotted:
        return Name((replace(word, text=dotted[0]),), (replace(word, text=dotted[1]),))
    if titles:
        as_last = name_words.goes_with_last_name(titles[-1].text)
    else:
        as_last = order is NameOrder.LAST_FIRST
    return Name((), (word,)) if as_last else Name((word,), ())


def _by_script(words: Words) -> Name | None:
    if is_family_first([word.text for word in words]):
        return Name(words[1:], words[:1])
    return None


def _by_hints(words: Words, order: NameOrder) -> Name:
    texts = [word.text for word in words]
    for last_start, last_end in (_particles_first(texts), _shouted(texts), _family_first(texts)):
        if last_end:
            return Name(words[:last_start] + words[last_end:], words[last_start:last_end])
    if order is NameOrder.LAST_FIRST and not _given_first(texts):
        end = _last_name_end(texts)
        return Name(words[end:], words[:end])
    start = _last_name_start(texts)
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


def _last_name_start(texts: list[str]) -> int:
    return _pulled(texts, len(texts) - 1)


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
    return start


def _last_name_end(texts: list[str]) -> int:
    """Where a last name that stands first ends; one word stays for the first name."""
    end = min(_particle_run(texts), len(texts) - 2) + 1
    while end < len(texts) - 2 and name_words.is_link(texts[end]):
        end += 2
    if end < len(texts) - 1 and name_words.is_generation(texts[end]):
        end += 1
    return end


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAME = re.compile(
    r"[\u3005-\u3007\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    r"\U00020000-\U0003ffff]+\Z"
)
_KATAKANA = re.compile(r"[\u30a0-\u30ff\uff66-\uff9f]+\Z")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+\Z")
_HAN_THEN_KANA = re.compile(r"([^\u3040-\u309f]+)([\u3040-\u309f]+)\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309f]+\Z")
_KOREAN_TWO = _words("남궁 황보 제갈 사공 선우 서문 독고 동방")
_CHINESE_TWO = _words("""
    欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 东方 東方 皇甫 尉迟 尉遲 公孙 公孫 慕容 令狐 司徒 夏侯
    端木 宇文 长孙 長孫 轩辕 軒轅 南宫 南宮""")
_JAPANESE_THREE = _words("""
    佐々木 長谷川 五十嵐 小笠原 大久保 久保田 宇都宮 佐久間 日下部 波多野 小野寺 長谷部
    海老原""")
_JAPANESE_TWO = _words("""
    佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 渡部 山本 中村 小林 加藤 吉田 山田 山口 松本 井上 木村
    斎藤 斉藤 齋藤 清水 山崎 阿部 池田 橋本 山下 石川 中島 前田 藤田 後藤 小川 岡田 村上 長谷 近藤
    石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 藤原 岡本 松田 中川 中野 原田 小野 田村 竹内 金子
    和田 中山 石田 上田 森田 柴田 酒井 工藤 横山 宮崎 宮本 内田 高木 安藤 谷口 大野 丸山 今井 高田
    藤本 武田 村田 上野 杉山 増田 平野 大塚 千葉 久保 松井 小島 岩崎 桜井 野口 松尾 野村 木下 菊地
    菊池 佐野 大西 杉本 新井 浜田 市川 古川 水野 小松 島田 小山 山内 西田 川口 北村 安田
    五味""")
_WHOLE_FOUR = 4


def is_family_first(words: list[str]) -> bool:
    """Whether the words are a Chinese, Japanese or Korean name in its own script."""
    return bool(words) and all(_NAME.match(word) for word in words)


def split_east_asian(word: str) -> tuple[str, str]:
    """Family name and given name of a name written without a blank; the given one may be blank.

    A word that cannot be split (a name in kana alone) comes back as the given name.
    """
    kana = _HAN_THEN_KANA.match(word)
    if kana:
        return kana[1], kana[2]
    if _HIRAGANA.match(word):
        return "", word
    size = _family_size(word)
    return word[:size], word[size:]


def _family_size(word: str) -> int:
    if _HANGUL.match(word):
        return 2 if word[:2] in _KOREAN_TWO else 1
    if word[:3] in _JAPANESE_THREE:
        return 3
    if word[:2] in _JAPANESE_TWO or word[:2] in _CHINESE_TWO:
        return 2
    return 2 if len(word) >= _WHOLE_FOUR else 1


def split_at_dot(word: str) -> tuple[str, str] | None:
    """First and last name of a foreign name in katakana, ジョン・スミス, or None."""
    first, dot, last = word.rpartition("・")
    return (first, last) if dot and first and last and _KATAKANA.match(last) else None
