"""What is missing on this system is told from what an update exchanged."""

import pytest

from app.runtime.installation import is_of_qt, lacks_library, load_words


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("libnss3.so: cannot open shared object file: No such file or directory", True),
        ("libxcb-cursor.so.0: cannot open shared object file: No such file", True),
        ("cannot import name 'authorise' from 'app.views.sign_in.browser'", False),
        ("No module named 'app.views.sign_in.browser'", False),
    ],
)
def test_only_the_loader_tells_of_a_library(said: str, lacks: bool) -> None:
    assert lacks_library(ImportError(said)) is lacks


@pytest.mark.parametrize(
    ("module", "of_qt"),
    [("QtGui", True), ("Shiboken", True), (None, True), ("_sqlite3", False), ("_ssl", False)],
)
def test_whose_library_it_is_is_told_by_the_module(module: str | None, *, of_qt: bool) -> None:
    assert is_of_qt(ImportError("/lib/libGL.so.1: file too short", name=module)) is of_qt


def test_a_damaged_library_is_told_by_its_name() -> None:
    said = load_words(ImportError("/usr/lib/libffi.so.8: invalid ELF header"))
    told = "A library that Front Desk needs cannot be loaded: libffi.so.8: invalid ELF header."
    assert said == told
