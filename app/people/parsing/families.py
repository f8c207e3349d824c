"""Several people in one cell or line of a list: a couple, a family, two with an email each.

It decides who is meant and which email is whose; each one's name is read by `entry_parser`. A line
that is typed is one person and never comes here.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

import msgspec

from app.model.outbox import NewPerson
from app.people.parsing import east_asian, name_words
from app.people.parsing.entry_parser import first_of, last_name_to_keep, read_entry
from app.people.parsing.name_words import words
from app.people.parsing.names import NameOrder, is_family, without_couple
from app.people.parsing.tokenizer import Kind, Token, clean, tokens_of
from app.people.search import fold

__all__ = ["emails_of", "halves_of", "people_in"]

# "Ada&Bob" and "Ada/Bob", but not "s/o", "c/o" or "A/S".
_TIGHT = re.compile(r"(?<=[^\W\d_]{2})[&/+](?=[^\W\d_]{2})")
_SLASH = re.compile(r"(?<!\S)(\S+) / (?=(\S+))")
_JOIN_AT_START = re.compile(r"\A[\s,;>)]*(?:(?:and|und|et|&|\+)\s)?", re.IGNORECASE)
_ENTITY = re.compile(r"&amp;", re.IGNORECASE)
# Two people with one family name, as Japanese lists have them: 山田太郎・花子.
_DOT = re.compile(r"(?<=[\u3041-\u309f\u4e00-\u9fff])・(?=[\u3041-\u309f\u4e00-\u9fff])")
_BETWEEN = words("between")
# With a capital these are names.
_BETWEEN_SMALL = words("between_small")
# These stand inside one name, too: Ortega y Gasset, da Silva e Souza.
_BETWEEN_OR_WITHIN = words("between_or_within")
# Without any of these there is one person at most, and most cells have none.
_JOINED = re.compile(
    r"[&+/;；・\n\r]|@[\s\S]*@|(?<!\S)(?:"
    + "|".join(sorted(map(re.escape, _BETWEEN | _BETWEEN_SMALL | _BETWEEN_OR_WITHIN)))
    + r")\.?(?!\S)",
    re.IGNORECASE,
)
_SECOND_GIVEN = words("second_given")
_NOTES = frozenset({Kind.NOTE, Kind.NUMBER, Kind.OTHER})
_FULL = 2
_SURE = 3
_MOST = 50
_MOST_WORDS = 3
_LAST_OF_A_LIST = re.compile(r"\s(?:and|und|et|y|e|en|och|og|&|\+)\s")


class _Part(msgspec.Struct, frozen=True):
    """What stands between two joining words: somebody's name, or the first half of one."""

    words: tuple[Token, ...]
    text: str

    @property
    def is_given(self) -> bool:
        """Whether it can hardly have a last name of its own: John, John P., Mary Ann, Dr. Ada."""
        words = [word.text for word in self.words if not name_words.is_title(word.text)]
        if len(words) > 1 and name_words.is_initial(words[0]) and len(words) == _FULL:
            return name_words.is_initial(words[1])
        if len(words) == 1:
            return not (
                east_asian.are_family_first(words) and all(east_asian.split_east_asian(words[0]))
            )
        behind = words[1:]
        return all(name_words.is_initial(word) or fold(word) in _SECOND_GIVEN for word in behind)


def people_in(text: str, order: NameOrder = NameOrder.FIRST_LAST) -> Sequence[NewPerson]:
    """The people a cell or line names, in its order, at most 50; nobody for a blank one.

    Two first names share the last name ("Ada & Bob Lovelace"), two whole ones do not. "Mr and Mrs
    Smith", "Mr and Mrs John Smith" and "the Lovelace family" are one entry each, as staff make of
    them: who the other is nobody has said, and a first name made up would be wrong. An email goes
    to whom it fits; one that fits nobody more than the others is everybody's. The phone and what
    is left over stay with the first.
    """
    if len(listed := _listed(text)) >= _SURE:
        return tuple(islice((read_entry(each, order) for each in listed), _MOST))
    if not _JOINED.search(text):
        return (read_entry(text, order),) if clean(text).strip() else ()
    line = _DOT.sub(" と ", _TIGHT.sub(r" \g<0> ", _ENTITY.sub("&", clean(text))))
    line = _SLASH.sub(_as_and, line)
    if not line.strip():
        return ()
    apart = _set_apart(line, order)
    if len(apart) > 1:
        found = (person for each in apart[:_MOST] for person in people_in(each, order))
        # A line with nothing but a sign in it is nobody.
        named = tuple(islice((person for person in found if person != NewPerson()), _MOST))
        return named or (read_entry(line, order),)
    tokens = tokens_of(line)
    people = _named(line, tokens, order)[:_MOST]
    if len(people) < _FULL:
        return (read_entry(line, order),)
    return _with_rest(people, tokens)


