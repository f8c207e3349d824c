"""What proves that an answer is the service's own list of people, and not a stranger's "ok".

Signing in rests on it: whatever the key, a wrong address must never become an account with nobody
in it. Who is on the list is left to the reading.
"""

from app.api.envelope import is_timed, says_ok
from app.api.field_values import COUNTS, whole
from app.api.formats.tree import Tree
from app.api.resources import read_list, read_person

_PEOPLE, _ITEM = "people", "person"
_ENOUGH_COUNTS = 2


def proves_people(envelope: dict[str, Tree]) -> bool | None:
    """Whether a success is the answer of people/getAll; None where nobody in it can be read.

    Somebody in it is proof together with one more sign: the service's own time, a count, or a name
    in the document's fields. Nobody is proof only in an envelope with its time, or in a page object
    with its counts (api-spec, Page object). Seen in the field: a health page that says "ok".
    """
    if not says_ok(envelope):
        return False
    page = envelope.get(_PEOPLE, envelope if _ITEM in envelope else None)
    listed = read_list(page, _ITEM)
    if listed is None:
        return None
    counted = _is_counted(page)
    if not listed.items:
        return counted or (_PEOPLE in envelope and is_timed(envelope))
    people = [sent for sent in listed.items if read_person(sent) is not None]
    if not people:
        return None
    return is_timed(envelope) or counted or any(_is_named(person) for person in people)


def proves_none(words: str | None) -> bool:
    """Whether the words of a "none match" name people (api-spec, Errors): an empty account's 404.

    An operation that does not exist is 404 in the same envelope, and names none.
    """
    return words is not None and ("people" in words.casefold() or "person" in words.casefold())


def _is_counted(page: Tree) -> bool:
    """Whether it is a page object by its counts, or by one of them beside its items."""
    if not isinstance(page, dict):
        return False
    counts = sum(whole(page.get(name)) is not None for name in COUNTS)
    return counts >= _ENOUGH_COUNTS or (counts > 0 and _ITEM in page)


def _is_named(person: Tree) -> bool:
    return isinstance(person, dict) and not {"firstname", "lastname"}.isdisjoint(person)
