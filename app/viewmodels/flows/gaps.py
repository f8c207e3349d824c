"""The gaps of all flows: where somebody or something is missing, each leading to its place."""

from collections.abc import Iterator, Sequence
from math import inf

import msgspec

from app.flows.administrators import Administrator, administrator_ids, everybody_in
from app.flows.gaps import Gap, GapKind, gap_remark
from app.people.directory import PeopleDirectory
from app.people.events import PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import AT_ONCE_SECONDS, found_at_once, found_in_turns
from app.runtime.words import in_a_row, tr, trn, with_own_digits
from app.settings.saved_states import SavedState
from app.store.errors import StoreError
from app.viewmodels.exporting.print_requests import PrintGaps
from app.viewmodels.exporting.saved_file import ListedTable
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.rows_on_demand import RowsOnDemand
from app.viewmodels.flows.search import (
    Highlights,
    gap_marks,
    highlights,
    pending_marks,
    searched_text,
    wanted_words,
)
from app.viewmodels.flows.sentences import flow_name, gap_kind_words, named, step_name
from app.viewmodels.formatting import moment_words, name_of, number
from app.viewmodels.screen import Screen

_SLICE = 200
"""Gaps looked at in one go."""


class GapRow(msgspec.Struct, frozen=True):
    """One gap as shown. What does not apply is blank."""

    place: FlowPlace
    words: str
    """What is missing."""
    flow: str
    step: str
    """Number and name of the step."""
    remark: str
    """Who else there is, or what makes it doubtful."""
    highlights: tuple[Highlights, Highlights, Highlights, Highlights] = ((), (), (), ())
    """Where searched words stand in these four texts."""

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """The four texts in the order of their columns."""
        return self.words, self.flow, self.step, self.remark

    @property
    def name(self) -> str:
        """What a list calls it."""
        return self.words

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""
        return in_a_row(text for text in self.texts if text)


class GapChip(msgspec.Struct, frozen=True):
    """One kind of gaps to choose, with how many there are."""

    kind: GapKind | None
    """None: all of them."""
    text: str
    shown: bool

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        return self.text


class GapsState(msgspec.Struct, frozen=True):
    """What a view shows besides the rows. What does not apply is blank."""

    chips: tuple[GapChip, ...] = ()
    kind: GapKind | None = None
    query: str = ""
    found: int = 0
    """How many gaps of any kind match what is searched."""
    can_write: bool = False
    """Whether anybody runs a flow that is shown."""
    empty_words: str = ""
    """What to say where nothing can be shown."""
    empty_action: str = ""
    """What the button under these words does; it asks for the lists."""

    @property
    def chip_on(self) -> int:
        """The place of the chip that is on."""
        return next(at for at, chip in enumerate(self.chips) if chip.kind is self.kind)


