"""The sentences on an entry of the outbox: where it stands, and what a person is asked."""

from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.people.outbox_events import PauseReason
from app.runtime.words import tr
from app.viewmodels.wording import moment_words


def what_happened(
    entry: OutboxEntry, held_up_by: OutboxEntry | None, pause: PauseReason | None
) -> str:
    """Where `entry` stands, in one or two sentences.

    `held_up_by` has to be settled before it; `pause` is why the outbox stands still.
    """
    if entry.state is EntryState.WAITING:
        return _waiting(held_up_by)
    if entry.state is EntryState.NOT_SURE:
        return _not_sure(entry, pause)
    return {
        EntryState.SENDING: tr("On its way to the account."),
        EntryState.ADDED: tr("Added to the account."),
        EntryState.REFUSED: entry.reason or tr("The account did not take this person."),
    }[entry.state]


def _waiting(held_up_by: OutboxEntry | None) -> str:
    if held_up_by is None:
        return tr("Waiting to be sent. Until then it can be undone: sent is final.")
    return tr(
        "Waits until {name}, typed {time}, is settled: both have the same name and email.",
        name=held_up_by.new_person.full_name,
        time=moment_words(held_up_by.typed_at),
    )


def _not_sure(entry: OutboxEntry, pause: PauseReason | None) -> str:
    if entry.doubt is Doubt.LOOKS_LIKE:
        if entry.candidate_added is None:
            return tr("This looks like the one. Is it?")
        added = moment_words(entry.candidate_added)
        return tr("This looks like the one, added {time}. Is it?", time=added)
    if entry.doubt is Doubt.ABSENT:
        return tr("Not found in the list. Send again?")
    return {
        PauseReason.NO_LINE: tr(
            "The answer got lost. Once the line is back, Front Desk reads the list again to see "
            "whether they were added."
        ),
        PauseReason.SIGN_IN: tr(
            "The answer got lost. Once you have signed in again, Front Desk reads the list again "
            "to see whether they were added."
        ),
        PauseReason.OTHER_ORGANISATION: tr(
            "The answer got lost. Front Desk reads the list again once it is clear whose list "
            "this is."
        ),
    }.get(
        pause,  # type: ignore[arg-type]  # None is a key like any other that is not there
        tr(
            "The answer got lost. Front Desk is reading the list again to see whether they were "
            "added."
        ),
    )
