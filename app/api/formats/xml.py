"""XML by the document's shape, through defusedxml: no document type, no entities, no depths.

It gives the tree as the JSON would have it, as nearly as can be known: whether one element alone
is one of many, and whether text is a number, is left to whoever reads the fields.

A document that is none because of single characters may be made such that only these are lost: seen
in the field are control characters, half characters, `&` and HTML's entities in what people have
typed.
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
from app.api.formats.tree import Tree, Unreadable, unreadable

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
_MAY_BE_REPAIRED = (
    "not well-formed",
    "reference to invalid character",
    "undefined entity",
    "text that is not in its encoding",
)
"""What is wrong where a single character may be; the first three are expat's words."""
_MARK = "\ufdd0"
"""Stands for what is no character; no character itself, and yet allowed in XML."""

_MARK_BYTES = _MARK.encode()
_ODD = re.compile(
    rb"<!\[CDATA\[[^\x00-\x08\x0b\x0c\x0e-\x1f]*?\]\]>"
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1f]"
    rb"|&(?:#(?P<number>x[0-9A-Fa-f]{1,8}|[0-9]{1,9});|(?P<known>lt|gt|amp|quot|apos);)?"
)
_NOT_UTF_8 = re.compile("[\udc80-\udcff]+")
_CHARACTERS = (range(0x20, 0xD800), range(0xE000, 0xFFFE), range(0x10000, 0x110000))
_BLANK_CHARACTERS = frozenset({0x9, 0xA, 0xD})
_MOST_REPAIRED = 10_000
"""More than that many in one document are not what people have typed."""
_REFERENCES = frozenset({"href", "ref", "resource"})
"""Attributes in a namespace, such as `xlink:href`: an element with nothing else is not blank."""
_SHORT = 1024
_MOST_NAMES = 10_000
"""Every name is kept to the end of the document, in several places; the contract has some fifty."""

_LOOSE_TEXT = "#text"
"""Where text stands that has elements beside it: a list with such text is none."""
_BESIDE = (("id", "name"), ("code", "message"))
"""What the text of an element is that has the first as an attribute, and nothing else inside."""


def read(body: bytes, budget: Budget, *, mark_bad: bool) -> Tree:
    """The tree in `body`; raises UnreadableAnswer.

    Attributes and child elements alike are fields of a mapping, elements of one name a list, an
    element without either is its text. The root `rsp` is taken off; any other stays as the one
    field of a mapping, since services leave it out. Namespaces, comments and instructions are
    passed over; an element that only refers to another, as by `xlink:href`, is bad in itself.
    """
    begin = len(_BOM) if body.startswith(_BOM) else 0
    found = _BLANKS.match(body, begin)
    document = body[found.end() :] if found and found.end() else body
    _check_stretches(document, budget)
    declared = _DECLARED.match(document)
    utf_8 = begin > 0 or (declared is not None and declared[1].lower().decode("latin-1") in _UTF_8)
    encoding = "utf-8" if utf_8 else None
    before = budget.memory, budget.values, budget.containers
    content, reason = _parsed(document, encoding, _Content(budget, mark_bad=mark_bad))
    if mark_bad and reason.startswith(_MAY_BE_REPAIRED) and (utf_8 or not declared):
        del content
        budget.memory, budget.values, budget.containers = before
        document = _repaired(document, budget) or b""
        content, still = _parsed(document, "utf-8", _Content(budget, mark_bad=True, mark=_MARK))
        reason = reason if still else ""
    if reason:
        raise unreadable(f"not XML: {reason}")
    if isinstance(content.tree, dict | list):
        _check_depth(content.tree, DEEPEST, mark_bad=mark_bad)
    return content.tree


def _parsed(document: bytes, encoding: str | None, content: "_Content") -> "tuple[_Content, str]":
    """What was read of it, and what is wrong; blank where nothing is."""
    parser = _XmlParser(encoding)
    parser.setContentHandler(content)
    parser.setProperty(property_interning_dict, content.names)
    try:
        return content, _feed(parser, document)
    finally:
        _close(parser)


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


def _repaired(document: bytes, budget: Budget) -> bytes | None:
    """`document`, whose text is UTF-8, with a mark for each character that XML does not have, and
    with each `&` that begins nothing as text; None where that would be too many.
    """
    parts: list[bytes] = []
    left, place = _MOST_REPAIRED, 0

    def instead(found: re.Match[bytes]) -> bytes:
        nonlocal left
        there = _instead(found)
        left -= there is not found[0]
        return there if left >= 0 else b""

    while place < len(document) and left >= 0:
        # In pieces: nobody else has a turn while one is looked through.
        budget.check()
        end = len(document)
        if end - place > LONGEST_TEXT:
            end = max(document.rfind(b"<", place + 1, place + LONGEST_TEXT), place + 1)
        piece = document[place:end].decode("utf-8", "surrogateescape")
        parts.append(_ODD.sub(instead, _NOT_UTF_8.sub(_MARK, piece).encode()))
        place = end
    return b"".join(parts) if left >= 0 else None


