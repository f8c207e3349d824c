"""Every sentence a person can read passes through here, so that it can be translated.

It knows gettext and where the catalogues lie; which language is wanted is said once, at start.
"""

import gettext
from pathlib import Path

_DOMAIN = "frontdesk"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(folder: Path, languages: list[str]) -> None:
    """Read the first of `languages` (codes as in `de_CH`) that has a catalogue in `folder`."""
    global _catalogue  # noqa: PLW0603 - one language per process
    _catalogue = gettext.translation(_DOMAIN, folder, languages, fallback=True)


def tr(sentence: str, **values: object) -> str:
    """The sentence in the person's language, its `{names}` filled from `values`."""
    return _filled(_catalogue.gettext(sentence), values)


def trn(one: str, many: str, n: int, **values: object) -> str:
    """The form of a sentence that fits `n`, with `{n}` and `values` filled in."""
    return _filled(_catalogue.ngettext(one, many, n), {"n": n, **values})


def _filled(sentence: str, values: dict[str, object]) -> str:
    return sentence.format(**values) if values else sentence
