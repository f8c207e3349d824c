"""One field for everything: what fits the typed letters, what was used last before all else.

What can be done is handed over when the palette opens; who does it is left to the window.
"""

from collections.abc import Sequence

import msgspec

from app.runtime.words import tr
from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.command_palette.name_fit import fit_as_written, fits, folded
from app.viewmodels.command_palette.named_in_account import NamedInAccount
from app.viewmodels.screen import Screen

_MOST_RECENT_SHOWN = 6
_RECENT_FITS = 5.0
"""So much better fits what was used before: not enough to stand before what fits otherwise."""
_FAR = 2.0
"""What fits so many times less than the best is left out."""
_KINDS = tuple(CommandKind)


class CommandPaletteState(msgspec.Struct, frozen=True):
    """What is shown below the field."""

    rows: tuple[Command, ...] = ()
    empty_words: str = ""
    """Why there are none."""
    is_looking: bool = False
    """Whether these are still those of the letters before: nothing was found for the new ones so
    far, and more is looked through.
    """


class CommandPaletteScreen(Screen[CommandPaletteState]):
    """What can be chosen by what is typed. Without an account there are actions alone."""

    def __init__(self) -> None:
        """Nothing can be chosen before it is opened."""
        super().__init__(CommandPaletteState())
        self._actions: Sequence[Command] = ()
        self._names: Sequence[tuple[str, str]] = ()
        """Of the actions, as they are compared."""
        self._actions_found: Sequence[tuple[float, Command]] = ()
        self._account: NamedInAccount | None = None
        self._query = ""
        self._recent: list[str] = []
        """While there is no account: what was chosen on the first page in this run."""

    def open(self, actions: Sequence[Command], account: NamedInAccount | None) -> None:
        """Offer these actions and settings, those used last first, and whoever is in `account`."""
        self._actions, self._account, self._query = actions, account, ""
        self._names = [(folded(_seen(one)), folded(one.further_words)) for one in actions]
        if account is not None:
            account.found_more.connect(self._show)
        self._show()

    def close(self) -> None:
        """Hold nothing of the account."""
        if self._account is not None:
            self._account.found_more.disconnect(self._show)
            self._account.stop()
        self._actions, self._account, self._query = (), None, ""
        self._names = self._actions_found = ()

    def search(self, query: str) -> None:
        """Show what is called so, or like it."""
        self._query = query
        # Once: with more people who are found the same are shown again.
        self._actions_found = self._find_actions()
        if self._account is not None:
            self._account.ask(query)
        self._show()

    def use(self, command: Command) -> None:
        """Somebody chose it: next time it stands first."""
        if self._account is not None:
            self._account.use(command)
        else:
            self._recent = [command.id, *(one for one in self._recent if one != command.id)]

    def _show(self) -> None:
        typed = bool(self._query.strip())
        rows = self._found() if typed else self._recent_first()
        if not rows and self._account is not None and self._account.is_looking:
            # For a moment: neither what nobody can know yet, nor an empty place.
            self._set_state(msgspec.structs.replace(self.state, is_looking=True))
            return
        words = tr("Nothing here matches “{query}”.", query=self._query.strip()) if typed else ""
        self._set_state(CommandPaletteState(tuple(rows), "" if rows else words))

    def _recent_ids(self) -> Sequence[str]:
        return self._account.recent if self._account is not None else self._recent

    def _recent_first(self) -> list[Command]:
        known = {command.id: command for command in self._actions}
        if self._account is not None:
            known |= self._account.recent_commands()
        first = [known[one] for one in self._recent_ids() if one in known][:_MOST_RECENT_SHOWN]
        # Settings are found by their names: all of them would hide what is done every day.
        actions = (one for one in self._actions if one.kind is CommandKind.ACTION)
        return [*first, *(command for command in actions if command not in first)]

    def _find_actions(self) -> list[tuple[float, Command]]:
        wanted = folded(self._query).split()
        well = zip(fits(wanted, self._names), self._names, self._actions, strict=True)
        found = [one for one in well if one[0]]
        # What is called so itself stands before what has the words among others.
        found.sort(key=lambda one: -fit_as_written(wanted, one[1][0]))
        return [(fit, command) for fit, _, command in found]

    def _found(self) -> list[Command]:
        found = [*self._actions_found]
        if self._account is not None:
            found += [*self._account.places(), *self._account.people()]
        best = max((well for well, _ in found), default=0.0)
        # Where something is called as it was typed, nobody meant what is only a little like it.
        found = [one for one in found if one[0] * _FAR >= best]
        recent = {one: at for at, one in enumerate(self._recent_ids())}

        def order(one: tuple[float, Command]) -> tuple[float, int, int]:
            well, command = one
            used = recent.get(command.id)
            better = _RECENT_FITS if used is not None else 0.0
            place = len(recent) if used is None else used
            return (-well - better, place, _KINDS.index(command.kind))

        return [command for _, command in sorted(found, key=order)]


def _seen(command: Command) -> str:
    return f"{command.words} {command.remark} {command.keys}"
