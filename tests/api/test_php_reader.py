"""The PHP reader: plain data comes through, anything else is one typed error; PHP is the judge."""

import contextlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.errors import UnreadableAnswer
from app.api.formats import decode
from app.api.formats.decoding_budget import DEEPEST
from app.api.formats.tree import Tree
from tests.any_character import ANY_CHARACTER
from tests.fuzz.documents import ENVELOPES, as_php

SCRIPT = """
while (($line = fgets(STDIN)) !== false) {
    [$what, $size] = explode(' ', $line);
    $sent = stream_get_contents(STDIN, (int) $size);
    if ($what === 'read') {
        $read = @unserialize($sent, ['allowed_classes' => ['stdClass']]);
        $exactly = JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION;
        $said = $read === false && $sent !== 'b:0;' ? '' : json_encode($read, $exactly);
    } else {
        $said = serialize(json_decode($sent, $what === 'arrays', 512, JSON_THROW_ON_ERROR));
    }
    echo strlen($said), PHP_EOL, $said;
}
"""
BY_PHP = settings(deadline=None)

_NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
# In PHP no member of an object may begin with NUL: that is how it writes those that are private.
_NAMES = st.text(ANY_CHARACTER, max_size=6).filter(
    lambda name: not name.startswith("\0")
) | st.sampled_from(["0", "1", "-1", "01", "-0", "9223372036854775807", "9223372036854775808", ""])
_TREES: st.SearchStrategy[Tree] = st.recursive(
    st.none() | st.booleans() | _NUMBERS | st.text(ANY_CHARACTER, max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=15,
)


class Php:
    """A running PHP that is asked one thing after the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def ask(self, what: str, sent: bytes) -> bytes:
        """What it says: to `read` the JSON of a value, to `objects` or `arrays` the value."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(b"%b %d\n%b" % (what.encode(), len(sent), sent))
        self._process.stdin.flush()
        return self._process.stdout.read(int(self._process.stdout.readline()))


@pytest.fixture(scope="module")
def php() -> Iterator[Php]:
    """PHP itself, without its settings of this machine."""
    program = shutil.which("php")
    if program is None:
        pytest.skip("PHP is not installed")
    with subprocess.Popen(
        [program, "-n", "-r", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Php(process)


@BY_PHP
@given(tree=_TREES)
def test_what_php_writes_of_objects_is_the_tree_of_the_json(php: Php, tree: Tree) -> None:
    assert decode(php.ask("objects", json.dumps(tree).encode()), "php") == tree


@BY_PHP
@given(tree=_TREES)
def test_what_php_writes_of_arrays_is_the_tree_with_numbered_ones_as_lists(
    php: Php, tree: Tree
) -> None:
    assert decode(php.ask("arrays", json.dumps(tree).encode()), "php") == _numbered(tree)


def _numbered(tree: Tree) -> Tree:
    """The tree as PHP's arrays can tell it: they know no object, and none that is empty."""
    if isinstance(tree, list):
        return [_numbered(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    fields = {key: _numbered(item) for key, item in tree.items()}
    in_order = all(key == str(place) for key, place in zip(fields, count(), strict=False))
    return list(fields.values()) if in_order else fields


@pytest.mark.parametrize("as_what", ["objects", "arrays"])
@pytest.mark.parametrize("envelope", ENVELOPES)
def test_what_php_writes_of_an_answer_is_the_answer(
    php: Php, envelope: dict[str, Tree], as_what: str
) -> None:
    assert decode(php.ask(as_what, json.dumps(envelope).encode()), "php") == envelope


@BY_PHP
@given(tree=_TREES, data=st.data())
def test_what_is_taken_of_damaged_documents_is_what_php_takes_it_for(
    php: Php, tree: Tree, data: st.DataObject
) -> None:
    body = bytearray(php.ask("objects", json.dumps({"people": tree, "7": [tree]}).encode()))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place] = data.draw(st.sampled_from(b'0123456789-+.eE:;{}"aOsidbNRr\0\xff'))
    with contextlib.suppress(UnreadableAnswer):
        taken = decode(bytes(body), "php")
        assert json.loads(php.ask("read", bytes(body))) == taken


@given(st.binary(max_size=200))
def test_any_bytes_give_a_tree_or_the_typed_error(body: bytes) -> None:
    with contextlib.suppress(UnreadableAnswer):
        decode(body, "php")


def nested(levels: int) -> bytes:
    """Arrays inside arrays."""
    return b"a:1:{i:0;" * levels + b"N;" + b"}" * levels


@pytest.mark.parametrize(
    ("body", "tree"),
    [
        (b"N;", None),
        (b"N;\n", None),
        (b"\r\n N;\r\n", None),
        (b"\xef\xbb\xbfN;", None),
        (b"\xef\xbb\xbf\ni:1;\n", 1),
        (b"b:1;", True),
        (b"i:0;", 0),
        (b"i:-9223372036854775808;", -(2**63)),
        (b"d:0.1;", 0.1),
        (b"d:5;", 5.0),
        (b"d:-0;", -0.0),
        (b"d:1.0E+25;", 1e25),
        (b"d:-1.5E-10;", -1.5e-10),
        (b"d:1e3;", 1000.0),
        (b"d:0.10000000000000001;", 0.1),
        (b"d:4.9406564584124654E-324;", 5e-324),
        (b's:0:"";', ""),
        ('s:5:"Žof"";'.encode(), 'Žof"'),
        (b's:4:"";}{";', '";}{'),
        (b's:1:"\0";', "\0"),
        (b"a:0:{}", []),
        (b"a:2:{i:0;i:7;i:1;N;}", [7, None]),
        (b"a:2:{i:1;i:7;i:0;N;}", {"1": 7, "0": None}),
        (b"a:1:{i:1;i:7;}", {"1": 7}),
        (b'a:2:{i:0;i:7;s:1:"a";N;}', {"0": 7, "a": None}),
        (b"a:1:{i:-1;i:7;}", {"-1": 7}),
        (b'O:8:"stdClass":0:{}', {}),
        (b'O:8:"stdClass":1:{s:1:"0";i:7;}', {"0": 7}),
        (b'a:1:{s:0:"";N;}', {"": None}),
    ],
)
def test_plain_data_is_taken(body: bytes, tree: Tree) -> None:
    taken = decode(body, "php")
    assert taken == tree
    assert type(taken) is type(tree)


def test_a_negative_zero_stays_one() -> None:
    assert str(decode(b"d:-0;", "php")) == "-0.0"


def test_it_reads_as_deep_as_any_reader() -> None:
    decode(nested(DEEPEST), "php")
    with pytest.raises(UnreadableAnswer, match="cannot read"):
        decode(nested(DEEPEST + 1), "php")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"N",
        b"N;N;",
        b"n;",
        b"b:2;",
        b"b:true;",
        b"i:;",
        b"i:+1;",
        b"i:-0;",
        b"i:01;",
        b"i:1.0;",
        b"i: 1;",
        b"i:1_0;",
        "i:١;".encode(),
        b"i:9223372036854775808;",
        b"i:-9223372036854775809;",
        b"i:" + b"9" * 100_000 + b";",
        b"d:NAN;",
        b"d:INF;",
        b"d:-INF;",
        b"d:nan;",
        b"d:1e999;",
        b"d:" + b"9" * 399 + b";",
        b"d:.;",
        b"d:;",
        b"d:1e;",
        b"d:0x1p3;",
        b"d:1_0.0;",
        b's:1:"";',
        b's:2:"a";',
        b's:0:"a";',
        b's:-1:"";',
        b's:+1:"a";',
        b's:01:"a";',
        b's:1:"a"',
        b"s:1:'a';",
        b's:99999999999:"a";',
        b's:4294967297:"a";',
        's:1:"é";'.encode(),
        b's:1:"\xe9";',
        b's:3:"\xed\xa0\x80";',
        b's:2:"\xc0\x80";',
        b'S:1:"\\61";',
        b"a:1:{}",
        b"a:0:{i:0;N;}",
        b"a:1:{i:0;N;",
        b"a:1:{i:0;N;i:1;N;}",
        b"a:2:{i:0;N;}",
        b"a:1:{i:0;}",
        b"a:-1:{}",
        b"a:1:{N;N;}",
        b"a:1:{d:0;N;}",
        b"a:1:{b:1;N;}",
        b"a:1:{a:0:{}N;}",
        b"a:2:{i:0;N;i:0;N;}",
        b'a:2:{i:1;N;s:1:"1";N;}',
        b'a:2:{s:1:"a";N;s:1:"a";N;}',
        b"a:999999999:{i:0;N;}",
        b"a:4294967296:{}",
        b"a:1:{i:0;i:1;};",
        b'O:8:"stdClass":2:{s:1:"a";N;s:1:"a";N;}',
        b'O:8:"stdClass":1:{s:4:"\0*\0a";N;}',
        b'O:8:"STDCLASS":0:{}',
        b'O:+8:"stdClass":0:{}',
        b'O:9:"stdClass":0:{}',
        b'O:8:"DateTime":0:{}',
        b'O:9:"Exception":1:{s:1:"a";N;}',
        b'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
        b'E:8:"Suit:Two";',
        b"R:1;",
        b"r:1;",
        b"a:2:{i:0;a:0:{}i:1;R:2;}",
        b"a:1:{i:0;r:1;}",
        b'o:1:{s:1:"a";N;}',
        nested(DEEPEST + 1),
        b"a:1:{i:0;" * 1_000_000,
        b'O:8:"stdClass":1:{s:1:"a";' * 100_000,
        b'{"status": "ok"}',
        b"<html></html>",
        as_php({"people": "Ada"}).decode().encode("utf-16"),
    ],
)
def test_what_is_not_plain_data_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        decode(body, "php")


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_no_part_of_an_answer_is_taken_for_the_whole(envelope: dict[str, Tree]) -> None:
    body = as_php(envelope)
    for end in range(len(body)):
        with pytest.raises(UnreadableAnswer):
            decode(body[:end], "php")


def test_the_error_repeats_nothing_of_the_body() -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        decode(b'a:1:{s:8:"Lovelace";s:2:"Ada";}', "php")
    assert "Ada" not in caught.value.details + caught.value.message
    assert "Lovelace" not in caught.value.details + caught.value.message
