"""What somebody asks in plain words: what is looked for then, and what about it is to be told.

The words of a question are only left out: what was found by all of them is found by the others.
"""

from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache

import msgspec

from app.runtime.words import tr
from app.store.search_keys import search_text
from app.viewmodels.flows.what_is_new.change_sentences import names_of_days_and_months
from app.viewmodels.flows.what_is_new.news_query import SIGNS_OF_SENTENCES

_OWNERS = ("'s", "’s")


class AskedFor(Enum):
    """What is to be told."""

    RUNS = auto()
    """What somebody administers, or who administers something."""
    COVERS = auto()
    """Who is there while somebody is away."""
    ALONE = auto()
    """Who has nobody beside them."""
    MISSING = auto()
    """Where nobody is, or somebody who cannot act."""
    NEWS = auto()
    """What has changed."""


class PlainQuestion(msgspec.Struct, frozen=True):
    """What was typed; `asked` and `of_steps` are None where it does not say."""

    words: str = ""
    """What is to be looked for."""
    asked: AskedFor | None = None
    of_steps: bool | None = None
    """Whether what is missing is meant at steps alone, or at whole flows alone."""
    of_person: bool = False
    """Whether somebody is meant rather than something that is called the same."""


def read_question(query: str) -> PlainQuestion:
    """ "What does Imani run?" looks for Imani, and asks what she runs; "Card received" looks for
    both words, and asks nothing.
    """
    typed = _question_words(query)
    begins = typed and typed[0] in _words(
        tr("who whom whose what which when where is are does do has have if")
    )
    runs = _words(
        tr(
            "run runs administer administers administered administrator administrators lead leads "
            "manage manages responsible plate look looks looking charge handle handles"
        )
    )
    covers = _words(tr("cover covers covering covered away instead"))
    small = _words(
        tr(
            "who whom whose what which when where is are was were been does do did has have had if "
            "the a an in of for on after while there she he they somebody anybody everybody"
        )
    )
    steps, flows = _words(tr("step steps")), _words(tr("flow flows"))
    if len(typed) < 2:  # noqa: PLR2004
        return PlainQuestion(query)
    if not (begins or query.rstrip().endswith(("?", "؟"))):
        told = (small, runs, steps, flows, _words(tr("nobody none no without")))
        if not _is_of_steps_without_anybody(typed, frozenset().union(*told)):
            return PlainQuestion(query)
    typed = _with_owners(typed)
    asked = _asked(typed, runs, covers)
    of_one = typed[0] in _words(tr("what which"))
    doing = _words(tr("do does doing"))
    if asked is None and doing & set(typed) and (of_one or typed[0] in _words(tr("who"))):
        asked, small = AskedFor.RUNS, small | doing
    if asked is AskedFor.COVERS and _is_gone(typed, small | covers):
        asked = AskedFor.NEWS
    if asked is AskedFor.NEWS:
        # Nothing left: everything that is new. Who came is somebody, what came may be a flow.
        is_who = typed[0] in _words(tr("who"))
        said = small | (_news() - _came_or_gone() if is_who else _news())
        return PlainQuestion(" ".join(word for word in typed if word not in said), asked)
    left = [word for word in typed if word not in small | covers]
    of_steps = None
    if asked is AskedFor.MISSING:
        left, of_steps = _missing_words(left, runs, steps, flows)
    if asked is AskedFor.ALONE:
        alone = _words(tr("alone lone"))
        left = [search_text(tr("alone")) if word in alone else word for word in left]
    left = [word for word in left if word not in runs] or left
    if asked is not None and asked is not AskedFor.MISSING:
        left = [word for word in left if word not in steps | flows] or left
    of_person = asked is AskedFor.COVERS or of_one
    return PlainQuestion(" ".join(left) or query, asked if left else None, of_steps, of_person)


