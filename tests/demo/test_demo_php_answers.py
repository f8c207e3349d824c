"""Answers in the php format, judged by PHP's own serialize and unserialize."""

import json
from collections.abc import Callable, Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.demo.formats import php
from tests.any_character import ANY_CHARACTER
from tests.demo.php import SERIALIZE, UNSERIALIZE, Php

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(ANY_CHARACTER)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=25
)


@pytest.fixture(scope="module")
def serialize() -> Iterator[Php]:
    """PHP's json_decode and serialize."""
    with Php(SERIALIZE) as judge:
        yield judge


@pytest.fixture(scope="module")
def unserialize() -> Iterator[Php]:
    """PHP's unserialize, and json_encode to see what it read."""
    with Php(UNSERIALIZE) as judge:
        yield judge


@given(tree=TREES)
def test_a_tree_is_written_as_php_writes_what_it_reads_from_the_json(
    serialize: Php, tree: object
) -> None:
    assert php.fragment("", tree) == serialize.ask(json.dumps(tree).encode())


@pytest.mark.parametrize("number", [0.0, 2.0, -0.5, 12345.678])
def test_a_number_with_a_point_is_written_as_php_reads_it(unserialize: Php, number: float) -> None:
    assert json.loads(unserialize.ask(php.fragment("", number))) == number


def test_an_object_is_an_object_of_php_and_a_list_an_array() -> None:
    tree = {"name": "Zoë", "admins": [], "steps": ["x"], "n": 5, "no": None, "yes": True}
    assert (
        php.fragment("", tree)
        == (
            'O:8:"stdClass":6:{s:4:"name";s:4:"Zoë";s:6:"admins";a:0:{}'
            's:5:"steps";a:1:{i:0;s:1:"x";}s:1:"n";i:5;s:2:"no";N;s:3:"yes";b:1;}'
        ).encode()
    )


@pytest.mark.parametrize(
    "ask",
    [
        lambda client, form: client.get(f"/v1/people/getAll.{form}?page_size=240"),
        lambda client, form: client.get(f"/v1/people/getAll.{form}?fields=country&page=2"),
        lambda client, form: client.post(f"/v1/peopleFlows/getAll.{form}"),
        lambda client, form: client.get(f"/v1/people/getAll.{form}?page=99"),
        lambda client, form: client.get(f"/v1/people/getAll.{form}?page=x"),
        lambda client, form: client.get(f"/v1/people/getAll.{form}", auth=("", "")),
        lambda client, form: client.put(f"/v1/people/getAll.{form}"),
        lambda client, form: client.get(f"/v1/nothing/here.{form}"),
    ],
    ids=["people", "fields", "flows", "none", "input", "key", "HTTP method", "operation"],
)
def test_php_reads_in_an_answer_what_the_json_says(
    serve: Callable[..., httpx.Client],
    unserialize: Php,
    ask: Callable[[httpx.Client, str], httpx.Response],
) -> None:
    client = serve(nested_steps=True)
    as_json, as_php = ask(client, "json"), ask(client, "php")

    assert as_php.headers["content-type"] == "application/vnd.php.serialized"
    assert as_php.status_code == as_json.status_code
    read = json.loads(unserialize.ask(as_php.content))
    assert list(read) == list(as_json.json())
    assert read | {"generated_in": ""} == as_json.json() | {"generated_in": ""}


def test_a_list_can_be_an_object_with_the_keys_0_1_2(serve: Callable[..., httpx.Client]) -> None:
    asked = ("/v1/people/getAll.php?page_size=10", "/v1/people/getAll.json?page_size=10")
    as_php, as_json = (serve(php_lists_as_objects=True).get(path) for path in asked)
    assert b's:6:"person";O:8:"stdClass":10:{s:1:"0";O:8:"stdClass":11:{' in as_php.content
    assert isinstance(as_json.json()["people"]["person"], list)
    flows = serve(php_lists_as_objects=True).post("/v1/peopleFlows/getAll.php").content
    assert b's:5:"steps";O:8:"stdClass":' in flows
    assert b's:6:"admins";O:8:"stdClass":' in flows
    assert b's:11:"people_flow";a:' in serve().post("/v1/peopleFlows/getAll.php").content


def test_php_reads_the_person_who_was_created(client: httpx.Client, unserialize: Php) -> None:
    sent = {"firstname": 'Zoë "😀"\r\n\0;}', "lastname": "佐藤", "email": "zoe+1@example.org"}
    answer = client.post("/v1/people/create.php", json=sent)
    read = json.loads(unserialize.ask(answer.content))
    assert read["person"].items() >= sent.items()
