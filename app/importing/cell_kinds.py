"""What a single cell of a list looks like: an address, a number, a name.

Words that stand for a heading or answer one are known in `headings`; what a whole column
says, in `column_sample`.
"""

import re

_NAME_LIKE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .,'’ʼ`´&+()\-‐–·・\u0300-\u036f\u064b-\u065f])*\Z")
_IN_AN_ADDRESS = re.compile(r"[^\s@]@[^\s@]")
_LONGEST_NAME = 60
_MOST_WORDS = 6
# The first digit there is, and no other: how long a number is matters only in proportion.
_NUMBER = re.compile(r"[\s./:,+()\-€$£%]*+\d[\d\s./:,+()\-€$£%]*+\Z")


def has_email(cell: str) -> bool:
    """Whether an address seems to stand in it: "@ada" is none, nor is "at 5 @ the hall"."""
    return _IN_AN_ADDRESS.search(cell) is not None


def is_number(cell: str) -> bool:
    """Whether it says a number, a date or a sum of money."""
    return _NUMBER.match(cell.strip()) is not None


def could_be_name(cell: str) -> bool:
    """Whether it is written with the letters and signs of names, and no longer than they are."""
    short = len(cell) <= _LONGEST_NAME and len(cell.split()) <= _MOST_WORDS
    return short and _NAME_LIKE.match(cell) is not None


def could_be_one_name(cell: str) -> bool:
    """Written as a name is: neither "yes" nor a remark begins with a capital in every word."""
    words = cell.split()
    return could_be_name(cell) and not (words[0].islower() and words[-1].islower())
