"""Contrast, computed over the tokens: every pair that is really used, in every theme."""

import re

import pytest
from msgspec.structs import asdict, fields
from PySide6.QtWidgets import QApplication

from app.runtime.paths import resource
from app.views.look.theme import (
    DARK_CONTRAST,
    LIGHT_CONTRAST,
    ThemeColours,
    style_sheet,
)
from app.views.look.theme import THEMES as ALL
from tests.views.look.contrast import ratio

THEMES = pytest.mark.parametrize("theme", ALL, ids=[each.scheme for each in ALL])
HIGH = pytest.mark.parametrize("theme", [LIGHT_CONTRAST, DARK_CONTRAST], ids=["light", "dark"])
SURFACES = ("ground", "card", "field", "selection")

TEXT_ON = {
    "text": (*SURFACES, "track", "chosen_tab", "accent_ground", "amber_ground", "mark"),
    "soft": (*SURFACES, "track", "accent_ground"),
    "accent": (*SURFACES, "accent_ground", "amber_ground"),
    "amber": (*SURFACES, "amber_ground"),
    "on_accent": ("accent", "accent_strong"),
    "card": ("soft",),
}
"""What is read, and what it stands on: a ratio of 4.5 (WCAG 2.2, 1.4.3)."""

SEEN_ON = {
    "shadow": ("ground", "card", "field"),
    "accent": (*SURFACES, "track", "chosen_tab", "accent_ground", "amber_ground"),
    "amber": ("ground", "card"),
    "soft": ("field", "card"),
    "on_accent": ("accent", "soft"),
}
"""Edges of controls, rings, ticks and marks: a ratio of 3 (WCAG 2.2, 1.4.11)."""


def too_weak(
    theme: ThemeColours, pairs: dict[str, tuple[str, ...]], least: float
) -> dict[str, float]:
    """The pairs below `least`, with what they reach."""
    colours = asdict(theme)
    reached = {
        f"{ink} on {ground}": round(ratio(colours[ink], colours[ground]), 2)
        for ink, grounds in pairs.items()
        for ground in grounds
    }
    return {pair: found for pair, found in reached.items() if found < least}


def test_the_ratio_of_black_on_white_is_twenty_one() -> None:
    assert ratio("#000000", "#ffffff") == pytest.approx(21)
    assert ratio("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@THEMES
def test_all_text_can_be_read_on_what_it_stands_on(theme: ThemeColours) -> None:
    assert too_weak(theme, TEXT_ON, 4.5) == {}


@THEMES
def test_the_edges_of_controls_and_the_rings_can_be_seen(theme: ThemeColours) -> None:
    assert too_weak(theme, SEEN_ON, 3.0) == {}


@HIGH
def test_text_in_high_contrast_can_be_read_by_who_asks_for_it(theme: ThemeColours) -> None:
    """WCAG 2.2, 1.4.6; and what is no text as what is."""
    assert too_weak(theme, TEXT_ON, 7.0) == {}
    assert too_weak(theme, SEEN_ON, 4.5) == {}
    assert too_weak(theme, {"line": ("ground", "card"), "edge": ("ground", "card")}, 3.0) == {}


@THEMES
def test_the_chosen_tab_is_the_lighter_one(theme: ThemeColours) -> None:
    (ground,) = (
        found[1]
        for selector, body in rules()
        if selector == 'QTabBar[role="tabs"]::tab:selected'
        if (found := re.search(r"background: \$\{(\w+)\}", body))
    )
    chosen = asdict(theme)[ground]
    assert ratio(chosen, "#000000") > ratio(theme.track, "#000000")
    assert ratio(chosen, theme.track) > 1.2


def test_every_pair_in_the_style_sheet_is_among_the_pairs_that_are_checked() -> None:
    listed = {(ink, ground) for ink, grounds in TEXT_ON.items() for ground in grounds}
    pairs = set()
    for selector, body in rules():
        ink = re.search(r"(?<![-\w])color: \$\{(\w+)\}", body)
        ground = re.search(r"(?<![-\w])background: \$\{(\w+)\}", body)
        if ink and ground and ":disabled" not in selector:
            pairs.add((ink[1], ground[1]))
    assert len(pairs) > 5
    assert pairs - listed == set()


def test_the_style_sheet_says_no_colour_itself() -> None:
    literal = re.compile(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(|\b(white|black|gray|grey|red)\b")
    assert [body for _, body in rules() if literal.search(body)] == []


@THEMES
def test_the_sheet_names_only_tokens_there_are_and_uses_each(
    theme: ThemeColours, qapp: QApplication
) -> None:
    assert "$" not in style_sheet(theme, qapp.font())
    source = (resource("style") / "frontdesk.qss").read_text("utf-8")
    painted_by_hand = {"mark"}
    unused = {f.name for f in fields(theme) if f"${{{f.name}}}" not in source}
    assert unused <= painted_by_hand


@THEMES
@pytest.mark.parametrize(
    ("mark", "ink"),
    [("check", "on_accent"), ("chevron-down", "soft"), ("add", "soft"), ("remove", "soft")],
)
def test_a_mark_inside_a_control_is_the_icon_in_the_theme_s_colour(
    theme: ThemeColours, mark: str, ink: str
) -> None:
    """A style sheet can only name a file, so these few lie there in both colours."""
    drawn = (resource("icons") / f"{mark}.svg").read_text("utf-8")
    coloured = (resource("icons") / theme.scheme / f"{mark}.svg").read_text("utf-8")
    assert coloured == drawn.replace("currentColor", asdict(theme)[ink])


def rules() -> list[tuple[str, str]]:
    """The selectors and bodies of the sheet, comments left out."""
    source = (resource("style") / "frontdesk.qss").read_text("utf-8")
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    source = re.sub(r"\$\{(\w+)\}", r"$<\1>", source)
    found = re.findall(r"([^{}]+)\{([^{}]*)\}", source)
    return [(s.strip(), re.sub(r"\$<(\w+)>", r"${\1}", body)) for s, body in found]
