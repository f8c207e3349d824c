"""Looking for flows: which are found, why, and where in a text the words stand.

What a flow is found by is worked out when somebody searches, a slice at a time, and kept until the
flow or the people in it are others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from app.flows.administrators import Administrators, administrator_ids
from app.flows.gaps import Gap, GapKind, Gaps
from app.flows.steps import PlacedStep, all_steps, read_steps
from app.model.flow import PeopleFlow, Step
from app.people.search import marked
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


@dataclass(frozen=True, slots=True)
class FoundBy:
    """One thing in a flow that searched words were found in."""

    words: str
    step_id: str | None = None
    """The step it leads to; None where it is about the flow as a whole."""
    is_person: bool = False
    """Whether it is somebody's name, and nothing of the flow's own."""


def gap_marks(kind: GapKind) -> tuple[str, ...]:
    """What a gap is searched for by, besides its own words: in the window's language and in
    English, in which the words stand in many a note of how to do something.
    """
    own = {
        GapKind.NOBODY: ("nobody", tr("nobody")),
        GapKind.ARCHIVED: ("archived", tr("archived")),
        GapKind.DECEASED: ("deceased", tr("deceased")),
    }
    return ("gap", tr("gap"), tr("gaps"), *own.get(kind, ()))


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
        yield searched_text(gap_marks(gap.kind)), partial(_by_gap, gap)
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


class FlowSearch:
    """What each flow is found by, and why it was found."""

    def __init__(self) -> None:
        """Nothing is worked out yet."""
        self._keys: dict[str, _Key] = {}
        self._people: dict[str, str] = {}
        self._candidates: dict[str, list[_Candidate]] = {}
        self._kept = 0

    def forget(self) -> None:
        """Flows or people are others."""
        self._keys.clear()
        self._people.clear()
        self._candidates.clear()
        self._kept = 0

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
        some: list[PeopleFlow] = []
        left = _SLICE
        for flow in flows:
            key = self._keys.get(flow.id)
            if key is None:
                key = self._keys[flow.id] = self._key(flow, administrators, gaps)
                left -= key.text.count(SEPARATOR)
            for word in wanted:
                if word not in key.text:
                    break
            else:
                some.append(flow)
            left -= 1
            if left <= 0:
                yield some
                some, left = [], _SLICE
        yield some

    def may_be_called(self, flow: PeopleFlow, wanted: Sequence[str]) -> bool:
        """Whether its own name and those of its steps hold the words, be it one here, one there.

        Soon told of very many flows, once they were looked through.
        """
        key = self._keys.get(flow.id)
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
        candidates = self._candidates.get(flow.id)
        if candidates is None:
            candidates = self._keep(flow.id, list(self._each(flow, administrators, gaps)))
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

    def _key(self, flow: PeopleFlow, administrators: Administrators, gaps: Gaps | None) -> _Key:
        names = (flow_name(flow), *(step.name or "" for step in all_steps(flow)))
        texts = dict.fromkeys(map(_folded, names))
        names_end = sum(map(len, texts)) + len(texts) - 1
        for person_id in administrator_ids(flow):
            texts[self._person(person_id, administrators)] = None
        marks: list[str] = []
        for kind in {gap.kind for gap in gaps.of(flow.id)} if gaps is not None else ():
            marks += gap_marks(kind)
        if flow.pending or any(step.pending for step in all_steps(flow)):
            marks += pending_marks()
        texts.update(dict.fromkeys(map(_folded, marks)))
        return _Key(SEPARATOR.join(texts), names_end)

    def _each(
        self, flow: PeopleFlow, administrators: Administrators, gaps: Sequence[Gap]
    ) -> Iterator[_Candidate]:
        for step in all_steps(flow):
            if step.name:
                yield _folded(step.name), partial(_by_step, step)
        for person_id in administrator_ids(flow):
            text = self._person(person_id, administrators)
            if text:
                yield text, partial(_by_person, flow, person_id, administrators)
        yield from _marked(flow, gaps)

    def _person(self, person_id: str, administrators: Administrators) -> str:
        """What somebody is found by; blank for who is not in the list."""
        text = self._people.get(person_id)
        if text is None:
            person = administrators.person(person_id)
            text = self._people[person_id] = (
                search_text(name_of(person)) if person is not None else ""
            )
        return text

    def _keep(self, flow_id: str, candidates: list[_Candidate]) -> list[_Candidate]:
        """For the next key: mostly the same flows are in sight then."""
        if self._kept > _MOST_KEPT:
            self._candidates.clear()
            self._kept = 0
        self._candidates[flow_id] = candidates
        self._kept += len(candidates)
        return candidates
