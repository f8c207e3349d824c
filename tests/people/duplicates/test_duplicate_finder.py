"""Who is found for somebody who is typed, with which reason, as staff meet them."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from itertools import product

import pytest

from app.model.person import Person
from app.people.duplicates import Duplicates, Repeats
from tests.counted import lines_run


def person(name: str, email: str = "", number: str = "") -> Person:
    first, _, last = name.partition("|")
    return Person(id=number or f"{name} {email}", firstname=first, lastname=last, email=email)


EVERYBODY = (
    person("Ada|Lovelace", "ada@x.org"),
    person("Grace|Hopper"),
    person("Elizabeth|Fry"),
    person("Seán|O&#039;Brien", "sean.obrien@gmail.com"),
    person("Jürgen|Groß"),
    person("小明|王"),
    person("민준|김"),
    person("Мария|Кузнецова"),
    person("Anna Maria|Keller"),
    person("Tom|Nguyen", "nguyen@family.example"),
)


@pytest.fixture(scope="module")
def duplicates() -> Duplicates[Person]:
    return Duplicates(EVERYBODY)


@pytest.mark.parametrize(
    ("typed", "listed", "reason", "certain"),
    [
        (("Grace", "Hopper", ""), "Grace", "same name", True),
        (("  grace ", "HOPPER", ""), "Grace", "same name", True),
        (("Grace", "Hopper", "grace@x.org"), "Grace", "same name", True),
        (("Grace Hopper", "", ""), "Grace", "same name", False),
        (("Ada", "Lovelace", ""), "Ada", "same name", True),
        (("Ada", "Lovelace", "ada@other.org"), "Ada", "same name, other email", False),
        (("Ada", "Lovelace", "ADA@X.org"), "Ada", "same email", True),
        (("", "", "ada@x.org"), "Ada", "same email", True),
        (("Ada", "King", "ada@x.org"), "Ada", "same email", True),
        (("Byron", "Lovelace", "ada@x.org"), "Ada", "same email, other first name", False),
        (("Linh", "Nguyen", "nguyen@family.example"), "Tom", "same email, other first name", False),
        (("Grace", "Hoper", ""), "Grace", "one letter differs", False),
        (("Garce", "Hopper", ""), "Grace", "one letter differs", False),
        (("Elisabet", "Fry", ""), "Elizabeth", "a few letters differ", False),
        (("Grase", "Hoper", ""), "Grace", "a few letters differ", False),
        (("Hopper", "Grace", ""), "Grace", "first and last name the other way round", False),
        (("Liz", "Fry", ""), "Elizabeth", "Liz is short for Elizabeth", False),
        (("Beth", "Frye", ""), "Elizabeth", "Beth is short for Elizabeth", False),
        (("Sean", "O'Brien", ""), "Seán", "same name", True),
        (("Sean", "OBrien", "s.e.a.n.obrien+choir@googlemail.com"), "Seán", "same email", True),
        (("Jurgen", "Gross", ""), "Jürgen", "same name", True),
        (("小明", "王", ""), "小明", "same name", True),
        (("王小明", "", ""), "小明", "same name", True),
        (("민준", "김", ""), "민준", "same name", True),
        (("Мария", "Кузнецов", ""), "Мария", "one letter differs", False),
        (("Маша", "Кузнецова", ""), "Мария", "Маша is short for Мария", False),
        (("Anna", "Keller", ""), "Anna Maria", "one name more", False),
        (("Anna", "Maria Keller", ""), "Anna Maria", "same name", True),
        (("G.", "Hopper", ""), "Grace", "only an initial is there of the first name", False),
    ],
)
def test_somebody_who_is_there_is_found_with_the_reason(
    duplicates: Duplicates[Person],
    typed: tuple[str, str, str],
    listed: str,
    reason: str,
    *,
    certain: bool,
) -> None:
    found = duplicates.of(*typed)
    assert [(each.person.firstname, each.reason, each.certain) for each in found] == [
        (listed, reason, certain)
    ]


@pytest.mark.parametrize(
    "typed",
    [
        ("", "", ""),
        ("Gra", "", ""),
        ("Grace", "", ""),
        ("Gra", "Hop", ""),
        ("A", "", ""),
        ("Grace", "Kelly", ""),
        ("George", "Hopper", ""),
        ("Борис", "Кузнецова", ""),
        ("小红", "王", ""),
        ("민서", "김", ""),
        ("?", "!", "@"),
        ("", "", "ada@"),
    ],
)
def test_nobody_is_found_for_what_says_too_little_or_somebody_else(
    duplicates: Duplicates[Person], typed: tuple[str, str, str]
) -> None:
    assert not duplicates.of(*typed)


def test_names_crossed_and_misspelt_at_one_mailbox_are_the_same_person() -> None:
    everybody = Duplicates([person("Lovelace|Adamina", "l@x.org")])
    found = everybody.of("Adaminah", "Lovelase", "l@x.org")
    assert [(each.reason, each.certain) for each in found] == [("same email", True)]


def test_people_who_are_numbered_are_told_apart() -> None:
    everybody = Duplicates([person("Guest 17|Table"), person("Guest 18|Table")])
    assert not everybody.of("Guest 19", "Table", "")


def many_others() -> list[Person]:
    """Enough people to tell how common a name is."""
    ends = ("bo", "du", "fe", "ga", "hi", "lo", "mu", "ne", "ri", "so", "ta", "wu")
    lasts = [f"{a}{b}n" for a in ends for b in ends]
    return [person(f"{a}{b}|{lasts[n % 97]}") for n, (a, b) in enumerate(product(lasts, ends[:9]))]


@pytest.fixture(scope="module")
def many() -> Duplicates[Person]:
    people = Duplicates(many_others())
    people.add(
        [
            person("Lisa|Oppenheimer"),
            person("Omar|Wolkenstein", "omar@x.org"),
            person("Eva|Brandstetter", number="mother"),
            person("Max|Brandstetter", number="son"),
            person("Ida|Zweig"),
            person("Marty|Sonnenschein"),
        ]
    )
    people.add(person(f"{a}lva|Campbell") for a in ("I", "O", "Sa", "Si", "Ta", "Ti", "We", "Za"))
    people.add([person("Holly|Campbell"), person("Catherine|Campbell")])
    known = ("Dolly|Aan", "Dolly|Een", "Dolly|Iin", "Katherine|Aan", "Katherine|Een")
    people.add(person(name) for name in known)
    people.add(person("Marta|Aan", number=f"Marta {n}") for n in range(12))
    return people


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (("Tom", "Oppenheimer", ""), [("Lisa", "same last name")]),
        (("Tom", "Oppenhiemer", ""), [("Lisa", "nearly the same last name")]),
        (("L.", "Oppenheimer", ""), [("Lisa", "only an initial is there of the first name")]),
        (("Marta", "Sonnenschein", ""), [("Marty", "one letter differs")]),
        (("Tom", "Wolkenstein", ""), [("Omar", "same last name")]),
        (("Tom", "Wolkenstein", "tom@x.org"), []),
        (("Tom", "Brandstetter", ""), []),
        (("Tom", "Zweig", ""), []),
    ],
)
def test_a_long_last_name_of_one_among_very_many_is_a_hint_with_any_first_name(
    many: Duplicates[Person], typed: tuple[str, str, str], found: Sequence[tuple[str, str]]
) -> None:
    matches = many.of(*typed)
    assert [(each.person.firstname, each.reason) for each in matches] == found
    assert not any(each.certain for each in matches)


def test_hardly_anybody_mistypes_the_first_letter_unless_another_sounds_like_it(
    many: Duplicates[Person],
) -> None:
    assert [each.person.firstname for each in many.of("Hollie", "Campbell", "")] == ["Holly"]
    assert not many.of("Dolly", "Campbell", "")
    assert [each.person.firstname for each in many.of("Katherine", "Campbell", "")] == ["Catherine"]


def test_the_list_is_kept_current_at_each_change() -> None:
    people = Duplicates([person("Grace|Hopper", number="1"), person("Ada|King", number="2")])
    people.discard(["1", "nobody"])
    assert not people.of("Grace", "Hopper", "")
    people.add([person("Grace|Hopper", number="3"), person("Ada|Lovelace", number="2")])
    assert [each.person.id for each in people.of("Grace", "Hopper", "")] == ["3"]
    assert not people.of("Ada", "King", "")
    assert [each.person.id for each in people.of("Ada", "Lovelace", "")] == ["2"]
    assert len(people) == 2


def test_the_certain_ones_stand_first_and_no_more_come_than_were_asked_for() -> None:
    people = Duplicates(
        [
            person("Grace|Hoper", number="1"),
            person("Grace|Hopper", "grace@a.org", number="2"),
            person("Grace|Hopper", "grace@b.org", number="3"),
            person("Grace|Hopper", number="4"),
        ]
    )
    found = people.of("Grace", "Hopper", "grace@b.org", limit=3)
    assert [each.person.id for each in found][:2] == ["3", "4"]
    assert len(found) == 3
    assert not people.of("Grace", "Hopper", "", limit=0)


def test_whoever_has_that_name_and_email_is_certain_however_many_have_either() -> None:
    crowd = [person("Ada|Lovelace", "office@x.org", number="oldest")]
    crowd += [person(f"Guest|Number{n}", "office@x.org") for n in range(300)]
    crowd += [person("Ada|Lovelace", f"ada{n}@x.org") for n in range(300)]
    people = Duplicates(crowd)
    first = people.of("Ada", "Lovelace", "office@x.org")[0]
    assert (first.person.id, first.certain) == ("oldest", True)
    assert people.certain("Ada", "Lovelace", "office@x.org") == "oldest"
    assert people.certain("Bob", "Newman", "office@x.org") is None
    # Until hardly anybody has it: then it says as much as any other.
    people.discard([each.id for each in crowd[1:280]])
    assert people.certain("Lovelace", "Ada", "office@x.org") == "oldest"
    assert people.certain("Gest", "Number299", "office@x.org") is not None


def test_a_namesake_without_an_email_is_certain_however_many_have_one() -> None:
    people = [person("Ada|Lovelace", number="without")]
    people += [person("Ada|Lovelace", f"ada{n}@x.org") for n in range(200)]
    assert Duplicates(people).certain("Ada", "Lovelace", "new@x.org") == "without"


@pytest.mark.parametrize(
    ("listed", "typed", "certain"),
    [
        (("Tim|", ""), ("Tim", "", ""), True),
        (("Tim|", ""), (" tim", "", ""), True),
        (("|Miller", ""), ("", "Miller", ""), True),
        (("Tim|", "tim@x.org"), ("Tim", "", ""), False),
        (("Tim|", ""), ("Tim", "", "tim@x.org"), False),
        (("Tim|Miller", ""), ("Tim", "", ""), False),
        (("Tim|", ""), ("Tom", "", ""), False),
        (("Ada|King", ""), ("Adaking", "", ""), False),
    ],
)
def test_one_name_alone_is_certain_where_nothing_else_is_known_of_either(
    listed: tuple[str, str], typed: tuple[str, str, str], *, certain: bool
) -> None:
    people = Duplicates([person(listed[0], listed[1], number="here")])
    assert (people.certain(*typed) == "here") is certain
    assert any(match.certain for match in people.of(*typed)) is certain


def test_with_a_reader_only_ids_are_kept_and_people_read_when_they_are_found() -> None:
    listed = {person.id: person for person in EVERYBODY}
    asked: list[Hashable] = []

    def read(ids: Sequence[Hashable]) -> Mapping[Hashable, Person]:
        asked.extend(ids)
        return {each: listed[str(each)] for each in ids if each in listed}

    people = Duplicates(EVERYBODY, read=read)
    assert [each.person for each in people.of("Grace", "Hopper", "")] == [EVERYBODY[1]]
    assert asked == [EVERYBODY[1].id]
    del listed[EVERYBODY[1].id]
    assert not people.of("Grace", "Hopper", "")


def test_the_certain_one_is_told_by_id_and_is_the_one_that_is_found(
    duplicates: Duplicates[Person],
) -> None:
    asked = [
        ("Ada", "Lovelace", ""),
        ("Lovelace", "Ada", ""),
        ("Ada", "Lovelace", "somebody.else@x.example"),
        ("Nobody", "Known", ""),
        *((each.firstname, each.lastname, each.email) for each in EVERYBODY),
    ]
    for names in asked:
        sure = next((match for match in duplicates.of(*names) if match.certain), None)
        assert duplicates.certain(*names) == (sure.person.id if sure is not None else None)
    assert any(duplicates.certain(*names) is not None for names in asked)


def test_whoever_is_certain_alone_is_certain_among_all_that_are_found() -> None:
    firsts, lasts = ("Ada", "Adda", "Liz", "Elizabeth", "E", ""), ("Lovelace", "Fry", "")
    emails = ("", "a@x.org", "b@x.org")
    everybody = [(first, last, email) for first in firsts for last in lasts for email in emails]
    for part in (everybody[::3], everybody[1::4], everybody[::2]):
        duplicates = Duplicates(person(f"{each[0]}|{each[1]}", each[2]) for each in part)
        for names in everybody:
            sure = {each.person.id for each in duplicates.of(*names, limit=60) if each.certain}
            found = duplicates.certain(*names)
            assert found in sure if sure else found is None, names


def test_a_whole_list_of_people_who_are_here_is_compared_in_few_steps() -> None:
    people = [
        person(f"{first}{n}|{last}{n % 37}", f"{first}{n}@x.org")
        for n in range(400)
        for first, last in (("Ada", "Lovelace"), ("Bob", "Fry"))
    ]
    duplicates = Duplicates(people)

    def compare(ask: Callable[[str | None, str | None, str | None], object]) -> None:
        for each in people[:30]:
            assert ask(each.firstname, each.lastname, each.email) not in {None, ()}

    all_alike, certain = (
        lines_run(partial(compare, ask)) for ask in (duplicates.of, duplicates.certain)
    )
    assert certain * 3 < all_alike


def test_who_is_gone_from_a_list_is_nobodys_double_even_of_whom_they_were_not_like() -> None:
    rows = Repeats()
    rows.add(0, "Anna", "Annamaria", "office@x.org")
    rows.add(1, "Anna Maria", "Lovelace", "office@x.org")
    assert [0] in [list(places) for places in rows.of(1)]
    rows.discard(0)
    assert [list(places) for places in rows.of(1)] == [[1]]
