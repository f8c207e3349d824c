"""The sentences across the window, as data: what each says and offers.

Which of several stands there, and until when, is left to `window/notice_queue` and, where that is a
matter of time, to `window/session`.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from functools import partial, wraps
from typing import ParamSpec

import msgspec
from msgspec.structs import replace

from app.accounts.session import SessionState
from app.importing.list_name import list_name
from app.model.errors import ExpectedError, retranslatable_message
from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.outbox.events import PauseReason
from app.outbox.unsent_people import UnsentPeople
from app.runtime.words import retranslatable, retranslated, tr, trn
from app.store.outbox.outbox import Rescue
from app.viewmodels.formatting import list_names, number

_LISTS_NAMED = 3
REMARK_SECONDS = 20.0
"""The time to read what became of something that somebody has just done."""


class NoticeAction(Enum):
    """What a sentence across the window, or the header, offers to do."""

    NOTHING = auto()
    SIGN_IN_AGAIN = auto()
    TRY_AGAIN = auto()
    """Ask the vault of this computer once more."""
    CHECK_CONNECTION = auto()
    """Ask the service now whether it answers."""
    COPY_DETAILS = auto()
    SIGN_OUT = auto()
    CLOSE_ANYWAY = auto()
    SIGN_OUT_ANYWAY = auto()
    SEND_THERE = auto()
    """It is the right account: send those who wait there."""
    SAME_ACCOUNT = auto()
    """What is signed in to is the account this computer knows."""
    OTHER_ACCOUNT = auto()
    """It is another one at the same address."""
    SEND_UNCOMPARED = auto()
    """Send those who wait, though nobody knows whether they are there already."""
    SHOW_NEEDED = auto()
    """Lead to the first of those who go no further before somebody decides."""


LEAVING = frozenset({NoticeAction.CLOSE_ANYWAY, NoticeAction.SIGN_OUT_ANYWAY})
"""What answers whether to leave all the same: to put the question away is to stay."""


class Notice(msgspec.Struct, frozen=True):
    """A sentence across the window, with the one thing to do about it, rarely a second."""

    sentence: str
    action: NoticeAction = NoticeAction.NOTHING
    calm: bool = False
    details: str = ""
    about_connection: bool = False
    """Said because the connection is down; it is no longer true once it is back."""
    also: NoticeAction = NoticeAction.NOTHING
    first: bool = False
    """Somebody would be missed: it comes before the trouble that was said when it is put up."""
    passing: bool = False
    """About what somebody has just done: it goes when they go on, or had the time to read it."""

    @property
    def words(self) -> str:
        """The sentence, in the language that is spoken now."""
        return retranslated(self.sentence)


_Given = ParamSpec("_Given")


def _retranslatable_notice(make: Callable[_Given, Notice]) -> Callable[_Given, Notice]:
    """What such a function says may still stand when somebody chooses another language."""

    @wraps(make)
    def made(*given: _Given.args, **named: _Given.kwargs) -> Notice:
        sentence = retranslatable(lambda: make(*given, **named).sentence)
        return replace(make(*given, **named), sentence=sentence)

    return made


def _retranslatable_words(make: Callable[_Given, str]) -> Callable[_Given, str]:
    """The same of what says a sentence alone."""

    @wraps(make)
    def made(*given: _Given.args, **named: _Given.kwargs) -> str:
        return retranslatable(partial(make, *given, **named))

    return made


@_retranslatable_notice
def ended(said: str) -> Notice:
    """Access is over; `said` is what kept the vault from giving it at the start, or blank."""
    if said:
        action, also = NoticeAction.SIGN_IN_AGAIN, NoticeAction.TRY_AGAIN
        return Notice(retranslated(said), action, also=also)
    sentence = tr("Your sign-in has ended. Sign in again to go on where you are.")
    return Notice(sentence, NoticeAction.SIGN_IN_AGAIN)


@_retranslatable_notice
def given_key_refused(account: str) -> Notice:
    """The key that came with the start is not, or no longer, one of this account."""
    return Notice(given_key_words(account), NoticeAction.SIGN_IN_AGAIN)


def given_key_words(account: str) -> str:
    """Where a key that nobody typed comes from, and who says no to it."""
    return tr(
        "{account} does not accept the key that Front Desk was started with, which is the one in "
        "the environment variable {variable}. Ask whoever set up this computer for another, or "
        "sign in here.",
        account=shortened(account),
        variable="FRONTDESK_API_KEY",
    )


@_retranslatable_notice
def given_up(state: SessionState, *, given: object) -> Notice:
    """Somebody put an end to signing in; a key `given` at the start can be tried once more."""
    action = NoticeAction.TRY_AGAIN if given is not None else NoticeAction.NOTHING
    if state is SessionState.EXPIRED:
        action = NoticeAction.SIGN_IN_AGAIN
    sentence = tr("Signing in was cancelled. Nothing has changed.")
    return Notice(sentence, action, calm=True)


@_retranslatable_notice
def key_wanted(account: str) -> Notice:
    """An account with a key was chosen: keys are typed each time somebody signs in."""
    sentence = tr("Type or paste the key of {account} again.", account=shortened(account))
    return Notice(sentence, calm=True)


@_retranslatable_notice
def not_asked() -> Notice:
    """Somebody did not want to wait for the vault."""
    sentence = tr("Front Desk has stopped asking this computer's vault.")
    return Notice(sentence, NoticeAction.TRY_AGAIN, calm=True)


def went_wrong(error: Exception, state: SessionState, *, about_connection: bool) -> Notice:
    """An expected error, with its details to copy."""
    details = error.details if isinstance(error, ExpectedError) else ""
    first, also = (
        (NoticeAction.COPY_DETAILS if details else NoticeAction.NOTHING),
        NoticeAction.NOTHING,
    )
    if state is SessionState.EXPIRED:
        first, also = NoticeAction.SIGN_IN_AGAIN, first
    return Notice(
        retranslatable_message(error),
        first,
        details=details,
        about_connection=about_connection,
        also=also,
    )


def tried_again(error: ExpectedError) -> Notice:
    """The service cannot be reached with a key that was given at the start."""
    said = retranslatable_message(error)
    sentence = retranslatable(lambda: f"{retranslated(said)} {tr('Front Desk goes on trying.')}")
    also = NoticeAction.COPY_DETAILS if error.details else NoticeAction.NOTHING
    return Notice(sentence, NoticeAction.TRY_AGAIN, details=error.details, also=also)


@_retranslatable_notice
def vault_unsure() -> Notice:
    """Signed out, but a vault may still hold the key."""
    return Notice(
        tr(
            "You are signed out here, but the system's vault did not confirm "
            "that it forgot the key. Please look there."
        )
    )


@_retranslatable_words
def signing_out_words(*, half_typed: bool, unsent: int, kept: bool) -> str:
    """What signing out does to what was typed, in a sentence; blank where that is nothing.

    `kept`: it stays on this computer, half-typed or not, and is there at the next sign-in.
    """
    if kept:
        return _stays_words(unsent) if unsent else ""
    if half_typed and unsent:
        return trn(
            "The line for adding a person is not empty, and {n} person is not sent yet. "
            "Signing out loses both.",
            "The line for adding a person is not empty, and {n} people are not sent yet. Signing "
            "out loses all of that.",
            unsent,
        )
    if half_typed:
        return tr(
            "The line for adding a person is not empty. Signing out loses what is typed there."
        )
    if unsent:
        return trn(
            "{n} person is not sent yet and would be lost by signing out.",
            "{n} people are not sent yet and would be lost by signing out.",
            unsent,
        )
    return ""


def _stays_words(unsent: int) -> str:
    return trn(
        "{n} person is not sent yet. They stay on this computer and are sent once somebody "
        "signs in to this account again.",
        "{n} people are not sent yet. They stay on this computer and are sent once somebody "
        "signs in to this account again.",
        unsent,
    )


_MOST_NAMES = 3
_LONGEST_NAME = 40


@_retranslatable_notice
def given_people_wait(texts: Sequence[str], *, in_demo: bool, lasts: bool) -> Notice:
    """Whoever these texts say was named outside of the window, and nobody is signed in to an
    account of their own; `in_demo`: the demo account is shown; not `lasts`: they end with this run.
    """
    first, *others = _lines_of(texts) or [""]
    name, count = shortened(first), len(others)
    if others and in_demo:
        sentence = trn(
            "“{text}” and {n} other can be added once you are signed in to your own account: "
            "the demo account keeps nobody.",
            "“{text}” and {n} others can be added once you are signed in to your own account: "
            "the demo account keeps nobody.",
            count,
            text=name,
        )
    elif others:
        sentence = trn(
            "“{text}” and {n} other can be added once you are signed in.",
            "“{text}” and {n} others can be added once you are signed in.",
            count,
            text=name,
        )
    elif in_demo:
        sentence = tr(
            "“{text}” can be added once you are signed in to your own account: "
            "the demo account keeps nobody.",
            text=name,
        )
    else:
        sentence = tr("“{text}” can be added once you are signed in.", text=name)
    if not lasts:
        sentence = f"{sentence} {tr('What you type is not kept when this window closes.')}"
    return Notice(sentence, calm=True)


def named_in(texts: Sequence[str]) -> str:
    """Whom these texts say, for the middle of a sentence: the first few, and how many there are
    besides; blank for nobody.
    """
    lines = _lines_of(texts)
    return _names([shortened(line) for line in lines[:_MOST_NAMES]], len(lines))


def _lines_of(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in text.splitlines() if line.strip()]


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


def kept_for_later(kept: UnsentPeople, account: str) -> Notice:
    """Nobody is in, and these people are on this computer alone; `account` is its name, or blank
    where only the key it was opened with knew that.
    """
    place = shortened(account or tr("an account whose key was given at the start"))
    sentences = []
    if kept.rescue is not None:
        sentences.append(rescued(kept.rescue).sentence)
    if kept.unread:
        may = tr(
            "People for {account} may be waiting on this computer whom Front Desk cannot read now.",
            account=place,
        )
        sentences += [may, kept.unread]
    if kept.entries:
        first = [_name(entry) for entry in kept.entries[:_MOST_NAMES]]
        names = _names(first, len(kept.entries))
        sentences.append(
            _kept_elsewhere_words(names, len(kept.entries), place, kept.elsewhere)
            if kept.elsewhere
            else _kept_words(names, len(kept.entries), place)
        )
    # What became of them just now has said it already.
    rescue = kept.rescue
    told = rescue is not None and rescue.other_account and rescue.entries == len(kept.set_aside)
    if kept.set_aside and not told:
        first = [_name(entry) for entry in kept.set_aside[:_MOST_NAMES]]
        names = _names(first, len(kept.set_aside))
        sentences.append(_set_aside_words(names, len(kept.set_aside), place))
    calm = not (kept.rescue or kept.unread or kept.elsewhere or kept.set_aside)
    return Notice(" ".join(sentences), calm=calm)


def _kept_words(names: str, people: int, account: str) -> str:
    return trn(
        "{names} is not sent yet and stays on this computer for {account}, until somebody signs "
        "in to it again.",
        "{names} are not sent yet and stay on this computer for {account}, until somebody signs "
        "in to it again.",
        people,
        names=names,
        account=account,
    )


def _set_aside_words(names: str, people: int, account: str) -> str:
    return trn(
        "{names} is not sent yet and was set aside on this computer, for {account} at another "
        "address: they are here again once it is opened there.",
        "{names} are not sent yet and were set aside on this computer, for {account} at another "
        "address: they are here again once it is opened there.",
        people,
        names=names,
        account=account,
    )


def _kept_elsewhere_words(names: str, people: int, account: str, address: str) -> str:
    return trn(
        "{names} is not sent yet. The file in the place of {account} is for another account or "
        "another address, {address}: signing in to {account} sends nobody in it.",
        "{names} are not sent yet. The file in the place of {account} is for another account or "
        "another address, {address}: signing in to {account} sends nobody in it.",
        people,
        names=names,
        account=account,
        address=shortened(address),
    )


def _names(first: Sequence[str], people: int) -> str:
    """The first few of so many people."""
    return list_names(first, people - len(first))


def _name(entry: OutboxEntry) -> str:
    new = entry.new_person
    return shortened(new.full_name or new.email or entry.typed)


def shortened(text: str) -> str:
    """At most so much of it, for the middle of a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[:_LONGEST_NAME]}…"


