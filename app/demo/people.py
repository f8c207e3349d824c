"""Everybody the service knows: people written by hand, invented ones, those added since the start;
and what it knows of some of them beyond the contract's fields.

Person number N is invented the same every time, without making those before; places in the list
are computed: a page at the end of a million costs what the first page costs.
"""

import csv
import unicodedata
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b
from importlib import resources

from app.demo.names import CULTURES

Person = dict[str, str]

NAMES = 16
ARCHIVED_EVERY = 25
ARCHIVED_AT = 17
_ROUND = len(CULTURES) * NAMES * NAMES
_FIRST_DAY = datetime(2016, 2, 1, 8, tzinfo=UTC)
_DAYS = 3900
_DOMAINS = ("example.org", "example.net", "example.com", "mail.example", "post.example")
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"}
)


def identity(kind: str, number: int) -> str:
    """UUID-like text that is the same at every start."""
    return _uuid(blake2b(f"{kind} {number}".encode(), digest_size=16).hexdigest())


def timestamp(moment: datetime) -> str:
    """A date as the contract writes it; UTC without saying so."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def happens(percent: int, chance: int) -> bool:
    """Whether something that is true of so many in a hundred is true for this byte of chance."""
    return chance * 100 < percent * 256


def modified_after(added: datetime, chance: bytes) -> str:
    """When somebody last touched the entry: for most a while after it was added."""
    later = timedelta(days=chance[0], minutes=chance[1]) if happens(65, chance[2]) else timedelta()
    return timestamp(min(added + later, max(added, _FIRST_DAY + timedelta(days=_DAYS))))


def is_archived(number: int) -> bool:
    """Every so many-th, so that a place among the archived can be computed and not searched."""
    return number % ARCHIVED_EVERY == ARCHIVED_AT


def invent(number: int) -> Person:
    """Person `number` (from 0) in the fields of the contract, with a name no lower number has."""
    seed = blake2b(f"invented {number}".encode(), digest_size=32)
    chance = seed.digest()[16:]
    firstname, lastname, handle = _name(number)
    added = _FIRST_DAY + timedelta(
        days=int.from_bytes(chance[:2], "big") % _DAYS,
        seconds=int.from_bytes(chance[2:4], "big") // 2,
    )
    return {
        "id": _uuid(seed.hexdigest()),
        "date_added": timestamp(added),
        "date_modified": modified_after(added, chance[7:10]),
        "firstname": firstname,
        "lastname": lastname,
        "email": f"{handle}@{_DOMAINS[chance[10] % 5]}" if happens(82, chance[4]) else "",
        "phone": _phone(chance[11:13]) if happens(35, chance[6]) else "",
        "mobile": _mobile(chance[11:15]) if happens(70, chance[5]) else "",
        "admin": _flag(is_true=happens(3, chance[15])),
        "archived": _flag(is_true=is_archived(number)),
        "volunteer": _flag(is_true=happens(25, chance[14])),
    }


def _flag(*, is_true: bool) -> str:
    return "1" if is_true else "0"


def _uuid(digits: str) -> str:
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:32]}"


def _phone(chance: bytes) -> str:
    return f"(02) 5550 {int.from_bytes(chance, 'big') % 10_000:04}"


def _mobile(chance: bytes) -> str:
    digits = f"{int.from_bytes(chance, 'big') % 100_000_000:08}"
    return f"04{digits[:2]} {digits[2:5]} {digits[5:]}"


def _name(number: int) -> tuple[str, str, str]:
    """First name, last name, and how an address spells them.

    One round uses every pair of every culture once; later rounds add a second first name, then a
    second last name.
    """
    turn, place = divmod(number, _ROUND)
    pair, which = divmod(place, len(CULTURES))
    culture = CULTURES[which]
    row, column = divmod(pair, NAMES)
    last = (7 * column + row) % NAMES
    handle = _handle(which, column, last) + (str(turn) if turn else "")
    second_last, second_first = divmod(turn, NAMES)
    firstname, lastname = culture.firstnames[column], culture.lastnames[last]
    if second_first:
        other = culture.firstnames[(column + second_first) % NAMES]
        firstname = f"{firstname}{culture.first_joiner}{other}"
    if second_last:
        other = culture.lastnames[(last + second_last) % NAMES]
        lastname = f"{lastname}{culture.last_joiner}{other}"
    return firstname, lastname, handle


@cache
def _handle(which: int, first: int, last: int) -> str:
    culture = CULTURES[which]
    if culture.handles:
        return f"{culture.handles[last]}{first + 1}"
    return f"{_fold(culture.firstnames[first])}.{_fold(culture.lastnames[last])}"


def _fold(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.lower().translate(_PLAIN))
    return "".join(letter for letter in plain if letter.isascii() and letter.isalpha())


@cache
def written() -> tuple[Person, ...]:
    """The hand-written people, in the order of their file."""
    text = resources.files("app.demo").joinpath("people.csv").read_text("utf-8")
    return tuple(
        _written(number, row) for number, row in enumerate(csv.DictReader(text.splitlines()))
    )


def _at_home(language: str) -> tuple[Person, ...]:
    """Who takes the places of the first invented people where this language is spoken.

    Their ids, dates and numbers are those of whom they stand for.
    """
    text = resources.files("app.demo").joinpath("people_at_home.csv").read_text("utf-8")
    rows = [row for row in csv.DictReader(text.splitlines()) if row["language"] == language]
    return tuple(
        {
            **invent(number),
            "firstname": row["firstname"],
            "lastname": row["lastname"],
            "email": f"{row['handle']}@{_DOMAINS[number % len(_DOMAINS)]}",
        }
        for number, row in enumerate(rows)
    )


class People:
    """The list of people: read by place, added to at the end; the order never changes."""

    def __init__(self, count: int, language: str = "en") -> None:
        """`language`: the code of the one that is spoken in the account's office."""
        self._written = written()[:count]
        self._at_home = _at_home(language)
        self._invented = max(0, count - len(written()))
        self._added: list[Person] = []

    def total(self, *, archived: bool | None = None) -> int:
        """How many there are; with `archived`, how many of that kind."""
        first, last = self._ends(archived=archived)
        return len(first) + self._many(archived=archived) + len(last)

    def page(self, start: int, size: int, *, archived: bool | None = None) -> list[Person]:
        """The people from place `start` (from 0) on, `size` at the most."""
        stop = min(start + size, self.total(archived=archived))
        return list(self._between(start, stop, archived=archived))

    def add(self, firstname: str, lastname: str, email: str) -> Person:
        """Add somebody, even somebody who is there already: the service does not compare."""
        now = timestamp(datetime.now(UTC))
        person = {
            "id": str(uuid.uuid4()),
            "date_added": now,
            "date_modified": now,
            "firstname": firstname,
            "lastname": lastname,
            "email": email,
            "phone": "",
            "mobile": "",
            "admin": "0",
            "archived": "0",
            "volunteer": "0",
        }
        self._added.append(person)
        return person

    def _invented_one(self, number: int) -> Person:
        return self._at_home[number] if number < len(self._at_home) else invent(number)

    def _ends(self, *, archived: bool | None) -> tuple[Sequence[Person], Sequence[Person]]:
        if archived is None:
            return self._written, self._added
        flag = "1" if archived else "0"
        first = [person for person in self._written if person["archived"] == flag]
        return first, ([] if archived else self._added)

    def _many(self, *, archived: bool | None) -> int:
        if archived is None:
            return self._invented
        hidden = max(0, (self._invented - 1 - ARCHIVED_AT) // ARCHIVED_EVERY + 1)
        return hidden if archived else self._invented - hidden

    def _between(self, start: int, stop: int, *, archived: bool | None) -> Iterator[Person]:
        first, last = self._ends(archived=archived)
        many = self._many(archived=archived)
        for place in range(start, stop):
            if place < len(first):
                yield first[place]
            elif place < len(first) + many:
                yield self._invented_one(_number(place - len(first), archived=archived))
            else:
                yield last[place - len(first) - many]


def _number(place: int, *, archived: bool | None) -> int:
    """Which invented person stands at `place` among those of the kind."""
    if archived is None:
        return place
    if archived:
        return place * ARCHIVED_EVERY + ARCHIVED_AT
    block, offset = divmod(place, ARCHIVED_EVERY - 1)
    return block * ARCHIVED_EVERY + offset + (1 if offset >= ARCHIVED_AT else 0)


def _written(number: int, row: dict[str, str]) -> Person:
    flags = row["flags"].split()
    added = datetime.strptime(row["added"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    return {
        "id": identity("person", number),
        "date_added": row["added"],
        "date_modified": modified_after(added, blake2b(row["added"].encode()).digest()),
        "firstname": row["firstname"],
        "lastname": row["lastname"],
        "email": row["email"],
        "phone": row["phone"],
        "mobile": row["mobile"],
        "admin": str(int("admin" in flags)),
        "archived": str(int("archived" in flags)),
        "volunteer": str(int("volunteer" in flags)),
    }


FURTHER_FIELDS: Mapping[str, str] = {
    "preferred_name": "",
    "middle_name": "",
    "deceased": "0",
    "contact": "0",
    "family_id": "",
    "family_relationship": "",
    "category_id": "",
    "picture": "",
    "username": "",
    "country": "",
    "timezone": "",
}
"""What the account knows of some people beyond the contract's fields (seen in the field), as it is
sent of somebody of whom nothing more is known. A caller gets it only where it asks.
"""

_GOES_BY = {
    "Benjamin": "Ben",
    "Edward": "Ned",
    "Florence": "Flo",
    "Kenneth": "Ken",
    "Patricia": "Trish",
    "Samuel": "Sam",
    "Tobias": "Toby",
    "Beatrix": "Bea",
    "Katarzyna": "Kasia",
    "Małgorzata": "Gosia",
    "Wojciech": "Wojtek",
    "Наталья": "Наташа",
    "Conceição": "São",
}
_MIDDLE_NAMES = ("Ruth", "James", "Marie", "Sol")
_RELATIONSHIPS = ("Primary contact", "Spouse", "Child", "Grandparent")
_CATEGORIES = tuple(identity("category", number) for number in range(3))


def further_fields(person: Person, asked: frozenset[str]) -> Mapping[str, str]:
    """Those of the fields that are `asked` for, the same for the same person every time."""
    names = FURTHER_FIELDS.keys() & asked
    if not names:
        return {}
    told = _told_of(person)
    return {name: told.get(name, FURTHER_FIELDS[name]) for name in FURTHER_FIELDS if name in names}


def _told_of(person: Person) -> Mapping[str, str]:
    chance = blake2b(person["id"].encode(), digest_size=8).digest()
    told: dict[str, str] = {}
    preferred = _GOES_BY.get(person["firstname"])
    if preferred:
        told["preferred_name"] = preferred
    if person["archived"] == "1" and happens(35, chance[0]):
        told["deceased"] = "1"
    if happens(6, chance[1]):
        told["contact"] = "1"
    if happens(8, chance[2]):
        told["middle_name"] = _MIDDLE_NAMES[chance[2] % 4]
    if happens(15, chance[3]):
        told["family_id"] = identity("family", chance[4] * 256 + chance[5])
        told["family_relationship"] = _RELATIONSHIPS[chance[3] % 4]
    if happens(20, chance[6]):
        told["category_id"] = _CATEGORIES[chance[6] % 3]
    if happens(5, chance[7]):
        told["picture"] = f"https://pictures.example/{person['id']}.png"
    return told
