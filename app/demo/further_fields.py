"""What the demo account knows of some people beyond the contract's fields (seen in the field).

A caller gets it only where it asks; of most people nobody has told this account anything.
"""

from collections.abc import Mapping
from hashlib import blake2b

from app.demo.people import Person, happens, identity

FURTHER_FIELDS: Mapping[str, str] = {
    "preferred_name": "",
    "middle_name": "",
    "deceased": "0",
    "contact": "0",
    "family_id": "",
    "family_relationship": "",
    "category_id": "",
    "picture": "",
    "username": "",
    "country": "",
    "timezone": "",
}
"""As they are sent of somebody of whom nothing more is known."""

_GOES_BY = {
    "Benjamin": "Ben",
    "Edward": "Ned",
    "Florence": "Flo",
    "Kenneth": "Ken",
    "Patricia": "Trish",
    "Samuel": "Sam",
    "Tobias": "Toby",
    "Beatrix": "Bea",
    "Katarzyna": "Kasia",
    "Małgorzata": "Gosia",
    "Wojciech": "Wojtek",
    "Наталья": "Наташа",
    "Conceição": "São",
}
_MIDDLE_NAMES = ("Ruth", "James", "Marie", "Sol")
_RELATIONSHIPS = ("Primary contact", "Spouse", "Child", "Grandparent")
_CATEGORIES = tuple(identity("category", number) for number in range(3))


def further_fields(person: Person, asked: frozenset[str]) -> Mapping[str, str]:
    """Those of the fields that are `asked` for, the same for the same person every time."""
    names = FURTHER_FIELDS.keys() & asked
    if not names:
        return {}
    told = _told_of(person)
    return {name: told.get(name, FURTHER_FIELDS[name]) for name in FURTHER_FIELDS if name in names}


def _told_of(person: Person) -> Mapping[str, str]:
    chance = blake2b(person["id"].encode(), digest_size=8).digest()
    told: dict[str, str] = {}
    preferred = _GOES_BY.get(person["firstname"])
    if preferred:
        told["preferred_name"] = preferred
    if person["archived"] == "1" and happens(35, chance[0]):
        told["deceased"] = "1"
    if happens(6, chance[1]):
        told["contact"] = "1"
    if happens(8, chance[2]):
        told["middle_name"] = _MIDDLE_NAMES[chance[2] % 4]
    if happens(15, chance[3]):
        told["family_id"] = identity("family", chance[4] * 256 + chance[5])
        told["family_relationship"] = _RELATIONSHIPS[chance[3] % 4]
    if happens(20, chance[6]):
        told["category_id"] = _CATEGORIES[chance[6] % 3]
    if happens(5, chance[7]):
        told["picture"] = f"https://pictures.example/{person['id']}.png"
    return told
