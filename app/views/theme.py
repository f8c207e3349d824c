"""Type, spacing, colour and radius in one place, for light and for dark.

The style sheet in `resources/style` names these tokens; code that paints asks `tokens()`. Nothing
else in the views says a colour.
"""

from dataclasses import asdict, dataclass
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from app.runtime.paths import resource

SPACE = 4
"""The grid everything is set on, in device independent pixels."""
RADIUS = 8
ROW_HEIGHT = 34
"""Height of a table row at a 10 point font; it grows with the font."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, by what they are for."""

    ground: str
    card: str
    line: str
    text: str
    soft: str
    accent: str
    accent_strong: str
    on_accent: str
    accent_ground: str
    amber: str
    amber_ground: str
    selection: str
    field: str
    track: str
    shadow: str


LIGHT = Tokens(
    ground="#f6f5f2",
    card="#ffffff",
    line="#e3e0d9",
    text="#22262a",
    soft="#5d666e",
    accent="#1f6f64",
    accent_strong="#185a51",
    on_accent="#ffffff",
    accent_ground="#e3f0ed",
    amber="#8a5100",
    amber_ground="#fdf1dd",
    selection="#e8f1ef",
    field="#fbfaf8",
    track="#e3e0d9",
    shadow="#8b867c",
)

DARK = Tokens(
    ground="#1d2022",
    card="#26292c",
    line="#383c40",
    text="#eceae6",
    soft="#a6adb3",
    accent="#5fc0b1",
    accent_strong="#7bd0c3",
    on_accent="#10211e",
    accent_ground="#1f3a37",
    amber="#f0b35a",
    amber_ground="#3a2f1c",
    selection="#2c3a39",
    field="#1f2224",
    track="#383c40",
    shadow="#7d848a",
)


class Theme(QObject):
    """Dresses the application, and again whenever the system changes between light and dark."""

    changed = Signal()

    def __init__(self, application: QApplication) -> None:
        """Dress `application` as the system has it now."""
        super().__init__(application)
        self._application = application
        self.tokens = LIGHT
        application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        dark = self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        self.tokens = DARK if dark else LIGHT
        self._application.setPalette(_palette(self.tokens))
        self._application.setStyleSheet(_style_sheet(self.tokens, self._application.font()))
        self.changed.emit()


def tokens() -> Tokens:
    """The colours in force now, for what is painted by hand."""
    dark = QApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128  # noqa: PLR2004 - half of 255
    return DARK if dark else LIGHT


def colour(value: str) -> QColor:
    """A token as Qt takes it."""
    return QColor(value)


def sized(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """A copy of `font`, `factor` times its size."""
    copy = QFont(font)
    copy.setPointSizeF(font.pointSizeF() * factor)
    copy.setBold(bold)
    return copy


def _style_sheet(theme: Tokens, font: QFont) -> str:
    points = font.pointSizeF()
    sizes = {
        "size_small": f"{points * 0.88:.2f}pt",
        "size_body": f"{points:.2f}pt",
        "size_heading": f"{points * 1.18:.2f}pt",
        "size_title": f"{points * 1.55:.2f}pt",
        "radius": f"{RADIUS}px",
        "icons": resource("icons").as_posix(),
    }
    sheet = (resource("style") / "frontdesk.qss").read_text(encoding="utf-8")
    return Template(sheet).substitute(asdict(theme) | sizes)


def _palette(theme: Tokens) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for target, value in {
        role.Window: theme.ground,
        role.WindowText: theme.text,
        role.Base: theme.card,
        role.AlternateBase: theme.ground,
        role.Text: theme.text,
        role.Button: theme.card,
        role.ButtonText: theme.text,
        role.BrightText: theme.on_accent,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.ToolTipBase: theme.card,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.soft,
        role.Mid: theme.line,
        role.Accent: theme.accent,
    }.items():
        palette.setColor(target, QColor(value))
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.soft))
    return palette
