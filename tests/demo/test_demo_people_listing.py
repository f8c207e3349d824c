"""people/getAll from outside: pages, fields, filters, and what makes no sense."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.demo.options import MOST_PEOPLE

PATH = "/v1/people/getAll.json"
Serve = Callable[..., httpx.Client]


def people_of(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["people"]
    return found


def test_a_page_holds_fifty_people_with_every_field_of_the_contract(client: httpx.Client) -> None:
    response = client.get(PATH)
    people = people_of(response)

    envelope = response.json()
    assert envelope["status"] == "ok"
    assert float(envelope["generated_in"]) >= 0
    assert isinstance(envelope["generated_in"], str)
    assert {name: people[name] for name in ("on_this_page", "page", "per_page", "total")} == {
        "on_this_page": 50,
        "page": 1,
        "per_page": 50,
        "total": 240,
    }
    assert len(people["person"]) == 50
    assert set(people["person"][0]) == {
        *("id", "date_added", "date_modified", "firstname", "lastname", "email"),
        *("phone", "mobile", "admin", "archived", "volunteer"),
    }
    assert all(isinstance(value, str) for value in people["person"][0].values())


def test_pages_together_hold_everybody_once(client: httpx.Client) -> None:
    pages = [people_of(client.get(PATH, params={"page": page})) for page in range(1, 6)]

    ids = [person["id"] for page in pages for person in page["person"]]
    assert [page["on_this_page"] for page in pages] == [50, 50, 50, 50, 40]
    assert len(set(ids)) == len(ids) == 240


def test_past_the_end_there_is_nobody_and_the_message_names_people(client: httpx.Client) -> None:
    response = client.get(PATH, params={"page": 6})

    assert response.status_code == 404
    assert response.json()["status"] == "fail"
    assert response.json()["error"] == {"code": 404, "message": "No people match your criteria."}


def test_an_account_without_people_has_no_first_page(serve: Serve) -> None:
    assert serve(people=0).get(PATH).json()["error"]["code"] == 404


@pytest.mark.parametrize(
    "send",
    [
        lambda client: client.get(PATH, params={"page": "2", "page_size": "100"}),
        lambda client: client.post(PATH, data={"page": "2", "page_size": "100"}),
        lambda client: client.post(PATH, json={"page": 2, "page_size": 100}),
        lambda client: client.post(PATH, json={"page": "2", "page_size": "100"}),
        lambda client: client.post(PATH, params={"page": 7}, json={"page": 2, "page_size": 100}),
    ],
    ids=["query", "form", "JSON numbers", "JSON text", "the body before the query"],
)
def test_paging_is_read_from_query_form_and_json(
    client: httpx.Client, send: Callable[[httpx.Client], httpx.Response]
) -> None:
    people = people_of(send(client))
    assert (people["page"], people["per_page"], people["on_this_page"]) == (2, 100, 100)


@pytest.mark.parametrize(
    "query",
    [
        {"page": "0"},
        {"page": "-1"},
        {"page": "two"},
        {"page": "1.5"},
        {"page": "٢"},
        {"page_size": "9"},
        {"page_size": "1001"},
        {"page": "9" * 5000},
        {"archived": "perhaps"},
    ],
    ids=lambda query: str(query)[:30],
)
def test_a_parameter_that_makes_no_sense_is_code_250(
    client: httpx.Client, query: dict[str, str]
) -> None:
    response = client.get(PATH, params=query)
    assert (response.status_code, response.json()["error"]["code"]) == (400, 250)


@pytest.mark.parametrize("body", [{"page": True}, {"page": [1]}, {"fields": 3}, {"fields": [1]}])
def test_a_parameter_of_the_wrong_type_is_code_250(
    client: httpx.Client, body: dict[str, object]
) -> None:
    response = client.post(PATH, json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (400, 250)


@pytest.mark.parametrize(
    "query",
    [
        "fields[]=country&fields[]=deceased",
        "fields%5B0%5D=country&fields%5B1%5D=deceased",
        "fields=country&fields=deceased",
        "fields=country,%20deceased",
    ],
)
def test_fields_add_to_what_a_person_carries_however_they_are_written(
    client: httpx.Client, query: str
) -> None:
    usual = people_of(client.get(PATH))["person"][0]
    person = people_of(client.get(f"{PATH}?{query}"))["person"][0]
    assert person == {**usual, "country": "", "deceased": "0"}


def test_further_fields_tell_something_of_some_and_only_where_they_are_asked_for(
    client: httpx.Client,
) -> None:
    asked = ("preferred_name", "deceased", "contact", "family_id", "category_id", "picture")
    everybody = {"page_size": 1000}
    usual = people_of(client.get(PATH, params=everybody))["person"]
    fields = {"fields[]": list(asked)}
    more = people_of(client.get(PATH, params={**everybody, **fields}))["person"]
    assert more == people_of(client.get(PATH, params={**everybody, **fields}))["person"]
    assert [{name: each[name] for name in usual[0]} for each in more] == usual
    for name in asked:
        assert name not in usual[0]
        told = [person for person in more if person[name] not in {"", "0"}]
        assert 0 < len(told) < len(more) / 2


def test_fields_can_be_a_json_array(client: httpx.Client) -> None:
    usual = people_of(client.get(PATH))["person"][0]
    person = people_of(client.post(PATH, json={"fields": ["timezone"]}))["person"][0]
    assert person == {**usual, "timezone": ""}


@pytest.mark.parametrize("fields", ["email", "id,firstname", "shoe_size", ""])
def test_fields_take_nothing_away_and_make_nothing_up(client: httpx.Client, fields: str) -> None:
    usual = people_of(client.get(PATH))["person"]
    assert people_of(client.get(PATH, params={"fields": fields}))["person"] == usual


def test_archived_people_are_listed_unless_the_filter_says_otherwise(client: httpx.Client) -> None:
    def ask(**query: str) -> list[dict[str, str]]:
        found: list[dict[str, str]] = people_of(
            client.get(PATH, params={"page_size": "1000", **query})
        )["person"]
        return found

    everybody = ask()
    archived = [person for person in everybody if person["archived"] == "1"]
    assert archived
    assert ask(archived="yes") == archived
    assert ask(archived="no") == [person for person in everybody if person["archived"] == "0"]


@pytest.mark.parametrize("people", [240, 1000])
def test_the_total_counts_whoever_matches_on_every_page(serve: Serve, people: int) -> None:
    client = serve(people=people)

    def ask(**query: str) -> dict[str, Any]:
        return people_of(client.get(PATH, params={"page_size": "10", **query}))

    everybody = people_of(client.get(PATH, params={"page_size": "1000"}))["person"]
    for choice, flag in (("yes", "1"), ("no", "0")):
        many = sum(person["archived"] == flag for person in everybody)
        assert 0 < many < people
        last = (many + 9) // 10
        for page in (1, last):
            assert ask(archived=choice, page=str(page))["total"] == many
        assert ask(archived=choice, page=str(last))["on_this_page"] == many - 10 * (last - 1)
    assert ask(page="2")["total"] == people


def test_the_largest_page_can_be_capped_and_per_page_says_so(serve: Serve) -> None:
    people = people_of(serve(page_size_max=20).get(PATH, params={"page_size": 100, "page": 2}))
    assert (people["per_page"], people["on_this_page"], people["page"]) == (20, 20, 2)


def test_paging_can_be_ignored_altogether(serve: Serve) -> None:
    client = serve(ignore_paging=True)

    first = people_of(client.get(PATH))
    again = people_of(client.get(PATH, params={"page": 4, "page_size": 200}))

    assert first == again
    assert (again["page"], again["on_this_page"], again["total"]) == (1, 50, 240)


@pytest.mark.parametrize("format_name", ["xml", "php"])
def test_a_million_people_answer_in_every_format(serve: Serve, format_name: str) -> None:
    client = serve(people=MOST_PEOPLE)
    for page in (1, 1000):
        answer = client.get(f"/v1/people/getAll.{format_name}?page_size=1000&page={page}")
        assert answer.status_code == 200
        assert answer.text.count("date_added") == (2000 if format_name == "xml" else 1000)
    past = client.get(f"/v1/people/getAll.{format_name}?page_size=1000&page=1001")
    assert past.status_code == 404


def test_a_million_people_answer_on_the_first_and_the_last_page(serve: Serve) -> None:
    client = serve(people=MOST_PEOPLE)

    first = people_of(client.get(PATH, params={"page_size": 1000}))
    last = people_of(client.get(PATH, params={"page_size": 1000, "page": 1000}))
    hidden = people_of(client.get(PATH, params={"page_size": 10, "page": 4000, "archived": "yes"}))

    assert first["total"] == last["total"] == MOST_PEOPLE
    assert last["on_this_page"] == 1000
    assert {person["archived"] for person in hidden["person"]} == {"1"}
    assert client.get(PATH, params={"page_size": 1000, "page": 1001}).status_code == 404
