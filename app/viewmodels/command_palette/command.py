"""One line of the palette as data: an action, or somebody or something that is gone to."""

from collections.abc import Iterator
from enum import Enum

import msgspec

from app.runtime.words import in_a_row
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.menu_items import Groups, MenuGroups, MenuItem

_BETWEEN_IDS = "\x1f"
"""Steps of two flows may share an id."""


class CommandKind(Enum):
    """What happens when it is chosen; of what fits alike, the first kind stands first."""

    ACTION = "action"
    SETTING = "setting"
    FLOW = "flow"
    PERSON = "person"
    STEP = "step"


class Command(msgspec.Struct, frozen=True):
    """Something that can be done now."""

    kind: CommandKind
    key: str
    """Which of its kind: the name of an action or of a setting in the program, the id of a person,
    or `key_of_place`.
    """
    words: str
    remark: str = ""
    """What tells it from others of the same words."""
    keys: str = ""
    """The keys that do the same, as they are written on this system."""
    icon: str = ""
    further_words: str = ""
    """Other words that it is found by, and that nobody sees."""

    @property
    def id(self) -> str:
        """What it is remembered by: neither a name nor a word of any language."""
        return f"{self.kind.value}:{self.key}"

    @property
    def place(self) -> FlowPlace:
        """What a flow or a step leads to."""
        return place_of_key(self.key)

    @property
    def spoken(self) -> str:
        """The whole of it, as it is read out."""
        return in_a_row(filter(None, (self.words, self.remark, self.keys)))


def key_of_place(place: FlowPlace) -> str:
    """By which a flow, or a step in its flow, is remembered."""
    ids = (place.flow_id,) if place.step_id is None else (place.flow_id, place.step_id)
    return _BETWEEN_IDS.join(ids)


def place_of_key(key: str) -> FlowPlace:
    """The place with this key."""
    flow_id, _, step_id = key.partition(_BETWEEN_IDS)
    return FlowPlace(flow_id, step_id or None)


def commands_of(groups: Groups) -> Iterator[tuple[Command, MenuItem]]:
    """What a menu of rows offers now, each with its line; `keys` are as Qt writes them.

    They are remembered by what is done alone, never by whom it is done to.
    """
    for group in groups:
        for line in group:
            items = line.items if isinstance(line, MenuGroups) else (line,)
            beside = line.words if isinstance(line, MenuGroups) else ""
            for item in items:
                if item.enabled:
                    whole = (type(item.action).__name__, item.action.name, item.name)
                    yield _of_item(item, ".".join(filter(None, whole)), beside), item


def _of_item(item: MenuItem, key: str, beside: str) -> Command:
    return Command(
        CommandKind.ACTION, key, item.words, remark=beside, keys=item.keys, icon=item.icon
    )
