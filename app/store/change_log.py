"""What each reading has changed in the copy of an account, kept for a while in that copy.

It is written in the transaction that changes what it tells of. How two readings of the flows differ
is left to `app.flows.changes`; how people differ is known here, where both are at hand.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice

import msgspec

from app.model import field_limits
from app.model.change import Change, ChangeKind, FieldChange, LoggedChange, Named
from app.model.person import Person
from app.store.errors import made_of_kept_values

DAYS = 90
"""For how long a change is kept."""
MOST = 20_000
"""Changes that are kept one by one; older ones are only counted."""
_QUARTER = 900
"""Seconds: where a day begins, in whichever zone, a quarter of an hour begins."""
_NAME = 200
_VALUE = 200
"""Characters of an old or new value that are kept."""
_OTHERS = frozenset({"middle_name", "contact", "family", "family_relationship", "category"})
"""Of the fields beyond the document's: no ids, which only the account knows, and no addresses of
pictures, which are others now and then for the same picture."""
_FLAGS = {
    **dict.fromkeys(("0", "no", "false", "n"), ""),
    **dict.fromkeys(("1", "yes", "true", "y"), "1"),
}
_LOT = 250
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Change).decode

_INSERT = "INSERT INTO changes (at, kind, subject, change) VALUES (?, ?, ?, ?)"
_SPAN = "SELECT min(place), max(place) FROM changes"
_COUNT_CUT = f"""
    INSERT INTO cut_changes (quarter, kind, n, place, unseen)
    SELECT at / {_QUARTER} AS part, kind, count(*), max(place), sum(place > ?) FROM changes
    WHERE place <= ? GROUP BY part, kind
    ON CONFLICT DO UPDATE SET
        n = n + excluded.n,
        place = max(place, excluded.place),
        unseen = unseen + excluded.unseen
"""  # noqa: S608 - a number of ours
_PAGE = """
    SELECT place, at, change FROM changes WHERE place < ? AND at >= ? ORDER BY place DESC LIMIT ?
"""
_UNSEEN = """
    SELECT kind, count(*) FROM changes WHERE place > ? AND at >= ? GROUP BY kind
"""
_UNSEEN_CUT = "SELECT kind, sum(unseen) FROM cut_changes WHERE quarter >= ? GROUP BY kind"
_ADDED_HERE = """
    UPDATE changes SET kind = 'added here', change = json_set(change, '$.kind', 'added here')
    WHERE subject IN (SELECT value FROM json_each(?)) AND kind = 'came'
