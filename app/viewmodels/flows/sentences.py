"""What is said of a flow as a whole, and of each thing that is missing in it."""

from collections.abc import Callable, Sequence

import msgspec

from app.flows.administrators import Administrator
from app.flows.gaps import Gap, GapKind, no_steps
from app.flows.steps import PlacedStep, all_steps, people_join_anywhere
from app.model import field_limits
from app.model.flow import PeopleFlow
from app.people.directory import PeopleDirectory
from app.runtime.words import in_a_row, tr, trn, with_own_digits
from app.store.cache import Shortfall
from app.viewmodels.formatting import name_of, names_in_sentence, number

_NAMED = 3
"""Administrators that are named in a sentence; the others are counted."""
_NAME_FIELDS = ("name", "title", "label")
"""Where something whose shape the document does not show may say what it is called."""


class Fact(msgspec.Struct, frozen=True):
    """One more thing known of a flow, such as its locations."""

    name: str
    value: str


def flow_name(flow: PeopleFlow) -> str:
    """The name to show; a flow without one is still a flow."""
    return flow.name or tr("(no name)")


def step_name(placed: PlacedStep) -> str:
    """The name to show; a step without one is still a step."""
    return placed.step.name or tr("(no name)")


def pending_words(placed: PlacedStep) -> str:
    """That the step is pending, and after which one; blank where it is active."""
    if not placed.pending:
        return ""
    if placed.pending_behind is None:
        return tr("pending")
    return tr("pending, after step {number}", number=with_own_digits(placed.pending_behind))


def steps_words(flow: PeopleFlow) -> str:
    """How many steps a flow has, not counting those inside others."""
    count = len(flow.steps)
    if count:
        return trn("{n} step", "{n} steps", count)
    return no_steps(flow)


def short_words(flow: PeopleFlow) -> str:
    """What the list says of a flow: how many steps, and whether it is active."""
    return " · ".join(part for part in (steps_words(flow), _status_words(flow)) if part)


def summary_words(flow: PeopleFlow) -> str:
    """The line under the flow's name: steps, access, status, where people join."""
    parts = [steps_words(flow), _access_words(flow), _status_words(flow)]
    if flow.steps and people_join_anywhere(flow):
        parts.append(tr("people may join at any step"))
    parts.append(_left_out_words(flow))
    return " · ".join(part for part in parts if part)


def facts(flow: PeopleFlow) -> tuple[Fact, ...]:
    """What else is known of a flow; seen in the field: no location or demographic means all."""
    found = (
        Fact(tr("Locations"), _listed(flow.locations, _places_words)),
        Fact(tr("Demographics"), _listed(flow.demographics, _groups_words)),
    )
    return tuple(fact for fact in found if fact.value)


def missing_words(missing: Shortfall | None) -> str:
    """That the account gave fewer flows than it counts, and why; blank where it gave all."""
    if missing is None:
        return ""
    counts = {"received": number(missing.received), "total": number(missing.total or 0)}
    if missing.total is None:
        first = tr("The account does not say how many flows it has.")
    elif missing.received >= field_limits.FLOWS:
        first = tr("The account has {total} flows; no more than {received} can be shown.", **counts)
    else:
        first = tr("The account gave {received} of its {total} flows.", **counts)
    sentences = [first]
    if missing.unreadable:
        sentences.append(
            trn("{n} could not be read.", "{n} could not be read.", missing.unreadable)
        )
    if missing.kept:
        sentences.append(
            trn(
                "{n} is shown as it was before, at the end.",
                "{n} are shown as they were before, at the end.",
                missing.kept,
            )
        )
    return " ".join(sentences)


def unknown_names_words(directory: PeopleDirectory) -> str:
    """That ids without a name may be in the account all the same; blank where that is not so."""
    if directory.as_of is None:
        return tr("The list of people has not been read yet: names are missing.")
    if directory.missing is not None:
        return tr("The list of people was not read whole: names may be missing.")
    return ""


