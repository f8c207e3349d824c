"""The people flows of the demo account, hand-written as a church and its office would have them."""

from collections.abc import Callable, Iterator
from hashlib import blake2b

import msgspec

from app.demo.options import as_written
from app.demo.people import happens, identity, invent, written

Flow = dict[str, object]

NOBODY = "5e1d0c7a-3b8e-4f60-a2d4-c81b7e0a9f2c"
"""An administrator's id that matches nobody in the list, as seen in the field."""


class _Step(msgspec.Struct, frozen=True):
    """A step as it is written here: administrators by name, separated by commas."""

    name: str
    admins: str = ""
    status: str = ""
    entry_point: str = ""
    steps: tuple["_Step", ...] = ()


class _Flow(msgspec.Struct, frozen=True):
    name: str
    admins: str = ""
    steps: tuple[_Step, ...] = ()
    status: str = ""
    access: str = ""
    locations: tuple[dict[str, str], ...] = ()
    demographics: tuple[dict[str, str], ...] = ()


def _written(tr: Callable[[str], str]) -> tuple[_Flow, ...]:
    # Translators: Two houses of the demo account's church, by the river it is called after.
    north, south = (
        _named("location", 1, tr("Riverside North")),
        _named("location", 2, tr("Riverside South")),
    )
    # Translators: Whom a flow of the demo account is for.
    families, young = (
        _named("demographic", 1, tr("Families")),
        _named("demographic", 2, tr("Young people")),
    )
    return (
        # Translators: How a church welcomes somebody: a flow of the demo account, and its steps.
        _Flow(
            tr("Newcomers"),
            "Grace Lindqvist, Imani Mwangi",
            (
                _Step(tr("Card received"), "Hana Kováčová", entry_point="y"),
                _Step(tr("Welcome call"), "Grace Lindqvist, Kaito Mori"),
                _Step(tr("Coffee with staff")),
                _Step(
                    tr("Invite to lunch"),
                    "Grace Lindqvist",
                    steps=(
                        _Step(tr("Dietary needs"), "Amélie Brandt"),
                        _Step(tr("Seating plan"), "Ruth Adeyemi, Noor Vandenberg"),
                    ),
                ),
                _Step(tr("Find a group"), "Imani Mwangi", status="pending"),
                _Step(tr("Serving conversation"), NOBODY),
            ),
        ),
        # Translators: A flow of the demo account, from the first talk to the paper that says so.
        _Flow(
            tr("Baptism"),
            "Ruth Adeyemi",
            (
                _Step(tr("First conversation"), "Ruth Adeyemi", entry_point="y"),
                _Step(tr("Preparation evenings"), "Ruth Adeyemi, Pieter de Vries"),
                _Step(tr("Date agreed"), "Harriet Fairweather-Lowe"),
                _Step(tr("Certificate sent"), "Jürgen Weiß"),
            ),
        ),
        # Translators: A flow of the demo account: whoever wants to help is checked first.
        _Flow(
            tr("Volunteer screening"),
            "Tobias Achterberg",
            (
                _Step(tr("Application received"), "Grace Lindqvist", entry_point="y"),
                _Step(tr("References asked"), "Siobhán Ní Dhomhnaill"),
                _Step(tr("Background check"), "Tobias Achterberg"),
                _Step(tr("Interview"), "Ruth Adeyemi, Łukasz Zieliński"),
                _Step(tr("Welcome to the team"), "Kaito Mori"),
            ),
        ),
        # Translators: A flow of the demo account: somebody new begins in the work with children.
        _Flow(
            tr("Kids team onboarding"),
            "Wanjiku Kamau",
            (
                _Step(tr("Screening complete"), "Tobias Achterberg", entry_point="y"),
                _Step(tr("Safeguarding course")),
                _Step(tr("Shadow a morning"), "Wanjiku Kamau, Minh Anh Trần"),
                _Step(
                    tr("Age group chosen"),
                    "Wanjiku Kamau",
                    steps=(
                        _Step(tr("Talk with the group leader"), "민준 김"),
                        _Step(tr("Parents informed")),
                    ),
                ),
                _Step(tr("First aid evening"), "Guðrún Þórðardóttir", entry_point="y"),
                _Step(tr("Name badge printed")),
                _Step(tr("First month review"), "Wanjiku Kamau, Анна Коваленко"),
            ),
            demographics=(families,),
        ),
        # Translators: A flow of the demo account: others use rooms of the parish.
        _Flow(
            tr("Building bookings"),
            "Harriet Fairweather-Lowe, Jürgen Weiß",
            (
                _Step(tr("Request received"), "Jürgen Weiß"),
                _Step(tr("Room and keys"), "Jørgen Sæther, דוד לוי"),
                _Step(tr("Invoice sent"), "Harriet Fairweather-Lowe"),
            ),
            locations=(north, south),
        ),
        # Translators: A flow of the demo account: the ill and those in need are visited.
        _Flow(
            tr("Pastoral care"),
            "Ruth Adeyemi, Tobias Achterberg",
            (
                _Step(tr("Need noticed"), "Ruth Adeyemi", entry_point="y"),
                _Step(
                    tr("First visit"), "Ελένη Παπαδοπούλου, Pádraig Ó Súilleabháin", entry_point="y"
                ),
                _Step(tr("Meals arranged"), "प्रिया शर्मा"),
                _Step(tr("Hospital contact"), "Beatrix Aldermann"),
                _Step(tr("Follow-up call"), "Siobhán Ní Dhomhnaill, Willem van der Berg"),
            ),
            access="admin",
        ),
        # Translators: A flow of the demo account that has no steps yet.
        _Flow(tr("Summer camp 2027"), "Mele Fonoti", demographics=(young,), locations=(south,)),
        # Translators: A flow of the demo account: the office has a new colleague.
        _Flow(
            tr("New employee"),
            "Harriet Fairweather-Lowe",
            (
                _Step(tr("Contract signed"), "Harriet Fairweather-Lowe"),
                _Step(tr("Desk, keys and laptop"), "Jørgen Sæther"),
                _Step(tr("Accounts and passwords"), "Tobias Achterberg"),
                _Step(tr("Lunch with the team"), "Amélie Brandt, 美咲 佐藤"),
                _Step(tr("End of probation"), "Harriet Fairweather-Lowe", status="pending"),
                _Step(tr("First yearly review"), "Tobias Achterberg"),
            ),
            access="admin",
            locations=(north,),
        ),
        # Translators: A flow of the demo account: evenings for those who want to become members.
        _Flow(
            tr("Membership class"),
            "Pieter de Vries",
            (
                _Step(tr("Signed up"), "Żaneta Wójcik", entry_point="y"),
                _Step(tr("Four evenings"), "Pieter de Vries, Lucía de la Cruz"),
                _Step(tr("Conversation with an elder"), "Daniel Kim"),
                _Step(tr("Welcomed on Sunday"), "Grace Lindqvist"),
            ),
            status="pending",
        ),
    )


