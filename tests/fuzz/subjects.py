"""What is tried: each reader with good documents, its grammar and what must hold of an answer."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from urllib.parse import unquote

from app.api.errors import AuthorisationFailed, UnreadableAnswer
from app.api.formats import decode
from app.api.formats.decoding_budget import DEEPEST
from app.api.formats.tree import Tree
from app.api.sign_in.oauth import (
    AuthorisationRequest,
    Grant,
    WebAuthorisationRequest,
)
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from tests.fuzz.documents import ENVELOPES, as_json, as_php, as_xml
from tests.fuzz.lists import LISTS
from tests.fuzz.mutations import Grammar, Subject

_ANY = (b"", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", "é".encode(), b"\r\n", b" ")


def _read_answer(format_name: str, body: bytes) -> bool:
    """Whether it is taken."""
    try:
        tree = decode(body, format_name)
    except UnreadableAnswer:
        return False
    check_tree(tree)
    return True


def check_tree(tree: Tree) -> None:
    """Nothing but plain data of the promised depth: text that can be written, finite numbers."""
    level: list[Tree] = [tree]
    for _ in range(DEEPEST + 1):
        inner: list[Tree] = []
        for node in level:
            if isinstance(node, dict):
                inner.extend(node)
                inner.extend(node.values())
            elif isinstance(node, list):
                inner.extend(node)
            else:
                _check_scalar(node)
        level = inner
        if not level:
            return
    raise AssertionError("nested deeper than any reader may give")


def _check_scalar(value: Tree) -> None:
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, float):
        assert math.isfinite(value)
    else:
        assert value is None or type(value) in {int, bool}


_NOW = datetime(2024, 5, 3, 12, 0, tzinfo=UTC)
_STATE = "s3cret-State_of~this.attempt"
_SECURE = "https://desk.example/signed-in"
# What a browser takes for the very same address, and nothing wider.
_HERE = re.compile(r"(?ai:http)://127\.0\.0\.1:0*38973/signed-in")
_ELSEWHERE = re.compile(r"(?ai:https://desk\.example)(?::0*443|:)?/signed-in")
_ACCOUNT = ("https://church.example", "desk")
_REQUESTS = (
    (_HERE, AuthorisationRequest(*_ACCOUNT, DEFAULT_REDIRECT_ADDRESS)),
    (_ELSEWHERE, AuthorisationRequest(*_ACCOUNT, _SECURE)),
    (_HERE, WebAuthorisationRequest(*_ACCOUNT, DEFAULT_REDIRECT_ADDRESS, state=_STATE)),
    (_ELSEWHERE, WebAuthorisationRequest(*_ACCOUNT, _SECURE, state=_STATE)),
)


def _read_redirect(written: bytes) -> bool:
    url = written.decode("utf-8", "surrogateescape")
    taken = [_read_for(address, request, url) for address, request in _REQUESTS]
    return any(taken)


def _read_for(
    address: re.Pattern[str], request: AuthorisationRequest | WebAuthorisationRequest, url: str
) -> bool:
    is_ours = request.is_answer(url)
    if is_ours:
        assert address.fullmatch(re.split("[?#]", url, maxsplit=1)[0]), "another address was taken"
    try:
        answer = request.read_answer(url, _NOW)
    except AuthorisationFailed:
        return False
    assert is_ours, "access was taken from another address"
    if isinstance(answer, Grant):
        assert re.fullmatch("[!-~]+", answer.access_token)
        assert answer.expires_at > _NOW
    else:
        assert re.fullmatch("[!-~]+", answer.code)
        assert _STATE in unquote(url.partition("#")[0].partition("?")[2]), "of another attempt"
    return True


_JSON = Grammar(
    words=(
        *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u0000", b"\\ud800", b"\\udc00"),
        *(b"null", b"true", b"NaN", b"Infinity", b"-", b"1E400", b'"status"', b'""', b"\\u"),
        *(b'{"a":1,"a":2}', b"/*", b"//", b"'", *_ANY),
    ),
    pairs=((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":[', b"]}]")),
)
_XML = Grammar(
    words=(
        *(b"<", b">", b"/", b"=", b'"', b"'", b"&", b";", b"<!--", b"-->", b"<![CDATA[", b"]]>"),
        *(b"<?", b"?>", b"<!DOCTYPE a [", b"]>", b'<!ENTITY a "&b;">', b"&a;", b"&lt;", b"&#0;"),
        *(b"&#xD800;", b"&#x10FFFF;", b"<a", b"</a>", b"<a/>", b"<rsp>", b"</rsp>", b"<person"),
        *(b' id="1"', b' xmlns="u"', b' xmlns:x="u"', b"x:", b':', b'encoding="UTF-16"'),
        *(b'encoding="utf-7"', b'encoding="idna"', b'encoding="ISO-8859-1"', b'"1.1"', *_ANY),
    ),
    pairs=((b"<a>", b"</a>"), (b"<!--", b"-->"), (b'<a b="', b'"/>'), (b"<x:a>", b"</x:a>")),
)  # fmt: skip
_PHP = Grammar(
    words=(
        *(b"a:", b"s:", b"i:", b"d:", b"b:", b"N;", b"O:", b"R:1;", b"r:1;", b"C:", b"E:", b"S:"),
        *(b"{", b"}", b":", b";", b'"', b'";', b'O:8:"stdClass":1:{', b'O:8:"DateTime":0:{}'),
        *(b'C:11:"ArrayObject":0:{}', b'E:3:"A:B";', b"a:0:{}", b"i:0;", b"d:NAN;", b"d:INF;"),
        *(b"d:-0;", b"d:1.0E+25;", b's:1:"a";', b's:0:"";', b"b:1;", b"\0*\0a", *_ANY),
    ),
    pairs=(
        *((b"a:1:{i:0;", b"}"), (b'O:8:"stdClass":1:{s:1:"a";', b"}"), (b"a:999:{i:0;", b"}")),
        (b's:9:"', b'";'),
    ),
)
_REDIRECT = Grammar(
    words=(
        *rb"/ // \ ? # & = @ : % %2F %00 %ff .. /./ ; . + [ user:pw@ xn-- signed-in".split(),
        *b"http:// https:// HTTP javascript: data:, evil.example desk.example localhost".split(),
        *b"127.0.0.1 127.1 [::1] :443 :0443 access_token= access_token=t&access_token=u".split(),
        *b"error= error=access_denied expires_in= expires_in=-1 expires_in=0 code= state=".split(),
        *(b"\t", b"\n", "\u212a".encode(), "\u017f".encode(), "\uff0e".encode()),
        *("\uff0f".encode(), "\uff1a".encode(), "\uff10".encode(), "\u0661".encode(), *_ANY),
    ),
    pairs=((b"%25", b""), (b"&a=1", b""), (b"[", b"]"), (b"http://a@", b"/")),
)
_ANSWERS = (
    "#access_token=abcDEF-123_4.5~x%2B/&expires_in=1209600",
    "#expires_in=3600&access_token=t&refresh_token=r",
    "?access_token=tokentoken&expires_in=60",
    "#error=access_denied&error_description=No%20thanks+no",
    "?error=unknown_scope",
    "?reason=server_error#",
    f"?code=0neTimeCode-1&state={_STATE}",
    f"?code=c%2Bd&state={_STATE}#_=_",
    "",
)
_ADDRESSES = (
    DEFAULT_REDIRECT_ADDRESS,
    _SECURE,
    "https://desk.example:443/signed-in",
    "https://des\u212a.example/signed-in",
)

SUBJECTS: Mapping[str, Subject] = {
    "json": Subject(tuple(map(as_json, ENVELOPES)), _JSON, partial(_read_answer, "json")),
    "xml": Subject(tuple(map(as_xml, ENVELOPES)), _XML, partial(_read_answer, "xml")),
    "php": Subject(tuple(map(as_php, ENVELOPES)), _PHP, partial(_read_answer, "php")),
    "redirect": Subject(
        tuple(f"{address}{answer}".encode() for address in _ADDRESSES for answer in _ANSWERS),
        _REDIRECT,
        _read_redirect,
    ),
    **LISTS,
}
