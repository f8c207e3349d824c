"""The flows read by person: who administers how much, what one of them administers, and what would
have nobody if that one were away.
"""

import asyncio
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import chain

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import Signal

from app.flows.administrators import AdministratorStatus
from app.flows.responsibility import Load, NamesWithWord, Responsibilities
from app.flows.steps import all_steps
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import found_at_once, found_in_turns
from app.runtime.words import in_a_row, tr, trn
from app.settings.saved_states import SavedState
from app.store.search_keys import SEPARATOR, search_text
from app.viewmodels.exporting.saved_file import ListedTable
from app.viewmodels.flows.by_person_rows import (
    LoadRow,
    PostRow,
    away_rows,
    copied_posts,
    counts_words,
    holder_name,
    load_row,
    post_rows,
)
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.rows_on_demand import RowsOnDemand
from app.viewmodels.flows.search import highlights, wanted_words
from app.viewmodels.formatting import initials, number
from app.viewmodels.screen import Screen

_FIRST_SECONDS = 0.004
"""How long rows are looked for at once: a few more than are seen."""
_FEWEST_LETTERS = 3
"""Of a word that stands for a mark such as "archived"; fewer are the beginning of too many."""
_LONGEST_NAME = 24
"""Letters of a name on a button."""


class LoadOrder(StrEnum):
    """What the people are sorted by; the value is what it is remembered by."""

    LOAD = "load"
    NAME = "name"
    ALONE = "alone"


class OrderChip(msgspec.Struct, frozen=True):
    """One order to choose."""

    order: LoadOrder
    text: str
    spoken: str


class PersonPage(msgspec.Struct, frozen=True):
    """The chosen one, above the rows of what they administer."""

    person_id: str
    name: str
    initials: str
    badges: tuple[str, ...]
    summary: str
    """How many of each, or what nobody would have while they are away."""
    away_words: str
    """What asks for that, or for everything again."""
    can_follow: bool
    """Whether there is somebody to go to in the list of people."""
    write_to: tuple[str, ...] = ()
    """Ids of those who could take over while they are away, each once."""
    empty_words: str = ""
    """What is said in the place of the rows; blank while there are some, or might be."""


class ByPersonState(msgspec.Struct, frozen=True):
    """What a view shows besides the rows of both lists. What does not apply is blank."""

    query: str = ""
    orders: tuple[OrderChip, ...] = ()
    order: LoadOrder = LoadOrder.LOAD
    chosen: str | None = None
    """The id of whom the page is about: who was chosen, or the first that a search leaves."""
    away: bool = False
    """Whether the rows are what would have nobody."""
    page: PersonPage | None = None
    found: int = 0
    """How many people are listed."""
    figure_words: str = ""
    """What the bars show, for all who are listed together."""
    has_people: bool = False
    """Whether there is anybody to list or to search."""
    empty_words: str = ""
    """What to say where nobody can be shown."""


