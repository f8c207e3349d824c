"""Writing PHP, one of the three formats of an answer: what its `serialize` makes of the JSON
(api-spec, Common conventions).

"A serialized PHP object of the same structure as the JSON" is read to the letter: an object is a
stdClass, a list an array, just as PHP's `json_decode` makes them. So whoever reads both formats in
PHP holds the same values, and an empty object is no empty list. Lengths count bytes of UTF-8.
"""

from collections.abc import Mapping

# No text type: an answer whose line ends or encoding were adapted on the way would be damaged.
MEDIA_TYPE = "application/vnd.php.serialized"


def fragment(_key: str, value: object) -> bytes:
    """The value alone; its key is left to `envelope`."""
    return _written(value).encode()


def fragment_of_objects(_key: str, value: object) -> bytes:
    """The same with each list as a stdClass with the keys 0, 1, 2 (seen in the field)."""
    return _written(_without_lists(value)).encode()


def envelope(head: Mapping[str, object], key: str, written: bytes) -> bytes:
    """The object of the head's values and one more, which is written already."""
    pairs = "".join(_text(name) + _written(value) for name, value in head.items())
    opening = f"{_opening(len(head) + 1)}{pairs}{_text(key)}"
    return b"%b%b}" % (opening.encode(), written)


def _without_lists(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _without_lists(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return {str(place): _without_lists(one) for place, one in enumerate(value)}
    return value


def _written(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inner = "".join([_text(name) + _written(one) for name, one in value.items()])
        return f"{_opening(len(value))}{inner}}}"
    if isinstance(value, list | tuple):
        items = "".join([f"i:{place};{_written(one)}" for place, one in enumerate(value)])
        return f"a:{len(value)}:{{{items}}}"
    return _scalar(value)


def _opening(count: int) -> str:
    return f'O:8:"stdClass":{count}:{{'


def _text(value: str) -> str:
    size = len(value) if value.isascii() else len(value.encode())
    return f's:{size}:"{value}";'


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return f"b:{value:d};"
    if isinstance(value, int):
        return f"i:{value};"
    if isinstance(value, float):
        # PHP leaves out what says nothing: a float of a whole number has no point.
        return f"d:{int(value) if value.is_integer() else value};"
    if value is None:
        return "N;"
    raise TypeError(f"PHP has no form for {type(value).__name__}")
