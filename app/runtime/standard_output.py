"""What a command prints for whoever called it, wherever that goes: to a terminal of few signs, to a
reader that has had enough, onto a disk that is full.
"""

import errno
import json
import os
import re
import sys

from app.runtime.words import tr

_NOT_ASCII = re.compile(r"[^\0-\x7f]")


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
