"""A queue of test files for several runs of pytest at once: each takes the next that nobody has,
most of them what took longest first when all ran last.

Who starts the runs, and how many, is `packaging/checks.py`'s; without `--work-queue` one run does
all that it was told to.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path

import pytest
from timings import REMEMBERED, Took

LONG = ("tests/end_to_end/", "tests/promises/")
"""What begins first as long as nobody knows how long it takes."""
FILES = pytest.StashKey[Sequence[pytest.File]]()
"""The test files in what pytest was told to run: folders, and files named one by one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the folder by which the runs know of each other."""
    parser.addoption("--work-queue", metavar="FOLDER", help="share the test files with other runs")
    parser.addoption("--from-the-end", action="store_true", help="take what takes longest last")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> bool | None:
    """With a queue folders are read, and each file later, by the run that takes it alone."""
    if session.config.getoption("--work-queue") is None:
        return None
    session.perform_collect(genitems=False)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: Sequence[pytest.Item | pytest.Collector]
) -> None:
    """Read the folders that were asked for. Later is too late: where collecting ends, pytest
    forgets the fixtures of each conftest whose folder nobody has read.
    """
    if config.getoption("--work-queue") is not None and FILES not in config.stash:
        config.stash[FILES] = list(files_in(items))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests of the files that this run gets hold of; None leaves it all to pytest."""
    folder = session.config.getoption("--work-queue")
    if folder is None or session.testsfailed:
        return None
    taken = items_taken(session, Path(folder))
    with Path(folder, f"seconds-{os.getpid()}.txt").open("w", encoding="utf-8") as notes:
        item = next(taken, None)
        while item is not None:
            # Known before the item runs: what both need, such as Chromium, stays in between.
            following = next(taken, None)
            # A test that breaks the run off stands there without what it took.
            notes.write(item.nodeid)
            notes.flush()
            begun = Took.by_now()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            took = Took.by_now() - begun
            notes.write(f"\t{took.wall}\t{took.processor}\n")
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
            item = following
    return True


def items_taken(session: pytest.Session, folder: Path) -> Iterator[pytest.Item]:
    """The items of one file after the other, as long as there is one that no other run took."""
    files = [*session.config.stash[FILES]]
    # Whether there is anything to do: a run from which the others take it all has not failed.
    session.testscollected = len(files)
    remembered = folder / REMEMBERED.name
    seconds = json.loads(remembered.read_text("utf-8")) if remembered.is_file() else {}
    files.sort(
        key=lambda file: seconds.get(file.nodeid, inf if file.nodeid.startswith(LONG) else 0.0),
        reverse=True,
    )
    if session.config.getoption("--from-the-end"):
        files.reverse()
    for file in files:
        try:
            (folder / file.nodeid.replace("/", "+")).touch(exist_ok=False)
        except FileExistsError:
            continue
        yield from items_of(session, file)


def files_in(nodes: Iterable[pytest.Item | pytest.Collector]) -> Iterator[pytest.File]:
    """The files with tests in these folders; none of them is imported yet."""
    for node in nodes:
        if isinstance(node, pytest.File):
            yield node
        elif isinstance(node, pytest.Directory):
            # By the hook, for that is what reads the folder's conftest.
            told = node.ihook.pytest_make_collect_report(collector=node)
            node.ihook.pytest_collectreport(report=told)
            yield from files_in(told.result)


def items_of(session: pytest.Session, file: pytest.File) -> list[pytest.Item]:
    """The tests of `file`, which is imported now."""
    items = list(session.genitems(file))
    config = session.config
    config.hook.pytest_collection_modifyitems(session=session, config=config, items=items)
    return items
