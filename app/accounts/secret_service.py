"""Linux's Secret Service, approached in the one order that gnome-keyring survives.

It knows how a connection begins. The entries are keyring's; what a refusal means is the vault's.
"""

from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Slow, and on Linux alone: at run time only inside functions.
    from jeepney.io.blocking import DBusConnection  # type: ignore[import-untyped]
    from secretstorage import Collection

_OF_NOBODY = "of-nobody"


def open_collection(path: str | None = None) -> "Collection":
    """The default collection, or the one at `path`, on a connection that the caller closes.

    Somebody who has none is asked to make one. Raises what SecretStorage raises.
    """
    import secretstorage  # noqa: PLC0415 - slow, see above

    with ExitStack() as where_it_fails:
        bus = where_it_fails.enter_context(closing(secretstorage.dbus_init()))
        greet(bus)
        if path is not None:
            collection = secretstorage.Collection(bus, path)
        else:
            collection = default_collection(bus) or secretstorage.create_collection(
                bus, "Default", "default"
            )
        where_it_fails.pop_all()
    return collection


def greet(bus: "DBusConnection") -> None:
    """Be known to the Secret Service before anything is asked of it.

    gnome-keyring (seen in 42; its issues 190, 195, 196 and 199 tell the same of 50) learns who
    calls a moment too late: while other programs keep it busy, the first message of a connection
    may be handled before, and one that needs the caller ends the whole daemon. The next daemon is
    started locked. Asking what a name leads to that nothing has needs no caller.
    """
    import secretstorage  # noqa: PLC0415 - slow, see above

    with suppress(secretstorage.ItemNotFoundException):
        secretstorage.get_collection_by_alias(bus, _OF_NOBODY)


def default_collection(bus: "DBusConnection") -> "Collection | None":
    """The default collection, by the path of its own; None where there is none.

    Messages to the name "default" are led on by one thread of gnome-keyring while another may be
    writing where to: now and then the collection "does not exist", and who believes it asks the
    person for the password of a new one.
    """
    import secretstorage  # noqa: PLC0415 - slow, see above

    with suppress(secretstorage.ItemNotFoundException):
        return secretstorage.get_collection_by_alias(bus, "default")
    return None
