"""The first language that somebody reads and that there is a catalogue for is the one spoken."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.runtime.words import (
    damaged_catalogues,
    in_a_row,
    language,
    languages,
    log_damaged_catalogues,
    tr,
    trn,
    use_language,
    use_number_format,
    without_direction_marks,
)
from tests.catalogues import write_catalogue


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with three catalogues; English is spoken again afterwards."""
    for code, word in (("de", "Personen"), ("pt_BR", "Pessoas"), ("ar", "أشخاص")):
        write_catalogue(tmp_path, code, {"People": word})
    yield tmp_path
    use_language(tmp_path / "nothing", [])


@pytest.mark.parametrize(
    ("wanted", "spoken", "word"),
    [
        (["de"], "de", "Personen"),
        (["de-CH", "de", "en"], "de", "Personen"),
        (["pt-BR", "pt"], "pt_BR", "Pessoas"),
        (["pt_BR"], "pt_BR", "Pessoas"),
        (["fr-CA", "fr", "ar"], "ar", "أشخاص"),
        (["fr"], "en", "People"),
        ([], "en", "People"),
    ],
)
def test_the_first_language_with_a_catalogue_is_spoken(
    folder: Path, wanted: list[str], spoken: str, word: str
) -> None:
    use_language(folder, wanted)
    assert (language(), tr("People")) == (spoken, word)


