"""Type, spacing, colour and radius in one place, for light and for dark.

The style sheet in `resources/style` names these tokens; code that paints asks `tokens()`. Nothing
else in the views says a colour.
"""

import sys
from string import Template

import msgspec
from msgspec.structs import asdict
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from app.runtime.paths import resource
from app.viewmodels.guarded_overrides import GuardedOverrides

SPACE = 4
"""The grid everything is set on, in device independent pixels."""
RADIUS = 8
RADIUS_CARD = 10
RADIUS_SMALL = 5
TARGET = 24
"""No side of what can be pressed is shorter (WCAG 2.2, 2.5.8)."""
RING = 2
"""Width of the ring around what has the keyboard."""
_EDGE = 1
ROW_HEIGHT = 34
"""Height of a table row at a 10 point font; it grows with the font."""
ICON = 20
"""Side of an icon beside text; the icons are drawn on a grid of as many pixels."""
CHOICES = ("system", "light", "dark")
"""What `Theme.choose` takes."""
_MOTION = "frontdesk_motion"
_SEEN_MS = 1_000
_DRESSING = "frontdesk_dressing"


class ThemeColours(msgspec.Struct, frozen=True):
    """The colours of one theme, by what they are for."""

    scheme: str
    """`light` or `dark`, as the folders of the marks inside controls are called."""
    ground: str
    card: str
    line: str
    """Hairlines that only please the eye; what has to be seen is drawn in `shadow`."""
    text: str
    soft: str
    accent: str
    """Links, marks, and the ring around what has the keyboard."""
    accent_strong: str
    on_accent: str
    accent_ground: str
    amber: str
    amber_ground: str
    selection: str
    mark: str
    """Behind the letters that were searched for; `text` stands on it."""
    field: str
    track: str
    chosen_tab: str
    """Lighter than the `track` it lies on, in the dark too, where a card is darker."""
    edge: str
    """The quiet edges of what its own words make known: buttons; and the bars that scroll."""
    shadow: str
    """The edges of controls that nothing else makes known: fields, things to tick."""


LIGHT = ThemeColours(
    scheme="light",
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
    mark="#ffe7a6",
    field="#fbfaf8",
    track="#e9e6e0",
    chosen_tab="#ffffff",
    edge="#cbc6bc",
    shadow="#857f75",
)

DARK = ThemeColours(
    scheme="dark",
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
    mark="#5c4a1c",
    field="#1f2224",
    track="#383c40",
    chosen_tab="#50565b",
    edge="#50565b",
    shadow="#848b91",
)


LIGHT_CONTRAST = ThemeColours(
    scheme="light-contrast",
    ground="#ffffff",
    card="#fdfdfd",
    line="#767676",
    text="#000000",
    soft="#333333",
    accent="#004a42",
    accent_strong="#00332d",
    on_accent="#ffffff",
    accent_ground="#dff3ee",
    amber="#5c3300",
    amber_ground="#fff1d6",
    selection="#cfeae4",
    mark="#ffdf70",
    field="#ffffff",
    track="#e6e6e6",
    chosen_tab="#ffffff",
    edge="#4d4d4d",
    shadow="#1a1a1a",
)
"""For who asks for high contrast: text in it has a ratio of 7 (WCAG 2.2, 1.4.6)."""

DARK_CONTRAST = ThemeColours(
    scheme="dark-contrast",
    ground="#000000",
    card="#0b0b0b",
    line="#8f8f8f",
    text="#ffffff",
    soft="#dcdcdc",
    accent="#86efdf",
    accent_strong="#b3f7ec",
    on_accent="#000000",
    accent_ground="#0d2b27",
    amber="#ffcf7d",
    amber_ground="#2b1f05",
    selection="#12322d",
    mark="#5a4300",
    field="#000000",
    track="#2e2e2e",
    chosen_tab="#585858",
    edge="#c0c0c0",
    shadow="#f2f2f2",
)

THEMES = (LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST)
_BY_GROUND = {each.ground: each for each in THEMES}


