"""What may be wrong with an email address as it was typed, and how it was probably meant.

It warns and never blocks: people have stranger addresses than any rule knows.
"""

import re
import unicodedata
from functools import lru_cache

import msgspec

from app.runtime.words import tr

_AT_SPELLED = re.compile(r"\s*(?:\(at\)|\[at\]|＠|@)\s*", re.IGNORECASE)
_FOREIGN = re.compile(r"[\s,;:<>()\[\]\\\"]")
_END = re.compile(r"\.(?:[^\W\d_]{2,}|xn--[\w-]+)\Z")
_AROUND = "<>()[]\"'“”‘’.,;: \t\n\u00a0"
_MISSPELLED_ENDS = {
    "con": "com", "cmo": "com", "ocm": "com", "vom": "com", "xom": "com", "comm": "com",
    "coom": "com", "cim": "com", "cpm": "com", "clm": "com", "ogr": "org", "orgg": "org",
    "rog": "org", "nte": "net", "nett": "net", "ent": "net", "co.ku": "co.uk", "co.uk.com": "co.uk",
    "couk": "co.uk", "dee": "de", "ed": "de",
}  # fmt: skip
_PROVIDERS = (
    "gmail.com", "googlemail.com", "yahoo.com", "yahoo.co.uk", "hotmail.com", "hotmail.co.uk",
    "outlook.com", "icloud.com", "live.com", "aol.com", "msn.com", "gmx.de", "gmx.net", "web.de",
    "t-online.de", "protonmail.com", "btinternet.com", "comcast.net", "verizon.net", "orange.fr",
    "wanadoo.fr", "laposte.net", "libero.it", "bluewin.ch", "sbcglobal.net", "bellsouth.net",
)  # fmt: skip
# One letter away from a provider above and yet somebody's own.
_TRUE_DOMAINS = frozenset(
    ("mail.com", "email.com", "ymail.com", "fmail.com", "yahoo.ca", "gmx.com", "gmx.at", "gmx.ch")
)
# Names this short are one letter away from too many others.
_SHORTEST_COMPARED = 9
_BARE_NAMES = {provider.partition(".")[0]: provider for provider in reversed(_PROVIDERS)}


class EmailRemark(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence about an address; `repair` is the whole address as probably meant, or None."""

    sentence: str
    repair: str | None = None


def check_email(text: str) -> EmailRemark | None:
    """A remark about a typed address, or None where nothing looks wrong (a blank one included).

    A repair is offered only where it leaves an address without a remark of its own.
    """
    typed = text.strip()
    if not typed:
        return None
    repair = _repaired(typed)
    if repair != typed and _fault(repair) is None:
        return EmailRemark(sentence=tr("Did you mean {email}?", email=repair), repair=repair)
    fault = _fault(typed)
    return EmailRemark(sentence=fault) if fault else None


def _repaired(typed: str) -> str:
    address = unicodedata.normalize("NFKC", typed).strip(_AROUND)
    address = re.sub(r"\Amailto:", "", address, flags=re.IGNORECASE)
    address = re.sub(r"@+", "@", _AT_SPELLED.sub("@", address))
    local, sign, domain = address.rpartition("@")
    if not sign:
        return _sign_put_in(address)
    local = re.sub(r"\.{2,}", ".", local).strip(".")
    domain = re.sub(r"\s*[,;.]+\s*", ".", domain).strip(".")
    return f"{local}@{_likely_domain(domain)}"


def _sign_put_in(address: str) -> str:
    """`ada.gmail.com` or `adagmail.com`: the sign left out before a provider everybody knows."""
    for provider in _PROVIDERS:
        local = address[: -len(provider)].rstrip(".")
        if len(provider) >= _SHORTEST_COMPARED and address.lower().endswith(provider) and local:
            return f"{local}@{address[-len(provider) :]}"
    return address


@lru_cache(1_000)
def _likely_domain(domain: str) -> str:
    """A whole list has few."""
    plain = domain.lower()
    if plain in _PROVIDERS:
        return domain
    mended = _end_mended(plain)
    for provider in _PROVIDERS:
        if mended == provider or mended == provider.replace(".", ""):
            return provider
    if mended in _BARE_NAMES:
        return _BARE_NAMES[mended]
    if mended not in _TRUE_DOMAINS:
        for provider in _PROVIDERS:
            if len(provider) >= _SHORTEST_COMPARED and _one_slip(mended, provider):
                return provider
    return domain if mended == plain else mended


def _end_mended(domain: str) -> str:
    for wrong, right in _MISSPELLED_ENDS.items():
        if domain.endswith("." + wrong):
            return domain[: -len(wrong)] + right
    return domain


def _one_slip(typed: str, meant: str) -> bool:
    """Whether one letter was changed, left out, added, or two neighbours swapped."""
    if abs(len(typed) - len(meant)) > 1:
        return False
    same = 0
    while same < min(len(typed), len(meant)) and typed[same] == meant[same]:
        same += 1
    a, b = typed[same:], meant[same:]
    swapped = a[:2] == b[1::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b[1:] or a[1:] == b or a == b[1:]


def _fault(address: str) -> str | None:
    """The sentence about what is wrong with an address, or None."""
    local, sign, domain = address.rpartition("@")
    dots = "" in domain.split(".") or "" in local.split(".")
    faults = (
        (not sign, tr("An email address has an @ in it.")),
        (not local or "@" in local, tr("An email address has one @, with a name before it.")),
        (not domain, tr("The part after the @ is missing.")),
        (_FOREIGN.search(address), tr("A blank or a sign in this email address is out of place.")),
        ("." not in domain, tr("The part after the @ has no dot in it.")),
        (dots, tr("There is a dot too many in this email address.")),
        (not _END.search(domain), tr("The email address seems to be cut off at its end.")),
    )
    return next((sentence for is_wrong, sentence in faults if is_wrong), None)
