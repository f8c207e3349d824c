"""Run in a process of its own: does what it is told line by line, and dies where it is told to.

It begins with one JSON object; each line it reads is a command, each line it writes an answer or
something that happened.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeAlias

import anyio._backends._asyncio  # noqa: F401 - as the next
import httpcore  # noqa: F401 - httpx loads it at the first request: each life would, anew

from app.people.duplicates.vocabulary import load_comparison
from tests.promises.naive import NaiveProgram
from tests.promises.real import RealProgram
from tests.promises.watched import DEATH, Careless, say

Program: TypeAlias = RealProgram | NaiveProgram
Told: TypeAlias = dict[str, Any]

load_comparison()  # as a life does for the first person it compares


def make(told: Told) -> Program:
    """The program under trial."""
    folder, address, token = Path(told["folder"]), told["address"], told["token"]
    if told["naive"]:
        return NaiveProgram(folder, address, token)
    return RealProgram(folder, address, token, Careless(told["careless"]))


async def main(told: Told) -> None:
    """From its start to the end of its input."""
    DEATH.watch()
    DEATH.await_(*told["die"])
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    program = make(told)
    await program.open()
    say(ready=True)
    while line := await reader.readline():
        await do(program, json.loads(line))
    await program.close()
    say(ended=True)


async def do(program: Program, told: Told) -> None:
    """One command."""
    match told.pop("do"):
        case "add":
            number = told["number"]
            entry_id = await program.add(number, told["person"], told["hold"])
            say(told=number, id=entry_id)
        case "batch":
            taken = await plainly_real(program).add_batch(told["people"], told["hold"])
            say(batch=taken)
        case "stop":
            say(done=await plainly_real(program).stop(told["batch_id"]))
        case "settle":
            program.send_now()
            say(settled=await program.settled())
        case "sign in":
            await program.sign_in(told["token"])
            say(done=True)
        case other:
            say(done=plain(program)[other](**told))


def plainly_real(program: Program) -> RealProgram:
    """The one that takes batches."""
    assert isinstance(program, RealProgram)
    return program


def plain(program: Program) -> dict[str, Callable[..., object]]:
    """Commands that are done at once."""
    more: dict[str, Callable[..., object]] = {}
    if isinstance(program, RealProgram):
        more = {
            "pause": program.pause,
            "go on": program.go_on,
            "read": program.read,
            "send all the same": program.send_all_the_same,
        }
    return more | {
        "undo": program.undo,
        "answer": program.answer,
        "credential": program.credential,
        "recognised": program.recognised,
        "clock": program.move_clock,
        "die": DEATH.await_,
    }


def run(to_hear: Connection, to_say: Connection, told: Told) -> None:
    """All of it, reading from the one and writing to the other as a program does."""
    for pipe, standard in ((to_hear, 0), (to_say, 1)):
        os.dup2(pipe.fileno(), standard)
        pipe.close()
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - ends with the process
    asyncio.run(main(told))