def _question_words(query: str) -> list[str]:
    """The folded words of a question, without its signs."""
    words = []
    for typed in query.split():
        word = typed.strip(SIGNS_OF_SENTENCES)
        for end in _OWNERS:
            word = word.removesuffix(end)
        words += search_text(word).split()
    return words


def _with_owners(typed: Sequence[str]) -> list[str]:
    """ "Graces plate" is Grace's, as many write it."""
    plate, owner = _words(tr("plate")), "s"
    following = [*typed[1:], ""]
    return [
        word.removesuffix(owner) if behind in plate and word not in plate else word
        for word, behind in zip(typed, following, strict=True)
    ]


def _is_of_steps_without_anybody(typed: Sequence[str], told: frozenset[str]) -> bool:
    """Whether it is asked without a word that asks: "steps without anybody", and nothing more."""
    of_all = _words(tr("step steps")) | _words(tr("flow flows"))
    nobody = _words(tr("nobody none no without"))
    return typed[0] in of_all and bool(nobody & set(typed)) and told.issuperset(typed)


def _is_gone(typed: Sequence[str], said: frozenset[str]) -> bool:
    """Whether it is asked who is gone, in a language that says the same of who is away."""
    return bool(_words(tr("gone")) & set(typed)) and said.issuperset(typed)


def _news() -> frozenset[str]:
    return _words(tr("changed changes change happened")) | _came_or_gone()


def _came_or_gone() -> frozenset[str]:
    return _words(tr("new came come gone added"))


def _is_of_past(typed: Sequence[str]) -> bool:
    """Whether it is asked who has left or joined, or who was archived at a time that is said: who
    is archived now is a gap. A day that stands within may be in the name of a step.
    """
    words = frozenset(typed)
    if not words & _words(tr("left joined died archived deceased")):
        return False
    named = list(typed)
    while named and any(letter.isdigit() for letter in named[-1]):
        named.pop()
    of_time = _words(tr("week month yesterday today")) | names_of_days_and_months()
    if not named or named[-1] in of_time:
        return True
    return len(words) == 2 and bool(words & _words(tr("left joined died")))  # noqa: PLR2004


def _asked(typed: Sequence[str], runs: frozenset[str], covers: frozenset[str]) -> AskedFor | None:
    words = frozenset(typed)
    about = (
        (AskedFor.COVERS, covers),
        (AskedFor.ALONE, _words(tr("alone lone"))),
        (AskedFor.MISSING, _words(tr("nobody none no without gap gaps missing archived deceased"))),
        (AskedFor.RUNS, runs),
    )
    if words & _words(tr("since")) or _is_of_past(typed):
        return AskedFor.NEWS
    for asked, by in about:
        if words & by:
            return asked
    return AskedFor.NEWS if words & _news() else None


def _missing_words(
    left: Sequence[str], runs: frozenset[str], steps: frozenset[str], flows: frozenset[str]
) -> tuple[list[str], bool | None]:
    """ "No administrator" is nobody; "no steps" and "no entry point" are kinds of gaps."""
    nothing, none = _words(tr("no without")), _words(tr("none nobody"))
    nobody = _words(tr("nobody"))
    said: list[str] = []
    of_steps: bool | None = None
    for word in left:
        behind_no = bool(said) and said[-1] in nothing
        if behind_no and word in runs | none:
            said[-1] = search_text(tr("nobody"))
        elif word in nothing | none:
            said.append(search_text(tr("nobody") if word in none else tr("no")))
        elif word in _words(tr("missing")):
            said.append(search_text(tr("gap")))
        elif word in steps | flows and not behind_no:
            of_steps = word in steps if of_steps is None else None
        else:
            said.append(word)
    if said and said[-1] in nothing:
        said[-1] = search_text(tr("nobody"))  # "without anybody"
    if of_steps is False and not nobody <= frozenset(" ".join(said).split()):
        of_steps = None  # a flow has the gaps of its steps; that nobody runs it is its own
    return said, of_steps


@lru_cache(64)
def _words(text: str) -> frozenset[str]:
    return frozenset(search_text(text).split())
