"""How the work in the flows is spread: who carries how much of it, who is alone with what, and what
would have nobody if somebody were away.

Who an id is, and whether they can act, it asks of `administrators`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from app.flows.administrators import Administrator, Administrators, administrator_ids
from app.flows.steps import PlacedStep, read_steps
from app.model.flow import PeopleFlow
from app.store.search_keys import search_text

_STEPS_AT_A_TIME = 200
"""Steps read before the event loop has its turn: a few milliseconds."""


class Load(msgspec.Struct, frozen=True):
    """How much somebody administers."""

    administrator: Administrator
    steps: int
    whole_flows: int
    flows: int
    """In how many flows that is, wholly or a step of them."""
    alone: int
    """On how many of these steps and whole flows there is nobody else who can act."""
    pending: bool
    """Whether a step among them is not active."""

    @property
    def posts(self) -> int:
        """Steps and whole flows together: what the loads are compared by."""
        return self.steps + self.whole_flows


class Post(msgspec.Struct, frozen=True):
    """One step that somebody administers, or a flow that they run."""

    step: PlacedStep | None
    """The step; None for the flow as a whole."""
    others: tuple[Administrator, ...]
    """Who else is named there, in the service's order, whether they can act or not."""

    @property
    def alone(self) -> bool:
        """Whether nobody else there can act."""
        return not any(each.can_act for each in self.others)


class Responsibility(msgspec.Struct, frozen=True):
    """What one person administers in one flow, and who else is in it."""

    flow: PeopleFlow
    posts: tuple[Post, ...]
    """The flow as a whole first, then the steps in reading order."""
    run_by: tuple[Administrator, ...]
    """Who else runs the flow and can act."""
    others: tuple[Administrator, ...]
    """Who else administers a step of it, without running it, and can act."""

    @property
    def uncovered(self) -> tuple[Post, ...]:
        """What would have nobody if that person were away."""
        return tuple(post for post in self.posts if post.alone)


class FlowOrStepName(msgspec.Struct, frozen=True, gc=False):
    """A name that flows or steps have, and everybody who administers one that is called so.

    There may be a hundred thousand: as with steps, the collector of cycles passes them by.
    """

    name: str
    is_step: bool
    folded: str
    person_ids: dict[str, None]
    """Each once; unlike a set it is nothing for that collector either."""


class NamesWithWord:
    """The names in which a word stands: of very many no more are looked at than are asked for."""

    def __init__(self, word: str, among: Iterable[FlowOrStepName]) -> None:
        """Those of `among`, in their order."""
        self.word = word
        self._found: list[FlowOrStepName] = []
        self._left: Iterator[FlowOrStepName] | None = (one for one in among if word in one.folded)

    def __iter__(self) -> Iterator[FlowOrStepName]:
        """All of them, each time anew."""
        at = 0
        while at < len(self._found) or self._look_further():
            yield self._found[at]
            at += 1

    @property
    def known(self) -> Sequence[FlowOrStepName] | None:
        """All of them; None while there may be more than were asked for."""
        return self._found if self._left is None else None

    def people(self, most: int) -> set[str]:
        """The ids of all who administer one of these; once there are `most`, that is everybody."""
        ids: set[str] = set()
        for each in self:
            ids.update(each.person_ids)
            if len(ids) >= most:
                break
        return ids

    def _look_further(self) -> bool:
        following = next(self._left, None) if self._left is not None else None
        if following is None:
            self._left = None
            return False
        self._found.append(following)
        return True


class _Spread(msgspec.Struct):
    """What is found out from the flows alone, whoever the people are."""

    whole_flows: Counter[str] = msgspec.field(default_factory=Counter)
    pending: set[str] = msgspec.field(default_factory=set)
    together: Counter[tuple[str, ...]] = msgspec.field(default_factory=Counter)
    """How many steps and whole flows these ids are named at together."""
    named: dict[tuple[str, bool], dict[str, None]] = msgspec.field(default_factory=dict)
    """By the name, and whether it is a step's, who administers what is called so."""
    names: tuple[FlowOrStepName, ...] | None = None
    read: int = 0
    """How many of the flows."""


