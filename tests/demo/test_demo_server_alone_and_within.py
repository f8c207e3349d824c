"""Starting and ending the service: inside another program, and alone as a command."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from msgspec.structs import asdict

from app.demo.credentials import API_KEY, IssuedTokens, Permission
from app.demo.envelope import CallError
from app.demo.options import REDIRECT_URI, DemoOptions, Fault, FaultKind
from app.demo.server import DemoServer, run
from tests.loopback import NO_CERTIFICATES

ROOT = Path(__file__).parents[2]
ALONE = "import sys; from app.demo.server import run; sys.exit(run(sys.argv[1:]))"
PEOPLE = "/v1/people/getAll.json"
Alone = Callable[..., "subprocess.Popen[str]"]


@contextmanager
def alone(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The command in a process of its own, ended whatever happens."""
    with subprocess.Popen(
        [sys.executable, "-W", "always::ResourceWarning", "-c", ALONE, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ask(base_url: str, patience: float = 30) -> httpx.Response:
    """Ask for people; only the wait for the answer is short, so that a busy machine can connect."""
    timeout = httpx.Timeout(30, read=patience)
    return httpx.get(
        base_url + PEOPLE,
        auth=(API_KEY, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
        timeout=timeout,
    )


def test_a_started_service_answers_at_once_and_a_stopped_one_not_at_all() -> None:
    server = DemoServer()
    access = server.start()
    assert ask(access.base_url).status_code == 200
    server.stop()
    server.stop()
    with pytest.raises(httpx.ConnectError):
        ask(access.base_url)


def test_stopping_before_starting_is_nothing() -> None:
    DemoServer().stop()


def test_access_is_the_same_at_every_start_but_for_the_port() -> None:
    seen = []
    for _ in range(2):
        server = DemoServer()
        seen.append(asdict(server.start()) | {"base_url": ""})
        server.stop()
    assert seen[0] == seen[1]
    assert seen[0]["redirect_uri"] == REDIRECT_URI
    assert all(seen[0][name] for name in ("client_id", "client_secret", "user", "password"))


def test_the_key_that_is_told_opens_the_account() -> None:
    server = DemoServer()
    access = server.start()
    found = httpx.get(
        access.base_url + PEOPLE, auth=(access.api_key, ""), trust_env=False, verify=NO_CERTIFICATES
    )
    server.stop()
    assert found.status_code == 200


def test_a_service_that_was_away_comes_back_on_its_port_with_its_people() -> None:
    server = DemoServer()
    access = server.start()
    httpx.post(
        f"{access.base_url}/v1/people/create.json",
        json={"firstname": "Ada"},
        auth=(API_KEY, ""),
        trust_env=False,
        verify=NO_CERTIFICATES,
    )
    server.stop()
    assert server.start() == access
    assert ask(access.base_url).json()["people"]["total"] == 241
    server.stop()


def test_starting_twice_is_refused() -> None:
    server = DemoServer()
    server.start()
    with pytest.raises(RuntimeError, match="running already"):
        server.start()
    server.stop()


def test_a_taken_port_is_an_error_of_start_and_leaves_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = DemoServer(DemoOptions(port=taken.getsockname()[1]))
        with pytest.raises(OSError, match="in use"):
            server.start()
        server.stop()


def test_a_service_that_cannot_be_built_fails_in_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.demo.service.make_account", None)
    server = DemoServer()
    with pytest.raises(TypeError):
        server.start()
    server.stop()


def test_stopping_ends_calls_under_way_and_idle_connections() -> None:
    server = DemoServer(DemoOptions(faults=(Fault(FaultKind.HANG, 0.5),)))
    access = server.start()
    outcomes: list[object] = []

    def call() -> None:
        try:
            outcomes.append(ask(access.base_url).status_code)
        except httpx.TransportError as error:
            outcomes.append(type(error).__name__)

    callers = [threading.Thread(target=call) for _ in range(8)]
    for caller in callers:
        caller.start()
    with httpx.Client(base_url=access.base_url, trust_env=False, verify=NO_CERTIFICATES) as idle:
        idle.get("/")
        while outcomes.count(200) == 0:
            pass
        server.stop()
    for caller in callers:
        caller.join(5)
    # Each was answered or lost its connection, whenever it came; none was told of a defect.
    assert len(outcomes) == 8
    assert {outcome for outcome in outcomes if isinstance(outcome, int)} == {200}


def test_a_caller_who_arrives_as_the_service_ends_is_not_left_waiting() -> None:
    server = DemoServer()
    port = int(server.start().base_url.rpartition(":")[2])
    assert server._loop
    # The loop is held, so that the caller and the end are both waiting for it when it goes on.
    server._loop.call_soon_threadsafe(time.sleep, 0.2)
    with socket.create_connection(("127.0.0.1", port), 5) as caller:
        caller.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        server.stop()
        # An answer will do, and so will an end; a timeout would fail the test.
        with suppress(ConnectionResetError):
            caller.recv(1)


def test_a_call_that_is_slow_to_work_does_not_hold_the_stop() -> None:
    server = DemoServer(DemoOptions(faults=(Fault(FaultKind.SLOW),), slow_seconds=60))
    access = server.start()
    with pytest.raises(httpx.ReadTimeout):
        ask(access.base_url, patience=0.2)
    server.stop()


def test_importing_the_server_imports_no_library_that_serves() -> None:
    code = (
        "import sys, app.demo.server; "
        "print([n for n in ('uvicorn', 'starlette', 'jinja2') if n in sys.modules])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def test_the_service_can_be_built_without_uvicorn() -> None:
    code = "import sys, app.demo.service; print('uvicorn' in sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "False"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send these signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_alone_it_says_its_access_first_and_ends_cleanly_when_told(number: int) -> None:
    with alone("--port", "0", "--people", "70", "--fault", "hang:0") as process:
        assert process.stdout
        access = json.loads(process.stdout.readline())
        assert list(access) == [
            *("base_url", "client_id", "client_secret", "redirect_uri"),
            *("api_key", "user", "password"),
        ]
        with httpx.Client(
            auth=(access["api_key"], ""), trust_env=False, verify=NO_CERTIFICATES
        ) as open_connection:
            found = open_connection.get(access["base_url"] + PEOPLE).json()["people"]
            assert found["total"] == 70
            process.send_signal(number)
            output, errors = process.communicate(timeout=10)
    assert (process.returncode, output, errors) == (0, "", "")


def test_alone_a_taken_port_is_one_sentence_and_exit_code_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with alone("--port", str(port)) as process:
            output, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert output == ""
    assert errors.splitlines() == [
        f"Port {port} is taken by another program. Choose another one with --port."
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--port", "x"],
        ["--port", "65536"],
        ["--port", "0", "--people", "1000001"],
        ["--port", "0", "--flows", "-1"],
        ["--port", "0", "--token-lifetime", "0"],
        ["--port", "0", "--page-size-max", "0"],
        ["--port", "0", "--fault", "sloww"],
        ["--port", "0", "--fault", "slow:2"],
        ["--port", "0", "--nested"],
    ],
)
def test_a_command_line_that_makes_no_sense_is_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "usage: frontdesk demo-service" in captured.err


def test_tokens_last_as_long_as_they_were_issued_for_and_survive_a_restart() -> None:
    now = 1000.0
    token = IssuedTokens(60, lambda: now).issue([Permission.MANAGE_SONGS])
    assert IssuedTokens(60, lambda: now + 59.9).read(token) == {Permission.MANAGE_SONGS}
    with pytest.raises(CallError) as expired:
        IssuedTokens(9999, lambda: now + 60).read(token)
    assert expired.value.code == 121


def test_a_token_changed_in_any_place_is_unknown() -> None:
    tokens = IssuedTokens(60)
    token = tokens.issue([Permission.MANAGE_SONGS])
    for place in range(len(token) - 1):
        other = "A" if token[place] != "A" else "B"
        with pytest.raises(CallError) as unknown:
            tokens.read(token[:place] + other + token[place + 1 :])
        assert unknown.value.code == 102
