"""The window walked in every language, size, scale and theme, and what the rules found on the way.

In each state it is heard as well what a screen reader is told. `python3 packaging/dev.py whole
layout` walks in all of them; the tests take a sample of the sizes, translations and states, another
one in another run. Qt takes the scale once per process, so each scale is walked in one of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from app.runtime.paths import resource
from app.runtime.words import languages
from app.views.look.theme import THEMES
from tests.end_to_end.layout_states import STATES
from tests.end_to_end.layout_walk import LOOKED_AT, SMALL_SIZES, TURNED
from tests.end_to_end.pseudo_languages import BOTH, LONG, MIRRORED, PLAIN, Language

ROOT = Path(__file__).resolve().parents[2]
LEAST, SMALLEST = "944x492", "784x552"
"""What a frame leaves of 1920 x 1080 at 200 %, and of 800 x 600."""
SCREEN = 3840, 2160
USUAL, LARGE, LARGEST = "1180x760", "1920x1080", "3840x2160"
QUIET = {"QT_LOGGING_RULES": "qt.qpa.*=false"}

Sizes = tuple[str, ...]
EACH = (SMALLEST, USUAL, LARGEST)
MADE_UP: tuple[tuple[str, str, dict[Language, Sizes]], ...] = (
    ("1", "light", {PLAIN: (*EACH, LEAST), MIRRORED: EACH}),
    ("1", "light-contrast", {LONG: EACH}),
    ("1.5", "light", {BOTH: (SMALLEST, LARGE)}),
    ("2", "dark-contrast", {BOTH: (SMALLEST, LARGE)}),
)
"""A scale, a theme, and the sizes of each language that is walked in them. Sizes are in device
independent pixels: 1920x1080 at a scale of 2 fills a 4K screen.

What fits in the long language fits in the plain one; that one is walked for its mirror image.
"""
TRANSLATIONS = tuple(sorted({*languages(resource("translations"))} - {"en"}))
TRANSLATED_AT = (("1", "light"), *(("2", theme.scheme) for theme in THEMES))
"""Scales and themes of the smallest window: what is too long there needs a shorter word in the
catalogue.
"""
SAMPLE = (("de", "1", "light", (SMALLEST, LEAST), True), ("ar", "2", "dark", (SMALLEST,), False))
"""What the tests walk, one of them in each whole run, and look at half of its states: the longest
translation, turned to see what mirrors itself, and the one that is read from the right at a scale
at which it is seen what can hardly be read.
"""

ROLES = {"Button", "Dialog", "EditableText", "Grouping", "List", "PageTab", "Table"}
"""Kinds of what a screen reader is told of on each walk."""


def walked(
    scale: str,
    scheme: str,
    sizes_of: dict[str, Sizes],
    *,
    turned: bool = False,
    states: tuple[int, int] = (0, 1),
) -> dict[str, Any]:
    """What is found on a walk at this scale and in this theme, in each of these languages and its
    sizes; in the first of them also `turned`, so that what began on the left begins on the right.
    `states` that are looked at: the first, from 0, and how far it is to the next.
    """
    walks = [TURNED] if turned else []
    walks += ["{}:{},{}".format(LOOKED_AT, *states)]
    walks += [f"{language}:{','.join(sizes)}" for language, sizes in sizes_of.items()]
    with tempfile.TemporaryDirectory() as folder:
        screen = Path(folder) / "screen.json"
        screen.write_text(json.dumps({"screens": [_screen(float(scale))]}))
        platform = {"QT_QPA_PLATFORM": f"offscreen:configfile={screen}", "QT_SCALE_FACTOR": scale}
        done = subprocess.run(
            [sys.executable, "-m", "tests.end_to_end.layout_walk", scheme, *walks],
            cwd=ROOT,
            env=os.environ | QUIET | platform,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["troubles"] == [], report["troubles"]
    assert report["looks"] == looks(sizes_of, states)
    assert set(report["roles"]) >= ROLES, report["roles"]
    return report


def _screen(scale: float) -> dict[str, object]:
    """One with room for every window: what leaves a window has not gone out of the screen's way."""
    width, height = SCREEN
    pixels = {"width": round(width * scale), "height": round(height * scale)}
    return {"name": "large", "x": 0, "y": 0, "logicalDpi": 96, "dpr": 1} | pixels


def looks(sizes_of: dict[str, Sizes], states: tuple[int, int]) -> int:
    """How often a walk looks at the window, those before anybody has signed in included."""
    looked_at = STATES[states[0] :: states[1]]
    small = sum(state.small for state in looked_at) + 1
    seldom = sum(state.once for state in looked_at)
    often = len(looked_at) - seldom - small + 3
    narrow = [[size for size in sizes if size in {LEAST, SMALLEST}] for sizes in sizes_of.values()]
    return sum(
        often * len(sizes) + seldom * len(least) + small * len(SMALL_SIZES)
        for sizes, least in zip(sizes_of.values(), narrow, strict=True)
    )


def summary(found: list[dict[str, str]]) -> list[str]:
    """Each thing that is wrong once, with the first place where it was seen."""
    times = Counter((f["rule"], f["widget"], f["detail"]) for f in found)
    first = {(f["rule"], f["widget"], f["detail"]): f for f in reversed(found)}
    return [
        f"{rule}: {widget}: {detail} ({n} times, first: {first[key]['language']}, "
        f"{first[key]['state']}, {first[key]['size']})"
        for key, n in sorted(times.items())
        for rule, widget, detail in [key]
    ]


def main() -> int:
    """The exit code: 0 when nothing is cut or overlaps anywhere."""
    parser = argparse.ArgumentParser(prog="dev.py whole layout", description=__doc__)
    parser.add_argument("languages", nargs="*", choices=[*TRANSLATIONS, []], help="these alone")
    chosen = parser.parse_args().languages
    walks: list[tuple[str, str, dict[str, Sizes], bool]] = []
    if not chosen:
        walks += [
            (scale, scheme, {one.name: sizes for one, sizes in of.items()}, False)
            for scale, scheme, of in MADE_UP
        ]
    walks += [
        (scale, scheme, {language: (SMALLEST,)}, False)
        for language in chosen or TRANSLATIONS
        for scale, scheme in TRANSLATED_AT
    ]
    walks += [
        (scale, scheme, {language: sizes}, True)
        for language, scale, scheme, sizes, turned in SAMPLE
        if turned and language in (chosen or TRANSLATIONS)
    ]
    wrong = 0
    for scale, scheme, sizes_of, turned in walks:
        found = summary(walked(scale, scheme, sizes_of, turned=turned)["found"])
        wrong += len(found)
        each = "; ".join(f"{name} in {', '.join(sizes)}" for name, sizes in sizes_of.items())
        sys.stdout.write(f"{each}, scale {scale}, {scheme}: {len(found)} wrong\n")
        sys.stdout.writelines(f"    {line}\n" for line in found)
        sys.stdout.flush()
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
