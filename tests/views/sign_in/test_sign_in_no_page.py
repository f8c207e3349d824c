"""Data instead of a page never stays in the sign-in window, least of all with a bar to print it."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

import pytest
from PySide6.QtCore import QRect

from app.model.errors import ExpectedError
from tests.views import pictures

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]
DialogAt = Callable[[str], Any]

# The platform without a screen says so for every window that has a smallest size.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints", extend=True)

NOT_FOUND = '{"code":404,"message":"Not Found"}'
BIG = "style='position:fixed;inset:0;width:100%;height:100%'"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, {"Content-Type": "application/json; charset=utf-8"}, NOT_FOUND), "data instead"),
        ((503, {"Content-Type": "application/json"}, NOT_FOUND), "The service has a problem"),
    ],
)
def test_data_in_place_of_the_first_page_becomes_a_sentence(
    run: Run, dialog_at: DialogAt, serve: Serve, answer: Answer, words: str
) -> None:
    base_url, _ = serve({"/oauth": answer})

    async def story() -> None:
        with pytest.raises(ExpectedError) as caught:
            await dialog_at(base_url).start()
        assert words in caught.value.message
        assert "Not Found" not in caught.value.message

    run(story())


def test_data_behind_a_page_ends_the_attempt_too(
    run: Run, dialog_at: DialogAt, serve: Serve
) -> None:
    link = f"<!doctype html><title>shown</title><body><a href=/data {BIG}>on</a>"
    data = (200, {"Content-Type": "application/json"}, NOT_FOUND)
    base_url, _ = serve({"/oauth": (200, {}, link), "/data": data})

    async def story() -> None:
        subject = dialog_at(base_url)
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        while not task.done():
            subject.click()
            await asyncio.sleep(0.05)
        with pytest.raises(ExpectedError) as caught:
            await task
        assert "data instead of a page" in caught.value.message

    run(story())


@pytest.mark.parametrize(
    ("status", "media"), [(404, "Text/HTML;charset=utf-8"), (200, "application/xhtml+xml")]
)
def test_a_page_stays_whatever_its_status(
    run: Run, dialog_at: DialogAt, serve: Serve, status: int, media: str
) -> None:
    xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>shown</title></head></html>"
    base_url, _ = serve({"/oauth": (status, {"Content-Type": media}, xhtml)})

    async def story() -> None:
        subject = dialog_at(base_url)
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        await subject.until(lambda: subject.dialog is not None and not _loading(subject))
        assert not task.done()
        task.cancel()

    run(story())


Held = Callable[[str, str], str]
SOMETHING = 2
"""Colours: one is the empty window."""


@pytest.fixture
def held() -> Iterator[Held]:
    """Answers whatever is asked with a body whose end does not come before the test is over."""
    over, doors, threads = threading.Event(), [], []

    def start(media: str, body: str) -> str:
        door = socket.create_server(("127.0.0.1", 0))
        said = f"Content-Type: {media}\r\n" if media else ""
        head = f"HTTP/1.1 200 OK\r\n{said}Content-Length: {len(body) + 1}\r\n\r\n"

        def answer() -> None:
            with door.accept()[0] as line:
                line.recv(65536)
                line.sendall(f"{head}{body}".encode())
                over.wait(30)

        doors.append(door)
        threads.append(threading.Thread(target=answer, daemon=True))
        threads[-1].start()
        return f"http://127.0.0.1:{door.getsockname()[1]}"

    yield start
    over.set()
    for thread, door in zip(threads, doors, strict=True):
        thread.join(5)
        door.close()


def colours(subject: Any) -> int:
    """How many there are to see in the page; one where nothing is painted."""
    if subject.dialog is None:
        return 0
    return len(pictures.colours(subject.view.grab(QRect(0, 0, 300, 120)).toImage()))


async def nothing_is_painted(subject: Any) -> None:
    """The window ends because it was given data, of which nothing was seen until then."""
    task, most = subject.start(seconds=8), 0
    while not task.done() and most < SOMETHING:
        await asyncio.sleep(0.01)
        most = max(most, colours(subject))
    assert most < SOMETHING
    with pytest.raises(ExpectedError, match="data instead of a page"):
        await task


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("application/json", f'{{"data":"{"secret " * 300}"'),
        ("application/xml", f"<rsp status='ok'>{'<name>secret</name>' * 300}"),
        ("TEXT/PLAIN", "secret " * 600),
        ("", f'{{"data":"{"secret " * 600}"'),
        ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><text y='30'>secret</text>"),
    ],
)
def test_nothing_of_data_is_painted_and_its_end_not_waited_for(
    run: Run, dialog_at: DialogAt, held: Held, media: str, body: str
) -> None:
    async def story() -> None:
        await nothing_is_painted(dialog_at(held(media, body)))

    run(story())


@pytest.mark.parametrize("body", ['{"code":404,"message":"Not Found"}', " [1, 2]"])
def test_data_that_calls_itself_a_page_is_not_painted_either(
    run: Run, dialog_at: DialogAt, serve: Serve, body: str
) -> None:
    base_url, _ = serve({"/oauth": (200, {}, body)})

    async def story() -> None:
        await nothing_is_painted(dialog_at(base_url))

    run(story())


@pytest.mark.parametrize("body", ["A page of words alone", "<form><input></form> half a page"])
def test_what_there_is_of_a_page_is_painted_before_its_end(
    run: Run, dialog_at: DialogAt, held: Held, serve: Serve, body: str
) -> None:
    only_words = "<" not in body
    base_url = serve({"/oauth": (200, {}, body)})[0] if only_words else held("text/html", body)

    async def story() -> None:
        subject = dialog_at(base_url)
        task = subject.start()
        await asyncio.sleep(0)
        await subject.until(lambda: colours(subject) > 1)
        assert not task.done()
        task.cancel()

    run(story())


def _loading(subject: Any) -> bool:
    return bool(subject.view.page().isLoading())
