"""A few rules broken for a sample, and that the breaking believes nothing it has not seen."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from tests.contract import breaking
from tests.contract.breach_plugin import make
from tests.contract.stand_ins import Was, instead_of
from tests.contract.table import Breach, Rule, Side, rules

SAMPLE = "states.flags"
NOTICES = (
    "tests/demo/test_demo_php_answers.py::test_an_object_is_an_object_of_php_and_a_list_an_array"
)


def test_broken_rules_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = [rule for rule in rules() if rule.id == SAMPLE]
    assert {bool(breach.by) for breach in chosen[0].breaches} == {True, False}
    assert breaking.all_pass(chosen)
    assert breaking.break_all(chosen) == []
    first, *seen = capsys.readouterr().out.splitlines()
    assert first.split() == ["noticed", SAMPLE]
    assert [line.strip().partition(": assert")[0] for line in seen] == [
        f"{breach.told}: AssertionError" for breach in chosen[0].breaches
    ]


def test_a_test_that_still_passes_or_is_not_there_has_not_noticed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rule = next(rule for rule in rules() if rule.id == SAMPLE)
    gone = NOTICES.replace("test_an_object", "test_no_object")
    unmoved = msgspec.structs.replace(rule.breaches[0], turns_red=(NOTICES, gone))
    assert breaking.break_all([msgspec.structs.replace(rule, breaches=(unmoved,))]) == [rule.id]
    said = capsys.readouterr().out
    assert said.count(f"{NOTICES} does not fail with {unmoved.told}") == 1
    assert said.count(f"{gone} does not fail with {unmoved.told}") == 1


MADE_UP = """
import pytest

@pytest.fixture
def broken():
    raise OSError

@pytest.mark.parametrize("word", ["one", "and - another ] word"])
def test_passes(word): pass
def test_fails(): assert False
def test_has_no_ground(broken): pass
@pytest.mark.skip
def test_is_skipped(): pass
"""


def test_what_breaks_everything_is_not_taken_for_a_failure(tmp_path: Path) -> None:
    whole, damaged = tmp_path / "test_whole.py", tmp_path / "test_damaged.py"
    whole.write_text(MADE_UP, "utf-8")
    damaged.write_text(f"import no_such_module\n{MADE_UP}", "utf-8")
    asked = ("--continue-on-collection-errors", str(whole), str(damaged))
    ended = {Path(name).name: each for name, each in breaking.outcomes(asked).items()}
    assert {name: (each.passed, each.failed) for name, each in ended.items()} == {
        "test_whole.py::test_passes": (True, False),
        "test_whole.py::test_fails": (False, True),
        "test_whole.py::test_has_no_ground": (False, False),
    }


def test_a_test_that_is_not_there_proves_nothing_before_it_is_broken() -> None:
    gone = Breach(("tests/demo/test_demo_php_answers.py::test_of_nothing",))
    assert not breaking.all_pass([Rule("gone", "", "1", "", Side(), Side(), (gone,))])


def test_a_rule_nobody_wrote_is_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert breaking.main(["no.such.rule"]) == 2
    assert "no.such.rule" in capsys.readouterr().err


@pytest.mark.parametrize(
    "named",
    [
        {"at": "app.demo.envelope:success", "says": "no such word", "instead": "another"},
        {"at": "app.demo.envelope:success", "says": "ok", "instead": "ok"},
        {"at": "app.demo.envelope:gone", "says": "ok", "instead": "success"},
        {"at": "app.demo.formats.writers:DEFAULT", "value": "json"},
        {"at": "app.demo.formats.writers:GONE", "value": "xml"},
        {"at": "app.demo.operations:OPERATIONS", "without": "people/gone"},
        {"at": "app.demo.credentials:Permission", "without": "MANAGE_NOTHING"},
        {"by": "client.nothing_of_the_kind"},
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


STANDING = """
class Page:
    def total(self, more, *, by=2):
        return more * by

    @property
    def size(self):
        return 50

    async def read(self):
        return "read"

    def items(self):
        got = yield 1
        yield got

    async def pages(self):
        yield 1

    def __init__(self):
        super().__init__()
"""


async def test_what_stands_in_is_called_wherever_the_function_has_got_to() -> None:
    module = ModuleType("made_up")
    exec(STANDING, module.__dict__)  # noqa: S102 - our own lines, above
    elsewhere, page = module.Page.total, module.Page()

    @instead_of(module.Page.total)
    def doubled(was: Was, self: object, more: int, **named: int) -> int:
        return 2 * int(was(self, more, **named))

    @instead_of(module.Page.size)
    def larger(was: Was, self: object) -> int:
        return 1 + int(was(self))

    @instead_of(module.Page.read)
    async def louder(was: Was, self: object) -> str:
        return str(await was(self)).upper()

    @instead_of(module.Page.items)
    def begun(was: Was, self: object) -> Iterator[object]:
        yield "begin"
        yield from was(self)

    for stand_in in (doubled, larger, louder, begun):
        stand_in.take_over()
    assert [elsewhere(page, 3), page.total(3, by=5), page.size] == [12, 30, 51]
    assert await page.read() == "READ"
    items = page.items()
    assert [next(items), next(items), items.send("sent")] == ["begin", 1, "sent"]
    for other in (module.Page.pages, module.Page.__init__):
        with pytest.raises(TypeError):
            instead_of(other)


@pytest.mark.parametrize("target", [len, 3, "client", ModuleType])
def test_what_is_no_function_of_python_has_no_stand_in(target: object) -> None:
    with pytest.raises(TypeError):
        instead_of(target)
