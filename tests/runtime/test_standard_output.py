"""What a command prints gets there, or the command ends with a word: with no page of traces."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ["Zoë Quist", "王 小明", "Ada 𠮷"]
FULL = Path("/dev/full")


@pytest.fixture
def check(tmp_path: Path) -> list[str]:
    """The words of a check of a list of three."""
    return check_of(NAMES, tmp_path)


@pytest.fixture
def long_check(tmp_path: Path) -> list[str]:
    """The same of a list that is told in many pieces."""
    return check_of(NAMES * 300, tmp_path)


def check_of(names: Sequence[str], folder: Path) -> list[str]:
    path = folder / "list.csv"
    rows = (f"{name},p{number}@x.org" for number, name in enumerate(names))
    path.write_text("\n".join(("Name,Email", *rows)), "utf-8")
    return ["import", str(path), "--check", "--data-folder", str(folder / "data")]


def run(words: Sequence[str], output: int, encoding: str = "utf-8") -> tuple[int, str, str]:
    """The exit code, what was printed into a pipe, and what was said beside it."""
    ended = subprocess.run(
        [sys.executable, "-m", "app", *words],
        cwd=ROOT,
        stdout=output,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=60,
        check=False,
    )
    return ended.returncode, (ended.stdout or b"").decode(encoding), ended.stderr.decode()


def test_a_reader_that_has_gone_is_told_nothing(long_check: list[str]) -> None:
    read, written = os.pipe()
    os.close(read)
    try:
        _, _, said = run(long_check, written)
    finally:
        os.close(written)
    assert said == ""


@pytest.mark.skipif(not FULL.exists(), reason="no device here is always full")
def test_where_there_is_no_room_it_is_said_in_one_sentence(long_check: list[str]) -> None:
    for words in (long_check, ["doctor", "--json"]):
        with FULL.open("wb") as full:
            code, _, said = run(words, full.fileno())
        assert (code, said.strip()) == (
            1,
            "The disk of this computer is full. Free some room, then try again.",
        )


def test_signs_that_the_terminal_has_not_are_replaced(check: list[str]) -> None:
    code, told, said = run(check, subprocess.PIPE, "ascii")
    assert (code, said) == (0, "")
    assert "Zo? | Quist | p0@x.org" in told


def test_json_says_such_signs_in_its_own_way(check: list[str]) -> None:
    code, told, said = run([*check, "--json"], subprocess.PIPE, "cp1252")
    assert (code, said) == (0, "")
    rows = json.loads(told)["rows"]
    people = [{row["firstname"], row["lastname"]} for row in rows[: len(NAMES)]]
    assert people == [set(name.split()) for name in NAMES]
