"""One flow put into words: its summary, its steps as cards, its administrators as pills."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import msgspec
from msgspec.structs import replace

from app.flows.administrators import (
    Administered,
    Administrator,
    Administrators,
    AdministratorStatus,
)
from app.flows.gaps import nobody_at
from app.flows.steps import PlacedStep, people_join_anywhere, read_steps
from app.model.flow import PeopleFlow
from app.runtime.words import in_a_row, tr, trn, with_own_digits
from app.viewmodels.flows.search import Highlights, highlights
from app.viewmodels.flows.sentences import (
    Fact,
    administrator_words,
    facts,
    flow_name,
    pending_words,
    step_name,
    summary_words,
)
from app.viewmodels.formatting import and_more_words, name_of

MOST_NAMES = 30
"""Administrators that are named at one step, or of a flow; the others are counted."""
MOST_STEPS = 300
"""Steps of one flow that are shown, those inside others too."""
_MOST_NAMES_WITHIN = 40
"""Administrators named in one card with all the steps inside it."""
_MOST_NAMES_OF_ALL = 1_000
"""Administrators named in all cards together; behind that, each step still names one."""
MOST_LINKS = 60
"""Flows and steps that are listed of what one person administers; the others are counted."""


class FlowPlace(msgspec.Struct, frozen=True):
    """A flow, or a step of it, as somewhere to go to."""

    flow_id: str
    step_id: str | None = None
    """None: the flow as a whole."""


class FlowLink(msgspec.Struct, frozen=True):
    """Words that lead to a flow, and to a step of it where `step_id` says which."""

    words: str
    flow_id: str
    step_id: str | None = None


class Administers(msgspec.Struct, frozen=True):
    """One flow a person administers something of: the whole flow, some steps, or both."""

    flow_id: str
    flow_name: str
    lines: tuple[str, ...]
    step_ids: tuple[str | None, ...] = ()
    """For each line the step it is about; None for the whole flow."""

    @property
    def flow_link(self) -> FlowLink:
        """Leads to the flow as a whole."""
        return FlowLink(self.flow_name, self.flow_id)

    @property
    def links(self) -> tuple[FlowLink, ...]:
        """Each line as what it leads to."""
        places = zip_longest(self.lines, self.step_ids[: len(self.lines)])
        return tuple(FlowLink(words, self.flow_id, step_id) for words, step_id in places)


class Pill(msgspec.Struct, frozen=True):
    """One administrator as shown: a name, or what can be said of an id without one."""

    person_id: str
    text: str
    name: str
    status: AdministratorStatus
    highlights: Highlights = ()
    """Where searched words stand in the text."""

    @property
    def known(self) -> bool:
        """Whether there is a name behind the id."""
        return self.status not in {
            AdministratorStatus.NOT_IN_LIST,
            AdministratorStatus.NOT_READ_YET,
        }

    @property
    def missing(self) -> bool:
        """Whether they cannot act: somebody should take over."""
        return self.status not in {AdministratorStatus.FOUND, AdministratorStatus.NOT_READ_YET}

    @property
    def can_follow(self) -> bool:
        """Whether there is somebody to go to."""
        return self.known

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""
        return tr("Administrator {name}", name=self.text) if self.known else self.text


class StepCard(msgspec.Struct, frozen=True):
    """One step as shown; `nested` are the steps inside it."""

    step_id: str
    number: str
    name: str
    people_join_here: bool
    pending_words: str
    waits: bool
    """Pending only because a step before it is."""
    missing_words: str
    pills: tuple[Pill, ...]
    nested: tuple["StepCard", ...] = ()
    highlights: Highlights = ()
    """Where searched words stand in the name."""
    others_words: str = ""
    """How many administrators there are besides those named; blank for none."""

    @property
    def is_pending(self) -> bool:
        """Whether the step is not active."""
        return bool(self.pending_words)

    @property
    def join_words(self) -> str:
        """What is said at an entry point."""
        return tr("people join here")

    @property
    def heading(self) -> str:
        """Number and name in one line."""
        return tr("Step {number}: {name}", number=self.number, name=self.name)

    @property
    def accessible_name(self) -> str:
        """What a screen reader says of the step, without those inside it."""
        parts = [self.heading]
        if self.people_join_here:
            parts.append(self.join_words)
        parts += [self.pending_words, self.missing_words, *(pill.text for pill in self.pills)]
        parts.append(self.others_words)
        return in_a_row(part for part in parts if part)

    def inside(self, depth: int = 1) -> Iterator[tuple[int, "StepCard"]]:
        """The steps inside this one in reading order, each with how deep it lies, from 1."""
        for step in self.nested:
            yield depth, step
            yield from step.inside(depth + 1)


@dataclass(frozen=True, slots=True)
class FlowPage:
    """The chosen flow as shown."""

    flow_id: str
    name: str
    summary: str
    facts: tuple[Fact, ...]
    pills: tuple[Pill, ...]
    steps: tuple[StepCard, ...]
    highlights: Highlights = ()
    """Where searched words stand in the name."""
    others_words: str = ""
    """How many administrators there are besides those named; blank for none."""
    other_steps_words: str = ""
    """How many steps there are besides those shown; blank for none."""
    steps_told: bool = True
    """Whether the account said which steps it has."""
    unmarked: "FlowPage | None" = field(default=None, compare=False, repr=False)
    """The same without marks, of which it was made; None where it has none."""

    def differs_in_marks_alone(self, other: "FlowPage") -> bool:
        """Whether the same stands in both at the same place, whatever was searched in it."""
        return (self.unmarked or self) is (other.unmarked or other)


def flow_page(flow: PeopleFlow, administrators: Administrators) -> FlowPage:
    """Everything the right side shows of `flow`."""
    writer = _Writer(administrators, joins=not people_join_anywhere(flow))
    name = flow_name(flow)
    pills, others_words = writer.pills(administrators.of_flow(flow), MOST_NAMES)
    placed = read_steps(flow)
    others = len(placed) - MOST_STEPS
    return FlowPage(
        flow_id=flow.id,
        name=name,
        summary=summary_words(flow),
        facts=facts(flow),
        pills=pills,
        steps=writer.cards(list(placed[:MOST_STEPS])),
        others_words=others_words,
        other_steps_words=trn("and {n} more step", "and {n} more steps", others)
        if others > 0
        else "",
        steps_told=flow.steps_told,
    )


def marked_page(page: FlowPage, wanted: Sequence[str]) -> FlowPage:
    """`page`, which has no marks, with the words `wanted` marked in it.

    Steps and names without any of them stay the same ones.
    """
    if not wanted:
        return page
    return dataclasses.replace(
        page,
        highlights=highlights(page.name, wanted),
        pills=_marked_pills(page.pills, wanted),
        steps=_marked_steps(page.steps, wanted),
        unmarked=page,
    )


def _marked_steps(steps: tuple[StepCard, ...], wanted: Sequence[str]) -> tuple[StepCard, ...]:
    return tuple(_marked_step(step, wanted) for step in steps)


def _marked_step(step: StepCard, wanted: Sequence[str]) -> StepCard:
    found = highlights(step.name, wanted)
    pills, nested = _marked_pills(step.pills, wanted), _marked_steps(step.nested, wanted)
    if not found and pills == step.pills and nested == step.nested:
        return step
    return replace(step, highlights=found, pills=pills, nested=nested)


def _marked_pills(pills: tuple[Pill, ...], wanted: Sequence[str]) -> tuple[Pill, ...]:
    return tuple(_marked_pill(pill, wanted) for pill in pills)


def _marked_pill(pill: Pill, wanted: Sequence[str]) -> Pill:
    found = highlights(pill.text, wanted) if pill.known else ()
    return replace(pill, highlights=found) if found else pill


def administers(administered: Administered) -> Administers:
    """What one person administers in one flow, in words."""
    whole = [tr("the whole flow")] if administered.whole_flow else []
    steps = [
        tr("{number} · {step}", number=with_own_digits(placed.number), step=step_name(placed))
        for placed in administered.steps
    ]
    return Administers(
        flow_id=administered.flow.id,
        flow_name=flow_name(administered.flow),
        lines=(*whole, *steps),
        step_ids=(*(None for _ in whole), *(placed.step.id for placed in administered.steps)),
    )


class _Writer(msgspec.Struct, frozen=True):
    """Writes the cards of one flow."""

    administrators: Administrators
    joins: bool
    """Whether entry points are marked: where people may join anywhere none is."""

    def cards(self, placed: list[PlacedStep], most: int | None = None) -> tuple[StepCard, ...]:
        """Cards of one depth, each with the deeper steps that follow it inside.

        `most` names are left for all of them; None: for each of them as many as one card may have.
        """
        cards: list[StepCard] = []
        of_all = _MOST_NAMES_OF_ALL
        while placed:
            first, inside = placed[0], placed[1:]
            deeper = (place for place, one in enumerate(inside) if one.depth <= first.depth)
            behind = next(deeper, len(inside))
            left = min(_MOST_NAMES_WITHIN, of_all) if most is None else most
            card = self._card(first, inside[:behind], left)
            cards.append(card)
            of_all -= _names_in(card)
            if most is not None:
                most -= _names_in(card)
            placed = inside[behind:]
        return tuple(cards)

    def pills(
        self, all_of_them: Sequence[Administrator], most: int
    ) -> tuple[tuple[Pill, ...], str]:
        """The first of them, and the words that count the others."""
        others = len(all_of_them) - most
        return tuple(self.pill(one) for one in all_of_them[:most]), and_more_words(others)

    def _card(self, placed: PlacedStep, inside: list[PlacedStep], left: int) -> StepCard:
        administrators = self.administrators.of_step(placed.step)
        pills, others_words = self.pills(administrators, max(min(left, MOST_NAMES), 1))
        nested = self.cards(inside, left - len(pills))
        name = step_name(placed)
        return StepCard(
            step_id=placed.step.id,
            number=with_own_digits(placed.number),
            name=name,
            people_join_here=self.joins and placed.people_join_here,
            pending_words=pending_words(placed),
            waits=placed.pending_behind is not None,
            missing_words="" if pills else nobody_at(placed.step),
            pills=pills,
            nested=nested,
            others_words=others_words,
        )

    def pill(self, administrator: Administrator) -> Pill:
        """One administrator."""
        text = administrator_words(administrator)
        person = administrator.person
        return Pill(
            person_id=administrator.id,
            text=text,
            name=name_of(person) if person is not None else "",
            status=administrator.status,
        )


def _names_in(card: StepCard) -> int:
    return len(card.pills) + sum(map(_names_in, card.nested))
