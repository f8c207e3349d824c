"""The sentences of app/ and the catalogues of their translations belong together."""

import gettext
from pathlib import Path

import catalogues
import pytest
from babel.messages.catalog import Catalog

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = catalogues.languages(ROOT)
TRANSLATED = "resources/translations/README.md says how to translate them."


def of(language: str) -> Catalog:
    return catalogues.catalogue(catalogues.translated_file(ROOT, language), language)


def messages(held: Catalog) -> dict[str, object]:
    return {name: message.id for name, message in catalogues.sentences(held).items()}


@pytest.fixture(scope="module")
def template() -> Catalog:
    return catalogues.extracted(ROOT)


def test_every_sentence_has_been_taken_up(template: Catalog) -> None:
    taken_up = catalogues.catalogue(catalogues.template_file(ROOT))
    changed = messages(template).items() ^ messages(taken_up).items()
    assert not changed, f"run {catalogues.COMMAND} and translate what is new. {TRANSLATED}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_sentences_that_there_are(language: str, template: Catalog) -> None:
    assert messages(of(language)) == messages(template), f"run {catalogues.COMMAND}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_translated_keeps_its_placeholders_and_forms(language: str) -> None:
    assert catalogues.faults(of(language)) == []


@pytest.mark.parametrize("language", catalogues.offered(ROOT))
def test_a_language_that_is_offered_is_whole(language: str) -> None:
    assert catalogues.without_translation(of(language)) == [], TRANSLATED


@pytest.mark.parametrize("language", catalogues.offered(ROOT))
def test_what_the_program_reads_is_what_translators_wrote(language: str) -> None:
    read = catalogues.compiled_file(ROOT, language).read_bytes()
    assert read == catalogues.compiled(of(language)), f"run {catalogues.COMMAND}"


PERSON = ("{n} person", "{n} people")


@pytest.mark.parametrize(
    ("numbers", "form"),
    [
        ((3, 10, 103), "{n} أشخاص"),
        ((11, 29, 242), "{n} شخصًا"),
        ((100, 202), "{n} شخص"),
    ],
)
def test_arabic_has_its_forms_in_the_order_in_which_they_are_translated(
    numbers: tuple[int, ...], form: str
) -> None:
    # Babel's own rule for it has the last two the other way round.
    with catalogues.compiled_file(ROOT, "ar").open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    assert {spoken.ngettext(*PERSON, each) for each in numbers} == {form}


@pytest.mark.parametrize(
    ("language", "sentence", "translation", "fault"),
    [
        ("de", "Hello, {name}.", "Hallo, {name}.", ""),
        ("de", "Hello, {name}.", "Hallo.", "{name} is missing"),
        ("de", "Hello.", "Hallo, {name}.", "{name} in “Hallo, {name}.” is not in the English"),
        ("de", "Hello, {name}.", "Hallo, {name.", "expected '}'"),
        ("de", "Hello, {name}.", "Hallo, {name} {}.", "braces"),
        ("de", "Hello.", "&Hallo.", "a sign & that the English has not"),
        ("de", " second", "Sekunde", "does not begin or end with a blank"),
        ("de", PERSON, ("{n} Person", "{n} Personen"), ""),
        ("de", PERSON, ("eine Person", "{n} Personen"), ""),
        ("de", PERSON, ("{n} Person", "viele Personen"), "{n} is missing"),
        ("de", PERSON, ("{n} Person", ""), None),
        ("ar", PERSON, ("0 {n}", "1", "2", "3 {n}", "11 {n}", "100 {n}"), ""),
        ("ar", PERSON, ("0 {n}", "1", "2", "3 {n}", "11 {n}", ""), None),
        ("fr", PERSON, ("une personne", "{n} personnes"), "{n} is missing"),
    ],
)
def test_a_fault_in_a_translation_is_found(
    language: str,
    sentence: str | tuple[str, str],
    translation: str | tuple[str, ...],
    fault: str | None,
) -> None:
    """`fault` is part of what is said, blank where nothing is wrong; None: something is missing."""
    held = Catalog(language)
    held.add(sentence, translation)
    assert bool(catalogues.without_translation(held)) is (fault is None)
    said = catalogues.faults(held)
    assert len(said) == bool(fault)
    assert all(fault in each for each in said if fault)


def test_a_sentence_that_changed_is_looked_over_before_it_is_said() -> None:
    held = Catalog("de")
    held.add("The list is read.", "Die Liste wird gelesen.", flags=["fuzzy"])
    assert "fuzzy" in catalogues.faults(held)[0]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A program that says two sentences, with a German catalogue."""
    program = tmp_path / "app" / "main.py"
    program.parent.mkdir()
    program.write_text("tr('Good morning')\nprint(f\"{tr('Read me.')}\")\n")
    catalogues.begin(tmp_path, "de", catalogues.take_up(tmp_path))
    return tmp_path


def test_new_sentences_are_taken_up_and_what_was_translated_stays(checkout: Path) -> None:
    file = catalogues.translated_file(checkout, "de")
    written = file.read_text("utf-8")
    file.write_text(written.replace('"Good morning"\nmsgstr ""', '"Good morning"\nmsgstr "Moin"'))
    program = checkout / "app" / "main.py"
    program.write_text(program.read_text() + 'trn("{n} hour", "{n} hours", 2)\n')
    catalogues.take_up(checkout)
    held = catalogues.catalogue(file, "de")
    assert catalogues.sentences(held)["Good morning"].string == "Moin"
    assert catalogues.without_translation(held) == ["Read me.", "{n} hour"]
    assert b"Moin" in catalogues.compiled(held)


def test_what_has_been_taken_up_already_changes_no_file(checkout: Path) -> None:
    files = [catalogues.template_file(checkout), catalogues.translated_file(checkout, "de")]
    before = [file.read_bytes() for file in files]
    catalogues.take_up(checkout)
    assert [file.read_bytes() for file in files] == before


def test_what_translators_are_told_stands_at_each_sentence_that_begins_below_it(
    checkout: Path,
) -> None:
    program = checkout / "app" / "other.py"
    program.write_text(
        "# Said at noon.\ntr('Meal')\n"
        "# Translators: Two bells.\nbells = (\n    tr('High'),\n    tr('Low'),\n)\ntr('After')\n"
    )
    catalogues.take_up(checkout)
    held = catalogues.sentences(catalogues.catalogue(catalogues.translated_file(checkout, "de")))
    told = {name: held[name].auto_comments for name in ("Meal", "High", "Low", "After")}
    assert told == {"Meal": [], "High": ["Two bells."], "Low": ["Two bells."], "After": []}


@pytest.mark.parametrize(
    "line", ['tr("Good " + word)', 'trn("{n} day", "{n} days", 1); trn("{n} day", "{n} dayz", 1)']
)
def test_what_cannot_be_looked_up_is_refused(checkout: Path, line: str) -> None:
    (checkout / "app" / "other.py").write_text(line)
    with pytest.raises(ValueError, match=r"other\.py"):
        catalogues.extracted(checkout)
