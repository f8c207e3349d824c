"""Errors that are part of the day: they end in one clear sentence for the person."""

from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from app.runtime.words import retranslatable


class ExpectedError(Exception):
    """Something that can happen to anybody, said so that the person knows what to do next.

    `title` is a few words, `message` one sentence; both are in the person's language.
    """

    def __init__(self, title: str, message: str, *, details: str = "") -> None:
        """`details` is for an administrator and sits behind "Copy details"; it holds no secret."""
        super().__init__(message)
        self.title = title
        self.message = message
        self.details = details
        self.retranslate: Callable[[], ExpectedError] | None = None
        """Makes it once more, in the language that is spoken then; None where nobody can."""


_Given = ParamSpec("_Given")
_Error = TypeVar("_Error", bound=ExpectedError)


def retranslatable_error(make: Callable[_Given, _Error]) -> Callable[_Given, _Error]:
    """What such a function makes can be said in another language: it may still be told when
    somebody chooses one, to understand it.
    """

    @wraps(make)
    def made(*given: _Given.args, **named: _Given.kwargs) -> _Error:
        error = make(*given, **named)
        error.retranslate = partial(make, *given, **named)
        return error

    return made


def retranslatable_message(error: Exception) -> str:
    """What `error` says, for where it may still stand when another language is spoken."""
    again = error.retranslate if isinstance(error, ExpectedError) else None
    return str(error) if again is None else retranslatable(lambda: again().message)
