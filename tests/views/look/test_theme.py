"""Light and dark: both brought along, followed from the system, switched while all is open."""

import gc
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPalette, QPicture
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.views.look.icons import _Engine, icon
from app.views.look.theme import (
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    Theme,
    ThemeColours,
    colour,
    motion,
    sized,
    theme_of,
    tokens,
)
from app.views.widgets.buttons import button, card, label
from app.views.widgets.pill import Avatar


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The application dressed by one theme alone, and undressed again."""
    before = [each for each in qapp.children() if isinstance(each, Theme)]
    for each in before:
        qapp.styleHints().colorSchemeChanged.disconnect(each._system_changed)
        each.setParent(None)
    made = Theme(qapp)
    yield made
    made.choose("light")
    made.set_motion(on=True)
    shiboken6.delete(made)
    for each in before:
        each.setParent(qapp)
        qapp.styleHints().colorSchemeChanged.connect(each._system_changed)


class Painted(QStyledItemDelegate):
    """Paints a row in the accent ground, as delegates do: by asking for the tokens."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        _index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.fillRect(option.rect, colour(tokens().accent_ground))


class Open(QWidget):
    """A window that was open before the theme changed."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.card = card()
        self.card.setMinimumHeight(20)
        self.avatar = Avatar("")
        self.words = label("Ada", "soft")
        self.add = button("", lambda: None, icon="add")
        self.list = QListView()
        self.rows = QStringListModel(["one", "two"])
        self.list.setModel(self.rows)
        self.delegate = Painted()
        self.list.setItemDelegate(self.delegate)
        inside = QVBoxLayout(self)
        for each in (self.card, self.avatar, self.words, self.add, self.list):
            inside.addWidget(each)
        self.resize(300, 400)

    def colours(self) -> dict[str, str]:
        """A pixel of each part as it is painted on the screen now."""
        picture = self.grab().toImage()

        def at(widget: QWidget, x: int, y: int) -> str:
            return picture.pixelColor(widget.mapTo(self, widget.rect().topLeft()).x() + x, y).name()

        return {
            "ground": picture.pixelColor(2, 2).name(),
            "card": at(self.card, 20, self.card.geometry().center().y()),
            "avatar": at(self.avatar, 26, self.avatar.geometry().center().y()),
            "row": at(self.list, 20, self.list.y() + 10),
            "icon": picture.pixelColor(self.add.geometry().center()).name(),
        }


@pytest.mark.parametrize(("choice", "look"), [("light", LIGHT), ("dark", DARK)])
def test_what_was_chosen_holds_whatever_the_system_does(
    theme: Theme, qapp: QApplication, choice: str, look: object
) -> None:
    theme.choose(choice)
    for scheme in (Qt.ColorScheme.Dark, Qt.ColorScheme.Light):
        qapp.styleHints().colorSchemeChanged.emit(scheme)
        assert tokens() == look
    assert theme.choice == choice


def test_the_system_is_followed_until_somebody_chooses(theme: Theme, qapp: QApplication) -> None:
    hints = qapp.styleHints()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert tokens() == DARK
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert tokens() == LIGHT
    theme.choose("dark")
    theme.choose("system")
    assert tokens() == LIGHT
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert tokens() == DARK


@pytest.mark.parametrize(
    ("choice", "plain", "strong"),
    [("light", LIGHT, LIGHT_CONTRAST), ("dark", DARK, DARK_CONTRAST)],
)
def test_there_is_more_contrast_where_somebody_chooses_it(
    theme: Theme, choice: str, plain: ThemeColours, strong: ThemeColours
) -> None:
    theme.choose(choice)
    theme.set_contrast(on=True)
    assert tokens() == strong
    theme.set_contrast(on=False)
    assert tokens() == plain


def test_nothing_moves_where_the_desktop_or_somebody_has_something_against_it(theme: Theme) -> None:
    theme.set_desktop_motion(on=False)
    assert not motion()
    theme.set_motion(on=True)
    assert not motion()
    theme.set_desktop_motion(on=True)
    assert motion()
    theme.set_motion(on=False)
    theme.set_desktop_motion(on=True)
    assert not motion()


def test_a_choice_there_is_not_is_refused_and_changes_nothing(theme: Theme) -> None:
    theme.choose("dark")
    with pytest.raises(ValueError, match="sepia"):
        theme.choose("sepia")
    assert (theme.choice, tokens()) == ("dark", DARK)


def test_an_open_window_changes_at_once_with_all_that_is_painted_in_it(
    theme: Theme, qtbot: QtBot
) -> None:
    theme.choose("light")
    window = Open()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    for choice, look in (("dark", DARK), ("light", LIGHT)):
        theme.choose(choice)
        assert window.colours() == {
            "ground": look.ground,
            "card": look.card,
            "avatar": look.accent_ground,
            "row": look.accent_ground,
            "icon": look.text,
        }
        assert window.words.palette().color(QPalette.ColorRole.WindowText).name() == look.soft


class Dressed(QObject):
    """Counts how often a widget is told that it has another style."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        self.times += event.type() == QEvent.Type.StyleChange
        return False


def test_what_lies_deep_is_dressed_no_more_often_than_what_does_not(
    theme: Theme, qtbot: QtBot
) -> None:
    """A window of a thousand things would stand still for a second."""
    window = inner = QWidget()
    qtbot.addWidget(window)
    for _ in range(10):
        inner = QWidget(inner)
    window.show()
    outermost, innermost = Dressed(window), Dressed(inner)
    theme.choose("dark")
    assert outermost.times == innermost.times > 0