def halves_of(firstname: str, order: NameOrder = NameOrder.FIRST_LAST) -> tuple[str, str] | None:
    """First and last name, where what stands for a first name alone says both, as the line of one
    person is read: Ada Lovelace, Fam. Groß, and Smith, Lee, as a comma always says which is which.
    None for Mary Ann, John P. and Dr. Ada, and where a part of it would be lost, or is another
    person.
    """
    tokens = tokens_of(clean(firstname))
    words = tuple(token for token in tokens if token.kind is Kind.WORD)
    if not words or (_Part(words, firstname).is_given and not _has_comma_within(tokens)):
        return None
    people = people_in(firstname, order)
    if len(people) != 1:
        return None
    first, last = people[0].firstname, people[0].lastname
    is_whole = bool(first and last) and people[0] == NewPerson(firstname=first, lastname=last)
    return (first, last) if is_whole else None


def _has_comma_within(tokens: Sequence[Token]) -> bool:
    """Whether words stand on both sides of a comma."""
    said = [token.kind for token in tokens if token.kind in {Kind.WORD, Kind.COMMA}]
    return any(
        kind is Kind.COMMA and Kind.WORD in said[:at] and Kind.WORD in said[at + 1 :]
        for at, kind in enumerate(said)
    )


def _listed(text: str) -> list[str]:
    """The whole names of a list, as in "Ada King, Bob Ost and Cy Dee"; nothing for other text.

    Two with a comma between them may be one: "García Márquez, Gabriel José".
    """
    if "," not in text:
        return []
    *before, last = text.split(",")
    names = [name.strip() for name in (*before, *_LAST_OF_A_LIST.split(last)) if name.strip()]
    return names if all(map(_is_whole_name, names)) else []


def _is_whole_name(text: str) -> bool:
    words = text.split()
    return 1 < len(words) <= _MOST_WORDS and all(
        word[0].isupper()
        and word.replace("-", "").replace("’", "").replace("'", "").isalpha()
        and not word.isupper()
        and not (name_words.is_title(word) or name_words.is_of_address(word))
        and not (name_words.is_generation(word) or name_words.is_degree(word))
        and not (name_words.is_family_word(word) or name_words.is_company(word))
        for word in words
    )


def _as_and(found: re.Match[str]) -> str:
    """`Mr/Mrs Patel` are Mr and Mrs Patel."""
    titles = name_words.is_title(found[1]) and name_words.is_title(found[2])
    return f"{found[1]} & " if titles else found[0]


def _words_of(person: NewPerson) -> list[str]:
    return f"{person.firstname} {person.lastname} {person.leftover} {person.full_name}".split()


def emails_of(people: Sequence[NewPerson], emails: Sequence[str]) -> dict[int, str]:
    """Which of the people has which email, by their places.

    It goes to whom it fits; the others take theirs in order. One alone that fits nobody more than
    the others is everybody's.
    """
    fits = sorted(
        ((-_fit(person, email), at, place)
         for at, person in enumerate(people)
         for place, email in enumerate(emails)),
    )  # fmt: skip
    owners: dict[int, str] = {}
    for fit, at, place in fits:
        if -fit >= _SURE and at not in owners and emails[place] not in owners.values():
            owners[at] = emails[place]
    if len(emails) == 1 and not (owners and _fits_one(fits)):
        return dict.fromkeys(range(len(people)), emails[0])
    left = [email for email in emails if email not in owners.values()]
    free = [at for at in range(len(people)) if at not in owners]
    return owners | dict(zip(free, left, strict=False))


def _set_apart(line: str, order: NameOrder) -> Sequence[str]:
    """The pieces of a line that each say somebody: by a sign, by line, or each up to an email."""
    pieces = [piece for piece in re.split("[;；]", line) if piece.strip()]
    if len(pieces) > 1 and all(map(_is_whole, pieces)):
        return pieces
    lines = [each for each in line.split("\n") if each.strip()]
    if len(lines) > 1 and first_of(line, lambda each: read_entry(each, order))[1]:
        return lines
    starts, named = [0], False
    for token in tokens_of(line):
        if token.kind is Kind.WORD:
            named = named or not _is_between(token.text)
        elif token.kind is Kind.EMAIL and named:
            starts.append(token.end)
            named = False
        elif token.kind is Kind.EMAIL and len(starts) > 1:
            # One more of the same person, or of the same family.
            starts[-1] = token.end
    ends = (*starts[1:-1], len(line))
    cut = [line[start:end] for start, end in zip(starts, ends, strict=False)]
    return [_JOIN_AT_START.sub("", piece) for piece in cut]