"""
_SEEN, _SEEN_AT = "changes seen", "changes seen at"
_FIRST_WHOLE = "people first whole"
_TOLD_SINCE = "changes told since"


class CutChanges(msgspec.Struct, frozen=True):
    """How many changes of a kind are no longer kept one by one, of a quarter of an hour."""

    at: datetime
    kind: ChangeKind
    count: int


class Unseen(msgspec.Struct, frozen=True):
    """What nobody has looked at yet.

    `since`: when somebody looked last, or when what is told here began; None before there can be
    any news. UTC.
    """

    since: datetime | None = None
    counts: dict[ChangeKind, int] = msgspec.field(default_factory=dict)
    seen: int = 0
    """The serial number up to which somebody has looked; 0 for none."""
    last_serial: int = 0
    """Of the last change, seen or not; 0 where there is none."""
    told_since: datetime | None = None
    """Since when each reading has been told of, UTC; None before the first of them."""


class PeopleChanges(msgspec.Struct):
    """What a save changes in people, gathered while it is made."""

    at: int
    """Seconds, UTC."""
    newcomers: bool
    """Whether somebody who was not there is new: an earlier reading has given everybody."""
    newer_than: datetime | None
    """Else only who was added later than this; None: nobody is."""
    changes: bool
    """Whether somebody who is other than before is news."""
    added_here: bool
    """Whether all of them come from this computer."""
    known_here: Collection[str]
    """Ids of others of whom that is known, whoever brings them."""
    _found: list[Change] = msgspec.field(default_factory=list)
    _here: list[str] = msgspec.field(default_factory=list)

    def came(self, people: Iterable[Person]) -> None:
        """These were not there before."""
        here = self.known_here
        if not (self.added_here or here or self.newcomers or self.newer_than):
            return  # a first reading is no news
        for person in people:
            if self.added_here or person.id in here:
                self._found.append(_of(ChangeKind.ADDED_HERE, person))
            elif self._is_new(person):
                self._found.append(_of(ChangeKind.CAME, person))

    def met(self, person_id: str) -> None:
        """Somebody was there before."""
        if self.added_here:
            # A reading was faster than the answer to the create.
            self._here.append(person_id)

    def differs(self, before: Person, now: Person) -> None:
        """Somebody was there, otherwise; what was not known before (None) is no news."""
        if self.changes and not self.added_here:
            self._found += person_changes(before, now)

    def write(self, connection: sqlite3.Connection) -> None:
        """Part of the transaction of that save."""
        if self._here:
            correct_added_here(connection, self._here)
        write(connection, self._found, self.at)

    def _is_new(self, person: Person) -> bool:
        if self.newcomers:
            return True
        added = person.date_added
        return added is not None and self.newer_than is not None and added > self.newer_than


def person_changes(before: Person, now: Person) -> tuple[Change, ...]:
    """How a person differs from before, in what both readings tell.

    Of a death that means: only where the reading before said that they live. A service that begins
    to tell it would otherwise have many die on one day, years later.
    """
    found: list[Change] = []
    if before.archived is not None and now.archived is not None and before.archived != now.archived:
        found.append(_of(ChangeKind.ARCHIVED if now.archived else ChangeKind.BACK, now))
    if before.deceased is False and now.deceased:
        found.append(_of(ChangeKind.DECEASED, now))
    if fields := tuple(_fields(before, now)):
        renamed = any(each.field == "name" for each in fields)
        was = before.full_name if renamed else ""
        found.append(msgspec.structs.replace(_of(ChangeKind.CHANGED, now), was=was, fields=fields))
    return tuple(found)


def _fields(before: Person, now: Person) -> Iterator[FieldChange]:
    texts = (
        ("name", *_names(before, now), str),
        ("preferred_name", before.preferred_name, now.preferred_name, str),
        ("email", before.email, now.email, str.casefold),
        ("phone", before.phone, now.phone, _digits),
        ("mobile", before.mobile, now.mobile, _digits),
    )
    for name, old, new, same_as in texts:
        if old is None or new is None:
            continue
        if same_as(_one_line(old)) != same_as(_one_line(new)):
            yield FieldChange(name, _one_line(old), _one_line(new))
    for name, was, is_now in (
        ("admin", before.admin, now.admin),
        ("volunteer", before.volunteer, now.volunteer),
        # A death is told by itself.
        ("deceased", before.deceased, now.deceased and before.deceased),
    ):
        if was is not None and is_now is not None and was != is_now:
            yield FieldChange(name, "1" if was else "", "1" if is_now else "")
    told = dict(now.others)
    for name, old in before.others:
        # Of a blank one nothing is kept: what was not there before may be told for the first time.
        if name in _OTHERS and (now_said := _said(name, told.get(name, ""))) != _said(name, old):
            yield FieldChange(name, _said(name, old), now_said)


def _said(name: str, text: str) -> str:
    """As it is compared and kept; a yes or no as the other flags are."""
    value = _one_line(text)
    return _FLAGS.get(value.casefold(), value) if name == "contact" else value


def _names(before: Person, now: Person) -> tuple[str | None, str | None]:
    """Both names together; a part that was not known before says nothing."""
    pairs = ((before.firstname, now.firstname), (before.lastname, now.lastname))
    if any((old is None) != (new is None) for old, new in pairs):
        return None, None
    return before.full_name, now.full_name


def _digits(number: str) -> str:
    """The service writes numbers its own way (seen in the field); letters count all the same."""
    return "".join(each for each in number.casefold() if each.isalnum())


def _one_line(text: str) -> str:
    return field_limits.shortened(" ".join(text.split()), _VALUE)


def _of(kind: ChangeKind, person: Person) -> Change:
    return Change(kind=kind, id=person.id, name=field_limits.shortened(person.full_name, _NAME))


def gathering(
    connection: sqlite3.Connection,
    now: datetime,
    *,
    as_of: datetime | None,
    added_here: bool,
    known_here: Collection[str] = frozenset(),
) -> PeopleChanges:
    """What a save of people is to gather; `as_of`: when the list was last read to its end.

    The first whole reading of an account is no news. While none was whole, somebody may have been
    left out before, and only who was added since the last one is new.
    """
    whole = _fact(connection, _FIRST_WHOLE) is not None
    return PeopleChanges(
        at=int(now.timestamp()),
        newcomers=whole,
        newer_than=as_of,
        changes=as_of is not None,
        added_here=added_here,
        known_here=known_here,
    )


def correct_added_here(connection: sqlite3.Connection, person_ids: Iterable[str]) -> bool:
    """Whether any of these was told as news, who were added from this computer and are none."""
    given = (_encode(list(person_ids)).decode(),)
    return connection.execute(_ADDED_HERE, given).rowcount > 0


def was_whole(connection: sqlite3.Connection, now: datetime) -> bool:
    """A reading has given everybody; gives whether an earlier one had."""
    known = _fact(connection, _FIRST_WHOLE) is not None
    if not known:
        _set_fact(connection, _FIRST_WHOLE, int(now.timestamp()))
    return known


def write_gone(connection: sqlite3.Connection, people: Iterable[Person], now: datetime) -> None:
    """These are gone: part of the transaction that takes them out."""
    gone = (_of(ChangeKind.GONE, person) for person in people)
    write(connection, gone, int(now.timestamp()))


def write(connection: sqlite3.Connection, changes: Iterable[Change], at: int) -> None:
    """Write down `changes`, found `at` (seconds, UTC): part of a transaction of the caller's."""
    left = iter(changes)
    while lot := tuple(islice(left, _LOT)):
        rows = ((at, one.kind, one.id, _encode(one).decode()) for one in lot)
        connection.executemany(_INSERT, rows)
        _cut(connection)


