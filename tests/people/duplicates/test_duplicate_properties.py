"""What holds for any text whatever, and for lists that nobody has."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from app.model.person import Person
from app.people.duplicates import Duplicates, Repeats
from tests.any_character import ANY_CHARACTER
from tests.counted import lines_run

TEXTS = st.text(ANY_CHARACTER, max_size=40)
LETTERS = st.text(
    st.characters(min_codepoint=0x41, max_codepoint=0x24F, categories=("Lu", "Ll")),
    min_size=2,
    max_size=12,
)
PEOPLE = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=8)


def listed(people: list[tuple[str, str, str]]) -> Duplicates[Person]:
    return Duplicates(
        Person(id=str(number), firstname=first, lastname=last, email=email)
        for number, (first, last, email) in enumerate(people)
    )


@given(PEOPLE, TEXTS, TEXTS, TEXTS, st.integers(-1, 5))
def test_any_text_ends_in_a_few_people_each_once_with_a_sentence(
    people: list[tuple[str, str, str]], first: str, last: str, email: str, limit: int
) -> None:
    found = listed([*people, (first, last, email)]).of(first, last, email, limit)
    assert len(found) <= max(0, limit)
    assert len({each.person.id for each in found}) == len(found)
    assert all(each.reason and each.reason[0] != "{" for each in found)
    assert [each.certain for each in found] == sorted((e.certain for e in found), reverse=True)


@given(PEOPLE)
def test_people_taken_out_leave_nothing_and_put_in_again_are_found_as_before(
    people: list[tuple[str, str, str]],
) -> None:
    everybody = listed(people)
    asked = [everybody.of(*each) for each in people]
    again = [
        Person(id=str(n), firstname=f, lastname=s, email=e) for n, (f, s, e) in enumerate(people)
    ]
    everybody.discard(str(number) for number in range(len(people)))
    assert len(everybody) == 0
    assert not any(everybody.of(*each) for each in people)
    assert not everybody.grouped(everybody.pairs())
    everybody.add(again)
    for before, each in zip(asked, people, strict=True):
        now = everybody.of(*each)
        assert [one.certain for one in now] == [one.certain for one in before]


@given(LETTERS, LETTERS, LETTERS, LETTERS, st.booleans())
def test_of_two_people_each_is_as_certainly_the_other(
    first: str, last: str, other_first: str, other_last: str, same: bool
) -> None:
    one = (first, last, "one@x.org" if same else "")
    other = (other_first, other_last, "one@x.org" if same else "")
    there, back = listed([one]).of(*other), listed([other]).of(*one)
    assert [(each.reason, each.certain) for each in there] == [
        (each.reason, each.certain) for each in back
    ]


ALIKE = ("", "Ada", "Adda", "Lovelace", "Lovelase", "Lovlace", "A", "Ada Maria")


@given(*(st.sampled_from(ALIKE) for _ in range(4)), st.sampled_from((0, 300)))
def test_twice_in_a_list_is_whoever_is_certain_among_people_however_many_they_are(
    first: str, last: str, other_first: str, other_last: str, others: int
) -> None:
    one, other = (first, last, "one@x.org"), (other_first, other_last, "one@x.org")
    strangers = [(f"Otti{n}", f"Wood{n % 40}", "") for n in range(others)]
    certain = listed([*strangers, one]).certain(*other) is not None
    assert listed([one]).certain(*other) == ("0" if certain else None)
    rows = Repeats()
    for place, each in enumerate((one, other)):
        rows.add(place, *each)
    if (first or last) and (other_first or other_last):
        assert certain == any(1 in places for places in rows.of(0))


@given(LETTERS, LETTERS)
def test_a_name_is_found_in_capitals_the_other_way_round_and_run_together(
    first: str, last: str
) -> None:
    people = listed([(first, last, "")])
    assert people.of(f" {first.upper()}", last.upper(), "") or first.upper().lower() != first
    assert people.of(last, first, "")
    assert people.of(f"{first} {last}", "", "")


def test_long_names_and_one_name_for_all_cost_about_what_others_do() -> None:
    ordinary = listed(
        [(f"Ada{chr(97 + n % 26)}", f"Stone{chr(97 + n // 26)}", "") for n in range(500)]
    )
    long_name = "Wolfeschlegelstein " * 16
    one_name = listed([("Ada", "Lovelace", "")] * 3_000 + [(long_name, long_name, "")])
    questions = [
        ("Ada", "Lovelace", ""),
        ("Adda", "Lovelase", ""),
        ("Ada7", "Stone7", "office@x.org"),
        (long_name, long_name + "x", ""),
    ]

    one_email = listed([(f"Ada{n}", f"Stone{n % 90}", "office@x.org") for n in range(3_000)])

    def ask(people: Duplicates[Person]) -> None:
        for question in questions:
            people.of(*question)
        people.pairs_of(["0"])

    assert one_name.of(long_name, long_name, "")
    usual = lines_run(partial(ask, ordinary))
    for crowd in (one_name, one_email):
        assert lines_run(partial(ask, crowd)) < 3 * usual