def test_who_reads_english_first_gets_english_though_it_has_no_catalogue(folder: Path) -> None:
    use_language(folder, ["en-AU", "de"])
    assert (language(), tr("People")) == ("en", "People")
    write_catalogue(folder, "en_AU", {"People": "Folks"})
    use_language(folder, ["en-AU", "de"])
    assert (language(), tr("People")) == ("en_AU", "Folks")


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "signs"])
def test_a_damaged_catalogue_leaves_it_to_the_next_language_and_is_logged(
    folder: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    file = folder / "de" / "LC_MESSAGES" / "frontdesk.mo"
    whole = file.read_bytes()
    damaged = {
        "empty": b"",
        "cut": whole[: len(whole) // 2],
        "noise": bytes(range(256)),
        "signs": whole.replace(b"Personen", b"\xff" * 8),
    }
    file.write_bytes(damaged[damage])
    use_language(folder, ["de", "ar"])
    assert (language(), tr("People")) == ("ar", "أشخاص")
    use_language(folder, ["de"])
    assert (language(), tr("People")) == ("en", "People")
    assert damaged_catalogues(folder) == [file]
    assert caplog.messages == []
    log_damaged_catalogues()
    log_damaged_catalogues()
    assert [each.partition(":")[0] for each in caplog.messages] == [
        "The sentences in the language de cannot be read"
    ]


@pytest.mark.parametrize(
    "damaged", ["{nmae} ist da", "{} ist da", "{name ist da", "{name.first}", "{name!z}", "{n[x]}"]
)
def test_a_translation_that_cannot_be_filled_in_leaves_it_to_the_sentence_itself(
    folder: Path, damaged: str
) -> None:
    sentences = {"{name} is here": damaged, "{n} row\0{n} rows": f"{damaged}\0{damaged}"}
    write_catalogue(folder / "damaged", "de", sentences)
    use_language(folder / "damaged", ["de"])
    assert tr("{name} is here", name="Ada") == "Ada is here"
    assert trn("{n} row", "{n} rows", 1) == "1 row"
    assert trn("{n} row", "{n} rows", 2) == "2 rows"


def test_another_language_replaces_the_one_before(folder: Path) -> None:
    use_language(folder, ["de"])
    use_language(folder, ["fr"])
    assert (language(), tr("People")) == ("en", "People")


@pytest.fixture
def _english_numbers() -> Iterator[None]:
    yield
    use_number_format("{:,}".format)


@pytest.mark.usefixtures("_english_numbers")
def test_a_count_stands_in_a_sentence_with_its_digits_in_groups() -> None:
    assert trn("{n} person", "{n} people", 2000) == "2,000 people"
    use_number_format(lambda count: f"{count:,}".replace(",", "’"))
    assert trn("{n} person", "{n} people", 2000) == "2’000 people"
    assert trn("{n} person of {all}", "{n} people of {all}", 1, all=2000) == "1 person of 2000"


@pytest.mark.usefixtures("_english_numbers")
def test_a_line_or_a_year_has_the_digits_that_counts_have_and_no_groups() -> None:
    arabic = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    use_number_format(lambda count: f"{count:,}".translate(arabic))
    assert tr("line {line}, {phone}", line=2027, phone="0410") == "line ٢٠٢٧, 0410"


def test_remarks_stand_in_a_row_with_the_comma_of_the_language(folder: Path) -> None:
    assert in_a_row(["archived", "deceased"]) == "archived, deceased"
    use_language(folder, ["ar"])
    assert in_a_row(["مؤرشف"]) == "مؤرشف"
    assert in_a_row(["Ada", "مؤرشف"]) == "\u200fAda،\u200f مؤرشف"
    assert in_a_row(["Ada", in_a_row(["a", "b"])]) == "\u200fAda،\u200f a،\u200f b"


@pytest.mark.parametrize(
    ("code", "name", "held"),
    [
        ("en", "محمد", "\u200eمحمد\u200e"),
        ("en", "נועה", "\u200eנועה\u200e"),
        ("en", "محمد Ali", "\u200eمحمد Ali"),
        ("en", "Ali محمد 3", "Ali محمد 3\u200e"),
        ("en", "\u200eمحمد\u200e", "\u200eمحمد\u200e"),
        ("en", "Ali (محمد) Bo", "Ali (محمد) Bo"),
        ("en", "Žofie", "Žofie"),
        ("en", "0410", "0410"),
        ("ar", "محمد", "محمد"),
        ("ar", "Ada", "\u200fAda\u200f"),
        ("ar", "0410", "0410"),
    ],
)
def test_a_name_read_from_the_other_side_leaves_the_sentence_its_own(
    folder: Path, code: str, name: str, held: str
) -> None:
    use_language(folder, [code])
    said = tr("{name}, 03:41.", name=name)
    assert said == f"{held}, 03:41."
    assert without_direction_marks(said) == f"{without_direction_marks(name)}, 03:41."


def test_so_does_one_in_a_row() -> None:
    assert in_a_row(["محمد", "Ada"]) == "\u200eمحمد\u200e, Ada"
    assert in_a_row(["محمد"]) == "محمد"


def test_whatever_has_a_catalogue_can_be_chosen_beside_english(folder: Path) -> None:
    assert languages(folder) == ["ar", "de", "en", "pt_BR"]
    (folder / "ar" / "LC_MESSAGES" / "frontdesk.mo").unlink()
    assert languages(folder) == ["de", "en", "pt_BR"]


@pytest.mark.parametrize(
    ("code", "sentence", "name", "said"),
    [
        ("fr", "Ajout de {name}", "Imani", "Ajout d’Imani"),
        ("fr", "Ajout de {name}", "Élodie", "Ajout d’Élodie"),
        ("fr", "Ajout de {name}", "Hélène", "Ajout d’Hélène"),
        ("fr", "Ajout de {name}", "Hana", "Ajout de Hana"),
        ("fr", "Ajout de {name}", "Yves", "Ajout d’Yves"),
        ("fr", "Ajout de {name}", "Yann", "Ajout de Yann"),
        ("fr", "Arrivée de {many}", "une personne", "Arrivée d’une personne"),
        ("fr", "Page de {host}", "account.example", "Page de account.example"),
        ("fr", "Code {name}", "Imani", "Code Imani"),
        ("es", "Ada y {last}", "Imani", "Ada e Imani"),
        ("es", "Ada y {last}", "Íñigo", "Ada e Íñigo"),
        ("es", "Ada y {last}", "Hiroshi", "Ada e Hiroshi"),
        ("es", "Ada y {last}", "Hielo", "Ada y Hielo"),
        ("es", "Ada y {last}", "Yolanda", "Ada y Yolanda"),
        ("es", "Ada o {last}", "Óscar", "Ada u Óscar"),
        ("es", "Hay {last}", "Imani", "Hay Imani"),
        ("pt_BR", "Ada e {last}", "Imani", "Ada e Imani"),
    ],
)
def test_a_word_before_a_name_is_the_one_that_its_sound_asks_for(
    tmp_path: Path, code: str, sentence: str, name: str, said: str
) -> None:
    write_catalogue(tmp_path, code, {sentence: sentence})
    use_language(tmp_path, [code])
    try:
        (field,) = (part.partition("}")[0] for part in sentence.split("{")[1:])
        assert tr(sentence, **{field: name}) == said
    finally:
        use_language(tmp_path / "nothing", [])
