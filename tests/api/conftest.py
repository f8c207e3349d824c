"""A service on loopback that does exactly what a test says, well-behaved or not."""

import asyncio
import contextlib
import json
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.requests import Limits

KEY = "key-of-the-scripted-service"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived; header names in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The query, decoded."""
        return parse_qs(urlsplit(self.target).query, keep_blank_values=True)


Act = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


class ScriptedService:
    """Answers one request after the other with the acts it was given; the last one repeats."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.connections = 0
        self._acts: list[Act] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._scheme = "http"
        self._first = asyncio.Event()
        self._blurt: bytes | None = None

    async def start(self, tls: ssl.SSLContext | None = None) -> None:
        """Listen on a free port."""
        self._scheme = "https" if tls else "http"
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)

    async def stop(self) -> None:
        """End every connection and stop listening."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    @property
    def base_url(self) -> str:
        """Where it listens."""
        assert self._server is not None
        return f"{self._scheme}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def answers(self, *acts: Act) -> None:
        """From now on answer with these, in this order."""
        self._acts = list(acts)

    def blurts(self, blurt: bytes) -> None:
        """Send this to whoever sends anything at all, and end the connection."""
        self._blurt = blurt

    async def is_asked(self) -> None:
        """Wait for the first request."""
        await self._first.wait()

    def client(
        self,
        limits: Limits | None = None,
        on_outcome: "Callable[[Exception | None], None] | None" = None,
    ) -> ServiceClient:
        """A client of this service; its retries hardly wait."""
        limits = limits or Limits(first_pause=0.001, deadline=10.0)
        return ServiceClient(self.base_url, ApiKey(KEY), on_outcome=on_outcome, limits=limits)

    def tree(self, content: object, status: int = 200, **headers: str) -> Act:
        """JSON."""
        return self.body(json.dumps(content).encode(), status, "application/json", **headers)

    def fail(self, status: int, code: object, message: str = "No.", **headers: str) -> Act:
        """A failure in the envelope."""
        error = {"code": code, "message": message}
        return self.tree(
            {"generated_in": "0.01", "status": "fail", "error": error}, status, **headers
        )

    def people(self, *ids: str, **counts: object) -> Act:
        """A page with people of these ids, and the counts as given."""
        found = [{"id": known_as, "firstname": "A", "lastname": known_as} for known_as in ids]
        return self.tree({"status": "ok", "people": {**counts, "person": found}})

    def body(self, body: bytes, status: int = 200, media: str = "text/html", **headers: str) -> Act:
        """Any bytes with a length; underscores in header names stand for dashes."""
        fields = {"Content-Type": media, "Content-Length": str(len(body))}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return self.raw(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + body)

    def raw(self, *pieces: bytes, pause: float = 0.0, close: bool = False) -> Act:
        """These bytes, with a pause in seconds after each, and then perhaps the end."""

        async def act(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)
            if close:
                writer.close()

        return act

    def silence(self) -> Act:
        """Nothing, for ever."""

        async def act(_asked: Asked, _writer: asyncio.StreamWriter) -> None:
            await asyncio.Event().wait()

        return act

    def reset(self) -> Act:
        """The connection torn down without an answer."""

        async def act(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            connection: socket.socket = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

        return act

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        with contextlib.suppress(asyncio.CancelledError, asyncio.IncompleteReadError, OSError):
            if self._blurt is not None:
                await reader.read(1)
                writer.write(self._blurt)
                writer.close()
            while not writer.is_closing():
                asked = await _read(reader)
                self.asked.append(asked)
                self._first.set()
                act = self._acts.pop(0) if len(self._acts) > 1 else self._acts[0]
                await act(asked, writer)
        writer.close()
        # A task that ends cancelled is one that asyncio reports as an error of the connection.
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await writer.wait_closed()


async def _read(reader: asyncio.StreamReader) -> Asked:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
    method, target, _version = first.split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target, headers, body)


def _certificate_of_nobody(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = serialization.PrivateFormat.PKCS8
    text = key.private_bytes(pem, private, serialization.NoEncryption())
    path = folder / "nobody.pem"
    path.write_bytes(text + certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


@pytest.fixture
async def untrusted_service(tmp_path: Path) -> AsyncIterator[ScriptedService]:
    """A scripted service with a certificate nobody vouches for."""
    scripted = ScriptedService()
    await scripted.start(_certificate_of_nobody(tmp_path))
    yield scripted
    await scripted.stop()


@pytest.fixture
async def service() -> AsyncIterator[ScriptedService]:
    """A scripted service that is listening."""
    scripted = ScriptedService()
    await scripted.start()
    yield scripted
    await scripted.stop()
