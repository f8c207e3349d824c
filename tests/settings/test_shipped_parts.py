"""What the program says it is made of is what it asks for and what is installed."""

import asyncio
import os
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from PySide6.QtCore import qVersion

from app import __version__
from app.diagnostics import components
from app.viewmodels.settings.about import Component

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def by_name() -> dict[str, Component]:
    return {part.name: part for part in components.parts()}


def test_the_program_knows_what_it_asks_for() -> None:
    asked = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["dependencies"]
    names = {re.split(r"[^a-z0-9-]", line.lower())[0] for line in asked}
    assert {name.lower() for name in components.DIRECT} == names


def test_every_part_has_a_version_and_a_licence() -> None:
    assert [part for part in components.parts() if not part.version or not part.licence] == []


def test_parts_of_parts_are_told_and_tools_are_not() -> None:
    parts = by_name()
    assert {"httpcore", "h11", "certifi", "shiboken6", "MarkupSafe", "Python", "SQLite"} <= set(
        parts
    )
    assert not {"pytest", "mypy", "ruff", "hypothesis", "pip"} & {name.lower() for name in parts}
    assert parts["httpx"] == Component("httpx", metadata.version("httpx"), "BSD-3-Clause")
    assert parts["Qt"] == Component("Qt", qVersion() or "", "LGPL-3.0-only")


def test_a_part_without_metadata_is_named_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "DIRECT", ("httpx", "left-out-of-the-build"))
    assert by_name()["left-out-of-the-build"] == Component("left-out-of-the-build", "", "")


def described(folder: Path, *lines: str) -> metadata.PackageMetadata:
    (folder / "METADATA").write_text(
        "\n".join(["Metadata-Version: 2.1", "Name: x", *lines, "", ""])
    )
    return metadata.PathDistribution(folder).metadata


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        (["License-Expression: MIT", "License: something else"], "MIT"),
        (
            ["License: BSD-3-Clause", "Classifier: License :: OSI Approved :: MIT License"],
            "BSD-3-Clause",
        ),
        (
            ["License: " + "long " * 40, "Classifier: License :: OSI Approved :: MIT License"],
            "MIT License",
        ),
        (["License: UNKNOWN", "Classifier: Programming Language :: Python"], ""),
        (
            ["Classifier: License :: OSI Approved", "Classifier: License :: DFSG approved"],
            "",
        ),
        ([], ""),
    ],
)
def test_the_licence_is_read_where_it_stands(
    lines: list[str], licence: str, tmp_path: Path
) -> None:
    assert components._licence(described(tmp_path, *lines)) == licence


async def test_the_embedded_browser_is_asked_without_loading_it_here() -> None:
    loaded = "PySide6.QtWebEngineCore" in sys.modules
    chromium, vault = await components.browser_and_vault()
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", chromium)
    assert vault
    assert ("PySide6.QtWebEngineCore" in sys.modules) is loaded


async def test_a_browser_that_cannot_be_asked_has_no_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    assert await components.browser_and_vault() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="the process apart is a script")
async def test_a_browser_is_asked_no_longer_than_somebody_waits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    began, interpreter = tmp_path / "began", tmp_path / "python"
    interpreter.write_text(f"#!/bin/sh\n: > '{began}'\nexec sleep 30\n")
    interpreter.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(interpreter))
    asking = asyncio.ensure_future(components.browser_and_vault())
    async with asyncio.timeout(20):
        while not began.exists():  # noqa: ASYNC110 - a process apart
            await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    # Its thread has ended too, which every test is held to.


async def test_the_versions_begin_with_the_program_itself() -> None:
    build_info = await components.build_info()
    assert build_info.versions[0] == ("Front Desk", __version__)
    assert [name for name, _ in build_info.versions] == [
        "Front Desk",
        "Python",
        "Qt",
        "PySide6",
        "System",
    ]
    assert build_info.parts == components.parts()
