"""What is asked of what is new: a day or the time since one, what has happened, and other words.

A query is read with the words of the window's own language.
"""

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from app.model.change import ChangeKind
from app.runtime.words import tr
from app.store.change_log import DAYS
from app.viewmodels.flows.search import wanted_words
from app.viewmodels.flows.what_is_new.change_sentences import names_of_day, words_of_day

SIGNS_OF_SENTENCES = '?!¿¡؟.,;:،؛“”„"«»‹›'
"""What stands before, behind or around the words of a question, in one language or another."""
_WEEK = 7
_SHORTEST = 3
"""Letters of the name of a weekday or month that name it."""


class NewsQuery(msgspec.Struct, frozen=True):
    """What is looked for: words, the first day that is meant, and what has happened, if that is
    said.
    """

    words: tuple[str, ...] = ()
    since: date | None = None
    is_date: bool = False
    """Whether the words are one day, and nothing else."""
    kinds: frozenset[ChangeKind] = frozenset()
    """None: of every kind."""


def read_query(query: str, today: date, *, asked: bool = False) -> NewsQuery:
    """ "What changed since the 3rd?" asks for all from that day on, "left last week" for those who
    did; other words are looked for.

    May, June, Jan and Mon are names, too, and the beginnings of some: they are a day's only behind
    "since", behind what has happened, or with its number and nothing else.

    `asked`: it is left of a question, so that what has happened is meant without any day as well.
    """
    words = tuple(word for each in wanted_words(query) if (word := each.strip(SIGNS_OF_SENTENCES)))
    said = [word for word in words if _happened(word)]
    asked_for = [word for word in words if asked and _happened_in_question(word)]
    if said or asked_for:
        rest = tuple(word for word in words if word not in (*said, *asked_for))
        of_time = _read_time(rest, today)
        if rest and of_time.since is None and _is_some_day(rest, today):
            of_time = NewsQuery(rest, is_date=True)
        # "Who is new in Welcome?" asks for what is new there.
        if not said and of_time.words and not of_time.is_date:
            return of_time
        if asked or _names_time(of_time, today):
            kinds = (*map(_happened, said), *map(_happened_in_question, asked_for))
            return msgspec.structs.replace(of_time, kinds=frozenset().union(*kinds))
    return _read_time(words, today)


def _happened(word: str) -> frozenset[ChangeKind]:
    """The kinds of changes in people that a word means beside a day; none for others.

    Who has left is taken out of the list, or archived: accounts do the one or the other.
    """
    kinds = (
        (tr("joined"), {ChangeKind.CAME, ChangeKind.ADDED_HERE}),
        (tr("left"), {ChangeKind.GONE, ChangeKind.ARCHIVED}),
        (tr("archived"), {ChangeKind.ARCHIVED}),
        (tr("died deceased"), {ChangeKind.DECEASED}),
    )
    return frozenset(next((meant for by, meant in kinds if word in wanted_words(by)), ()))


def _happened_in_question(word: str) -> frozenset[ChangeKind]:
    """The same of words that are looked for as they are where nobody asks who did so."""
    if word in wanted_words(tr("came come new added")):
        return frozenset({ChangeKind.CAME, ChangeKind.ADDED_HERE})
    gone = word in wanted_words(tr("gone"))
    return frozenset({ChangeKind.GONE, ChangeKind.ARCHIVED} if gone else ())


def _names_time(query: NewsQuery, today: date) -> bool:
    week = (names_of_day(today - timedelta(days=back), today) for back in range(_WEEK))
    return (
        query.since is not None
        or query.is_date
        or any(word in names for names in week for word in query.words)
    )


def _read_time(words: tuple[str, ...], today: date) -> NewsQuery:
    asked = set(wanted_words(tr("what who has is are changed new happened came")))
    marks = wanted_words(tr("since"))
    at = next((at for at, word in enumerate(words) if word in marks), None)
    if at is None:
        if words[-2:-1] and words[-2] in wanted_words(tr("this last")):
            since = _span(words[-1:], today)
            if since is not None:
                return NewsQuery(tuple(word for word in words[:-2] if word not in asked), since)
        return NewsQuery(words, is_date=_are_date(words, today))
    named = [word for word in words[at + 1 :] if word not in wanted_words(tr("the this last"))]
    if (since := _span(named, today)) is not None:
        return NewsQuery(tuple(word for word in words[:at] if word not in asked), since)
    days = (today - timedelta(days=back) for back in range(DAYS + 1))
    meant = [one for one in days if named and _are_all_of(named, words_of_day(one, today))]
    if not meant:
        return NewsQuery(words)
    # Of the days of a month the first, of several Mondays the last one.
    since = next(one for one in meant if one - timedelta(days=1) not in meant)
    return NewsQuery(tuple(word for word in words[:at] if word not in asked), since)


def _span(words: Sequence[str], today: date) -> date | None:
    """The first day of "last week" or "this month", counted back from today; None for others."""
    if len(words) != 1:
        return None
    days = 7 if words[0] in wanted_words(tr("week")) else 0
    days = 30 if words[0] in wanted_words(tr("month")) else days
    return today - timedelta(days=days) if days else None


def _are_date(words: Sequence[str], today: date) -> bool:
    return any(map(_has_number, words)) and _is_some_day(words, today)


def _is_some_day(words: Sequence[str], today: date) -> bool:
    days = (today - timedelta(days=back) for back in range(DAYS + 1))
    return any(_are_all_of(words, words_of_day(one, today)) for one in days)


def _are_all_of(words: Sequence[str], day: frozenset[str]) -> bool:
    return all(_names(word, day) for word in words)


def left_for_texts(query: NewsQuery, day: date, today: date) -> tuple[str, ...]:
    """The words of `query` that do not name `day`."""
    there = words_of_day(day, today)
    if query.is_date:
        return tuple(word for word in query.words if not _names(word, there))
    called = names_of_day(day, today)
    return tuple(
        word
        for word in query.words
        if word not in called and not (word in there and _has_number(word))
    )


def _has_number(word: str) -> bool:
    return any(letter.isdigit() for letter in word)


def _names(word: str, day: frozenset[str]) -> bool:
    """A number names a day only whole; of a name its beginning does."""
    return word in day or (
        word.isalpha() and len(word) >= _SHORTEST and any(o.startswith(word) for o in day)
    )