def gaps_words(gaps: Sequence[Gap]) -> str:
    """How many things are missing; blank when nothing is."""
    return trn("{n} gap", "{n} gaps", len(gaps)) if gaps else ""


def gap_kind_words(kind: GapKind) -> str:
    """What a kind of gaps is called."""
    names = {
        GapKind.NOBODY: tr("Nobody"),
        GapKind.NOT_IN_LIST: tr("Not in your list"),
        GapKind.ARCHIVED: tr("Archived"),
        GapKind.DECEASED: tr("Deceased"),
        GapKind.NO_STEPS: tr("No steps"),
        GapKind.NO_ENTRY_POINT: tr("No entry point"),
    }
    return names[kind]


def gap_sentences(gaps: Sequence[Gap]) -> tuple[str, ...]:
    """What is missing, a sentence each."""
    return tuple(gap_sentence(gap) for gap in gaps)


def administrator_words(administrator: Administrator) -> str:
    """The name of an administrator, or what can be said of an id without one."""
    if administrator.person is None:
        return administrator.unknown_words
    name = name_of(administrator.person)
    unable = in_a_row(administrator.unable_words)
    return tr("{name} ({unable})", name=name, unable=unable) if unable else name


def named(administrators: Sequence[Administrator]) -> str:
    """The names of the first of them, those who can act before the others; the rest is counted."""
    able = [one for one in administrators if one.can_act]
    rest = [one for one in administrators if not one.can_act]
    names = [administrator_words(one) for one in (*able, *rest)]
    return names_in_sentence(names[:_NAMED], len(names) - _NAMED)


def gap_sentence(gap: Gap) -> str:
    """What is missing there."""
    if gap.step is None:
        return _sentence_of_flow(gap)
    step = tr(
        "Step {number}, {name}", number=with_own_digits(gap.step.number), name=step_name(gap.step)
    )
    if gap.administrator is not None:
        return tr("{step}: {who}.", step=step, who=administrator_words(gap.administrator))
    said = {GapKind.NOBODY: tr("{step}: nobody administers it.", step=step)}
    return said[gap.kind]


def _sentence_of_flow(gap: Gap) -> str:
    if gap.administrator is not None:
        return tr("Run by {who}.", who=administrator_words(gap.administrator))
    said = {
        GapKind.NOBODY: tr("Nobody administers the flow as a whole."),
        GapKind.NO_STEPS: tr("It has no steps yet."),
        GapKind.NO_ENTRY_POINT: tr("No step is an entry point."),
    }
    return said[gap.kind]


def _status_words(flow: PeopleFlow) -> str:
    return tr("not active yet") if flow.pending else ""


def _left_out_words(flow: PeopleFlow) -> str:
    """That there are more than can be kept; blank where there are not."""
    count = flow.left_out + sum(step.left_out for step in all_steps(flow))
    if not count:
        return ""
    return trn(
        "{n} more step or administrator cannot be shown",
        "{n} more steps or administrators cannot be shown",
        count,
    )


def _access_words(flow: PeopleFlow) -> str:
    if flow.access is None:
        return ""
    known = {"": tr("open to everybody"), "admin": tr("for administrators only")}
    return known.get(flow.access, flow.access)


def _listed(values: Sequence[object], count: Callable[[int], str]) -> str:
    """The names among `values`, and how many have none that can be read."""
    names = [name for name in map(_named, values) if name]
    nameless = len(values) - len(names)
    if not names:
        return count(nameless) if nameless else ""
    if nameless:
        names.append(trn("{n} more", "{n} more", nameless))
    return in_a_row(names)


def _places_words(count: int) -> str:
    return trn("{n} place", "{n} places", count)


def _groups_words(count: int) -> str:
    return trn("{n} group of people", "{n} groups of people", count)


def _named(value: object) -> str:
    """What something is called: itself, when it is a text or a number, or its name field."""
    if isinstance(value, dict):
        return next((said for field in _NAME_FIELDS if (said := _plain(value.get(field)))), "")
    return _plain(value)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return ""
