"""The quick-add line as a test holds it: what it says, and entries that come to it."""

from app.api.errors import InputRefused
from app.model.outbox import EntryState, OutboxEntry
from app.people.parsing.entry_parser import read_entry
from app.viewmodels.quick_add.quick_add import QuickAdd
from tests.viewmodels.conftest import AccountFixture

TOO_LONG = InputRefused("Refused", "The name is too long.")


def quick_add(account: AccountFixture) -> QuickAdd:
    """A line before the outbox of this account."""
    return QuickAdd(
        account.outbox, account.duplicates, account.settings, account.events, account.scope
    )


def said(line: QuickAdd) -> list[str]:
    """The sentences below the line."""
    state = line.state
    if not state.shows_reading:
        return [state.hint.words]
    return [state.email_fault] * bool(state.email_fault) + [one.words for one in state.remarks]


def says(line: QuickAdd, words: str) -> bool:
    """Whether one of these sentences has `words` in it."""
    return any(words in sentence for sentence in said(line))


def typed(account: AccountFixture) -> list[str]:
    """What stands in the outbox, as it was typed."""
    return [entry.typed for entry in account.outbox.entries()]


def names(account: AccountFixture) -> list[str]:
    """Who stands in the outbox."""
    return [entry.new_person.full_name for entry in account.outbox.entries()]


def save(line: QuickAdd, *texts: str, keep_last_name: bool = False) -> None:
    """Type and save one after the other."""
    for text in texts:
        line.type(text)
        assert line.save(keep_last_name=keep_last_name)


async def refused(account: AccountFixture, text: str) -> OutboxEntry:
    """An entry that the service did not take."""
    account.scripted.answers = [TOO_LONG]
    entry = account.outbox.add(text, read_entry(text))
    return await account.sent(entry, EntryState.REFUSED)
