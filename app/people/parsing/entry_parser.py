"""A typed or pasted line read as a new person: which parts are the name, the email, the phone.

It decides what belongs to what; signs are read in `tokenizer`, the name itself in `names`. Nothing
that was typed is lost: what no field takes is in `leftover`, as it was typed.
"""

import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from app.model.display_name import is_family_first
from app.model.outbox import NewPerson
from app.people.parsing import name_words
from app.people.parsing.name_words import is_generation
from app.people.parsing.names import Name, NameOrder, split_at_comma, split_name
from app.people.parsing.tokenizer import SEPARATORS, Kind, Token, clean, tokens_of
from app.people.search import fold

__all__ = ["NameOrder", "read_entry"]

_FULL = 2
_MOST_AFTER_EMAIL = 3
_SETS_APART = frozenset({Kind.CELL, Kind.SOFT})
_LABELS = frozenset({Kind.LABEL, Kind.FIRST_LABEL, Kind.LAST_LABEL})
_LONG_ENOUGH_FOR_A_STOP = 4


class _Piece(msgspec.Struct, frozen=True):
    """What stands between two column signs or line ends; `cell`: a column sign led here."""

    tokens: tuple[Token, ...]
    cell: bool

    @property
    def words(self) -> tuple[Token, ...]:
        return tuple(token for token in self.tokens if token.kind is Kind.WORD)


def read_entry(text: str, order: NameOrder = NameOrder.FIRST_LAST) -> NewPerson:
    """The person a line says; any text gives one, a blank text a blank one.

    `order` decides only where nothing in the line does: a comma, particles, a last name in
    capitals, initials or the script come first. Names and email are as they were typed, without
    the blanks and signs around them. Of several emails or phone numbers the first is used.
    """
    line = clean(text)
    tokens = _without_repeated_email(tokens_of(line))
    email = next((token for token in tokens if token.kind is Kind.EMAIL), None)
    phone = next((token for token in tokens if token.kind is Kind.PHONE), None)
    name = _labelled(tokens) or _read_pieces(_pieces(_near_email(tokens)), order)
    used = {token.start for token in (*name.first, *name.last, email, phone) if token is not None}
    return NewPerson(
        firstname=_joined(name.first),
        lastname=_joined(name.last),
        email=email.text if email else "",
        phone=phone.text if phone else "",
        leftover=_leftover(line, tokens, used),
    )


def _without_repeated_email(tokens: list[Token]) -> list[Token]:
    """Mail programs write `'ada@x.org' <ada@x.org>`: the same address twice is one."""
    first: Token | None = None
    kept: list[Token] = []
    for token in tokens:
        if token.kind is Kind.EMAIL:
            if first is not None and token.text.casefold() == first.text.casefold():
                continue
            first = first or token
        kept.append(token)
    return kept


def _near_email(tokens: list[Token]) -> list[Token]:
    """The tokens among which the name is: those of the first person, without notes behind them."""
    emails = [place for place, token in enumerate(tokens) if token.kind is Kind.EMAIL]
    if not emails:
        return tokens
    behind = emails[1] if len(emails) > 1 else len(tokens)
    before, after = tokens[: emails[0]], tokens[emails[0] + 1 : behind]
    while before and before[-1].kind is Kind.COMMA:
        before.pop()
    while after and after[0].kind is Kind.COMMA:
        after.pop(0)
    words = sum(token.kind is Kind.WORD for token in before)
    if words == 0:
        return after
    if words >= _FULL or len(emails) > 1 or not _goes_on(before, after):
        return before
    return before + after


def _goes_on(before: list[Token], after: list[Token]) -> bool:
    """Whether a single word before the email finds the rest of its name behind it."""
    words = [token.text for token in after if token.kind is Kind.WORD]
    if any(token.kind is Kind.CELL for token in (*before, *after)):
        return True
    small = all(token.text.islower() for token in before if token.kind is Kind.WORD)
    return len(words) <= _MOST_AFTER_EMAIL and all(
        small or not word[:1].islower() or name_words.is_particle(word) for word in words
    )


