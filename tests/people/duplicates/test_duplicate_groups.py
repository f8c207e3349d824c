"""Who of all there are is shown as likely one person, and what is said of them."""

import threading
from collections.abc import Hashable

import pytest

from app.model.person import Person
from app.people.duplicates import DuplicateGroup, Duplicates
from app.people.duplicates.vocabulary import Vocabulary


def person(number: str, first: str, last: str, email: str = "") -> Person:
    return Person(id=number, firstname=first, lastname=last, email=email)


FAMILY = (
    person("f1", "Tom", "Nguyen", "nguyen@family.example"),
    person("f2", "Linh", "Nguyen", "nguyen@family.example"),
)
STRANGERS = tuple(
    person(f"s{at}", first, last)
    for at, (first, last) in enumerate(
        [("Ada", "Lovelace"), ("Grace", "Hopper"), ("Alan", "Turing"), ("Grace", "Kelly")]
    )
)


def grouped(people: Duplicates[Person]) -> tuple[DuplicateGroup[Person], ...]:
    return tuple(people.grouped(people.pairs()))


def shown(groups: "tuple[DuplicateGroup[Person], ...]") -> dict[frozenset[str], tuple[str, ...]]:
    return {frozenset(each.id for each in group.people): group.read()[1] for group in groups}


def groups_of(
    *people: Person, apart: tuple[tuple[str, str], ...] = ()
) -> dict[frozenset[str], tuple[str, ...]]:
    everybody = Duplicates((*people, *STRANGERS))
    return shown(tuple(everybody.grouped(everybody.pairs(), apart)))


def test_each_group_says_what_speaks_for_it() -> None:
    assert groups_of(
        person("a1", "Elizabeth", "Fry"),
        person("a2", "Liz", "Fry"),
        person("b1", "Jürgen", "Groß", "jg@x.org"),
        person("b2", "J.", "Gross", "JG+choir@x.org"),
        person("c1", "Mary", "Somerville"),
        person("c2", "Somerville", "Mary"),
        person("d1", "Hedy", "Lamarr"),
        person("d2", "Hedy", "Lamar"),
        person("e1", "小明", "王"),
        person("e2", "王小明", ""),
        *FAMILY,
    ) == {
        frozenset(("a1", "a2")): ("Liz is short for Elizabeth",),
        frozenset(("b1", "b2")): ("same email",),
        frozenset(("c1", "c2")): ("first and last name the other way round",),
        frozenset(("d1", "d2")): ("one letter differs",),
        frozenset(("e1", "e2")): ("same name",),
    }


