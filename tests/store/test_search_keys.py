"""What people are found by: the same of many, made field by field, as of each alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.person import Person
from app.store.search_keys import PersonKeys, keys_of, keys_of_all, phone_text, search_text
from tests.any_character import ANY_CHARACTER

_EMAILS = st.sampled_from(
    ["ada@x.org", "O'Brien@X.org", "", "zoë@x.org", "a b@x.org", "a&amp;b@x.org", "`@x", "a,b@x"]
)
_NUMBERS = st.sampled_from(
    ["044 222 33 44", "+41 (0)44/222-33", "", "044,222", "٠٤٤ ٢٢٢", "044 222 ext. 5", "-", "+", "x"]
)
_TEXTS = st.one_of(st.none(), st.text(ANY_CHARACTER, max_size=6))
_OTHERS = {
    (): [],
    (("contact", "yes"), ("category", "Old friends")): ["contact", "old", "friends"],
    (("a", ""), ("b", "no"), ("picture", "https://x.org/a.png")): [],
    (("family_id", "7"), ("family_relationship", "Spouse")): ["spouse"],
}
"""Fields beyond the document's, and the words that they are found by."""
_PEOPLE = st.builds(
    Person,
    id=st.just("1"),
    firstname=st.one_of(_TEXTS, st.sampled_from(["太郎", "Old", "De-ceased deceased"])),
    lastname=st.one_of(_TEXTS, st.just("山田")),
    email=st.one_of(_EMAILS, _TEXTS),
    phone=st.one_of(_NUMBERS, _TEXTS),
    mobile=st.one_of(_NUMBERS, _TEXTS),
    preferred_name=_TEXTS,
    deceased=st.sampled_from([None, False, True]),
    others=st.sampled_from(list(_OTHERS)),
)


def expected(person: Person) -> PersonKeys:
    last, first = search_text(person.lastname), search_text(person.firstname)
    words = [
        *search_text(person.preferred_name).split(),
        *["deceased"] * bool(person.deceased),
        *_OTHERS[person.others],
    ]
    return PersonKeys(
        last=last,
        first=first,
        email=search_text(person.email),
        phone=phone_text(person.phone),
        mobile=phone_text(person.mobile),
        unspaced=last + first if _has_no_blanks(last) and _has_no_blanks(first) else "",
        others=" ".join(dict.fromkeys(each for each in words if each not in f"{last} {first}")),
    )


def _has_no_blanks(name: str) -> bool:
    """Whether it is written in kana, ideographs or Hangul."""
    scripts = (
        ("\u3041", "\u30ff"),
        ("\u3400", "\u9fff"),
        ("\uac00", "\ud7a3"),
        ("\U00020000", "\U0003ffff"),
    )
    return any(begin <= letter <= end for letter in name for begin, end in scripts)


@given(st.lists(_PEOPLE, max_size=40))
def test_the_keys_of_many_are_those_of_each(people: list[Person]) -> None:
    meant = [expected(person) for person in people]
    assert keys_of_all(people) == meant
    assert [keys_of(person) for person in people] == meant


@pytest.mark.parametrize(
    ("person", "keys"),
    [
        (
            Person(
                id="1",
                firstname="Zoë",
                lastname="O’Brien",
                email="Zoe.O&#039;Brien@X.org",
                phone="+41 (0)44/222-33",
                mobile="044 222 ext. 5",
                preferred_name="Zo",
                deceased=True,
                others=(("contact", "yes"), ("category", "Old friends of Zoe")),
            ),
            PersonKeys(
                "obrien",
                "zoe",
                "zoe.obrien@x.org",
                "4104422233",
                "0442225 044 222 ext. 5",
                "",
                "deceased contact old friends of",
            ),
        ),
        (
            Person(id="2", firstname="太郎", lastname="山田", preferred_name="Taro"),
            PersonKeys("山田", "太郎", "", "", "", "山田太郎", "taro"),
        ),
    ],
)
def test_each_field_is_folded_in_its_own_way(person: Person, keys: PersonKeys) -> None:
    others = [Person(id=str(number), firstname="Ada", phone="1") for number in range(9)]
    assert keys_of(person) == keys
    assert keys_of_all([*others, person, *others])[9] == keys