def rescued(rescue: Rescue) -> Notice:
    """The file of those who are not sent was damaged, and what was read of it; or another's.

    Where a damaged file is now stands in the sentence, where another's is in the details.
    """
    missing = tr("There may have been more: please compare with your notes.")
    more = [missing] if rescue.may_miss else []
    if rescue.other_account:
        sentence = " ".join([_others_file(rescue), *more])
        return Notice(sentence, NoticeAction.COPY_DETAILS, details=rescue.path, first=True)
    where = tr(
        "The file for people who are not sent yet was damaged. It is kept as {path}.",
        path=rescue.path,
    )
    found = trn("{n} entry was read from it.", "{n} entries were read from it.", rescue.entries)
    return Notice(" ".join([where, found, *_lists_cut(rescue.lists), *more]), first=True)


def _lists_cut(lists: Sequence[str]) -> list[str]:
    """That the people of these lists are here, and not all that stood beside them."""
    if not lists:
        return []
    return [
        trn(
            "Not every row of the list {names} could be read as it stood in its file.",
            "Not every row of the lists {names} could be read as it stood in its file.",
            len(lists),
            names=_names([shortened(list_name(name)) for name in lists[:_LISTS_NAMED]], len(lists)),
        )
    ]


def _others_file(rescue: Rescue) -> str:
    if not rescue.entries:
        return tr(
            "What was kept here belongs to another account or another address, and is shown "
            "again when that one is opened."
        )
    if not rescue.names:
        # As it was noted before there were names.
        return trn(
            "{n} person is not sent: they were typed for another account or another address, and "
            "are here again when that one is opened.",
            "{n} people are not sent: they were typed for another account or another address, and "
            "are here again when that one is opened.",
            rescue.entries,
        )
    return trn(
        "{names} is not sent: they were typed for another account or another address, and are "
        "here again when that one is opened.",
        "{names} are not sent: they were typed for another account or another address, and are "
        "here again when that one is opened.",
        rescue.entries,
        names=_names([shortened(name) for name in rescue.names], rescue.entries),
    )


