"""What the first page's fields say: filled from what is known, and which of them is wrong."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.accounts.account import Account, WayIn
from app.accounts.connection_file import Connection
from app.viewmodels.guarded import Guarded
from app.viewmodels.ways_in import (
    Field,
    FieldProblem,
    FieldRefused,
    Filled,
    WaysIn,
    as_known,
    field_to_blame,
    new_account,
    no_key,
    ways_in_of,
)


class FirstPage(Guarded, QObject):
    """The fields of the two ways in that have any. What somebody typed is never taken away."""

    changed = Signal()
    """The known accounts or the problem are others."""
    filled = Signal(object)
    """Carries a `Filled`: what the fields of one way in are to say from now on."""

    def __init__(self, known: Callable[[], Sequence[Account]]) -> None:
        """`known` gives the accounts of this computer, the one used last first."""
        super().__init__()
        self._read_known = known
        self.known = known()
        self.problem: FieldProblem | None = None
        self._fields = {way_in: self._begun_with(way_in) for way_in in (WayIn.PAGE, WayIn.KEY)}

    def ways_in(self, way_in: WayIn) -> WaysIn:
        """What the fields of a way in say, as far as anybody has pressed its button."""
        return self._fields[way_in]

    def account(self, ways_in: WaysIn, way_in: WayIn, key: str = "") -> Account:
        """The account these fields describe, a known one if it is; raises FieldRefused."""
        self._fields[way_in] = ways_in
        self._set_problem(None)
        account = as_known(new_account(ways_in, way_in), self._read_known())
        if way_in is WayIn.KEY and not key:
            raise no_key()
        return account

    def take_account(self, account: Account) -> None:
        """Somebody left this account: signing in to it again needs no typing."""
        self.reread_known()
        if account.way_in is not WayIn.DEMO:
            self._fill(Filled(account.way_in, ways_in_of(account)))

    def ask_key_of(self, account: Account) -> None:
        """Only the key is missing to sign in to this account."""
        self._fill(Filled(WayIn.KEY, ways_in_of(account), Field.KEY))

    def ask_secret_of(self, account: Account) -> None:
        """Only the client secret is missing to sign in to this account."""
        self._fill(Filled(WayIn.PAGE, ways_in_of(account), Field.SECRET))

    def take_connection(self, connection: Connection) -> None:
        """Fill the fields from a connection; one without a client ID is for an API key."""
        ways_in = ways_in_of(connection)
        self._set_problem(None)
        self._fill(Filled(WayIn.PAGE, ways_in))
        if connection.client_id is None:
            self._fill(Filled(WayIn.KEY, ways_in, Field.KEY))

    def blame(self, error: Exception, way_in: WayIn | None) -> None:
        """Mark the field that has to be changed before this can work, if it is one."""
        field = field_to_blame(error, way_in)
        if field is not None and way_in is not None:
            suggestion = error.suggestion if isinstance(error, FieldRefused) else ""
            self._set_problem(FieldProblem(way_in, field, str(error), suggestion))

    def forget_problem(self) -> None:
        """Somebody types into the field that was wrong."""
        self._set_problem(None)

    def reread_known(self) -> None:
        """An account of this computer was added, renamed or forgotten."""
        before, self.known = self.known, self._read_known()
        there = {account.id for account in self.known}
        for account in before:
            if account.id not in there and account.way_in in self._fields:
                self._empty(account)
        self.changed.emit()

    def _begun_with(self, way_in: WayIn) -> WaysIn:
        used = next((account for account in self.known if account.way_in is way_in), None)
        return ways_in_of(used) if used is not None else WaysIn()

    def _empty(self, forgotten: Account) -> None:
        """What this computer no longer knows does not stand in its fields any more."""
        said = ways_in_of(forgotten)
        if self._fields[forgotten.way_in] == said:
            self._fill(Filled(forgotten.way_in, WaysIn(), in_place_of=said))

    def _fill(self, filled: Filled) -> None:
        self._fields[filled.way_in] = filled.ways_in
        self.filled.emit(filled)

    def _set_problem(self, problem: FieldProblem | None) -> None:
        if problem != self.problem:
            self.problem = problem
            self.changed.emit()
