"""The sentences about the list as a whole: how many, how far, and that nobody fits."""

from dataclasses import dataclass

from app.people.directory import PeopleDirectory, PeopleProgress, PeopleRefreshed
from app.people.filters import PeopleFilter
from app.runtime.words import tr, trn
from app.viewmodels.wording import number


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One filter as it is offered."""

    filter: PeopleFilter
    words: str
    count: int

    @property
    def text(self) -> str:
        """Words and count as they are painted."""
        return tr("{filter} {count}", filter=self.words, count=number(self.count))

    @property
    def spoken(self) -> str:
        """Words and count for a screen reader."""
        return tr("{filter}, {count}", filter=self.words, count=number(self.count))


def filter_choices(directory: PeopleDirectory) -> tuple[FilterChoice, ...]:
    """All filters, each with how many people of the whole list pass it."""
    words = {
        PeopleFilter.EVERYBODY: tr("Everybody"),
        PeopleFilter.VOLUNTEERS: tr("Volunteers"),
        PeopleFilter.ADMINISTRATORS: tr("Administrators"),
        PeopleFilter.WITHOUT_EMAIL: tr("Without email"),
        PeopleFilter.ARCHIVED: tr("Archived"),
    }
    return tuple(
        FilterChoice(each, said, directory.count(each.mark)) for each, said in words.items()
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
    return trn("{count} person", "{count} people", everybody, count=number(everybody))


def search_hint(everybody: int) -> str:
    """What stands in the empty search line."""
    return trn("Search {count} person", "Search {count} people", everybody, count=number(everybody))


def detail_hint(*, hidden: bool, found: bool) -> str:
    """What to do next, where nobody is shown in detail.

    `hidden`: whoever is chosen is not among those shown; `found`: a search has found somebody.
    """
    if hidden:
        return tr("The search or the filter hides whom you chose. Clear it to come back to them.")
    if found:
        return tr("Choose somebody to see more. Enter in the search leads to the first one found.")
    return tr("Choose somebody to see more.")


def incomplete_words(incomplete: PeopleRefreshed | None) -> str:
    """That the service gave fewer people than it counted, or some that cannot be read; blank where
    it gave all.
    """
    if incomplete is None:
        return ""
    if incomplete.unreadable:
        return _unreadable_words(incomplete.received, incomplete.total, incomplete.unreadable)
    if incomplete.total is None:
        return ""
    return tr(
        "{received} of {total} shown: the account does not give more",
        received=number(incomplete.received),
        total=number(incomplete.total),
    )


def _unreadable_words(received: int, total: int | None, unreadable: int) -> str:
    bad = trn("{n} person could not be read", "{n} people could not be read", unreadable)
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
        }[only]
    return {
        PeopleFilter.EVERYBODY: tr("Nobody here matches “{query}”.", query=query),
        PeopleFilter.VOLUNTEERS: tr("No volunteer matches “{query}”.", query=query),
        PeopleFilter.ADMINISTRATORS: tr("No administrator matches “{query}”.", query=query),
        PeopleFilter.WITHOUT_EMAIL: tr("Nobody without email matches “{query}”.", query=query),
        PeopleFilter.ARCHIVED: tr("Nobody archived matches “{query}”.", query=query),
    }[only]
