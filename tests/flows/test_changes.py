"""Two readings of the flows are compared: what has changed, and nothing else, is told."""

from collections.abc import Sequence

import msgspec
import pytest

from app.flows.changes import flow_changes
from app.model.change import Change, Named
from app.model.flow import PeopleFlow, Step


def step(name: str, *admins: str, **fields: object) -> Step:
    made = Step(id=name.lower(), name=name, status="", entry_point="", admins=admins)
    return msgspec.structs.replace(made, **fields)


def flow(name: str, *steps: Step, **fields: object) -> PeopleFlow:
    made = PeopleFlow(id=name.lower(), name=name, status="", access="", steps=steps)
    return msgspec.structs.replace(made, **fields)


CARD, CALL, TEA = step("Card", "ada", entry_point="y"), step("Call", "ada", "bob"), step("Tea")
LUNCH = step("Lunch", "eve", steps=(step("Diet", "eve"), step("Seats", "bob")))
WELCOME = flow("Welcome", CARD, CALL, TEA, LUNCH, admins=("ada",))
BAPTISM = flow("Baptism", step("Talk", "eve"), step("Date", "eve"), admins=("eve", "bob"))
CAMP = flow("Camp", status="pending")
ALL = (WELCOME, BAPTISM, CAMP)


def said(before: Sequence[PeopleFlow], after: Sequence[PeopleFlow], **whole: bool) -> list[str]:
    return [in_short(one) for some in flow_changes(before, after, **whole) for one in some]


def in_short(change: Change) -> str:
    def named(mark: str, one: Named | None) -> str:
        return f"{mark} {one.id}" if one else ""

    step_said = f"{change.number} {change.step.name}" if change.step else ""
    parts = (
        f"{change.kind}: {change.name}".rstrip(": "),
        step_said,
        f"was {change.was}" if change.was else "",
        named("before", change.stands_before),
        *(f"{one.before!r} > {one.after!r}" for one in change.fields),
        *(f"+{one.id}" for one in change.came),
        *(f"-{one.id}" for one in change.gone),
    )
    return ", ".join(part for part in parts if part)


def but(made: PeopleFlow, *steps: Step, **fields: object) -> PeopleFlow:
    return msgspec.structs.replace(made, **({"steps": steps} if steps else {}), **fields)


def other(made: Step, **fields: object) -> Step:
    return msgspec.structs.replace(made, **fields)


