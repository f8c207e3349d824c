"""What is said of an entry of the outbox, and what a person can decide about it."""

from enum import Enum, auto
from typing import TYPE_CHECKING

import msgspec

from app.model.errors import ExpectedError
from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.outbox.events import PauseReason
from app.outbox.outbox import Outbox
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.formatting import moment_words
from app.viewmodels.screen import ActionFeedback

if TYPE_CHECKING:
    from collections.abc import Callable


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
        EntryState.REFUSED: entry.reason_words or tr("The account did not take this person."),
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
    """What kept the answer from being one, then how far it has been made sure of."""
    looked = _looked_for(entry, pause)
    if entry.doubt is Doubt.LOOKS_LIKE:
        return looked
    lost = tr("The answer got lost. The person may or may not have been added.")
    return f"{entry.reason_words or lost} {looked}"


def _looked_for(entry: OutboxEntry, pause: PauseReason | None) -> str:
    if entry.doubt is Doubt.LOOKS_LIKE:
        if entry.candidate_added is None:
            return tr("This looks like the one. Is it?")
        added = moment_words(entry.candidate_added)
        return tr("This looks like the one, added {time}. Is it?", time=added)
    if entry.doubt is Doubt.ABSENT:
        return tr("Not found in the list. Send again?")
    return {
        PauseReason.UNREACHABLE: tr(
            "Once the connection is back, Front Desk reads the list again to see."
        ),
        PauseReason.SIGN_IN: tr(
            "Once you have signed in again, Front Desk reads the list again to see."
        ),
        PauseReason.OTHER_ORGANISATION: tr(
            "Front Desk reads the list again once it is clear whose list this is."
        ),
    }.get(
        pause,  # type: ignore[arg-type]  # None is a key like any other that is not there
        _being_looked_for(entry),
    )


def _being_looked_for(entry: OutboxEntry) -> str:
    if not entry.looks:
        return tr("Front Desk is reading the list again to see.")
    return trn(
        "The list was read again and does not have them yet; in a while it is read once more.",
        "The list was read {n} times and does not have them yet; in a while it is read once more.",
        entry.looks,
    )


class Decision(Enum):
    """What can be decided."""

    UNDO = auto()
    CORRECT = auto()
    CONFIRM = auto()
    REJECT = auto()
    LOOK_NOW = auto()
    IS_THERE = auto()
    SEND_AGAIN = auto()
    SEND_ALL_AGAIN = auto()
    DISMISS = auto()


class EntryAction(msgspec.Struct, frozen=True):
    """One decision as it is offered."""

    decision: Decision
    words: str
    icon: str = ""


class EntryActions:
    """Has the outbox of one account do what a person says."""

    def __init__(self, outbox: Outbox, scope: TaskScope, feedback: ActionFeedback) -> None:
        """`feedback` says what keeps a decision from being done."""
        self._outbox = outbox
        self._feedback = feedback
        self._send_all_again = Action(
            scope, self._all_again, second="drop", on_error=feedback.say_error
        )

    def actions_for(self, entry: OutboxEntry) -> tuple[EntryAction, ...]:
        """What can be decided about `entry` now, each in the place it had before; often nothing."""
        if entry.state is EntryState.WAITING:
            return _actions(Decision.UNDO)
        if entry.state is EntryState.REFUSED:
            return _actions(Decision.CORRECT, Decision.SEND_AGAIN, Decision.DISMISS)
        return self._actions_in_doubt(entry) if entry.state is EntryState.NOT_SURE else ()

    def _actions_in_doubt(self, entry: OutboxEntry) -> tuple[EntryAction, ...]:
        """Whoever knows the answer need not wait until the list has been read again."""
        if entry.doubt is Doubt.LOOKS_LIKE:
            return _actions(Decision.CONFIRM, Decision.REJECT, Decision.SEND_AGAIN)
        look = _actions(Decision.LOOK_NOW) if self._outbox.can_look else ()
        there, again = _actions(Decision.IS_THERE, Decision.SEND_AGAIN)
        if entry.doubt is Doubt.LOOKING:
            return *look, there, again
        (dismiss,) = _actions(Decision.DISMISS)
        absent = self._outbox.absent_count
        if absent > 1:
            everybody = EntryAction(Decision.SEND_ALL_AGAIN, _all_again_words(absent))
            return *look, there, again, everybody, dismiss
        return *look, there, again, dismiss

    def decide(self, entry_id: str, decision: Decision) -> None:
        """Have it done, unless the entry has gone on meanwhile and it no longer applies.

        `UNDO` and `CORRECT` are the quick-add line's: nothing happens here.
        """
        outbox = self._outbox
        acts: dict[Decision, Callable[[str], object]] = {
            Decision.CONFIRM: outbox.confirm_candidate,
            Decision.REJECT: outbox.reject_candidate,
            Decision.LOOK_NOW: outbox.look_now,
            Decision.IS_THERE: outbox.is_there,
            Decision.SEND_AGAIN: outbox.send_again,
            Decision.SEND_ALL_AGAIN: lambda _entry_id: self._send_all_again(),
            Decision.DISMISS: outbox.dismiss,
        }
        act = acts.get(decision)
        if act is None:
            return
        try:
            act(entry_id)
        except ExpectedError as error:
            self._feedback.say_error(error)

    async def _all_again(self) -> None:
        await self._outbox.send_all_again()

    def held_up_by(self, entry: OutboxEntry) -> OutboxEntry | None:
        """The unsettled entry that a waiting one waits for, or None."""
        return self._outbox.held_up_by(entry.id)

    @property
    def pause_reason(self) -> PauseReason | None:
        """Why nothing is sent or looked for at present, or None."""
        return self._outbox.pause_reason


def _actions(*decisions: Decision) -> tuple[EntryAction, ...]:
    said = {
        Decision.UNDO: (tr("Undo"), "undo"),
        Decision.CORRECT: (tr("Correct and send"), ""),
        Decision.CONFIRM: (tr("Yes, that is the one"), "check"),
        Decision.REJECT: (tr("No, somebody else"), ""),
        Decision.LOOK_NOW: (tr("Look now"), "search"),
        Decision.IS_THERE: (tr("They are there"), "check"),
        Decision.SEND_AGAIN: (tr("Send again"), "refresh"),
        Decision.DISMISS: (tr("Take off the list"), "remove"),
    }
    return tuple(EntryAction(each, *said[each]) for each in decisions)


def _all_again_words(absent: int) -> str:
    return trn("Send {n} again", "Send all {n} again", absent)
