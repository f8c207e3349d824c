"""Killed (-9) at each stage of the way: at the next start each person gets there once."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from app.model.outbox import Doubt, EntryState
from tests.outbox.outbox_child import STAGES, FilePeople, FileService

if TYPE_CHECKING:
    from app.api.service import Service
    from tests.outbox.conftest import MakeOutbox

ROOT = Path(__file__).resolve().parents[2]
NEEDS_ANSWER = {"leaving", "asked"}
"""Killed there, the service never had her: only a person may send her again."""


def kill_at(stage: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.outbox.outbox_child", str(folder), stage],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize("stage", STAGES)
async def test_each_person_gets_there_once_after_a_kill(
    make_outbox: "MakeOutbox", tmp_path: Path, stage: str
) -> None:
    kill_at(stage, tmp_path)
    service = FileService(tmp_path / "people.jsonl")
    subject = make_outbox(path=tmp_path / "one" / "outbox.sqlite3", people=FilePeople(service))
    subject.session.service = cast("Service", service)
    assert len(subject.outbox.entries()) == 2
    subject.outbox.resume()
    await subject.settle()
    absent = [entry for entry in subject.outbox.entries() if entry.doubt is Doubt.ABSENT]
    assert len(absent) <= (stage in NEEDS_ANSWER)
    await subject.outbox.send_all_again()
    await subject.settle()
    assert {entry.state for entry in subject.outbox.entries()} == {EntryState.ADDED}
    assert sorted(person.firstname or "" for person in service.listed()) == ["Ada", "Bob"]
    by_id = {person.id: person.firstname for person in service.listed()}
    assert [by_id[entry.person_id or ""] for entry in subject.outbox.entries()] == [
        entry.new_person.firstname for entry in subject.outbox.entries()
    ]
