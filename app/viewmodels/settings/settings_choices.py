"""What can be chosen among the settings: what each is called, and the words it is found by.

Apart from the screen, which the palette does not need to offer them.
"""

from enum import Enum

from app.runtime.words import tr


class SettingsChoice(Enum):
    """One place of the settings page, in its order."""

    COLOURS = "colours"
    CONTRAST = "contrast"
    MOTION = "motion"
    NAME_ORDER = "name-order"
    HOLD = "hold"
    SEMICOLONS = "semicolons"
    LANGUAGE = "language"
    KEPT = "kept"
    ACCOUNTS = "accounts"


_LANGUAGE_IN_EACH = (
    "language Sprache idioma lengua langue língua لغة اللغة"
    " English Deutsch español français português العربية"
)
"""The word for a language, and what each is called, in all that are spoken: whoever looks for it
may not read the one that is shown.
"""


def name_of(choice: SettingsChoice) -> str:
    """What stands beside it on the page."""
    return {
        SettingsChoice.COLOURS: tr("Colours"),
        SettingsChoice.CONTRAST: tr("More contrast"),
        SettingsChoice.MOTION: tr("Let things on the screen move"),
        SettingsChoice.NAME_ORDER: tr("Order of names"),
        SettingsChoice.HOLD: tr("Hold a new person for"),
        SettingsChoice.SEMICOLONS: tr("Put semicolons between copied addresses, for Outlook"),
        SettingsChoice.LANGUAGE: tr("Language"),
        SettingsChoice.KEPT: tr("Keep nothing of my work on this computer"),
        SettingsChoice.ACCOUNTS: tr("Accounts on this computer"),
    }[choice]


def further_words_of(choice: SettingsChoice) -> str:
    """Other words that somebody may type who looks for it; each list is of one meaning."""
    language = tr("english german french spanish portuguese arabic translation")
    return {
        SettingsChoice.COLOURS: tr("colors dark light bright night mode theme"),
        SettingsChoice.CONTRAST: tr("high accessibility"),
        SettingsChoice.MOTION: tr("motion animation animations"),
        SettingsChoice.NAME_ORDER: tr("name first last surname"),
        SettingsChoice.HOLD: tr("seconds wait delay sending"),
        SettingsChoice.SEMICOLONS: tr("semicolon comma mail emails"),
        SettingsChoice.LANGUAGE: f"{language} {_LANGUAGE_IN_EACH}",
        SettingsChoice.KEPT: tr("privacy private data folder storage shared"),
        SettingsChoice.ACCOUNTS: tr("account forget remove organisation"),
    }[choice]
