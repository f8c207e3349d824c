"""Run before all else in the folder build, where Python and PyInstaller would answer Ctrl+C with a
traceback until the program's own first line says the same.
"""

import _signal  # type: ignore[import-not-found]  # built in; nothing else is to be imported yet

_signal.signal(_signal.SIGINT, _signal.SIG_DFL)
