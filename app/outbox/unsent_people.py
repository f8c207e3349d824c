"""Who is kept on this computer for one account and not sent yet, as far as that can be told.

Finding that out is left to whoever opens the files, and saying it to the screens.
"""

import msgspec

from app.model.outbox import OutboxEntry
from app.store.outbox.outbox import Rescue


class UnsentPeople(msgspec.Struct, frozen=True):
    """The entries that are not done, and what keeps them from being all there is to say.

    `unread` says in a sentence why there may be more whom nobody can read now; blank where all
    could be read. `elsewhere` is the address of another account, or another address of this one,
    that `entries` are meant for; blank where they are this account's. `rescue` is what became of a
    damaged file, or another account's, and has not been read by anybody yet. `set_aside` are those
    in files that were set aside elsewhere, until the account is opened at the address they name.
    """

    entries: tuple[OutboxEntry, ...] = ()
    unread: str = ""
    elsewhere: str = ""
    rescue: Rescue | None = None
    set_aside: tuple[OutboxEntry, ...] = ()

    @property
    def nobody(self) -> bool:
        """Whether surely nobody is waiting; what cannot be told must not be lost."""
        return not (self.entries or self.set_aside or self.unread or self.rescue)
