"""Why somebody was not added, or why nobody knows, as it is kept and as it is said."""

from datetime import UTC, datetime

import msgspec
import pytest

from app.model.cause import Cause, CauseKind
from app.model.outbox import EntryState, NewPerson, OutboxEntry

WHEN = datetime(2026, 5, 1, tzinfo=UTC)
OLD = "Dieser Tarif ist abgelaufen."


def kept(**why: object) -> OutboxEntry:
    """A refused entry as it is read from a file in which `why` stands."""
    entry = OutboxEntry(
        id="1",
        typed="Ada",
        new_person=NewPerson(firstname="Ada"),
        state=EntryState.REFUSED,
        typed_at=WHEN,
        send_at=WHEN,
    )
    document = msgspec.to_builtins(entry)
    del document["cause"]
    return msgspec.convert(document | why, OutboxEntry)


@pytest.mark.parametrize("kind", CauseKind)
def test_each_has_a_sentence(kind: CauseKind) -> None:
    assert str(Cause(kind, host="example.org", person="Ada")).endswith(".")


def test_what_an_older_version_kept_is_said_as_it_was() -> None:
    assert kept(reason=OLD).reason_words == OLD


def test_what_a_later_version_knows_is_said_in_the_words_it_was_kept_in() -> None:
    assert kept(reason=OLD, cause={"kind": "plan ended", "since": "May"}).reason_words == OLD
