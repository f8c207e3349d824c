"""A typed line cut into what its signs say: words, emails, phone numbers, notes and separators.

What the words mean as a name is left to `names`; what to do with the parts, to `entry_parser`.
"""

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from app.people.parsing.east_asian import without_honorific

_BLANKS = re.compile(r"[^\S\n\t]|[\x00-\x08\x0e-\x1b\x7f\u2800\u3164]")
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)
# A joiner between two letters is spelling in Persian and in Indian scripts, and litter elsewhere.
_JOINER = re.compile(r"(?<![^\x00-\u02ff])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u02ff])")
# Hebrew short forms carry their sign before the last letter: ד"ר.
_GERSHAYIM = re.compile(r"(?<=[\u05d0-\u05ea])\"(?=[\u05d0-\u05ea])")
_QUOTED_SINGLE = re.compile(
    r"(?<!\S)['‘‚](?![tsn]\b)((?:[^'‘’\n]|(?<=\w)['’](?=\w)){1,80})['’](?![\w'’])"
)
_LABEL = (
    r"(?P<first>(?:first|given|fore)[ -]?names?|vorname|prénom)"
    r"|(?P<last>(?:last|family|sur)[ -]?names?|nachname|nom)"
    r"|(?:full[ ])?name|e-?mail(?:[ ]address)?|mail|tel(?:ephone)?|telefon|tél"
    r"|(?:(?:mobile|cell)[ ])?phone"
    r"|mobile|mob|cell|handy|fax|contact|from|to|cc|t|m|e|p|ph"
)
_TOKEN = re.compile(
    rf"""
      (?P<label>(?<!\w)(?:{_LABEL})\.?[ ]?:(?!//))
    | (?P<angle><[^<>\n]*>)
    | (?P<note>\([^()\n@＠]*\)|\[[^\[\]\n@＠]*\])
    | (?P<soft>\n|(?<!\S)(?:[-–—~=>→•·*/\\]+|\#)(?!\S))
    | (?P<cell>\t)
    | (?P<rule>[;；|])
    | (?P<comma>[,，、،])
    | (?P<quote>["“”„‟«»「」『』])
    | (?P<word>(?:[^\s<>()\[\],，、،;；|"“”„‟«»「」『』]|\(at\)|\[at\])+)
    | (?P<stray>\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AT = re.compile(r"@|＠|\(at\)|\[at\]", re.IGNORECASE)
_WEB = re.compile(
    r"\w+://|www\.|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|info|eu|uk|de|ch|fr)\Z"
)
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+\.?\Z")
_ORDINAL = re.compile(r"(?:2nd|3rd|4th)\Z", re.IGNORECASE)
_CONTACT_WORD = re.compile(
    r"(?:tel(?:ephone)?|telefon|tél|phone|ph|mobile|mob|cell|handy|natel|fax|e-?mail|mail)\.?\Z",
    re.IGNORECASE,
)
_AFTER_CONTACT_WORD = re.compile(r"(?:number|numbers|no|nr|num|nummer)\.?\Z", re.IGNORECASE)
_BEFORE_CONTACT_WORD = re.compile(
    r"(?:home|work|office|business|private|mobile|mob|cell)\.?\Z", re.IGNORECASE
)


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    EMAIL = "email"
    PHONE = "phone"
    NOTE = "note"
    """In brackets, or a nickname in quotes: kept beside the name."""
    NUMBER = "number"
    LABEL = "label"
    FIRST_LABEL = "first name label"
    LAST_LABEL = "last name label"
    OTHER = "other"
    COMMA = "comma"
    CELL = "cell"
    """A sign that stands between two columns."""
    SOFT = "soft"
    """A line end or a free-standing sign: something else begins, perhaps."""
    QUOTE = "quote"


_WHOLE_NAME = 2
SEPARATORS = frozenset({Kind.COMMA, Kind.CELL, Kind.SOFT})
_SAID_BY_A_WORD = frozenset({Kind.PHONE, Kind.NUMBER, Kind.EMAIL})


class Token(msgspec.Struct, frozen=True):
    """A part of the cleaned line, `start` to `end`; `text` is it without the signs around it."""

    kind: Kind
    text: str
    start: int
    end: int


def clean(text: str) -> str:
    """`text` with one kind of blank and one kind of line end, without invisible marks."""
    text = _BLANKS.sub(" ", _LINE_ENDS.sub("\n", text))
    return _JOINER.sub("", _INVISIBLE.sub("", text))


def tokens_of(line: str) -> list[Token]:
    """The tokens of a cleaned line in their order; blanks and stray signs are in none."""
    phones = find_phones(line)
    covered = list(_QUOTED_SINGLE.sub(r'"\1"', _GERSHAYIM.sub("\u05f4", line)))
    for start, end in phones:
        covered[start:end] = " " * (end - start)
    found = [token for match in _TOKEN.finditer("".join(covered)) for token in _read(match, line)]
    found += [Token(Kind.PHONE, line[start:end], start, end) for start, end in phones]
    found.sort(key=lambda token: token.start)
    return _without_quotes(_contact_words(_mended_emails(found)))


def _read(match: re.Match[str], line: str) -> Iterator[Token]:
    start, end = match.span()
    kind, text = match.lastgroup, match.group()
    if kind == "label" or match.group("label"):
        role = Kind.FIRST_LABEL if match.group("first") else Kind.LABEL
        yield Token(Kind.LAST_LABEL if match.group("last") else role, text, start, end)
    elif kind == "angle":
        if text.strip("<> "):
            inside = text.strip("<> ")
            read = _email(inside, start, end) if _AT.search(inside) else None
            yield read or Token(Kind.OTHER, line[start:end], start, end)
    elif kind == "note":
        if any(character.isalnum() for character in text):
            yield Token(Kind.NOTE, line[start:end], start, end)
    elif kind == "rule":
        tight = line[start - 1 : start].strip() and line[end : end + 1].strip()
        yield Token(Kind.CELL if tight else Kind.SOFT, text, start, end)
    elif kind == "word":
        yield from _word(text, start, end)
    elif kind in {"soft", "cell", "comma", "quote"}:
        yield Token(Kind(str(kind)), text, start, end)


def _word(text: str, start: int, end: int) -> Iterator[Token]:
    email = _email(text, start, end) if _AT.search(text) else None
    if email is not None:
        before = text.find(email.text)
        if text[:before].lower() not in {"", "mailto:"} and before > 0:
            yield Token(Kind.OTHER, text[:before], start, start + before)
            email = replace(email, start=start + before)
        after = max(before, 0) + len(email.text)
        rest = text[after:] if before >= 0 else ""
        if any(character.isalnum() for character in rest):
            email = replace(email, end=start + after)
            yield email
            yield Token(Kind.OTHER, rest, start + after, end)
        else:
            yield email
        return
    bare = text.strip(":!?*=~_•·¡¿") or text
    if bare.startswith(("-", "–", "—")) and len(bare) > 1:
        bare = bare.lstrip("-–—") or bare
    name = without_honorific(bare)
    if name != bare:
        end = start + text.index(bare) + len(name)
        yield Token(Kind.OTHER, bare[len(name) :], end, end + len(bare) - len(name))
    yield Token(_kind_of_word(name), name, start, end)


def _kind_of_word(word: str) -> Kind:
    if word[0] == "@" or _AT.fullmatch(word) or _WEB.match(word):
        return Kind.OTHER
    if _ORDINAL.match(word):
        return Kind.WORD
    core = word.lstrip("#+('.€$£")
    if core[:1].isdigit():
        return Kind.NUMBER
    if not any(character.isalpha() for character in word) and word not in {"&", "+"}:
        return Kind.OTHER
    return Kind.WORD


def _email(text: str, start: int, end: int) -> Token | None:
    """The address in a word that holds an @, or None for a handle or a bare sign."""
    address = re.sub(r"\A.*?mailto:", "", text, count=1, flags=re.IGNORECASE)
    address = address.strip("'’‘`.:!?<>*").partition("?")[0]
    local, sign, _ = address.partition("@")
    if sign and ":" in local:
        address = address[local.rindex(":") + 1 :]
    if any("\uff01" <= character <= "\uff5e" for character in address):
        address = unicodedata.normalize("NFKC", address)
    at = _AT.search(address)
    if at is None or at.start() == 0:
        return None
    return Token(Kind.EMAIL, address, start, end)


def _mended_emails(tokens: list[Token]) -> list[Token]:
    """`ada@ x.org` and `ada@x,org` are one address each: nobody means two things by them."""
    mended: list[Token] = []
    for token in tokens:
        if mended and _is_rest_of_address(mended[-1], token):
            text = mended[-1].text + token.text.rstrip(".")
            mended[-1] = Token(Kind.EMAIL, text, mended[-1].start, token.end)
        elif _is_comma_for_dot(mended[-2:], token):
            text = f"{mended[-2].text},{token.text}"
            mended[-2:] = [Token(Kind.EMAIL, text, mended[-2].start, token.end)]
        else:
            mended.append(token)
    return mended


def _is_rest_of_address(before: Token, token: Token) -> bool:
    open_end = before.kind is Kind.EMAIL and before.text.endswith("@")
    near = token.start - before.end <= 1
    return open_end and near and _DOMAIN.match(token.text) is not None


def _is_comma_for_dot(before: list[Token], token: Token) -> bool:
    if len(before) != 2 or token.kind is not Kind.WORD or before[1].kind is not Kind.COMMA:  # noqa: PLR2004 - address and comma
        return False
    address, comma = before
    joined = address.end == comma.start and comma.end == token.start
    bare = address.kind is Kind.EMAIL and "." not in address.text.rpartition("@")[2]
    return joined and bare and token.text.islower() and token.text.isascii()


def _contact_words(tokens: list[Token]) -> list[Token]:
    """`Tel` or `mobile phone no.` before a number and `email` before an address are no names.

    A number need not be whole: while it is typed, the word before it must not jump into the name.
    """
    read = list(tokens)
    for place, token in enumerate(tokens):
        if token.kind in _SAID_BY_A_WORD:
            for word in _words_before(tokens, place):
                read[word] = replace(tokens[word], kind=Kind.LABEL)
    return read


def _words_before(tokens: list[Token], place: int) -> range:
    """The places of the words that say what the number or address at `place` is."""
    end = place
    while end and tokens[end - 1].kind in {Kind.CELL, Kind.SOFT}:
        end -= 1
    start = end
    if _says(tokens, start - 1, _AFTER_CONTACT_WORD):
        start -= 1
    if not _says(tokens, start - 1, _CONTACT_WORD):
        return range(0)
    start -= 1
    return range(start - 1 if _says(tokens, start - 1, _BEFORE_CONTACT_WORD) else start, end)


def _says(tokens: list[Token], place: int, words: re.Pattern[str]) -> bool:
    found = tokens[place] if place >= 0 else None
    return found is not None and found.kind is Kind.WORD and bool(words.match(found.text))


def _without_quotes(tokens: list[Token]) -> list[Token]:
    """Quotes set columns apart or mark a nickname; around a whole name they say nothing."""
    read: list[Token] = []
    opened: int | None = None
    quoted = False
    for place, token in enumerate(tokens):
        kinds = [near.kind for near in tokens[max(0, place - 1) : place + 2]]
        if token.kind is Kind.COMMA and kinds == [Kind.QUOTE, Kind.COMMA, Kind.QUOTE]:
            read.append(replace(token, kind=Kind.CELL))
        elif token.kind is not Kind.QUOTE:
            read.append(token)
        elif opened is None:
            opened = len(read)
        else:
            after = tokens[place + 1].kind if place + 1 < len(tokens) else None
            read[opened:] = _nickname(read, opened, after, alone=not quoted)
            opened, quoted = None, True
    return read


def _nickname(read: list[Token], opened: int, after: Kind | None, *, alone: bool) -> list[Token]:
    """The quoted tokens from `opened` on; `alone`: nothing before them was in quotes."""
    inside = read[opened:]
    words = bool(inside) and all(token.kind is Kind.WORD for token in inside)
    behind = opened > 0 and read[opened - 1].kind is Kind.WORD
    whole = alone and sum(token.kind is Kind.WORD for token in read[:opened]) >= _WHOLE_NAME
    if not (words and behind and (after is Kind.WORD or whole)):
        return inside
    text = " ".join(token.text for token in inside)
    return [Token(Kind.NOTE, f'"{text}"', inside[0].start - 1, inside[-1].end + 1)]


_RUN = re.compile(
    r"(?<![\w@.+=#/-])[+(]{0,2}\d(?:[ ().\-/–]{0,3}\d){5,29}(?![\w@])"
    r"(?:[ ,]{0,2}(?:ext\.?|x|durchwahl)[ ]?\d{1,6}\b)?",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[+(]*\d+\)?(?:[ ,]*[a-z]+\.? ?\d+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,2}([./ -])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([./-])\d{1,2}\2\d{1,2}")
_FEWEST, _MOST, _WHOLE = 7, 15, 10


def find_phones(line: str) -> list[tuple[int, int]]:
    """The places (start, end) of the phone numbers in a cleaned line, in order."""
    return [
        (
            _behind_open_brackets(line, match.start() + start, match.start() + end),
            match.start() + end,
        )
        for match in _RUN.finditer(line)
        if not _goes_on_a_letter(line, match.start())
        for start, end in _numbers(match.group())
    ]


def _goes_on_a_letter(line: str, start: int) -> bool:
    """Whether an accent of its own stands before this place: it is part of a letter, and of a word
    as that one is.
    """
    return start > 0 and unicodedata.combining(line[start - 1]) != 0


def _behind_open_brackets(line: str, start: int, end: int) -> int:
    """Where a number begins: `(0171) 555` is one, and `(0171 555)` holds one."""
    while line[start] == "(" and line.count("(", start, end) > line.count(")", start, end):
        start += 1
    return start


def _numbers(run: str) -> list[tuple[int, int]]:
    """Two numbers may follow one another with only a blank between them."""
    places: list[tuple[int, int]] = []
    digits = 0
    for group in _GROUP.finditer(run):
        size = sum(character.isdigit() for character in group.group())
        fresh = group.group().lstrip("(").startswith(("+", "0")) and digits >= _WHOLE
        if places and not fresh and digits + size <= _MOST:
            places[-1] = (places[-1][0], group.end())
            digits += size
        else:
            places.append(group.span())
            digits = size
    return [place for place in places if _is_phone(run[place[0] : place[1]])]


def _is_phone(text: str) -> bool:
    digits = sum(character.isdigit() for character in text)
    if _DATE.fullmatch(text):
        return False
    spoken = text.startswith(("+", "0", "(")) or any(sign in text for sign in " -/.")
    return digits >= _FEWEST or (digits == _FEWEST - 1 and spoken)
