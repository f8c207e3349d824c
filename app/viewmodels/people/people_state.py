"""What is shown of the list as a whole: how many, how far, that nobody fits, and who is chosen.

Its rows are the table's.
"""

from collections.abc import Mapping

import msgspec

from app.people.events import PeopleProgress
from app.people.search import PeopleFilter
from app.runtime.words import in_a_row, tr, trn
from app.store.cache import Shortfall
from app.viewmodels.formatting import number
from app.viewmodels.people.recently_added import LATELY_DAYS
from app.viewmodels.people.table import Column, Key


class PeopleFacts(msgspec.Struct, frozen=True):
    """What is known of the list."""

    query: str = ""
    """What is searched, as it was typed."""
    filter: PeopleFilter = PeopleFilter.EVERYBODY
    found_all: bool = True
    """Whether all who fit are in the table: a long search has come to its end."""
    counts: Mapping[PeopleFilter, int] = msgspec.field(default_factory=dict)
    """How many people of the whole list pass each filter."""
    rows: int = 0
    """Of the table: entries and people."""
    people: int = 0
    """Those of the rows that are people."""
    read_before: bool = False
    """Whether the list was ever read to its end."""
    asked_for: bool = False
    """Whether the service is being asked for it."""
    progress: PeopleProgress | None = None
    """How far that has come; None when nothing is being read."""
    blank_columns: frozenset[Column] = frozenset()
    """Columns of the list in which nobody has anything."""
    missing: Shortfall | None = None
    """What the last reading was short of, where it did not give everybody."""
    chosen: tuple[Key, ...] = ()
    chosen_in_list: tuple[Key, ...] = ()
    remark: str = ""
    added_today: int = 0
    """How many of the people shown were added from here today; 0 where nobody asks."""

    @property
    def everybody(self) -> int:
        """How many people the whole list has."""
        return self.counts.get(PeopleFilter.EVERYBODY, 0)

    @property
    def known(self) -> bool:
        """Whether it can be said how many there are: a list that was never read is not empty."""
        return self.read_before or self.everybody > 0

    @property
    def narrowed(self) -> bool:
        """Whether anything but everybody is asked for."""
        return bool(self.query.strip()) or self.filter is not PeopleFilter.EVERYBODY


class PeopleState(msgspec.Struct, frozen=True):
    """What a view shows of the list. What does not apply is blank."""

    query: str = ""
    """What is searched, as it was typed."""
    filter: PeopleFilter = PeopleFilter.EVERYBODY
    filters: tuple["FilterChoice", ...] = ()
    """All that are offered, with how many people of the whole list pass each."""
    chosen: tuple[Key, ...] = ()
    """The chosen rows, from the top, also those that search and filter hide."""
    chosen_in_list: tuple[Key, ...] = ()
    """Those of them that can be seen: what is shown and done is about them."""
    count_words: str = ""
    """How many people are shown; what it was, for the moment of a long search."""
    search_hint: str = ""
    """What stands in the empty search line."""
    detail_hint: str = ""
    """What stands in the place of the detail while nobody is shown there."""
    empty_words: str = ""
    """What to say where the table has no row."""
    can_show_everybody: bool = False
    """Whether an empty table might have somebody in it without the filter."""
    progress_words: str = ""
    """How far the reading has come."""
    progress: tuple[int, int] | None = None
    """People received, and counted by the service; None when nothing is read, or not counted."""
    remark: str = ""
    """What was just done, or what was in the way, in one sentence."""
    blank_columns: frozenset[Column] = frozenset()
    """What needs no more room than its heading: nobody of the whole list has anything there."""

    @property
    def found_words(self) -> str:
        """What was searched for and found, in words alone; blank where nothing is searched."""
        return self.empty_words or self.count_words if self.query else ""