class ByPersonScreen(Screen[ByPersonState]):
    """Reads who administers what whenever the flows, or the people in them, are others."""

    copied = Signal(object)
    """Carries `CopiedRows` for the clipboard."""

    def __init__(self, flows: FlowsScreen, scope: TaskScope) -> None:
        """Follows what `flows` has joined of one account."""
        super().__init__(ByPersonState())
        self._flows = flows
        self._responsibilities = Responsibilities(flows.known.administrators)
        self._loads: dict[str, Load] = {}
        self._names: dict[str, str] = {}
        self._called: dict[str, str] = {}
        self._most = 0
        self._figure_words = ""
        self._query = ""
        self._wanted: tuple[str, ...] = ()
        self._matching_names: list[NamesWithWord] = []
        self._in_order: list[str] = []
        self._order = LoadOrder.LOAD
        self._chosen: str | None = None
        self._shown: str | None = None
        self._awaited: str | None = None
        self._away = False
        self._uncovered = 0
        self._write_to: dict[str, None] = {}
        self._listing = False
        self.people = RowsOnDemand[str, LoadRow](self._row, self)
        """The rows of people, by id."""
        self.posts = RowsOnDemand[PostRow, PostRow](self._post_row, self)
        """The rows of what the chosen one administers."""
        self._reading = Action(scope, self._read, second="replace")
        self._listing_posts = Action(scope, self._list_rest, second="replace")
        self._copying = Action(scope, self._copy, second="replace")
        flows.administrators_changed.connect(self._read_anew)
        flows.state_changed.connect(self._tell)
        self._tell()

    # What can be done

    @property
    def found(self) -> int:
        """How many people match what is searched; all of them where nothing is."""
        return self.state.found

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return tr("Search people, flows, steps")

    def search(self, query: str) -> None:
        """List those in whose name, flows, steps or marks each word occurs."""
        if query != self._query:
            self._query = query
            self._wanted = wanted_words(query)
            if self._list():
                self._show_page(anew=True)
            else:
                self.posts.say_anew()
                self._tell()

    def sort_by(self, order: LoadOrder) -> None:
        """List the people in this order."""
        self._order = order
        self._put_in_order()
        if self._list():
            self._show_page(anew=True)
        self._tell()

    def choose(self, person_id: str, *, away: bool = False) -> None:
        """Show what somebody administers; `away`: what would have nobody without them."""
        self._awaited = None
        self._chosen = person_id
        if (person_id, away) != (self._shown, self._away):
            self._shown, self._away = person_id, away
            self._show_page(anew=True)

    def show_away(self, *, yes: bool) -> None:
        """Show what would have nobody if the chosen one were away, or all of theirs again."""
        if self._shown is not None:
            self.choose(self._shown, away=yes)

    def copy(self) -> None:
        """Hand over as text, and as a table, what is shown of the chosen one."""
        self._copying()

    def table(self) -> ListedTable | None:
        """Everybody who is listed, with how much they administer; None where nobody is."""
        loads = [self._loads[person_id] for person_id in self.people.keys]
        if not loads:
            return None
        many = len(loads)
        return ListedTable(
            title=trn("Save {n} person", "Save {n} people", many),
            name=tr("By person"),
            headings=(
                tr("Name"),
                tr("Email"),
                tr("Steps"),
                tr("Whole flows"),
                tr("In flows"),
                tr("Alone on"),
                tr("Remark"),
            ),
            rows=lambda: map(_cells, loads),
        )

    def saved_state(self) -> dict[str, object]:
        """The fields of `SavedState` that tell of this view."""
        return {
            "by_person_order": self._order.value,
            "by_person_chosen": self._awaited or self._chosen,
        }

    def restore(self, saved: SavedState) -> None:
        """Take up the order of an earlier run, and wait for the one who was chosen."""
        self._awaited = saved.by_person_chosen
        for order in LoadOrder:
            if order.value == saved.by_person_order:
                self.sort_by(order)

    # How it is read

    def _read_anew(self) -> None:
        self._reading()

    async def _read(self) -> None:
        known = self._flows.known
        responsibilities = self._responsibilities.with_people(known.administrators)
        for _ in responsibilities.read_in_slices():
            await asyncio.sleep(0)
        # Before the people have been read everybody would look like nobody.
        loads = responsibilities.loads() if known.people_read else ()
        names = {load.administrator.id: _sorted_as(load) for load in loads}
        called = {load.administrator.id: _called(load) for load in loads}
        await asyncio.sleep(0)
        self._responsibilities, self._names, self._called = responsibilities, names, called
        self._loads = {load.administrator.id: load for load in loads}
        self._most = max((load.posts for load in loads), default=0)
        self._matching_names = []
        self._put_in_order()
        if self._awaited in self._loads:
            self._chosen, self._awaited = self._awaited, None
        self._show_page(anew=self._list())

    def _put_in_order(self) -> None:
        self._in_order = sorted(self._loads, key=self._place)

    def _list(self) -> bool:
        """List who is found, in the order in force; whether the page is about another one then."""
        before, self._matching_names = self._matching_names, []
        found = set(self._loads)
        for word in self._wanted:
            names = self._responsibilities.called(word, before)
            self._matching_names.append(names)
            found &= self._marked(word) | names.people(len(self._loads))
        self.people.show(each for each in self._in_order if each in found)
        self._figure_words = self._figure()
        listed = self.people.keys
        if self._chosen not in self._loads:
            self._chosen = listed[0] if listed else None
        # Whom a search hides is shown again once it is over.
        shown = self._chosen if self._chosen in found else next(iter(listed), None)
        if shown == self._shown:
            return False
        self._shown = shown
        self._away = False
        return True

    def _marked(self, word: str) -> set[str]:
        """Whose own name or marks have `word` in them."""
        marks: tuple[tuple[str, Callable[[Load], bool]], ...] = (
            (tr("archived"), _is_archived),
            (tr("deceased"), _is_deceased),
            (tr("alone"), lambda load: load.alone > 0),
            (tr("pending"), lambda load: load.pending),
        )
        meant = [
            holds
            for text, holds in marks
            if len(word) >= _FEWEST_LETTERS and search_text(text).startswith(word)
        ]
        called = {each for each, name in self._called.items() if word in name}
        for holds in meant:
            called.update(each for each, load in self._loads.items() if holds(load))
        return called

    def _place(self, person_id: str) -> tuple[int, bool, str, str]:
        load = self._loads[person_id]
        first = {
            LoadOrder.LOAD: -load.posts,
            LoadOrder.ALONE: -load.alone,
            LoadOrder.NAME: 0,
        }[self._order]
        nameless = load.administrator.person is None
        return first, nameless, self._names[person_id], person_id

    def _figure(self) -> str:
        """The bars in a sentence, of those who are listed; one alone there is nobody to compare
        with.
        """
        loads = [self._loads[each] for each in self.people.keys]
        if len(loads) <= 1:
            return ""
        from statistics import median_low  # noqa: PLC0415 - no start has a figure

        posts = [load.posts for load in loads]
        most = max(posts)
        with_most = (load.administrator for load in loads if load.posts == most)
        first = min(with_most, key=lambda one: self._names[one.id])
        people = trn("{n} person", "{n} people", len(loads))
        return tr(
            "{people}. Most: {name}, {most}. Half have no more than {middle}.",
            people=people,
            name=holder_name(first),
            most=number(most),
            middle=number(median_low(posts)),
        )

    # How it is shown

    def _row(self, person_id: str) -> LoadRow:
        load = self._loads[person_id]
        return load_row(load, self._most, self._wanted, self._found_by(person_id))

    def _post_row(self, row: PostRow) -> PostRow:
        return replace(row, highlights=highlights(row.name, self._wanted)) if self._wanted else row

    def _found_by(self, person_id: str) -> str:
        """By which flows and steps somebody was found; blank where their name says it all."""
        reasons: dict[str, None] = {}
        for word in self._wanted:
            if word in self._called[person_id]:
                continue
            for name in chain.from_iterable(self._matching_names):
                if word in name.folded and person_id in name.person_ids:
                    said = tr("step: {name}", name=name.name) if name.is_step else name.name
                    reasons[said] = None
                    break
        return " · ".join(reasons)

    def _show_page(self, *, anew: bool) -> None:
        """The chosen one is another, or may administer something else.

        Not `anew`: the rows are exchanged once all of them are known, and only if they are others.
        """
        self._listing_posts.cancel()
        self._listing = False
        self._uncovered, self._write_to = 0, {}
        if self._shown is None:
            self.posts.show(())
            self._tell()
            return
        slices = self._post_slices(self._shown)
        rows, self._listing = found_at_once(slices, _FIRST_SECONDS)
        if anew or not self._listing:
            self.posts.show(rows)
        self._tell()
        if self._listing:
            self._listing_posts(slices, rows, anew=anew)

    async def _list_rest(
        self, slices: Iterator[list[PostRow]], rows: list[PostRow], *, anew: bool
    ) -> None:
        async for some in found_in_turns(slices):
            rows += some
            if anew:
                self.posts.append(some)
        if not anew:
            self.posts.show(rows)
        self._listing = False
        self._tell()

    def _post_slices(self, person_id: str) -> Iterator[list[PostRow]]:
        for one in self._responsibilities.of(person_id):
            if not self._away:
                yield list(post_rows(one))
                continue
            self._uncovered += len(one.uncovered)
            if one.uncovered:
                for each in one.run_by or one.others:
                    self._write_to[each.id] = None
            yield list(away_rows(one))

    async def _copy(self) -> None:
        """Wait for the rows that are still to come."""
        await self._listing_posts.ended()
        page = self.state.page
        if page is None:
            return
        self.copied.emit(copied_posts(page.name, page.summary, self.posts.keys))

    def _tell(self, _state: object = None) -> None:
        """What is known may be other than it was: show what that makes of the people."""
        self._set_state(
            ByPersonState(
                query=self._query,
                orders=(
                    OrderChip(LoadOrder.LOAD, tr("Load"), tr("Those with most first")),
                    OrderChip(LoadOrder.NAME, tr("Name"), tr("By name")),
                    OrderChip(
                        LoadOrder.ALONE, tr("Alone"), tr("Those who are alone on most first")
                    ),
                ),
                order=self._order,
                chosen=self._shown,
                away=self._away,
                page=self._page(),
                found=len(self.people.keys),
                figure_words=self._figure_words,
                has_people=bool(self._loads),
                empty_words=self._empty_words(),
            )
        )

    def _page(self) -> PersonPage | None:
        load = self._loads.get(self._shown) if self._shown is not None else None
        if load is None:
            return None
        who = load.administrator
        name = holder_name(who)
        summary = _away_summary(load) if self._away else _summary(load)
        if load.alone and not self._flows.known.people_whole:
            summary = tr(
                "{summary} The list of people was not read whole: somebody else may be there.",
                summary=summary if summary.endswith(".") else f"{summary}.",
            )
        covered = self._away and not self._uncovered and not self._listing
        return PersonPage(
            person_id=who.id,
            name=name,
            initials=initials(name) if who.person is not None else "?",
            badges=who.unable_words,
            summary=summary,
            away_words=tr("Show everything") if self._away else _away_words(load),
            can_follow=who.person is not None,
            write_to=tuple(self._write_to) if self._away else (),
            empty_words=tr("Somebody else is named, and can act, wherever they are.")
            if covered
            else "",
        )

    def _empty_words(self) -> str:
        if self.people.keys:
            return ""
        if self._loads:
            return tr(
                "Nobody who matches “{query}” administers anything. "
                "Empty the search line to see everybody.",
                query=self._query.strip(),
            )
        if self._flows.state.empty_words and not self._flows.state.has_flows:
            return self._flows.state.empty_words
        if not self._flows.known.people_read:
            return tr("Whoever administers the flows is shown once the people have been read.")
        if not all(
            flow.admins_told and all(step.admins_told for step in all_steps(flow))
            for flow in self._flows.known.flows
        ):
            return tr("The account did not tell who administers the flows.")
        return tr("Nobody administers any of the flows yet.")


