"""The contrast of two colours as WCAG 2.2 computes it."""

from functools import lru_cache


@lru_cache(maxsize=4096)
def luminance(value: str) -> float:
    """Relative luminance of `#rrggbb`, from 0 to 1."""
    parts = [int(value[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
