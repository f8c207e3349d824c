"""What sending many costs in the whole window, over loopback, from a few to ten thousand.

Beside it stands what no window can do without: the client alone adds somebody, and each is written
to the disk before and after that.
"""

import asyncio
import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("QT_API", "pyside6")

from qasync import QEventLoop

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.container import Container, StartOptions
from app.outbox.new_entry import new_entry
from app.runtime.crash import CrashReporter
from app.store.outbox.outbox import OutboxStore
from app.workspace.workspace import Workspace
from tests.benchmarks.figures import (
    FLOOR,
    Figure,
    Measure,
    application_of_all_rows,
    new_people,
    rows_of,
)

COUNTS = (300, 2_000, 10_000)
QUICK_COUNTS = (4,)
_ENOUGH_ALONE = 300


def figures(*, quick: bool) -> list[Figure]:
    """With each number of people: the floor, then taken and sent by the window."""
    application = application_of_all_rows()
    found: list[Figure] = []
    for people in QUICK_COUNTS if quick else COUNTS:
        with _service() as access, TemporaryDirectory(prefix="frontdesk-bench-") as folder:
            # A loop of its own, as in the program: the container's window ends with it.
            with QEventLoop(application) as loop:
                asyncio.set_event_loop(loop)
                found += loop.run_until_complete(_figures(people, Path(folder), *access))
            asyncio.set_event_loop(None)
    return found


@contextmanager
def _service() -> Iterator[tuple[str, str]]:
    """The demo service in a process of its own: its address and its key."""
    command = [sys.executable, "-P", "-m", "app", "demo-service", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            access = json.loads(process.stdout.readline())
            yield access["base_url"], access["api_key"]
        finally:
            process.terminate()


async def _figures(people: int, folder: Path, base_url: str, key: str) -> list[Figure]:
    measure = Measure()
    alone = min(people, _ENOUGH_ALONE)
    found = [await measure.figure(FLOOR, alone, lambda: _alone(alone, folder, base_url, key))]
    crashes = CrashReporter("bench")
    connection = folder / "connection.json"
    write_connection(connection, ConnectionDetails(name="Bench", base_url=base_url))
    container = Container(
        StartOptions(folder / "data", connection=connection, api_key=key), crashes
    )
    gc.freeze()
    running = asyncio.ensure_future(container.run())
    workspace = await _opened(container)
    found += [
        await measure.figure("taken", people, lambda: _take(workspace, people)),
        await measure.figure("sent", people, lambda: _send(workspace)),
    ]
    measure.stop()
    container.quit()
    await running
    if crashes.reports:
        raise RuntimeError(crashes.reports[0].details)
    return found


async def _alone(people: int, folder: Path, base_url: str, key: str) -> None:
    """Write, add and write one after the other, without a window, a list or an outbox."""
    store = OutboxStore.open(folder / "alone.sqlite3")
    async with ServiceClient(base_url, ApiKey(key)) as client:
        for typed, new in new_people(people):
            entry = new_entry(typed, new, datetime.now(UTC), 0)
            await store.save(entry)
            await client.create_person(new.firstname, new.lastname, new.email)
            await store.save(entry)
    await store.close()


async def _opened(container: Container) -> Workspace:
    """The account's lists once both were read."""
    while (workspace := container._switcher.shown) is None or workspace._reading():  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.5)
    return workspace


async def _take(workspace: Workspace, people: int) -> None:
    await workspace._outbox.batches.take("list", ("Name",), rows_of(new_people(people)))


async def _send(workspace: Workspace) -> None:
    """Until everybody is in the list of people."""
    meant = workspace._directory.count() + workspace._outbox.unsent_count
    workspace._outbox.send_now()
    while workspace._directory.count() < meant:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.01)
    assert not workspace._outbox.unsent_count
