"""The command line: arguments, logging, QApplication and event loop, and nothing else."""

import argparse
import builtins
import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from app import __version__
from app.runtime.installation import READ_WORKBOOK, lacks_library, load_words
from app.runtime.paths import CONNECTION_FILE
from app.runtime.terminal import (
    CommandParser,
    add_data_folder,
    no_argument_words,
    speak_as_the_terminal_does,
)
from app.runtime.words import in_a_row, tr

_SUBCOMMANDS = ("add", "demo-service", "import", "tour", "doctor")
_STANDARD_INPUT = "-"
_LONGEST_PEOPLE = 8 * 1024 * 1024
"""Bytes that `add` takes; what is longer is a file."""
_OPTIONS_WITH_A_VALUE = frozenset({"--data-folder", "--connection", "--sheet"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `frontdesk` with `arguments` (those of the process by default); gives the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except ImportError as problem:
        if not lacks_library(problem):
            raise
        return _tell_missing_library(problem)


def _run(given: list[str]) -> int:
    if given == [READ_WORKBOOK]:
        from app.importing.formats.workbook_process import run  # noqa: PLC0415 - it needs nothing else

        return run()
    parser = _parser()
    index = _index_of_subcommand(given)
    if index is not None:
        name, before, after = given[index], given[:index], given[index + 1 :]
        # Asked for help or the version before the command, that of the whole program is told.
        options, _ = parser.parse_known_args(before, argparse.Namespace(data_folder=None))
        if name in _OPENING:
            return _OPENING[name]([*before, *after])
        if before and (name != "doctor" or options.demo or options.connection):
            parser.refuse(
                lambda: tr("“{command}” takes no “{word}” before it", command=name, word=before[0])
            )
        return _run_subcommand(name, [*before, *after])
    options, unknown = parser.parse_known_args(given)
    if len(unknown) == 1 and unknown[0].lower().endswith(CONNECTION_FILE):
        # What a desktop says where such a file is opened.
        options.connection = Path(unknown[0])
    elif unknown:
        parser.refuse(lambda: _unknown_words(unknown[0]))
    return _run_window(options)


def _index_of_subcommand(given: Sequence[str]) -> int | None:
    """Where the command stands: options may come before it, each with what belongs to it."""
    is_value = False
    for index, word in enumerate(given):
        if not is_value and not word.startswith("-"):
            return index if word in _SUBCOMMANDS else None
        is_value = not is_value and word in _OPTIONS_WITH_A_VALUE
    return None


def _run_subcommand(name: str, rest: list[str]) -> int:
    if name == "demo-service":
        from app.demo.server import run  # noqa: PLC0415 - each command loads only what it needs
    elif name == "tour":
        from app.tour.run import run  # noqa: PLC0415 - as above
    else:
        from app.diagnostics.doctor import run  # noqa: PLC0415 - as above

        speak_as_the_terminal_does()
    return run(rest)


def _import_list(rest: list[str]) -> int:
    from app.importing.check_command import add_arguments, check  # noqa: PLC0415 - as below

    parser = CommandParser(
        "frontdesk import",
        lambda: tr("Open the window on a list of people, or tell how it is read."),
    )
    add_arguments(parser)
    _add_account_arguments(parser)
    options = parser.read(rest)
    if options.check and options.file is None:
        parser.refuse(lambda: tr("--check needs a FILE"))
    if options.check:
        speak_as_the_terminal_does()
        return check(options)
    if options.file is None:
        return _run_window(options, chooses_list=True)
    return _run_window(options, _absolute(options.file))


def _add_people(rest: list[str]) -> int:
    parser = CommandParser(
        "frontdesk add",
        lambda: tr(
            "Put somebody into the line for adding, or several to be looked over as a list: in the "
            "window that is open, or in a new one."
        ),
    )
    parser.add(
        "people",
        nargs="*",
        takes=lambda: tr("TEXT"),
        tells=lambda: tr(
            "whom to add, as you would type them; several in quotes each, or in a line each; - "
            "reads them from standard input; nobody: begin typing"
        ),
    )
    _add_window_arguments(parser)
    options = parser.read(rest)
    if options.people == [_STANDARD_INPUT] and sys.stdin is None:  # a windowed program on Windows
        parser.refuse(
            lambda: tr(
                "there is no standard input here; save it as a file and use “frontdesk import”"
            )
        )
    people = _text_of(options.people)
    if len(people.encode()) > _LONGEST_PEOPLE:
        parser.refuse(lambda: tr("that is too long; save it as a file and use “frontdesk import”"))
    return _run_window(options, people=people)


def _text_of(words: Sequence[str]) -> str:
    if list(words) == [_STANDARD_INPUT]:
        return sys.stdin.buffer.read(_LONGEST_PEOPLE + 1).decode("utf-8-sig", "replace")
    # Words in quotes belong together: each such argument is somebody. Without, all are one person.
    quoted = any(len(word.split()) > 1 for word in words)
    # What a terminal gave that is no text is shown as such.
    return os.fsencode(("\n" if quoted else " ").join(words)).decode("utf-8", "replace")


def _run_window(
    options: argparse.Namespace,
    list_file: Path | None = None,
    people: str | None = None,
    *,
    chooses_list: bool = False,
) -> int:
    with loaded_at_once():
        # The window's own modules load Qt, which a subcommand without a display must not.
        from app.application import run_window  # noqa: PLC0415 - as above
        from app.container import StartOptions  # noqa: PLC0415 - as above

        return run_window(
            StartOptions(
                data_folder=_absolute(options.data_folder),
                demo=options.demo,
                connection=options.connection and _absolute(options.connection),
                list_file=list_file,
                people=people,
                chooses_list=chooses_list,
                small="small" in options and options.small,
                api_key=os.environ.pop("FRONTDESK_API_KEY", ""),
            )
        )


def _absolute(file: Path) -> Path:
    """Also for a window that is open already, and runs in another folder; SystemExit where the
    folder that this one runs in was removed.
    """
    try:
        return file.absolute()
    except OSError:
        speak_as_the_terminal_does()
        told = tr(
            "The folder this was started in is not there any more; start it from another one."
        )
        sys.stderr.write(f"frontdesk: {told}\n")
        raise SystemExit(2) from None


def _tell_missing_library(problem: ImportError) -> int:
    speak_as_the_terminal_does()
    try:
        from app.diagnostics import doctor  # noqa: PLC0415 - no start needs it

        told = doctor.with_what_mends(doctor.not_loaded(problem))
    except ImportError:  # it needs that library itself
        told = load_words(problem)
    sys.stderr.write(f"{told}\n")
    return 1


@contextlib.contextmanager
def loaded_at_once() -> Iterator[None]:
    """Half of a start is loading modules, and half of that was work nobody needs.

    Python looked for cycles among what has only just come to stay. PySide has every import read the
    source of the module, for names that are spelled another way; none of ours are. asyncio loads
    what encrypts its own connections, of which there are none: those to a service are encrypted by
    the network library, which loads that behind the list.
    """
    was_collecting, ours = gc.isenabled(), builtins.__import__
    gc.disable()
    import PySide6.QtCore  # noqa: F401, PLC0415 - has its own way of importing from here on

    builtins.__import__ = ours
    _load_asyncio()
    try:
        yield
    finally:
        if was_collecting:
            gc.enable()


def _load_asyncio() -> None:
    if "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]  # it takes that for a Python without it
    import asyncio  # noqa: F401, PLC0415 - see above

    del sys.modules["ssl"]


def _unknown_words(word: str) -> str:
    if word.startswith("-"):
        return no_argument_words(word)
    import difflib  # noqa: PLC0415 - for a word that is wrong alone

    near = difflib.get_close_matches(word, _SUBCOMMANDS, 1)
    if near:
        return tr("there is no command “{word}” (did you mean “{near}”?)", word=word, near=near[0])
    return tr("there is no command “{word}”", word=word)


def _add_account_arguments(parser: CommandParser) -> None:
    parser.add("--demo", action="store_true", tells=lambda: tr("open the demo account"))
    parser.add(
        "--connection",
        type=Path,
        takes=lambda: tr("FILE"),
        tells=lambda: tr("a connection file from a colleague"),
    )


def _add_window_arguments(parser: CommandParser) -> None:
    _add_account_arguments(parser)
    add_data_folder(parser)


def _parser() -> CommandParser:
    parser = CommandParser(
        "frontdesk",
        lambda: tr("Add people quickly, and see who administers each step of your people flows."),
        lambda: tr(
            "A connection file may stand alone: {example}. Other commands: {commands}; --help "
            "after one explains it.",
            example=f"frontdesk {tr('FILE')}{CONNECTION_FILE}",
            commands=in_a_row(_SUBCOMMANDS),
        ),
    )
    parser.add(
        "--version",
        action="version",
        version=f"Front Desk {__version__}",
        tells=lambda: tr("tell the version"),
    )
    _add_window_arguments(parser)
    parser.add("--small", action="store_true", tells=lambda: tr("open the small window"))
    return parser


_OPENING = {"add": _add_people, "import": _import_list}
"""The commands that open a window."""
