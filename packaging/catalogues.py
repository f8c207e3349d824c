"""The catalogues of translated sentences: taking up what app/ says, checking them, compiling them.

Each language has a `frontdesk.po`, which translators edit, and, once it is whole, a `frontdesk.mo`
beside it, which the program reads; `frontdesk.pot` holds the sentences as they are written. This
needs Babel and runs in the environment of a checkout, where `dev.py words` starts it.
"""

import ast
import gettext
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from string import Formatter

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
TRANSLATIONS = Path("resources", "translations")
DOMAIN = "frontdesk"
COMMAND = "python3 packaging/dev.py words"

_FORMS = {"tr": 1, "trn": 2}
"""The calls whose first arguments are sentences, and how many of them."""
_COMMENT = "# Translators: "
"""Before a sentence, or before several that belong together, it is for those who translate."""
_HEADER = "# The sentences of Front Desk. README.md in this folder says how to translate them.\n#"
_WIDTH = 100
_ENOUGH = 1000
"""Up to this number it is seen which form of a sentence speaks of which numbers."""


def extracted(root: Path) -> Catalog:
    """Every sentence that passes `tr` or `trn` in app/, and the files it stands in.

    Raises ValueError where a sentence is put together before it passes there, and where two for a
    number begin alike and go on differently: gettext tells them apart by the first form alone.
    """
    found = _empty()
    for file in sorted((root / "app").rglob("*.py")):
        place = file.relative_to(root).as_posix()
        for line, sentence, comments in _spoken_in(file):
            before = found.get(sentence[0])
            both = {() if before is None else tuple(_parts(before.id)[1:]), sentence[1:]} - {()}
            if len(both) > 1:
                raise ValueError(f"{place}:{line}: “{sentence[0]}” has two forms for many")
            told = sentence if len(sentence) > 1 else sentence[0]
            found.add(told, None, [(place, 1)], auto_comments=comments)
    return found


def _spoken_in(file: Path) -> Iterator[tuple[int, tuple[str, ...], list[str]]]:
    """The line and the forms of each sentence, also inside of an f-string, where Babel's own
    extraction sees none before Python 3.12, and what the translators are told of it.
    """
    source = file.read_text("utf-8")
    if not any(f"{name}(" in source for name in _FORMS):
        return  # as most: what need not be parsed
    tree = ast.parse(source)
    told = list(_told_translators(source, tree))
    calls = (each for each in ast.walk(tree) if isinstance(each, ast.Call))
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        if isinstance(node.func, ast.Name):
            forms = node.args[: _FORMS.get(node.func.id, 0)]
            if forms:
                comments = [comment for lines, comment in told if node.lineno in lines]
                yield node.lineno, tuple(_written(form, file) for form in forms), comments


def _told_translators(source: str, tree: ast.AST) -> Iterator[tuple[range, str]]:
    """Each comment that is meant for them, with the lines of the statement or of the part of one
    that begins below it.
    """
    ends: dict[int, int] = {}
    for node in ast.walk(tree) if _COMMENT in source else ():
        if isinstance(node, ast.stmt | ast.expr):
            ends[node.lineno] = max(ends.get(node.lineno, 0), node.end_lineno or node.lineno)
    for number, line in enumerate(source.splitlines(), 1):
        _, mark, comment = line.partition(_COMMENT)
        if mark and number + 1 in ends:
            yield range(number + 1, ends[number + 1] + 1), comment.strip()


def _written(form: ast.expr, file: Path) -> str:
    if isinstance(form, ast.Constant) and isinstance(form.value, str):
        return form.value
    raise ValueError(f"{file}:{form.lineno}: {ast.unparse(form)} is no sentence to be translated")


def languages(root: Path) -> list[str]:
    """The languages that are translated or being translated."""
    return sorted(path.parents[1].name for path in (root / TRANSLATIONS).glob("*/*/*.po"))


def offered(root: Path) -> list[str]:
    """The languages in which the program can be had: those that have been compiled."""
    return [each for each in languages(root) if compiled_file(root, each).exists()]


def template_file(root: Path) -> Path:
    """Where the sentences stand as they are written."""
    return root / TRANSLATIONS / f"{DOMAIN}.pot"


def translated_file(root: Path, language: str) -> Path:
    """What a translator edits."""
    return root / TRANSLATIONS / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def compiled_file(root: Path, language: str) -> Path:
    """What the program reads."""
    return translated_file(root, language).with_suffix(".mo")


def catalogue(file: Path, language: str | None = None) -> Catalog:
    """What stands in a .po or .pot file. Raises ValueError where it is not written as one."""
    with file.open("rb") as held:
        return read_po(held, locale=language, abort_invalid=True)


def compiled(held: Catalog) -> bytes:
    """The catalogue as the program reads it."""
    written = io.BytesIO()
    write_mo(written, held)
    return written.getvalue()


def sentences(held: Catalog) -> dict[str, Message]:
    """By what it begins with, each sentence; the head of the file is none."""
    return {_first(message): message for message in held if message.id}


def without_translation(held: Catalog) -> list[str]:
    """The sentences that are not translated, or not in each form that a number asks for."""
    return [name for name, message in sentences(held).items() if not all(_forms(message))]


def faults(held: Catalog) -> list[str]:
    """What is wrong with the sentences that are translated, each with the sentence it is about."""
    return [
        f"“{name}”: {fault}"
        for name, message in sentences(held).items()
        for fault in _faults_of(held, message)
    ]