def _instead(found: re.Match[bytes]) -> bytes:
    whole = found[0]
    if whole[:1] == b"<" or found["known"]:
        return whole
    if whole[:1] != b"&":
        return _MARK_BYTES
    if found["number"] is None:
        return b"&amp;"
    digits = found["number"].decode()
    number = int(digits[1:], 16) if digits[0] == "x" else int(digits)
    allowed = number in _BLANK_CHARACTERS or any(number in each for each in _CHARACTERS)
    return whole if allowed else _MARK_BYTES


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
    refers: bool = False
    """Whether it names something that stands elsewhere."""
    is_spoilt: bool = False


class _Content(ContentHandler):
    """Builds the tree while the document is read; nesting ends it at once."""

    def __init__(self, budget: Budget, *, mark_bad: bool, mark: str = "") -> None:
        """`names` is where the parser keeps every name it has met. A text with `mark` in it cannot
        be read, unless that is blank.
        """
        super().__init__()
        self._budget = budget
        self._mark_bad = mark_bad
        self._mark = mark
        self.tree: Tree = None
        self.names: dict[str, str] = {}
        self._open: list[_Element] = []
        self._stepped_over = 0
        """How many elements are open below the deepest that is taken."""

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        if len(self._open) == DEEPEST:
            self._step_in()
            return
        self._check()
        attributes = {key: value for key, value in attrs.items() if _is_plain(key)}
        element = _Element(name.rpartition(":")[2], attributes)
        if len(attributes) < len(attrs):
            names = attrs.getNames()
            element.refers = any(key.rpartition(":")[2] in _REFERENCES for key in names)
        self._open.append(element)

    def _step_in(self) -> None:
        """Over what stands too deep, however deep that goes, to where it ends."""
        if not self._mark_bad:
            raise too_deep()
        self._check()
        self._budget.spend(0, values=0, containers=1)
        self._stepped_over += 1

    def _check(self) -> None:
        self._budget.check()
        if len(self.names) > _MOST_NAMES:
            raise unreadable("not XML of the service: too many names")

    def characters(self, content: str) -> None:
        if self._stepped_over:
            return
        if len(content) > _SHORT:
            self._budget.spend(getsizeof(content), values=0)
        self._open[-1].text.append(content)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - SAX's names
        if self._stepped_over:
            self._stepped_over -= 1
            # It costs what it stands in, and nothing around that.
            self._open[-1].is_spoilt = True
            return
        element = self._open.pop()
        if self._open:
            _add(self._open[-1].children, element.name, self._value(element))
        elif element.name == _ROOT:
            self.tree = self._fields(element)
        else:
            self.tree = {element.name: self._value(element)}

    def _value(self, element: _Element) -> Tree:
        if element.children or element.is_spoilt:
            return self._fields(element)
        text = "".join(element.text)
        self._budget.spend(getsizeof(text))
        if reason := self._unfit(text, in_a_record=not element.attributes):
            return self._bad(reason)
        if not element.attributes:
            only_refers = element.refers and not text.strip()
            return self._bad("a reference to something else") if only_refers else text
        if not text.strip():
            return self._fields(element)
        for mark, meaning in _BESIDE:
            if mark in element.attributes:
                return {meaning: text, **element.attributes}
        return text  # attributes that only tell of what kind it is

    def _fields(self, element: _Element) -> Tree:
        """Attributes and children together; one that stands as both must say the same."""
        if element.is_spoilt or (
            self._mark and any(map(self._is_marked, element.attributes.values()))
        ):
            return self._bad("a character that is none")
        fields: dict[str, Tree] = {**element.attributes}
        weight = sum(map(getsizeof, fields.values()))
        for name, value in element.children.items():
            if fields.setdefault(name, value) != value:
                return self._bad("a field that stands twice")
        if words := "".join(element.text).strip():
            fields.setdefault(_LOOSE_TEXT, words)
            weight += getsizeof(words)
        many = len(element.attributes)
        self._budget.spend(weight + getsizeof(fields), values=many, containers=1)
        return fields

    def _unfit(self, text: str, *, in_a_record: bool) -> str:
        """Why a text cannot be read, nor the record it is a field of, as in the other formats;
        blank where it can.
        """
        if self._mark and self._mark in text:
            for record in self._open[-1:] if in_a_record else ():
                record.is_spoilt = True
            return "a character that is none"
        return "a text too long" if len(text) > LONGEST_TEXT else ""

    def _is_marked(self, text: str) -> bool:
        return self._mark in text

    def _bad(self, reason: str) -> Unreadable:
        if not self._mark_bad:
            raise unreadable(f"not XML of the service: {reason}")
        return Unreadable()


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


def _check_depth(tree: Tree, levels: int, *, mark_bad: bool) -> None:
    """Lists may have made it deeper than the elements are: raises UnreadableAnswer then, or marks
    what is too deep.
    """
    places = tree.items() if isinstance(tree, dict) else enumerate(tree)  # type: ignore[arg-type]
    for place, inner in places:
        if inner.__class__ is not dict and inner.__class__ is not list:
            continue
        if levels > 1:
            _check_depth(inner, levels - 1, mark_bad=mark_bad)
        elif mark_bad:
            tree[place] = Unreadable()  # type: ignore[index]  # its own place
        else:
            raise too_deep()
