"""The command line: arguments, logging, QApplication and event loop, and nothing else."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app import __version__
from app.runtime.paths import default_data_folder

_SUBCOMMANDS = ("demo-service", "tour", "doctor")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `frontdesk` with `arguments` (those of the process by default); gives the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in _SUBCOMMANDS:
        return _run_subcommand(given[0], given[1:])
    return _run_window(_parser().parse_args(given))


def _run_subcommand(name: str, rest: list[str]) -> int:
    if name == "demo-service":
        from app.demo.server import run  # noqa: PLC0415 - each command loads only what it needs
    elif name == "tour":
        from app.tour.run import run  # noqa: PLC0415 - as above
    else:
        from app.doctor import run  # noqa: PLC0415 - as above
    return run(rest)


def _run_window(options: argparse.Namespace) -> int:
    # The window's own modules load Qt, which a subcommand without a display must not.
    from app.application import run_window  # noqa: PLC0415 - as above
    from app.container import StartOptions  # noqa: PLC0415 - as above

    return run_window(
        StartOptions(
            data_folder=options.data_folder,
            demo=options.demo,
            connection=options.connection,
            api_key=os.environ.pop("FRONTDESK_API_KEY", ""),
        )
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="frontdesk",
        description="Add people quickly, and see who administers each step of your people flows.",
        epilog="Other commands: demo-service, tour, doctor. Each explains itself with --help.",
    )
    parser.add_argument("--version", action="version", version=f"Front Desk {__version__}")
    parser.add_argument("--demo", action="store_true", help="open the demo account")
    parser.add_argument(
        "--connection", type=Path, metavar="FILE", help="a connection file from a colleague"
    )
    parser.add_argument(
        "--data-folder",
        type=Path,
        default=default_data_folder(),
        metavar="FOLDER",
        help="where everything local lives",
    )
    return parser