def _named(kind: str, number: int, name: str) -> dict[str, str]:
    return {"id": identity(kind, number), "name": name}


_SUBJECTS = ("Welcome", "Music team", "Small groups", "Hospitality", "Technical team", "Visits")
_PLACES = ("north", "south", "riverside", "evenings", "students", "families", "over sixties")
_STEPS = (
    "Interest noted",
    "First call",
    "Form received",
    "Meeting arranged",
    "References asked",
    "Trial morning",
    "Training",
    "Keys handed over",
    "Review after a month",
    "Thank-you note",
)


def make_flows(
    count: int | None, people: int, *, nested_steps: bool, tr: Callable[[str], str] = as_written
) -> tuple[Flow, ...]:
    """The first `count` flows as the contract lists them; None means the hand-written ones.

    `people` is how many people there are, so that invented flows name administrators who exist.
    `tr` says what is hand-written in another language; what is invented stays in English.
    """
    by_hand = _written(tr)
    wanted = len(by_hand) if count is None else count
    ids = _ids_by_name()
    flows = [
        _flow(number, flow, ids, nested_steps=nested_steps)
        for number, flow in enumerate(by_hand[:wanted])
    ]
    administrators = _administrators(people)
    flows.extend(_invent(number, administrators) for number in range(len(by_hand), wanted))
    return tuple(flows)


def _ids_by_name() -> dict[str, str]:
    ids: dict[str, str] = {NOBODY: NOBODY}
    for person in written():
        ids.setdefault(f"{person['firstname']} {person['lastname']}".strip(), person["id"])
    return ids


def _flow(number: int, flow: _Flow, ids: dict[str, str], *, nested_steps: bool) -> Flow:
    return {
        "id": identity("flow", number),
        "name": flow.name,
        "status": flow.status,
        "access": flow.access,
        "steps": list(_steps(f"flow {number}", flow.steps, ids, nested_steps=nested_steps)),
        "admins": _admins(flow.admins, ids),
        "locations": list(flow.locations),
        "demographics": list(flow.demographics),
    }


def _steps(
    path: str, steps: tuple[_Step, ...], ids: dict[str, str], *, nested_steps: bool
) -> Iterator[Flow]:
    for number, step in enumerate(steps):
        own = f"{path} step {number}"
        inner = _steps(own, step.steps, ids, nested_steps=True) if nested_steps else ()
        yield {
            "id": identity(own, 0),
            "name": step.name,
            "status": step.status,
            "entry_point": step.entry_point,
            "steps": list(inner),
            "admins": _admins(step.admins, ids),
        }


def _admins(names: str, ids: dict[str, str]) -> list[str]:
    return [ids[name] for name in names.split(", ") if name]


def _administrators(people: int) -> tuple[str, ...]:
    invented = min(400, max(0, people - len(written())))
    return (
        *(person["id"] for person in written()[:people]),
        *(invent(number)["id"] for number in range(invented)),
    )


def _invent(number: int, administrators: tuple[str, ...]) -> Flow:
    chance = blake2b(f"flow {number}".encode(), digest_size=48).digest()

    def pick(which: int, most: int) -> list[str]:
        if not administrators:
            return []
        start = int.from_bytes(chance[which : which + 2], "big")
        chosen = (start + 37 * turn for turn in range(chance[which] % (most + 1)))
        return list(dict.fromkeys(administrators[place % len(administrators)] for place in chosen))

    steps = [
        {
            "id": identity(f"flow {number} step {place}", 0),
            "name": _STEPS[(chance[0] + place) % len(_STEPS)],
            "status": "pending" if happens(4, chance[place + 1]) else "",
            "entry_point": "y" if place == 0 and happens(76, chance[1]) else "",
            "steps": [],
            "admins": pick(place + 2, 3),
        }
        for place in range(3 + chance[2] % 10)
    ]
    return {
        "id": identity("flow", number),
        "name": f"{_SUBJECTS[number % 6]}, {_PLACES[number // 6 % 7]} {number // 42 + 1}",
        "status": "",
        "access": "admin" if happens(12, chance[3]) else "",
        "steps": steps,
        "admins": pick(40, 2),
        "locations": [],
        "demographics": [],
    }
