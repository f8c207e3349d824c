"""Who administers what."""

from app.flows.administrators import Administrators, AdministratorStatus, administrator_ids
from app.flows.gaps import gaps_in
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

ADA = Person(id="person-ada", firstname="Ada", archived=False)
BOB = Person(id="person-bob", firstname="Bob", archived=True)
IVY = Person(id="person-ivy", firstname="Ivy", archived=True, deceased=True)
EVE = Person(id="person-eve", firstname="Eve")
PEOPLE = {person.id: person for person in (ADA, BOB, EVE, IVY)}
STRANGER = "1234-5678-9abc"


def flow(*steps: Step, name: str = "f", admins: tuple[str, ...] = ()) -> PeopleFlow:
    return PeopleFlow(id=name, name=name, steps=steps, admins=admins)


def test_the_administrators_of_a_step_are_named_in_order_each_once() -> None:
    step = Step(id="s", admins=(EVE.id, STRANGER, BOB.id, EVE.id, ADA.id, IVY.id))
    found = Administrators([flow(step)], PEOPLE.get).of_step(step)
    assert [(each.person, each.status) for each in found] == [
        (EVE, AdministratorStatus.FOUND),
        (None, AdministratorStatus.NOT_IN_LIST),
        (BOB, AdministratorStatus.ARCHIVED),
        (ADA, AdministratorStatus.FOUND),
        (IVY, AdministratorStatus.DECEASED),
    ]
    assert [each.person for each in found if each.can_act] == [EVE, ADA]
    assert found[1].short_id == "9abc"


def test_whoever_is_archived_and_has_died_is_said_to_be_both() -> None:
    found = Administrators((), PEOPLE.get).of_ids((EVE.id, BOB.id, IVY.id, STRANGER))
    assert [each.unable_words for each in found] == [
        (),
        ("archived",),
        ("archived", "deceased"),
        (),
    ]


def test_a_flow_has_administrators_of_its_own() -> None:
    whole = flow(Step(id="s", admins=(EVE.id,)), admins=(ADA.id, ADA.id))
    assert [each.person for each in Administrators([whole], PEOPLE.get).of_flow(whole)] == [ADA]


def test_everything_a_person_administers_is_found_in_the_order_of_the_flows() -> None:
    nested = Step(id="n", admins=(ADA.id, ADA.id))
    flows = [
        flow(Step(id="a", admins=(ADA.id,)), Step(id="b", steps=(nested,)), name="first"),
        flow(Step(id="c", admins=(EVE.id,)), name="second"),
        flow(Step(id="d"), name="third", admins=(ADA.id,)),
    ]
    found = Administrators(flows, PEOPLE.get).administered_by(ADA.id)
    assert [(each.flow.id, [s.number for s in each.steps], each.whole_flow) for each in found] == [
        ("first", ["1", "2.1"], False),
        ("third", [], True),
    ]


def test_somebody_who_administers_nothing_is_told_so() -> None:
    flows = [flow(Step(id="a", admins=(ADA.id,)))]
    assert Administrators(flows, PEOPLE.get).administered_by(EVE.id) == ()


def test_each_id_is_looked_up_once_and_only_when_it_is_needed() -> None:
    asked: list[str] = []

    def look_up(person_id: str) -> Person | None:
        asked.append(person_id)
        return PEOPLE.get(person_id)

    step = Step(id="a", admins=(ADA.id, STRANGER))
    flows = [flow(step, step, name="one"), flow(Step(id="b", admins=(EVE.id,)), name="two")]
    administrators = Administrators(flows, look_up)
    assert asked == []
    gaps_in(flows[0], administrators)
    administrators.of_step(step)
    assert asked == [ADA.id, STRANGER]


def test_the_ids_of_a_flow_are_known_without_looking_anybody_up() -> None:
    inner = Step(id="b", admins=("3", "1"))
    assert administrator_ids(flow(Step(id="a", admins=("2",), steps=(inner,)), admins=("1",))) == (
        "1",
        "2",
        "3",
    )
