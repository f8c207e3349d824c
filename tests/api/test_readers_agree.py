"""Equal data gives equal models, whichever of the three formats it came in."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.field_values import whole
from app.api.formats import decode
from app.api.formats.tree import Tree
from app.api.resources import read_flow, read_list, read_person
from tests.fuzz.documents import ENVELOPES, Data, as_json, as_php, as_xml

# What XML 1.0 can hold; it knows no other control characters and no two ends of the Unicode plane.
_LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | (
    st.sampled_from("\t\n\r&<>\"']%+;:{}\\")
)
_TEXT = st.text(_LETTERS, max_size=12)
_IDS = st.text("0123456789abcdef-é", min_size=1, max_size=12)
_NAMED: st.SearchStrategy[Data] = st.fixed_dictionaries({"id": _IDS, "name": _TEXT})
_FLAGS = st.sampled_from(["0", "1", 0, 1, ""])
_MOMENTS = st.sampled_from(["2024-05-03 14:02:09", "0000-00-00 00:00:00", ""])

_PEOPLE = st.fixed_dictionaries(
    {"id": _IDS},
    optional={
        **dict.fromkeys(("firstname", "lastname", "email", "phone", "mobile"), _TEXT),
        **dict.fromkeys(("admin", "archived", "volunteer"), _FLAGS),
        **dict.fromkeys(("date_added", "date_modified"), _MOMENTS),
    },
)


def _steps(inner: st.SearchStrategy[Data]) -> st.SearchStrategy[Data]:
    fields: dict[str, st.SearchStrategy[Any]] = {
        "id": _IDS,
        "name": _TEXT,
        "steps": inner,
        "status": _TEXT,
        "entry_point": _TEXT,
        "admins": st.lists(_IDS, max_size=3),
    }
    return st.lists(st.fixed_dictionaries(fields), max_size=3)


_NO_STEPS: st.SearchStrategy[Data] = st.just([])
_FLOWS = st.fixed_dictionaries(
    {
        "id": _IDS,
        "name": _TEXT,
        "status": _TEXT,
        "access": _TEXT,
        "steps": st.recursive(_NO_STEPS, _steps, max_leaves=4),
        "admins": st.lists(_IDS, max_size=3),
        **dict.fromkeys(("locations", "demographics"), st.lists(_NAMED, max_size=3)),
    }
)


def _envelope(key: str, item_key: str, items: list[Data]) -> dict[str, Data]:
    page: Data = {"on_this_page": len(items), "page": 1, "total": 3 * len(items), item_key: items}
    return {"generated_in": "0.012", "status": "ok", key: page}


def _in_every_format(envelope: dict[str, Data]) -> dict[str, dict[str, Tree]]:
    written = {"json": as_json(envelope), "xml": as_xml(envelope), "php": as_php(envelope)}
    trees = {name: decode(body, name) for name, body in written.items()}
    return {name: tree for name, tree in trees.items() if isinstance(tree, dict)}


def _models(
    tree: dict[str, Tree], key: str, item_key: str, read: Callable[[Tree], object]
) -> tuple[object, list[object]]:
    listed = read_list(tree[key], item_key)
    assert listed is not None
    return listed.total, [read(item) for item in listed.items]


@given(st.lists(_PEOPLE, max_size=4))
def test_the_same_people_come_out_of_every_format(people: list[Data]) -> None:
    trees = _in_every_format(_envelope("people", "person", people))
    found = {name: _models(tree, "people", "person", read_person) for name, tree in trees.items()}
    assert found["xml"] == found["json"]
    assert found["php"] == found["json"]
    total, models = found["json"]
    assert (total, len(models)) == (3 * len(people), len(people))
    assert None not in models


@given(st.lists(_FLOWS, max_size=3))
def test_the_same_flows_come_out_of_every_format(flows: list[Data]) -> None:
    trees = _in_every_format(_envelope("people_flows", "people_flow", flows))
    found = {
        name: _models(tree, "people_flows", "people_flow", read_flow)
        for name, tree in trees.items()
    }
    assert found["xml"] == found["json"]
    assert found["php"] == found["json"]
    assert len(found["json"][1]) == len(flows)
    assert None not in found["json"][1]


@given(st.integers(0, 10**9), _TEXT)
def test_the_same_error_comes_out_of_every_format(code: int, message: str) -> None:
    error: Data = {"code": code, "message": message}
    trees = _in_every_format({"generated_in": "0.1", "status": "fail", "error": error})
    for tree in trees.values():
        told = tree["error"]
        assert isinstance(told, dict)
        assert (whole(told["code"]), told["message"]) == (code, message)
        assert (tree["status"], tree["generated_in"]) == ("fail", "0.1")


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_php_gives_the_very_tree_of_the_json(envelope: dict[str, Data]) -> None:
    assert decode(as_php(envelope), "php") == decode(as_json(envelope), "json") == envelope
