"""The rows of *By person* in words: somebody with how much they administer, and every step and flow
of one of them.
"""

from collections.abc import Iterator, Sequence

import msgspec

from app.exporting.spreadsheet import CopiedRows, copied_rows, spreadsheet_cell
from app.flows.administrators import Administrator
from app.flows.responsibility import Load, Post, Responsibility
from app.runtime.words import in_a_row, tr, trn, with_own_digits
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.search import Highlights, highlights
from app.viewmodels.flows.sentences import administrator_words, flow_name, step_name
from app.viewmodels.formatting import initials, name_of, number

_MOST_NAMES = 4
"""People who are named in one line; the others are counted."""


class LoadRow(msgspec.Struct, frozen=True):
    """Somebody who administers something. What does not apply is blank."""

    person_id: str
    name: str
    initials: str
    badges: tuple[str, ...]
    counts_words: str
    posts: int
    most: int
    """What the one with most has: the bar is as long as `posts` of it."""
    posts_words: str = ""
    """The beginning of `counts_words`, for where there is no room for all of it."""
    alone_words: str = ""
    found_by: str = ""
    """Why a search found them, where their name does not say it."""
    missing: bool = False
    """Whether nobody can act: archived, or an id that matches nobody."""
    name_highlights: Highlights = ()
    found_highlights: Highlights = ()

    @property
    def second_line(self) -> str:
        """What stands under the name."""
        return self.found_by or self.counts_words

    @property
    def short_second_line(self) -> str:
        """The same where there is little room: the rest is read beside, of who is chosen."""
        return self.found_by or self.posts_words or self.counts_words

    @property
    def share(self) -> float:
        """How long the bar is, from 0 to 1."""
        return self.posts / self.most if self.most else 0.0

    @property
    def accessible_name(self) -> str:
        """What a screen reader says, the bar in words."""
        bar = tr(
            "load {posts}, where the most is {most}",
            posts=number(self.posts),
            most=number(self.most),
        )
        parts = (self.name, *self.badges, self.counts_words, bar, self.alone_words, self.found_by)
        return in_a_row(part for part in parts if part)


class PostRow(msgspec.Struct, frozen=True):
    """One line of what somebody administers: a flow's name, or a step or flow as a post in it."""

    place: FlowPlace
    name: str
    number: str = ""
    """A step's; blank for a flow."""
    is_heading: bool = False
    badges: tuple[str, ...] = ()
    alone_words: str = ""
    others_words: str = ""
    """Who else is there, or who could take over."""
    highlights: Highlights = ()

    @property
    def title(self) -> str:
        """Number and name."""
        return (
            tr("{number} · {step}", number=self.number, step=self.name)
            if self.number
            else self.name
        )

    @property
    def accessible_name(self) -> str:
        """What a screen reader says, and what is shown under the pointer."""
        parts = (self.title, *self.badges, self.alone_words, self.others_words)
        return in_a_row(part for part in parts if part)

    @property
    def copied(self) -> str:
        """The line as it is copied as words; nothing in it begins a cell that is calculated."""
        return spreadsheet_cell(self.name if self.is_heading else f"• {self.accessible_name}")


def load_row(load: Load, most: int, wanted: Sequence[str] = (), found_by: str = "") -> LoadRow:
    """Somebody in the list; `wanted` are the words searched for."""
    name = holder_name(load.administrator)
    return LoadRow(
        person_id=load.administrator.id,
        name=name,
        initials=initials(name) if load.administrator.person is not None else "?",
        badges=load.administrator.unable_words,
        counts_words=counts_words(load.steps, load.whole_flows, load.flows),
        posts=load.posts,
        most=most,
        posts_words=in_a_row(_posts_words(load.steps, load.whole_flows)),
        alone_words=tr("alone on {count}", count=number(load.alone)) if load.alone else "",
        found_by=found_by,
        missing=not load.administrator.can_act,
        name_highlights=highlights(name, wanted),
        found_highlights=highlights(found_by, wanted),
    )


