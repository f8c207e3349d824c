"""Looking for flows: which are found, why, and where in a text the words stand.

What a flow is found by is worked out when somebody searches, a slice at a time, and kept until the
flow or the people in it are others.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from app.flows.administrators import Administrators, administrator_ids
from app.flows.steps import all_steps
from app.model.flow import PeopleFlow
from app.people.search import marked
from app.runtime.words import tr
from app.store.search_keys import SEPARATOR, search_text
from app.viewmodels.flows.sentences import flow_name
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


def why_found(
    flow: PeopleFlow, name: str, administrators: Administrators, wanted: Sequence[str]
) -> str:
    """By which steps and administrators a flow was found; blank where its name says it all."""
    left = [word for word in wanted if word not in _folded(name)]
    reasons: list[str] = []
    candidates = [
        *((step.name, tr("step: {name}", name=step.name)) for step in all_steps(flow) if step.name),
        *((person, person) for person in _names(flow, administrators)),
    ]
    while left:
        best = max(candidates, key=lambda one: sum(word in _folded(one[0]) for word in left))
        rest = [word for word in left if word not in _folded(best[0])]
        if len(rest) == len(left):
            break
        left = rest
        reasons.append(best[1])
    return " · ".join(reasons)


class FlowSearch:
    """What each flow is found by."""

    def __init__(self) -> None:
        """Nothing is worked out yet."""
        self._keys: dict[str, str] = {}

    def forget(self) -> None:
        """Flows or people are others."""
        self._keys.clear()

    def found(
        self, flows: Sequence[PeopleFlow], administrators: Administrators, wanted: Sequence[str]
    ) -> Iterator[list[PeopleFlow]]:
        """Those in which each of the words stands somewhere, in their order, slice by slice.

        Each step gives what one slice of `flows` yields, often nothing, so that the caller can let
        the event loop run, or stop.
        """
        some: list[PeopleFlow] = []
        left = _SLICE
        for flow in flows:
            key = self._keys.get(flow.id)
            if key is None:
                key = self._keys[flow.id] = self._key(flow, administrators)
                left -= key.count(SEPARATOR)
            if all(word in key for word in wanted):
                some.append(flow)
            left -= 1
            if left <= 0:
                yield some
                some, left = [], _SLICE
        yield some

    def _key(self, flow: PeopleFlow, administrators: Administrators) -> str:
        steps = (step.name or "" for step in all_steps(flow))
        return searched_text((flow_name(flow), *steps, *_names(flow, administrators)))


def _names(flow: PeopleFlow, administrators: Administrators) -> list[str]:
    people = (administrators.person(each) for each in administrator_ids(flow))
    return [name_of(person) for person in people if person is not None]