@pytest.mark.parametrize("others", [0, 60, 700])
def test_whatever_is_not_looked_for_could_not_have_been_likely_enough(
    monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    ends = ("ba", "ben", "du", "gor", "hil", "lo", "mas", "nik", "ter", "wen")
    firsts = [a + b for a in ends[:6] for b in ends]
    lasts = [a + b + c for a in ends for b in ends[:3] for c in ends[:4]]
    people = [
        person(f"{n}", firsts[n * 7 % 60].title(), lasts[n * 11 % 120].title())
        for n in range(others)
    ]
    typed = ["Margarethe Wintersteiner", "Margerete Wintersteiner", "Wintersteyner Margarethe"]
    typed += ["Jon Abcd", "Abdc John", "Xohn Abcd"]
    typed += ["Alexandra Katzenberger", "Aleksandra Katzenbreger"]
    people += [person(name, *name.split()) for name in typed]

    def found() -> set[tuple[Hashable, Hashable]]:
        return {(each.one, each.other) for each in Duplicates(people).pairs()}

    quickly = found()
    monkeypatch.setattr(Vocabulary, "least_chance", lambda *_: 0.0)
    assert quickly == found() != set()


def test_three_who_are_alike_are_one_group_with_all_its_reasons() -> None:
    found = groups_of(
        person("1", "Ada", "Byron", "ada@x.org"),
        person("2", "Ada", "Byron"),
        person("3", "Ada", "King", "ada@x.org"),
    )
    assert list(found) == [frozenset("123")]
    assert set(found[frozenset("123")]) == {"same email", "same name"}


def test_two_who_were_told_apart_are_in_no_group_together_whoever_else_is() -> None:
    people = (person("1", "Ada", "Byron"), person("2", "Ada", "Byron"), person("3", "Ada", "Biron"))
    assert groups_of(*people, apart=(("2", "1"),)) in (
        {frozenset("13"): ("one letter differs",)},
        {frozenset("23"): ("one letter differs",)},
    )
    assert not groups_of(*people, apart=(("2", "1"), ("1", "3"), ("2", "3")))


def test_a_common_name_alone_says_nothing_in_a_long_list() -> None:
    firsts, lasts = ("Ada", "Eva", "Ida", "Una"), ("Stone", "Wood", "Hill", "Lake")
    people = [
        person(str(number), firsts[number % 4], lasts[number // 4 % 4]) for number in range(2_000)
    ]
    rare = (person("r1", "Ottilie", "Wood"), person("r2", "Ottilie", "Wood"))
    found = shown(grouped(Duplicates((*people, *rare))))
    assert list(found) == [frozenset(("r1", "r2"))]


def test_whoever_asks_meanwhile_is_answered_and_whoever_went_is_not_shown() -> None:
    people = Duplicates(
        person(f"{twin}{number}", f"Otti{number:03}lie", f"Wo{number:03}od")
        for number in range(250)
        for twin in "ab"
    )
    found: list[DuplicateGroup[Person]] = []
    looking = threading.Thread(target=lambda: found.extend(grouped(people)))
    looking.start()
    while looking.is_alive():
        assert len(people.of("Otti007lie", "Wo007od", "")) == 2
        people.discard(["a1"])
    assert len(found) in (249, 250)
    assert frozenset(("a1", "b1")) not in shown(tuple(found))
    assert shown(tuple(found))[frozenset(("a2", "b2"))] == ("same name",)


def test_so_many_of_one_mailbox_or_one_name_end_in_a_group_that_can_be_looked_at() -> None:
    people = [person(str(number), "Office", "Desk", "office@x.org") for number in range(3_000)]
    groups = grouped(Duplicates(people))
    assert groups
    assert all(2 <= len(group.ids) <= 12 for group in groups)


def test_of_very_many_who_are_likely_one_some_are_shown_and_the_others_counted() -> None:
    namesakes = [person(f"n{at}", "Grete", "Hermann") for at in range(200)]
    others = [person(f"o{at}", f"Otti{at}", f"Wood{at % 40}") for at in range(300)]
    elsewhere = [person(f"e{at}", "Grete", "Hermann", f"g{at}@x.org") for at in range(20)]
    (group,) = grouped(Duplicates((*elsewhere, *namesakes, *others)))
    assert len(group.ids) + group.more == 220
    assert not {each.email for each in group.people} - {""}, "those whom no email tells apart"

    at_one_email = [person(f"d{at}", "Office", f"Desk{at}", "office@x.org") for at in range(60)]
    (group,) = grouped(Duplicates((*at_one_email, *others)))
    assert len(group.ids) + group.more == 60
    assert group.read()[1] == ("same email",)


def test_the_pairs_of_one_person_are_those_found_among_all() -> None:
    people = Duplicates(
        [
            person("1", "Ada", "Byron", "ada@x.org"),
            person("2", "Ada", "Byron"),
            person("3", "Ada", "King", "ada@x.org"),
            person("4", "Ada", "Biron"),
            person("5", "Byron", "Ada"),
            *STRANGERS,
        ]
    )
    everything = {frozenset((pair.one, pair.other)) for pair in people.pairs()}
    assert {frozenset((pair.one, pair.other)) for pair in people.pairs_of(["1"])} == {
        two for two in everything if "1" in two
    }
    assert not people.pairs_of(["s0", "nobody"])


def test_looking_through_everybody_ends_early_for_whoever_leaves() -> None:
    people = Duplicates(person(str(n), f"Otti{n % 50:02}lie", "Wood") for n in range(2_000))
    assert not people.pairs(going_on=lambda: False)


def one_email_twice(many: int) -> Duplicates[Person]:
    people = [person(f"{n}", f"F{n % 40}", f"L{n % 37}", f"{n}@x.org") for n in range(many)]
    return Duplicates([*people, person("same", "", "", "7@x.org")])


def test_among_many_of_one_email_each_the_one_that_two_have_is_found() -> None:
    assert [{pair.one, pair.other} for pair in one_email_twice(300).pairs()] == [{"7", "same"}]
