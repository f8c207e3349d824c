"""How much longer than a short text a long one takes, where it was made to be taken up again and
again: as many times as it is longer, and never that many times that many.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QWidget

from app.importing.formats.address_line import read_addresses
from app.importing.reading import read_clipboard, read_file
from app.runtime import secrets
from tests.growth.bounds import Bound, times_as_long
from tests.importing.formats.test_unreadable_lists import BEFORE_ADDRESSES, PAGES
from tests.importing.test_hostile_cells import CELLS, LONG, PUT, hostile
from tests.runtime.test_secrets import FLOODS
from tests.views.test_long_texts import LONG as LONG_TEXT
from tests.views.test_long_texts import SHORT, SHOWN

_LONGER = 16
_MOST = 2.5 * _LONGER
"""With the square it would be 16 times 16."""


def _growing(name: str, work: Callable[[int], object], short: int) -> Bound:
    """What takes up as much as `work` is told, once that much and once 16 times as much."""

    def ratio() -> float:
        return times_as_long(partial(work, short), partial(work, short * _LONGER))

    return Bound(f"{name}, {_LONGER} times as long", ratio, _MOST)


def _redact(flood: str, length: int) -> None:
    with patch.dict(secrets._known, clear=True):
        secrets.remember_secret("canary-plain-0123456789")
        secrets.redact(flood * (length // len(flood)))


def _put(put: Callable[[str], object], cell: tuple[str, str, str], length: int) -> None:
    put(hostile(*cell, length=length))


def _page(page: Callable[[int], str], many: int) -> None:
    read_clipboard("", page(many))


def _addresses(sign: str, many: int) -> None:
    read_addresses(sign * many + " a@x.org, b@x.org")


def _other_encoding(letters: int) -> None:
    content = f"Zoë,{'x' * letters}\n" * 100
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "list"
        file.write_bytes(content.encode("cp1252"))
        read_file(file)


@cache
def _application() -> QCoreApplication:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QApplication.instance() or QApplication([])


def _shown(make: Callable[[str], QWidget]) -> float:
    _application()
    return times_as_long(lambda: make(SHORT).grab(), lambda: make(LONG_TEXT).grab())


def _bounds() -> Iterator[Bound]:
    for flood in FLOODS:
        yield _growing(f"{flood} again and again without a secret", partial(_redact, flood), 8_000)
    for way, put in PUT.items():
        for cell in CELLS:
            name = f"{' '.join(map(repr, cell))} as {way}"
            yield _growing(name, partial(_put, put, cell), LONG // _LONGER)
    for name, page in PAGES.items():
        yield _growing(f"a page with {name}", partial(_page, page), 500)
    for sign in BEFORE_ADDRESSES:
        yield _growing(f"{sign} before addresses", partial(_addresses, sign), 6_000)
    yield _growing("words in a list of another encoding", _other_encoding, 500)
    for way, make in SHOWN.items():
        # What Python does with each letter (folding, escaping) is far less than laying it out.
        yield Bound(f"a text 500 times as long as its room, as {way}", partial(_shown, make), 100)


TIMES = tuple(_bounds())