class Theme(GuardedOverrides, QObject):
    """Dresses the application, and again whenever the choice or the system changes."""

    changed = Signal()

    def __init__(self, application: QApplication) -> None:
        """Dress `application` as the system has it now."""
        super().__init__(application)
        self._application = application
        self._choice = "system"
        application.setStyle("Fusion")
        self._system = application.styleHints().colorScheme()
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._more_contrast = False
        self._moves = True
        self._desktop_moves = True
        self._follows = False
        # Both are kept: Python's own of the one go with that of the other.
        self._hints = application.styleHints()
        self._accessibility = self._hints.accessibility()
        self._accessibility.contrastPreferenceChanged.connect(self._contrast_changed)
        self._dress()

    @property
    def choice(self) -> str:
        """What was chosen last: one of `CHOICES`."""
        return self._choice

    def choose(self, choice: str) -> None:
        """Follow the `system`, or stay `light` or `dark`; what is open changes at once.

        Raises ValueError for anything else.
        """
        if choice not in CHOICES:
            raise ValueError(choice)
        self._choice = choice
        # Where the platform can, it changes what is not ours to paint: the frame of the window and
        # the system's own dialogs. Elsewhere these calls do nothing.
        hints = self._application.styleHints()
        if choice == "system":
            hints.unsetColorScheme()
            self._system = hints.colorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme[choice.title()])
        self._dress()

    def set_contrast(self, on: bool) -> None:  # noqa: FBT001 - a plain switch, like setEnabled
        """Whether there is more contrast also where the system asks for none."""
        if on != self._more_contrast:
            self._more_contrast = on
            self._dress()

    def set_motion(self, on: bool) -> None:  # noqa: FBT001 - as above
        """Whether anything may move where the desktop has nothing against it; see `motion`."""
        self._moves = on
        self._application.setProperty(_MOTION, on and self._desktop_moves)

    def follow_desktop(self) -> None:
        """Ask the desktop whether things move on it, once there is something to be seen."""
        if sys.platform == "linux" and not self._follows:
            self._follows = True
            QTimer.singleShot(_SEEN_MS, self, self._ask_desktop)

    def _ask_desktop(self) -> None:
        from app.views.look.desktop_motion import DesktopMotion  # noqa: PLC0415 - not to start with

        desktop = DesktopMotion(self)
        desktop.told.connect(self.set_desktop_motion)

    def set_desktop_motion(self, on: bool) -> None:  # noqa: FBT001 - as above
        """Whether things move on this desktop at all."""
        self._desktop_moves = on
        self.set_motion(self._moves)

    def _system_changed(self, scheme: Qt.ColorScheme) -> None:
        if self._choice == "system":
            self._system = scheme
            self._dress()

    def _contrast_changed(self) -> None:
        # Without the value: PySide cannot hand it over.
        self._dress()

    def _dress(self) -> None:
        dark = self._system is Qt.ColorScheme.Dark
        if self._choice != "system":
            dark = self._choice == "dark"
        asked = self._accessibility.contrastPreference() is Qt.ContrastPreference.HighContrast
        if asked or self._more_contrast:
            wanted = DARK_CONTRAST if dark else LIGHT_CONTRAST
        else:
            wanted = DARK if dark else LIGHT
        self._application.setPalette(_palette(wanted))
        sheet = style_sheet(wanted, self._application.font())
        self._application.setProperty(_DRESSING, True)  # noqa: FBT003 - Qt's own
        # Without one between: where another sheet takes its place, Qt dresses each widget once for
        # each of those it lies in.
        self._application.setStyleSheet("")
        self._application.setStyleSheet(sheet)
        self._application.setProperty(_DRESSING, False)  # noqa: FBT003
        self.changed.emit()


def theme_of(application: QApplication) -> Theme:
    """The theme that dresses `application`; raises LookupError when nothing does."""
    theme = application.findChild(Theme)
    if theme is None:
        raise LookupError("the application is not dressed")
    return theme


def tokens() -> ThemeColours:
    """The colours in force now, for what is painted by hand."""
    ground = QApplication.palette().color(QPalette.ColorRole.Window)
    dark = ground.lightness() < 128  # noqa: PLR2004 - half of 255
    return _BY_GROUND.get(ground.name(), DARK if dark else LIGHT)


def motion() -> bool:
    """Whether anything may move, for what would; it moves for less than 150 ms."""
    application = QApplication.instance()
    return application is not None and application.property(_MOTION) is not False


def dressing() -> bool:
    """Whether sizes are those of no theme for now; whoever lays out is asked again behind it."""
    application = QApplication.instance()
    return application is not None and application.property(_DRESSING) is True


def colour(value: str) -> QColor:
    """A token as Qt takes it."""
    return QColor(value)


def sized(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """A copy of `font`, `factor` times its size."""
    copy = QFont(font)
    copy.setPointSizeF(_points(font) * factor)
    copy.setBold(bold)
    return copy


def style_sheet(theme: ThemeColours, font: QFont) -> str:
    """The sheet for `theme`, with sizes that follow `font`."""
    sheet = (resource("style") / "frontdesk.qss").read_text(encoding="utf-8")
    return Template(sheet).substitute(asdict(theme) | _sizes(font))


def _sizes(font: QFont) -> dict[str, str]:
    points = _points(font)
    return {
        "size_small": f"{points * 0.88:.2f}pt",
        "size_body": f"{points:.2f}pt",
        "size_heading": f"{points * 1.18:.2f}pt",
        "size_title": f"{points * 1.55:.2f}pt",
        "radius": f"{RADIUS}px",
        "radius_card": f"{RADIUS_CARD}px",
        "radius_small": f"{RADIUS_SMALL}px",
        "ring": f"{RING}px",
        "ring_apart": f"{2 * RING}px",
        "icon": f"{ICON}px",
        "target_in_link": f"{TARGET - 2 * RING - 2}px",
        "target_in_reading": f"{TARGET - 2 * 3}px",
        "icons": resource("icons").as_posix(),
        **{f"space{n}": f"{SPACE * n}px" for n in range(1, 7)},
        **_insets("control", 6, 14),
        **_insets("tool", 4, 12),
        **_insets("primary", 6, 17, ring=2 * RING),
        **_insets("field", 6, 10),
        **_insets("quick", 8, 12),
    }


def _insets(name: str, vertical: int, horizontal: int, *, ring: int = RING) -> dict[str, str]:
    """Two paddings: the ring is wider than the edge it replaces, and nothing may jump."""
    wider = ring - _EDGE
    return {
        f"inset_{name}": f"{vertical}px {horizontal}px",
        f"inset_{name}_ring": f"{vertical - wider}px {horizontal - wider}px",
    }


def _points(font: QFont) -> float:
    # A font that was set in pixels says -1 for its points.
    return font.pointSizeF() if font.pointSizeF() > 0 else QFontInfo(font).pointSizeF()


def _palette(theme: ThemeColours) -> QPalette:
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
