"""Good documents made bad, a little at a time: nothing here knows what a reader does with them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

_NUMBER = re.compile(rb"-?[0-9]+")
_NUMBERS = (
    *(b"0", b"-0", b"-1", b"1", b"00", b"1.5", b"1e999", b"1e-999", b"0x10", b"+1", b""),
    *(b"65535", b"2147483648", b"4294967297", b"9223372036854775807", b"9223372036854775808"),
    *(b"9" * 30, b"9" * 5000, "١".encode()),
)
_LARGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Grammar:
    """What is special in a format: its words, and the pairs that open and close a level of it."""

    words: tuple[bytes, ...]
    pairs: tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """`read` tells whether an input was taken, and lets out whatever is no typed error."""

    documents: tuple[bytes, ...]
    grammar: Grammar
    read: Callable[[bytes], bool]


Mutation = Callable[[Random, bytes, Sequence[bytes], Grammar], bytes]


def mutated(random: Random, documents: Sequence[bytes], grammar: Grammar) -> bytes:
    """One of `documents` after one to five mutations, of at most 64 KiB."""
    body = random.choice(documents)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        body = random.choice(_MUTATIONS)(random, body, documents, grammar)[:_LARGEST]
    return body


def _flip(random: Random, body: bytes, _others: Sequence[bytes], _grammar: Grammar) -> bytes:
    if not body:
        return body
    place = random.randrange(len(body))
    return body[:place] + bytes([body[place] ^ 1 << random.randrange(8)]) + body[place + 1 :]


def _replace(random: Random, body: bytes, _others: Sequence[bytes], grammar: Grammar) -> bytes:
    """A byte becomes one that means something in this format."""
    place = random.randrange(len(body) + 1)
    word = random.choice(grammar.words) or b"\0"
    return body[:place] + word[:1] + body[place + 1 :]


def _cut(random: Random, body: bytes, _others: Sequence[bytes], _grammar: Grammar) -> bytes:
    place = random.randrange(len(body) + 1)
    return body[:place] if random.random() < 0.7 else body[place:]


def _slice(random: Random, body: bytes) -> tuple[int, int]:
    start = random.randrange(len(body) + 1)
    return start, min(len(body), start + random.choice((1, 2, 4, 16, 64, 256)))


def _leave_out(random: Random, body: bytes, _others: Sequence[bytes], _grammar: Grammar) -> bytes:
    start, end = _slice(random, body)
    return body[:start] + body[end:]


def _repeat(random: Random, body: bytes, _others: Sequence[bytes], _grammar: Grammar) -> bytes:
    start, end = _slice(random, body)
    return body[:end] + body[start:end] * random.choice((1, 1, 2, 50)) + body[end:]


def _splice(random: Random, body: bytes, others: Sequence[bytes], _grammar: Grammar) -> bytes:
    """Some of one document inside, or after some of, another."""
    other = random.choice(others)
    start, end = _slice(random, other)
    place = random.randrange(len(body) + 1)
    if random.random() < 0.5:
        return body[:place] + other[start:]
    return body[:place] + other[start:end] + body[place:]


def _number(random: Random, body: bytes, _others: Sequence[bytes], _grammar: Grammar) -> bytes:
    """A length, count or value becomes another, most often one beside it."""
    found = list(_NUMBER.finditer(body))
    if not found:
        return body
    number = random.choice(found)
    written = number[0]
    if random.random() < 0.5 and len(written) < 18:
        written = b"%d" % (int(written) + random.choice((-2, -1, 1, 2, 256)))
    else:
        written = random.choice(_NUMBERS)
    return body[: number.start()] + written + body[number.end() :]


def _word(random: Random, body: bytes, _others: Sequence[bytes], grammar: Grammar) -> bytes:
    """A word of the format is put in, or takes the place of another."""
    word = random.choice(grammar.words)
    start, end = _slice(random, body)
    if random.random() < 0.5:
        before = random.choice(grammar.words)
        places = [found.start() for found in re.finditer(re.escape(before), body)] if before else []
        if places:
            start = random.choice(places)
            end = start + len(before)
    else:
        end = start
    return body[:start] + word + body[end:]


def _nest(random: Random, body: bytes, _others: Sequence[bytes], grammar: Grammar) -> bytes:
    """The whole, or a part, is put many levels deeper; or levels are opened and never closed."""
    opening, closing = random.choice(grammar.pairs)
    levels = random.choice((1, 2, 8, 60, 64, 65, 70, 500, 5000))
    start, end = (0, len(body)) if random.random() < 0.5 else _slice(random, body)
    closed = levels if random.random() < 0.8 else random.randrange(levels + 1)
    inner = opening * levels + body[start:end] + closing * closed
    return body[:start] + inner + body[end:]


def _encode(random: Random, body: bytes, _others: Sequence[bytes], _grammar: Grammar) -> bytes:
    """The same text in another encoding, as far as it has one."""
    codec = random.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "latin-1", "cp1252"))
    return body.decode("utf-8", "replace").encode(codec, "replace")


_MUTATIONS: tuple[Mutation, ...] = (
    *(_flip, _flip, _replace, _replace, _cut, _leave_out, _repeat, _splice, _splice),
    *(_number, _number, _number, _word, _word, _word, _nest, _encode),
)
