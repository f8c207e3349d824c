"""What the embedded browser must not do, told without WebEngine: the flags it starts with, and the
scripts put into pages.
"""

import json
import os
import re
from collections.abc import Iterable, MutableMapping

from app.accounts.account import Account
from app.api.addresses import USUAL_PORTS, is_loopback, parse_address
from app.api.errors import AddressRefused
from app.api.responses import PAGE_TYPES
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.viewmodels.sign_in.page_origin import reaches_the_same

_FLAGS = "QTWEBENGINE_CHROMIUM_FLAGS"
_FATAL_ONLY = "--log-level=3"
# As Qt splits them: blanks part two flags, except between double quotes.
_ONE_FLAG = re.compile(r'(?:[^ "]|"[^"]*")+')
_OFF = ("--disable-shared-workers", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp")
# Signing in with another site's account: the browser asks that site itself.
_FEATURES_OFF = ("FedCm",)
_NAMES_OF_HERE = ("127.0.0.1", "localhost", "*.localhost", "[::1]")


def hush(environment: MutableMapping[str, str] = os.environ) -> None:
    """Before it starts: keep its remarks about buses and graphics cards out of the terminal.

    What a page says, and every page that does not come, we hear of in other ways. Flags that
    somebody has set stay as they are.
    """
    environment.setdefault(_FLAGS, _FATAL_ONLY)


def lock_down(
    kept_off: str,
    environment: MutableMapping[str, str] = os.environ,
    *,
    known: Iterable[str] = (),
) -> None:
    """Before it starts: switch off what asks other computers without asking any guard.

    The host and port of a redirect address are out of reach of the whole browser then: for
    parts of a page that are led there, for connections made on a guess, for what a certificate
    names. Chromium takes that once, so it holds for the first address of a run and for those that
    are `known` by then; the next ones have the other lines of defence, which no connection made on
    a guess and no relay of a call (TURN) asks. Flags that somebody has set stay.
    """
    flags = _ONE_FLAG.findall(environment.get(_FLAGS, ""))
    flags += [flag for flag in _OFF if flag not in flags]
    flags = _with_list(flags, "--disable-features", _FEATURES_OFF)
    rules = [rule for each in (kept_off, *known) for rule in _nobody_at(each)]
    flags = _with_list(flags, "--host-resolver-rules", rules)
    environment[_FLAGS] = " ".join(flags)


def redirect_addresses(known: Iterable[Account], service: str) -> tuple[str, ...]:
    """What to keep off at the start for sign-ins to come: the usual redirect address and those of
    the `known` accounts, but for any at which a service is, the one at `service` too.
    """
    accounts = tuple(known)
    services = (service, *(account.base_url for account in accounts))
    theirs = (account.redirect_uri for account in accounts)
    there = dict.fromkeys((DEFAULT_REDIRECT_ADDRESS, *(each for each in theirs if each)))
    return tuple(
        each for each in there if not any(reaches_the_same(each, address) for address in services)
    )


def _with_list(flags: list[str], name: str, values: Iterable[str]) -> list[str]:
    """`flags` with `values` in the one called `name`: of two, Chromium would hear only the last."""
    before = [flag.replace('"', "") for flag in flags]
    mine = [flag.partition("=")[2] for flag in before if flag.startswith(f"{name}=")]
    wanted = dict.fromkeys([*(value for each in mine for value in each.split(",")), *values])
    others = [flag for flag in flags if not flag.replace('"', "").startswith(f"{name}=")]
    return [*others, f'"{name}={",".join(wanted)}"'] if wanted else others


def _nobody_at(kept_off: str) -> list[str]:
    try:
        address = parse_address(kept_off)
    except AddressRefused:
        return []
    host = f"[{address.host}]" if ":" in address.host else address.host
    if not is_loopback(address.host) and address.port in USUAL_PORTS.values():
        return []  # a website: another account's service may be there, out of reach until the end
    names = (*_NAMES_OF_HERE, host) if is_loopback(address.host) else (host,)
    return [f"MAP {name}:{address.port} ~NOTFOUND" for name in dict.fromkeys(names)]


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

# Data is hidden before anything of it is painted, whatever it called itself: a page for people has
# an element in its body. Whether it is one is asked for by `documentShown`.
_PAGES_ONLY_SCRIPT = """
if (window === window.top) {
    const named = PAGE_TYPES.includes(document.contentType), hidden = new CSSStyleSheet();
    hidden.replaceSync(named
        ? "body:not(:has(*)) { visibility: hidden !important }"
        : "* { display: none !important }");
    document.adoptedStyleSheets = [hidden];
    const isData = () => document.body && !document.body.firstElementChild
        && /^\\s*[{[]/.test(document.body.textContent);
    if (named) document.addEventListener("DOMContentLoaded", () => {
        if (isData()) return;
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== hidden);
    });
    globalThis.documentShown = () => [
        performance.getEntriesByType("navigation")[0]?.responseStatus || 200,
        isData() ? "application/json" : document.contentType,
    ].join(" ");
}
"""
DOCUMENT_SHOWN = "documentShown()"
"""In the same world: the HTTP status and the media type of what is in the window, as one text."""

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
    allowed = _allowed_sources(address, kept_off, guarded=True)
    if allowed:
        rules.append(f"default-src {allowed} data: blob: 'unsafe-inline' 'unsafe-eval'")
        # No guard hears of WebTransport, which is https and may knock at any port.
        connected = _allowed_sources(address, kept_off, guarded=False)
        rules.append(f"connect-src {connected} data: blob:")
    return _POLICY_SCRIPT.replace("POLICY", json.dumps("; ".join(rules)))


def spelling_script(redirect_uri: str) -> str:
    """For a world of its own: where a page itself leads to the redirect address in disguise."""
    return _SPELLING_SCRIPT.replace("REDIRECT", json.dumps(redirect_uri))


def copying_script() -> str:
    """For a world of its own: no page puts anything into the clipboard."""
    return _COPYING_SCRIPT.replace("MOMENT_MS", str(_COPYING_MOMENT_MS))


def pages_only_script() -> str:
    """For a world of its own: what is no page stays unseen until the window has gone."""
    return _PAGES_ONLY_SCRIPT.replace("PAGE_TYPES", json.dumps(sorted(PAGE_TYPES)))


def no_calls_script() -> str:
    """For the page's own world: what no request stands behind is not there."""
    return _NO_CALLS_SCRIPT


def _allowed_sources(address: str, kept_off: str, *, guarded: bool) -> str:
    """What parts of a page may come from; empty where that cannot leave the redirect address out.

    That is any https and any http at the usual port, the page's own host and the account's; https
    too at its usual port alone where what is asked for is not `guarded` besides.
    """
    try:
        ours, service = parse_address(kept_off), parse_address(address.partition("?")[0])
    except AddressRefused:
        return ""
    if ours.port == USUAL_PORTS[ours.scheme] or reaches_the_same(address, kept_off):
        return ""
    sources = ["'self'", service.origin]
    if service.host != ours.host and not (is_loopback(service.host) and is_loopback(ours.host)):
        sources.append(f"{service.origin.removesuffix(f':{service.port}')}:*")
    for scheme, port in USUAL_PORTS.items():
        anywhere = guarded and scheme != ours.scheme
        sources.append(f"{scheme}:" if anywhere else f"{scheme}://*:{port}")
    # The same once more for sockets: https becomes wss.
    return " ".join([*sources, *(f"ws{each[4:]}" for each in sources if each[:4] == "http")])
