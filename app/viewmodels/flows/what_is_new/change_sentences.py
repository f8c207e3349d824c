"""What has changed, said in one line each: which words stand out, and what a day is called; and for
the status bar and the chip, how much of it is new.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta

import msgspec
from PySide6.QtCore import QDate, QLocale

from app.flows.administrators import Administrator, AdministratorStatus
from app.model.change import Change, ChangeKind, FieldChange, Named
from app.runtime.words import in_a_row, tr, trn, with_own_digits
from app.viewmodels.flows.search import Highlights
from app.viewmodels.flows.sentences import administrator_words
from app.viewmodels.formatting import clock, local, moment_words, names_in_sentence

_STRONG, _AMBER, _END = "\x02", "\x04", "\x03"
_NO_MARKS = str.maketrans(dict.fromkeys((_STRONG, _AMBER, _END), " "))
_NAMED = 3
_WEEK = 7


class Sentence(msgspec.Struct, frozen=True):
    """One line; `strong` stands out, `amber` is something that is missing now."""

    text: str
    strong: Highlights = ()
    amber: Highlights = ()


def change_sentence(change: Change, names: Mapping[str, str], posts: int = 0) -> Sentence:
    """One change. `names`: who administers, by id; `posts`: what somebody who was archived or
    marked as deceased administers.
    """
    if change.kind.of_person:
        return _marked(_person_words(change, posts))
    if change.kind.of_step:
        return _marked(_step_words(change, names))
    return _marked(_flow_words(change, names))


def people_sentence(kind: ChangeKind, count: int, names: Sequence[str]) -> Sentence:
    """What has happened to `count` people, of whom the first are called `names`, if it is known."""
    many = _strong(trn("{n} person", "{n} people", count))
    if not names:
        counted = {
            ChangeKind.CAME: tr("{many} came", many=many),
            ChangeKind.ADDED_HERE: tr("{many} added here", many=many),
            ChangeKind.GONE: tr("{many} no longer in the list", many=many),
            ChangeKind.ARCHIVED: tr("{many} archived", many=many),
            ChangeKind.DECEASED: tr("{many} marked as deceased", many=many),
            ChangeKind.BACK: tr("{many} back from the archive", many=many),
            ChangeKind.CHANGED: tr("{many} changed", many=many),
        }
        return _marked(counted[kind])
    shown = [_plain(name) for name in names[:_NAMED]]
    who = names_in_sentence(shown, count - len(shown))
    said = {
        ChangeKind.CAME: tr("{many} came: {who}", many=many, who=who),
        ChangeKind.ADDED_HERE: tr("{many} added here: {who}", many=many, who=who),
        ChangeKind.GONE: tr("{many} no longer in the list: {who}", many=many, who=who),
        ChangeKind.ARCHIVED: tr("{many} archived: {who}", many=many, who=who),
        ChangeKind.DECEASED: tr("{many} marked as deceased: {who}", many=many, who=who),
        ChangeKind.BACK: tr("{many} back from the archive: {who}", many=many, who=who),
        ChangeKind.CHANGED: tr("{many} changed: {who}", many=many, who=who),
    }
    return _marked(said[kind])


def status_bar_words(counts: Mapping[ChangeKind, int], since: datetime, now: datetime) -> str:
    """For the status bar: what weighs most of what nobody has seen; blank for nothing."""
    told = [(words, count) for kind, words in _WEIGHTY if (count := counts.get(kind, 0))][:2]
    parts = [words(count) for words, count in told]
    others = news_count(counts) - sum(count for _, count in told)
    if others and parts:
        parts.append(trn("{n} other change", "{n} other changes", others))
    elif others:
        parts.append(trn("{n} change", "{n} changes", others))
    if not parts:
        return ""
    return tr("{since}: {what}", since=since_words(since, now), what=in_a_row(parts))


def news_count(counts: Mapping[ChangeKind, int]) -> int:
    """How many are news: what was done on this computer is none."""
    return sum(count for kind, count in counts.items() if kind is not ChangeKind.ADDED_HERE)


_WEIGHTY: tuple[tuple[ChangeKind, Callable[[int], str]], ...] = (
    (ChangeKind.CAME, lambda n: trn("{n} person new", "{n} people new", n)),
    (
        ChangeKind.STEP_UNSTAFFED,
        lambda n: trn("{n} step lost its administrator", "{n} steps lost their administrator", n),
    ),
    (
        ChangeKind.FLOW_UNSTAFFED,
        lambda n: trn("{n} flow lost its administrator", "{n} flows lost their administrator", n),
    ),
    (
        ChangeKind.DECEASED,
        lambda n: trn("{n} person marked as deceased", "{n} people marked as deceased", n),
    ),
    (ChangeKind.GONE, lambda n: trn("{n} person gone", "{n} people gone", n)),
    (ChangeKind.ARCHIVED, lambda n: trn("{n} person archived", "{n} people archived", n)),
)


# Days


def since_words(moment: datetime, now: datetime) -> str:
    """Since when, as short as it is clear."""
    there, today = local(moment).date(), local(now).date()
    if there == today:
        return tr("Since {when}", when=clock(moment))
    if there == today - timedelta(days=1):
        return tr("Since yesterday")
    near = timedelta() < today - there < timedelta(days=_WEEK)
    short = QLocale().toString(_qt(there), QLocale.FormatType.ShortFormat)
    return tr("Since {when}", when=_weekday(there) if near else short)


def dot_words(moment: datetime, *, is_any: bool) -> str:
    """What a dot marks among what was told earlier: what is new since a moment, if there is any."""
    when = moment_words(moment)
    if is_any:
        return tr("A dot marks what is new since {when}.", when=when)
    return tr("Nothing is new since {when}.", when=when)


def day_words(one: date, today: date) -> str:
    """A day as a heading."""
    if one == today:
        return tr("Today")
    if one == today - timedelta(days=1):
        return tr("Yesterday")
    if timedelta() < today - one < timedelta(days=_WEEK):
        return _weekday(one)
    return QLocale().toString(_qt(one), QLocale.FormatType.LongFormat)


def _weekday(one: date) -> str:
    return QLocale().toString(_qt(one), "dddd")


def _qt(one: date) -> QDate:
    return QDate(one.year, one.month, one.day)


# People


def _person_words(change: Change, posts: int) -> str:
    who = _strong(change.name or tr("(no name)"))
    if change.kind is ChangeKind.ARCHIVED and posts:
        return trn(
            "{who} was archived and still administers {n} step or flow",
            "{who} was archived and still administers {n} steps and flows",
            posts,
            who=who,
        )
    if change.kind is ChangeKind.DECEASED and posts:
        return trn(
            "{who} was marked as deceased and still administers {n} step or flow",
            "{who} was marked as deceased and still administers {n} steps and flows",
            posts,
            who=who,
        )
    said = {
        ChangeKind.CAME: tr("{who} came", who=who),
        ChangeKind.ADDED_HERE: tr("{who} was added here", who=who),
        ChangeKind.GONE: tr("{who} is no longer in the list", who=who),
        ChangeKind.ARCHIVED: tr("{who} was archived", who=who),
        ChangeKind.DECEASED: tr("{who} was marked as deceased", who=who),
        ChangeKind.BACK: tr("{who} is back from the archive", who=who),
    }
    if change.kind in said:
        return said[change.kind]
    what = in_a_row(_field_words(one) for one in change.fields)
    return tr("{who}: {what}", who=who, what=what)


def _field_words(one: FieldChange) -> str:
    before, after = _plain(one.before), _plain(one.after)
    flags = {
        "admin": (tr("an administrator of the account now"), tr("no administrator any more")),
        "volunteer": (tr("a volunteer now"), tr("no volunteer any more")),
        "contact": (tr("a contact now"), tr("no contact any more")),
        "deceased": (tr("marked as deceased"), tr("not marked as deceased any more")),
    }
    if one.field in flags:
        return flags[one.field][0 if after else 1]
    if one.field == "name":
        return tr("was called {name}", name=before or tr("(no name)"))
    if one.field == "preferred_name" and after:
        return tr("goes by {name}", name=after)
    names = {
        "email": tr("email"),
        "phone": tr("phone"),
        "mobile": tr("mobile"),
        "preferred_name": tr("the name they go by"),
        "middle_name": tr("middle name"),
        "family": tr("family"),
        "family_relationship": tr("place in the family"),
        "category": tr("category"),
    }
    name = names.get(one.field, one.field)
    if not after:
        return tr("{field} taken out, was {before}", field=name, before=before)
    if not before:
        return tr("{field} added, {after}", field=name, after=after)
    return tr("{field} now {after}, was {before}", field=name, after=after, before=before)


# Flows


def _flow_words(change: Change, names: Mapping[str, str]) -> str:
    name = change.name or tr("(no name)")
    flow = _strong(name)
    if change.kind is ChangeKind.FLOW_ACCESS:
        after = change.fields[0].after if change.fields else ""
        known = {"": tr("open to everybody"), "admin": tr("for administrators only")}
        return tr("{flow} is {access} now", flow=flow, access=known.get(after, _plain(after)))
    if change.kind is ChangeKind.FLOW_MOVED:
        if change.stands_before is None:
            return tr("{flow} comes last now", flow=flow)
        return tr("{flow} comes before {other} now", flow=flow, other=_named(change.stands_before))
    if change.kind is ChangeKind.FLOW_ADMINS:
        return _runs_words(change, flow, names)
    if change.kind is ChangeKind.FLOW_UNSTAFFED:
        who = _who_went(change, names)
        return trn(
            "{flow} lost its administrator, {who}",
            "{flow} lost its administrators, {who}",
            len(change.gone),
            flow=_amber(name),
            who=who,
        )
    said = {
        ChangeKind.FLOW_CAME: tr("{flow} is a new flow", flow=flow),
        ChangeKind.FLOW_GONE: tr("The flow {flow} is gone", flow=flow),
        ChangeKind.FLOW_RENAMED: tr("{flow} was called {was}", flow=flow, was=_plain(change.was)),
        ChangeKind.FLOW_STARTED: tr("{flow} is active now", flow=flow),
        ChangeKind.FLOW_STOPPED: tr("{flow} is not active any more", flow=flow),
        ChangeKind.FLOWS_SORTED: tr("The flows come in another order"),
    }
    return said[change.kind]


def _runs_words(change: Change, flow: str, names: Mapping[str, str]) -> str:
    came, gone = _who_came(change, names), _who_went(change, names)
    if not gone:
        many = len(change.came)
        return trn("{who} runs {flow} now", "{who} run {flow} now", many, who=came, flow=flow)
    if not came:
        return trn(
            "{who} no longer runs {flow}",
            "{who} no longer run {flow}",
            len(change.gone),
            who=gone,
            flow=flow,
        )
    return tr("{flow} went from {gone} to {came}", flow=flow, gone=gone, came=came)


def _step_words(change: Change, names: Mapping[str, str]) -> str:
    flow = _plain(change.name) or tr("(no name)")
    name = (change.step.name if change.step else "") or tr("(no name)")
    step = _strong(name)
    if change.kind is ChangeKind.STEP_MOVED:
        return _moved_words(change, flow, step)
    if change.kind is ChangeKind.STEP_ADMINS:
        return _administers_words(change, flow, step, names)
    if change.kind is ChangeKind.STEP_UNSTAFFED:
        who = _who_went(change, names)
        return trn(
            "{step} in {flow} lost its administrator, {who}",
            "{step} in {flow} lost its administrators, {who}",
            len(change.gone),
            step=_amber(name),
            flow=flow,
            who=who,
        )
    numbered = _strong(
        tr("{number} · {step}", number=with_own_digits(change.number), step=_plain(name))
    )
    said = {
        ChangeKind.STEP_CAME: tr("{flow} has a new step, {step}", flow=flow, step=numbered),
        ChangeKind.STEP_GONE: tr("{flow} no longer has the step {step}", flow=flow, step=step),
        ChangeKind.STEP_RENAMED: tr(
            "{step} in {flow} was called {was}", step=step, flow=flow, was=_plain(change.was)
        ),
        ChangeKind.STEP_STARTED: tr("{step} in {flow} is active now", step=step, flow=flow),
        ChangeKind.STEP_STOPPED: tr("{step} in {flow} is pending now", step=step, flow=flow),
        ChangeKind.STEP_OPENED: tr("People may join {flow} at {step} now", step=step, flow=flow),
        ChangeKind.STEP_CLOSED: tr(
            "People may no longer join {flow} at {step}", step=step, flow=flow
        ),
    }
    return said[change.kind]


def _moved_words(change: Change, flow: str, step: str) -> str:
    if change.stands_before is not None:
        other = _strong(change.stands_before.name or tr("(no name)"))
        return tr("{flow}: {step} comes before {other} now", flow=flow, step=step, other=other)
    if "." in change.number:
        number = with_own_digits(change.number)
        return tr("{flow}: {step} is step {number} now", flow=flow, step=step, number=number)
    return tr("{flow}: {step} comes last now", flow=flow, step=step)


def _administers_words(change: Change, flow: str, step: str, names: Mapping[str, str]) -> str:
    came, gone = _who_came(change, names), _who_went(change, names)
    where = {"step": step, "flow": flow}
    if not gone:
        return trn(
            "{who} administers {step} in {flow} now",
            "{who} administer {step} in {flow} now",
            len(change.came),
            who=came,
            **where,
        )
    if not came:
        return trn(
            "{who} no longer administers {step} in {flow}",
            "{who} no longer administer {step} in {flow}",
            len(change.gone),
            who=gone,
            **where,
        )
    return tr("{step} in {flow} went from {gone} to {came}", gone=gone, came=came, **where)


def _who_came(change: Change, names: Mapping[str, str]) -> str:
    return _people(change.came, names, change.more_came)


def _who_went(change: Change, names: Mapping[str, str]) -> str:
    return _people(change.gone, names, change.more_gone)


def _people(some: Sequence[Named], names: Mapping[str, str], more: int) -> str:
    called = [
        _plain(
            names.get(one.id)
            or one.name
            or administrator_words(Administrator(one.id, None, AdministratorStatus.NOT_IN_LIST))
        )
        for one in some
    ]
    if not called:
        return ""
    return names_in_sentence(called[:_NAMED], max(len(called) - _NAMED, 0) + more)


def _named(one: Named) -> str:
    return _plain(one.name) or tr("(no name)")


def _plain(text: str) -> str:
    return text.translate(_NO_MARKS)


def _strong(text: str) -> str:
    return f"{_STRONG}{_plain(text)}{_END}"


def _amber(text: str) -> str:
    return f"{_AMBER}{_plain(text)}{_END}"


def _marked(said: str) -> Sentence:
    """Without the marks, and where they stood; a sentence in another language may move them."""
    text: list[str] = []
    spans: dict[str, list[tuple[int, int]]] = {_STRONG: [], _AMBER: []}
    mark, start = "", 0
    for sign in said:
        if sign in spans:
            mark, start = sign, len(text)
        elif sign == _END and mark:
            spans[mark].append((start, len(text) - start))
            mark = ""
        else:
            text.append(sign)
    return Sentence("".join(text), tuple(spans[_STRONG]), tuple(spans[_AMBER]))