def people_state(facts: PeopleFacts, before: PeopleState) -> PeopleState:
    """What a view shows once these are the facts, where it showed `before`."""
    progress, empty = facts.progress, _empty_words(facts)
    return PeopleState(
        query=facts.query,
        filter=facts.filter,
        filters=filter_choices(facts.counts, known=facts.known),
        chosen=facts.chosen,
        chosen_in_list=facts.chosen_in_list,
        count_words=_count_words(facts)
        if facts.found_all or not before.count_words
        else before.count_words,
        search_hint=search_hint(facts.everybody) if facts.known else tr("Search people"),
        detail_hint=detail_hint(hidden=bool(facts.chosen), found=facts.narrowed and facts.rows > 0),
        empty_words=empty,
        can_show_everybody=bool(empty) and facts.filter is not PeopleFilter.EVERYBODY,
        progress_words=progress_words(progress),
        progress=None
        if progress is None or progress.total is None
        else (progress.received, progress.total),
        remark=facts.remark,
        # While it is read for the first time whoever comes next may have something.
        blank_columns=facts.blank_columns if facts.read_before else frozenset(),
    )


def _count_words(facts: PeopleFacts) -> str:
    lately = facts.filter is PeopleFilter.RECENTLY_ADDED and not facts.query.strip()
    if lately and (facts.known or facts.rows):
        return recently_added_words(facts.rows, facts.added_today)
    if not facts.known:
        return tr("Not read yet")
    missing = "" if facts.narrowed else missing_words(facts.missing, facts.everybody)
    return missing or count_words(facts.people, facts.everybody, narrowed=facts.narrowed)


def _empty_words(facts: PeopleFacts) -> str:
    if facts.rows or not facts.found_all:
        return ""
    if facts.narrowed and facts.everybody:
        return nobody_words(facts.query.strip(), facts.filter)
    if facts.asked_for or facts.progress is not None:
        return tr("Reading people from the account.")
    if not facts.read_before:
        return tr("The list has not been read yet.")
    return tr("Nobody is here yet. Type a name in the line above and press Enter.")


class FilterChoice(msgspec.Struct, frozen=True):
    """One filter as it is offered."""

    filter: PeopleFilter
    words: str
    count: int | None
    """How many pass it; None where the list was never read."""

    @property
    def text(self) -> str:
        """Words and count as they are painted."""
        if self.count is None:
            return self.words
        return tr("{filter} {count}", filter=self.words, count=number(self.count))

    @property
    def spoken(self) -> str:
        """Words and count for a screen reader."""
        if self.count is None:
            return self.words
        return tr("{filter}, {count}", filter=self.words, count=number(self.count))


def filter_choices(
    counts: Mapping[PeopleFilter, int], *, known: bool = True
) -> tuple[FilterChoice, ...]:
    """All filters, each with how many people of the whole list pass it, where that is `known`."""
    words = {
        PeopleFilter.EVERYBODY: tr("Everybody"),
        PeopleFilter.VOLUNTEERS: tr("Volunteers"),
        PeopleFilter.ADMINISTRATORS: tr("Administrators"),
        PeopleFilter.WITHOUT_EMAIL: tr("Without email"),
        PeopleFilter.ARCHIVED: tr("Archived"),
        PeopleFilter.RECENTLY_ADDED: tr("Recently added"),
    }
    return tuple(
        FilterChoice(each, said, counts.get(each, 0) if known else None)
        for each, said in words.items()
    )


def progress_words(progress: PeopleProgress | None) -> str:
    """How far a reading has come; blank when nothing is being read."""
    if progress is None:
        return ""
    if progress.total is None:
        return tr("Reading people")
    return tr(
        "{received} of {total}",
        received=number(progress.received),
        total=number(progress.total),
    )


def count_words(shown: int, everybody: int, *, narrowed: bool) -> str:
    """How many people are shown."""
    if narrowed:
        return tr("{shown} of {all}", shown=number(shown), all=number(everybody))
    return trn("{n} person", "{n} people", everybody)