def not_the_same(unsent: int, *, compared: bool) -> Notice:
    """Nobody known here is in the account that was signed in to; so many wait for it.

    Not `compared`: this computer knows nobody of it any more.
    """
    question = tr("None of the people known here are in this account. Is it the right one?")
    if not compared:
        question = tr(
            "Front Desk cannot tell by its people whether this is the right account. Is it?"
        )
    waiting = trn(
        "{n} person is waiting to be sent there.",
        "{n} people are waiting to be sent there.",
        unsent,
    )
    sentence = f"{question} {waiting}" if unsent else question
    action = NoticeAction.SEND_THERE if unsent else NoticeAction.SAME_ACCOUNT
    return Notice(sentence, action, also=NoticeAction.SIGN_OUT)


def not_compared(waiting: int) -> Notice | None:
    """So many wait for a list of the account that does not come; None for nobody."""
    if not waiting:
        return None
    sentence = trn(
        "{n} person is not sent yet: the list of the account has not been read, so nobody knows "
        "whether they are there already. F5 reads it again.",
        "{n} people are not sent yet: the list of the account has not been read, so nobody knows "
        "whether they are there already. F5 reads it again.",
        waiting,
    )
    return Notice(sentence, NoticeAction.SEND_UNCOMPARED)


def say_soon() -> str:
    """Why nobody new is taken while the people known here are compared with the account's."""
    return tr("Front Desk is still comparing this account with what it knows. Try again soon.")


