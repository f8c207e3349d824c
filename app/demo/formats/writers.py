"""Which formats there are, and which one an address asks for (api-spec, Common conventions); JSON,
in which all is written unless another is asked for: compact, and every letter as itself.
"""

import json
from collections.abc import Callable, Mapping

import msgspec

from app.demo.formats import php, xml

DEFAULT = "json"


class Format(msgspec.Struct, frozen=True):
    """One way to write an envelope.

    `fragment` takes a key and its value; `envelope` the values at the head, then that key and the
    fragment. Apart, so that a large value can be written once and sent in many envelopes.
    """

    media_type: str
    fragment: Callable[[str, object], bytes]
    envelope: Callable[[Mapping[str, object], str, bytes], bytes]


def _json_fragment(_key: str, value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _json_envelope(head: Mapping[str, object], key: str, written: bytes) -> bytes:
    return b"%b,%b:%b}" % (_json_fragment("", head)[:-1], _json_fragment("", key), written)


FORMATS: Mapping[str, Format] = {
    "json": Format("application/json", _json_fragment, _json_envelope),
    "xml": Format(f"{xml.MEDIA_TYPE}; charset=utf-8", xml.fragment, xml.envelope),
    "php": Format(php.MEDIA_TYPE, php.fragment, php.envelope),
}


_PHP_OF_OBJECTS = "php of objects"

WRITERS: Mapping[str, Format] = {
    **FORMATS,
    _PHP_OF_OBJECTS: Format(php.MEDIA_TYPE, php.fragment_of_objects, php.envelope),
}
"""Every way to write an answer; no address asks for the last one, an option does."""


class CachedValue:
    """A value that never changes: written when a format is first asked for, and kept so."""

    def __init__(self, key: str, value: object) -> None:
        self._key = key
        self._value = value
        self._kept: dict[str, bytes] = {}

    def fragment(self, format_name: str) -> bytes:
        """The value as the `Format.fragment` of one of `WRITERS` writes it."""
        if format_name not in self._kept:
            self._kept[format_name] = WRITERS[format_name].fragment(self._key, self._value)
        return self._kept[format_name]


def format_of(path: str) -> str:
    """The name of the format that the address of a call ends in; the default for any other."""
    name = path.rpartition(".")[2]
    return name if path.startswith("/v1/") and name in FORMATS else DEFAULT


def writer_of(format_name: str, *, php_lists_as_objects: bool) -> str:
    """The name among `WRITERS` of how a success in this format is written."""
    chosen = php_lists_as_objects and format_name == "php"
    return _PHP_OF_OBJECTS if chosen else format_name


def in_default(path: str) -> str:
    """The address of the same call in the default format."""
    ending = f".{format_of(path)}"
    return path.removesuffix(ending) + f".{DEFAULT}" if path.endswith(ending) else path
