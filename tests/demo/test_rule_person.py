"""A person as the document tells it: eleven fields of text, dates and flags in their shapes."""

import re

import httpx
import pytest

FIELDS = {
    *("id", "date_added", "date_modified", "firstname", "lastname", "email"),
    *("phone", "mobile", "admin", "archived", "volunteer"),
}
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def check(person: dict[str, str]) -> None:
    """The person has each field in the document's shape, and no other field."""
    assert set(person) == FIELDS
    assert all(type(value) is str for value in person.values())
    assert UUID.fullmatch(person["id"])
    assert MOMENT.fullmatch(person["date_added"])
    assert MOMENT.fullmatch(person["date_modified"])
    assert {person[flag] for flag in ("admin", "archived", "volunteer")} <= {"0", "1"}


def test_everybody_who_is_listed_has_every_field_in_its_shape(client: httpx.Client) -> None:
    page = client.get("/v1/people/getAll.json?page_size=1000").json()["people"]
    assert len(page["person"]) == 240
    for person in page["person"]:
        check(person)


@pytest.mark.parametrize("way", ["json", "data"])
def test_whoever_is_created_comes_back_with_every_field_in_its_shape(
    client: httpx.Client, way: str
) -> None:
    sent = {"firstname": "Ada", "lastname": "Lovelace", "email": "ada@lovelace.example"}
    ways = {"json": client.build_request("POST", "/v1/people/create.json", json=sent)}
    ways["data"] = client.build_request("POST", "/v1/people/create.json", data=sent)
    check(client.send(ways[way]).json()["person"])
