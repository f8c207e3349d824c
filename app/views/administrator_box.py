"""The administrators of a flow or a step: names that lead to people, and what is missing."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from app.runtime.words import tr
from app.viewmodels.flow_cards import Pill
from app.views.widgets.basics import label
from app.views.widgets.gap_note import GapNote
from app.views.widgets.kept_views import KeptViews, set_in_order
from app.views.widgets.pill import NamePill
from app.views.widgets.wrapping import wrapping_box

_GAP = 6


class AdministratorBox:
    """Fills a wrapping box; names stay with their people when they are shown again."""

    def __init__(self, followed: Callable[[str], object], before: QWidget | None = None) -> None:
        """`followed` is told the id of a person; `before` stands in front of the names."""
        self.box, self._layout = wrapping_box(_GAP)
        self._followed = followed
        self._before = [before] if before is not None else []
        self._names = KeptViews(self._make_name)
        self._notes = KeptViews(self._make_note)
        self._more = label("", "soft")
        self._more.setParent(self.box)
        self._views: list[QWidget] = []
        self._shown: list[NamePill] = []

    def names(self) -> list[QWidget]:
        """The names that can be followed, in order."""
        return list(self._shown)

    def name_of(self, person_id: str) -> NamePill | None:
        """The name of that person."""
        found = (v for v in self._shown if v.pill is not None and v.pill.person_id == person_id)
        return next(found, None)

    def show_all(self, pills: Sequence[Pill], where: str, more: str = "") -> None:
        """Show these administrators; `where` says what they administer, for who does not see it.

        `more` says how many there are besides them.
        """
        named = [pill for pill in pills if pill.can_follow]
        others = [pill for pill in pills if not pill.can_follow]
        names = self._names.take([pill.person_id for pill in named])
        notes = self._notes.take([pill.person_id for pill in others])
        for view, pill in zip(names, named, strict=True):
            view.show_pill(pill, where)
        for note, pill in zip(notes, others, strict=True):
            tip = tr("{who}: no name comes with the id {id}.", who=pill.text, id=pill.person_id)
            note.say(pill.text, tip)
        by_id = {
            **dict(zip((pill.person_id for pill in named), names, strict=True)),
            **dict(zip((pill.person_id for pill in others), notes, strict=True)),
        }
        views: list[QWidget] = [by_id[pill.person_id] for pill in pills]
        self._more.setText(more)
        if more:
            views.append(self._more)
        if views != self._views:
            self._views = views
            set_in_order(self._layout, [*self._before, *views])
        self._shown = names
        self._more.setVisible(bool(more))
        self.box.setVisible(bool(pills))

    def _make_name(self) -> NamePill:
        view = NamePill(self.box)
        view.followed.connect(self._followed)
        return view

    def _make_note(self) -> GapNote:
        return GapNote(self.box)
