"""One flow put into words: its summary, its steps as cards, its administrators as pills."""

from dataclasses import dataclass

from app.flows.administrators import Administered, Administrator, Administrators, Standing
from app.flows.steps import PlacedStep, people_join_anywhere, read_steps
from app.model.flow import PeopleFlow
from app.runtime.words import tr, trn
from app.viewmodels.person import Administers
from app.viewmodels.wording import name_of


@dataclass(frozen=True, slots=True)
class Pill:
    """One administrator as shown: a name, or what can be said of an id without one."""

    person_id: str
    text: str
    name: str
    standing: Standing

    @property
    def known(self) -> bool:
        """Whether there is a name behind the id."""
        return self.standing is not Standing.NOBODY

    @property
    def archived(self) -> bool:
        """Whether the person is archived: somebody should take over."""
        return self.standing is Standing.ARCHIVED

    @property
    def can_follow(self) -> bool:
        """Whether there is somebody to go to."""
        return self.known

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""
        return tr("Administrator {name}", name=self.text) if self.known else self.text


@dataclass(frozen=True, slots=True)
class StepCard:
    """One step as shown; `nested` are the steps inside it."""

    number: str
    name: str
    people_join_here: bool
    pending_words: str
    missing_words: str
    pills: tuple[Pill, ...]
    nested: tuple["StepCard", ...] = ()

    @property
    def is_pending(self) -> bool:
        """Whether the step is not active."""
        return bool(self.pending_words)

    @property
    def join_words(self) -> str:
        """What is said at an entry point."""
        return tr("people join here")

    @property
    def accessible_name(self) -> str:
        """What a screen reader says of the card as a whole."""
        parts = [tr("Step {number}: {name}", number=self.number, name=self.name)]
        if self.people_join_here:
            parts.append(self.join_words)
        parts += [self.pending_words, self.missing_words, *(pill.text for pill in self.pills)]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class FlowPage:
    """The chosen flow as shown."""

    flow_id: str
    name: str
    summary: str
    pills: tuple[Pill, ...]
    steps: tuple[StepCard, ...]


def flow_name(flow: PeopleFlow) -> str:
    """The name to show; a flow without one is still a flow."""
    return flow.name or tr("(no name)")


def steps_words(flow: PeopleFlow) -> str:
    """How many steps a flow has, not counting those inside others."""
    count = len(flow.steps)
    return trn("{n} step", "{n} steps", count) if count else tr("no steps yet")


def gaps_words(flow: PeopleFlow, administrators: Administrators) -> str:
    """How many things are missing; blank when nothing is."""
    gaps = administrators.gaps(flow)
    return trn("{n} gap", "{n} gaps", gaps) if gaps else ""


def flow_page(flow: PeopleFlow, administrators: Administrators) -> FlowPage:
    """Everything the right side shows of `flow`."""
    joins_anywhere = people_join_anywhere(flow)
    return FlowPage(
        flow_id=flow.id,
        name=flow_name(flow),
        summary=_summary(flow, joins_anywhere=joins_anywhere),
        pills=tuple(_pill(one) for one in administrators.of_flow(flow)),
        steps=_cards(list(read_steps(flow)), administrators, marks=not joins_anywhere),
    )


def administers(administered: Administered) -> Administers:
    """What one person administers in one flow, in words."""
    whole = [tr("the whole flow")] if administered.whole_flow else []
    steps = [f"{placed.number} · {_step_name(placed)}" for placed in administered.steps]
    return Administers(
        flow_id=administered.flow.id,
        flow_name=flow_name(administered.flow),
        lines=(*whole, *steps),
    )


def _summary(flow: PeopleFlow, *, joins_anywhere: bool) -> str:
    parts = [steps_words(flow), _access_words(flow)]
    if flow.pending:
        parts.append(tr("not active yet"))
    if flow.steps and joins_anywhere:
        parts.append(tr("people may join at any step"))
    return " · ".join(part for part in parts if part)


def _access_words(flow: PeopleFlow) -> str:
    if flow.access is None:
        return ""
    known = {"": tr("open to everybody"), "admin": tr("for administrators only")}
    return known.get(flow.access, flow.access)


def _cards(
    placed: list[PlacedStep], administrators: Administrators, *, marks: bool
) -> tuple[StepCard, ...]:
    """Cards of one depth, each with the deeper steps that follow it inside."""
    cards = []
    while placed:
        first, inside = placed[0], placed[1:]
        behind = next((i for i, one in enumerate(inside) if one.depth <= first.depth), len(inside))
        nested = _cards(inside[:behind], administrators, marks=marks)
        cards.append(_card(first, nested, administrators, marks=marks))
        placed = inside[behind:]
    return tuple(cards)


def _card(
    placed: PlacedStep,
    nested: tuple[StepCard, ...],
    administrators: Administrators,
    *,
    marks: bool,
) -> StepCard:
    pills = tuple(_pill(one) for one in administrators.of_step(placed.step))
    return StepCard(
        number=placed.number,
        name=_step_name(placed),
        people_join_here=marks and placed.people_join_here,
        pending_words=_pending_words(placed),
        missing_words="" if pills else tr("nobody administers this step"),
        pills=pills,
        nested=nested,
    )


def _step_name(placed: PlacedStep) -> str:
    return placed.step.name or tr("(no name)")


def _pending_words(placed: PlacedStep) -> str:
    if not placed.pending:
        return ""
    if placed.pending_behind is None:
        return tr("pending")
    return tr("pending, after step {number}", number=placed.pending_behind)


def _pill(administrator: Administrator) -> Pill:
    if administrator.person is None:
        text = tr("not in your list (…{end})", end=administrator.short_id)
        return Pill(administrator.id, text, "", administrator.standing)
    name = name_of(administrator.person)
    archived = administrator.standing is Standing.ARCHIVED
    text = tr("{name} (archived)", name=name) if archived else name
    return Pill(administrator.id, text, name, administrator.standing)
