"""The sign-in window over a small site."""

from typing import Any

import pytest

from tests.views.sign_in.web_pages import DialogAt, OpenDialog, Pages, Serve


@pytest.fixture
def open_dialog(dialog_at: DialogAt, serve: Serve) -> OpenDialog:
    def at(pages: Pages) -> tuple[Any, list[str]]:
        base_url, asked = serve(pages)
        return dialog_at(base_url), asked

    return at
