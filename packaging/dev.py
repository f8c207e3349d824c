"""The commands of a checkout (run, test, whole, bench, package, words): the command line alone.

The only file that an older Python still has to be able to read: it says what is needed and stops.
"""

import sys

USAGES = {
    "run": """\
python3 packaging/dev.py run [arguments]   set everything up and start Front Desk
""",
    "test": """\
python3 packaging/dev.py test [arguments]  set everything up and run every check;
                                                  the arguments go to pytest
""",
    "whole": """\
python3 packaging/dev.py whole CHECK [arguments]
                                                  set everything up and do at length what the
                                                  tests take a sample of: answers, breaking,
                                                  damage, fuzz, layout or promises
""",
    "bench": """\
python3 packaging/dev.py bench [arguments] set everything up and run the benchmarks
""",
    "package": """\
python3 packaging/dev.py package           set everything up and build the program,
                                                  to run without Python, in packaging/out,
                                                  and on Debian a package of it
""",
    "words": """\
python3 packaging/dev.py words [languages] set everything up, take new sentences up for
                                                  translators, and compile what they translated
""",
}
"""How each command is written and what it does."""
USAGE = "usage: " + "       ".join(USAGES.values())


def main(arguments: "list[str]") -> int:
    """The exit code of the command that the arguments name."""
    if sys.version_info < (3, 11):  # noqa: UP036  (the point of this line)
        sys.exit(
            "Front Desk needs Python 3.11 or newer, and this is Python {}.{}: start dev.py with a "
            "newer one, for example python3.11 packaging/dev.py run.".format(*sys.version_info)
        )
    import commands  # noqa: PLC0415  (only a new enough Python can read it)

    if arguments and arguments[0] in commands.COMMANDS:
        # Behind `run` it is Front Desk that is asked.
        if arguments[0] != "run" and not {"-h", "--help"}.isdisjoint(arguments[1:]):
            sys.stdout.write("usage: " + USAGES[arguments[0]])
            sys.stdout.flush()
            return commands.tell_arguments(arguments)
        return commands.COMMANDS[arguments[0]](arguments[1:])
    asked_for_help = arguments[:1] in (["-h"], ["--help"])
    (sys.stdout if asked_for_help else sys.stderr).write(USAGE)
    return 0 if asked_for_help else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
