"""What happens in each round, drawn from a seed: who is typed, and what goes wrong meanwhile.

It knows the kinds of trouble there are; making them is left to the account, the service and the
program under trial.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from app.demo.options import Fault, FaultKind, Moment

Stage: TypeAlias = tuple[str, int]
"""Where the program is killed, and at which time it comes there."""

BY_ITSELF = (
    "while opening",
    "before the write",
    "while writing",
    "written, not told",
    "before SENDING",
    "while SENDING is written",
    "before the request",
    "reply read",
    "while ADDED is written",
    "ADDED written",
    "before NOT SURE",
    "while looking",
    "before a decision",
)
"""Stages at which the program ends itself with signal 9."""

BY_THE_SERVICE = ("request sent, not taken", "request sent, taken", "half a reply")
"""Stages the service sees: it has the whole request of the program it kills."""

OF_A_BATCH = (
    "before the batch",
    "while the batch is written",
    "batch written, not told",
    "before it is paused or stopped",
    "paused or stopped",
)
"""Stages at which it does the same, and that only a batch has."""

AS_IT_OPENS = ("while opening", "before they are held", "held until compared")
"""Stages it comes to before it can be told anything."""

WITHOUT_A_LIST = (*AS_IT_OPENS[1:], "before one is set aside", "before they are let go", "let go")
"""Stages that only a program has which knows nobody of the account yet."""

FROM_OUTSIDE = ("told", "any moment")
"""Right after the person was acknowledged, and whenever."""

STAGES = (*BY_ITSELF, *BY_THE_SERVICE, *FROM_OUTSIDE)
_BATCH_STAGES = (*OF_A_BATCH, *STAGES)

_NOT_TAKEN = (
    Fault(FaultKind.CUT, moment=Moment.BEFORE),
    Fault(FaultKind.RESET, moment=Moment.BEFORE),
    Fault(FaultKind.BROKEN, moment=Moment.BEFORE),
    Fault(FaultKind.HTML, moment=Moment.BEFORE),
    Fault(FaultKind.HANG, moment=Moment.BEFORE),
    Fault(FaultKind.TOO_MANY, moment=Moment.BEFORE),
)
_TAKEN = (
    Fault(FaultKind.LOST),
    Fault(FaultKind.CUT, moment=Moment.INSIDE),
    Fault(FaultKind.CUT, moment=Moment.AFTER),
    Fault(FaultKind.HALF),
    Fault(FaultKind.RESET, moment=Moment.INSIDE),
    Fault(FaultKind.RESET, moment=Moment.AFTER),
    Fault(FaultKind.BROKEN, moment=Moment.AFTER),
    Fault(FaultKind.FAIL_200, moment=Moment.AFTER),
    Fault(FaultKind.HTML, moment=Moment.AFTER),
    Fault(FaultKind.EMPTY, moment=Moment.AFTER),
    Fault(FaultKind.REDIRECT, moment=Moment.AFTER),
    Fault(FaultKind.SLOW, moment=Moment.BEFORE),
)
_LISTS = (
    Fault(FaultKind.BROKEN),
    Fault(FaultKind.CUT),
    Fault(FaultKind.HALF),
    Fault(FaultKind.RESET, moment=Moment.INSIDE),
    Fault(FaultKind.EMPTY),
    Fault(FaultKind.TOO_MANY),
)
_NEEDS_A_LOST_REPLY = {"before NOT SURE", "while looking"}
_HELD = 60.0
_FORGETS = 0.15


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody to be typed; `number` tells two apart who have the same name and email. `known`:
    they are in the account, and whoever types them does not know it.
    """

    number: int
    firstname: str
    lastname: str
    email: str
    known: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One round. `stages` are for one life of the program each; `hold` in seconds.

    `replies` and `lists` are what the service does to the next creates and readings of the list;
    None is nothing. `clock` moves the wall clock by so many seconds. Not `settles`: the next round
    begins while this one is under way. `together`: the people are taken as one batch, which is
    then held up (`pauses`, until it settles) or ended (`stops`) somewhere on its way.
    `forgets_list`: before it the kept list of the account is gone, and the first of the people is
    somebody who was in that list all along.
    """

    people: tuple[Person, ...]
    stages: tuple[Stage, ...] = ()
    replies: tuple[Fault | None, ...] = ()
    lists: tuple[Fault | None, ...] = ()
    hold: float = 0.0
    drops_the_line: bool = False
    token_expires: bool = False
    ends_orderly: bool = False
    undoes: bool = False
    clock: int = 0
    settles: bool = True
    moment: float = 0.0
    together: bool = False
    pauses: bool = False
    stops: bool = False
    forgets_list: bool = False


def rounds(seed: str, count: int) -> Iterator[Round]:
    """`count` rounds for one account."""
    random = Random(seed)  # noqa: S311 - to be repeated, not to be secret
    known: list[Person] = []
    for _ in range(count):
        people = tuple(_people(random, known, random.randint(1, 4)))
        yield _round(random, people)


def rounds_of_batches(seed: str, count: int) -> Iterator[Round]:
    """The same, of which most are batches, and some people typed beside them."""
    random = Random(f"batches of {seed}")  # noqa: S311 - to be repeated, not to be secret
    known: list[Person] = []
    for _ in range(count):
        together = random.random() < 0.7
        people = tuple(_people(random, known, random.randint(2, 16) if together else 2))
        one = _round(random, people)
        if together:
            ends = random.random()
            one = replace(
                one,
                together=True,
                undoes=False,
                stages=tuple(_stages(random, (*_stages_of(one, _BATCH_STAGES), *OF_A_BATCH))),
                pauses=ends < 0.25,
                stops=ends > 0.75,
            )
        yield one


def _people(random: Random, known: list[Person], count: int) -> Iterator[Person]:
    for _ in range(count):
        number = len(known)
        person = Person(number, f"Ada{number}", "Łovelace", f"ada{number}@x.example")
        if known and random.random() < 0.25:
            like = random.choice(known)
            email = random.choice((like.email, like.email, f"other{number}@x.example", ""))
            person = Person(number, like.firstname, like.lastname, email)
        elif random.random() < 0.15:
            person = Person(number, person.firstname, person.lastname, "")
        known.append(person)
        yield person


def _round(random: Random, people: tuple[Person, ...]) -> Round:
    stages = tuple(_stages(random))
    replies = _drawn(random, (*_NOT_TAKEN, *_TAKEN, *_TAKEN), some=0.4, most=4)
    if any(stage in _NEEDS_A_LOST_REPLY for stage, _ in stages):
        replies = (random.choice(_TAKEN[:7]), *replies)
    if any(stage == "before a decision" for stage, _ in stages):
        replies = (random.choice(_NOT_TAKEN[:4]), *replies)
    held = random.random() < 0.15
    one = Round(
        people=people,
        stages=stages,
        replies=replies,
        lists=_drawn(random, _LISTS, some=0.15, most=3),
        hold=_HELD if held else 0.0,
        drops_the_line=random.random() < 0.12,
        token_expires=random.random() < 0.08,
        ends_orderly=random.random() < (0.5 if held else 0.06),
        undoes=held and not stages and random.random() < 0.4,
        clock=random.choice((-86_000, -3_600, 3_600, 86_000)) if random.random() < 0.06 else 0,
        settles=random.random() < 0.75,
        moment=random.uniform(0.0, 0.08),
    )
    if random.random() >= _FORGETS:
        return one
    one = replace(one, forgets_list=True, lists=_drawn(random, _LISTS, some=0.5, most=3))
    return replace(one, stages=tuple(_stages(random, _stages_of(one, STAGES))))


def _stages_of(one: Round, among: tuple[str, ...]) -> tuple[str, ...]:
    return (*among, *WITHOUT_A_LIST, *WITHOUT_A_LIST) if one.forgets_list else among


def _stages(random: Random, among: tuple[str, ...] = STAGES) -> Iterator[Stage]:
    if random.random() < 0.75:
        yield _stage(random, tuple(stage for stage in among if stage != AS_IT_OPENS[0]))
        while random.random() < 0.4:
            yield _stage(random, among)


def _stage(random: Random, stages: tuple[str, ...]) -> Stage:
    stage = random.choice(stages)
    return stage, random.randint(1, 6 if stage.startswith("while") else 2)


def _drawn(
    random: Random, faults: tuple[Fault, ...], *, some: float, most: int
) -> tuple[Fault | None, ...]:
    """So often `some`: up to `most` answers of which about two in three go wrong."""
    if random.random() >= some:
        return ()
    return tuple(
        random.choice(faults) if random.random() < 0.7 else None
        for _ in range(random.randint(1, most))
    )
