"""Names of many cultures, of which the invented people are made: read from `names.toml`."""

import tomllib
from importlib import resources

import msgspec


class Culture(msgspec.Struct, frozen=True):
    """First and last names that belong together.

    `handles` spell the last names in plain letters for addresses; empty where folding is enough.
    The joiners go between two first names and between two last names of one person.
    """

    firstnames: tuple[str, ...]
    lastnames: tuple[str, ...]
    handles: tuple[str, ...] = ()
    first_joiner: str = " "
    last_joiner: str = "-"


def _read() -> tuple[Culture, ...]:
    text = resources.files("app.demo").joinpath("names.toml").read_text("utf-8")
    lists = ("firstnames", "lastnames", "handles")
    return tuple(
        msgspec.convert(
            {k: v.strip().split(", ") if k in lists else v for k, v in one.items()}, Culture
        )
        for one in tomllib.loads(text)["cultures"]
    )


CULTURES = _read()