def say_first() -> str:
    """Why nobody new is taken while that question stands."""
    return tr("First say whether this is the right account. F5 asks again.")


@_retranslatable_notice
def which_account(account: str, unsent: int, *, compared: bool) -> Notice:
    """Before a sign-in is entered: whether it is to this `account`, for which so many wait.

    Not `compared`: there is nobody here, or nobody there, to tell it by.
    """
    name = shortened(account)
    question = tr(
        "None of the people known in {account} are in the account you are signing in to: another "
        "organisation may have the same address. Is it {account}?",
        account=name,
    )
    if not compared:
        question = tr(
            "Front Desk cannot tell by its people whether you are signing in to {account}. Is it?",
            account=name,
        )
    waiting = trn(
        "With yes, the {n} person who is waiting is added there for good.",
        "With yes, the {n} people who are waiting are added there for good.",
        unsent,
    )
    return Notice(
        f"{question} {waiting}" if unsent else question,
        # What cannot be taken back is not the answer that the keyboard comes to first.
        NoticeAction.OTHER_ACCOUNT,
        also=NoticeAction.SAME_ACCOUNT,
        first=True,
    )


@_retranslatable_notice
def of_its_own(known: str, name: str, unsent: int, *, compared: bool) -> Notice:
    """It is another account than the `known` one at that address, for which so many wait; as its
    people say where they could be `compared`.
    """
    none = tr("None of the people known in {known} are in this account.", known=shortened(known))
    own = tr("It is kept as an account of its own, {name}.", name=shortened(name))
    sentence = f"{none} {own}" if compared else own
    waiting = trn(
        "{n} person is not sent yet and stays on this computer for {known}, until somebody signs "
        "in to it again.",
        "{n} people are not sent yet and stay on this computer for {known}, until somebody signs "
        "in to it again.",
        unsent,
        known=shortened(known),
    )
    return Notice(f"{sentence} {waiting}" if unsent else sentence, calm=True)


