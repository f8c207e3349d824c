"""A few rules broken for a sample, and that the breaking believes nothing it has not seen."""

import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from tests.contract import breaking
from tests.contract.breach_plugin import make
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
    return Rule(
        name, "", "1", "", Side(), Side(), (Breach((NOTICES,), file=WRITER, find=find, put=put),)
    )


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
    gone = Breach(("tests/demo/test_demo_php_answers.py::test_of_nothing",), file=WRITER)
    assert not breaking.all_pass(copies[1], [Rule("gone", "", "1", "", Side(), Side(), (gone,))])


def test_a_rule_nobody_wrote_is_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert breaking.main(["no.such.rule"]) == 2
    assert "no.such.rule" in capsys.readouterr().err


@pytest.mark.parametrize(
    "named",
    [
        {"at": "app.demo.envelope:success", "says": "no such word", "instead": "another"},
        {"at": "app.demo.envelope:success", "says": "ok", "instead": "ok"},
        {"at": "app.demo.envelope:gone", "says": "ok", "instead": "success"},
        {"at": "app.demo.formats.known:DEFAULT", "value": "json"},
        {"at": "app.demo.formats.known:GONE", "value": "xml"},
        {"at": "app.demo.operations:OPERATIONS", "without": "people/gone"},
    ],
)
def test_a_breach_that_would_change_nothing_is_none(named: dict[str, str]) -> None:
    assert not make(msgspec.convert({"turns_red": [NOTICES], **named}, Breach), really=False)


SPEAKING = """
def answer(count, word="total"):
    return {"total": count, "inside": [word for _ in range(2)], "as": dict(total=count)}

class Page:
    @property
    def total(self):
        return "total"
"""


def test_what_a_function_says_is_broken_wherever_it_has_got_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = ModuleType("made_up")
    exec(SPEAKING, module.__dict__)  # noqa: S102 - our own lines, above
    monkeypatch.setitem(sys.modules, "made_up", module)
    elsewhere, page = module.answer, module.Page()
    for at in ("made_up:answer", "made_up:Page.total"):
        assert make(Breach((NOTICES,), at=at, says="total", instead="sum"))
    assert elsewhere(3) == {"sum": 3, "inside": ["sum", "sum"], "as": {"total": 3}}
    assert page.total == "sum"
