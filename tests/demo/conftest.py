"""A real demo service on loopback for each test, with a real HTTP client at its door."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from app.demo.credentials import API_KEY
from app.demo.options import DemoOptions
from app.demo.server import DemoServer
from tests.demo.scriptless import Browser
from tests.loopback import NO_CERTIFICATES

PATIENCE = 60.0
"""Seconds for an answer, if nothing else is asked for: thousands of flows are written into one, or
unpacked, while other tests have the processor.
"""


@pytest.fixture
def serve() -> Iterator[Callable[..., httpx.Client]]:
    """Start a service with the given options; gives a client that holds the key."""
    with ExitStack() as ending:

        def start(**options: object) -> httpx.Client:
            server = DemoServer(DemoOptions(**options))  # type: ignore[arg-type]  # by name
            ending.callback(server.stop)
            access = server.start()
            client = httpx.Client(
                base_url=access.base_url,
                auth=(API_KEY, ""),
                trust_env=False,
                verify=NO_CERTIFICATES,
                timeout=PATIENCE,
            )
            return ending.enter_context(client)

        yield start


@pytest.fixture
def client(serve: Callable[..., httpx.Client]) -> httpx.Client:
    """The service as it is without options."""
    return serve()


@pytest.fixture
def browser(client: httpx.Client) -> Iterator[Browser]:
    """A browser, which unlike the client holds no key."""
    with httpx.Client(base_url=client.base_url, trust_env=False, verify=NO_CERTIFICATES) as keyless:
        yield Browser(keyless)
