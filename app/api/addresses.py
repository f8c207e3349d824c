"""Web addresses of accounts: checked, taken apart, and what was meant where one is mistyped."""

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

import msgspec

from app.api.errors import AddressRefused
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
    from difflib import get_close_matches  # noqa: PLC0415 - for what is mistyped alone

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


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_STRANGE = re.compile(r"[\s\\<>\"^`{|}\x00-\x1f\x7f]")
_PASTED_TAIL = re.compile(r"/(v1|oauth)(/.*)?$")
_HOST = re.compile(r"[^\s/?#@%\\,:\[\]()!$&'*+;=]{1,253}")
_OLD_IP = re.compile(r"[0-9a-fx.]+", re.IGNORECASE)
_AROUND = " \t\r\n\u00a0\u200b\ufeff<>\"'"
_LONGEST_SUGGESTION = 200
_PRIVATE_ENDINGS = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test", ".invalid")

USUAL_PORTS = {"http": 80, "https": 443}
"""The port an address means that names none."""


class WebAddress(msgspec.Struct, frozen=True):
    """Where an address leads; `port` is always said, `host` in lower case, `path` as written."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and, where it is not the usual one, port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == USUAL_PORTS[self.scheme]
        return f"{self.scheme}://{host}" if usual else f"{self.scheme}://{host}:{self.port}"


def check_base_url(text: str) -> str:
    """The address of a service as the client wants it; raises AddressRefused with a sentence.

    Adds https:// where nothing is said, drops blanks, slashes at the end and a pasted /v1 or
    /oauth path. Without encryption only this computer and private networks are taken. What can be
    guessed of a mistyped one stands in the error as its `suggestion`.
    """
    typed = text.strip(_AROUND)
    if not typed:
        raise _refused(tr("Type the address of your account."))
    if sentence := mistaken_for_address(typed):
        raise _refused(sentence)
    try:
        if sentence := mistyped_address(typed):
            raise _refused(sentence)
        return _accepted(typed)
    except AddressRefused as error:
        error.suggestion = _suggestion(typed)
        raise


def _accepted(typed: str) -> str:
    """The address, where it is one as it stands; raises AddressRefused."""
    if not _SCHEME.match(typed):
        typed = f"https://{typed.lstrip('/')}"
    place = parse_address(typed)
    if place.scheme == "http" and not is_private(place.host):
        raise _refused(
            tr("Write https:// in front: without it anybody on the way could read along.")
        )
    return base_address(typed)


def _suggestion(typed: str) -> str | None:
    """The address that was probably meant; never one with a name or a password in it."""
    for guess in likely_addresses(typed):
        try:
            meant = _accepted(guess)
        except AddressRefused:
            continue
        slip = mistaken_for_address(meant) or mistyped_address(meant)
        if not slip and len(meant) <= _LONGEST_SUGGESTION:
            return meant
    return None


def base_address(text: str) -> str:
    """A complete http or https address without its end; raises AddressRefused.

    This is what the client itself insists on; whether it is wise is for `check_base_url`.
    """
    place = parse_address(text.strip(_AROUND))
    path = _PASTED_TAIL.sub("", place.path.rstrip("/")).rstrip("/")
    return f"{place.origin}{path}"


def check_redirect_address(text: str) -> str:
    """The redirect address exactly as registered, blanks around it dropped; AddressRefused."""
    typed = text.strip(_AROUND)
    if not typed:
        raise _refused(tr("Type the redirect address that is registered for Front Desk."))
    if not _SCHEME.match(typed):
        raise _refused(tr("A redirect address begins with http:// or https://."))
    parse_address(typed)
    return typed


def parse_address(text: str) -> WebAddress:
    """Take an http or https address apart; raises AddressRefused for anything unusual in it."""
    if _STRANGE.search(text):
        raise _refused(tr("There is a blank or a strange sign inside the address."))
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _refused(tr("This is not a complete web address.")) from None
    if parts.scheme not in USUAL_PORTS:
        raise _refused(tr("The address begins with https:// (or http:// on this computer)."))
    _refuse_extras(text, parts)
    host = _host(parts)
    return WebAddress(
        parts.scheme, host, USUAL_PORTS[parts.scheme] if port is None else port, parts.path
    )


def is_loopback(host: str) -> bool:
    """Whether `host` is this computer itself, in any of the ways to write that."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _ip(name) or _old_ip(name)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    # The address of nowhere leads here, too.
    return address is not None and (address.is_loopback or address.is_unspecified)


def is_private(host: str) -> bool:
    """Whether `host` can only be on this computer or in a private network."""
    address = _ip(host)
    if address is not None:
        return address.is_private or address.is_link_local
    return is_loopback(host) or "." not in host or host.endswith(_PRIVATE_ENDINGS)


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    named = _HOST.fullmatch(host) is not None and all(host.split("."))
    if parts.port == 0 or not (named or _ip(host)):
        raise _refused(tr("This is not a complete web address."))
    return host


def _refuse_extras(text: str, parts: SplitResult) -> None:
    if "@" in parts.netloc:
        raise _refused(tr("Leave out the name or the email in front of the @ sign."))
    if "?" in text or "#" in text:
        raise _refused(tr("Leave out what follows the ? or # sign."))
    if any(segment in {".", ".."} for segment in parts.path.split("/")):
        raise _refused(tr("This is not a complete web address."))


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _old_ip(host: str) -> ipaddress.IPv4Address | None:
    """127.1, 0x7f000001 or 2130706433: the system's resolver takes them all."""
    if not _OLD_IP.fullmatch(host):
        return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _refused(sentence: str) -> AddressRefused:
    return AddressRefused(tr("Check the address"), sentence)
