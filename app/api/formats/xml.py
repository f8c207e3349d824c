"""XML by the document's shape, through defusedxml: no document type, no entities, no depths.

It gives the tree as the JSON would have it, as nearly as can be known: whether one element alone
is one of many, and whether text is a number, is left to whoever reads the fields.
"""

import codecs
import re
from sys import getsizeof
from traceback import clear_frames
from xml.sax import SAXException
from xml.sax.handler import ContentHandler, property_interning_dict
from xml.sax.xmlreader import AttributesImpl

import msgspec
from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from app.api.formats.decoding_budget import (
    DEEPEST,
    LONGEST_TEXT,
    Budget,
    TooCostly,
    too_deep,
)
from app.api.formats.tree import Tree, unreadable

_ROOT = "rsp"
_UTF_8 = frozenset({"utf-8", "utf8", "utf_8"})
_ENCODINGS = re.compile(
    r"utf-16(?:le|be)?|(?:us-)?ascii|iso[-_]?8859-1?[0-9]|latin-?[0-9]|(?:windows-|cp)125[0-8]"
    r"|koi8-[ru]"
)
_UTF_16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\0": "utf-16le", b"\0<": "utf-16be"}
"""By the first two bytes."""

_LONGEST_UTF_16 = 8 * LONGEST_TEXT
_BOM = codecs.BOM_UTF8
_BLANKS = re.compile(rb"[ \t\r\n]{0,1024}")
_DECLARED = re.compile(rb"<\?xml\s[^<>]{0,100}?encoding\s*=\s*[\"']([^\"']{1,40})[\"']")
_UNTAKEN = ((b"<!--", b"-->"), (b"<?", b"?>"), (b"<![CDATA[", b"]]>"))
_MOST_UNTAKEN = 10_000
"""Comments and the like, which expat passes over by itself."""
_SHORT = 1024
_MOST_NAMES = 10_000
"""Every name is kept to the end of the document, in several places; the contract has some fifty."""

_LOOSE_TEXT = "#text"
"""Where text stands that has elements beside it: a list with such text is none."""
_BESIDE = (("id", "name"), ("code", "message"))
"""What the text of an element is that has the first as an attribute, and nothing else inside."""


def read(body: bytes, budget: Budget) -> Tree:
    """The tree in `body`; raises UnreadableAnswer.

    Attributes and child elements alike are fields of a mapping, elements of one name a list, an
    element without either is its text. The root `rsp` is taken off; any other stays as the one
    field of a mapping, since services leave it out. Namespaces, comments and instructions are
    passed over.
    """
    begin = len(_BOM) if body.startswith(_BOM) else 0
    found = _BLANKS.match(body, begin)
    document = body[found.end() :] if found and found.end() else body
    _check_stretches(document, budget)
    declared = _DECLARED.match(document)
    utf_8 = begin > 0 or (declared is not None and declared[1].lower().decode("latin-1") in _UTF_8)
    content = _Content(budget)
    parser = _XmlParser("utf-8" if utf_8 else None)
    parser.setContentHandler(content)
    parser.setProperty(property_interning_dict, content.names)
    try:
        reason = _feed(parser, document)
    finally:
        _close(parser)
    if reason:
        raise unreadable(f"not XML: {reason}")
    _check_depth(content.tree, DEEPEST)
    return content.tree


def _check_stretches(body: bytes, budget: Budget) -> None:
    """Raises UnreadableAnswer where expat would pass over much without a word in between.

    Nobody else has a turn meanwhile. An element or a text ends at the next `<` at the latest.
    """
    place = 0
    while len(body) - place > LONGEST_TEXT:
        budget.check()
        found = body.rfind(b"<", place + 1, place + LONGEST_TEXT)
        if found < 0:
            raise unreadable("not XML of the service: a tag or a text that does not end")
        place = found
    for opening, closing in _UNTAKEN:
        many, place = 0, _find(body, opening, 0, budget)
        while place >= 0:
            many += 1
            end = body.find(closing, place, place + LONGEST_TEXT)
            if many > _MOST_UNTAKEN or (end < 0 and len(body) - place > LONGEST_TEXT):
                raise unreadable("not XML of the service: comments without end")
            place = _find(body, opening, end, budget) if end >= 0 else -1


def _find(body: bytes, wanted: bytes, place: int, budget: Budget) -> int:
    """Where `wanted` comes next, looked for in pieces."""
    for begin in range(place, len(body), LONGEST_TEXT):
        budget.check()
        found = body.find(wanted, begin, begin + LONGEST_TEXT + len(wanted))
        if found >= 0:
            return found
    return -1


