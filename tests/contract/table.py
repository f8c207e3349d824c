"""The table of rules: for each rule of the API document the code and the tests that carry it.

The rows are in `rules.toml`, which says once where each file is; how a rule is broken to see its
tests fail is left to `breaking`.
"""

import ast
import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from tests.contract.stand_ins import StandIn

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("rules.toml")
UNTOLD = "Not shown: "


class Breach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to break a rule while the tests run.

    `by` is what stands in for a function, `client.no_credential_is_sent` in `breaches/`. Or `at` is
    a function, a method or a value of a module, `app.api.auth:ApiKey.name`: with `says` a text or
    number that this function speaks of is another `instead`; with `without` a mapping lacks that
    key, or an enumeration that member; with `value` something else stands there.
    """

    turns_red: tuple[str, ...]
    """Tests, as pytest names them, of which each must fail."""
    by: str = ""
    at: str = ""
    says: str | int | None = None
    instead: str | int | None = None
    without: str | int | None = None
    value: object = None

    @property
    def place(self) -> str:
        """The file that is broken."""
        stand_in = self.stand_in
        module = stand_in.modules[0] if stand_in else self.at.partition(":")[0]
        return f"{module.replace('.', '/')}.py"

    @property
    def stand_in(self) -> StandIn | None:
        """What stands in; None where nothing does. Raises ModuleNotFoundError."""
        side, _, name = self.by.partition(".")
        if not name:
            return None
        found = getattr(importlib.import_module(f"tests.contract.breaches.{side}"), name, None)
        return found if isinstance(found, StandIn) else None

    @property
    def told(self) -> str:
        """What is broken, in a few words."""
        if self.by:
            return self.by
        put = self.value if self.says is None else self.instead
        return f"{put!r} at {self.at}" if self.without is None else f"{self.at}[{self.without!r}]"


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where one side carries a rule; `why_not` says why a side has nothing to carry."""

    code: str = ""
    """A file and a name in it: `app/api/requests.py::all_flows`, `...::Attempt.method`."""
    test: str = ""
    """A test file and a test in it, without parameters: `tests/api/test_sending.py::test_all`."""
    why_not: str = ""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of the document, under the heading it stands below there."""

    id: str
    section: str
    lines: str
    """The lines of the document that say it: `40-42`."""
    says: str
    client: Side
    service: Side
    breaches: tuple[Breach, ...] = ()

    @property
    def sides(self) -> tuple[Side, Side]:
        """The client and the demo service."""
        return self.client, self.service

    @property
    def is_untold(self) -> bool:
        """Whether the document says that it leaves this open."""
        return self.says.startswith(UNTOLD)

    @property
    def numbers(self) -> range:
        """The lines as numbers."""
        first, _, last = self.lines.partition("-")
        return range(int(first), int(last or first) + 1)


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rows, in the order of the document, and where the files are that they name."""

    files: dict[str, str]
    rule: tuple[Rule, ...]


@cache
def rules() -> tuple[Rule, ...]:
    """Every row. Raises msgspec.ValidationError for a table that is not well made."""
    written = msgspec.toml.decode(TABLE.read_bytes())
    return msgspec.convert(_with_paths(written, written["files"]), Table).rule


def _with_paths(written: Any, files: Mapping[str, str]) -> Any:
    """The same with the path of each file, or of its module, instead of the name it has there."""
    if isinstance(written, dict):
        return {key: _with_paths(value, files) for key, value in written.items()}
    if isinstance(written, list):
        return [_with_paths(value, files) for value in written]
    name, colon, rest = written.partition(":") if isinstance(written, str) else ("", "", "")
    if not colon or name not in files:
        return written
    path = files[name]
    return f"{path}:{rest}" if rest.startswith(":") else f"{module_of(path)}:{rest}"


def module_of(path: str) -> str:
    """`app.api.auth` of `app/api/auth.py`."""
    return path.removesuffix(".py").replace("/", ".")


def breach_named(name: str) -> Breach:
    """The breach of that rule and number, `page.total:1`. Raises LookupError."""
    wanted, _, number = name.rpartition(":")
    return next(rule.breaches[int(number)] for rule in rules() if rule.id == wanted)


@cache
def names_in(file: str) -> frozenset[str]:
    """What a source file defines: functions, classes, constants, and `Class.name` inside one."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    return frozenset(_names(ast.parse(path.read_text("utf-8")).body))


def _names(body: list[ast.stmt]) -> list[str]:
    found: list[str] = []
    for node in body:
        if isinstance(node, ast.ClassDef):
            found += [node.name, *(f"{node.name}.{inner}" for inner in _names(node.body))]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return found


def exists(place: str) -> bool:
    """Whether `file::name` names something that is there."""
    file, _, name = place.partition("::")
    return name.partition("[")[0] in names_in(file)
