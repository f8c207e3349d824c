"""The flows by name, as rows for the list on the left."""

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QObject, Qt

from app.runtime.words import in_a_row
from app.viewmodels.cell_table import Index
from app.viewmodels.flows.rows_on_demand import ROW_ROLE, RowsOnDemand
from app.viewmodels.flows.search import Highlights

GAPS_ROLE = ROW_ROLE + 1
"""What is missing in the flow, a sentence each."""
_ROLES = frozenset({int(Qt.ItemDataRole.AccessibleDescriptionRole), GAPS_ROLE})


class FlowRow(msgspec.Struct, frozen=True):
    """One flow in the list. What does not apply is blank."""

    flow_id: str
    name: str
    steps_words: str
    gaps_words: str = ""
    found_by: str = ""
    """Why a search found the flow, where its name does not say it."""
    name_highlights: Highlights = ()
    found_highlights: Highlights = ()

    @property
    def second_line(self) -> str:
        """What stands under the name."""
        return self.found_by or self.steps_words

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""
        parts = (self.name, self.steps_words, self.gaps_words, self.found_by)
        return in_a_row(part for part in parts if part)


class FlowList(RowsOnDemand[str, FlowRow]):
    """Rows of flows by id, and what is missing in each."""

    def __init__(
        self,
        read: Callable[[str], FlowRow],
        gaps: Callable[[str], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        """By a flow's id `read` gives its row, when that is seen, and `gaps` what is missing."""
        super().__init__(read, parent)
        self._gaps = gaps

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What any row gives; what is missing; or that for a screen reader."""
        if role not in _ROLES:
            return super().data(index, role)
        flow_id = self.key_at(index.row())
        gaps = tuple(self._gaps(flow_id)) if flow_id is not None else ()
        return gaps if role == GAPS_ROLE else " ".join(gaps)
