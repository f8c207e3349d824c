"""The command line: arguments, logging, QApplication and event loop, and nothing else."""

import argparse
import builtins
import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from app import __version__
from app.runtime.paths import default_data_folder
from app.runtime.program import READ_WORKBOOK
from app.runtime.words import tr

_SUBCOMMANDS = ("demo-service", "import", "tour", "doctor")
_OPTIONS_WITH_A_VALUE = frozenset({"--data-folder", "--connection", "--sheet"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `frontdesk` with `arguments` (those of the process by default); gives the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == [READ_WORKBOOK]:
        from app.importing.formats.workbook_process import run  # noqa: PLC0415 - it needs nothing else

        return run()
    parser = _parser()
    index = _index_of_subcommand(given)
    if index is not None:
        name, before, after = given[index], given[:index], given[index + 1 :]
        # Asked for help or the version before the command, that of the whole program is told.
        options, _ = parser.parse_known_args(before, argparse.Namespace(data_folder=None))
        if name == "import":
            return _import_list([*before, *after])
        if before and (name != "doctor" or options.demo or options.connection):
            parser.error(
                tr("“{command}” takes no “{word}” before it", command=name, word=before[0])
            )
        return _run_subcommand(name, [*before, *after])
    options, unknown = parser.parse_known_args(given)
    if unknown:
        parser.error(_unknown_words(unknown[0]))
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
    return run(rest)


def _import_list(rest: list[str]) -> int:
    from app.importing.check_command import add_arguments, check  # noqa: PLC0415 - as below

    parser = _ArgumentParser(
        prog="frontdesk import",
        description="Open the window on a list of people, or tell how it is read.",
    )
    add_arguments(parser)
    _add_account_arguments(parser)
    options = parser.parse_args(rest)
    if options.check:
        return check(options)
    return _run_window(options, options.file.absolute())


def _run_window(options: argparse.Namespace, list_file: Path | None = None) -> int:
    with loaded_at_once():
        # The window's own modules load Qt, which a subcommand without a display must not.
        from app.application import run_window  # noqa: PLC0415 - as above
        from app.container import StartOptions  # noqa: PLC0415 - as above

        return run_window(
            StartOptions(
                data_folder=options.data_folder,
                demo=options.demo,
                connection=options.connection,
                list_file=list_file,
                api_key=os.environ.pop("FRONTDESK_API_KEY", ""),
            )
        )


@contextlib.contextmanager
def loaded_at_once() -> Iterator[None]:
    """Half of a start is loading modules, and half of that was work nobody needs.

    Python looked for cycles among what has only just come to stay. PySide has every import read the
    source of the module, for names that are spelled another way; none of ours are.
    """
    was_collecting, ours = gc.isenabled(), builtins.__import__
    gc.disable()
    import PySide6.QtCore  # noqa: F401, PLC0415 - has its own way of importing from here on

    builtins.__import__ = ours
    try:
        yield
    finally:
        if was_collecting:
            gc.enable()


class _ArgumentParser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2, as command lines do."""
        advice = tr("“frontdesk --help” tells what there is")
        self.exit(2, f"{self.prog}: {message.rstrip('.')}; {advice}.\n")


def _unknown_words(word: str) -> str:
    if word.startswith("-"):
        return tr("there is no argument “{word}”", word=word)
    import difflib  # noqa: PLC0415 - for a word that is wrong alone

    near = difflib.get_close_matches(word, _SUBCOMMANDS, 1)
    if near:
        return tr("there is no command “{word}” (did you mean “{near}”?)", word=word, near=near[0])
    return tr("there is no command “{word}”", word=word)


def _add_account_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="open the demo account")
    parser.add_argument(
        "--connection", type=Path, metavar="FILE", help="a connection file from a colleague"
    )


def _parser() -> argparse.ArgumentParser:
    parser = _ArgumentParser(
        prog="frontdesk",
        description="Add people quickly, and see who administers each step of your people flows.",
        epilog="Other commands: import, demo-service, tour, doctor; --help after one explains it.",
    )
    parser.add_argument("--version", action="version", version=f"Front Desk {__version__}")
    _add_account_arguments(parser)
    parser.add_argument(
        "--data-folder",
        type=Path,
        default=default_data_folder(),
        metavar="FOLDER",
        help="where everything local lives",
    )
    return parser
