"""A function that stands in for one of the program while a rule is broken.

Which function stands in for which is left to `breaches/`, and which rule that breaks to the table.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

Was = Callable[..., Any]
"""The function as it was: what stands in is given it first, before the arguments of a call."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """What is called instead of each of `functions`."""

    functions: tuple[FunctionType, ...]
    instead: Callable[..., Any]

    @property
    def modules(self) -> tuple[str, ...]:
        """Where the functions are."""
        return tuple(function.__module__ for function in self.functions)

    def take_over(self) -> None:
        """From now on, whoever has the function under a name of its own already included."""
        for function in self.functions:
            before = FunctionType(
                function.__code__,
                function.__globals__,
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            before.__kwdefaults__ = function.__kwdefaults__
            function.__code__ = _passing_on(function).__code__
            function.__defaults__ = None
            function.__kwdefaults__ = {"_stand_in": functools.partial(self.instead, before)}


def instead_of(*functions: object) -> Callable[[Callable[..., Any]], StandIn]:
    """Let the decorated function stand in for these: plain ones, methods or properties.

    It is called with the function as it was, and then as that one would have been. Raises TypeError
    for anything that is not written in Python, for an asynchronous generator, and for a function
    that holds names of one around it (so does a method that calls `super`).
    """
    found = [function_of(function) for function in functions]
    plain = tuple(each for each in found if isinstance(each, FunctionType) and _can_be_taken(each))
    if not plain or len(plain) != len(found):
        raise TypeError(f"no function among {functions}")
    return lambda instead: StandIn(plain, instead)


def function_of(found: object) -> object:
    """The plain function inside a method, a property or a decorated function."""
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, functools.cached_property):
        found = found.func
    elif isinstance(found, staticmethod | classmethod):
        found = found.__func__
    return inspect.unwrap(found) if callable(found) else None


def _can_be_taken(function: FunctionType) -> bool:
    return not (inspect.isasyncgenfunction(function) or function.__code__.co_freevars)


def _passing_on(function: FunctionType) -> FunctionType:
    """What calls the stand-in and is of the same kind: no other may take the function's place."""
    if inspect.iscoroutinefunction(function):
        return _awaiting  # type: ignore[return-value]  # every function is one
    if inspect.isgeneratorfunction(function):
        return _yielding  # type: ignore[return-value]
    return _calling  # type: ignore[return-value]


def _calling(*args: Any, _stand_in: Callable[..., Any], **named: Any) -> Any:
    return _stand_in(*args, **named)


async def _awaiting(*args: Any, _stand_in: Callable[..., Any], **named: Any) -> Any:
    return await _stand_in(*args, **named)


def _yielding(*args: Any, _stand_in: Callable[..., Any], **named: Any) -> Any:
    return (yield from _stand_in(*args, **named))
