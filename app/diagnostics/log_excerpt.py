"""The end of the log for strangers: what the program itself wrote, and nothing that it met.

Of each line the sentence is kept that stands in the module named there, since no person wrote it;
what was put into it is kept where it is a number, an error of the system or a word of that module.
"""

import builtins
import errno
import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import CodeType

from app.runtime.files import read_regular

_HIDDEN = "•••"
_MOST_BYTES = 200_000
_MOST_LINES = 300
_LINE = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) (INFO|WARNING|ERROR|CRITICAL) ([\w.]+): (.*)"
)
_PLACE = re.compile(r'\s*File "(?:[^"]*?[/\\])?(app[/\\][\w/\\]+)\.py", line (\d+), in ([\w<>]+)')
_ELSEWHERE = re.compile(r'\s*File "[^"]*", line (\d+), in .*')
_FAILED = re.compile(r"\s*((?:\w+\.)*)(\w+)(?::.*)?")
_PLACEHOLDER = re.compile(r"%[-#0 +]*\d*(?:\.\d+)?([sdrif])")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_AS_THEY_ARE = frozenset(
    {
        "Traceback (most recent call last):",
        "During handling of the above exception, another exception occurred:",
        "The above exception was the direct cause of the following exception:",
    }
)
_OF_THE_SYSTEM = frozenset(os.strerror(number) for number in errno.errorcode)


def log_excerpt(folder: Path) -> list[str]:
    """The last lines of the log in `folder`, oldest first; blank where there is none to read."""
    texts = [_read(folder / name) for name in ("frontdesk.log.1", "frontdesk.log")]
    # Of an error most lines are left out.
    lines = "".join(texts)[-_MOST_BYTES:].splitlines()[-4 * _MOST_LINES :]
    return list(_without_repeats(map(_cleaned, lines)))[-_MOST_LINES:]


def _read(path: Path) -> str:
    try:
        return read_regular(path).decode("utf-8", "replace")
    except OSError:
        return ""


def _without_repeats(lines: Iterator[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if line and not line == before == _HIDDEN:
            yield line
            before = line


def _cleaned(line: str) -> str:
    """One line, with marks in the place of what is nobody's business."""
    if (begun := _LINE.fullmatch(line)) is not None:
        when, level, logger, message = begun.groups()
        known = _words_of(logger)
        name = logger if known is not None else _HIDDEN
        return f"{when} {level} {name}: {_message(message, known or ())}"
    if line.strip() in _AS_THEY_ARE:
        return line
    if (place := _PLACE.fullmatch(line)) is not None:
        path, number, function = place.groups()
        known = _words_of(path.replace("\\", "/").replace("/", "."))
        if known is not None and function in known:
            return f"  {path}.py, {number}, {function}"
    if (elsewhere := _ELSEWHERE.fullmatch(line)) is not None:
        return f"  {_HIDDEN}, {elsewhere[1]}"
    if line.startswith("    ") or not line.strip():
        return ""
    return _failure(line)


def _failure(line: str) -> str:
    """The class of an error, without what it says."""
    failed = _FAILED.fullmatch(line)
    if failed is None:
        return _HIDDEN
    module, name = failed[1].rstrip("."), failed[2]
    if not module and isinstance(getattr(builtins, name, None), type):
        return f"{name}: {_HIDDEN}"
    known = _words_of(module) or ()
    return f"{module}.{name}: {_HIDDEN}" if name in known else _HIDDEN


def _message(message: str, known: Sequence[str] | frozenset[str]) -> str:
    for template in _templates(frozenset(known)):
        if (found := template[0].fullmatch(message)) is not None:
            return template[1](found, frozenset(known))
    return _HIDDEN


_Template = tuple[re.Pattern[str], Callable[[re.Match[str], frozenset[str]], str]]


@lru_cache(64)
def _templates(known: frozenset[str]) -> list[_Template]:
    """Patterns of the sentences among the words of a module, the longest first."""
    sentences = [word for word in known if len(_LETTERS.findall(word)) > 1 and " " in word]
    return [_template(one.partition("\n")[0]) for one in sorted(sentences, key=len, reverse=True)]


def _template(sentence: str) -> _Template:
    fixed = _PLACEHOLDER.split(sentence)[::2]
    pattern = re.compile("(.*?)".join(map(re.escape, fixed)))

    def filled(found: re.Match[str], known: frozenset[str]) -> str:
        values = [_value(each, known) for each in found.groups()]
        pairs = zip(fixed, [*values, ""], strict=True)
        return "".join(before + value for before, value in pairs)

    return pattern, filled


def _value(value: str, known: frozenset[str]) -> str:
    own = value in known and not value.istitle()
    if own or value in _OF_THE_SYSTEM or _NUMBER.fullmatch(value):
        return value
    return value if isinstance(getattr(builtins, value, None), type) else _HIDDEN


@lru_cache(256)
def _words_of(module: str) -> frozenset[str] | None:
    """Every name and every text in the code of one of our modules; None for any other."""
    if not module.startswith("app."):
        return None
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, AttributeError, ValueError):
        return None
    loader = found.loader if found is not None else None
    # The folder build has loaders of its own, with the same way to the code.
    read = getattr(loader, "get_code", None)
    code = read(module) if read is not None else None
    return frozenset(_texts(code)) if isinstance(code, CodeType) else None


def _texts(code: CodeType) -> Iterator[str]:
    yield from (code.co_name, *code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _texts(constant)
        elif isinstance(constant, str):
            yield constant
