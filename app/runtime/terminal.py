"""What a command of `frontdesk` takes, its help and refusals in the language of the terminal, and
what it prints for whoever called it, wherever that goes: to a terminal of few signs, to a reader
that has had enough, onto a disk that is full.

The catalogue is read only once there is something to tell: a start that opens a window speaks the
desktop's language, and would read another for nothing.
"""

import argparse
import contextlib
import errno
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from app.runtime.paths import default_data_folder, resource
from app.runtime.words import asks_for_no_language, tr, use_language

_Words = Callable[[], str]
"""Gives them in the language that is spoken then."""
_REFUSALS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("argument (.+): expected one argument", lambda word: tr("“{word}” needs a value", word=word)),
    (
        "argument (.+): ignored explicit argument .*",
        lambda word: tr("“{word}” takes no value", word=word),
    ),
    (
        "ambiguous option: (.+) could match .*",
        lambda word: tr("“{word}” is short for several arguments", word=word),
    ),
    (
        "the following arguments are required: (.+)",
        lambda word: tr("“{word}” is needed", word=word),
    ),
)
"""What argparse says of a command line, always in English, and how that is said here."""
_NOT_ASCII = re.compile(r"[^\0-\x7f]")


def speak_as_the_terminal_does() -> None:
    """By the first of gettext's variables that is set, as gettext does; a window asks Qt later,
    which knows the desktop's settings too.
    """
    if asks_for_no_language():
        use_language(resource("translations"), [])
        return
    named = map(os.environ.get, ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    languages = next(filter(None, named), "").split(":")
    with contextlib.suppress(FileNotFoundError):
        use_language(resource("translations"), [re.split("[.@]", each)[0] for each in languages])


class CommandParser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage above it."""

    def __init__(self, prog: str, tells: _Words, tells_below: _Words | None = None) -> None:
        """`prog` is the command with its program; `tells` what it does, `tells_below` what is to
        be known besides the arguments.
        """
        super().__init__(prog=prog, add_help=False, formatter_class=_HelpFormatter)
        self._tells, self._tells_below = tells, tells_below
        self._words_of: dict[argparse.Action, tuple[_Words, _Words | None]] = {}
        self._named, self._options = self.add_argument_group(), self.add_argument_group()
        self.add("-h", "--help", action="help", tells=lambda: tr("show this help"))

    def add(self, *names: str, tells: _Words, takes: _Words | None = None, **how: object) -> None:
        """Take an argument: `tells` says what it is for, `takes` what stands in its place or
        behind it; `how` is as for `add_argument`.
        """
        group = self._options if names[0].startswith("-") else self._named
        action = group.add_argument(*names, **how)  # type: ignore[arg-type]  # as they are there
        self._words_of[action] = tells, takes

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """What `words` ask for. Raises SystemExit: 2 where they cannot be understood, 0 where they
        asked for help.
        """
        options, unknown = self.parse_known_args(words)
        if unknown:
            self.refuse(lambda: no_argument_words(unknown[0]))
        return options

    def refuse(self, why: _Words) -> NoReturn:
        """End with exit code 2, as command lines do."""
        speak_as_the_terminal_does()
        advice = tr("“frontdesk --help” tells what there is")
        self.exit(2, f"{self.prog}: {why().rstrip('.')}; {advice}.\n")

    def error(self, message: str) -> NoReturn:
        """The same for what argparse has found."""
        self.refuse(lambda: _said_here(message))

    def format_help(self) -> str:
        """In the language of the terminal."""
        speak_as_the_terminal_does()
        self.description = self._tells()
        self.epilog = self._tells_below() if self._tells_below is not None else None
        self._named.title, self._options.title = tr("Arguments"), tr("Options")
        for action, (tells, takes) in self._words_of.items():
            action.help = tells()
            action.metavar = takes() if takes is not None else action.metavar
        return super().format_help()

    def print_help(self, file: object = None) -> None:  # noqa: ARG002 - as in argparse
        """To whoever called the command, wherever that goes."""
        write_out(self.format_help().rstrip("\n"))


class _HelpFormatter(argparse.HelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """With the word before it in the language that is spoken."""
        super().add_usage(usage, actions, groups, prefix or f"{tr('Usage:')} ")


def add_data_folder(parser: CommandParser) -> None:
    """What every command takes that keeps or finds something on this computer."""
    parser.add(
        "--data-folder",
        type=Path,
        default=default_data_folder(),
        takes=lambda: tr("FOLDER"),
        tells=lambda: tr("where everything local lives"),
    )


def no_argument_words(word: str) -> str:
    """What is wrong with a word that no command takes."""
    return tr("there is no argument “{word}”", word=word)


def _said_here(message: str) -> str:
    for pattern, said in _REFUSALS:
        found = re.fullmatch(pattern, message)
        if found is not None:
            return said(found[1])
    return message


def write_out(text: str, *, is_json: bool = False) -> bool:
    """Write `text` and the end of its line; False where it could not be, which is said.

    Signs that the output cannot take are replaced; JSON says them in another way. A reader that
    has gone (`| head`) took what it wanted, and nothing is said.
    """
    if sys.stdout is None:  # as it is without a terminal, and where it was closed
        return True
    try:
        sys.stdout.write(_fitting(text, sys.stdout.encoding or "utf-8", is_json=is_json) + "\n")
        sys.stdout.flush()
    except OSError as error:
        _give_up()
        if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
            return True
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        sys.stderr.write(
            tr("The disk of this computer is full. Free some room, then try again.")
            if full
            else tr("What there is to say could not be written.")
        )
        sys.stderr.write("\n")
        return False
    return True


def _fitting(text: str, encoding: str, *, is_json: bool) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        if is_json:
            # No sign of JSON's own is beyond ASCII: these stand in its strings.
            return _NOT_ASCII.sub(lambda sign: json.dumps(sign[0])[1:-1], text)
        return text.encode(encoding, "replace").decode(encoding)
    return text


def _give_up() -> None:
    """What is left to write goes nowhere: the end of the program would try it once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
