"""`python -m app`, the `frontdesk` command and the folder build begin here."""

import signal
import sys

# Ctrl+C ends a start without a traceback from its first moment on; what hears it says so later.
# Who is started in the background of a script is to ignore it, and does.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from app.main import main

if __name__ == "__main__":
    sys.exit(main())
