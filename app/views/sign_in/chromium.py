"""How talkative the embedded browser is in a terminal; it knows no WebEngine."""

import os
from collections.abc import MutableMapping

_FLAGS = "QTWEBENGINE_CHROMIUM_FLAGS"
_FATAL_ONLY = "--log-level=3"


def hush(environment: MutableMapping[str, str] = os.environ) -> None:
    """Before it starts: keep its remarks about buses and graphics cards out of the terminal.

    What a page says, and every page that does not come, we hear of in other ways. Flags that
    somebody has set stay as they are.
    """
    environment.setdefault(_FLAGS, _FATAL_ONLY)
