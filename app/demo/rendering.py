"""Turning the templates in `pages` into answers a browser shows and keeps no copy of."""

import secrets

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from app.demo.data import ORGANISATION

_DAY = 24 * 60 * 60
_UNITS = ((_DAY, "day"), (60 * 60, "hour"), (60, "minute"), (1, "second"))


class Pages:
    """The pages of the account; every value in them is escaped."""

    def __init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("app.demo", "pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals["organisation"] = ORGANISATION
        self._templates.filters["duration"] = say_duration

    def render(self, page: str, *, status: int = 200, **values: object) -> HTMLResponse:
        """One page, by the name of its template without the ending."""
        nonce = secrets.token_urlsafe(12)
        text = self._templates.get_template(f"{page}.html").render(nonce=nonce, **values)
        # No `form-action`: browsers apply it to the redirect that follows a form, too.
        policy = (
            f"default-src 'none'; img-src data:; style-src 'nonce-{nonce}'; "
            "base-uri 'none'; frame-ancestors 'none'"
        )
        return HTMLResponse(
            text,
            status,
            headers={
                "Cache-Control": "no-store",
                "Content-Security-Policy": policy,
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
            },
        )


def say_duration(seconds: int) -> str:
    """A number of seconds as people say it: "7 days", "1 hour"."""
    size, unit = next((size, unit) for size, unit in _UNITS if seconds >= size or size == 1)
    count = seconds // size
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
