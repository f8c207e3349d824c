"""The two sizes of the one window: which of them it has, and the geometry of each."""

from PySide6.QtCore import QByteArray, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QMainWindow

SMALL = QSize(380, 540)
LEAST_SMALL = QSize(380, 492)
"""As high as the frame leaves it on a screen of 1920 x 1080 at 200 %."""
_FRAME = QSize(16, 48)
"""As much as the frame with the title takes on any desktop, in device independent pixels."""


class WindowSizes:
    """Large at first. Where no program places its windows, as under Wayland, it has the size."""

    def __init__(self, window: QMainWindow, large: QSize, least_large: QSize) -> None:
        """`window` gets the size `large`, or as much of it as its screen has room for."""
        self._window = window
        self._large = large
        self._least = {False: least_large, True: LEAST_SMALL}
        self._geometries = {False: "", True: ""}
        self._above = False
        self.small = False
        self._lent = False
        window.setMinimumSize(least_large)
        self.fit_screen(large)

    @property
    def above(self) -> bool:
        """Whether the small window stays above other windows."""
        return self._above

    @property
    def small_chosen(self) -> bool:
        """Whether it is small because somebody wanted that, and not lent to add one person."""
        return self.small and not self._lent

    def change(self, *, small: bool, lent: bool = False) -> None:
        """Have the other size, where the window last had it. `lent`: nobody chose it; whoever asks
        for that size then has chosen it.
        """
        self._lent = lent and (self._lent or not self.small)
        if small is self.small:
            return
        before = self._window.frameGeometry()
        self._note_geometry()
        self.small = small
        self._window.setMinimumSize(self._least[small])
        self._keep_above()
        if not self._restore():
            self._stand_at_its_end(before, SMALL if small else self._large)

    def stay_above(self, *, on: bool) -> None:
        """Whether the small window is to stay above other windows; the large one never does."""
        self._above = on
        self._keep_above()

    def kept(self) -> tuple[str, str]:
        """The geometries of the large and of the small one, for `restore` at another start."""
        self._note_geometry()
        return self._geometries[False], self._geometries[True]

    def restore(self, large: str, small: str) -> None:
        """Put the window where it was; what is no geometry is passed over."""
        self._geometries = {False: large, True: small}
        self._restore()

    def geometry_text(self) -> str:
        """Where the window is and how large."""
        return bytes(self._window.saveGeometry().toBase64().data()).decode("ascii")

    def restore_geometry(self, text: str) -> bool:
        """Put the window there; False, and nothing happens, when `text` is no geometry."""
        # Qt itself brings a window back from a screen that is gone.
        restored = self._window.restoreGeometry(QByteArray.fromBase64(text.encode()))
        if restored and not self._window.windowState():
            # It may have been kept on a larger screen.
            self.fit_screen(self._window.size())
        return restored

    def fit_screen(self, wanted: QSize) -> None:
        """As large as `wanted`, or as the screen has room for beside panels and with its frame: how
        large that is nobody knows before it stands around the window.
        """
        self._window.resize(wanted.boundedTo(self._window.screen().availableSize() - _FRAME))

    def _note_geometry(self) -> None:
        # Before the window was ever seen it stands nowhere.
        if self._window.windowHandle() is not None:
            self._geometries[self.small] = self.geometry_text()

    def _restore(self) -> bool:
        text = self._geometries[self.small]
        return bool(text) and self.restore_geometry(text)

    def _stand_at_its_end(self, before: QRect, size: QSize) -> None:
        """One size ends where the other did, at the top: what was below the large one is seen."""
        window = self._window
        window.setWindowState(Qt.WindowState.WindowNoState)
        room = window.screen().availableGeometry()
        self.fit_screen(size)
        mirrored = window.layoutDirection() is Qt.LayoutDirection.RightToLeft
        x = before.left() if mirrored else before.right() + 1 - window.width()
        last = room.bottomRight() - QPoint(window.width(), window.height())
        at = QPoint(min(x, last.x()), min(before.top(), last.y()))
        window.move(max(at.x(), room.left()), max(at.y(), room.top()))

    def _keep_above(self) -> None:
        window, hint = self._window, Qt.WindowType.WindowStaysOnTopHint
        flags = window.windowFlags()
        wanted = flags | hint if self._above and self.small else flags & ~hint
        if wanted == flags:
            return
        # Told to the system's window alone: Qt's own way hides it, and what has the keyboard in it.
        window.overrideWindowFlags(wanted)
        handle = window.windowHandle()
        if handle is not None:
            handle.setFlags(wanted)
