"""The text in a file that does not say its encoding: each is judged by what comes out.

What the text means is left to others.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SHIFTED_JAPANESE = re.compile(rb"\x1b\$[@B]")
_WORD = re.compile(
    rb"(?<![A-Za-z'\x80-\xff])[A-Za-z']{0,40}[\x80-\xff][A-Za-z'@\[\]\\^_`{|}~\x80-\xff]{0,200}"
)
"""With what may be the second byte of a letter in an East Asian encoding."""
_SAMPLE = 2_000
_PIECE = 64 * 1024
_LONGEST_PIECE = 4 * _PIECE
_FIRST = 100_000
_MOST_ODD = 0.01

# The letters of languages beyond ASCII, small: the file of one office is in one or two of them.
_ALPHABETS = {
    "western": (
        "äöüß",
        "àâçéèêëîïôûùüœæÿ",
        "áéíóúñüçï",
        "áâãàçéêíóôõú",
        "åäöéü",
        "æøåéö",
        "àèéìíòóùú",
        "ëéèïöüáóí",
        "áðéíóúýþæö",
    ),
    "central": (
        "ąćęłńóśźż",
        "áčďéěíňóřšťúůýž",
        "áäčďéíĺľňóôŕšťúýž",
        "áéíóöőúüű",
        "čćđšž",
        "ăâîșțşţ",
    ),
    "turkish": ("çğıöşüi\u0307",),
    "baltic": ("āčēģīķļņšūž", "ąčęėįšųūž", "äöõüšž"),
    "cyrillic": ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    "greek": ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",),
    "hebrew": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",),
    "arabic": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهويىپچژگ",),
}
# The more usual first: of two that make the same sense, it is taken.
_SINGLE_BYTE = (
    ("cp1254", "turkish"),
    ("cp1252", "western"),
    ("cp1250", "central"),
    ("mac_roman", "western"),
    ("cp850", "western"),
    ("cp1251", "cyrillic"),
    ("cp1253", "greek"),
    ("cp1255", "hebrew"),
    ("cp1256", "arabic"),
    ("cp1257", "baltic"),
    ("koi8_u", "cyrillic"),
    ("cp866", "cyrillic"),
    ("cp852", "central"),
    ("iso8859_2", "central"),
    ("iso8859_15", "western"),
)
# Where each of them has the letters that its language uses most: the first of their two bytes.
_EAST_ASIAN = {
    "euc_kr": range(0xB0, 0xC9),
    "gb18030": range(0xB0, 0xD8),
    "cp932": (*range(0x81, 0x99), *range(0xA1, 0xE0)),
    "big5": range(0xA1, 0xC7),
    "euc_jp": range(0xA4, 0xD0),
}
_VOWELS = {"cyrillic": "аеёиіїоуыэюяє", "greek": "αεηιουωάέήίόύώ"}
_FEWEST_VOWELS = 0.3
_OWN = {"turkish": "ğış", "greek": "άέήίόύώ"}
"""Letters without which no list is in that language, or none in that encoding."""
_IN_WORDS = frozenset("’‘·–-")
_OPENING = frozenset("„‚")
_SIGNS = frozenset("€£©®™´°²³½¼¾")
_APOSTROPHE = "´"
_IDEOGRAPHIC = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "HALFWIDTH"}
)
_PREFIX = re.compile(r"Ma?c|[DdLlO]['’]|[DdLl][aei]|Van|Von|Fitz|Le|La")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxzćčçďđģķļľłńňņñŕřśšşţťßźżž]{4,}", re.IGNORECASE)
_UNLIKELY = 0.1
"""Between two encodings of the same sense it decides, and nowhere else."""
_NONE_RIGHT = 0.5


_AS_WINDOWS_WRITES = {
    bytes([byte]).decode("cp1252", "replace").replace("\ufffd", chr(byte)): byte
    for byte in range(0x80, 0x100)
} | {chr(byte): byte for byte in range(0x80, 0xA0)}
"""The byte that each letter beyond ASCII was; those without one in cp1252 stand for themselves."""
_WINDOWS = "".join(_AS_WINDOWS_WRITES)
_WORD_BEYOND_ASCII = re.compile(rf"[{_WINDOWS}][!#-+\--:<-{{}}~{_WINDOWS}]*")
"""From its first letter beyond ASCII."""
_TWICE_ENCODED = re.compile(
    r"[ÂÃÄÅÐÑ](?:(?![\xa0«»°¡¿])[\x80-\xbfŒœŠšŽžŸƒˆ˜€™]"
    r"|(?<!\w.)[\u2013-\u203a](?=[^\W\d_]))"
)
"""What nobody writes: another sign than those beside words behind one of these letters."""
_NEVER_MEANT = re.compile("[\x00-\x9f\u0250-\u02af\u07c0-\u07ff]")
"""Signs of control, of phonetics and of a script whose bytes are “É®” and “ß”” in cp1252."""


def decode(content: bytes) -> tuple[str, str] | None:
    """The text and the name of its encoding; None where it is no text."""
    found = _decoded(content)
    if found is None:
        return None
    text, encoding = found
    # Marks stand inside where files were joined, and old programs set a sign behind the last line.
    return text.replace("\ufeff", "").rstrip("\x1a"), encoding


def _decoded(content: bytes) -> tuple[str, str] | None:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            whole_letters = content[: len(content) // 2 * 2] if "16" in encoding else content
            text = _whole(whole_letters, encoding)
            return (text, encoding) if text is not None and _is_text(text) else None
    if b"\0" in content:
        return _without_mark(content) or _without_stray_zeros(content)
    if _SHIFTED_JAPANESE.search(content) and (text := _whole(content, "iso2022_jp_2")) is not None:
        return text, "iso2022_jp_2"
    text = _whole(content, "utf-8")
    if text is not None:
        text = _once_encoded(text)
        return (text, "utf-8") if _is_text(text) else None
    if (text := _line_by_line(content)) is not None:
        return text, "utf-8"
    encoding = _most_sensible(content)
    text = content.decode(encoding, "replace")
    return (text, encoding) if _is_text(text) else None


def _whole(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeError:
        return None


def _once_encoded(text: str) -> str:
    """`JÃ¼rgen`: a program took UTF-8 for Windows' own letters and saved them as UTF-8 again.

    Each word is put right by itself; beside words that are right, those of which there is no doubt.
    """
    if _TWICE_ENCODED.search(text) is None:
        return text
    words = set(_WORD_BEYOND_ASCII.findall(text))
    some_are_right = any(_meant(word) == word and _says_letters(word) for word in words)

    def put_right(found: re.Match[str]) -> str:
        sure = not some_are_right or _TWICE_ENCODED.search(text, *found.span()) is not None
        return _meant(found[0]) if sure else found[0]

    return _WORD_BEYOND_ASCII.sub(put_right, text)


def _says_letters(word: str) -> bool:
    return any(sign.isalpha() and not sign.isascii() for sign in word)


def _meant(word: str) -> str:
    """What was encoded twice, as it was before; what was not, as it stands."""
    try:
        meant = bytes(_AS_WINDOWS_WRITES.get(sign) or ord(sign) for sign in word).decode()
    except UnicodeError:
        return word
    beyond = "".join(sign for sign in meant if not sign.isascii())
    return word if _NEVER_MEANT.search(beyond) else meant


def _is_text(text: str) -> bool:
    """Whether there is next to nothing in it that no keyboard writes."""
    sample = text[:_FIRST]
    odd = sum(1 for letter in sample if letter < " " and letter not in "\t\n\r\f\v\x1a")
    odd += sum(1 for each in sample if each > "~" and unicodedata.category(each) in {"Cc", "Cn"})
    return odd <= len(sample) * _MOST_ODD and "\0" not in text


def _without_mark(content: bytes) -> tuple[str, str] | None:
    """UTF-16 or UTF-32 that does not say so: in one order of the bytes it is a text."""
    found = []
    for encoding, width in (("utf-16-le", 2), ("utf-16-be", 2), ("utf-32-le", 4), ("utf-32-be", 4)):
        text = _whole(content[: len(content) // width * width], encoding)
        if text is not None and _is_text(text):
            plain = sum(letter <= "\u024f" for letter in text[:_FIRST])
            found.append((plain, text, encoding))
    if not found:
        return None
    _, text, encoding = max(found, key=lambda each: each[0])
    return (text, encoding) if re.search("[\t\n\r ,;@]", text) else None


def _without_stray_zeros(content: bytes) -> tuple[str, str] | None:
    """A text with a few zeros that a program left in it."""
    if content.count(0) > len(content) * _MOST_ODD:
        return None
    return _decoded(content.replace(b"\0", b""))


def _line_by_line(content: bytes) -> str | None:
    """UTF-8 with some lines of another program's in between; None where it is not that."""
    lines = content.splitlines(keepends=True)
    wide = [line for line in lines if not line.isascii()]
    good = sum(_whole(line, "utf-8") is not None for line in wide)
    if good <= len(wide) // 2:
        return None
    other = _most_sensible(b"".join(each for each in wide if _whole(each, "utf-8") is None))
    return "".join(_whole(line, "utf-8") or line.decode(other, "replace") for line in lines)


