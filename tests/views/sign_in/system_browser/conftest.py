"""A browser of somebody's own, and an account they sign in to with it."""

import asyncio
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.api.sign_in.oauth import (
    SignInRequest,
)
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from app.views.sign_in.browser import BrowserProfile
from tests.views.sign_in.system_browser.other_browser import (
    OpenDialog,
    OtherBrowser,
    SystemBrowserFixture,
    free_port,
)


@pytest.fixture
def browser(browser_engine: None) -> Iterator[OtherBrowser]:  # noqa: ARG001 - it has to run first
    made = OtherBrowser()
    QDesktopServices.setUrlHandler("http", made, "take")  # type: ignore[arg-type]  # takes no bytes
    yield made
    QDesktopServices.unsetUrlHandler("http")
    made.close()


@pytest.fixture
def redirect() -> str:
    return f"http://127.0.0.1:{free_port()}/signed-in"


@pytest.fixture
def demo(redirect: str) -> Iterator[DemoAccess]:
    server = DemoServer(DemoOptions(redirect_uri=redirect))
    yield server.start()
    server.stop()


@pytest.fixture
def open_dialog(window: QWidget, profile: BrowserProfile) -> OpenDialog:
    """Opens the sign-in window for a request."""

    async def opened(request: SignInRequest) -> SystemBrowserFixture:
        made = SystemBrowserFixture(window, profile, request)
        await asyncio.sleep(0)
        return made

    return opened
