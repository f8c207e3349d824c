"""How the flows are read for who administers what, while others wait."""

from app.flows.administrators import Administrators
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

ADA = Person(id="ada", firstname="Ada")
BOB = Person(id="bob", firstname="Bob", archived=True)
PEOPLE = {person.id: person for person in (ADA, BOB)}
FLOW = PeopleFlow(
    id="f",
    admins=("ada", "nobody"),
    steps=(
        Step(id="1", admins=("ada",)),
        Step(id="2", steps=(Step(id="2.1", admins=("bob", "ada", "bob")),)),
    ),
)


def test_everybody_who_administers_anything_is_known_once() -> None:
    other = PeopleFlow(id="g", steps=(Step(id="3", admins=("eve", "ada")),))
    assert Administrators([FLOW, other], PEOPLE.get).everybody() == ("ada", "nobody", "bob", "eve")


def test_many_flows_are_read_in_slices_and_only_once() -> None:
    flows = [
        PeopleFlow(id=str(n), steps=(Step(id=f"s{n}", admins=(f"p{n}",)),)) for n in range(250)
    ]
    administrators = Administrators(flows, PEOPLE.get)
    assert len(list(administrators.read_in_slices())) == 3
    assert list(administrators.read_in_slices()) == []
    assert len(administrators.everybody()) == 250


def test_flows_with_very_many_administrators_are_read_a_few_at_a_time() -> None:
    many = tuple(map(str, range(400)))
    flows = [
        PeopleFlow(id=str(n), steps=tuple(Step(id=str(each), admins=many) for each in range(20)))
        for n in range(10)
    ]
    administrators = Administrators(flows, PEOPLE.get)
    assert len(list(administrators.read_in_slices())) == 10
    assert administrators.posts_of("7") == 200


def test_what_is_asked_for_between_two_slices_is_whole() -> None:
    flows = [PeopleFlow(id=str(n), admins=("ada",)) for n in range(250)]
    administrators = Administrators(flows, PEOPLE.get)
    slices = administrators.read_in_slices()
    next(slices)
    assert len(administrators.administered_by("ada")) == 250


def test_the_same_flows_are_read_with_other_people() -> None:
    nobody: dict[str, Person] = {}
    before = Administrators([FLOW], nobody.get)
    after = before.with_people(PEOPLE.get)
    assert (before.person("ada"), after.person("ada")) == (None, ADA)
    assert [one.flow for one in after.administered_by("bob")] == [FLOW]