@pytest.mark.parametrize(("choice", "look"), [("light", LIGHT), ("dark", DARK)])
def test_the_hint_in_an_empty_field_is_as_dark_as_soft_text(
    theme: Theme, qtbot: QtBot, choice: str, look: ThemeColours
) -> None:
    """Qt would halve the colour of the text, which nobody could read."""
    theme.choose(choice)
    field = QLineEdit()
    field.setPlaceholderText("\N{FULL BLOCK}" * 3)
    qtbot.addWidget(field)
    assert look.soft in {
        field.grab().toImage().pixelColor(x, field.height() // 2).name() for x in range(8, 60)
    }


def test_a_change_is_told_once(theme: Theme) -> None:
    told: list[str] = []
    theme.changed.connect(lambda: told.append(tokens().scheme))
    theme.choose("dark")
    theme.choose("light")
    assert told == ["dark", "light"]


def test_the_theme_of_the_application_can_be_found(theme: Theme, qapp: QApplication) -> None:
    assert theme_of(qapp) is theme


def test_things_may_move_until_somebody_says_no(theme: Theme) -> None:
    assert motion()
    theme.set_motion(on=False)
    assert not motion()


def test_an_icon_is_sharp_at_every_scale_and_takes_the_colour_asked_for(theme: Theme) -> None:
    theme.choose("light")
    for scale in (1.0, 1.5, 2.0):
        picture = icon("add", "accent").pixmap(QSize(20, 20), scale).toImage()
        assert picture.width() == round(20 * scale)
        middle = picture.pixelColor(picture.width() // 2, picture.height() // 2)
        assert middle.name() == LIGHT.accent


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_a_painted_icon_follows_the_theme_and_is_as_sharp_as_the_screen(
    theme: Theme, scale: float
) -> None:
    asked = icon("add", "accent")

    def painted() -> QImage:
        picture = QImage(round(20 * scale), round(20 * scale), QImage.Format.Format_ARGB32)
        picture.setDevicePixelRatio(scale)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        asked.paint(painter, QRect(0, 0, 20, 20))
        painter.end()
        return picture

    for choice, look in (("light", LIGHT), ("dark", DARK), ("light", LIGHT)):
        theme.choose(choice)
        picture = painted()
        middle = picture.width() // 2
        assert picture.pixelColor(middle, middle).name() == look.accent
        # Of the same pixels as the icon that Qt has made for that screen, not blown up to them.
        sharp = asked.pixmap(QSize(20, 20), scale).toImage().convertToFormat(picture.format())
        sharp.setDevicePixelRatio(scale)
        assert picture == sharp


def test_an_icon_on_paper_is_drawn_in_lines(theme: Theme) -> None:
    theme.choose("light")
    lines = QPicture()
    painter = QPainter(lines)
    icon("person", "accent").paint(painter, QRect(0, 0, 20, 20))
    painter.end()
    paper = QImage(400, 400, QImage.Format.Format_ARGB32)
    paper.fill(Qt.GlobalColor.white)
    painter = QPainter(paper)
    painter.scale(20, 20)
    painter.drawPicture(0, 0, lines)
    painter.end()
    row = [paper.pixelColor(x, 100).name() for x in range(400)]
    edges = [x for x in range(1, 400) if row[x] != row[x - 1]]
    # One of pixels would have its edges where theirs are.
    assert LIGHT.accent in row
    assert any(x % 20 for x in edges)


def test_an_icon_of_a_disabled_button_is_soft(theme: Theme) -> None:
    theme.choose("dark")
    picture = icon("add").pixmap(QSize(20, 20), 1.0, QIcon.Mode.Disabled).toImage()
    assert picture.pixelColor(10, 10).name() == DARK.soft


@pytest.mark.usefixtures("theme")
def test_an_arrow_points_the_other_way_in_a_mirrored_language(qapp: QApplication) -> None:
    assert _heavier_side("arrow") == "right"
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        assert _heavier_side("arrow") == "left"
        assert _heavier_side("key") == "left"
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.usefixtures("theme")
def test_an_icon_we_lack_is_said_when_it_is_asked_for() -> None:
    with pytest.raises(LookupError):
        icon("unicorn")
    with pytest.raises(LookupError):
        icon("add", "no such token")


@pytest.mark.usefixtures("theme")
def test_the_engine_that_qt_copies_for_a_changed_icon_is_never_collected() -> None:
    """Python does not know that Qt holds it: painting with it would end the process."""

    def engines() -> int:
        gc.collect()
        return sum(isinstance(each, _Engine) for each in gc.get_objects())

    first = icon("add")
    copied = QIcon(first)
    before = engines()
    copied.addPixmap(first.pixmap(QSize(16, 16), 1.0))
    assert engines() == before + 1
    assert copied.cacheKey() != first.cacheKey()


@pytest.mark.usefixtures("theme")
def test_a_font_that_was_set_in_pixels_can_be_sized_too(qapp: QApplication) -> None:
    font = qapp.font()
    font.setPixelSize(20)
    assert sized(font, 2).pointSizeF() == pytest.approx(2 * sized(font, 1).pointSizeF())
    assert sized(font, 1).pointSizeF() > 5


def test_the_colours_of_the_window_reach_what_qt_paints_itself(
    theme: Theme, qapp: QApplication
) -> None:
    theme.choose("dark")
    palette = qapp.palette()
    assert palette.color(QPalette.ColorRole.Link) == QColor(DARK.accent)
    assert palette.color(QPalette.ColorRole.PlaceholderText) == QColor(DARK.soft)


def _heavier_side(name: str) -> str:
    """The half of the icon with more ink: where an arrow has its head."""
    picture = icon(name).pixmap(QSize(40, 40), 1.0).toImage()
    left, right = (
        sum(picture.pixelColor(x, y).alpha() for x in half for y in range(40))
        for half in (range(20), range(20, 40))
    )
    return "left" if left > right else "right"
