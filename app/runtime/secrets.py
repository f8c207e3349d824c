"""Which strings of this run must never be written down, and how they are taken out of a text:
also as addresses, JSON, HTML and headers write them.
"""

import base64
import html
import re

_HIDDEN = "•••"
_MINIMUM = 6
_LONGEST_SPELT = 64
"""Signs of a secret that are looked for in every spelling; what follows them goes with them."""
_ESCAPES = frozenset("\\%&+")
"""Each way to spell a secret otherwise than it is has one of these."""
_known: dict[str, tuple[str, ...]] = {}
"""The secrets, with what base64 makes of each."""
_patterns: dict[str, re.Pattern[str]] = {}
"""Of those that a text was searched for, what finds every spelling: it takes 9 ms to make one."""
_NAMES = "access_token|refresh_token|client_secret|api_key|password"
_IN_ADDRESS = re.compile(rf"({_NAMES}|code)(=|%(?:25){{0,4}}3D)[^&\s\"'#]+", re.IGNORECASE)
_IN_JSON = re.compile(
    rf"(\\{{0,8}}[\"'](?:{_NAMES})\\{{0,8}}[\"']\s*:\s*)\\{{0,8}}[\"'][^\"']+", re.IGNORECASE
)
_IN_HEADER = re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]{6,}")


def remember_secret(value: str) -> None:
    """From now on `value` is hidden wherever `redact` looks (very short ones would hide words)."""
    if len(value) >= _MINIMUM and value not in _known:
        _known[value] = _in_base64(value)


def redact(text: str) -> str:
    """`text` without the secrets of this run and without anything shaped like a credential.

    Percent-encoded, escaped for JSON, Python or HTML, and inside base64 they are found as well.
    """
    for secret in sorted(_known, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    # At one blow: another thread may come to know one meanwhile.
    for secret, encoded in tuple(_known.items()):
        if not _ESCAPES.isdisjoint(text) or secret[:_LONGEST_SPELT] in text:
            text = _spellings(secret).sub(_HIDDEN, text)
        for part in encoded:
            text = text.replace(part, _HIDDEN)
    text = _IN_ADDRESS.sub(rf"\1\2{_HIDDEN}", text)
    text = _IN_JSON.sub(rf"\1{_HIDDEN}", text)
    return _IN_HEADER.sub(rf"\1 {_HIDDEN}", text)


def _spellings(secret: str) -> re.Pattern[str]:
    """Each sign as itself or as any of its escapes, also where one was escaped twice."""
    if secret not in _patterns:
        pattern = "".join(map(_spelling, secret[:_LONGEST_SPELT]))
        rest = "" if len(secret) <= _LONGEST_SPELT else r"[^\s\"'<>&]*"
        _patterns[secret] = re.compile(f"{pattern}{rest}")
    return _patterns[secret]


def _spelling(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    codes = [units[at : at + 2].hex() for at in range(0, len(units), 2)]
    content = sign.encode("utf-8", "surrogatepass")
    ways = [
        rf"\\{{0,8}}{re.escape(sign)}",
        "".join(rf"%(?:25){{0,4}}(?i:{byte:02x})" for byte in content),
        "".join(rf"\\{{1,8}}u(?i:{code})" for code in codes),
    ]
    if sign.isascii():
        ways.append(rf"\\{{1,8}}x(?i:{ord(sign):02x})")
    if not sign.isalnum():
        ways.append(rf"&(?:amp;){{0,4}}#(?:0*{ord(sign)}|(?i:x0*{ord(sign):x}));")
        if (named := html.escape(sign)) != sign:
            ways.append(re.escape(named))
    if sign == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"


def _in_base64(secret: str) -> tuple[str, ...]:
    """The signs that base64 has for a secret whatever stands around it, for each place in a group
    of three bytes where it may begin, in both alphabets.
    """
    content = secret.encode("utf-8", "surrogatepass")
    found: list[str] = []
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(content)) * 8 // 6
        encoded = base64.b64encode(b"\0" * before + content).decode()[first:last]
        found += [encoded, encoded.replace("+", "-").replace("/", "_")]
    return tuple(dict.fromkeys(found))
