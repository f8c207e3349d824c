"""Schemathesis holds the running service against the description of it in `openapi`."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx

from app.demo.credentials import API_KEY
from app.demo.formats.writers import FORMATS
from app.demo.operations import OPERATIONS
from tests.demo.openapi import ABOUT, document
from tests.samples import sample

ROOT = Path(__file__).parents[2]
EXAMPLES = "8"
CALLS = [f"v1/{one}.{form}" for one in OPERATIONS for form in FORMATS]
ASKED = sample([*CALLS, "oauth", "oauth/token"], 6)
"""Another run takes others."""

LEFT_OUT = {
    "unsupported_method": "wants 405 for an HTTP method that is not there; the contract knows five "
    "statuses, and what the service does not have is 404 in the envelope",
}
"""The checks that contradict the contract, and how."""

CONFIGURATION = """
[[operations]]
# Which programs are registered, and where, no schema can say: an unknown one is 400.
include-path = "/oauth"
checks.positive_data_acceptance.expected-statuses = ["200", "302", "400"]
"""


def test_schemathesis_finds_nothing_to_say(
    serve: Callable[..., httpx.Client], tmp_path: Path
) -> None:
    """All its checks but those that contradict the contract, with the same requests each time."""
    client = serve(people=24)
    address = str(client.base_url).rstrip("/")
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, "utf-8")
    (tmp_path / "openapi.json").write_text(json.dumps(document(address)), "utf-8")
    command = (
        *(
            sys.executable,
            "-m",
            "schemathesis.cli",
            "run",
            "openapi.json",
        ),
        *("--url", address),
        *("--auth", f"{API_KEY}:", "--checks", "all", "--exclude-checks", ",".join(LEFT_OUT)),
        *("--include-path-regex", rf"^/({'|'.join(ASKED)})$"),
        *("--max-examples", EXAMPLES, "--generation-deterministic", "--no-shrink", "--no-color"),
    )
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "SCHEMATHESIS_HOOKS": "tests.demo.php",
            "NO_PROXY": "*",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "missing deserializers" not in done.stdout


def test_the_description_names_every_operation_in_every_format() -> None:
    assert set(ABOUT) == set(OPERATIONS)
    paths = document("")["paths"]
    assert isinstance(paths, dict)
    assert set(paths) == {*(f"/{call}" for call in CALLS), "/oauth", "/oauth/token"}
