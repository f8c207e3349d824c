"""Text as it is compared: without case, accents and the other things a person does not type.

It knows letters; which fields are folded, and what is looked for in them, is decided elsewhere.
"""

import unicodedata

FOLDING = f"2/{unicodedata.unidata_version}"
"""Changes when keys may be others than before: those kept under another are stale."""

# Letters that Unicode does not take apart, each with what people type in its place.
_NAMED_LETTERS = "łl øo đd ðd ħh ŧt ŋn ıi ĸk ƒf ɓb ɗd ƙk ƴy ɖd ɛe ɔo əe ǝe ɨi ʉu ɵo ƶz ȼc ɇe ɍr"
_MORE_LETTERS = "ⱥa ⱦt ǥg ɣg ʋv ɩi ʊu ɲn ƈc ƥp ƭt æae œoe ßss þth"
# The same letter, told apart only by the keyboard it was typed on.
_ARABIC = "ىي یي کك ەه ہه"
_SIGNS = "’' ‘' ‛' ′' ʼ' ʻ' `' ‐- ‑- ‒- –- —- −-"
_NAMED = {
    ord(pair[0]): pair[1:]
    for pair in f"{_NAMED_LETTERS} {_MORE_LETTERS} {_ARABIC} {_SIGNS}".split()
} | {ord("ـ"): ""}

_NOT_TO_BE_TAKEN_APART = str.maketrans("´", "'")
_LOWEST_ACCENT = 200
_OVERLAY = 1
_HEBREW_AND_ARABIC_POINTS = range(10, 37)


class _Plain(dict[int, str]):
    """What becomes of one character; each is worked out once."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = _plain(chr(code))
        return plain


def _plain(character: str) -> str:
    if _is_accent(unicodedata.combining(character)):
        return ""
    if unicodedata.category(character) in {"Cc", "Cf"}:
        return " " if character.isspace() else ""
    number = unicodedata.decimal(character, None)
    return character if number is None else str(number)


def _is_accent(combining: int) -> bool:
    """Whether a mark is one that people leave out.

    The others are letters in all but name: Indic, Thai and Lao vowels and tones, the voicing of
    kana.
    """
    return (
        combining >= _LOWEST_ACCENT
        or combining == _OVERLAY
        or combining in _HEBREW_AND_ARABIC_POINTS
    )


_PLAIN = _Plain(_NAMED)


def fold(text: str) -> str:
    """`text` for comparing: lower case, no accents, one blank between words, none around.

    Digits of any script become 0 to 9, apostrophes and dashes their plain forms; Hangul, kana and
    ideographs stay whole, so that a part of a name is found in it. Folding twice changes nothing.
    """
    if text.isascii() and text.isprintable():
        folded = text.lower().replace("`", "'")
        if " " not in folded:
            return folded
    else:
        apart = unicodedata.normalize("NFKD", text.translate(_NOT_TO_BE_TAKEN_APART)).casefold()
        folded = apart.translate(_PLAIN)
        if not folded.isascii():
            folded = unicodedata.normalize("NFC", folded)
    return " ".join(folded.split())