CASES = {
    "nothing": (ALL, []),
    "a flow more": ((*ALL, flow("Choir", TEA)), ["flow came: Choir"]),
    "a flow less": ((WELCOME, CAMP), ["flow gone: Baptism"]),
    "no flows": ((), ["flow gone: Welcome", "flow gone: Baptism", "flow gone: Camp"]),
    "another name": (
        (but(WELCOME, name="Hello"), BAPTISM, CAMP),
        ["flow renamed: Hello, was Welcome"],
    ),
    "active now": ((WELCOME, BAPTISM, but(CAMP, status="")), ["flow started: Camp"]),
    "not active any more": (
        (but(WELCOME, status="draft"), BAPTISM, CAMP),
        ["flow stopped: Welcome"],
    ),
    "for administrators only": (
        (but(WELCOME, access="admin"), BAPTISM, CAMP),
        ["flow access: Welcome, '' > 'admin'"],
    ),
    "somebody runs it, too": (
        (but(WELCOME, admins=("ada", "eve")), BAPTISM, CAMP),
        ["flow admins: Welcome, +eve"],
    ),
    "somebody runs it no longer": (
        (WELCOME, but(BAPTISM, admins=("bob",)), CAMP),
        ["flow admins: Baptism, -eve"],
    ),
    "somebody else runs it": (
        (but(WELCOME, admins=("eve",)), BAPTISM, CAMP),
        ["flow admins: Welcome, +eve, -ada"],
    ),
    "nobody runs it": ((but(WELCOME, admins=()), BAPTISM, CAMP), ["flow alone: Welcome, -ada"]),
    "another order of the same administrators": (
        (WELCOME, but(BAPTISM, admins=("bob", "eve", "bob")), CAMP),
        [],
    ),
    "two flows change places": (
        (BAPTISM, WELCOME, CAMP),
        ["flow moved: Baptism, before welcome"],
    ),
    "the first flow comes last": ((BAPTISM, CAMP, WELCOME), ["flow moved: Welcome"]),
    "a new name in a list by name": (
        (BAPTISM, CAMP, but(WELCOME, name="Zest")),
        ["flow renamed: Zest, was Welcome"],
    ),
    "a step more": (
        (but(WELCOME, CARD, CALL, TEA, LUNCH, step("Letter")), BAPTISM, CAMP),
        ["step came: Welcome, 5 Letter"],
    ),
    "a step more in between": (
        (but(WELCOME, CARD, step("Letter"), CALL, TEA, LUNCH), BAPTISM, CAMP),
        ["step came: Welcome, 2 Letter"],
    ),
    "a step less": (
        (but(WELCOME, CARD, TEA, LUNCH), BAPTISM, CAMP),
        ["step gone: Welcome, 2 Call"],
    ),
    "a step with steps less": (
        (but(WELCOME, CARD, CALL, TEA), BAPTISM, CAMP),
        ["step gone: Welcome, 4 Lunch"],
    ),
    "a step with steps more": (
        (WELCOME, but(BAPTISM, *BAPTISM.steps, step("Feast", steps=(step("Cake"),))), CAMP),
        ["step came: Baptism, 3 Feast"],
    ),
    "a step more inside another": (
        (
            but(WELCOME, CARD, CALL, TEA, other(LUNCH, steps=(*LUNCH.steps, step("Bill")))),
            BAPTISM,
            CAMP,
        ),
        ["step came: Welcome, 4.3 Bill"],
    ),
    "a step of another name": (
        (but(WELCOME, CARD, other(CALL, name="Ring"), TEA, LUNCH), BAPTISM, CAMP),
        ["step renamed: Welcome, 2 Ring, was Call"],
    ),
    "a step moved up": (
        (but(WELCOME, LUNCH, CARD, CALL, TEA), BAPTISM, CAMP),
        ["step moved: Welcome, 1 Lunch, before card"],
    ),
    "a step moved to the end": (
        (but(WELCOME, CALL, TEA, LUNCH, CARD), BAPTISM, CAMP),
        ["step moved: Welcome, 4 Card"],
    ),
    "a step moved into another": (
        (but(WELCOME, CARD, CALL, other(LUNCH, steps=(TEA, *LUNCH.steps))), BAPTISM, CAMP),
        ["step moved: Welcome, 3.1 Tea, before diet"],
    ),
    "steps inside another change places": (
        (but(WELCOME, CARD, CALL, TEA, other(LUNCH, steps=LUNCH.steps[::-1])), BAPTISM, CAMP),
        ["step moved: Welcome, 4.1 Seats, before diet"],
    ),
    "a step in another flow": (
        (but(WELCOME, CARD, TEA, LUNCH), but(BAPTISM, *BAPTISM.steps, CALL), CAMP),
        ["step gone: Welcome, 2 Call", "step came: Baptism, 3 Call"],
    ),
    "a step pending": (
        (but(WELCOME, CARD, other(CALL, status="pending"), TEA, LUNCH), BAPTISM, CAMP),
        ["step stopped: Welcome, 2 Call"],
    ),
    "people may join at a step": (
        (but(WELCOME, CARD, other(CALL, entry_point="y"), TEA, LUNCH), BAPTISM, CAMP),
        ["step opened: Welcome, 2 Call"],
    ),
    "people may join there no longer": (
        (but(WELCOME, other(CARD, entry_point=""), CALL, TEA, LUNCH), BAPTISM, CAMP),
        ["step closed: Welcome, 1 Card"],
    ),
    "a step's first administrator": (
        (but(WELCOME, CARD, CALL, other(TEA, admins=("eve",)), LUNCH), BAPTISM, CAMP),
        ["step admins: Welcome, 3 Tea, +eve"],
    ),
    "one administrator fewer": (
        (but(WELCOME, CARD, other(CALL, admins=("ada",)), TEA, LUNCH), BAPTISM, CAMP),
        ["step admins: Welcome, 2 Call, -bob"],
    ),
    "a step lost its administrators": (
        (but(WELCOME, CARD, other(CALL, admins=()), TEA, LUNCH), BAPTISM, CAMP),
        ["step alone: Welcome, 2 Call, -ada, -bob"],
    ),
    "much at once": (
        (but(WELCOME, CALL, other(CARD, name="Form", admins=()), LUNCH), BAPTISM),
        [
            "flow gone: Camp",
            "step gone: Welcome, 3 Tea",
            "step moved: Welcome, 1 Call, before card",
            "step renamed: Welcome, 2 Form, was Card",
            "step alone: Welcome, 2 Form, -ada",
        ],
    ),
    "a flow under another id": (
        (but(WELCOME, id="w2"), BAPTISM, CAMP),
        ["flow gone: Welcome", "flow came: Welcome"],
    ),
    "a step under another id": (
        (but(WELCOME, CARD, CALL, other(TEA, id="t2"), LUNCH), BAPTISM, CAMP),
        ["step came: Welcome, 3 Tea", "step gone: Welcome, 3 Tea"],
    ),
    # What was not sent is no news, and no blank.
    "names not sent": ((but(WELCOME, name=None, status=None, access=None), BAPTISM, CAMP), []),
    "fields of steps not sent": (
        (
            but(
                WELCOME,
                *(other(one, name=None, status=None, entry_point=None) for one in WELCOME.steps),
            ),
            BAPTISM,
            CAMP,
        ),
        [],
    ),
    "steps not sent at all": (tuple(but(one, steps=()) for one in ALL), []),
}


