"""The text in a file: by its mark, as UTF-8, as Windows writes the languages of Western Europe,
else by a guess, which `is_sure` tells from the others.

What the text means is left to others.
"""

import codecs
import re
import unicodedata
from itertools import islice

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = "cp1252"
_NOT_WESTERN = re.compile(
    r"[^\0-\x7fäöüßáéíóúñàâçèêëîïôùåæøòìãõœ’‘“”„–—…€°´§©®«»·¿¡ºª\xa0]"
    r"|ñ(?![aeiouáéíóú])|ã(?=[a-df-nprt-z])|õ(?!e)|œ(?!u)|[¿¡](?![^\W_])|(?<![\dn])[ºª]|[ºª]\w"
    r"|[^\W\0-\x7f]{3}",
    re.IGNORECASE,
)
"""Letters that its languages do not have, or not there: they are another encoding's."""
_OF_THE_NORTH = re.compile("[øØ]")
_NOT_OF_THE_NORTH = re.compile("[áíìè]", re.IGNORECASE)
_GUESSED = (
    *("cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1252"),
    *("mac_roman", "cp850", "cp866", "koi8_r", "cp932", "gb18030", "big5", "euc_kr", "euc_jp"),
)
_FIRST = 100_000
_MOST_LINES = 500
_LONGEST_LINE = 1_000
_MOST_ODD = 0.01


def is_sure(encoding: str) -> bool:
    """Whether letters in this encoding are as they were written, as far as anybody can tell."""
    return encoding.startswith("utf") or encoding == _WESTERN


def decode(content: bytes) -> tuple[str, str] | None:
    """The text and the name of its encoding; None where it is no text."""
    encoding = _encoding(content)
    text = content.decode(encoding, "replace")
    if not _is_text(text):
        return None
    # Marks stand inside where files were joined, and old programs set a sign behind the last line.
    return text.replace("\ufeff", "").rstrip("\x1a\ufffd"), encoding


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    try:
        content.decode("utf-8")
    except UnicodeError:
        return _WESTERN if _is_western(content) else _guessed(content)
    return "utf-8"


def _is_western(content: bytes) -> bool:
    try:
        text = content.decode(_WESTERN)
    except UnicodeError:
        return False
    # What is ø there is ř in Central Europe.
    mixed = _OF_THE_NORTH.search(text) and _NOT_OF_THE_NORTH.search(text)
    return not mixed and _NOT_WESTERN.search(text) is None


def _guessed(content: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - hardly a list needs it

    telling = (line[:_LONGEST_LINE] for line in content.splitlines() if not line.isascii())
    guess = from_bytes(b"\n".join(islice(telling, _MOST_LINES)), cp_isolation=list(_GUESSED)).best()
    return guess.encoding if guess is not None else _WESTERN


def _is_text(text: str) -> bool:
    """Whether there is next to nothing in it that no keyboard writes."""
    sample = text[:_FIRST]
    odd = sum(1 for letter in sample if letter < " " and letter not in "\t\n\r\f\v\x1a")
    odd += sum(1 for each in sample if each > "~" and unicodedata.category(each) in {"Cc", "Cn"})
    return odd <= len(sample) * _MOST_ODD and "\0" not in text and "\x1b" not in sample
