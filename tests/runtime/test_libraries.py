"""What is missing on this system is told from what an update exchanged."""

import pytest

from app.runtime.libraries import lacks_library


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
