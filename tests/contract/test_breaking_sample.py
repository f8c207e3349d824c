"""A few rules broken for a sample, and that the breaking believes nothing it has not seen."""

from pathlib import Path

import pytest

from tests.contract import breaking
from tests.contract.table import Breach, Rule, Side, rules

SAMPLE = ("flow.steps-in-order", "states.flags")
WRITER = "app/demo/formats/php.py"
NOTICES = (
    "tests/demo/test_demo_php_answers.py::test_an_object_is_an_object_of_php_and_a_list_an_array"
)


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two copies to break rules in."""
    folder = tmp_path_factory.mktemp("rules")
    return [breaking.copy_into(folder / name) for name in ("one", "other")]


def made_up(name: str, find: str, put: str) -> Rule:
    """A rule that is broken by one change to the writer of PHP."""
    return Rule(name, "", "1", "", Side(), Side(), (Breach(WRITER, find, put, (NOTICES,)),))


def test_broken_rules_are_noticed(copies: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [rule for rule in rules() if rule.id in SAMPLE]
    assert sum(len(rule.breaches) for rule in chosen) == 4
    assert breaking.all_pass(copies[0], chosen)
    assert breaking.break_all(chosen, copies) == []
    told = capsys.readouterr().out.split()
    assert sorted(told) == sorted(("noticed", *SAMPLE, "noticed"))


def test_what_breaks_nothing_or_everything_is_not_taken_for_noticed(
    copies: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    before = (copies[0] / WRITER).read_bytes()
    harmless = made_up("harmless", "# No text type:", "# Not a text type:")
    everything = made_up("everything", "def fragment(_key", "def fragment(_key oh")
    assert breaking.break_all([harmless, everything], copies) == ["harmless", "everything"]
    assert capsys.readouterr().out.count(f"{NOTICES} with") == 2
    assert {(copy / WRITER).read_bytes() for copy in copies} == {before}


def test_a_test_that_is_not_there_or_fails_already_proves_nothing(copies: list[Path]) -> None:
    gone = Breach(WRITER, "", "", ("tests/demo/test_demo_php_answers.py::test_of_nothing",))
    assert not breaking.all_pass(copies[1], [Rule("gone", "", "1", "", Side(), Side(), (gone,))])


def test_a_rule_nobody_wrote_is_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert breaking.main(["no.such.rule"]) == 2
    assert "no.such.rule" in capsys.readouterr().err
