"""A client as many are: it keeps who was typed in memory and tries each of them three times.

It is told apart from the real program by nothing else: the same client library, the same kills.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.api.auth import BearerToken
from app.api.errors import ApiError, NotAuthorised
from tests.promises.real import BACKOFF, LIMITS
from tests.promises.watched import DEATH, WatchedClient, say

TRIES = 3


class NaiveProgram:
    """Sends in order, retries what failed, and says so when it gives somebody up."""

    def __init__(self, _folder: Path, address: str, token: str) -> None:
        self._address = address
        self._client = WatchedClient(address, BearerToken(token), limits=LIMITS)
        self._waiting: list[tuple[int, dict[str, str]]] = []
        self._sending: asyncio.Task[None] | None = None
        self._halted = False

    async def open(self) -> None:
        """There is nothing to take up."""

    async def add(self, number: int, person: Mapping[str, Any], _hold: float) -> str:
        """Acknowledged at once."""
        DEATH.reached("before the write")
        fields = {name: text for name, text in person.items() if name != "known"}
        self._waiting.append((number, fields))
        self._wake()
        DEATH.reached("written, not told")
        return str(number)

    def undo(self, entry_id: str) -> bool:
        """It is on its way already."""
        del entry_id
        return False

    def answer(self, entry_id: str, decision: str) -> None:
        """It never asks."""
        del entry_id, decision

    def credential(self, token: str) -> None:
        """The token is another one."""
        self._client = WatchedClient(self._address, BearerToken(token), limits=LIMITS)

    async def sign_in(self, token: str) -> None:
        """Somebody signed in anew."""
        self.credential(token)
        self._halted = False
        self._wake()

    def recognised(self) -> None:
        """It never asks."""

    def send_now(self) -> None:
        """It holds nobody."""

    def move_clock(self, seconds: int) -> None:
        """It looks at no clock."""
        del seconds

    async def settled(self) -> dict[str, Any]:
        """How it stands once nothing goes on by itself."""
        if self._sending is not None:
            await asyncio.wait({self._sending})
        return {"halted": "sign in" if self._halted else "", "added": [], "asks": []}

    async def close(self) -> None:
        """It ends when everybody was tried; who waits for a sign-in is forgotten."""
        await self.settled()
        await self._client.aclose()

    def _wake(self) -> None:
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._waiting and not self._halted:
            number, person = self._waiting[0]
            try:
                await self._try(person)
            except NotAuthorised:
                self._halted = True
                return
            except ApiError:
                say(gave_up=number)
            self._waiting.pop(0)

    async def _try(self, person: dict[str, str]) -> None:
        for left in reversed(range(TRIES)):
            try:
                await self._client.create_person(**person)
            except NotAuthorised:
                raise
            except ApiError:
                if not left:
                    raise
                await asyncio.sleep(BACKOFF[0])
            else:
                return
