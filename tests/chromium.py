"""Chromium's first start, once for a whole run, so that every later Qt message counts."""

import os
import socket
import time

import pytest
import shiboken6
from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

# What Chromium says, once, while it looks for a graphics card on a computer without one.
_WITHOUT_A_CARD = (
    "Sandboxing disabled by user.",
    "QRhiGles2: Failed to create",
    "Failed to create RHI for backend: OpenGL",
    "This plugin does not support createPlatform",
    "QVulkanInstance: Failed to initialize Vulkan",
    "Failed to load vulkan",
    "initInstance: No Vulkan library available",
    "Failed to create platform Vulkan instance",
    "Unable to detect GPU vendor for device",
    "GBM is not supported with the current configuration",
    "GPUInfo not initialized on GpuInfoUpdate",
)


@pytest.fixture(scope="session")
def first_redirect() -> str:
    """The redirect address Chromium is started for, at a port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"http://127.0.0.1:{free.getsockname()[1]}/signed-in"


@pytest.fixture(scope="session")
def known_redirect() -> str:
    """That of an account which this computer knew when Chromium was started."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"http://127.0.0.1:{free.getsockname()[1]}/signed-in"


@pytest.fixture(scope="session")
def browser_engine(qapp: QApplication, first_redirect: str, known_redirect: str) -> None:
    """Starts Chromium once, as the program does at its first sign-in. It complains of a missing
    graphics card then and never again, so that every test can hold every other Qt message against
    the code.
    """
    from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile  # noqa: PLC0415 - slow
    from PySide6.QtWebEngineWidgets import QWebEngineView  # noqa: PLC0415 - slow

    from app.views.sign_in.browser_lockdown import hush, lock_down  # noqa: PLC0415 - with the rest

    flags = dict(os.environ)
    hush(flags)
    lock_down(first_redirect, flags, known=[known_redirect])
    os.environ.update(flags)
    said: list[str] = []

    def listen(_kind: QtMsgType, _where: QMessageLogContext, message: str) -> None:
        said.append(message)

    before = qInstallMessageHandler(listen)
    try:
        profile = QWebEngineProfile()
        page, view = QWebEnginePage(profile), QWebEngineView()
        view.setPage(page)
        view.resize(100, 100)
        view.show()
        page.setHtml("<p>ready")
        end = time.monotonic() + 5
        while page.contentsSize().isEmpty() and time.monotonic() < end:
            qapp.processEvents()
        # The last complaint comes with the first picture.
        end = time.monotonic() + 0.5
        while not any(message.startswith("GPUInfo") for message in said) and time.monotonic() < end:
            qapp.processEvents()
        for part in (page, view, profile):
            shiboken6.delete(part)
    finally:
        qInstallMessageHandler(before)
    assert [message for message in said if not message.startswith(_WITHOUT_A_CARD)] == []