def _cut(connection: sqlite3.Connection) -> None:
    """Count those that are too many, instead of keeping them."""
    first, last = connection.execute(_SPAN).fetchone()
    if first is not None and last - first >= MOST:
        connection.execute(_COUNT_CUT, (_fact(connection, _SEEN) or 0, last - MOST))
        connection.execute("DELETE FROM changes WHERE place <= ?", (last - MOST,))


def forget_old(connection: sqlite3.Connection, now: datetime) -> None:
    """Take out what is older than `DAYS`: part of a transaction of the caller's."""
    before = _oldest(now)
    connection.execute("DELETE FROM changes WHERE at < ?", (before,))
    connection.execute("DELETE FROM cut_changes WHERE quarter < ?", (before // _QUARTER,))


def forget_all(connection: sqlite3.Connection) -> None:
    """Nothing is to be told of any more: part of a transaction of the caller's."""
    connection.execute("DELETE FROM changes")
    connection.execute("DELETE FROM cut_changes")
    note_reading(connection, now=None)


def note_reading(connection: sqlite3.Connection, now: datetime | None) -> None:
    """A list is read, and what is other is told from `now` on; None: it is not told."""
    if now is None:
        connection.execute("DELETE FROM facts WHERE name = ?", (_TOLD_SINCE,))
    elif _fact(connection, _TOLD_SINCE) is None:
        _set_fact(connection, _TOLD_SINCE, int(now.timestamp()))


def _oldest(now: datetime) -> int:
    return int((now - timedelta(days=DAYS)).timestamp())


def read(
    connection: sqlite3.Connection, before: int | None, limit: int, now: datetime
) -> list[LoggedChange]:
    """The next `limit` changes older than the serial number `before` (None: from the newest on)."""
    last = 2**62 if before is None else before
    found = connection.execute(_PAGE, (last, _oldest(now), limit))
    with made_of_kept_values():
        return [
            LoggedChange(serial=place, at=datetime.fromtimestamp(at, UTC), change=_decode(change))
            for place, at, change in found
        ]


def read_cut(connection: sqlite3.Connection, now: datetime) -> list[CutChanges]:
    """How many more there were than are kept one by one, newest first."""
    oldest = _oldest(now) // _QUARTER
    found = connection.execute(
        "SELECT quarter, kind, n FROM cut_changes WHERE quarter >= ? ORDER BY quarter DESC",
        (oldest,),
    )
    with made_of_kept_values():
        return [
            CutChanges(
                datetime.fromtimestamp(quarter * _QUARTER, UTC), ChangeKind(kind), int(count)
            )
            for quarter, kind, count in found
        ]


def read_unseen(connection: sqlite3.Connection, now: datetime, began: datetime | None) -> Unseen:
    """What nobody has looked at; `began`: when a list was first known, for who never looked."""
    seen, oldest = _fact(connection, _SEEN) or 0, _oldest(now)
    counts: dict[ChangeKind, int] = {}
    for statement, given in ((_UNSEEN, (seen, oldest)), (_UNSEEN_CUT, (oldest // _QUARTER,))):
        with made_of_kept_values():
            for kind, count in connection.execute(statement, given):
                if count:
                    counts[ChangeKind(kind)] = counts.get(ChangeKind(kind), 0) + int(count)
    looked = _fact(connection, _SEEN_AT) or _fact(connection, _FIRST_WHOLE)
    with made_of_kept_values():
        since_when = began if looked is None else datetime.fromtimestamp(looked, UTC)
        begun = _fact(connection, _TOLD_SINCE)
        told = None if begun is None else datetime.fromtimestamp(begun, UTC)
    longest = now - timedelta(days=DAYS)
    since_when = None if since_when is None else max(since_when, longest)
    last = connection.execute(_SPAN).fetchone()[1] or 0
    return Unseen(since_when, counts, seen, last, None if told is None else max(told, longest))


def mark_seen(connection: sqlite3.Connection, serial: int, now: datetime) -> None:
    """Somebody looks now at all up to the number `serial`."""
    _set_fact(connection, _SEEN, max(serial, _fact(connection, _SEEN) or 0))
    connection.execute("UPDATE cut_changes SET unseen = 0 WHERE place <= ?", (serial,))
    _set_fact(connection, _SEEN_AT, int(now.timestamp()))


def with_names(changes: Iterable[Change], names: dict[str, str]) -> tuple[Change, ...]:
    """The same with administrators called as in `names`, by id."""

    def named(some: tuple[Named, ...]) -> tuple[Named, ...]:
        return tuple(Named(one.id, names.get(one.id, "")) for one in some)

    return tuple(
        msgspec.structs.replace(one, came=named(one.came), gone=named(one.gone))
        if one.came or one.gone
        else one
        for one in changes
    )


def _fact(connection: sqlite3.Connection, name: str) -> int | None:
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return found[0] if found is not None and isinstance(found[0], int) else None


def _set_fact(connection: sqlite3.Connection, name: str, value: int) -> None:
    connection.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))
