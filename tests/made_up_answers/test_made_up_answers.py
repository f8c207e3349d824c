"""A sample of what `python -m tests.made_up_answers` does at length, and that it would notice."""

import sys
from collections import Counter

import pytest

from app.api.errors import UnreadableAnswer
from app.api.formats import decode
from tests.made_up_answers import trial as trials
from tests.made_up_answers.answers import round_number
from tests.made_up_answers.trial import Figures, trial

SEED = 20261121
MUCH_TOO_LONG = 5.0
"""Seconds of the processor for one turn of the event loop, however slow this computer is."""


def run(program: str, rounds: int = 3) -> Figures:
    """The figures of rounds in a program of the test's own."""
    *_, figures = trial(SEED, 7, rounds, program=(sys.executable, "-c", program))
    return figures


def test_no_answer_crashes_the_window_or_a_later_start() -> None:
    *_, figures = trial(SEED, 0, 4, of_a_start=2)
    assert [failure.problem for failure in figures.failures] == []
    assert (figures.rounds, figures.starts >= 2) == (4, True)
    assert figures.slower_than(MUCH_TOO_LONG) == []


def test_a_round_can_be_had_again() -> None:
    assert round_number(1, 5) == round_number(1, 5) != round_number(1, 6)


def test_answers_are_made_up_in_every_format_and_most_can_be_read() -> None:
    read, made = Counter[str](), Counter[str]()
    for number in range(60):
        each = round_number(SEED, number)
        for answer in (*each.answers["people"], *each.answers["flows"]):
            made[each.format] += 1
            try:
                decode(answer.body, each.format)
            except UnreadableAnswer:
                continue
            read[each.format] += 1
    assert set(read) == {"json", "xml", "php"}
    assert all(made[name] / 2 < read[name] < made[name] for name in ("json", "xml"))


def test_a_window_that_dies_is_noticed_with_its_round_and_the_others_go_on() -> None:
    figures = run("import os; os.write(1, b'{\"begun\": 8}\\n'); os.abort()", rounds=2)
    assert (figures.failures[0].number, figures.failures[0].first) == (8, 7)
    assert "died of -6" in figures.failures[0].problem


def test_a_window_that_falls_silent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "SILENCE", 0.5)
    figures = run("import time; time.sleep(60)", rounds=1)
    assert figures.failures[0].problem.startswith("not a word")


def test_what_a_window_complains_of_is_told() -> None:
    line = '{"round": 9, "busiest": 0.2, "longest": 0.3, "problems": ["boom"]}'
    figures = run(f"print('{line}'); print('{{\"ended\": 1}}')")
    assert [failure.problem for failure in figures.failures] == ["boom"]
    assert figures.slower_than(0.1) == [(0.2, 9)]
