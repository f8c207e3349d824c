"""XML by the document's shape, through defusedxml: no document type, no entities, no depths.

It gives the tree as the JSON would have it, as nearly as can be known: whether one element alone
is one of many, and whether text is a number, is left to whoever reads the fields.
"""

import re
from dataclasses import dataclass, field
from traceback import clear_frames
from xml.sax import SAXException
from xml.sax.handler import ContentHandler, property_interning_dict
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from app.api.formats.tree import DEEPEST, Tree, check_depth, unreadable

_ROOT = "rsp"
_ENCODINGS = frozenset(
    {
        *("utf-8", "utf-16", "utf-16le", "utf-16be", "us-ascii"),
        *("iso-8859-1", "iso-8859-15", "latin1", "latin-1", "windows-1252"),
    }
)
_UTF_16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\0": "utf-16le", b"\0<": "utf-16be"}
"""By the first two bytes."""

_LONGEST_TAG = re.compile(rb"<[^<>!?][^<>]{1048576}")
_MOST_NAMES = 10_000
"""Every name is kept to the end of the document, in several places; the contract has some fifty."""

_BESIDE = (("id", "name"), ("code", "message"))
"""What the text of an element is that has the first as an attribute, and nothing else inside."""


def read(body: bytes) -> Tree:
    """The tree in `body`; raises UnreadableAnswer.

    Attributes and child elements alike are fields of a mapping, elements of one name a list, an
    element without either is its text. The root `rsp` is taken off; any other stays as the one
    field of a mapping, since services leave it out. Namespaces, comments and instructions are
    passed over.
    """
    if _LONGEST_TAG.search(body):
        raise unreadable("not XML of the service: a tag that does not end")
    content = _Content()
    parser = _Parser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(content)
    parser.setProperty(property_interning_dict, content.names)
    try:
        reason = _feed(parser, body)
    finally:
        _close(parser)
    if reason:
        raise unreadable(f"not XML: {reason}")
    return check_depth(content.tree)


def _feed(parser: DefusedExpatParser, body: bytes) -> str:
    """Put `body` through whole, since an old expat is slow at pieces; gives what is wrong."""
    try:
        if body[:2] in _UTF_16:
            body.decode(_UTF_16[body[:2]])  # expat takes half a character and the next for one
        parser.feed(body.lstrip(b" \t\r\n"))
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


class _Parser(DefusedExpatParser):
    """Without namespaces: a long one would be repeated in every name."""

    def reset(self) -> None:
        """Begin a document."""
        super().reset()
        parser = self._parser  # type: ignore[attr-defined]  # the stubs leave it out
        parser.XmlDeclHandler = _check_declaration


def _check_declaration(_version: str, encoding: str | None, _standalone: int) -> None:
    """Python would look for the encoding by any name at all, among its modules."""
    if encoding is not None and encoding.lower() not in _ENCODINGS:
        raise unreadable("not XML: an encoding that is not known")


@dataclass(slots=True)
class _Element:
    """An element that is being read."""

    name: str
    attributes: dict[str, str]
    children: dict[str, Tree] = field(default_factory=dict)
    text: list[str] = field(default_factory=list)


class _Content(ContentHandler):
    """Builds the tree while the document is read; nesting ends it at once."""

    def __init__(self) -> None:
        """`names` is where the parser keeps every name it has met."""
        super().__init__()
        self.tree: Tree = None
        self.names: dict[str, str] = {}
        self._open: list[_Element] = []

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        if len(self._open) == DEEPEST:
            raise unreadable(f"nested deeper than {DEEPEST} levels")
        if len(self.names) > _MOST_NAMES:
            raise unreadable("not XML of the service: too many names")
        attributes = {key: value for key, value in attrs.items() if _is_plain(key)}
        self._open.append(_Element(name.rpartition(":")[2], attributes))

    def characters(self, content: str) -> None:
        self._open[-1].text.append(content)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's names
        element = self._open.pop()
        if self._open:
            _add(self._open[-1].children, element.name, _value(element))
        elif element.name == _ROOT:
            self.tree = _fields(element)
        else:
            self.tree = {element.name: _value(element)}


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


def _value(element: _Element) -> Tree:
    if element.children:
        return _fields(element)
    text = "".join(element.text)
    if not element.attributes:
        return text
    if not text.strip():
        return _fields(element)
    for mark, meaning in _BESIDE:
        if mark in element.attributes:
            return {meaning: text, **element.attributes}
    return text  # attributes that only tell of what kind it is


def _fields(element: _Element) -> dict[str, Tree]:
    """Attributes and children together; one that stands as both must say the same."""
    fields: dict[str, Tree] = {**element.attributes}
    for name, value in element.children.items():
        if fields.setdefault(name, value) != value:
            raise unreadable("not XML of the service: a field that stands twice")
    return fields
