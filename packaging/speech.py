"""How the set-up speaks: on stderr, because stdout belongs to the program that is started."""

import sys


class SetUpError(Exception):
    """The set-up cannot go on; the text is the sentence (or the command) a person needs to see."""


def say(sentence: str) -> None:
    """Show one line to the person at the terminal."""
    print(sentence, file=sys.stderr, flush=True)
