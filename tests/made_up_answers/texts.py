"""Texts that a field may hold: of any script and length, with signs that no name has."""

from random import Random

_SCRIPTS = (
    (0x20, 0x7E),
    (0xA1, 0x24F),
    (0x370, 0x3FF),
    (0x400, 0x4FF),
    (0x591, 0x6FF),  # Hebrew and Arabic
    (0x900, 0x97F),
    (0xE01, 0xE5B),
    (0x1100, 0x11FF),
    (0x3041, 0x30FF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0x1F300, 0x1FAFF),
    (0x1D400, 0x1D7FF),
    (0x12000, 0x1219F),
)
_STRANGE = (
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA1)),
    *"\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\u3164",
    *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\ufffc\ufffd\ufffe\uffff",
    *"\ue000\ufe0f\ufdfd\u0ddf\u20dd\U000e0041\U000e007f\U0010ffff\U0001f1e6",
)
_HALF = ("\ud800", "\udc00", "\udfff", "\ud83d")
_NAMES = (
    "",
    " ",
    "Ada",
    "Lovelace",
    "ada@x.org",
    "O&#039;Brien",
    "+61 400 000 000",
    "0",
    "null",
    "Zoë Øst",
    "محمد علي",
    "אברהם",
    "李小龍",
    "สมชาย",
    "👩‍👩‍👧‍👦",
    "<img src=file:///etc/hostname>",
    "<b>&amp;</b> &Quit",
    "=HYPERLINK(1)",
    "%s %n {name} {0} %1",
    "a\tb\r\nc",
    "../../etc/passwd",
    "'; DROP TABLE people; --",
    "yes",
    "1e5",
)
_LONG = (200, 1_001, 5_000)
_VERY_LONG = 200_000
_DATES = (
    "2024-05-03 14:02:09",
    "0000-00-00 00:00:00",
    "0001-01-01 00:00:00",
    "9999-12-31 23:59:59",
    "1970-01-01 00:00:00",
    "2038-01-19 03:14:08",
    "1582-10-10 00:00:00",
    "2024-02-30 00:00:00",
    "2024-03-31 02:30:00",
    "2024-05-03",
    "2024-05-03T14:02:09Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "2024-W01-1",
    "99999-01-01 00:00:00",
    "-0001-01-01 00:00:00",
    "٢٠٢٤-٠٥-٠٣ ١٤:٠٢:٠٩",
    "",
)


def made_up_text(random: Random) -> str:
    """Half of them somebody's name, the others anybody's guess."""
    if random.random() < 0.5:
        return random.choice(_NAMES)
    kinds = (_of_a_script, _of_all, _strange, _flood, _long, _half_signs)
    (make,) = random.choices(kinds, (40, 20, 20, 10, 10, 0.5))
    return make(random)


def written_date(random: Random) -> str:
    """A moment, or what looks like one."""
    if random.random() < 0.5:
        return random.choice(_DATES)
    year = random.choice((1, 2, 1899, 1970, 2024, 2026, 9998, 9999))
    month, day = random.randrange(1, 13), random.randrange(1, 32)
    clock = f"{random.randrange(25):02}:{random.randrange(60):02}:{random.randrange(61):02}"
    return f"{year:04}-{month:02}-{day:02} {clock}"


def _of_a_script(random: Random) -> str:
    first, last = random.choice(_SCRIPTS)
    return "".join(chr(random.randint(first, last)) for _ in range(random.randrange(1, 24)))


def _of_all(random: Random) -> str:
    points = (random.randrange(0x110000) for _ in range(random.randrange(1, 40)))
    return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)


def _strange(random: Random) -> str:
    many = random.choice((1, 3, 9, 60))
    return "".join(random.choice((*_STRANGE, "a", "é", "م")) for _ in range(many))


def _flood(random: Random) -> str:
    """One letter with more marks on it than fit on a screen."""
    mark = chr(random.randint(0x300, 0x36F))
    return f"{_of_a_script(random)}{mark * random.choice((5, 80, 900))}"


def _long(random: Random) -> str:
    letters = random.choice(("x", "ab ", "漢", "م ", "A\u0301", "\u202e", "👍", "W\n", "fi "))
    many = _VERY_LONG if random.random() < 0.005 else random.choice(_LONG)
    return letters * (many // len(letters))


def _half_signs(random: Random) -> str:
    """Half of a sign of two: JSON can write it, and no text can hold it."""
    return f"a{random.choice(_HALF)}{random.choice(('', 'b', random.choice(_HALF)))}"
