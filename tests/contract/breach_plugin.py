"""Breaks one rule inside a run of pytest, before a test imports anything: `--breach RULE:NUMBER`.

What each kind of breach puts in whose place; which there are is left to the table.
"""

import dis
import importlib
import inspect
from collections.abc import Mapping
from enum import EnumType, StrEnum
from types import CodeType, FunctionType

import pytest

from tests.contract.stand_ins import function_of
from tests.contract.table import Breach, breach_named


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the breach."""
    parser.addoption("--breach", metavar="RULE:NUMBER", help="break this rule while the tests run")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Make the breach: whoever imports the module afterwards gets it broken."""
    named = early_config.known_args_namespace.breach
    if named and not make(breach_named(named)):
        raise pytest.UsageError(f"There is nothing to break: {named}")


def make(breach: Breach, *, really: bool = True) -> bool:
    """Break what the breach names, or only look; False where there is nothing it would change."""
    if breach.by:
        found = breach.stand_in
        if really and found:
            found.take_over()
        return found is not None
    module, _, path = breach.at.partition(":")
    holder: object = importlib.import_module(module)
    *owners, name = path.split(".")
    for owner in owners:
        holder = getattr(holder, owner, None)
    old = inspect.getattr_static(holder, name, None)
    if breach.says is not None:
        return _says_otherwise(function_of(old), breach.says, breach.instead, really=really)
    new: object
    if breach.without is not None:
        named = old.__members__ if isinstance(old, EnumType) else old
        if not isinstance(named, Mapping) or breach.without not in named:
            return False
        left = {key: value for key, value in named.items() if key != breach.without}
        new = StrEnum(name, left) if isinstance(old, EnumType) else left
    else:
        new = breach.value
        if isinstance(old, frozenset | tuple) and isinstance(new, list):
            new = type(old)(new)
    if old is None or new == old:
        return False
    if really:
        setattr(holder, name, new)
    return True


def _says_otherwise(function: object, says: object, instead: object, *, really: bool) -> bool:
    if not isinstance(function, FunctionType):
        return False
    code = _in_code(function.__code__, says, instead)
    given = _in_value(function.__defaults__, says, instead)
    named = _in_value(function.__kwdefaults__, says, instead)
    if (code, given, named) == (function.__code__, function.__defaults__, function.__kwdefaults__):
        return False
    if really:
        # In place, since another module may have it under a name of its own already.
        function.__code__ = code
        function.__defaults__ = given  # type: ignore[assignment]
        function.__kwdefaults__ = named  # type: ignore[assignment]
    return True


def _in_code(code: CodeType, says: object, instead: object) -> CodeType:
    names = _keyword_names(code)
    spoken = tuple(
        each if place in names else _in_value(each, says, instead)
        for place, each in enumerate(code.co_consts)
    )
    return code if spoken == code.co_consts else code.replace(co_consts=spoken)


def _keyword_names(code: CodeType) -> set[int]:
    """Which constants only name the arguments of a call: another name would break the call."""
    found: set[int] = set()
    before = 0
    for each in dis.get_instructions(code):
        if each.opname == "KW_NAMES":  # Python 3.11 and 3.12
            found.add(each.arg or 0)
        elif each.opname == "CALL_KW":  # later ones load them like any constant
            found.add(before)
        before = each.arg or 0
    return found


def _in_value(value: object, says: object, instead: object) -> object:
    if isinstance(value, CodeType):
        return _in_code(value, says, instead)
    if isinstance(value, tuple):
        return tuple(_in_value(each, says, instead) for each in value)
    if isinstance(value, frozenset):
        return frozenset(_in_value(each, says, instead) for each in value)
    if isinstance(value, dict):
        return {key: _in_value(each, says, instead) for key, each in value.items()}
    return instead if type(value) is type(says) and value == says else value
