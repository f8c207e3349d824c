"""What people type or paste where the address of their account belongs, and what they meant by it.

It knows the usual slips; whether a guess can be an address at all is left to `addresses`.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches

from app.runtime.words import tr

_BEGINNING = re.compile(r"([A-Za-z]{2,8})([:;.,]*[/\\]+|[:;](?=[A-Za-z\[]))")
_GOOD_BEGINNING = re.compile(r"https?://(?![/\\])", re.IGNORECASE)
_TWO_BEGINNINGS = re.compile(r"https?:/*(?=https?:)", re.IGNORECASE)
_AS_CLOSE = 0.7
"""How like a beginning has to be to http or https: `htp` and `ttps` are, `ftp` and `smtp` not."""
_FILE = re.compile(r"[A-Za-z]:[/\\]|\\\\|file:|~?/(?!/)|\.{1,2}[/\\]", re.IGNORECASE)
_MAIL = re.compile(r"(mailto:.*|[^\s/:@?#]+@[^\s/:@?#]+)", re.IGNORECASE)
_ONE_ADDRESS = re.compile(
    r"(https?://\S+?|[^\s/,;@]+\.[^\s/,;@.]{2,}(/\S*?)?)[,;.]?", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\s,;|]+")
_WORD = re.compile(r"[^\s./:\\@?#\[\],;]+")
_SHORT_NAME = re.compile(r"[A-Za-z]{1,15}")
"""What may be the whole name of a computer in the house; another word may well be a key."""
_END = ".,;:!)]}>"
_MOST_WORDS = 3
_PLAIN_DOTS = str.maketrans("。．｡", "...")
"""Full stops of other keyboards, which browsers take for dots, too."""


def mistaken_for_address(typed: str) -> str:
    """A sentence where the text is something else altogether, so that nothing can be guessed from
    it; blank where it is not.
    """
    if _FILE.match(typed):
        return tr("This is a file on a computer. “Open a connection file” opens one.")
    if _MAIL.fullmatch(typed):
        return tr("This is an email address. Type the address of your account's own page.")
    if len(set(_addresses_in(typed))) > 1:
        return tr("These are several addresses. Type one of them.")
    return ""


def mistyped_address(typed: str) -> str:
    """A sentence where the text reads like an address and could only lead astray; else blank."""
    if _mistyped_beginning(typed) or _TWO_BEGINNINGS.match(typed):
        return tr("The beginning of the address is mistyped.")
    if len(_addresses_in(typed)) > 1:
        return tr("The address stands here twice.")
    words = typed.split()
    if all(_WORD.fullmatch(word) for word in words) and typed.casefold() != "localhost":
        return tr("This is no complete address. Type it as the browser shows it.")
    if len(words) > 1:
        return tr("There is a blank inside the address.")
    if unicodedata.normalize("NFKC", typed) != unicodedata.normalize("NFC", typed):
        return tr("There are unusual letters in the address.")
    return ""


def likely_addresses(typed: str) -> Iterator[str]:
    """What may have been meant, the likeliest first; each still has to be an address."""
    found = _addresses_in(typed)
    text = found[0] if len(found) > 1 else typed
    if _is_ip_6(text):
        yield f"https://[{text}]"
    words = text.split()
    if len(words) > 1:
        links = [word for word in words if _GOOD_BEGINNING.match(word) and "." in word]
        text = links[0] if len(links) == 1 else text
    said_in_words = len(words) > 1 and "." not in text.translate(_PLAIN_DOTS)
    too_many = len(text.split()) > _MOST_WORDS
    # Whoever follows an offer asks the network for that name: a key must not go that way.
    perhaps_a_key = _is_plain_word(text) and not _SHORT_NAME.fullmatch(text)
    if said_in_words or too_many or perhaps_a_key or text.casefold() in {"http", "https"}:
        return
    text = _tidied(_begun_well(_TWO_BEGINNINGS.sub("", text)))
    text, cut, _ = text.partition("?") if "?" in text else text.partition("#")
    if cut:
        yield _without_page(text.partition("#")[0])
    yield text
    yield re.sub(r"(?i)^http://", "https://", text)


def _is_plain_word(text: str) -> bool:
    return _WORD.fullmatch(text.translate(_PLAIN_DOTS)) is not None


def _mistyped_beginning(typed: str) -> re.Match[str] | None:
    found = _BEGINNING.match(typed)
    if found is None or _GOOD_BEGINNING.match(typed):
        return None
    return found if _meant_beginning(found[1]) else None


def _meant_beginning(word: str) -> str:
    """http or https where the word is nearly one of them; else blank."""
    return next(iter(get_close_matches(word.lower(), ("https", "http"), 1, _AS_CLOSE)), "")


def _begun_well(text: str) -> str:
    found = _mistyped_beginning(text)
    if found is None:
        return text
    rest = text[found.end() :].lstrip("/\\")
    return f"{_meant_beginning(found[1])}://{rest}"


def _tidied(text: str) -> str:
    """Blanks taken out, the signs of another keyboard made plain, and no comma for a dot."""
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN_DOTS)).replace("\\", "/")
    return "".join(plain.split()).replace(",", ".").rstrip(_END)


def _without_page(text: str) -> str:
    """The link of a page without the page: one folder may be the account's own."""
    scheme, mark, rest = text.rpartition("://")
    host, _, path = rest.partition("/")
    steps = [step for step in path.split("/") if step]
    own = ("v1", "oauth")
    is_page = len(steps) > 1 or (steps and "." in steps[0])
    kept = steps if any(step in own for step in steps) else ([] if is_page else steps)
    return f"{scheme}{mark}{'/'.join([host, *kept])}"


def _addresses_in(typed: str) -> list[str]:
    """Every address in the text, where it holds nothing else; one alone where it does."""
    parts = [part for part in _BETWEEN.split(_parted(typed)) if part]
    if len(parts) > 1 and all(_ONE_ADDRESS.fullmatch(part) for part in parts):
        return [part.rstrip("/").casefold() for part in parts]
    return [typed]


def _parted(typed: str) -> str:
    """A blank before a second `http://` that was pasted right behind the first."""
    head, mark, rest = re.split(r"([?#]|$)", typed, maxsplit=1)
    return re.sub(r"(?i)(?<=[^\s])(?=https?://)", " ", head) + mark + rest


def _is_ip_6(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).version == 6  # noqa: PLR2004 - the name of a protocol
    except ValueError:
        return False
