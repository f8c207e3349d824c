"""The XML reader: the document's shape and what services make of it; all else is one error."""

import contextlib
import gc

import pytest
from defusedxml.expatreader import DefusedExpatParser
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import UnreadableAnswer
from app.api.formats import decode
from app.api.formats.decoding_budget import DEEPEST
from app.api.formats.tree import Tree
from app.api.resources import read_flow, read_list, read_person
from tests.fuzz.documents import ENVELOPES, as_xml

PEOPLE = """\
<?xml version="1.0" encoding="UTF-8"?>
<rsp generated_in="0.012" status="ok">
  <people>
    <on_this_page>2</on_this_page>
    <total>9</total>
    <person id="a1" admin="1">
      <firstname>Ada</firstname>
      <lastname>Lovelace &amp; Söhne</lastname>
      <email/>
    </person>
    <person id="a2" admin="0"><firstname>Bo</firstname></person>
  </people>
</rsp>
"""


def test_a_page_of_people_is_the_tree_of_its_json() -> None:
    ada = {"id": "a1", "admin": "1", "firstname": "Ada", "lastname": "Lovelace & Söhne"}
    bo = {"id": "a2", "admin": "0", "firstname": "Bo"}
    assert decode(PEOPLE.encode(), "xml") == {
        "generated_in": "0.012",
        "status": "ok",
        "people": {"on_this_page": "2", "total": "9", "person": [{**ada, "email": ""}, bo]},
    }


