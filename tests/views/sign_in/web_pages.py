"""Pages for the real browser, and the shapes in which tests hand them on."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

Answer = tuple[int, Mapping[str, str], str]
Pages = Mapping[str, Answer]
Serve = Callable[[Pages], tuple[str, list[str]]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]
DialogAt = Callable[[str], Any]
OpenDialog = Callable[[Pages], tuple[Any, list[str]]]
"""Gives the window and what is asked of the site."""

BIG = "style='position:fixed;inset:0;width:100%;height:100%'"


def page(html: str, title: str = "shown") -> Answer:
    """A page that takes its title when it has been painted: before that it takes no click."""
    paint = f"requestAnimationFrame(() => setTimeout(() => {{ document.title = '{title}' }}))"
    return 200, {}, f"<!doctype html><body>{html}<script>{paint}</script>"
