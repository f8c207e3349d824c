"""The sentences about people who are not sent yet that stand across the window."""

from collections.abc import Sequence

from app.model.outbox import OutboxEntry
from app.runtime.words import tr, trn
from app.store.outbox import Rescue
from app.viewmodels.notice import Notice, Offer

_MOST_NAMES = 3
_LONGEST_NAME = 40


def waited_at_start(people: int) -> Notice:
    """So many were waiting when the program started, and go now."""
    sentence = trn("{n} person was waiting: sending", "{n} people were waiting: sending", people)
    return Notice(sentence, calm=True)


def sent_now(people: int) -> Notice:
    """All of those are in the account."""
    sentence = trn(
        "{n} person was waiting and is sent now.",
        "{n} people were waiting and are sent now.",
        people,
    )
    return Notice(sentence, calm=True)


def kept_for_later(waiting: Sequence[OutboxEntry], account: str) -> Notice:
    """Nobody is in, and these people are on this computer alone; `account` is its name, or blank
    where only the key it was opened with knew that.
    """
    shown = [_name(entry) for entry in waiting[:_MOST_NAMES]]
    names = ", ".join(shown)
    if more := len(waiting) - len(shown):
        names = trn("{names} and {n} more", "{names} and {n} more", more, names=names)
    place = account or tr("an account whose key was given at the start")
    sentence = trn(
        "{names} is not sent yet and stays on this computer for {account}, until somebody signs "
        "in to it again.",
        "{names} are not sent yet and stay on this computer for {account}, until somebody signs "
        "in to it again.",
        len(waiting),
        names=names,
        account=shortened(place),
    )
    return Notice(sentence, calm=True)


def _name(entry: OutboxEntry) -> str:
    new = entry.new_person
    return shortened(new.full_name or new.email or entry.typed)


def shortened(text: str) -> str:
    """At most so much of it, for the middle of a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[:_LONGEST_NAME]}…"


def rescued(rescue: Rescue) -> Notice:
    """The file of those who are not sent was damaged, and what was read of it; or another's.

    Either way it says where the file is now.
    """
    if rescue.other_account:
        return _others_file(rescue)
    where = tr(
        "The file for people who are not sent yet was damaged. It is kept as {path}.",
        path=rescue.path,
    )
    found = trn("{n} entry was read from it.", "{n} entries were read from it.", rescue.entries)
    missing = tr("There may have been more: please compare with your notes.")
    return Notice(" ".join([where, found, *([missing] if rescue.may_miss else [])]))


def _others_file(rescue: Rescue) -> Notice:
    whose = tr(
        "The file for people who are not sent yet belongs to another account or another address. "
        "It is kept as {path}, and nobody in it is sent.",
        path=rescue.path,
    )
    people = trn("{n} person is waiting in it.", "{n} people are waiting in it.", rescue.entries)
    return Notice(f"{whose} {people}")


def not_the_same(unsent: int) -> Notice:
    """Nobody known here is in the account that was signed in to; so many wait for it."""
    question = tr("None of the people known here are in this account. Is it the right one?")
    waiting = trn(
        "{n} person is waiting to be sent there.",
        "{n} people are waiting to be sent there.",
        unsent,
    )
    return Notice(f"{question} {waiting}", Offer.SEND_THERE, also=Offer.SIGN_OUT)
