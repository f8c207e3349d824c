"""What the pages of a sign-in go without, said to the browser as a script that runs before theirs.

It is the second line: requests are refused by the guard in `browser`, and what Chromium has a
switch for is off in `chromium`. It knows no WebEngine.
"""

import json

from app.api.addresses import is_loopback, read_place
from app.api.errors import AddressRefused
from app.viewmodels.browser_address import reaches_the_same

_USUAL_PORT = {"http": 80, "https": 443}

# Workers ask for things in the name of no page, and outlive it. A policy stays when the element
# that brought it has gone; at this moment a document has no element of its own yet.
_POLICY_SCRIPT = """
(() => {
    const meta = document.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = POLICY;
    const root = document.documentElement;
    const made = root || document.appendChild(document.createElement("html"));
    const head = document.head || made.insertBefore(document.createElement("head"), null);
    head.appendChild(meta).remove();
    if (!root) made.remove();
})();
"""

# QUrl reads `%73` as the letter it stands for, and nobody can see afterwards what was written.
# Where that makes another address the redirect address, the mark itself is escaped and seen.
_SPELLING_SCRIPT = """
if (window === window.top) window.navigation?.addEventListener("navigate", event => {
    const written = event.destination.url.split(/[?#]/)[0];
    const read = written.replace(
        /%(?:2[de]|3\\d|[46][1-9a-f]|[57][\\da]|5f|7e)/gi, decodeURIComponent);
    if (read === written || read !== REDIRECT) return;
    event.preventDefault();
    window.location.href = written.replaceAll("%", "%25");
});
"""

# A click is enough for a page to fill the clipboard, with what it likes. Only what is selected is
# copied, and only when a person says so: by keys, or by the menu, which says it by `mayCopy`.
_COPYING_SCRIPT = """
(() => {
    let said = -Infinity;
    globalThis.mayCopy = () => { said = performance.now(); };
    window.addEventListener("keydown", event => {
        const held = event.ctrlKey || event.metaKey;
        const letter = ["KeyC", "KeyX", "Insert"].includes(event.code);
        if (event.isTrusted && (held && letter || event.shiftKey && event.code === "Delete"))
            globalThis.mayCopy();
    }, true);
    for (const kind of ["copy", "cut"]) window.addEventListener(kind, event => {
        event.stopImmediatePropagation();
        if (performance.now() - said > MOMENT_MS) event.preventDefault();
        said = -Infinity;
    }, true);
})();
"""
_COPYING_MOMENT_MS = 300
MAY_COPY = "mayCopy()"
"""In the same world: the next moment's copying is a person's."""

# Talks to any computer without a request that could be refused.
_NO_CALLS_SCRIPT = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    delete window[name];
}
"""


def policy_script(address: str, kept_off: str) -> str:
    """For a world of its own: a policy (CSP) for every page of an attempt that began at `address`.

    A part of a page that is led on to the redirect address is asked for before the guard is, and
    only the page's own policy is quicker. It names what is allowed, so it helps where the redirect
    address has a port of its own, as on this computer.
    """
    rules = ["worker-src 'none'", "manifest-src 'none'"]
    allowed = _allowed_sources(address, kept_off)
    if allowed:
        rules.append(f"default-src {allowed} data: blob: 'unsafe-inline' 'unsafe-eval'")
    return _POLICY_SCRIPT.replace("POLICY", json.dumps("; ".join(rules)))


def spelling_script(redirect_uri: str) -> str:
    """For a world of its own: where a page itself leads to the redirect address in disguise."""
    return _SPELLING_SCRIPT.replace("REDIRECT", json.dumps(redirect_uri))


def copying_script() -> str:
    """For a world of its own: no page puts anything into the clipboard."""
    return _COPYING_SCRIPT.replace("MOMENT_MS", str(_COPYING_MOMENT_MS))


def no_calls_script() -> str:
    """For the page's own world: what no request stands behind is not there."""
    return _NO_CALLS_SCRIPT


def _allowed_sources(address: str, kept_off: str) -> str:
    """What parts of a page may come from; empty where that cannot leave the redirect address out.

    That is any https and any http at the usual port, the page's own host and the account's.
    """
    try:
        ours, service = read_place(kept_off), read_place(address.partition("?")[0])
    except AddressRefused:
        return ""
    if ours.port == _USUAL_PORT[ours.scheme] or reaches_the_same(address, kept_off):
        return ""
    sources = ["'self'", service.origin]
    if service.host != ours.host and not (is_loopback(service.host) and is_loopback(ours.host)):
        sources.append(f"{service.origin.removesuffix(f':{service.port}')}:*")
    for scheme, port in _USUAL_PORT.items():
        sources.append(f"{scheme}://*:{port}" if scheme == ours.scheme else f"{scheme}:")
    # The same once more for sockets: https becomes wss.
    return " ".join([*sources, *(f"ws{each[4:]}" for each in sources if each[:4] == "http")])
