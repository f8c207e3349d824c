"""Why two people may be the same, as one sentence for the person who decides about it.

By itself: who is found is weighed by numbers, and how that is said is a matter of language alone.
"""

from typing import assert_never

from app.people.duplicates.groups import AlikePair
from app.people.duplicates.names import compared
from app.people.duplicates.nicknames import short_forms
from app.people.duplicates.people_index import PersonLike
from app.people.duplicates.scoring import Asked, Candidate, NamesAlike
from app.people.duplicates.vocabulary import Likeness
from app.runtime.words import tr
from app.store.search_keys import as_typed


def reason(found: Candidate, asked: Asked, listed: str | None) -> str:
    """The sentence, in the person's language; `listed` is the first name in the list."""
    if found.same_email and found.certain:
        return tr("same email")
    if found.same_email:
        return tr("same email, other first name") if asked.first else tr("same email, other name")
    if found.names.turned:
        return tr("first and last name the other way round")
    if found.names.same:
        return tr("same name, other email") if found.other_email else tr("same name")
    if Likeness.SHORT in (found.names.first, found.names.last):
        return _short_for(asked.firstname.strip(), as_typed(listed or "").strip())
    return _what_differs(found.names)


def reason_of_two(one: PersonLike, other: PersonLike, alike: AlikePair) -> str:
    """The same for two who are both in the list."""
    found = Candidate(
        certain=alike.same_email,
        odds=alike.odds,
        row=0,
        names=alike.names,
        same_email=alike.same_email,
        other_email=alike.other_email,
    )
    return reason(found, Asked.of(one.firstname or "", one.lastname or "", None), other.firstname)


def _short_for(typed: str, listed: str) -> str:
    if compared(typed) in short_forms(compared(listed)):
        return tr("{short} is short for {name}", short=typed, name=listed)
    if compared(listed) in short_forms(compared(typed)):
        return tr("{short} is short for {name}", short=listed, name=typed)
    return tr("{one} and {other} are short for the same name", one=typed, other=listed)


def _what_differs(names: NamesAlike) -> str:
    kinds = [kind for kind in (names.first, names.last) if kind is not None]
    if names.first is None and names.last in {Likeness.LETTER, Likeness.LETTERS}:
        return tr("nearly the same last name")
    weakest = max(kinds, default=Likeness.SAME)
    match weakest:
        case Likeness.INITIAL:
            return tr("only an initial is there of the first name")
        case Likeness.PART:
            return tr("one name more")
        case Likeness.LETTERS:
            return tr("a few letters differ")
        case Likeness.LETTER:
            several = kinds.count(Likeness.LETTER) > 1
            return tr("a few letters differ") if several else tr("one letter differs")
        case Likeness.SAME | Likeness.SHORT:
            return tr("same last name") if names.first is None else tr("same first name")
    assert_never(weakest)
