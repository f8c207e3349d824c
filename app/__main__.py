"""`python -m app` is the same door as the `frontdesk` command."""

import sys

from app.main import main

if __name__ == "__main__":
    sys.exit(main())
