"""Turning an envelope into bytes by the format in the address (api-spec, Common conventions)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

DEFAULT = "json"


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write an envelope; a new format is one more row in `FORMATS`."""

    media_type: str
    encode: Callable[[Mapping[str, object]], bytes]


def _json(tree: Mapping[str, object]) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()


FORMATS: Mapping[str, Format] = {"json": Format("application/json", _json)}