def needs_person(first: Sequence[OutboxEntry], people: int, refused: int) -> Notice | None:
    """Who goes no further before somebody decides: so many `people`, of whom so many are `refused`,
    and `first` the first of them.
    """
    if not first:
        return None
    names, count = _names([_name(entry) for entry in first], people), number(people)
    if people == 1:
        sentence = _needs_words(first[0])
    elif people == refused:
        refused_words = tr("{count} people were not added: {names}.", count=count, names=names)
        sentence = f"{refused_words} {_reason_of_all(first, people)}"
    else:
        sentence = tr("{count} people need you: {names}.", count=count, names=names)
    return Notice(sentence, NoticeAction.SHOW_NEEDED)


def _needs_words(entry: OutboxEntry) -> str:
    name = _name(entry)
    if entry.state is EntryState.REFUSED:
        return tr("{name} was not added. {reason}", name=name, reason=_reason(entry))
    if entry.doubt is Doubt.LOOKS_LIKE:
        return tr(
            "It is not certain whether {name} was added: somebody in the list looks like the one.",
            name=name,
        )
    return tr("It is not certain whether {name} was added: the list does not have them.", name=name)


def _reason_of_all(first: Sequence[OutboxEntry], people: int) -> str:
    reasons = {_reason(entry) for entry in first}
    if len(first) == people and len(reasons) == 1:
        return reasons.pop()
    return tr("Beside each stands why.")


def _reason(entry: OutboxEntry) -> str:
    return entry.reason_words or tr("The account did not take this person.")


@_retranslatable_words
def closing_words(*, half_typed: bool, undecided: int, unsent: int) -> str:
    """What closing loses, in a sentence; blank where that is nothing.

    `unsent` people are not sent and kept nowhere, `undecided` of them because somebody has to
    decide.
    """
    if half_typed and unsent:
        return trn(
            "The line for adding a person is not empty, and {n} person is not sent yet. "
            "Closing now loses both.",
            "The line for adding a person is not empty, and {n} people are not sent yet. Closing "
            "now loses all of that.",
            unsent,
        )
    if half_typed:
        return tr("The line for adding a person is not empty. Closing loses what is typed there.")
    if undecided:
        return trn(
            "{n} person needs your decision. Closing forgets that.",
            "{n} people need your decision. Closing forgets that.",
            undecided,
        )
    if unsent:
        return trn(
            "{n} person is not sent yet. Front Desk closes as soon as that is done.",
            "{n} people are not sent yet. Front Desk closes as soon as that is done.",
            unsent,
        )
    return ""


@_retranslatable_words
def closing_file_words() -> str:
    """Before closing, while a file is written."""
    return tr(
        "A file is still being saved or printed. Front Desk closes as soon as that is done, "
        "in a minute at the latest."
    )


@_retranslatable_words
def losing_list_words(name: str, *, given: bool) -> str:
    """Before closing or signing out, while somebody works on a list, or was `given` one."""
    if given:
        return tr("Nobody of “{list}” is added yet. The list would be lost.", list=name)
    return tr("You changed “{list}”, and nobody of it is added yet. That would be lost.", list=name)


@_retranslatable_words
def losing_lists_words(lists: int) -> str:
    """The same for several."""
    return trn(
        "{n} list is not added yet. It would be lost.",
        "{n} lists are not added yet. They would be lost.",
        lists,
    )


@_retranslatable_words
def closing_unsent_words(waiting: int, reason: PauseReason) -> str:
    """Before closing: so many people cannot be sent now, and why; they stay on this computer.

    A question that nobody has answered by then is asked again at the next start.
    """
    sentence = trn("{n} person is not sent yet.", "{n} people are not sent yet.", waiting)
    why = {
        PauseReason.UNREACHABLE: tr("There is no connection."),
        PauseReason.SERVICE_FAULT: tr("The service had a problem."),
        PauseReason.SIGN_IN: tr("You are not signed in."),
        PauseReason.OTHER_ORGANISATION: tr("It is not certain yet whose account this is."),
        PauseReason.NOT_COMPARED: tr("The list of the account has not been read yet."),
        PauseReason.BY_HAND: tr("Sending is paused."),
        PauseReason.NO_ROOM: tr("There is no room left on this computer."),
    }[reason]
    stay = trn(
        "They stay on this computer and are sent at the next start.",
        "They stay on this computer and are sent at the next start.",
        waiting,
    )
    if reason is PauseReason.OTHER_ORGANISATION:
        stay = trn(
            "They stay on this computer until that is certain.",
            "They stay on this computer until that is certain.",
            waiting,
        )
    return f"{sentence} {why} {stay}"
