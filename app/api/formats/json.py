"""JSON, strictly: no NaN, no key twice, no half characters, no endless nesting."""

import json
import math
import re
from typing import NoReturn

from app.api.formats.tree import Tree, check_depth, unreadable

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def read(body: bytes) -> Tree:
    """The tree in `body`, UTF-8 with or without a byte order mark; raises UnreadableAnswer."""
    try:
        text = body.decode("utf-8-sig")
        tree: Tree = _DECODER.decode(text)
        if _HALF_PAIR.search(text):
            # Only an escape can bring one in: UTF-8 itself has no way to write it.
            json.dumps(tree, ensure_ascii=False).encode()
    except UnicodeError:
        raise unreadable("not JSON: text that is not UTF-8") from None
    except RecursionError:
        raise unreadable("not JSON: nested too deep") from None
    except json.JSONDecodeError as error:
        raise unreadable(f"not JSON: {error.msg} at {error.pos} of {len(body)}") from None
    except ValueError as error:
        raise unreadable(f"not JSON: {error}") from None
    return check_depth(tree)


def _object(pairs: list[tuple[str, Tree]]) -> Tree:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key that stands twice")
    return found


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError("a number of too many digits") from None


def _decimal(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number too large")
    return value


def _constant(_name: str) -> NoReturn:
    raise ValueError("a number that is none")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_decimal, parse_constant=_constant
)
