"""The JSON reader: everything well-formed comes through, anything else is one typed error."""

import contextlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import UnreadableAnswer
from app.api.formats import decode
from app.api.formats import json as json_format
from tests.any_character import ANY_CHARACTER

_TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(ANY_CHARACTER),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(ANY_CHARACTER), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(_TREES, st.booleans())
def test_what_was_written_as_json_is_read_back(tree: object, ascii_only: bool) -> None:
    text = json.dumps(tree, ensure_ascii=ascii_only)
    assert decode(text.encode(), "json") == tree


@given(st.binary(max_size=200))
def test_any_bytes_give_a_tree_or_the_typed_error(body: bytes) -> None:
    with contextlib.suppress(UnreadableAnswer):
        decode(body, "json")


@given(_TREES, st.data())
def test_a_damaged_document_gives_a_tree_or_the_typed_error(
    tree: object, data: st.DataObject
) -> None:
    body = bytearray(json.dumps({"people": tree}).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place] = data.draw(st.sampled_from(b'{}[]",:\\u0dD\xff\x00 eE+-9'))
    with contextlib.suppress(UnreadableAnswer):
        decode(bytes(body), "json")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": 1, "a": 2}',
        b'{"outer": {"a": 1, "a": 1}}',
        b'{"a" : 1, "b":1, "b":2}',
        b'{"a": "\\ud800"}',
        b'{"a": "\\uDC00 alone"}',
        b'{"\\udfff": 1}',
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        '{"a": "x"}'.encode("utf-16"),
        b'{"a": "line\nend"}',
        b'{"a": 1} trailing',
        b'{"a": 1',
        b"[1,]",
        b'{"a": ' + b"9" * 5000 + b"}",
        b"[" * 65 + b"]" * 65,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b"<html></html>",
    ],
)
def test_what_is_not_strict_json_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        decode(body, "json")


@pytest.mark.parametrize(
    ("body", "tree"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'{"a": "\\ud83d\\ude00"}', {"a": "\N{GRINNING FACE}"}),
        ('{"a": "Žofie"}'.encode(), {"a": "Žofie"}),
        (b"[" * 64 + b"]" * 64, json.loads("[" * 64 + "]" * 64)),
        (b" 7 ", 7),
    ],
)
def test_what_is_strict_json_is_taken(body: bytes, tree: object) -> None:
    assert decode(body, "json") == tree


def test_numbers_are_always_finite() -> None:
    value = decode(b"1e308", "json")
    assert isinstance(value, float)
    assert math.isfinite(value)


def test_the_error_repeats_nothing_of_the_body() -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        decode(b'{"firstname": "Ada" "Lovelace"}', "json")
    assert "Ada" not in caught.value.details + caught.value.message
    assert "Lovelace" not in str(caught.value.__cause__)


@pytest.mark.parametrize("name", ["XML", "JSON", "", "yaml", "phps"])
def test_a_format_without_a_reader_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="no reader for the format"):
        decode(b"{}", name)


_DAMAGE = [
    *map(bytes, zip(b'{}[]",:\\ eE+-9\xff')),
    b"\\ud83d",
    b'"\\udc00":',
    b'"a":1,"a":2,',
    b"},{",
]


@pytest.mark.parametrize("piece", [1, 8, 40])
@given(tree=_TREES, data=st.data())
def test_in_small_pieces_it_is_the_same_tree_or_the_same_refusal(
    piece: int, tree: object, data: st.DataObject
) -> None:
    body = bytearray(
        json.dumps({"people": [tree] * 3}, ensure_ascii=data.draw(st.booleans())), "utf-8"
    )
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + 1] = data.draw(st.sampled_from(_DAMAGE))
    with pytest.MonkeyPatch.context() as patch:
        whole = outcome(bytes(body))
        patch.setattr(json_format, "_PIECE", piece)
        assert outcome(bytes(body)) == whole


@pytest.mark.parametrize(
    "tree",
    [
        {"people": [[{"a": 1}, {"b": 2}, {"c": 3}, 4], [{"d": 5}, {"e": 6}, {"f": 7}]]},
        {"steps": [{}, {}, {}, {}, 1], "admins": [{}, {}, {}]},
    ],
)
def test_a_list_that_ends_within_a_piece_takes_nothing_of_what_stands_behind_it(
    tree: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.dumps(tree).encode()
    for piece in range(1, len(body)):
        monkeypatch.setattr(json_format, "_PIECE", piece)
        assert decode(body, "json") == tree


def outcome(body: bytes) -> object:
    """The tree, or that there is none."""
    try:
        return decode(body, "json")
    except UnreadableAnswer:
        return UnreadableAnswer