def _labelled(tokens: list[Token]) -> Name | None:
    """A form pasted with its labels: `First name: Ada`, `Last name: Lovelace`."""
    halves: dict[Kind, tuple[Token, ...]] = {}
    for place, token in enumerate(tokens):
        if token.kind in {Kind.FIRST_LABEL, Kind.LAST_LABEL} and token.kind not in halves:
            end = place + 1
            while end < len(tokens) and tokens[end].kind is Kind.WORD:
                end += 1
            halves[token.kind] = tuple(tokens[place + 1 : end])
    if len(halves) < _FULL or not all(halves.values()):
        return None
    return Name(halves[Kind.FIRST_LABEL], halves[Kind.LAST_LABEL])


def _pieces(tokens: Sequence[Token]) -> list[_Piece]:
    pieces: list[_Piece] = []
    current: list[Token] = []
    cell = False
    for token in tokens:
        if token.kind not in _SETS_APART:
            current.append(token)
            continue
        if any(kept.kind is Kind.WORD for kept in current):
            pieces.append(_Piece(tuple(current), cell))
            cell = False
        cell = cell or token.kind is Kind.CELL
        current = []
    if any(kept.kind is Kind.WORD for kept in current):
        pieces.append(_Piece(tuple(current), cell))
    return [piece for piece in pieces if not _only_titles(piece)]


def _only_titles(piece: _Piece) -> bool:
    return all(name_words.is_title(word.text) for word in piece.words)


def _read_pieces(pieces: list[_Piece], order: NameOrder) -> Name:
    if not pieces:
        return Name()
    first = pieces[0]
    following = pieces[1] if len(pieces) > 1 else None
    if following is None or len(_segments(first.tokens)) > 1 or not _columns(first, following):
        return _read_piece(first, order)
    one, two = _middle_joined(pieces)
    name = split_name((one[0], two[0]), order) if len(one) == len(two) == 1 else None
    if name is not None and name.first and name.last:
        return name
    return Name(one, two) if order is NameOrder.FIRST_LAST else Name(two, one)


def _columns(first: _Piece, following: _Piece) -> bool:
    """Whether two pieces are the two halves of a name."""
    return following.cell or len(first.words) == len(following.words) == 1


