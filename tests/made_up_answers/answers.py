"""Answers that nobody would send, made up from a seed and a number, so that each can be had again.

A field has a value as meant, or any value of any type; an object may lack keys, have others, or
have one twice. Which format they are written in is decided here as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from tests.made_up_answers.service import Answer, Answers
from tests.made_up_answers.texts import made_up_text, written_date
from tests.made_up_answers.writing import Made, Value, written

FORMATS = ("json", "json", "xml", "php")
_STATUSES = (200, 200, 200, 400, 403, 404, 429, 500, 503, 204, 302, 418)
_SIGNED_OUT = 0.01
_FAILS = 0.08
_IS_NO_ANSWER = 0.04
_NUMBERS = (0, 1, -1, 2, 404, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63, -(2**63) - 1, 10**30)
_FRACTIONS = (0.5, -0.0, 1e308, -1e-308, 1e16, 2.0, 1e30)
_PERSON = ("id", "firstname", "lastname", "email", "phone", "mobile", "admin", "archived")
_FLAGS = frozenset({"admin", "archived", "volunteer"})
_FURTHER = ("preferred_name", "deceased", "contact", "family", "category_id", "picture")
_KEYS = ("picture", "preferred_name", "deceased", "category_id", "total", "person", "", "0", "_")

Field: TypeAlias = tuple[str, Value]


@dataclass(frozen=True, slots=True)
class Round:
    """What the service says to everything in one round; the format is asked for by the client."""

    format: str
    answers: Answers


def round_number(seed: int, number: int) -> Round:
    """The round of that number."""
    random = Random(f"{seed}.{number}")  # noqa: S311  (to be repeated, not to be secret)
    format_name = random.choice(FORMATS)
    # Now and then most values are as meant: a service that is odd in one place alone.
    oddity = random.choice((0.02, 0.2, 0.6))
    maker = _Maker(random, format_name, oddity)
    return Round(format_name, {"people": maker.people(), "flows": maker.flows()})


GOOD: Answers = {
    "people": (
        Answer(
            b'{"generated_in":"0.1","status":"ok","people":{"on_this_page":1,"page":1,"per_page":'
            b'50,"total":1,"person":[{"id":"1","firstname":"Ada","lastname":"Lovelace"}]}}'
        ),
    ),
    "flows": (
        Answer(
            b'{"generated_in":"0.1","status":"ok","people_flows":{"on_this_page":0,"page":1,'
            b'"per_page":50,"total":0,"people_flow":[]}}'
        ),
    ),
}
"""What the service says in JSON while somebody signs in."""


class _Maker:
    """Makes up one round."""

    def __init__(self, random: Random, format_name: str, oddity: float) -> None:
        self._random = random
        self._format = format_name
        self._oddity = oddity

    # Answers

    def people(self) -> Sequence[Answer]:
        pages = [self._answer("people", "person", self.person)]
        while self._random.random() < 0.2 and len(pages) < 4:
            pages.append(self._answer("people", "person", self.person))
        # Whoever counts more than there are must come to an end all the same.
        return (*pages, self._none()) if self._random.random() < 0.8 else pages

    def flows(self) -> Sequence[Answer]:
        return [self._answer("people_flows", "people_flow", self.flow)]

    def _answer(self, key: str, item_key: str, make: Callable[[], Value]) -> Answer:
        random = self._random
        chance = random.random()
        if chance < _IS_NO_ANSWER:
            return self._no_answer()
        if chance < _IS_NO_ANSWER + _FAILS:
            return self._failure()
        items: Value = [make() for _ in range(self._length())]
        page: list[Field] = [
            ("on_this_page", self._count(items)),
            ("page", self._or_odd(1)),
            ("per_page", self._count(items)),
            ("total", self._count(items)),
            (item_key, items if not self._odd(0.2) else self._shape(items, item_key)),
        ]
        shape: Value = self._object(page, seldom=0.2)
        if self._odd(0.15):
            shape = self._shape(items, item_key)
        fields: list[Field] = [
            ("generated_in", self._or_odd("0.012", 0.3)),
            ("status", self._or_odd("ok", 0.1)),
            (key, shape),
        ]
        return Answer(written(self._object(fields, seldom=0.1), self._format, random))

    def _failure(self) -> Answer:
        random = self._random
        signed_out = random.random() < _SIGNED_OUT / _FAILS
        code = random.choice((102, 121)) if signed_out else random.choice((250, 404, 500, 600))
        status = 401 if signed_out else random.choice(_STATUSES)
        error = self._object(
            [("code", self._or_odd(code)), ("message", self._or_odd("No people match."))]
        )
        envelope = self._object([("status", self._or_odd("fail", 0.3)), ("error", error)])
        return Answer(written(envelope, self._format, random), status)

    def _none(self) -> Answer:
        error = Made((("code", 404), ("message", "No people match your criteria.")))
        envelope = Made((("status", "fail"), ("error", error)))
        return Answer(written(envelope, self._format, self._random), 404)

    def _no_answer(self) -> Answer:
        whole = written(self.person(), self._format, self._random)
        return Answer(
            self._random.choice(
                (
                    b"",
                    b"\xef\xbb\xbf" + whole,
                    whole[: len(whole) // 2],
                    whole + whole,
                    b"<!DOCTYPE html><html><body>Welcome to our hotel",
                    bytes(self._random.randrange(256) for _ in range(200)),
                    written(self._anything(), self._format, self._random),
                )
            ),
            self._random.choice(_STATUSES),
        )

    # People and flows

    def person(self) -> Value:
        fields: list[Field] = [
            (key, self._or_odd(self._flag() if key in _FLAGS else made_up_text(self._random)))
            for key in (*_PERSON[1:], "volunteer")
        ]
        fields += [
            (key, self._or_odd(written_date(self._random)))
            for key in ("date_added", "date_modified")
        ]
        if self._random.random() < 0.5:
            fields += [(key, self._further()) for key in _FURTHER]
        return self._object([("id", self._id()), *fields], seldom=0.2)

    def _further(self) -> Value:
        text = made_up_text(self._random)
        shapes: tuple[Value, ...] = ("", text, "1", Made((("name", text),)), [text])
        return self._or_odd(self._random.choice(shapes))

    def flow(self) -> Value:
        fields = [
            *self._named(),
            ("access", self._or_odd(self._random.choice(("", "admin")))),
            ("steps", self._steps(3)),
            ("locations", self._or_odd([])),
            ("demographics", self._or_odd([])),
        ]
        return self._object(fields, seldom=0.2)

    def _steps(self, deep: int) -> Value:
        if self._odd(0.2):
            return self._anything()
        steps: Value = [self._step(deep) for _ in range(self._length() // (5 - deep))]
        return steps if not self._odd(0.2) else self._shape(steps, "step")

    def _step(self, deep: int) -> Value:
        inner = self._steps(deep - 1) if deep and self._random.random() < 0.2 else []
        entry = self._or_odd(self._random.choice(("", "y")))
        return self._object([*self._named(), ("entry_point", entry), ("steps", inner)], seldom=0.2)

    def _named(self) -> list[Field]:
        admins: Value = [self._id() for _ in range(self._random.choice((0, 1, 2, 3, 30)))]
        if self._odd(0.3):
            admins = self._shape(admins, "admin")
        return [
            ("id", self._id()),
            ("name", self._or_odd(made_up_text(self._random))),
            ("status", self._or_odd("", 0.5)),
            ("admins", admins),
        ]

    def _id(self) -> Value:
        # Few enough for administrators to meet people, and for people to meet one another.
        return self._or_odd(f"id-{self._random.randrange(60)}", 0.3)

    def _flag(self) -> Value:
        return self._random.choice(("0", "1", 0, 1, True, False, "", None))

    # Shapes

    def _length(self) -> int:
        few = self._random.random() < 0.97
        return self._random.choice((0, 1, 2, 3, 5, 8, 13, 20)) if few else 100

    def _count(self, items: Value) -> Value:
        real = len(items) if isinstance(items, list) else 0
        return self._or_odd(self._random.choice((real, str(real))), 1.0)

    def _shape(self, items: Value, key: str) -> Value:
        """A list in another shape than the one that is meant."""
        some = items if isinstance(items, list) else []
        return self._random.choice(
            (
                Made(((key, items),)),
                Made(((key, Made(((key, items),))),)),
                Made(tuple((str(place), item) for place, item in enumerate(some))),
                some[0] if some else "",
                "",
                None,
                self._anything(),
            )
        )

    def _object(self, fields: list[Field], seldom: float = 1.0) -> Value:
        """The object, or one that lacks a key, has another, has one twice, or has another order."""
        random, kept = self._random, list(fields)
        if self._odd(seldom * 0.5):
            kept.pop(random.randrange(len(kept)))
        if self._odd(seldom):
            another = random.choice(_KEYS)
            if another not in dict(kept):
                kept.insert(0, (another, self._anything()))
        if self._odd(seldom * 0.02) and kept:
            kept.append((random.choice(kept)[0], self._anything()))
        if self._odd(seldom):
            random.shuffle(kept)
        return Made(tuple(kept))

    def _odd(self, seldom: float = 1.0) -> bool:
        return self._random.random() < self._oddity * seldom

    def _or_odd(self, meant: Value, seldom: float = 1.0) -> Value:
        return self._anything() if self._odd(seldom) else meant

    def _anything(self, deep: int = 3) -> Value:
        if deep and self._random.random() < 0.2:
            return self._anything_nested(deep - 1)
        return self._anything_plain()

    def _anything_plain(self) -> Value:
        random = self._random
        kind = random.randrange(7)
        if kind < 3:
            return made_up_text(random)
        if kind == 3:
            return written_date(random)
        if kind == 4:
            return random.choice((None, True, False))
        whole = random.choice((random.choice(_NUMBERS), random.randrange(-(10**6), 10**6)))
        return whole if kind == 5 else random.choice(_FRACTIONS)

    def _anything_nested(self, deep: int) -> Value:
        random = self._random
        many = random.choice((0, 1, 1, 2, 3, 8))
        if random.random() < 0.5:
            return [self._anything(deep) for _ in range(many)]
        keys = (*_PERSON, *_KEYS, made_up_text(random))
        return Made(tuple((key, self._anything(deep)) for key in random.sample(keys, many)))
