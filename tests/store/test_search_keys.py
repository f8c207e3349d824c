"""What many people are found by, made field by field: the same as of each alone."""

from hypothesis import given
from hypothesis import strategies as st

from app.model.person import Person
from app.store.search_keys import keys_of, keys_of_all, phone_text, search_text

_EMAILS = st.sampled_from(
    ["ada@x.org", "O'Brien@X.org", "", "zoë@x.org", "a b@x.org", "a&amp;b@x.org", "`@x", "a,b@x"]
)
_NUMBERS = st.sampled_from(
    ["044 222 33 44", "+41 (0)44/222-33", "", "044,222", "٠٤٤ ٢٢٢", "044 222 ext. 5", "-", "+", "x"]
)
_TEXTS = st.one_of(st.none(), st.text(max_size=6))
_PEOPLE = st.builds(
    Person,
    id=st.just("1"),
    firstname=_TEXTS,
    lastname=st.one_of(_TEXTS, st.just("山田")),
    email=st.one_of(_EMAILS, _TEXTS),
    phone=st.one_of(_NUMBERS, _TEXTS),
    mobile=st.one_of(_NUMBERS, _TEXTS),
    preferred_name=_TEXTS,
    deceased=st.sampled_from([None, False, True]),
    others=st.sampled_from([(), (("contact", "yes"), ("category", "Old friends")), (("a", ""),)]),
)


@given(st.lists(_PEOPLE, max_size=40))
def test_the_keys_of_many_are_those_of_each(people: list[Person]) -> None:
    assert keys_of_all(people) == [keys_of(person) for person in people]
    for person, keys in zip(people, keys_of_all(people), strict=True):
        assert keys.email == search_text(person.email)
        assert (keys.phone, keys.mobile) == (phone_text(person.phone), phone_text(person.mobile))
