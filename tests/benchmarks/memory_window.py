"""One of the windows that `memory` looks at, a process of its own: ours is loaded as the program
is, and the bare one has nothing of ours.
"""

import argparse
import sys
from pathlib import Path

from app.main import loaded_at_once


def main() -> int:
    """Until it is ended: reads as often as each line of the input asks for, and says so then."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program", choices=("bare", "ours"))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--address")
    parser.add_argument("--key")
    parser.add_argument("--people", type=int)
    asked = parser.parse_args()
    if asked.program == "bare":
        return _bare()
    with loaded_at_once():
        from tests.benchmarks.memory import run_ours  # noqa: PLC0415 - the bare one goes without

    return run_ours(asked.folder, asked.address, asked.key, asked.people)


def _bare() -> int:
    from tests.benchmarks.bare_window import bare_window  # noqa: PLC0415 - loads Qt

    application, _window = bare_window()
    application.processEvents()
    sys.stdout.write(sys.stdin.readline())
    sys.stdout.flush()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