def _is_whole(piece: str) -> bool:
    words = [token for token in tokens_of(piece) if token.kind is Kind.WORD]
    return len(words) >= _FULL or bool(words and not _Part(tuple(words), piece).is_given)


def _named(line: str, tokens: Sequence[Token], order: NameOrder) -> list[NewPerson]:
    """Everybody by name alone, fewer than two where the line is one entry."""
    names = _name_tokens(tokens)
    words = [token for token in names if token.kind is Kind.WORD]
    if not words or is_family(words) or name_words.is_company(words[-1].text):
        return []
    titles = len(words) - len(without_couple(words))
    if titles:
        names = names[names.index(words[titles]) :]
    shared, names = _shared_last_name(names)
    parts = _parts(line, names, bare=shared is not None)
    while parts and all(name_words.is_company_of(word.text) for word in parts[-1].words):
        parts.pop()
    if len(parts) < _FULL:
        return []
    people = _read(parts, order) if shared is None else _sharing(parts, shared)
    if titles:
        people[0] = _with_leftover(people[0], line[words[0].start : words[titles - 1].end])
    return people


def _name_tokens(tokens: Sequence[Token]) -> list[Token]:
    """Those before the first email, or behind the last where it begins with one."""
    emails = [place for place, token in enumerate(tokens) if token.kind is Kind.EMAIL]
    before = list(tokens[: emails[0]] if emails else tokens)
    if emails and not any(token.kind is Kind.WORD for token in before):
        before = list(tokens[emails[-1] + 1 :])
    wanted = {Kind.WORD, Kind.COMMA, Kind.CELL, Kind.SOFT}
    kept = [token for token in before if token.kind in wanted]
    while kept and kept[-1].kind is not Kind.WORD:
        kept.pop()
    return [token for at, token in enumerate(kept) if not _before_degree(kept, at)]


def _before_degree(tokens: Sequence[Token], at: int) -> bool:
    """Whether a comma only sets off what belongs to the name before it: Ada Lovelace, PhD."""
    if tokens[at].kind is not Kind.COMMA or at < _FULL:
        return False
    behind = tokens[at + 1].text
    whole = tokens[at - 1].kind is tokens[at - 2].kind is Kind.WORD
    degree = name_words.is_degree(behind, after_comma=True) or name_words.is_generation(behind)
    return whole and degree


def _shared_last_name(names: list[Token]) -> tuple[str | None, list[Token]]:
    """The last name in `Lovelace, Ada & Bob`, and in two cells, without it the rest."""
    marks = [at for at, token in enumerate(names) if token.kind in {Kind.COMMA, Kind.CELL}]
    joins = [at for at, token in enumerate(names) if _is_between(token.text)]
    if len(marks) != 1 or not joins:
        return None, names
    before, behind = names[: marks[0]], names[marks[0] + 1 :]
    if names[marks[0]].kind is Kind.CELL and joins[-1] < marks[0]:
        before, behind = behind, before
    if any(_is_between(token.text) for token in before) or _is_list(before, behind):
        return None, names
    return " ".join(token.text for token in before), behind


