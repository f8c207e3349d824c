"""Phone numbers in a typed line: where they stand, told apart from dates and house numbers.

The service takes no phone number on a create; it is recognised so that it does not end in a name.
"""

import re

_RUN = re.compile(
    r"(?<![\w@.+=#/-])[+(]{0,2}\d(?:[ ().\-/–]{0,3}\d){5,29}(?![\w@])"
    r"(?:[ ,]{0,2}(?:ext\.?|x|durchwahl)[ ]?\d{1,6}\b)?",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[+(]*\d+\)?(?:[ ,]*[a-z]+\.? ?\d+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,2}([./ -])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([./-])\d{1,2}\2\d{1,2}")
_FEWEST, _MOST, _WHOLE = 7, 15, 10


def find_phones(line: str) -> list[tuple[int, int]]:
    """The places (start, end) of the phone numbers in a cleaned line, in order."""
    return [
        (match.start() + start, match.start() + end)
        for match in _RUN.finditer(line)
        for start, end in _numbers(match.group())
    ]


def _numbers(run: str) -> list[tuple[int, int]]:
    """Two numbers may follow one another with only a blank between them."""
    places: list[tuple[int, int]] = []
    digits = 0
    for group in _GROUP.finditer(run):
        size = sum(character.isdigit() for character in group.group())
        fresh = group.group().lstrip("(").startswith(("+", "0")) and digits >= _WHOLE
        if places and not fresh and digits + size <= _MOST:
            places[-1] = (places[-1][0], group.end())
            digits += size
        else:
            places.append(group.span())
            digits = size
    return [place for place in places if _is_phone(run[place[0] : place[1]])]


def _is_phone(text: str) -> bool:
    digits = sum(character.isdigit() for character in text)
    if _DATE.fullmatch(text):
        return False
    spoken = text.startswith(("+", "0", "(")) or any(sign in text for sign in " -/.")
    return digits >= _FEWEST or (digits == _FEWEST - 1 and spoken)
