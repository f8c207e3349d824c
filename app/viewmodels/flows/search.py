"""Looking for flows: which are found, why, and where in a text the words stand.

What a flow is found by is worked out when somebody searches, a slice at a time, and kept until the
flow or the people in it are others.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec

from app.flows.administrators import Administrators, administrator_ids
from app.flows.gaps import Gap, GapKind, Gaps
from app.flows.steps import PlacedStep, all_steps, read_steps
from app.model.flow import PeopleFlow, Step
from app.people.search import marked, narrows
from app.runtime.words import tr
from app.store.search_keys import SEPARATOR, search_text
from app.viewmodels.flows.sentences import flow_name, gap_sentence, short_words, step_name
from app.viewmodels.formatting import name_of

Highlights = tuple[tuple[int, int], ...]
"""Where words stand in a text: first character and number of characters, in order."""

_SLICE = 500
"""Texts worked out at a time, or flows looked at: a few milliseconds at most."""
_MOST_KEPT = 5_000
"""Texts of flows in sight that are kept for the next key: of a screenful, a third of it."""

# The names of steps and people come again and again.
_folded = lru_cache(20_000)(search_text)


def wanted_words(query: str) -> tuple[str, ...]:
    """The folded words of `query`, each once; every one of them has to be found."""
    return tuple(dict.fromkeys(search_text(query).split()))


def searched_text(texts: Iterable[str]) -> str:
    """Folded `texts` in one, for wanted words to be looked for; none stands across two of them."""
    return SEPARATOR.join(dict.fromkeys(map(_folded, texts)))


def highlights(text: str, wanted: Sequence[str]) -> Highlights:
    """Where the wanted words stand in `text`, whatever accents and capitals it is written with."""
    return tuple((start, end - start) for start, end in marked(text, wanted)) if wanted else ()


class FoundBy(msgspec.Struct, frozen=True):
    """One thing in a flow that searched words were found in."""

    words: str
    step_id: str | None = None
    """The step it leads to; None where it is about the flow as a whole."""


def gap_marks(*gaps: Gap) -> tuple[str, ...]:
    """What gaps are searched for by, besides their own words: in the window's language and in
    English, in which the words stand in many a note of how to do something.
    """
    own = {
        GapKind.NOBODY: ("nobody", tr("nobody")),
        GapKind.ARCHIVED: ("archived", tr("archived")),
        GapKind.DECEASED: ("deceased", tr("deceased")),
    }
    kinds = dict.fromkeys(kind for gap in gaps for kind in gap.kinds)
    marks = (mark for kind in kinds for mark in own.get(kind, ()))
    return ("gap", tr("gap"), tr("gaps"), *marks) if gaps else ()


def pending_marks() -> tuple[str, ...]:
    """The same for what is not active."""
    return ("pending", tr("pending"))


_Candidate = tuple[str, Callable[[], FoundBy]]
"""A folded text, and what is to be said where words are found in it."""


def _by_step(step: Step) -> FoundBy:
    return FoundBy(tr("step: {name}", name=step.name), step.id)


def _by_person(flow: PeopleFlow, person_id: str, administrators: Administrators) -> FoundBy:
    person = administrators.person(person_id)
    name = name_of(person) if person is not None else ""
    first = next((step.id for step in all_steps(flow) if person_id in step.admins), None)
    return FoundBy(name, None if person_id in flow.admins else first)


def _marked(flow: PeopleFlow, gaps: Sequence[Gap]) -> Iterator[_Candidate]:
    for gap in gaps:
        yield searched_text(gap_marks(gap)), partial(_by_gap, gap)
    if flow.pending:
        yield searched_text(pending_marks()), lambda: FoundBy(short_words(flow))
    for placed in _pending_steps(flow):
        yield searched_text(pending_marks()), partial(_by_pending_step, placed)


def _by_gap(gap: Gap) -> FoundBy:
    return FoundBy(gap_sentence(gap), gap.step.step.id if gap.step is not None else None)


def _by_pending_step(placed: PlacedStep) -> FoundBy:
    words = tr("{step} (pending)", step=tr("step: {name}", name=step_name(placed)))
    return FoundBy(words, placed.step.id)


def _pending_steps(flow: PeopleFlow) -> Sequence[PlacedStep]:
    if not any(step.pending for step in all_steps(flow)):
        return ()
    return [placed for placed in read_steps(flow) if placed.pending]


_BEFORE_NAME = f"{SEPARATOR} "
"""With a blank: what a word of a name begins with stands behind one."""


class CalledSo(NamedTuple):
    """A flow, or a step of it, whose name somebody typed."""

    flow: PeopleFlow
    step: Step | None
    """None: the flow as a whole."""


class _Names(msgspec.Struct):
    """What these flows and their steps are called, whoever the people are."""

    texts: dict[str, str] = msgspec.field(default_factory=dict)
    """By flow id: its name and those of its steps, folded, each behind `_BEFORE_NAME`."""
    words: set[str] = msgspec.field(default_factory=set)
    """Every word in them."""

    def of(self, flow: PeopleFlow) -> str:
        """The names in a flow."""
        text = self.texts.get(flow.id)
        if text is None:
            names = (flow_name(flow), *(step.name or "" for step in all_steps(flow)))
            text = _BEFORE_NAME + _BEFORE_NAME.join(dict.fromkeys(map(_folded, names)))
            self.texts[flow.id] = text
            self.words.update(text.split())
        return text


class _WorkedOut(msgspec.Struct):
    """What was worked out of these flows and these people."""

    names: _Names = msgspec.field(default_factory=_Names)
    others: dict[str, str] = msgspec.field(default_factory=dict)
    """What a flow is found by besides names of its own, folded: people and marks."""
    people: dict[str, str] = msgspec.field(default_factory=dict)
    """The folded name by id."""
    candidates: dict[str, list[_Candidate]] = msgspec.field(default_factory=dict)
    kept: int = 0
    """How many candidates, of all flows together."""
    last: tuple[Sequence[PeopleFlow], tuple[str, ...], list[PeopleFlow]] | None = None
    """What was looked through last to its end, for which words, and all that was found: what more
    letters stand in is among those.
    """


def _others(
    known: _WorkedOut, flow: PeopleFlow, administrators: Administrators, gaps: Gaps | None
) -> str:
    people = (_person(known, each, administrators) for each in administrator_ids(flow))
    texts = dict.fromkeys(people)
    marks = gap_marks(*gaps.of(flow.id)) if gaps is not None else ()
    if flow.pending or any(step.pending for step in all_steps(flow)):
        marks += pending_marks()
    texts.update(dict.fromkeys(map(_folded, marks)))
    return SEPARATOR.join(texts)


def _candidates(
    known: _WorkedOut, flow: PeopleFlow, administrators: Administrators, gaps: Sequence[Gap]
) -> Iterator[_Candidate]:
    for step in all_steps(flow):
        if step.name:
            yield _folded(step.name), partial(_by_step, step)
    for person_id in administrator_ids(flow):
        text = _person(known, person_id, administrators)
        if text:
            yield text, partial(_by_person, flow, person_id, administrators)
    yield from _marked(flow, gaps)


def _person(known: _WorkedOut, person_id: str, administrators: Administrators) -> str:
    """What somebody is found by; blank for who is not in the list."""
    text = known.people.get(person_id)
    if text is None:
        person = administrators.person(person_id)
        text = known.people[person_id] = search_text(name_of(person)) if person is not None else ""
    return text


class FlowSearch:
    """What each flow is found by, and why it was found."""

    def __init__(self) -> None:
        """Nothing is worked out yet."""
        self._now = _WorkedOut()

    def forget(self, *, same_flows: bool = False) -> None:
        """Flows or people are others: whoever still looks works out nothing for those who come."""
        self._now = _WorkedOut(names=self._now.names) if same_flows else _WorkedOut()

    def found(
        self,
        flows: Sequence[PeopleFlow],
        administrators: Administrators,
        wanted: Sequence[str],
        gaps: Gaps | None = None,
    ) -> Iterator[list[PeopleFlow]]:
        """Those in which each of the words stands somewhere, in their order, slice by slice.

        `gaps` are found by what they are called; None where nothing is known of them.

        Each step gives what one slice of `flows` yields, often nothing, so that the caller can let
        the event loop run, or stop.
        """
        return self._look(self._now, flows, administrators, wanted, gaps)

    def _look(
        self,
        known: _WorkedOut,
        flows: Sequence[PeopleFlow],
        administrators: Administrators,
        wanted: Sequence[str],
        gaps: Gaps | None,
    ) -> Iterator[list[PeopleFlow]]:
        some: list[PeopleFlow] = []
        everything: list[PeopleFlow] = []
        left = _SLICE
        names, others, last, among = known.names.texts, known.others, known.last, flows
        if last is not None and last[0] is flows and narrows(wanted, last[1]):
            among = last[2]
        for flow in among:
            other = others.get(flow.id)
            if other is None:
                other = others[flow.id] = _others(known, flow, administrators, gaps)
                left -= known.names.of(flow).count(SEPARATOR) + other.count(SEPARATOR)
            named = names[flow.id]
            for word in wanted:
                if word not in named and word not in other:
                    break
            else:
                some.append(flow)
            left -= 1
            if left <= 0:
                everything += some
                yield some
                some, left = [], _SLICE
        known.last = flows, tuple(wanted), everything + some
        yield some

    def read_names(self, flows: Iterable[PeopleFlow]) -> Iterator[None]:
        """Have the names in these flows ready for a search, slice by slice."""
        names, left = self._now.names, _SLICE
        for flow in flows:
            left -= names.of(flow).count(SEPARATOR)
            if left <= 0:
                yield
                left = _SLICE

    def called(
        self, flows: Sequence[PeopleFlow], wanted: Sequence[str], enough: int
    ) -> Iterator[list[CalledSo]]:
        """The flows and steps in whose name each of the words begins one of its own, slice by
        slice; where they are fewer than `enough`, then those in which the words stand within, too.

        A step may have some of the words from its flow, not all of them.
        """
        names, found = self._now.names, 0
        among, within = flows, list[PeopleFlow]()
        for words in ([f" {word}" for word in wanted], wanted):
            if not wanted or found >= enough:
                return
            some: list[CalledSo] = []
            left = _SLICE
            for flow in among:
                text = names.texts.get(flow.id)
                if text is None:
                    text = names.of(flow)
                    left -= len(flow.steps)
                left -= 1
                for word in wanted:
                    if word not in text:
                        break
                else:
                    within.append(flow)
                    if all(word in text for word in words):
                        some += _called(flow, words)
                        left -= len(flow.steps)
                if left <= 0 or len(some) >= enough:
                    found += len(some)
                    yield some
                    some, left = [], _SLICE
            found += len(some)
            yield some
            # What does not begin a word there stands within one there alone.
            among, within = within, []

    @property
    def words_of_names(self) -> Collection[str]:
        """Every folded word in the names that were looked through."""
        return self._now.names.words

    def reasons(
        self,
        flow: PeopleFlow,
        administrators: Administrators,
        wanted: Sequence[str],
        gaps: Sequence[Gap] = (),
    ) -> tuple[FoundBy, ...]:
        """By which steps, administrators and gaps a flow was found; none where its name says it
        all.
        """
        name = _folded(flow_name(flow))
        left = [word for word in wanted if word not in name]
        if not left:
            return ()
        candidates = self._now.candidates.get(flow.id)
        if candidates is None:
            candidates = self._keep(
                flow.id, list(_candidates(self._now, flow, administrators, gaps))
            )
        # What is said of it is put into words for the few that tell, not for all there are.
        if len(left) == 1:
            word = left[0]
            return next(((say(),) for text, say in candidates if word in text), ())
        candidates = [one for one in candidates if any(word in one[0] for word in left)]
        found: list[FoundBy] = []
        while left and candidates:
            text, say = max(candidates, key=lambda one: sum(word in one[0] for word in left))
            rest = [word for word in left if word not in text]
            if len(rest) == len(left):
                break
            left = rest
            found.append(say())
        return tuple(found)

    def _keep(self, flow_id: str, candidates: list[_Candidate]) -> list[_Candidate]:
        """For the next key: mostly the same flows are in sight then."""
        if self._now.kept > _MOST_KEPT:
            self._now.candidates.clear()
            self._now.kept = 0
        self._now.candidates[flow_id] = candidates
        self._now.kept += len(candidates)
        return candidates


def _called(flow: PeopleFlow, words: Sequence[str]) -> Iterator[CalledSo]:
    name = f" {_folded(flow_name(flow))}"
    left = [word for word in words if word not in name]
    if not left:
        yield CalledSo(flow, None)
    has = all if left else any
    for step in all_steps(flow):
        own = f" {_folded(step.name)}" if step.name else ""
        if has(word in own for word in left or words):
            yield CalledSo(flow, step)
