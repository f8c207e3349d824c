"""Answers that are not the service's: what a hotel, a proxy or an attacker sends in its place."""

import zlib
from functools import cache

from starlette.responses import HTMLResponse, RedirectResponse, Response

BOMB_MEGABYTES = 256
# A name that can never be found (RFC 2606), so that nobody is called by accident.
ELSEWHERE = "http://elsewhere.invalid/"

_WIRELESS_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Harbour Hotel guest wireless</title></head>
<body><h1>Welcome to Harbour Hotel</h1>
<p>Please accept the terms of use to go online.</p>
<form method="post" action="/accept"><button>Accept and connect</button></form>
</body></html>
"""
_GZIP = 31


def wireless_page(_format_name: str) -> Response:
    """The page of a hotel's wireless, which calls itself fine."""
    return HTMLResponse(_WIRELESS_PAGE)


def nothing(_format_name: str) -> Response:
    """HTTP status 200 and no body."""
    return Response()


def elsewhere(_format_name: str) -> Response:
    """A redirect to another host, where no credential belongs."""
    return RedirectResponse(ELSEWHERE, status_code=302)


def bomb(_format_name: str) -> Response:
    """Blanks, packed so well that a small answer fills a memory."""
    headers = {"Content-Encoding": "gzip"}
    return Response(_packed_blanks(), headers=headers, media_type="application/json")


@cache
def _packed_blanks() -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, _GZIP)
    megabyte = b" " * 1024 * 1024
    parts = [packing.compress(megabyte) for _ in range(BOMB_MEGABYTES)]
    return b"".join([*parts, packing.flush()])
