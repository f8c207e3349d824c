"""What stands on paper, in words and in reading order; where on which page is the layout's.

Nothing is counted instead of named here: nobody can ask paper for the rest. Nothing leads back to
what holds it, so that the collector of reference cycles may pass it by.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from app.flows.administrators import Administrator, Administrators
from app.flows.gaps import Gap, nobody_at
from app.flows.responsibility import Post, Responsibilities, Responsibility
from app.flows.steps import PlacedStep, people_join_anywhere, read_steps
from app.model.flow import PeopleFlow
from app.runtime.words import in_a_row, tr, trn, with_own_digits
from app.viewmodels.exporting.print_requests import PrintedNewsRow
from app.viewmodels.flows.by_person_rows import counts_words, take_over_words
from app.viewmodels.flows.sentences import (
    administrator_words,
    facts,
    flow_name,
    gap_sentence,
    pending_words,
    step_name,
    summary_words,
)
from app.viewmodels.formatting import number

_ALL = 1_000_000
"""Names in one line: on paper nobody is only counted."""


class PrintedName(msgspec.Struct, frozen=True, gc=False):
    """An administrator in words."""

    words: str
    missing: bool = False
    """Whether they cannot act: somebody should take over."""


class PrintedStep(msgspec.Struct, frozen=True, gc=False):
    """One step of a strip; what does not apply is blank."""

    number: str
    name: str
    depth: int
    """0 for a step of the flow itself, 1 for one inside such a step, and so on."""
    join_words: str
    pending_words: str
    missing_words: str
    names: tuple[PrintedName, ...]


class PrintedLine(msgspec.Struct, frozen=True, gc=False):
    """One line of a list; `note` stands behind it, `ticked` has a box to tick before it."""

    words: str
    note: str = ""
    missing: bool = False
    """Whether the note is about something that is missing."""
    ticked: bool = False


class PrintedGroup(msgspec.Struct, frozen=True, gc=False):
    """Lines under a heading of their own."""

    heading: str
    lines: tuple[PrintedLine, ...]


class PrintedSection(msgspec.Struct, frozen=True, gc=False):
    """A flow, a person or a list: its title, what is said of it, and what it holds."""

    title: str
    details: tuple[str, ...] = ()
    steps: tuple[PrintedStep, ...] = ()
    groups: tuple[PrintedGroup, ...] = ()


class PrintedDocument(msgspec.Struct, frozen=True):
    """Everything that is printed at once."""

    title: str
    account: str = ""
    date: str = ""
    """The day it is printed, in words."""
    notes: tuple[str, ...] = ()
    """What has to be known before it is believed: that the lists were not read whole."""
    sections: tuple[PrintedSection, ...] = ()
    contents: bool = False
    """Whether it begins with a title and a list of its sections by page."""
    page_each: bool = False
    """Whether each section begins a page."""


def flow_section(flow: PeopleFlow, administrators: Administrators) -> PrintedSection:
    """One flow as the strip of its steps, every step and administrator of it."""
    run_by = [administrator_words(one) for one in administrators.of_flow(flow)]
    details = [
        summary_words(flow),
        *(tr("{name}: {value}", name=fact.name, value=fact.value) for fact in facts(flow)),
        tr("Run by {who}", who=in_a_row(run_by)) if run_by else "",
        tr("This flow has no steps yet.") if flow.steps_told and not flow.steps else "",
    ]
    joins = not people_join_anywhere(flow)
    return PrintedSection(
        title=flow_name(flow),
        details=tuple(words for words in details if words),
        steps=tuple(_step(placed, administrators, joins=joins) for placed in read_steps(flow)),
    )


def person_section(person_id: str, administrators: Administrators) -> PrintedSection:
    """What one person administers, by flow and in the order of the steps."""
    carried = tuple(Responsibilities(administrators).of(person_id))
    administrator = administrators.administrator(person_id)
    person = administrator.person
    places = [post.step for each in carried for post in each.posts]
    steps = sum(place is not None for place in places)
    counts = counts_words(steps, len(places) - steps, len(carried))
    details = [counts] if carried else [tr("Administers nothing.")]
    if person is not None:
        details += [words for words in (person.email, person.phone, person.mobile) if words]
    return PrintedSection(
        # It says of somebody archived, or who has died, that they are.
        title=administrator_words(administrator),
        details=tuple(details),
        groups=tuple(map(_carried_group, carried)),
    )


def away_section(person_id: str, administrators: Administrators) -> PrintedSection:
    """What would have nobody if one person were away, by flow, with who could take it over."""
    administrator = administrators.administrator(person_id)
    groups: list[PrintedGroup] = []
    posts = 0
    for one in Responsibilities(administrators).of(person_id):
        posts += len(one.posts)
        if one.uncovered:
            lines = [_uncovered_line(post, one) for post in one.uncovered]
            groups.append(PrintedGroup(flow_name(one.flow), tuple(lines)))
    uncovered = sum(len(group.lines) for group in groups)
    return PrintedSection(
        title=_away_title(administrator),
        details=(_away_details(uncovered, posts),),
        groups=tuple(groups),
    )


def _away_title(administrator: Administrator) -> str:
    name = administrator_words(administrator)
    if administrator.person is None or not administrator.can_act:
        return tr("Without {name}", name=name)
    return tr("If {name} is away", name=name)


def _away_details(uncovered: int, posts: int) -> str:
    if not uncovered:
        return tr("Every step and flow still has somebody.")
    return trn(
        "Nobody for {n} of {all} steps and flows.",
        "Nobody for {n} of {all} steps and flows.",
        uncovered,
        all=number(posts),
    )


def _uncovered_line(post: Post, one: Responsibility) -> PrintedLine:
    placed = post.step
    said = (pending_words(placed) if placed else "", take_over_words(one, named=_ALL))
    return PrintedLine(
        words=_post_words(post),
        note=" · ".join(words for words in said if words),
        missing=not (one.run_by or one.others),
        ticked=True,
    )


def news_groups(rows: Iterable[PrintedNewsRow]) -> Iterator[PrintedGroup | None]:
    """What is new, a day a group; None for each row of one that is not at its end."""
    day, under = "", list[PrintedLine]()
    for row in rows:
        if row.is_day:
            if under:
                yield PrintedGroup(day, tuple(under))
            day, under = row.words, []
        else:
            under.append(PrintedLine(f"– {row.words}" if row.is_inside else row.words))
        yield None
    if under:
        yield PrintedGroup(day, tuple(under))


def gaps_groups(gaps: Iterable[Gap]) -> Iterator[PrintedGroup]:
    """What is missing, to be ticked, as it comes: gaps of one flow below its name."""
    for _, found in groupby(gaps, key=lambda gap: gap.flow.id):
        first, *others = found
        lines = map(_gap_line, (first, *others))
        yield PrintedGroup(flow_name(first.flow), tuple(lines))


def _step(placed: PlacedStep, administrators: Administrators, *, joins: bool) -> PrintedStep:
    names = tuple(map(_name, administrators.of_step(placed.step)))
    return PrintedStep(
        number=with_own_digits(placed.number),
        name=step_name(placed),
        depth=placed.depth,
        join_words=tr("people join here") if joins and placed.people_join_here else "",
        pending_words=pending_words(placed),
        missing_words="" if names else nobody_at(placed.step),
        names=names,
    )


def _name(administrator: Administrator) -> PrintedName:
    return PrintedName(administrator_words(administrator), missing=not administrator.can_act)


def _carried_group(carried: Responsibility) -> PrintedGroup:
    return PrintedGroup(flow_name(carried.flow), tuple(map(_post_line, carried.posts)))


def _post_line(post: Post) -> PrintedLine:
    """A step, or the flow as a whole."""
    placed = post.step
    alone = tr("alone on this step") if placed is not None else tr("runs this flow alone")
    others = in_a_row(administrator_words(one) for one in post.others if one.can_act)
    shared = alone if post.alone else tr("with {names}", names=others)
    said = (pending_words(placed) if placed else "", shared)
    return PrintedLine(
        words=_post_words(post),
        note=" · ".join(words for words in said if words),
        missing=post.alone,
    )


def _post_words(post: Post) -> str:
    placed = post.step
    return (
        tr("{number} · {step}", number=with_own_digits(placed.number), step=step_name(placed))
        if placed
        else tr("the whole flow")
    )


def _gap_line(gap: Gap) -> PrintedLine:
    return PrintedLine(gap_sentence(gap), ticked=True)
