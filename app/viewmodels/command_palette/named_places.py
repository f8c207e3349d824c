"""Flows and steps by name, gone through a slice at a time: no index has them, as one has the people
whom `named_in_account` finds.

As it was typed, else nearly so. The names come from the search among flows, which has them folded;
only its words are compared with what was mistyped, since of those there are few.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import TypeVar

from app.flows.steps import all_steps
from app.model.flow import Step
from app.runtime.words import tr
from app.viewmodels.command_palette.command import Command, CommandKind, key_of_place, place_of_key
from app.viewmodels.command_palette.name_fit import (
    fit_as_written,
    fit_in_order,
    fit_with_slips,
    folded,
    words_like,
)
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.search import CalledSo
from app.viewmodels.flows.sentences import flow_name, named

_MOST_SHOWN = 6
_MOST_LOOKED_AT = 60
"""Places that are found, until the best of them are shown: with more, letters are missing."""
_WITH_ITS_FLOW = 0.9
"""So many times as well fits a step some words of which stand in the name of its flow alone."""
_ALIKE = 3
"""Words of names that one which was mistyped may be."""
_COMBINED = 9
_PART = 500
"""Words or names that are compared before anything else may have its turn: a millisecond."""
_Part = TypeVar("_Part")


class NamedPlaces:
    """What was found for the words asked last; each `look` goes on slice by slice."""

    def __init__(self, flows: FlowsScreen) -> None:
        """Nothing is asked for yet."""
        self._flows = flows
        self._found: dict[FlowPlace, tuple[float, CalledSo]] = {}

    def __len__(self) -> int:
        """How many were found so far."""
        return len(self._found)

    def forget(self) -> None:
        """Nothing is asked for any more."""
        self._found = {}

    def look(self, wanted: Sequence[str]) -> Iterator[None]:
        """Find what is called by these folded words."""
        for some in self._flows.called_in_slices(wanted, _MOST_SHOWN):
            for one in some:
                self._keep(_fit(wanted, one), one)
            yield
            if len(self._found) >= _MOST_LOOKED_AT:
                return

    def look_nearly(self, wanted: Sequence[str]) -> Iterator[None]:
        """Find what is called nearly so: mistyped, or of a flow a few letters in their order."""
        alike: list[Sequence[str]] = []
        for word in wanted:
            found: list[tuple[float, str]] = []
            for part in _in_parts(self._flows.words_of_names):
                found += words_like(word, part)
                yield
            begun = any(each.startswith(word) for _, each in found)
            best = sorted(found, key=lambda one: (-one[0], one[1]))[:_ALIKE]
            alike.append([word] if begun else [each for _, each in best])
        for words in islice(product(*alike), _COMBINED):
            for some in self._flows.called_in_slices(words, 1):
                for one in some:
                    self._keep(fit_with_slips(wanted, _whole_name(one)), one)
                yield
                if len(self._found) >= _MOST_LOOKED_AT:
                    return
        if not self._found:
            yield from self._look_for_letters("".join(wanted))

    def _look_for_letters(self, letters: str) -> Iterator[None]:
        for flows in _in_parts(self._flows.known.flows):
            for flow in flows:
                self._keep(fit_in_order(letters, folded(flow.name or "")), CalledSo(flow, None))
            yield

    def _keep(self, well: float, one: CalledSo) -> None:
        if well:
            self._found[_place(one)] = well, one

    def best(self) -> list[tuple[float, Command]]:
        """The best flows and the best steps of those found, each with how well they fit."""
        in_order = sorted(self._found.values(), key=lambda one: -one[0])
        flows = [one for one in in_order if one[1].step is None][:_MOST_SHOWN]
        steps = [one for one in in_order if one[1].step is not None][:_MOST_SHOWN]
        return [(well, self._command(one)) for well, one in (*flows, *steps)]

    def commands(self, keys: Iterable[str]) -> Iterator[Command]:
        """Those of the flows and steps with these keys that are still there."""
        wanted = set(map(place_of_key, keys))
        flow_ids = {place.flow_id for place in wanted}
        for flow in self._flows.known.flows:
            if flow.id in flow_ids:
                yield from (
                    self._command(CalledSo(flow, step))
                    for step in (None, *all_steps(flow))
                    if _place(CalledSo(flow, step)) in wanted
                )

    def _command(self, one: CalledSo) -> Command:
        key, name = key_of_place(_place(one)), flow_name(one.flow)
        if one.step is None:
            return Command(CommandKind.FLOW, key, name, remark=tr("Flow"), icon="flow")
        remark = " · ".join(filter(None, (name, self._who_runs(one.step))))
        words = one.step.name or tr("(no name)")
        return Command(CommandKind.STEP, key, words, remark=remark, icon="flow")

    def _who_runs(self, step: Step) -> str:
        """Blank while nobody can say who is who, or whether there is anybody."""
        known = self._flows.known
        if not known.people_read or not step.admins_told:
            return ""
        by = known.administrators.of_step(step)
        return named(by) if by else tr("nobody")


def _fit(wanted: Sequence[str], one: CalledSo) -> float:
    own = folded((one.flow if one.step is None else one.step).name or "")
    well = fit_as_written(wanted, own)
    return well or fit_as_written(wanted, _whole_name(one)) * _WITH_ITS_FLOW


def _whole_name(one: CalledSo) -> str:
    step = folded(one.step.name or "") if one.step is not None else ""
    return f"{step} {folded(one.flow.name or '')}"


def _place(one: CalledSo) -> FlowPlace:
    return FlowPlace(one.flow.id, one.step.id if one.step is not None else None)


def _in_parts(all_of_them: Collection[_Part]) -> Iterator[list[_Part]]:
    one_by_one = iter(tuple(all_of_them))
    while part := list(islice(one_by_one, _PART)):
        yield part