def _is_list(before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """`Ada, Bob and Cy Lovelace`: its end has the last name. But: `Smith, John and Mary Ann`."""
    last = max(at for at, token in enumerate(behind) if _is_between(token.text))
    end = tuple(behind[last + 1 :])
    return len(before) == 1 and len(end) > 1 and not _Part(end, "").is_given


def _parts(line: str, names: Sequence[Token], *, bare: bool) -> list[_Part]:
    """The names between the joining words; `bare`: none of them has a last name in it."""
    joined = sum(_is_between(token.text) for token in names)
    commas = sum(token.kind is Kind.COMMA for token in names)
    # "Smith, John and Jones, Mary" has one for each; in "Ada, Bob and Cy Lovelace" they join.
    listed = commas > 0 and not (commas == joined + 1 and names[1].kind is Kind.COMMA)
    groups: list[list[Token]] = [[]]
    for at, token in enumerate(names):
        ahead = names[at + 1 :]
        joins = _joins(groups[-1], token, ahead, bare=bare)
        if joins or (listed and token.kind is Kind.COMMA and _begins_another(groups[-1], ahead)):
            groups.append([])
        else:
            groups[-1].append(token)
    return [
        _Part(
            tuple(token for token in group if token.kind is Kind.WORD),
            line[group[0].start : group[-1].end],
        )
        for group in groups
        if any(token.kind is Kind.WORD for token in group)
    ]


def _joins(before: Sequence[Token], token: Token, ahead: Sequence[Token], *, bare: bool) -> bool:
    """Whether a word joins two people, and not two titles or the halves of a last name."""
    if not before or not ahead or not _is_between(token.text):
        return False
    if _is_between(ahead[0].text) and len(ahead) > 1:
        # "Ada Und & Bob": it is somebody's name, and the next one joins.
        return False
    if name_words.joins_titles([token.text, *(each.text for each in ahead[:1])]) and all(
        name_words.is_title(each.text) for each in before
    ):
        return False
    if name_words.leads_particle(token.text, ahead[0].text):
        return False
    if bare or token.text not in _BETWEEN_OR_WITHIN:
        return True
    following = next((at for at, each in enumerate(ahead) if _is_between(each.text)), len(ahead))
    return following >= _FULL


def _begins_another(before: Sequence[Token], ahead: Sequence[Token]) -> bool:
    """Whether a comma stands between two people: Ada, Bob and Cy Lovelace."""
    return bool(before) and len(before) == 1 and any(_is_between(each.text) for each in ahead)


def _is_between(word: str) -> bool:
    plain = word.rstrip(".")
    return plain.casefold() in _BETWEEN or plain in _BETWEEN_SMALL | _BETWEEN_OR_WITHIN


def _read(parts: Sequence[_Part], order: NameOrder) -> list[NewPerson]:
    if parts[0].is_given and not parts[-1].is_given:
        # Where the last name is typed first, it is not typed behind two first names.
        order = NameOrder.FIRST_LAST
    whole = {
        at: read_entry(part.text, order)
        for at, part in enumerate(parts)
        if not (part.is_given or _is_short_behind(parts[0], part))
    }
    people: list[NewPerson] = []
    for at, part in enumerate(parts):
        if at in whole or not whole:
            people.append(whole.get(at) or read_entry(part.text))
            continue
        nearest = min(whole, key=lambda other: (other < at, abs(other - at)))
        people.append(_given(part, last_name_to_keep(whole[nearest])))
    return people


def _is_short_behind(first: _Part, part: _Part) -> bool:
    """`山田太郎・花子`: behind a Japanese name two characters are a given name."""
    if part is first or len(part.words) > 1 or len(part.text) > _FULL:
        return False
    return len(east_asian.split_east_asian(first.words[0].text)[0]) >= _FULL


def _sharing(parts: Sequence[_Part], lastname: str) -> list[NewPerson]:
    kept = last_name_to_keep(NewPerson(lastname=lastname))
    first = _given(parts[0], lastname)
    return [first, *(_given(part, kept) for part in parts[1:])]


def _given(part: _Part, lastname: str) -> NewPerson:
    words = [word for word in part.words if not name_words.is_title(word.text)] or part.words
    titles = " ".join(word.text for word in part.words if word not in words)
    first = " ".join(word.text for word in words)
    return NewPerson(firstname=first, lastname=lastname, leftover=titles)


def _with_leftover(person: NewPerson, more: str) -> NewPerson:
    leftover = " ".join(each for each in (person.leftover, more) if each)
    return msgspec.structs.replace(person, leftover=leftover)


def _with_rest(people: Sequence[NewPerson], tokens: Sequence[Token]) -> Sequence[NewPerson]:
    """With each one's email; what nobody can tell whose it is, the first has."""
    emails = list(dict.fromkeys(token.text for token in tokens if token.kind is Kind.EMAIL))
    phones = [token.text for token in tokens if token.kind is Kind.PHONE]
    used = {word for person in people for word in _words_of(person)}
    notes = [
        token.text
        for token in tokens
        if token.kind in _NOTES
        or (
            token.kind is Kind.WORD
            and not used.issuperset(token.text.split())
            and not _is_between(token.text)
        )
    ]
    owners = emails_of(people, emails)
    given = [
        msgspec.structs.replace(person, email=owners.get(at, ""))
        for at, person in enumerate(people)
    ]
    spare = [email for email in emails if email not in owners.values()]
    first = _with_leftover(given[0], " ".join((*spare, *phones[1:], *notes)))
    return (msgspec.structs.replace(first, phone=phones[0] if phones else ""), *given[1:])


def _fits_one(fits: Iterable[tuple[int, int, int]]) -> bool:
    best, *others = [fit for fit, _, _ in fits]
    return best not in others


def _fit(person: NewPerson, email: str) -> int:
    """How surely an address is somebody's: by the first name, or an initial with the last name."""
    local = fold(email.rpartition("@")[0])
    pieces = re.split(r"[^\w]+|[_\d]+", local)
    bare = "".join(pieces)
    first = fold(person.firstname.split(" ")[0]).strip(".")
    last = "".join(character for character in fold(person.lastname) if character.isalnum())
    if not first:
        return 0
    if first in pieces and len(first) > 1:
        return _SURE + 2
    if len(first) > _FULL and bare.startswith(first):
        return _SURE + 1
    short = {first[0] + last, last + first[0]}
    if last and (bare in short or {first[0], last} <= set(pieces)):
        return _SURE
    return 0