def _faults_of(held: Catalog, message: Message) -> Iterator[str]:
    if message.fuzzy:
        yield "the English has changed; look it over and take the word “fuzzy” away"
    forms = _forms(message)
    if not any(forms):
        return
    originals = _parts(message.id)
    if len(originals) > 1 and len(forms) != held.num_plurals:
        yield f"{len(forms)} forms where there are {held.num_plurals}"
        return
    for number, form in enumerate(forms):
        if form:
            yield from _faults_of_form(form, originals, several=_several(held, number))


def _faults_of_form(form: str, originals: Sequence[str], *, several: bool) -> Iterator[str]:
    try:
        used = _names_in(form)
    except ValueError as problem:
        yield f"“{form}”: {problem}"
        return
    allowed = set().union(*map(_names_in, originals))
    needed = set.intersection(*map(_names_in, originals))
    if len(originals) > 1:
        allowed |= {"n"}
        needed -= {"n"}
        if several and "n" in _names_in(originals[1]) and "n" in _names_in(originals[0]):
            needed |= {"n"}
    for name in sorted(needed - used):
        yield f"{{{name}}} is missing in “{form}”"
    for name in sorted(used - allowed):
        yield f"{{{name}}} in “{form}” is not in the English"
    # What follows it on a button would be pressed with Alt, and nobody sees two of a kind.
    if "&" in form and not any("&" in each for each in originals):
        yield f"“{form}” has a sign & that the English has not"
    if _blanks_around(form) != _blanks_around(originals[0]):
        yield f"“{form}” does not begin or end with a blank as the English does"


def _blanks_around(sentence: str) -> tuple[bool, bool]:
    return sentence[0].isspace(), sentence[-1].isspace()


def _names_in(sentence: str) -> set[str]:
    """The names in {braces}. Raises ValueError where they are not closed, or hold no name."""
    names = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}
    if not all(name.isidentifier() for name in names):
        raise ValueError("braces hold a name that is filled in, and nothing else")
    return names


def _several(held: Catalog, form: int) -> bool:
    """Whether this form of a sentence speaks of more than one number."""
    return _form_of_each_number(held).count(form) > 1


_known: dict[str, list[int]] = {}


def _form_of_each_number(held: Catalog) -> list[int]:
    rule = str(held.plural_expr)
    if rule not in _known:
        plural = gettext.c2py(rule)
        _known[rule] = [plural(number) for number in range(_ENOUGH)]
    return _known[rule]


def _first(message: Message) -> str:
    return _parts(message.id)[0]


def _parts(of: str | Iterable[str]) -> list[str]:
    return [of] if isinstance(of, str) else list(of)


def _forms(message: Message) -> list[str]:
    return _parts(message.string or "")


def take_up(root: Path) -> Catalog:
    """Write the sentences of app/ to the .pot file and into each language's .po file."""
    template, file = extracted(root), template_file(root)
    if file.exists():
        template.creation_date = catalogue(file).creation_date
    _write(file, template)
    for language in languages(root):
        _bring_up_to_date(root, language, template)
    return template


def begin(root: Path, language: str, template: Catalog) -> None:
    """Make the .po file of a language that there is none for. Raises UnknownLocaleError."""
    Locale.parse(language)
    held = _empty(language)
    held.revision_date = template.creation_date
    held.update(template)
    _write(translated_file(root, language), held)
    _bring_up_to_date(root, language, template)


def _empty(language: str | None = None) -> Catalog:
    return Catalog(
        language,
        header_comment=_HEADER,
        project="Front Desk",
        version=" ",
        msgid_bugs_address=" ",
        last_translator=" ",
        language_team=" ",
        fuzzy=False,
    )


def _bring_up_to_date(root: Path, language: str, template: Catalog) -> None:
    file = translated_file(root, language)
    held = catalogue(file, language)
    held.update(template)
    held.obsolete.clear()  # what nobody says any more; the history of this file has it
    _write(file, held)


def _write(file: Path, held: Catalog) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    written = io.BytesIO()
    write_po(written, held, width=_WIDTH, include_previous=True, include_lineno=False)
    file.write_bytes(written.getvalue())


def main(arguments: Sequence[str]) -> int:
    """`dev.py words [languages]`: take up new sentences, check and compile; 1 where one is wrong.

    A language that is named is begun where there is none, and compiled though it is not whole.
    """
    template = take_up(ROOT)
    print(f"{len(sentences(template))} sentences are in {TRANSLATIONS / DOMAIN}.pot.")
    for language in arguments:
        try:
            if language not in languages(ROOT):
                begin(ROOT, language, template)
        except (ValueError, UnknownLocaleError) as problem:
            print(f"{language} names no language: {problem}")
            return 2
    wrong = [_told(language, asked=language in arguments) for language in languages(ROOT)]
    return int(any(wrong))


def _told(language: str, *, asked: bool) -> bool:
    """Check and compile one language; whether something is wrong with what it says."""
    held = catalogue(translated_file(ROOT, language), language)
    missing, wrong = without_translation(held), faults(held)
    counts = (len(missing) or "none", len(wrong) or "none")
    print("{}: {} without a translation, {} wrong.".format(language, *counts))
    for fault in wrong:
        print(f"  {fault}")
    file = compiled_file(ROOT, language)
    if asked or file.exists() or not (missing or wrong):
        file.write_bytes(compiled(held))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
