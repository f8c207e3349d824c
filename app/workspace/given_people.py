"""Whom somebody wants to add from outside while there is no account for them yet: kept until there
is one, over a restart too, as what is typed is.
"""

from pathlib import Path

from app.settings.newest_by_key import NewestByKey

_KEY = "people"


class GivenPeople:
    """Texts as they were given, the first one first; blank where nobody is named yet."""

    def __init__(self, folder: Path, *, on_disk: bool) -> None:
        """`folder` is that of all the program keeps; not `on_disk`, they end with this run."""
        self._kept = NewestByKey(folder, "given.json", list[str], most=1, on_disk=on_disk)
        self.keep_on_disk = self._kept.keep_on_disk
        self._texts = self._kept.all().get(_KEY, [])

    def append(self, text: str) -> None:
        """One more."""
        self._texts.append(text)
        self._keep()

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self._texts)

    def clear(self) -> None:
        """They are where they are added."""
        if self._texts:
            self._texts = []
            self._keep()

    def _keep(self) -> None:
        named = [text for text in self._texts if text.strip()]
        if named:
            self._kept.keep(_KEY, named)
        else:
            self._kept.forget(_KEY)
