"""People as a mail goes to them: who has an address, who is left out and why, and the two ways to
hand addresses on, as a text and as a link.

Whether there is a mail program, and what is said to the person, is left to its callers.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from urllib.parse import quote

import msgspec

from app.exporting.spreadsheet import spreadsheet_cell
from app.model.person import Person
from app.runtime.words import tr

COMMA, SEMICOLON = ", ", "; "
"""What stands between two addresses; Outlook takes the semicolon, as it is set up at first."""
_LONGEST_LINK = 1_900
"""Letters. Windows cuts what it hands to a mail program a little above two thousand."""
_HALVES = r"\ud800-\udfff"
"""Of letters: there is nobody at an address that has one, and nothing can write it."""
_QUOTED = re.compile(rf"\"[^\"\\\x00-\x1f{_HALVES}]+\"@[^\s@,;<>\"{_HALVES}]+")
_AROUND = re.compile(r"[\s,;<>()\x00-\x1f]+")
_ADDRESS = re.compile(rf"[^@\"{_HALVES}]+@[^@\"{_HALVES}]+")
_SPECIAL = re.compile(r"[()<>\[\]:;@\\,.\"]")
"""What a name may not have outside quotes (RFC 5322, 3.2.3); a dot only by the obsolete rule."""
_NOT_PRINTED = frozenset({"Cc", "Cs", "Zl", "Zp"})


class MailAddress(msgspec.Struct, frozen=True):
    """Where a mail goes, and to whom; the name may be blank."""

    name: str
    email: str

    @property
    def written(self) -> str:
        """`Ada <ada@x.org>`, as the To line of a mail takes it (RFC 5322 and, for every script,
        6532); without the name where a spreadsheet would calculate that.
        """
        whole = f"{_phrase(self.name)} <{self.email}>" if self.name else self.email
        if spreadsheet_cell(whole) == whole:
            return whole
        return f"<{self.email}>"


class MailList(msgspec.Struct, frozen=True):
    """Addresses, each once, and the names of those who are left out; of those who are not, who is
    archived.
    """

    addresses: tuple[MailAddress, ...] = ()
    without_email: tuple[str, ...] = ()
    deceased: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    archived_among_them: tuple[str, ...] = ()

    def text(self, separator: str = COMMA) -> str:
        """All addresses with their names, in one line."""
        return separator.join(address.written for address in self.addresses)

    @property
    def link(self) -> str:
        """Opens a new mail to them; blank where that cannot be done (see `mail_link`)."""
        return mail_link([address.email for address in self.addresses])


def left_out_as_dead(person: Person, one_by_one: Collection[str]) -> bool:
    """Whoever has died gets no mail, unless their id is among those chosen `one_by_one`."""
    return bool(person.deceased) and person.id not in one_by_one


def mail_list(
    people: Iterable[Person], *, one_by_one: Collection[str] = (), archived_too: bool = True
) -> MailList:
    """How a mail gets to these people.

    Who has died is left out as in `left_out_as_dead`. Who is archived is left out where they come
    with something, such as a flow they once ran, and not `archived_too`.
    """
    found: dict[str, MailAddress] = {}
    without: list[str] = []
    deceased: list[str] = []
    archived: list[str] = []
    among_them: list[str] = []
    for person in people:
        name = _in_one_line(person.full_name)
        shown = name or tr("(no name)")
        if left_out_as_dead(person, one_by_one):
            deceased.append(shown)
        elif person.archived and not archived_too:
            archived.append(shown)
        elif emails := addresses_in(person.email or ""):
            for email in emails:
                found.setdefault(email.casefold(), MailAddress(name, email))
            if person.archived:
                among_them.append(shown)
        else:
            without.append(shown)
    left_out = tuple(without), tuple(deceased), tuple(archived)
    return MailList(tuple(found.values()), *left_out, tuple(among_them))


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses in an email field, which may hold several, a name, or no address at all."""
    whole = text.strip()
    if _QUOTED.fullmatch(whole):
        return (whole,)
    pieces = (piece.removeprefix("mailto:") for piece in _AROUND.split(whole))
    return tuple(dict.fromkeys(piece for piece in pieces if _ADDRESS.fullmatch(piece)))


def mail_link(addresses: Sequence[str]) -> str:
    """A link that opens a new mail to one, or to several who do not see each other (RFC 6068).

    Blank where there is nobody to write to, more than a link can hold, or half a letter, which
    nothing can write.
    """
    if not addresses:
        return ""
    try:
        to = ",".join(quote(address, safe="@") for address in addresses)
    except UnicodeEncodeError:
        return ""
    link = f"mailto:?bcc={to}" if addresses[1:] else f"mailto:{to}"
    return link if len(link) <= _LONGEST_LINK else ""


def _in_one_line(text: str) -> str:
    printed = (" " if unicodedata.category(one) in _NOT_PRINTED else one for one in text)
    return " ".join("".join(printed).split())


def _phrase(name: str) -> str:
    """A name in front of an address: as it is, in quotes where something in it means something."""
    if not _SPECIAL.search(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
