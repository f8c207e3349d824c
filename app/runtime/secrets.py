"""Which strings of this run must never be written down, and how they are taken out of a text."""

import re

_HIDDEN = "•••"
_MINIMUM = 6
_known: set[str] = set()
_IN_ADDRESS = re.compile(
    r"(access_token|refresh_token|client_secret|code|api_key|password)=[^&\s\"'#]+", re.IGNORECASE
)
_IN_HEADER = re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]{6,}")


def remember_secret(value: str) -> None:
    """From now on `value` is hidden wherever `redact` looks (very short ones would hide words)."""
    if len(value) >= _MINIMUM:
        _known.add(value)


def redact(text: str) -> str:
    """`text` without the secrets of this run and without anything shaped like a credential."""
    for secret in sorted(_known, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    text = _IN_ADDRESS.sub(rf"\1={_HIDDEN}", text)
    return _IN_HEADER.sub(rf"\1 {_HIDDEN}", text)
