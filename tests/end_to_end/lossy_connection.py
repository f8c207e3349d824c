"""A line to a real service on which some replies get lost after the work was done."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import httpx

from tests.loopback import NO_CERTIFICATES


class LossyConnection(ThreadingHTTPServer):
    """Passes every call on to the service, and drops the reply of those whose path has `lost`."""

    daemon_threads = True

    def __init__(self, service: str, lost: str) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        self.service = service
        self.lost = lost
        self.asked: list[str] = []
        self.base_url = f"http://127.0.0.1:{self.server_port}"
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Call(BaseHTTPRequestHandler):
    """One call on its way there and, unless it is lost, back."""

    server: LossyConnection
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def _pass_on(self) -> None:
        self.server.asked.append(urlsplit(self.path).path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        sent = {n: v for n, v in self.headers.items() if n in {"Authorization", "Content-Type"}}
        with httpx.Client(trust_env=False, verify=NO_CERTIFICATES) as client:
            answer = client.request(
                self.command, self.server.service + self.path, content=body, headers=sent
            )
        if self.server.lost in self.path:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)