@pytest.mark.parametrize(
    ("body", "tree"),
    [
        ("<rsp/>", {}),
        ('<rsp generated_in="0.1" status="ok"/>', {"generated_in": "0.1", "status": "ok"}),
        ("<rsp><status>ok</status></rsp>", {"status": "ok"}),
        ("<rsp>\n</rsp>", {}),
        ("<rsp><people/></rsp>", {"people": ""}),
        ("<rsp><people></people></rsp>", {"people": ""}),
        ('<rsp><people total="0"/></rsp>', {"people": {"total": "0"}}),
        ("<rsp><a><b>1</b></a></rsp>", {"a": {"b": "1"}}),
        ("<rsp><a>1</a><b/><a>2</a><a/></rsp>", {"a": ["1", "2", ""], "b": ""}),
        ("<rsp><a> b </a></rsp>", {"a": " b "}),
        ("<rsp><a> <b/> </a></rsp>", {"a": {"b": ""}}),
        ("<rsp><a><![CDATA[<b> & ]]>c</a></rsp>", {"a": "<b> & c"}),
        ("<rsp><a>&lt;b&gt;&#x1F600;&#233;&quot;</a></rsp>", {"a": '<b>\U0001f600é"'}),
        ("<rsp><a>1<!-- 2 -->3<?x 4?></a></rsp>", {"a": "13"}),
        ("<?a b?><!-- c --><rsp/><!-- d --><?e?>\n", {}),
        ("\r\n\t <?xml version='1.0'?><rsp/>", {}),
        ("\ufeff\n<?xml version='1.0'?><rsp/>", {}),
        ("<rsp><a>1\r\n2&#13;3</a></rsp>", {"a": "1\n2\r3"}),
        ('<rsp xmlns="urn:x" xmlns:i="urn:i"><a i:nil="true" b="1"/></rsp>', {"a": {"b": "1"}}),
        ('<x:rsp xmlns:x="urn:x"><x:a>1</x:a></x:rsp>', {"a": "1"}),
        ('<rsp><a xml:lang="en">1</a></rsp>', {"a": "1"}),
        ('<rsp><a type="integer">1</a></rsp>', {"a": "1"}),
        ('<rsp><a nil="true"/></rsp>', {"a": {"nil": "true"}}),
        ('<rsp><a id="1"><id>1</id></a></rsp>', {"a": {"id": "1"}}),
        ('<rsp><admin id="p1" role="lead">Ada</admin></rsp>',
         {"admin": {"id": "p1", "role": "lead", "name": "Ada"}}),
        ('<rsp><error code="102">No</error></rsp>', {"error": {"code": "102", "message": "No"}}),
        ('<error code="102"><message>No</message></error>',
         {"error": {"code": "102", "message": "No"}}),
        ("<people><person id='1'/></people>", {"people": {"person": {"id": "1"}}}),
    ],
)  # fmt: skip
def test_every_shape_is_read_as_nearly_as_can_be_known(body: str, tree: Tree) -> None:
    assert decode(body.encode(), "xml") == tree


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("UTF-8", "utf-8"),
        ("utf8", "utf-8"),
        ("UTF8", "utf-8-sig"),
        ("utf_8", "utf-8"),
        ("UTF-16", "utf-8-sig"),
        ("ascii", "ascii"),
        ("iso8859-1", "latin-1"),
        ("cp1252", "cp1252"),
        ("Windows-1250", "cp1250"),
        ("utf-8", "utf-8-sig"),
        ("", "utf-16"),
        ("UTF-16", "utf-16"),
        ("utf-16", "utf-16-le"),
        ("UTF-16", "utf-16-be"),
        ("UTF-16LE", "utf-16-le"),
        ("ISO-8859-1", "latin-1"),
        ("latin1", "latin-1"),
        ("latin-1", "latin-1"),
        ("windows-1252", "cp1252"),
        ("ISO-8859-15", "iso8859-15"),
    ],
)
def test_each_declared_encoding_is_read(declared: str, codec: str) -> None:
    said = f' encoding="{declared}"' if declared else ""
    body = f'<?xml version="1.0"{said}?><rsp a="é"><b>Žofie, naïve</b></rsp>'
    if codec in {"latin-1", "cp1252", "iso8859-15"}:
        body = body.replace("Ž", "Z")
    if codec in {"ascii", "cp1250"}:
        body = body.replace("Ž", "Z").replace("ï", "i").replace("é", "e")
    taken = decode(body.encode(codec), "xml")
    assert taken == {
        "a": "e" if "é" not in body else "é",
        "b": body.partition("<b>")[2].partition("<")[0],
    }


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"rsp",
        b"<rsp>",
        b"<rsp></rsp",
        b"<rsp></rps>",
        b"<rsp/><rsp/>",
        b"<rsp/>more",
        b"more<rsp/>",
        b"<rsp a=1/>",
        b"<rsp a='1' a='2'/>",
        b"<rsp a='<'/>",
        b"<rsp><a></rsp></a>",
        b"<rsp>&nbsp;</rsp>",
        b"<rsp>&#0;</rsp>",
        b"<rsp>&#8;</rsp>",
        b"<rsp>&#xD800;</rsp>",
        b"<rsp>&#xFFFF;</rsp>",
        b"<rsp>&#x110000;</rsp>",
        b"<rsp>\0</rsp>",
        b"<rsp>\x08</rsp>",
        b"<rsp>\xff</rsp>",
        b"<rsp>\xed\xa0\x80</rsp>",
        b"<rsp>]]></rsp>",
        b"<rsp><![CDATA[</rsp>",
        b"<rsp><!-- -- --></rsp>",
        b"<rsp/><?xml version='1.0'?>",
        b"<?xml version='1.0' encoding='UTF-16'?><rsp/>",
        b"<?xml version='1.0' encoding='US-ASCII'?><rsp>\xe9</rsp>",
        b"<?xml version='1.0' encoding='utf-7'?><rsp>+AOk-</rsp>",
        b"<?xml version='1.0' encoding='rot13'?><efc/>",
        b"<?xml version='1.0' encoding='idna'?><rsp/>",
        b"<?xml version='1.0' encoding='cp037'?><rsp/>",
        b"<?xml version='1.0' encoding='../../x'?><rsp/>",
        "<rsp>\ud800</rsp>".encode("utf-16", "surrogatepass"),
        "<rsp>\ud800\ud800</rsp>".encode("utf-16", "surrogatepass"),
        "<rsp a='\udc00'/>".encode("utf-16-le", "surrogatepass"),
        "<rsp/>".encode("utf-16")[:-1],
        "<rsp/>".encode("utf-32"),
        b"<rsp><a id='1'><id>2</id></a></rsp>",
        b"<!DOCTYPE rsp><rsp/>",
        b"<!doctype html><html></html>",
        b"<!DOCTYPE rsp SYSTEM 'http://127.0.0.1:1/x.dtd'><rsp/>",
        b"<!DOCTYPE rsp SYSTEM 'file:///etc/passwd'><rsp/>",
        b"<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r>&x;</r>",
        b"<!DOCTYPE r [<!ENTITY % x SYSTEM 'http://127.0.0.1:1/'>%x;]><r/>",
        f"<!DOCTYPE r [<!ENTITY l0 'ha'>{LAUGHS}]><r>&l9;</r>".encode(),
        f"<!DOCTYPE r [<!ENTITY a '{'a' * 50_000}'>]><r>{'&a;' * 50_000}</r>".encode(),
        b"<rsp><!ENTITY x 'y'></rsp>",
        b"<a>" * (DEEPEST + 1) + b"</a>" * (DEEPEST + 1),
        b"<rsp><!--" + b"- " * 100_000,
        b"<" * 100_000,
        b"<rsp>" + b"<a/><a>" * 40 + b"</a>" * 40 + b"</rsp>",
        b"<rsp a='" + b"x" * 2_000_000 + b"'/>",
        b'{"status": "ok"}',
        b"a:0:{}",
    ],
)
def test_what_is_not_well_formed_or_not_safe_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        decode(body, "xml")


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_no_part_of_an_answer_is_taken_for_the_whole(envelope: dict[str, Tree]) -> None:
    body = as_xml(envelope)
    for end in range(len(body)):
        with pytest.raises(UnreadableAnswer):
            decode(body[:end], "xml")