def _middle_joined(pieces: list[_Piece]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """First and last column; a middle initial in a column of its own goes with the first."""
    one, two = pieces[0].words, pieces[1].words
    middle = len(pieces) > _FULL and pieces[2].cell
    if middle and len(two) == 1 and name_words.is_initial(two[0].text):
        return one + two, pieces[2].words
    return one, two


def _read_piece(piece: _Piece, order: NameOrder) -> Name:
    segments = _segments(piece.tokens)
    names: list[list[Token]] = []
    generation: tuple[Token, ...] = ()
    for place, segment in enumerate(segments):
        words = [token for token in segment if token.kind is Kind.WORD]
        if any(token.kind is Kind.NUMBER for token in segment) and names:
            break
        if names and words and name_words.is_company(words[-1].text):
            break
        if place and words and all(name_words.is_generation(word.text) for word in words):
            generation += tuple(words)
        elif words and not (place and all(_is_addition(word.text) for word in words)):
            names.append(_before_number(segment))
    if not names:
        return Name()
    if len(names) > 1:
        name = split_at_comma(names[0], names[1])
    else:
        ended = piece.tokens[-1].kind is Kind.COMMA and len(names[0]) == 1
        name = split_name(names[0], NameOrder.LAST_FIRST if ended else order)
    return Name(name.first, name.last + generation)


def _is_addition(word: str) -> bool:
    return name_words.is_title(word) or name_words.is_degree(word, after_comma=True)


def _segments(tokens: Sequence[Token]) -> list[list[Token]]:
    segments: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind is Kind.COMMA:
            segments.append([])
        else:
            segments[-1].append(token)
    return [segment for segment in segments if any(token.kind is Kind.WORD for token in segment)]


def _before_number(segment: list[Token]) -> list[Token]:
    """The words of a name; what follows a number behind a whole name is an address or a note."""
    words: list[Token] = []
    for token in segment:
        if token.kind in {Kind.NUMBER, Kind.PHONE} and len(words) >= _FULL:
            break
        if token.kind is Kind.WORD:
            words.append(token)
    return words


def _joined(words: Sequence[Token]) -> str:
    text = " ".join(word.text for word in words)
    last = words[-1].text if words else ""
    stopped = last.endswith(".") and "." not in last[:-1] and len(last) > _LONG_ENOUGH_FOR_A_STOP
    whole = (name_words.is_generation, name_words.is_particle, name_words.is_title)
    return text[:-1] if stopped and not any(belongs(last) for belongs in whole) else text


def _leftover(line: str, tokens: Sequence[Token], used: set[int]) -> str:
    """What no field took, in its order; neighbours with the signs between them, as typed."""
    parts: list[tuple[int, int]] = []
    joined = False
    for token in tokens:
        if token.kind in SEPARATORS:
            continue
        if token.start in used:
            joined = False
            continue
        if joined:
            parts[-1] = (parts[-1][0], token.end)
        else:
            parts.append((token.start, token.end))
        joined = True
    return " ".join(" ".join(line[start:end].split()) for start, end in parts)


_BLANKS = re.compile(r"[\s\u200b-\u200f]*\Z")


def last_name_to_keep(new_person: NewPerson) -> str:
    """The last name for the next of the family; "Jr." was one person's own. Blank if none."""
    words = new_person.lastname.split()
    while len(words) > 1 and is_generation(words[-1]):
        words.pop()
    return " ".join(words)


def with_kept_last_name(read: NewPerson, typed: str, kept: str) -> NewPerson:
    """`read`, the reading of `typed`, for somebody whose last name is `kept` unless told otherwise.

    Kept means kept: words in a row are the first name, however many ("Mary Ann"). A line that sets
    the halves apart by a sign, as in "King, Ada" or in two cells, has a last name of its own. The
    kept name typed once more at the end is not taken twice.
    """
    if not kept:
        return read
    row = _row(read, typed)
    if row is None:
        return read
    return msgspec.structs.replace(read, firstname=_without_last(row, kept), lastname=kept)


def _row(read: NewPerson, typed: str) -> str | None:
    """First and last name in the order they were typed; None when a sign stands between them."""
    first, last = read.firstname, read.lastname
    if not (first and last):
        return first or last
    first_at, last_at = typed.find(first), typed.rfind(last)
    if first_at < 0 or last_at < 0:
        return f"{first} {last}"
    if first_at < last_at:
        between, row = typed[first_at + len(first) : last_at], f"{first} {last}"
    else:
        last_at = typed.find(last)
        between, row = typed[last_at + len(last) : first_at], f"{last} {first}"
    if not between and is_family_first(last):
        return last + first
    apart = "\t" in between or "\n" in between or not _BLANKS.match(between)
    return None if apart else row


def _without_last(row: str, kept: str) -> str:
    """`row` without the kept name where its script puts it, unless nothing would be left of it."""
    if is_family_first(kept):
        return row.removeprefix(kept).strip() or row
    words, ending = row.split(), kept.split()
    if len(words) > len(ending) and fold(" ".join(words[-len(ending) :])) == fold(kept):
        words = words[: -len(ending)]
    return " ".join(words)


_LINE_ENDS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NUMBERED = re.compile(r"\s*([0-9]{1,5})[.)]\s*(?=[^\W\d_])")
_FEWEST_OF_A_SHEET = 3
_FEWEST_AMONG_OTHERS = 4
_LOOKED_AT = 40
"""Lines that are read to find out; a whole spreadsheet would say no more."""


def first_of(text: str, read: Callable[[str], NewPerson]) -> tuple[str, bool]:
    """The part of `text` that says its first person, and whether it says more people than one.

    A signature, an address block or a name in stacked cells is one person: `text` whole. Several
    people are lines that could each stand alone: two emails, two whole names, or three names of any
    kind; lines that say a street, a role or a firm, and an email in a line of its own, need more.
    """
    lines = [line for line in _LINE_ENDS.split(text) if line.strip()]
    if len(lines) <= 1:
        return text, False
    readings = [read(line) for line in lines[:_LOOKED_AT]]
    if not _are_several(lines, readings):
        return text, False
    whole = (line for line, one in zip(lines, readings, strict=False) if _whole(one))
    return next(whole, lines[0]), True


def numbers_before(lines: Iterable[str]) -> list[int]:
    """How long the numbers are before `1. Ada Lovelace`, `2. Bob Byron`: nobody numbers the lines
    of one person. Nothing where they are not, or there is one line alone.
    """
    found = [_NUMBERED.match(line) for line in lines]
    counted = [number and int(number[1]) for number in found] == list(range(1, len(found) + 1))
    return [number.end() for number in found if number] if counted and len(found) > 1 else []


def _are_several(lines: Sequence[str], readings: Sequence[NewPerson]) -> bool:
    if numbers_before(lines[:_LOOKED_AT]):
        return True
    whole = sum(_whole(one) for one in readings)
    rows = sum("\t" in line.strip() for line in lines[:_LOOKED_AT])
    emails = len({one.email.casefold() for one in readings if one.email and _named(one)})
    if emails > 1 or (whole > 1 and (rows > 1 or not any(one.email for one in readings))):
        return True
    # A sheet in which few have an email; in a signature it stands in a line of its own.
    beside_name = any(one.email and one.firstname and one.lastname for one in readings)
    if beside_name and whole == len(readings) >= _FEWEST_OF_A_SHEET:
        return True
    return _are_names(lines, readings)


def _are_names(lines: Sequence[str], readings: Sequence[NewPerson]) -> bool:
    """Whether the lines are a list of names: what says more of one person is no name."""
    small = not any(letter.isupper() for line in lines[:_LOOKED_AT] for letter in line)
    commas = sum("," in line for line in lines[:_LOOKED_AT]) > 1
    names: dict[str, bool] = {}
    alone = others = 0
    for line, one in zip(lines, readings, strict=False):
        if one.email and not _named(one):
            alone += 1
        # One comma alone is that of a town and its country.
        elif (commas or one.email or "," not in line) and _is_name(line, one, small=small):
            names[fold(one.full_name)] = bool(one.firstname and one.lastname)
        else:
            others += 1
    whole = sum(names.values())
    if others:
        # One line that says something else, such as what the list is of, is not all of them.
        many = len(names) >= _FEWEST_AMONG_OTHERS * others
        return not alone and (many or (whole >= _FEWEST_OF_A_SHEET and whole > others))
    if alone:
        return whole >= _FEWEST_OF_A_SHEET or len(names) >= _FEWEST_AMONG_OTHERS
    return whole >= _FULL or len(names) >= _FEWEST_OF_A_SHEET


def _is_name(line: str, one: NewPerson, *, small: bool) -> bool:
    """Whether a line says a name, and not a street, a role, a firm or a greeting.

    `small` where nothing is written with a capital.
    """
    if one.email:
        return True
    number = any(sign.isdigit() for sign in one.phone + one.leftover)
    if not (_whole(one) or (_named(one) and not number)):
        return False
    tokens = tokens_of(clean(line))
    if any(token.kind in _LABELS for token in tokens):
        return False
    words = [token.text for token in tokens if token.kind is Kind.WORD]
    if any(map(name_words.is_of_address, words)) or name_words.is_company(words[-1]):
        return False
    if len(words) > 1 and name_words.is_title(words[-1]):
        return False  # a role: Senior Pastor
    return small or all(map(_is_in_names, words))


def _is_in_names(word: str) -> bool:
    joins = (name_words.is_particle, name_words.is_and, name_words.is_link, name_words.is_article)
    return not word[:1].islower() or any(belongs(word) for belongs in joins)


def _named(one: NewPerson) -> bool:
    return bool(one.firstname or one.lastname)


def _whole(one: NewPerson) -> bool:
    if one.email:
        return _named(one)
    # A number beside two words is a street far more often than somebody's name.
    street = any(sign.isdigit() for sign in one.leftover)
    return bool(one.firstname and one.lastname) and not street
