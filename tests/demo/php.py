"""PHP itself, as the judge of what the service serializes; schemathesis reads answers by it too."""

import atexit
import json
import shutil
import subprocess
from functools import cache
from typing import Any, Self

import schemathesis

UNSERIALIZE = """
while (($size = fgets(STDIN)) !== false) {
    $text = stream_get_contents(STDIN, (int) $size);
    $value = unserialize($text, ['allowed_classes' => ['stdClass']]);
    if (serialize($value) !== $text) { fwrite(STDERR, "not as PHP writes it"); exit(1); }
    $said = json_encode($value, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
    echo strlen($said), PHP_EOL, $said;
}
"""
SERIALIZE = """
while (($size = fgets(STDIN)) !== false) {
    $text = stream_get_contents(STDIN, (int) $size);
    $said = serialize(json_decode($text, flags: JSON_THROW_ON_ERROR));
    echo strlen($said), PHP_EOL, $said;
}
"""


class Php:
    """One PHP that answers texts with texts until it is left."""

    def __init__(self, script: str) -> None:
        self._script = script

    def __enter__(self) -> Self:
        program = shutil.which("php")
        assert program, "PHP is needed: the package php-cli of Debian brings it"
        self._process = subprocess.Popen(
            [program, "-r", self._script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, text: bytes) -> bytes:
        """What the script says to this."""
        reading, writing = self._process.stdout, self._process.stdin
        assert reading
        assert writing
        writing.write(b"%d\n%b" % (len(text), text))
        writing.flush()
        size = reading.readline()
        assert size, "PHP refused it"
        return reading.read(int(size))


@schemathesis.deserializer("application/vnd.php.serialized")  # type: ignore[untyped-decorator]
def read_answer(_context: Any, response: Any) -> object:
    """What PHP reads in an answer, for schemathesis to hold against the schema."""
    return json.loads(_reader().ask(response.content))


@cache
def _reader() -> Php:
    php = Php(UNSERIALIZE).__enter__()
    atexit.register(php.__exit__)
    return php
