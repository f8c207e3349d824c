"""`python -m app`, the `frontdesk` command and the folder build begin here."""

import signal
import sys

# Ctrl+C ends a start without a traceback from its first moment on; what hears it says so later.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from app.main import main  # noqa: E402 - loading it is most of what there is to interrupt

if __name__ == "__main__":
    sys.exit(main())