@given(st.binary(max_size=200))
def test_any_bytes_give_a_tree_or_the_typed_error(body: bytes) -> None:
    for before in (b"", b"<rsp>"):
        with contextlib.suppress(UnreadableAnswer):
            decode(before + body, "xml")


def test_it_reads_as_deep_as_any_reader() -> None:
    decode(b"<a>" * DEEPEST + b"</a>" * DEEPEST, "xml")


def test_a_long_namespace_is_not_repeated_in_every_name() -> None:
    assert decode(LONG_NAMESPACE, "xml") == {f"a{number}": "" for number in range(2000)}


LONG_NAMESPACE = b"<x:rsp xmlns:x='%b'>%b</x:rsp>" % (
    b"u" * 200_000,
    b"".join(b"<x:a%d x:b='1'/>" % number for number in range(2000)),
)
HEAVY = {
    "elements without end": b"<a>" * 3_333_333,
    "an attribute without end": b"<a b='" + b"<" * 1_000_000,
    "attributes": b"<rsp " + b" ".join(b'a%d=""' % number for number in range(200_000)) + b"/>",
    "names": b"<rsp>" + b"".join(b"<a%d/>" % number for number in range(100_000)) + b"</rsp>",
    "entities": (
        b"<!DOCTYPE a [<!ENTITY b 'c'>" + b"<!ENTITY b '&b;&b;'>" * 100_000 + b"]><a>&b;</a>"
    ),
}


@pytest.mark.parametrize("body", HEAVY)
def test_what_would_weigh_much_is_refused(body: str) -> None:
    with pytest.raises(UnreadableAnswer):
        decode(HEAVY[body], "xml")


@pytest.mark.parametrize("body", [b"<rsp/>", b"<rsp><b></rsp>", b"<!DOCTYPE a><a/>", b"<a>" * 70])
def test_a_document_is_let_go_of_at_once_whatever_became_of_it(body: bytes) -> None:
    with contextlib.suppress(UnreadableAnswer):
        decode(body, "xml")
    assert not [held for held in gc.get_objects() if type(held) is DefusedExpatParser]


def test_the_error_repeats_nothing_of_the_body() -> None:
    for body in (b"<rsp>Ada<Lovelace></rsp>", b"<?xml version='1.0' encoding='Ada'?><Lovelace/>"):
        with pytest.raises(UnreadableAnswer) as caught:
            decode(body, "xml")
        assert "Ada" not in caught.value.details + caught.value.message
        assert "Lovelace" not in caught.value.details + caught.value.message


@pytest.mark.parametrize(
    "people",
    [
        "<people><person id='a1'><firstname>Ada</firstname></person></people>",
        "<people><person><id>a1</id><firstname>Ada</firstname></person></people>",
        "<people><person id='a1' firstname='Ada'/></people>",
        "<people total='1'><person id='a1' firstname='Ada'/></people>",
        "<people id='a1' firstname='Ada'/>",
        "<people type='array'><person id='a1'><firstname x='1'>Ada</firstname></person></people>",
        "<x:people xmlns:x='u'><x:person id='a1' firstname='Ada'/></x:people>",
        "<people><x:person xmlns:x='u' x:id='b2' id='a1' firstname='Ada'/></people>",
    ],
)
def test_a_person_is_read_wherever_the_fields_stand(people: str) -> None:
    tree = decode(f"<rsp status='ok'>{people}</rsp>".encode(), "xml")
    assert isinstance(tree, dict)
    listed = read_list(tree["people"], "person")
    assert listed is not None
    found = [read_person(item) for item in listed.items]
    assert [(person.id, person.firstname) for person in found if person] == [("a1", "Ada")]


@pytest.mark.parametrize(
    "inside",
    [
        "<steps><step><id>s1</id></step></steps><admins><admin>p1</admin></admins>",
        "<steps><step id='s1'/></steps><admins><admin id='p1' role='lead'/></admins>",
        "<steps><step id='s1'>Card</step></steps><admins><admin id='p1'>Ada</admin></admins>",
        "<steps id='s1'/><admins>p1</admins>",
        "<steps><step id='s1'><steps/><admins/></step></steps><admins><person id='p1'/></admins>",
    ],
)
def test_steps_and_administrators_are_read_with_and_without_a_wrapper(inside: str) -> None:
    tree = decode(f"<rsp><people_flow><id>f1</id>{inside}</people_flow></rsp>".encode(), "xml")
    assert isinstance(tree, dict)
    flow = read_flow(tree["people_flow"])
    assert flow is not None
    assert [step.id for step in flow.steps] == ["s1"]
    assert flow.admins == ("p1",)