class GapsScreen(Screen[GapsState]):
    """Lists the gaps that `FlowsScreen` knows; its state is what is shown besides the rows."""

    def __init__(
        self,
        flows: FlowsScreen,
        directory: PeopleDirectory,
        events: EventBus,
        scope: TaskScope,
    ) -> None:
        """Lists them anew whenever `flows` knows others, or the people have been read again."""
        super().__init__(GapsState())
        self._flows = flows
        self._directory = directory
        self._list_words = ""
        self._query = ""
        self._wanted: tuple[str, ...] = ()
        self._kind: GapKind | None = None
        self._can_write = False
        self._matching: tuple[Gap, ...] = ()
        self._keys: dict[int, str] = {}
        self.list = RowsOnDemand[Gap, GapRow](self._row, self, same=_is_same)
        """The rows of the gaps that are shown."""
        self._finding = Action(scope, self._find, second="replace")
        flows.administrators_changed.connect(self._known_anew)
        flows.state_changed.connect(self._tell)
        events.subscribe(PeopleRefreshed, self._known_anew, scope)
        self._known_anew()

    @property
    def count(self) -> int:
        """How many gaps there are, whatever is searched or shown."""
        return len(self._flows.known.gaps.all)

    @property
    def found(self) -> int:
        """How many gaps of any kind match what is searched."""
        return len(self._matching)

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        return tr("Search gaps")

    @property
    def run_by(self) -> tuple[str, ...]:
        """The ids of those who run a flow of the gaps that are listed, or a step of it."""
        return everybody_in({gap.flow.id: gap.flow for gap in self.list.keys}.values())

    def print_request(self) -> PrintGaps | None:
        """What is listed, with its kind and the search it was found by; None without any gap."""
        if not self.count:
            return None
        kind, listed, query = self._kind, self.list.keys, self._query.strip()
        many = trn("{n} gap", "{n} gaps", len(listed))
        if len(listed) < self.count:
            many = trn(
                "{n} of {all} gaps",
                "{n} of {all} gaps",
                len(listed),
                all=number(self.count),
            )
        searched = tr("Only what matches “{query}”.", query=query) if query else ""
        notes = (many, searched) if listed else (self.state.empty_words,)
        return PrintGaps(
            title=tr("Gaps: {kind}", kind=gap_kind_words(kind)) if kind else tr("Gaps"),
            notes=tuple(words for words in notes if words),
            gaps=listed,
        )

    def table(self) -> ListedTable | None:
        """What is listed, a row a gap; None where nothing is."""
        listed = self.list.keys
        if not listed:
            return None
        many = len(listed)
        return ListedTable(
            title=trn("Save {n} gap", "Save {n} gaps", many),
            name=tr("Gaps"),
            headings=(tr("What is missing"), tr("Flow"), tr("Step"), tr("Remark")),
            rows=lambda: map(self._texts, listed),
        )

    # What can be done

    def search(self, query: str) -> None:
        """List the gaps in whose words, flow, step or people each word occurs."""
        if query != self._query:
            self._query = query
            self._wanted = wanted_words(query)
            self._list()

    def finish_search(self) -> None:
        """Somebody means what is found: find all of it now."""
        if self._finding.running:
            self._list(seconds=inf)

    def show_kind(self, kind: GapKind | None) -> None:
        """List one kind; None: all of them."""
        self._kind = kind
        self._show()

    def saved_state(self) -> dict[str, object]:
        """The fields of `SavedState` that tell of this view."""
        return {"gaps_kind": "" if self._kind is None else self._kind.value}

    def restore(self, saved: SavedState) -> None:
        """List the kind of an earlier run; a name of no kind changes nothing."""
        for kind in GapKind:
            if kind.value == saved.gaps_kind:
                self.show_kind(kind)

    def refresh(self) -> None:
        """Have both lists read from the account."""
        self._flows.refresh()

    # How it is shown

    def _known_anew(self, _event: PeopleRefreshed | None = None) -> None:
        self._keys.clear()
        self._list_words = list_words(self._directory)
        self._list()

    def _list(self, seconds: float = AT_ONCE_SECONDS) -> None:
        self._finding.cancel()
        slices = self._found()
        found, is_more = found_at_once(slices, seconds)
        if is_more:
            self._finding(found, slices)
        else:
            self._take(found)

    async def _find(self, found: list[Gap], slices: Iterator[list[Gap]]) -> None:
        async for some in found_in_turns(slices):
            found += some
        self._take(found)

    def _found(self) -> Iterator[list[Gap]]:
        gaps = self._flows.known.gaps.all
        if not self._wanted:
            yield list(gaps)
            return
        for start in range(0, len(gaps), _SLICE):
            part = enumerate(gaps[start : start + _SLICE], start)
            yield [
                gap for at, gap in part if all(word in self._key(at, gap) for word in self._wanted)
            ]

    def _key(self, at: int, gap: Gap) -> str:
        if at not in self._keys:
            marks = [*gap_marks(gap)]
            if gap.step is not None and gap.step.pending:
                marks += pending_marks()
            self._keys[at] = searched_text((*self._texts(gap), *marks))
        return self._keys[at]

    def _take(self, found: Sequence[Gap]) -> None:
        self._matching = tuple(found)
        self._show()

    def _show(self) -> None:
        kind = self._kind
        shown = [gap for gap in self._matching if kind is None or kind in gap.kinds]
        self._can_write = any(administrator_ids(gap.flow) for gap in shown)
        self.list.show(shown)
        self._tell()

    def _tell(self, _state: object = None) -> None:
        gaps = self._flows.known.gaps
        chips = [GapChip(None, _chip_words(tr("All"), len(gaps.all)), shown=True)]
        for kind in GapKind:
            count = gaps.count(kind)
            words = _chip_words(gap_kind_words(kind), count)
            chips.append(GapChip(kind, words, shown=bool(count) or kind is self._kind))
        self._set_state(
            GapsState(
                chips=tuple(chips),
                kind=self._kind,
                query=self._query,
                found=self.found,
                can_write=self._can_write,
                empty_words=self._empty_words(),
                empty_action=self._empty_action(),
            )
        )

    def _empty_words(self) -> str:
        known, flows = self._flows.known, self._flows.state
        if self.list.keys:
            return ""
        if not flows.has_flows:
            return flows.empty_words
        if not known.people_read:
            return tr(
                "What is missing can be told once the list of people was read: before that, every "
                "administrator would look like nobody."
            )
        if not known.gaps.all:
            return tr("Nothing is missing: somebody administers every flow and every step.")
        return self._nothing_listed_words()

    def _nothing_listed_words(self) -> str:
        """Why none of the gaps that there are is listed."""
        if not self._wanted:
            return tr("There is no gap of this kind.")
        if not self._matching:
            return tr("No gap matches “{query}”.", query=self._query.strip())
        return tr("No gap of this kind matches what is searched.")

    def _empty_action(self) -> str:
        return "" if self._flows.state.has_flows else self._flows.state.empty_action

    def _row(self, gap: Gap) -> GapRow:
        texts = self._texts(gap)
        step_id = gap.step.step.id if gap.step is not None else None
        first, second, third, last = (highlights(text, self._wanted) for text in texts)
        return GapRow(FlowPlace(gap.flow.id, step_id), *texts, (first, second, third, last))

    def _texts(self, gap: Gap) -> tuple[str, str, str, str]:
        return gap_words(gap), flow_name(gap.flow), _step_words(gap), self._remark(gap)

    def _remark(self, gap: Gap) -> str:
        if gap.kind is GapKind.NO_ENTRY_POINT:
            return tr("so people may join at any step")
        if gap.administrator is not None:
            others = self._others(gap, gap.administrator)
            listed = self._list_words if gap.kind is GapKind.NOT_IN_LIST else ""
            return " · ".join(part for part in (listed, others) if part)
        if gap.kind is GapKind.NOBODY and gap.step is None:
            return self._of_the_steps(gap)
        run_by = self._flows.known.administrators.of_flow(gap.flow)
        if not run_by and not gap.flow.admins_told:
            return tr("who runs the flow was not told")
        if not run_by:
            return tr("nobody runs the flow either")
        return tr("the flow is run by {names}", names=named(run_by))

    def _others(self, gap: Gap, administrator: Administrator) -> str:
        """With whom somebody who cannot act administers the step, or the flow as a whole."""
        administrators = self._flows.known.administrators
        every = (
            administrators.of_step(gap.step.step) if gap.step else administrators.of_flow(gap.flow)
        )
        others = [one for one in every if one.id != administrator.id]
        if others:
            return tr("with {names}", names=named(others))
        return tr("alone on this step") if gap.step else tr("alone on this flow")

    def _of_the_steps(self, gap: Gap) -> str:
        administrators = self._flows.known.administrators
        ids = administrator_ids(gap.flow)
        if not ids:
            return ""
        return tr("steps are administered by {names}", names=named(administrators.of_ids(ids)))


