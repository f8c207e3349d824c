"""A service on loopback that answers each operation with what it was last given, byte for byte."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

MEDIA = {"json": "application/json", "xml": "text/xml", "php": "text/plain"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A body under an HTTP status."""

    body: bytes
    status: int = 200


Answers = Mapping[str, Sequence[Answer]]
"""By operation, `people` or `flows`: the pages, of which the last also answers for those behind."""


class AnsweringService(ThreadingHTTPServer):
    """Whatever is asked for gets the answers in force."""

    daemon_threads = True

    def __init__(self, answers: Answers) -> None:
        """Listens on a free port; `running` serves."""
        super().__init__(("127.0.0.1", 0), _Call)
        self.answers = answers
        self.asked = 0

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"

    @contextmanager
    def running(self) -> Iterator["AnsweringService"]:
        """Serve meanwhile."""
        thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.shutdown()
            self.server_close()
            thread.join()

    def handle_error(self, _request: object, _client_address: object) -> None:
        """A client that hangs up half-way is nothing to report."""


class _Call(BaseHTTPRequestHandler):
    server: AnsweringService
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        where = urlsplit(self.path)
        pages = self.server.answers["flows" if "peopleFlows" in where.path else "people"]
        number = int(parse_qs(where.query).get("page", ["1"])[0])
        given = pages[min(number, len(pages)) - 1]
        self.server.asked += 1
        # One write: head and body apart wait for each other on a connection that is kept.
        head = (
            f"HTTP/1.1 {given.status} Answer\r\nContent-Length: {len(given.body)}\r\n"
            f"Content-Type: {MEDIA.get(where.path.rpartition('.')[2], 'text/plain')}\r\n\r\n"
        )
        self.wfile.write(head.encode() + given.body)

    do_GET = do_POST = answer  # noqa: N815 - the base class looks for them

    def log_message(self, format: str, *_args: object) -> None:  # noqa: A002 - the base's name
        """Nothing on the terminal."""
