"""A report for whoever helps, made when it is asked for: what `doctor` knows, the choices that were
made, the end of the log.

No secret, no person and no account stands in it: nothing is copied that may hold one, and what is
left goes through the filter for secrets as well.

Of the log that is what the program itself wrote, and nothing that it met: of each line the sentence
is kept that stands in the module named there, since no person wrote it; what was put into it is
kept where it is a number, an error of the system or a word of that module.
"""

import builtins
import errno
import getpass
import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import TypeVar

from msgspec.structs import fields

from app import __version__
from app.accounts.worker_thread import NoAnswerError, WorkerThread
from app.diagnostics.components import DoctorProcess
from app.runtime.files import read_regular
from app.runtime.paths import default_data_folder, resource
from app.runtime.secrets import redact
from app.runtime.words import languages
from app.settings.settings import Settings

_Found = TypeVar("_Found")
_SECONDS = 30.0
_HIDDEN = "•••"
_EMAIL = re.compile(r"[^\s@<>\"']+@[^\s@<>\"']+")
_ADDRESS = re.compile(r"\b[a-z][a-z+.-]*://[^\s\"']+", re.IGNORECASE)
_PATH = re.compile(r"(?:\b[A-Za-z]:|~|(?<![\w.)]))[/\\][^\"',;:()]*")
"""From where a path begins to what no name of a folder has: such names have blanks."""
_SHORTEST_NAME = 3
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


async def report_text(folder: Path, settings: Settings) -> str:
    """The report, in lines. Takes seconds: the browser is asked for its version."""
    doctor = DoctorProcess("--data-folder", str(folder))
    nothing: Mapping[str, object] = {}
    try:
        found = await _answer(doctor.ask, nothing)
    finally:
        doctor.give_up()
    return composed(found, folder, settings, await _answer(lambda: log_excerpt(folder), []))


async def _answer(work: Callable[[], _Found], otherwise: _Found) -> _Found:
    """What `work` finds, or `otherwise` where it cannot or takes too long: the rest is told."""
    try:
        return await WorkerThread("report").run(work, _SECONDS)
    except (NoAnswerError, OSError, ValueError):
        return otherwise


def composed(
    found: Mapping[str, object], folder: Path, settings: Settings, log_lines: list[str]
) -> str:
    """The text of what was found; see the module for what is in it."""
    begun = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    told = [f"Front Desk {__version__}, {begun}", "", "doctor", *_doctor_lines(found, folder)]
    text = "\n".join(_private(line, folder) for line in told)
    chosen = ["", "settings", *_settings_lines(settings)]
    log = ["", "log", *(log_lines or ["-"])]
    return redact("\n".join([text, *chosen, *log])) + "\n"


def _doctor_lines(found: Mapping[str, object], folder: Path) -> list[str]:
    lines = ["-"] if not found else []
    for name, facts in found.items():
        if name == "missing" and isinstance(facts, list):
            lines += [f"missing: {one.get('what')} ({one.get('mend')})" for one in facts]
        elif name == "resources" and isinstance(facts, Mapping):
            lost = [key for key, path in facts.items() if path is None]
            lines.append(f"resources: {', '.join(lost) or 'all there'}")
        elif isinstance(facts, Mapping):
            # Where the folder lies says who somebody is; whether it is the usual one does not.
            usual = {"path": "the usual one" if folder == default_data_folder() else "another"}
            known = {**facts, **usual} if "path" in facts else facts
            lines.append(f"{name}: " + ", ".join(f"{key} {fact}" for key, fact in known.items()))
        else:
            lines.append(f"{name}: {facts}")
    return lines


def _settings_lines(settings: Settings) -> list[str]:
    """Each choice that is one of a few; a word that somebody wrote into the file is none."""
    lines = []
    for field in fields(Settings):
        value = getattr(settings, field.name)
        if field.name == "language":
            value = value if value in {"", *languages(resource("translations"))} else _HIDDEN
        elif isinstance(value, Enum):
            value = value.value
        elif not (value is None or isinstance(value, (bool, int))):
            value = _HIDDEN
        lines.append(f"{field.name}: {value}")
    return lines


def _private(line: str, folder: Path) -> str:
    """Without where the person's folders lie, what they are called there, or any address."""
    for path in (str(folder), str(Path.home())):
        if len(path) > 1:
            line = line.replace(path, _HIDDEN)
    line = _PATH.sub(f"{_HIDDEN} ", _ADDRESS.sub(_HIDDEN, line))
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = ""
    if len(name) >= _SHORTEST_NAME and name != "root":
        line = re.sub(rf"\b{re.escape(name)}\b", _HIDDEN, line)
    return _EMAIL.sub(_HIDDEN, line)


# The log


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
