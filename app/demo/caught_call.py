"""One call in the hands of a fault: work can be held back, its answer withheld or cut in two."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(slots=True)
class Answer:
    """What the service wanted to send, caught on its way out."""

    start: Message = field(default_factory=dict)
    body: bytes = b""

    async def catch(self, message: Message) -> None:
        """Stands in for ASGI's `send`."""
        if message["type"] == "http.response.start":
            self.start = message
        else:
            self.body += message.get("body", b"")


class CaughtCall:
    """The ASGI parts of a call, the service behind, and how far the answer has come."""

    def __init__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self._app = app
        self._receive = receive
        self._send = send
        self._answer: Answer | None = None
        self._sent: int | None = None
        self._heard: deque[Message] = deque()

    async def work(self, **changed: object) -> Answer:
        """Let the service do its work, once; `changed` are other values in the scope."""
        if self._answer is None:
            self._answer = Answer()
            await self._app({**self.scope, **changed}, self._hear, self._answer.catch)
        return self._answer

    async def begin(self, *, share: float = 0.5, whole: bool = True) -> None:
        """Send the head of the answer and a share (0 to 1) of its body.

        Not `whole`: the head does not say how long the body will be.
        """
        answer = await self.work()
        headers = [
            pair for pair in answer.start["headers"] if whole or pair[0] != b"content-length"
        ]
        await self._send({**answer.start, "headers": headers})
        self._sent = int(len(answer.body) * share)
        await self.send_part(answer.body[: self._sent], more=True)

    async def finish(self) -> None:
        """Whatever is left to do: the work, the head, the rest of the body."""
        answer = await self.work()
        if self._sent is None:
            await self.begin(share=0)
        await self.send_part(answer.body[self._sent or 0 :], more=False)

    async def reply(self, response: Response) -> None:
        """Answer with this; where the answer has begun, its body comes in place of the rest."""
        if self._sent is None:
            await response(self.scope, self._receive, self._send)
        else:
            await self.send_part(bytes(response.body), more=False)

    async def send_part(self, body: bytes, *, more: bool) -> None:
        """A part of the body; the last one unless there is `more`."""
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def gone(self, seconds: float | None = None) -> bool:
        """Whether the caller leaves within the time; None waits for as long as it takes."""
        try:
            async with asyncio.timeout(seconds):
                while (message := await self._receive())["type"] != "http.disconnect":
                    self._heard.append(message)
        except TimeoutError:
            return False
        return True

    async def _hear(self) -> Message:
        """ASGI's `receive`, beginning with what was heard while the work was held back."""
        return self._heard.popleft() if self._heard else await self._receive()