def _most_sensible(content: bytes) -> str:
    """One byte a letter or an East Asian encoding, by the words that come out."""
    words = _different_words(content)
    judged: list[tuple[float, str]] = []
    for encoding, family in _SINGLE_BYTE:
        judged += _judged(words, encoding, partial(_sense_of_alphabet, family=family))
    for encoding in _EAST_ASIAN:
        judged += _judged(words, encoding, partial(_sense_of_ideographs, encoding=encoding))
    best = max((sense for sense, _ in judged), default=0.0)
    if best < _NONE_RIGHT:
        from charset_normalizer import from_bytes  # noqa: PLC0415 - hardly a list needs it

        guess = from_bytes(b"\n".join(words)).best()
        return guess.encoding if guess is not None else "cp1252"
    return next(encoding for sense, encoding in judged if sense == best)


def _different_words(content: bytes) -> list[bytes]:
    """Those that are not ASCII, as many as tell; looked for in pieces, that others get a turn."""
    found: dict[bytes, None] = {}
    start = 0
    while start < len(content) and len(found) < _SAMPLE:
        end = content.find(b"\n", start + _PIECE) + 1 or len(content)
        if end - start > _LONGEST_PIECE:
            end = start + _PIECE
        found.update(dict.fromkeys(_WORD.findall(content, start, end)))
        start = end
    return list(found)[:_SAMPLE]