def recently_added_words(shown: int, today: int) -> str:
    """How many were added from here, and how many of them today."""
    words = count_words(shown, shown, narrowed=False)
    if not today or today == shown:
        return tr("{people}, all today", people=words) if today else words
    return tr("{people}, {today} today", people=words, today=number(today))


def search_hint(everybody: int) -> str:
    """What stands in the empty search line."""
    return trn("Search {n} person", "Search {n} people", everybody)


def detail_hint(*, hidden: bool, found: bool) -> str:
    """What to do next, where nobody is shown in detail.

    `hidden`: whoever is chosen is not among those shown; `found`: a search has found somebody.
    """
    if hidden:
        return tr("The search or the filter hides whom you chose. Clear it to come back to them.")
    if found:
        return tr("Choose somebody to see more. Enter in the search leads to the first one found.")
    return tr("Choose somebody to see more.")


def missing_words(missing: Shortfall | None, everybody: int) -> str:
    """That the service gave fewer people than it counted, or some that cannot be read; blank where
    it gave all. The list has `everybody`, with those who are kept from before.
    """
    if missing is None:
        return ""
    if missing.kept:
        return _kept_words(missing, everybody)
    if missing.unreadable:
        return _unreadable_words(missing.received, missing.total, missing.unreadable)
    if missing.total is None:
        return ""
    return tr(
        "{received} of {total} shown: the account does not give more",
        received=number(missing.received),
        total=number(missing.total),
    )


def _kept_words(missing: Shortfall, everybody: int) -> str:
    sentences = []
    if missing.total is not None:
        sentences.append(
            tr(
                "the account gave {received} of its {total}",
                received=number(missing.received),
                total=number(missing.total),
            )
        )
    if missing.unreadable:
        sentences.append(_could_not_be_read(missing.unreadable))
    sentences.append(
        trn("{n} is shown as before", "{n} are shown as they were before", missing.kept)
    )
    people = count_words(everybody, everybody, narrowed=False)
    return tr("{people}: {why}", people=people, why=in_a_row(sentences))


def _could_not_be_read(people: int) -> str:
    return trn("{n} person could not be read", "{n} people could not be read", people)


def _unreadable_words(received: int, total: int | None, unreadable: int) -> str:
    bad = _could_not_be_read(unreadable)
    if total is None:
        return tr("{received} shown: {why}", received=number(received), why=bad)
    shown = {"received": number(received), "total": number(total)}
    if total - received > unreadable:
        return tr(
            "{received} of {total} shown: {why}, and the account does not give more",
            why=bad,
            **shown,
        )
    return tr("{received} of {total} shown: {why}", why=bad, **shown)


def nobody_words(query: str, only: PeopleFilter) -> str:
    """That nobody fits the search and the filter, whichever of them there is."""
    if not query:
        return {
            PeopleFilter.EVERYBODY: tr("Nobody is here."),
            PeopleFilter.VOLUNTEERS: tr("Nobody here is a volunteer."),
            PeopleFilter.ADMINISTRATORS: tr("Nobody here is an administrator."),
            PeopleFilter.WITHOUT_EMAIL: tr("Everybody here has an email address."),
            PeopleFilter.ARCHIVED: tr("Nobody here is archived."),
            PeopleFilter.RECENTLY_ADDED: tr(
                "Nobody was added from here in the last {days} days.", days=LATELY_DAYS
            ),
        }[only]
    return {
        PeopleFilter.EVERYBODY: tr("Nobody here matches “{query}”.", query=query),
        PeopleFilter.VOLUNTEERS: tr("No volunteer matches “{query}”.", query=query),
        PeopleFilter.ADMINISTRATORS: tr("No administrator matches “{query}”.", query=query),
        PeopleFilter.WITHOUT_EMAIL: tr("Nobody without email matches “{query}”.", query=query),
        PeopleFilter.ARCHIVED: tr("Nobody archived matches “{query}”.", query=query),
        PeopleFilter.RECENTLY_ADDED: tr("Nobody added lately matches “{query}”.", query=query),
    }[only]
