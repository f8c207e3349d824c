"""Looking for flows: which are found, why, and where in a text the words stand.

What a flow is found by is worked out when somebody searches, a slice at a time, and kept until the
flow or the people in it are others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    is_person: bool = False
    """Whether it is somebody's name, and nothing of the flow's own."""


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
    return FoundBy(name, None if person_id in flow.admins else first, is_person=True)


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


class _Key(NamedTuple):
    """What a flow is found by, folded, in one text."""

    text: str
    names_end: int
    """Behind the names of the flow and its steps; those of people and marks follow."""


class _WorkedOut(msgspec.Struct):
    """What was worked out of these flows and these people."""

    keys: dict[str, _Key] = msgspec.field(default_factory=dict)
    people: dict[str, str] = msgspec.field(default_factory=dict)
    """The folded name by id."""
    candidates: dict[str, list[_Candidate]] = msgspec.field(default_factory=dict)
    kept: int = 0
    """How many candidates, of all flows together."""
    last: tuple[Sequence[PeopleFlow], tuple[str, ...], list[PeopleFlow]] | None = None
    """What was looked through last to its end, for which words, and all that was found: what more
    letters stand in is among those.
    """


def _key(
    known: _WorkedOut, flow: PeopleFlow, administrators: Administrators, gaps: Gaps | None
) -> _Key:
    names = (flow_name(flow), *(step.name or "" for step in all_steps(flow)))
    texts = dict.fromkeys(map(_folded, names))
    names_end = sum(map(len, texts)) + len(texts) - 1
    for person_id in administrator_ids(flow):
        texts[_person(known, person_id, administrators)] = None
    marks = gap_marks(*gaps.of(flow.id)) if gaps is not None else ()
    if flow.pending or any(step.pending for step in all_steps(flow)):
        marks += pending_marks()
    texts.update(dict.fromkeys(map(_folded, marks)))
    return _Key(SEPARATOR.join(texts), names_end)


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

    def forget(self) -> None:
        """Flows or people are others: whoever still looks works out nothing for those who come."""
        self._now = _WorkedOut()

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
        keys, last, among = known.keys, known.last, flows
        if last is not None and last[0] is flows and narrows(wanted, last[1]):
            among = last[2]
        for flow in among:
            key = keys.get(flow.id)
            if key is None:
                key = keys[flow.id] = _key(known, flow, administrators, gaps)
                left -= key.text.count(SEPARATOR)
            for word in wanted:
                if word not in key.text:
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

    def may_be_called(self, flow: PeopleFlow, wanted: Sequence[str]) -> bool:
        """Whether its own name and those of its steps hold the words, be it one here, one there.

        Soon told of very many flows, once they were looked through.
        """
        key = self._now.keys.get(flow.id)
        return key is None or all(key.text.find(word, 0, key.names_end) >= 0 for word in wanted)

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

    def why_found(
        self,
        flow: PeopleFlow,
        administrators: Administrators,
        wanted: Sequence[str],
        gaps: Sequence[Gap] = (),
    ) -> str:
        """The same in words; blank where the flow's name says it all."""
        found = self.reasons(flow, administrators, wanted, gaps)
        return " · ".join(each.words for each in found)

    def _keep(self, flow_id: str, candidates: list[_Candidate]) -> list[_Candidate]:
        """For the next key: mostly the same flows are in sight then."""
        if self._now.kept > _MOST_KEPT:
            self._now.candidates.clear()
            self._now.kept = 0
        self._now.candidates[flow_id] = candidates
        self._now.kept += len(candidates)
        return candidates
