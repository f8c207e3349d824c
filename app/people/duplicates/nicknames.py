"""Which first names are short for which, in several languages: read from
`resources/names/nicknames.txt`, a small table of our own making.

It knows names as they are compared; what a short name is worth is decided in `scoring`.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from app.people.duplicates.names import compared
from app.runtime.paths import resource


@cache
def _tables() -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
    """The short forms of each name, and the names that each is short for, as compared."""
    shorts: dict[str, list[str]] = {}
    longs: dict[str, list[str]] = {}
    for line in resource("names/nicknames.txt").read_text("utf-8").splitlines():
        name, _, forms = line.partition(":")
        whole = compared(name)
        for form in map(compared, forms.split()):
            if form != whole:
                shorts.setdefault(whole, []).append(form)
                longs.setdefault(form, []).append(whole)
    return (
        {name: tuple(dict.fromkeys(forms)) for name, forms in shorts.items()},
        {form: tuple(dict.fromkeys(names)) for form, names in longs.items()},
    )


def short_forms(name: str) -> tuple[str, ...]:
    """What somebody of that first name (as compared) may be called for short."""
    return _tables()[0].get(name, ())


def long_forms(name: str) -> tuple[str, ...]:
    """What that first name (as compared) may be short for."""
    return _tables()[1].get(name, ())


def siblings(name: str) -> Iterator[str]:
    """Other short forms of what that first name is short for: Liz and Beth."""
    for whole in long_forms(name):
        for form in short_forms(whole):
            if form != name:
                yield form