def _judged(
    words: Iterable[bytes], encoding: str, sense: Callable[[list[str]], float]
) -> list[tuple[float, str]]:
    try:
        return [(round(sense([word.decode(encoding) for word in words]), 3), encoding)]
    except UnicodeError:
        return []


def _sense_of_alphabet(words: list[str], family: str) -> float:
    """The part of what is not ASCII that is a letter of one language, where it may stand."""
    strange = unlikely = 0
    letters: Counter[str] = Counter()
    for word in words:
        for place, letter in enumerate(word):
            if letter.isascii():
                continue
            if _is_out_of_place(word, place):
                strange += 1
            elif letter.isalpha():
                letters[letter.lower()] += 1
                unlikely += _is_unlikely(word, place)
    whole = letters.total() + strange
    if not whole:
        return 1.0
    known: float = max(
        sum(n for letter, n in letters.items() if letter in alphabet)
        for alphabet in _ALPHABETS[family]
    )
    if family in _VOWELS:
        spoken = sum(letters[vowel] for vowel in _VOWELS[family]) / whole
        known *= min(1.0, spoken / _FEWEST_VOWELS)
    known -= unlikely * _UNLIKELY
    own = _OWN.get(family)
    return known / whole if own is None or any(letters[each] for each in own) else 0.0


def _is_out_of_place(word: str, place: int) -> bool:
    """Whether a sign stands in a word, a capital behind a small letter, or two scripts mingle."""
    letter = word[place]
    before, after = word[place - 1 : place], word[place + 1 : place + 2]
    category = unicodedata.category(letter)
    if category[0] == "L":
        mingled = (each for each in (before, after) if each.isalpha())
        if any(_script(each) != _script(letter) for each in mingled):
            return True
        return _has_odd_case(word[:place], letter, after)
    if category[0] in "SN":
        beside_letter = any(each.isalpha() or not each.isascii() for each in (before, after))
        return letter not in _SIGNS or (beside_letter and letter != _APOSTROPHE)
    if category[0] == "P" and letter not in _IN_WORDS:
        return before.isalpha() and (after.isalpha() or letter in _OPENING)
    return category[0] in "CM"


def _is_unlikely(word: str, place: int) -> bool:
    """Whether a name would begin small, or have four consonants in a row with this one in it."""
    if place == 0 and word[0].islower() and word[1:2].islower():
        return True
    return any(
        start <= place < end for start, end in (run.span() for run in _CONSONANTS.finditer(word))
    )


def _has_odd_case(begun: str, letter: str, after: str) -> bool:
    before = begun[-1:]
    if letter.isupper():
        if before.islower():
            return not _PREFIX.fullmatch(begun)
        return before.isupper() and after.islower()
    return letter.islower() and before.isupper() and after.isupper() and len(begun) > 1


def _sense_of_ideographs(words: list[str], encoding: str) -> float:
    """The part of the letters that are usual ones of this encoding, among their like."""
    usual = all_of_them = 0
    for word in words:
        for place, letter in enumerate(word):
            if letter.isascii():
                continue
            all_of_them += 1
            beside = word[max(0, place - 1) : place] + word[place + 1 : place + 2]
            if any(each.isalpha() and _script(each) != _script(letter) for each in beside):
                continue
            usual += _is_usual(letter, encoding)
    return usual / all_of_them if all_of_them else 0.0


@cache
def _is_usual(letter: str, encoding: str) -> bool:
    return unicodedata.category(letter) != "Co" and (
        letter.encode(encoding)[0] in _EAST_ASIAN[encoding]
    )


@cache
def _script(letter: str) -> str:
    script = unicodedata.name(letter, "").split(" ", 1)[0]
    if script in {"FEMININE", "MASCULINE", "MICRO"}:
        return "LATIN"
    return "IDEOGRAPH" if script in _IDEOGRAPHIC else script
