"""The people flows of the demo account, hand-written as a church and its office would have them."""

from collections.abc import Iterator
from hashlib import blake2b

import msgspec

from app.demo.people import happens, identity, invent, written

Flow = dict[str, object]

NOBODY = "5e1d0c7a-3b8e-4f60-a2d4-c81b7e0a9f2c"
"""An administrator's id that matches nobody in the list, as seen in the field."""

_NORTH = {"id": identity("location", 1), "name": "Riverside North"}
_SOUTH = {"id": identity("location", 2), "name": "Riverside South"}
_FAMILIES = {"id": identity("demographic", 1), "name": "Families"}
_YOUNG = {"id": identity("demographic", 2), "name": "Young people"}


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


_FLOWS = (
    _Flow(
        "Newcomers",
        "Grace Lindqvist, Imani Mwangi",
        (
            _Step("Card received", "Hana Kováčová", entry_point="y"),
            _Step("Welcome call", "Grace Lindqvist, Kaito Mori"),
            _Step("Coffee with staff"),
            _Step(
                "Invite to lunch",
                "Grace Lindqvist",
                steps=(
                    _Step("Dietary needs", "Amélie Brandt"),
                    _Step("Seating plan", "Ruth Adeyemi, Noor Vandenberg"),
                ),
            ),
            _Step("Find a group", "Imani Mwangi", status="pending"),
            _Step("Serving conversation", NOBODY),
        ),
    ),
    _Flow(
        "Baptism",
        "Ruth Adeyemi",
        (
            _Step("First conversation", "Ruth Adeyemi", entry_point="y"),
            _Step("Preparation evenings", "Ruth Adeyemi, Pieter de Vries"),
            _Step("Date agreed", "Harriet Fairweather-Lowe"),
            _Step("Certificate sent", "Jürgen Weiß"),
        ),
    ),
    _Flow(
        "Volunteer screening",
        "Tobias Achterberg",
        (
            _Step("Application received", "Grace Lindqvist", entry_point="y"),
            _Step("References asked", "Siobhán Ní Dhomhnaill"),
            _Step("Background check", "Tobias Achterberg"),
            _Step("Interview", "Ruth Adeyemi, Łukasz Zieliński"),
            _Step("Welcome to the team", "Kaito Mori"),
        ),
    ),
    _Flow(
        "Kids team onboarding",
        "Wanjiku Kamau",
        (
            _Step("Screening complete", "Tobias Achterberg", entry_point="y"),
            _Step("Safeguarding course"),
            _Step("Shadow a morning", "Wanjiku Kamau, Minh Anh Trần"),
            _Step(
                "Age group chosen",
                "Wanjiku Kamau",
                steps=(
                    _Step("Talk with the group leader", "민준 김"),
                    _Step("Parents informed"),
                ),
            ),
            _Step("First aid evening", "Guðrún Þórðardóttir", entry_point="y"),
            _Step("Name badge printed"),
            _Step("First month review", "Wanjiku Kamau, Анна Коваленко"),
        ),
        demographics=(_FAMILIES,),
    ),
    _Flow(
        "Building bookings",
        "Harriet Fairweather-Lowe, Jürgen Weiß",
        (
            _Step("Request received", "Jürgen Weiß"),
            _Step("Room and keys", "Jørgen Sæther, דוד לוי"),
            _Step("Invoice sent", "Harriet Fairweather-Lowe"),
        ),
        locations=(_NORTH, _SOUTH),
    ),
    _Flow(
        "Pastoral care",
        "Ruth Adeyemi, Tobias Achterberg",
        (
            _Step("Need noticed", "Ruth Adeyemi", entry_point="y"),
            _Step("First visit", "Ελένη Παπαδοπούλου, Pádraig Ó Súilleabháin", entry_point="y"),
            _Step("Meals arranged", "प्रिया शर्मा"),
            _Step("Hospital contact", "Beatrix Aldermann"),
            _Step("Follow-up call", "Siobhán Ní Dhomhnaill, Willem van der Berg"),
        ),
        access="admin",
    ),
    _Flow("Summer camp 2027", "Mele Fonoti", demographics=(_YOUNG,), locations=(_SOUTH,)),
    _Flow(
        "New employee",
        "Harriet Fairweather-Lowe",
        (
            _Step("Contract signed", "Harriet Fairweather-Lowe"),
            _Step("Desk, keys and laptop", "Jørgen Sæther"),
            _Step("Accounts and passwords", "Tobias Achterberg"),
            _Step("Lunch with the team", "Amélie Brandt, 美咲 佐藤"),
            _Step("End of probation", "Harriet Fairweather-Lowe", status="pending"),
            _Step("First yearly review", "Tobias Achterberg"),
        ),
        access="admin",
        locations=(_NORTH,),
    ),
    _Flow(
        "Membership class",
        "Pieter de Vries",
        (
            _Step("Signed up", "Żaneta Wójcik", entry_point="y"),
            _Step("Four evenings", "Pieter de Vries, Lucía de la Cruz"),
            _Step("Conversation with an elder", "Daniel Kim"),
            _Step("Welcomed on Sunday", "Grace Lindqvist"),
        ),
        status="pending",
    ),
)

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


def make_flows(count: int | None, people: int, *, nested_steps: bool) -> tuple[Flow, ...]:
    """The first `count` flows as the contract lists them; None means the hand-written ones.

    `people` is how many people there are, so that invented flows name administrators who exist.
    """
    wanted = len(_FLOWS) if count is None else count
    ids = _ids_by_name()
    flows = [
        _flow(number, flow, ids, nested_steps=nested_steps)
        for number, flow in enumerate(_FLOWS[:wanted])
    ]
    administrators = _administrators(people)
    flows.extend(_invent(number, administrators) for number in range(len(_FLOWS), wanted))
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
