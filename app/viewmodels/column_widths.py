"""How the columns of the People table share the width there is, so that none is cut off.

All widths are device independent pixels. What a letter measures is the view's affair.
"""

from collections.abc import Mapping

from app.viewmodels.cells import Column

Widths = dict[Column, int]
_SHARES = {Column.NAME: 0.4, Column.EMAIL: 0.4, Column.PHONE: 0.07, Column.MOBILE: 0.07}
"""How the columns share what is left over; the last one takes the rest."""
_GIVE_FIRST = (Column.NAME, Column.EMAIL)
"""A name that is cut can still be told; a number or a date that is cut says nothing."""


def shared(comfortable: Mapping[Column, int], room: int) -> Widths:
    """The widths where nobody set any: what is comfortable, and a share of what is left over."""
    left = max(room - sum(comfortable.values()), 0)
    return {
        column: width + int(left * _SHARES.get(column, 0)) for column, width in comfortable.items()
    }


def fitted(wanted: Mapping[Column, int], least: Mapping[Column, int], room: int) -> Widths:
    """As near to `wanted` as fits into `room`, no column narrower than its `least`.

    The last column takes what is left over. Where even the least is too much, it is given.
    """
    fit = {column: max(width, least[column]) for column, width in wanted.items()}
    for givers in (_GIVE_FIRST, tuple(Column)):
        _take(fit, least, givers, sum(fit.values()) - room)
    fit[Column.ADDED] += max(room - sum(fit.values()), 0)
    return fit


def _take(fit: Widths, least: Mapping[Column, int], givers: tuple[Column, ...], much: int) -> None:
    """Take `much` from the givers, from each by what it has to spare."""
    for number, column in enumerate(givers):
        spare = {giver: fit[giver] - least[giver] for giver in givers[number:]}
        together = sum(spare.values())
        if much <= 0 or not together:
            return
        given = min(-(-much * spare[column] // together), spare[column])
        fit[column] -= given
        much -= given