def list_words(directory: PeopleDirectory) -> str:
    """Whether the list in which somebody is missing was read whole, and when; blank before."""
    if directory.as_of is None:
        return ""
    try:
        whole = directory.whole
    except StoreError:
        whole = False
    when = moment_words(directory.as_of)
    if whole:
        return tr("the list was read whole at {when}", when=when)
    return tr("the list read at {when} was not whole", when=when)


def _step_words(gap: Gap) -> str:
    placed = gap.step
    if placed is None:
        return ""
    words = tr("{number} · {step}", number=with_own_digits(placed.number), step=step_name(placed))
    return tr("{step} (pending)", step=words) if placed.pending else words


def _is_same(one: Gap, other: Gap) -> bool:
    """Whether they are the same gap, be it that it was read twice."""
    return one is other or _identity(one) == _identity(other)


def _identity(gap: Gap) -> tuple[object, ...]:
    step_id = gap.step.step.id if gap.step is not None else None
    person_id = gap.administrator.id if gap.administrator is not None else None
    return gap.kind, gap.flow.id, step_id, person_id


def gap_words(gap: Gap) -> str:
    """What is missing, without where."""
    one = gap.administrator
    if one is None or one.person is None:
        remark = gap_remark(gap)
        return remark[:1].upper() + remark[1:]
    name = name_of(one.person)
    if len(one.unable_words) > 1:
        return tr("Archived, deceased administrator: {name}", name=name)
    of_somebody = {
        GapKind.ARCHIVED: tr("Archived administrator: {name}", name=name),
        GapKind.DECEASED: tr("Deceased administrator: {name}", name=name),
    }
    return of_somebody[gap.kind]


def _chip_words(name: str, count: int) -> str:
    return tr("{view} {count}", view=name, count=number(count))
