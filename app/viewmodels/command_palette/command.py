"""One line of the palette as data: an action, or somebody or something that is gone to."""

from enum import Enum

import msgspec

from app.runtime.words import in_a_row


class CommandKind(Enum):
    """What happens when it is chosen; of what fits alike, the first kind stands first."""

    ACTION = "action"
    FLOW = "flow"
    PERSON = "person"


class Command(msgspec.Struct, frozen=True):
    """Something that can be done now."""

    kind: CommandKind
    key: str
    """Which of its kind: the name of an action in the program, the id of a person or a flow."""
    words: str
    remark: str = ""
    """What tells it from others of the same words."""
    keys: str = ""
    """The keys that do the same, as they are written on this system."""
    icon: str = ""

    @property
    def id(self) -> str:
        """What it is remembered by: neither a name nor a word of any language."""
        return f"{self.kind.value}:{self.key}"

    @property
    def spoken(self) -> str:
        """The whole of it, as it is read out."""
        return in_a_row(filter(None, (self.words, self.remark, self.keys)))