def holder_name(administrator: Administrator) -> str:
    """What somebody is called where badges say whether they are archived."""
    if administrator.person is None:
        words = administrator_words(administrator)
        return words[:1].upper() + words[1:]
    return name_of(administrator.person)


def counts_words(steps: int, whole_flows: int, flows: int) -> str:
    """How many of each: "6 steps, 1 whole flow, in 3 flows"."""
    return in_a_row((*_posts_words(steps, whole_flows), trn("in {n} flow", "in {n} flows", flows)))


def _posts_words(steps: int, whole_flows: int) -> Iterator[str]:
    if steps:
        yield trn("{n} step", "{n} steps", steps)
    if whole_flows:
        yield trn("{n} whole flow", "{n} whole flows", whole_flows)


def post_rows(one: Responsibility) -> Iterator[PostRow]:
    """The name of the flow, and below it each post in it with who else is there."""
    yield _heading(one)
    for post in one.posts:
        yield _row(one, post, _beside(post), alone=tr("alone") if post.alone else "")


def away_rows(one: Responsibility) -> Iterator[PostRow]:
    """The same of what would have nobody, with who could take over; nothing where all have."""
    if one.uncovered:
        yield _heading(one)
        for post in one.uncovered:
            yield _row(one, post, take_over_words(one))


def copied_posts(name: str, summary: str, rows: Sequence[PostRow]) -> CopiedRows:
    """What is shown of somebody: in words for a mail, a row a post for a spreadsheet."""
    words = [spreadsheet_cell(line) for line in (name, summary)]
    words += [row.copied for row in rows]
    headings = (tr("Name"), tr("Flow"), tr("Step number"), tr("Step"), tr("Pending"), tr("Remark"))
    table = copied_rows(headings, _cells(name, rows))
    return CopiedRows("\n".join(words), table.html)


def _cells(name: str, rows: Sequence[PostRow]) -> Iterator[tuple[str, ...]]:
    flow = ""
    for row in rows:
        if row.is_heading:
            flow = row.name
            continue
        remark = in_a_row(words for words in (row.alone_words, row.others_words) if words)
        yield name, flow, row.number, row.name, ", ".join(row.badges), remark


def _heading(one: Responsibility) -> PostRow:
    return PostRow(FlowPlace(one.flow.id), flow_name(one.flow), is_heading=True)


def _row(one: Responsibility, post: Post, others: str, *, alone: str = "") -> PostRow:
    if post.step is None:
        whole = tr("the whole flow")
        return PostRow(FlowPlace(one.flow.id), whole, alone_words=alone, others_words=others)
    return PostRow(
        place=FlowPlace(one.flow.id, post.step.step.id),
        name=step_name(post.step),
        number=with_own_digits(post.step.number),
        badges=(tr("pending"),) if post.step.pending else (),
        alone_words=alone,
        others_words=others,
    )


def _beside(post: Post) -> str:
    if not post.others:
        return ""
    names = _named(post.others)
    return tr("besides {names}", names=names) if post.alone else tr("with {names}", names=names)


def take_over_words(one: Responsibility, *, named: int = _MOST_NAMES) -> str:
    """Who could take over in a flow; so many are `named`, the others counted."""
    if one.run_by:
        return trn(
            "{names} runs this flow",
            "{names} run this flow",
            len(one.run_by),
            names=_named(one.run_by, named),
        )
    if one.others:
        return tr("nobody else runs this flow; in it: {names}", names=_named(one.others, named))
    return tr("nobody else is in this flow")


def _named(several: Sequence[Administrator], most: int = _MOST_NAMES) -> str:
    names = [administrator_words(each) for each in several[:most]]
    more = len(several) - len(names)
    if more > 0:
        names.append(trn("{n} more", "{n} more", more))
    return in_a_row(names)
