"""The figures of a trial as lines to read and to put beside others."""

from collections import Counter

from tests.promises.plan import OF_A_BATCH, STAGES, WITHOUT_A_LIST
from tests.promises.tally import Figures


def table(name: str, seed: int, figures: Figures, seconds: float) -> str:
    """All figures; `seconds` by the clock on the wall, of all accounts side by side."""
    rows = [
        (name, f"seed {seed}"),
        ("LOST", figures.lost),
        ("DUPLICATED", figures.duplicated),
        ("FORGOTTEN", figures.forgotten),
        ("taken for somebody else", figures.mistaken),
        ("in the list, never typed", figures.strangers),
        ("batches taken in part", figures.torn),
        ("crashes", len(figures.crashes)),
        ("rounds", figures.rounds),
        ("people typed", figures.typed),
        ("  in so many batches", figures.batches),
        ("  acknowledged", figures.acknowledged),
        ("  undone", figures.undone),
        ("  in the list at the end", figures.in_the_list),
        ("  given up, and said so", figures.gave_up),
        ("  still to be decided", figures.still_open),
        ("starts", figures.starts),
        ("kills (-9)", figures.kills.total()),
        *_each(figures.kills, (*STAGES, *WITHOUT_A_LIST, *OF_A_BATCH)),
        ("spoilt or lost replies", figures.lost_replies),
        ("creates beside another", figures.side_by_side),
        ("line dropped", figures.lines_dropped),
        ("token expired", figures.tokens_expired),
        ("list forgotten", figures.lists_forgotten),
        ("wall clock moved", figures.clocks_moved),
        ("orderly ends", figures.orderly_ends),
        ("asked", figures.asked.total()),
        *_each(figures.asked),
        ("answered", figures.answered.total()),
        *_each(figures.answered),
        ("seconds", f"{seconds:.0f}"),
    ]
    lines = [f"{label:34}{value:>10}" for label, value in rows]
    return "\n".join([*lines, *sorted(set(figures.crashes))[:20]])


def _each(counted: Counter[str], order: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    labels = [*order, *sorted(counted.keys() - set(order))]
    return [(f"  {label}", counted[label]) for label in labels]
