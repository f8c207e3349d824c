"""Who may be the same person as somebody else: for one who is typed, and among all there are."""

from app.people.duplicates.duplicate_finder import DuplicateGroup, Duplicates, Match
from app.people.duplicates.groups import AlikePair
from app.people.duplicates.people_index import PersonLike
from app.people.duplicates.repeats import Repeats

__all__ = ["AlikePair", "DuplicateGroup", "Duplicates", "Match", "PersonLike", "Repeats"]
