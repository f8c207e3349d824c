"""Data instead of a page never stays in the sign-in window, least of all with a bar to print it."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest

from app.model.errors import ExpectedError

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]
DeskAt = Callable[[str], Any]

# The platform without a screen says so for every window that has a smallest size.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints", extend=True)

NOT_FOUND = '{"code":404,"message":"Not Found"}'
BIG = "style='position:fixed;inset:0;width:100%;height:100%'"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((200, {"Content-Type": "application/json"}, NOT_FOUND), "data instead of a page"),
        ((404, {"Content-Type": "application/json; charset=utf-8"}, NOT_FOUND), "data instead"),
        ((200, {"Content-Type": "TEXT/PLAIN"}, "ok"), "data instead of a page"),
        ((200, {"Content-Type": "application/xml"}, "<rsp status='ok'/>"), "data instead"),
        ((503, {"Content-Type": "application/json"}, NOT_FOUND), "The service has a problem"),
    ],
)
def test_data_in_place_of_the_first_page_becomes_a_sentence(
    run: Run, desk_at: DeskAt, serve: Serve, answer: Answer, words: str
) -> None:
    base_url, _ = serve({"/oauth": answer})

    async def story() -> None:
        with pytest.raises(ExpectedError) as caught:
            await desk_at(base_url).start()
        assert words in caught.value.message
        assert "Not Found" not in caught.value.message

    run(story())


def test_data_behind_a_page_ends_the_attempt_too(run: Run, desk_at: DeskAt, serve: Serve) -> None:
    link = f"<!doctype html><title>shown</title><body><a href=/data {BIG}>on</a>"
    data = (200, {"Content-Type": "application/json"}, NOT_FOUND)
    base_url, _ = serve({"/oauth": (200, {}, link), "/data": data})

    async def story() -> None:
        subject = desk_at(base_url)
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
    run: Run, desk_at: DeskAt, serve: Serve, status: int, media: str
) -> None:
    xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>shown</title></head></html>"
    base_url, _ = serve({"/oauth": (status, {"Content-Type": media}, xhtml)})

    async def story() -> None:
        subject = desk_at(base_url)
        task = subject.start()
        await asyncio.sleep(0)
        await subject.titled("shown")
        await subject.until(lambda: subject.dialog is not None and not _loading(subject))
        assert not task.done()
        task.cancel()

    run(story())


def _loading(subject: Any) -> bool:
    return bool(subject.view.page().isLoading())
