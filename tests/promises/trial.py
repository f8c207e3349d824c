"""Many rounds: shared out among accounts, which go side by side in processes of their own."""

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tests.promises.account import of_account
from tests.promises.tally import Figures
from tests.promises.watched import Careless

ROUNDS_OF_AN_ACCOUNT = 25
"""Few enough for its list to stay short: reading it is a part of many rounds."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be tried; `at_once` accounts side by side, in this process alone for 0."""

    rounds: int
    seed: int
    at_once: int
    naive: bool = False
    careless: Careless = Careless.NOT_AT_ALL
    batches: bool = False


def trial(asked: Trial, folder: Path) -> Figures:
    """The figures of all accounts together."""
    figures, accounts = Figures(), tuple(_accounts(asked, folder))
    if not asked.at_once:
        for one in map(of_account, accounts):
            figures += one
        return figures
    with ProcessPoolExecutor(asked.at_once, get_context("spawn")) as processes:
        for one in processes.map(of_account, accounts):
            figures += one
    return figures


def _accounts(asked: Trial, folder: Path) -> Iterator[str]:
    for number, first in enumerate(range(0, asked.rounds, ROUNDS_OF_AN_ACCOUNT)):
        yield json.dumps(
            {
                "folder": str(folder / str(number)),
                "seed": f"{asked.seed}.{number}",
                "rounds": min(ROUNDS_OF_AN_ACCOUNT, asked.rounds - first),
                "naive": asked.naive,
                "careless": asked.careless,
                "batches": asked.batches,
            }
        )