@pytest.mark.parametrize("case", CASES)
def test_what_has_changed_is_told_and_nothing_else(case: str) -> None:
    after, meant = CASES[case]
    assert said(ALL, after) == meant


def test_administrators_that_a_whole_answer_leaves_out_are_no_news() -> None:
    bare = tuple(
        but(one, *(other(each, admins=(), steps=()) for each in one.steps), admins=())
        for one in ALL
    )
    told = [one for one in said(ALL, bare) if "admins" in one or "alone" in one]
    assert told == []
    assert [one for one in said(bare, ALL) if "admins" in one] == []


def test_administrators_beyond_those_named_are_counted_on_their_own_side() -> None:
    before, after = (tuple(f"{side}{n}" for n in range(25)) for side in ("old", "new"))
    found = flow_changes((but(CAMP, admins=before),), (but(CAMP, admins=after[:22]),))
    (change,) = (one for some in found for one in some)
    assert (len(change.gone), change.more_gone) == (20, 5)
    assert (len(change.came), change.more_came) == (20, 2)


def test_what_a_short_reading_left_out_has_neither_gone_nor_come() -> None:
    assert said((WELCOME,), ALL, whole_before=False) == []
    assert said(ALL, (CAMP, WELCOME), whole=False) == []


def test_another_order_of_many_flows_is_one_thing() -> None:
    many = [flow(f"F{number}") for number in range(20)]
    assert said(many, many[::-1]) == ["flows sorted"]


def test_steps_of_one_id_are_compared_in_their_order() -> None:
    twins = flow("A", Step(id="", name="One"), Step(id="", name="Two"))
    after = but(twins, *twins.steps[:1], Step(id="", name="Three"))
    assert said((twins,), (after,)) == ["step renamed: A, 2 Three, was Two"]


def test_steps_of_one_id_are_known_by_their_names() -> None:
    one, two, three = (Step(id="1", name=name, admins=(name,)) for name in ("A", "B", "C"))
    assert said((flow("F", one, two, three),), (flow("F", two, three),)) == ["step gone: F, 1 A"]
    assert said((flow("F", two, three),), (flow("F", one, two, three),)) == ["step came: F, 1 A"]
    after = (flow("F", two, Step(id="1", name="X", admins=("A",)), three),)
    assert said((flow("F", two, three),), after) == ["step came: F, 2 X"]