def _feed(parser: "_XmlParser", body: bytes) -> str:
    """Put `body` through whole, since an old expat is slow at pieces; gives what is wrong."""
    try:
        if body[:2] in _UTF_16:
            if len(body) > _LONGEST_UTF_16:
                raise TooCostly.of("too much UTF-16")
            body.decode(_UTF_16[body[:2]])  # expat takes half a character and the next for one
        parser.feed(body)
        parser.close()
    except SAXException as error:
        clear_frames(error.__traceback__)
        return error.getMessage()
    except DefusedXmlException:
        return "a document type or an entity of its own"
    except RecursionError:
        return "nested too deep"
    except ValueError:
        return "text that is not in its encoding"
    return ""


def _close(parser: DefusedExpatParser) -> None:
    """End the parser, which holds itself until then; its own errors hold it and the document."""
    try:
        parser.close()
    except SAXException as error:
        clear_frames(error.__traceback__)


class _XmlParser(DefusedExpatParser):
    """Without namespaces: a long one would be repeated in every name."""

    def __init__(self, encoding: str | None) -> None:
        """`encoding` is the one there is whatever is declared, if that is known."""
        super().__init__(forbid_dtd=True, forbid_entities=True, forbid_external=True)
        self._encoding = encoding

    def reset(self) -> None:
        """Begin a document."""
        self._source.setEncoding(self._encoding)  # type: ignore[attr-defined]
        super().reset()
        parser = self._parser  # type: ignore[attr-defined]  # the stubs leave it out
        parser.XmlDeclHandler = _check_declaration


def _check_declaration(_version: str, encoding: str | None, _standalone: int) -> None:
    """Python would look for the encoding by any name at all, among its modules."""
    name = (encoding or "utf-8").lower()
    if name not in _UTF_8 and not _ENCODINGS.fullmatch(name):
        raise unreadable("not XML: an encoding that is not known")


class _Element(msgspec.Struct):
    """An element that is being read."""

    name: str
    attributes: dict[str, str]
    children: dict[str, Tree] = msgspec.field(default_factory=dict)
    text: list[str] = msgspec.field(default_factory=list)


class _Content(ContentHandler):
    """Builds the tree while the document is read; nesting ends it at once."""

    def __init__(self, budget: Budget) -> None:
        """`names` is where the parser keeps every name it has met."""
        super().__init__()
        self._budget = budget
        self.tree: Tree = None
        self.names: dict[str, str] = {}
        self._open: list[_Element] = []

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        if len(self._open) == DEEPEST:
            raise too_deep()
        self._budget.check()
        if len(self.names) > _MOST_NAMES:
            raise unreadable("not XML of the service: too many names")
        attributes = {key: value for key, value in attrs.items() if _is_plain(key)}
        self._open.append(_Element(name.rpartition(":")[2], attributes))

    def characters(self, content: str) -> None:
        if len(content) > _SHORT:
            self._budget.spend(getsizeof(content), values=0)
        self._open[-1].text.append(content)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's names
        element = self._open.pop()
        if self._open:
            _add(self._open[-1].children, element.name, self._value(element))
        elif element.name == _ROOT:
            self.tree = self._fields(element)
        else:
            self.tree = {element.name: self._value(element)}

    def _value(self, element: _Element) -> Tree:
        if element.children:
            return self._fields(element)
        text = "".join(element.text)
        self._budget.spend(getsizeof(text))
        if len(text) > LONGEST_TEXT:
            raise unreadable("not XML of the service: a text too long")
        if not element.attributes:
            return text
        if not text.strip():
            return self._fields(element)
        for mark, meaning in _BESIDE:
            if mark in element.attributes:
                return {meaning: text, **element.attributes}
        return text  # attributes that only tell of what kind it is

    def _fields(self, element: _Element) -> Tree:
        """Attributes and children together; one that stands as both must say the same."""
        fields: dict[str, Tree] = {**element.attributes}
        weight = sum(map(getsizeof, fields.values()))
        for name, value in element.children.items():
            if fields.setdefault(name, value) != value:
                raise unreadable("not XML of the service: a field that stands twice")
        if words := "".join(element.text).strip():
            fields.setdefault(_LOOSE_TEXT, words)
            weight += getsizeof(words)
        many = len(element.attributes)
        self._budget.spend(weight + getsizeof(fields), values=many, containers=1)
        return fields


def _is_plain(attribute: str) -> bool:
    """Whether an attribute is a field, and does not belong to XML itself or to a namespace."""
    return ":" not in attribute and attribute != "xmlns"


def _add(children: dict[str, Tree], name: str, value: Tree) -> None:
    """Put a child beside the others; a second one of the same name makes a list of them."""
    if name not in children:
        children[name] = value
        return
    before = children[name]
    if isinstance(before, list):  # nothing else makes one
        before.append(value)
    else:
        children[name] = [before, value]


def _check_depth(tree: Tree, levels: int) -> None:
    """Lists may have made it deeper than the elements are: raises UnreadableAnswer then."""
    if not isinstance(tree, dict | list):
        return
    if not levels:
        raise too_deep()
    for inner in tree.values() if isinstance(tree, dict) else tree:
        _check_depth(inner, levels - 1)
