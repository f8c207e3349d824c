"""A short run of what `python -m tests.fuzz` does at length, and that it would notice."""

import mmap
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.fuzz import runs
from tests.fuzz.lists import LISTS, WORKBOOKS
from tests.fuzz.runs import Misbehaved, input_number, run
from tests.fuzz.subjects import SUBJECTS

SEED = 20240503


@pytest.mark.parametrize("reader", SUBJECTS)
def test_nothing_but_the_typed_error_comes_out_of_a_reader(reader: str) -> None:
    many = 12 if reader in WORKBOOKS else 120 if reader in LISTS else 400
    figures = run(reader, many, SEED)
    assert 0 < figures.taken < figures.inputs


@pytest.mark.parametrize("reader", ["json", "xml", "php", *LISTS])
def test_the_documents_that_inputs_are_made_from_are_good(reader: str) -> None:
    assert all(SUBJECTS[reader].read(document) for document in SUBJECTS[reader].documents)


def test_an_input_can_be_had_again() -> None:
    assert input_number("xml", 7, 11) == input_number("xml", 7, 11) != input_number("xml", 7, 12)


def _breaks(_body: bytes) -> bool:
    raise RecursionError


def _takes_long(_body: bytes) -> bool:
    return sum(range(30_000)) > 0


def _weighs_much(_body: bytes) -> bool:
    return len(bytearray(8 << 20)) > 0


def _hoards() -> Callable[[bytes], bool]:
    hoard: list[mmap.mmap] = []

    def read(_body: bytes) -> bool:
        # Not from the heap: what earlier tests gave back to it would hide that this one grows.
        hoard.append(mmap.mmap(-1, 32_768))
        hoard[-1].write(b"x" * 32_768)
        return True

    return read


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (_breaks, "RecursionError"),
        (_takes_long, "took"),
        (_weighs_much, "weighed"),
        (_hoards(), "grew"),
    ],
)
def test_a_reader_that_breaks_a_promise_is_noticed(
    read: Callable[[bytes], bool], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.fuzz.runs.SUBJECTS", {"bad": replace(SUBJECTS["json"], read=read)})
    if told == "took":
        monkeypatch.setattr(runs, "MOST_SECONDS", 0.00005)
    if runs.resident() is None and told == "grew":
        pytest.skip("this system does not tell how large a process is")
    with pytest.raises(Misbehaved, match=told):
        run("bad", 4000, SEED)
