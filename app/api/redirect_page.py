"""The page that a browser shows at the redirect address: it hands over what stands behind the #.

A server never sees that part of an address, so a script has to send it. What is done with it, and
who may ask for the page, is known to `loopback_redirect`.
"""

import secrets
from html import escape

from app.runtime.words import language, tr

_MARK_BYTES = 18

# Nothing in it comes from outside: the one-time value and the words stand beside it as data.
_SCRIPT = """
"use strict";
const once = document.body.dataset.once;
const say = (name) => {
  for (const part of document.querySelectorAll("main > p")) part.hidden = part.id !== name;
};
const answer = {once, query: location.search, hash: location.hash};
// Neither the address bar nor the way back keeps what came.
history.replaceState(null, "", location.pathname);
if (document.body.dataset.says) {
  say(document.body.dataset.says);
} else if (answer.query.length + answer.hash.length < 2) {
  say("nothing");
} else {
  say("handing");
  fetch(location.pathname, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(answer),
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
  }).then((reply) => say(reply.ok ? "taken" : "unusable"), () => say("late"));
}
"""
_STYLE = """
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { display: grid; place-items: center; min-height: 90vh; margin: 0; padding: 1rem;
  background: light-dark(#f6f5f2, #1d2022); color: light-dark(#22262a, #eceae6) }
main { max-width: 30rem }
h1 { font-size: 1.3rem }
"""


def hand_over_page(once: str) -> tuple[bytes, str]:
    """The page that sends query and hash back with the one-time value `once`, and its policy."""
    return _page(f'data-once="{escape(once)}"', shown="unscripted")


def taken_page() -> tuple[bytes, str]:
    """The page for an answer that arrived in the query and was taken, and its policy."""
    return _page('data-says="taken"', shown="taken")


def _page(data: str, *, shown: str) -> tuple[bytes, str]:
    mark = secrets.token_urlsafe(_MARK_BYTES)
    words = {
        "unscripted": tr(
            "This page needs scripts, and your browser has them switched off. Allow them for this "
            "page and load it again, or go back to Front Desk and sign in there."
        ),
        "handing": tr("Telling Front Desk…"),
        "taken": tr("Front Desk has the answer. You can close this and go back to Front Desk."),
        "unusable": tr(
            "Front Desk cannot use this answer and waits for another. Go back to its window."
        ),
        "nothing": tr("Nothing to hand over came with this address. Go back to Front Desk."),
        "late": tr(
            "Front Desk does not wait for an answer any more. You can close this; its window says "
            "how the sign-in went."
        ),
    }
    told = "".join(
        f'<p id="{name}" dir="auto" role="status"{"" if name == shown else " hidden"}>'
        f"{escape(text)}</p>"
        for name, text in words.items()
    )
    html = (
        f'<!doctype html><html lang="{escape(language().replace("_", "-"))}"><head>'
        '<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        # Without it a browser asks for an icon.
        f'<link rel="icon" href="data:,"><title>Front Desk</title><style nonce="{mark}">{_STYLE}'
        f"</style></head><body {data}><main><h1>Front Desk</h1>{told}</main>"
        f'<script nonce="{mark}">{_SCRIPT}</script></body></html>'
    )
    policy = (
        f"default-src 'none'; script-src 'nonce-{mark}'; style-src 'nonce-{mark}'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return html.encode(), policy
