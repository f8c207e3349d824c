"""A sample of what `python -m tests.promises` does at length, and that it would notice."""

import os
from pathlib import Path

import pytest

from app.demo.options import Fault, FaultKind
from tests.promises.account import AccountTrial
from tests.promises.plan import (
    OF_A_BATCH,
    STAGES,
    WITHOUT_A_LIST,
    Person,
    Round,
    rounds,
    rounds_of_batches,
)
from tests.promises.tally import Figures
from tests.promises.trial import Trial, trial
from tests.promises.watched import Careless

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signal 9 is POSIX's")
LOST = Fault(FaultKind.LOST)
UNANSWERED = {"before NOT SURE", "while looking", "before a decision"}


def kept(figures: Figures) -> bool:
    """Whether every promise was, to the last."""
    assert figures.crashes == []
    assert (figures.lost, figures.duplicated, figures.forgotten) == (0, 0, 0)
    assert (figures.mistaken, figures.strangers, figures.still_open) == (0, 0, 0)
    assert figures.torn == 0
    return True


def ada(number: int) -> Person:
    return Person(number, f"Ada{number}", "Lovelace", "")


def killed_at(stage: str, number: int) -> Round:
    """Two people are typed, and the program is killed there."""
    first = (("told", 1),) if stage == "while opening" else ()
    return Round(
        people=(ada(2 * number), ada(2 * number + 1)),
        stages=(*first, (stage, 1)),
        replies=(LOST,) if stage in UNANSWERED else (),
    )


def test_nobody_is_lost_or_sent_twice_wherever_the_program_is_killed(tmp_path: Path) -> None:
    planned = [killed_at(stage, number) for number, stage in enumerate(STAGES)]
    figures = AccountTrial(tmp_path / "one", "1").run(planned)
    assert kept(figures)
    assert figures.acknowledged > len(STAGES)
    assert {stage for stage in STAGES if not figures.kills[stage]} == set()


def without_a_list(stage: str, number: int) -> Round:
    """The kept list is gone, and cannot be read at once; the first of two people is in it."""
    return Round(
        people=(ada(2 * number), ada(2 * number + 1)),
        stages=((stage, 1),),
        lists=(Fault(FaultKind.BROKEN),) * 8,
        forgets_list=True,
    )


def test_nobody_who_is_there_is_sent_wherever_it_is_killed_before_the_list_is_read(
    tmp_path: Path,
) -> None:
    planned = [without_a_list(stage, number) for number, stage in enumerate(WITHOUT_A_LIST)]
    figures = AccountTrial(tmp_path / "one", "1").run(planned)
    assert kept(figures)
    assert {stage for stage in WITHOUT_A_LIST if not figures.kills[stage]} == set()
    assert figures.in_the_list == len(WITHOUT_A_LIST)
    assert figures.asked["not compared"] > 0


def test_nobody_is_lost_or_sent_twice_in_rounds_that_were_drawn(tmp_path: Path) -> None:
    figures = trial(Trial(rounds=10, seed=20301, at_once=0), tmp_path)
    assert kept(figures)
    assert figures.rounds == 10
    assert figures.acknowledged > 10


def batch_killed_at(stage: str, number: int) -> Round:
    """Five people are taken together, and the program is killed there."""
    return Round(
        people=tuple(ada(5 * number + one) for one in range(5)),
        stages=((stage, 1 if stage in OF_A_BATCH else 3),),
        replies=(None, LOST) if stage in UNANSWERED else (),
        together=True,
        pauses=stage == "before it is paused or stopped",
        stops=stage == "paused or stopped",
    )


def test_nobody_of_a_batch_is_lost_or_sent_twice_wherever_the_program_is_killed(
    tmp_path: Path,
) -> None:
    stages = (*OF_A_BATCH, "before the request", "while ADDED is written", "request sent, taken")
    planned = [batch_killed_at(stage, number) for number, stage in enumerate(stages)]
    figures = AccountTrial(tmp_path / "one", "1").run(planned)
    assert kept(figures)
    assert {stage for stage in stages if not figures.kills[stage]} == set()


def test_nobody_is_lost_or_sent_twice_in_rounds_of_batches_that_were_drawn(
    tmp_path: Path,
) -> None:
    figures = trial(Trial(rounds=6, seed=20301, at_once=0, batches=True), tmp_path)
    assert kept(figures)
    assert figures.batches > 2


@pytest.mark.parametrize(
    ("careless", "one", "broken"),
    [
        pytest.param(
            Careless.RESENDS,
            Round(people=(ada(0),), replies=(LOST,)),
            "duplicated",
            id="sends again by itself",
        ),
        pytest.param(
            Careless.SENDING_UNWRITTEN,
            Round(people=(ada(0),), stages=(("request sent, taken", 1),)),
            "duplicated",
            id="does not write that it sends",
        ),
        pytest.param(
            Careless.ACKNOWLEDGED_UNWRITTEN,
            Round(people=(ada(0),), stages=(("told", 1),), hold=60.0),
            "lost",
            id="does not write who was typed",
        ),
        pytest.param(
            Careless.ACKNOWLEDGED_UNWRITTEN,
            Round(people=(ada(0), ada(1)), stages=(("told", 1),), hold=60.0, together=True),
            "lost",
            id="does not write a batch",
        ),
        pytest.param(
            Careless.RESENDS,
            Round(people=(ada(0), ada(1)), replies=(LOST,), together=True),
            "duplicated",
            id="sends again by itself, of a batch",
        ),
    ],
)
def test_a_program_that_breaks_the_promise_is_noticed(
    tmp_path: Path, careless: Careless, one: Round, broken: str
) -> None:
    figures = AccountTrial(tmp_path / "careless", "1", careless=careless).run([one])
    assert getattr(figures, broken) > 0
    assert figures.broken > 0
    assert kept(AccountTrial(tmp_path / "careful", "1").run([one]))


def test_a_client_that_simply_tries_again_sends_people_twice_and_loses_others(
    tmp_path: Path,
) -> None:
    planned = [
        Round(people=(ada(0),), replies=(LOST,)),
        Round(people=(ada(1), ada(2)), stages=(("before the request", 1),)),
    ]
    figures = AccountTrial(tmp_path / "one", "1", naive=True).run(planned)
    assert figures.duplicated > 0
    assert figures.lost > 0


def test_rounds_can_be_had_again_and_meet_every_stage() -> None:
    many = list(rounds("1", 400))
    assert many == list(rounds("1", 400)) != list(rounds("2", 400))
    assert {stage for one in many for stage, _ in one.stages} == {*STAGES, *WITHOUT_A_LIST}
    batches = list(rounds_of_batches("1", 400))
    assert batches == list(rounds_of_batches("1", 400))
    assert {stage for one in batches for stage, _ in one.stages} == {
        *STAGES,
        *OF_A_BATCH,
        *WITHOUT_A_LIST,
    }