class Responsibilities:
    """The same flows as `Administrators` has, read by who carries them."""

    def __init__(self, administrators: Administrators) -> None:
        """Nothing is read before it is asked for."""
        self._administrators = administrators
        self._spread = _Spread()

    def with_people(self, administrators: Administrators) -> "Responsibilities":
        """With other people; the flows are read again only where they are others."""
        other = Responsibilities(administrators)
        if administrators.flows is self._administrators.flows:
            other._spread = self._spread
        return other

    def read_in_slices(self) -> Iterator[None]:
        """Find out what the flows say, some steps at a time.

        Nobody has to: what is asked for is found out then. With many flows that takes longer than
        a frame, so whoever has time beforehand lets the event loop run between two slices.
        """
        flows, spread, left = self._administrators.flows, self._spread, _STEPS_AT_A_TIME
        while spread.read < len(flows):
            flow = flows[spread.read]
            spread.read += 1
            left -= 1 + _take_in(flow, spread)
            if left < 0:
                yield
                left = _STEPS_AT_A_TIME
        for _ in self._fold_in_slices():
            yield

    def loads(self) -> tuple[Load, ...]:
        """Of everybody who administers anything, in the order in which the flows name them."""
        self._read()
        known, spread = self._administrators, self._spread
        alone = self._alone()
        return tuple(
            Load(
                administrator=known.administrator(each),
                steps=known.posts_of(each) - spread.whole_flows[each],
                whole_flows=spread.whole_flows[each],
                flows=len(known.flows_of(each)),
                alone=alone[each],
                pending=each in spread.pending,
            )
            for each in known.everybody()
        )

    def of(self, person_id: str) -> Iterator[Responsibility]:
        """What somebody administers, flow by flow: with very many flows that takes its time."""
        for flow in self._administrators.flows_of(person_id):
            yield self._in(flow, person_id)

    def called(self, word: str, before: Iterable[NamesWithWord] = ()) -> NamesWithWord:
        """The names of flows and steps in which the folded `word` stands, as the flows come.

        `before` are those of words that were asked for before: of one that stands in this word all
        there are are known often, and no others need be looked at.
        """
        self._read()
        among: Sequence[FlowOrStepName] = self._spread.names or ()
        for each in before:
            known = each.known if each.word in word else None
            if known is not None and len(known) < len(among):
                among = known
        return NamesWithWord(word, among)

    def _read(self) -> None:
        for _ in self.read_in_slices():
            pass

    def _fold_in_slices(self) -> Iterator[None]:
        spread = self._spread
        if spread.names is not None:
            return
        names: list[FlowOrStepName] = []
        for (name, is_step), ids in spread.named.items():
            names.append(FlowOrStepName(name, is_step, search_text(name), ids))
            if not len(names) % _STEPS_AT_A_TIME:
                yield
        spread.names = tuple(names)
        spread.named = {}

    def _alone(self) -> Counter[str]:
        known = self._administrators
        absent = {each for each in known.everybody() if not known.administrator(each).can_act}
        alone: Counter[str] = Counter()
        for ids, times in self._spread.together.items():
            able = [each for each in ids if each not in absent] if absent else ids
            # Where nobody at all can act, nobody there has somebody beside them.
            for each in able or ids:
                if len(able) <= 1:
                    alone[each] += times
        return alone

    def _in(self, flow: PeopleFlow, person_id: str) -> Responsibility:
        known = self._administrators
        runs = _besides(known.of_flow(flow), person_id)
        posts = [Post(None, runs)] if person_id in flow.admins else []
        posts += (
            Post(placed, _besides(known.of_step(placed.step), person_id))
            for placed in read_steps(flow)
            if person_id in placed.administrators
        )
        run_by = tuple(each for each in runs if each.can_act)
        everybody = map(known.administrator, administrator_ids(flow))
        return Responsibility(
            flow=flow,
            posts=tuple(posts),
            run_by=run_by,
            others=tuple(
                each
                for each in _besides(everybody, person_id)
                if each.can_act and each not in run_by
            ),
        )


def _take_in(flow: PeopleFlow, spread: _Spread) -> int:
    """Count what `flow` says; gives how many steps it has."""
    placed = read_steps(flow)
    whole = tuple(dict.fromkeys(flow.admins))
    everybody = dict.fromkeys(whole)
    spread.whole_flows.update(whole)
    if whole:
        spread.together[whole] += 1
    for one in placed:
        ids = one.administrators
        if not ids:
            continue
        everybody.update(dict.fromkeys(ids))
        spread.together[ids] += 1
        if one.pending:
            spread.pending.update(ids)
        if one.step.name:
            spread.named.setdefault((one.step.name, True), {}).update(dict.fromkeys(ids))
    if flow.name and everybody:
        spread.named.setdefault((flow.name, False), {}).update(everybody)
    return len(placed)


def _besides(several: Iterable[Administrator], person_id: str) -> tuple[Administrator, ...]:
    return tuple(each for each in several if each.id != person_id)
