"""How the embedded browser is started: how talkative it is, and what is off for good.

It knows no WebEngine.
"""

import os
import re
from collections.abc import Iterable, MutableMapping

from app.api.addresses import is_loopback, read_place
from app.api.errors import AddressRefused

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


def lock_down(kept_off: str, environment: MutableMapping[str, str] = os.environ) -> None:
    """Before it starts: switch off what asks other computers without asking any guard.

    The port of a redirect address on this computer is out of reach of the whole browser then: for
    parts of a page that are led there, for connections made on a guess, for what a certificate
    names. Chromium takes that once, so it holds for the first address of a run; the next ones have
    the other lines of defence. Flags that somebody has set stay.
    """
    flags = _ONE_FLAG.findall(environment.get(_FLAGS, ""))
    flags += [flag for flag in _OFF if flag not in flags]
    flags = _with_list(flags, "--disable-features", _FEATURES_OFF)
    flags = _with_list(flags, "--host-resolver-rules", _nobody_at(kept_off))
    environment[_FLAGS] = " ".join(flags)


def _with_list(flags: list[str], name: str, values: Iterable[str]) -> list[str]:
    """`flags` with `values` in the one called `name`: of two, Chromium would hear only the last."""
    before = [flag.replace('"', "") for flag in flags]
    mine = [flag.partition("=")[2] for flag in before if flag.startswith(f"{name}=")]
    wanted = dict.fromkeys([*(value for each in mine for value in each.split(",")), *values])
    others = [flag for flag in flags if not flag.replace('"', "").startswith(f"{name}=")]
    return [*others, f'"{name}={",".join(wanted)}"'] if wanted else others


def _nobody_at(kept_off: str) -> list[str]:
    try:
        place = read_place(kept_off)
    except AddressRefused:
        return []
    if not is_loopback(place.host):
        return []
    host = f"[{place.host}]" if ":" in place.host else place.host
    return [f"MAP {name}:{place.port} ~NOTFOUND" for name in dict.fromkeys((*_NAMES_OF_HERE, host))]
