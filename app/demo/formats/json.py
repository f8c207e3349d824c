"""Writing JSON, one of the three formats of an answer: compact, and every letter as itself."""

import json
from collections.abc import Mapping

MEDIA_TYPE = "application/json"


def fragment(_key: str, value: object) -> bytes:
    """The value alone; its key is left to `envelope`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def envelope(head: Mapping[str, object], key: str, written: bytes) -> bytes:
    """The object of the head's values and one more, which is written already."""
    return b"%b,%b:%b}" % (fragment("", head)[:-1], fragment("", key), written)