def _cells(load: Load) -> tuple[str, ...]:
    who = load.administrator
    counts = (load.steps, load.whole_flows, load.flows, load.alone)
    email = (who.person.email or "").strip() if who.person is not None else ""
    return (holder_name(who), email, *map(str, counts), ", ".join(who.unable_words))


def _sorted_as(load: Load) -> str:
    return search_text(holder_name(load.administrator))


def _called(load: Load) -> str:
    """What somebody is found by: the name that is shown, and the one they go by."""
    person = load.administrator.person
    preferred = search_text(person.preferred_name) if person is not None else ""
    return SEPARATOR.join((_sorted_as(load), preferred))


def _is_deceased(load: Load) -> bool:
    return load.administrator.status is AdministratorStatus.DECEASED


def _is_archived(load: Load) -> bool:
    person = load.administrator.person
    return person is not None and bool(person.archived)


def _summary(load: Load) -> str:
    alone = tr("alone on {count}", count=number(load.alone)) if load.alone else ""
    counts = counts_words(load.steps, load.whole_flows, load.flows)
    return in_a_row(part for part in (counts, alone) if part)


def _away_words(load: Load) -> str:
    person = load.administrator.person
    if person is None:
        return tr("Without them")
    name = ((person.firstname or "").strip() or holder_name(load.administrator))[:_LONGEST_NAME]
    if not load.administrator.can_act:
        return tr("Without {name}", name=name)
    return tr("If {name} is away", name=name)


def _away_summary(load: Load) -> str:
    words = _away_words(load)
    if not load.alone:
        return tr("{away}: every step and flow still has somebody.", away=words)
    return trn(
        "{away}: nobody for {n} of {all} steps and flows.",
        "{away}: nobody for {n} of {all} steps and flows.",
        load.alone,
        away=words,
        all=number(load.posts),
    )
