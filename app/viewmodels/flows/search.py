"""Looking for flows: which are found, why, and where in a text the words stand.

What a flow is found by is worked out when somebody searches, a slice at a time, and kept until the
flow or the people in it are others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain

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


def reasons(
    flow: PeopleFlow,
    administrators: Administrators,
    wanted: Sequence[str],
    gaps: Sequence[Gap] = (),
) -> tuple[FoundBy, ...]:
    """By which steps, administrators and gaps a flow was found; none where its name says it all."""
    left = [word for word in wanted if word not in _folded(flow_name(flow))]
    if not left:
        return ()
    # What is said of it is put into words for the few that tell, not for all that are looked at.
    candidates = [
        (text, say)
        for text, say in chain(_candidates(flow, administrators), _marked(flow, gaps))
        if any(word in text for word in left)
    ]
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
    flow: PeopleFlow,
    administrators: Administrators,
    wanted: Sequence[str],
    gaps: Sequence[Gap] = (),
) -> str:
    """The same in words; blank where the flow's name says it all."""
    return " · ".join(each.words for each in reasons(flow, administrators, wanted, gaps))


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


def _candidates(flow: PeopleFlow, administrators: Administrators) -> Iterator[_Candidate]:
    for step in all_steps(flow):
        if step.name:
            yield _folded(step.name), partial(_by_step, step)
    for person_id in administrator_ids(flow):
        person = administrators.person(person_id)
        if person is not None:
            name = name_of(person)
            yield _folded(name), partial(_by_person, flow, person_id, name)


def _by_step(step: Step) -> FoundBy:
    return FoundBy(tr("step: {name}", name=step.name), step.id)


def _by_person(flow: PeopleFlow, person_id: str, name: str) -> FoundBy:
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


class FlowSearch:
    """What each flow is found by."""

    def __init__(self) -> None:
        """Nothing is worked out yet."""
        self._keys: dict[str, str] = {}

    def forget(self) -> None:
        """Flows or people are others."""
        self._keys.clear()

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
                left -= key.count(SEPARATOR)
            if all(word in key for word in wanted):
                some.append(flow)
            left -= 1
            if left <= 0:
                yield some
                some, left = [], _SLICE
        yield some

    def _key(self, flow: PeopleFlow, administrators: Administrators, gaps: Gaps | None) -> str:
        texts = [flow_name(flow), *(step.name or "" for step in all_steps(flow))]
        people = (administrators.person(each) for each in administrator_ids(flow))
        texts += [name_of(person) for person in people if person is not None]
        for kind in {gap.kind for gap in gaps.of(flow.id)} if gaps is not None else ():
            texts += gap_marks(kind)
        if flow.pending or any(step.pending for step in all_steps(flow)):
            texts += pending_marks()
        return searched_text(texts)
