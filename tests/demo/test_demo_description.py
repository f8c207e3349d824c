"""The OpenAPI description, and schemathesis holding the running service against it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import schemathesis.openapi

from app.demo.credentials import API_KEY, Permission
from app.demo.formats.writers import FORMATS
from app.demo.openapi import ABOUT
from app.demo.operations import OPERATIONS
from tests.samples import sample

ROOT = Path(__file__).parents[2]
EXAMPLES = "8"
CALLS = [f"v1/{one}.{form}" for one in OPERATIONS for form in FORMATS]
ASKED = sample([*CALLS, "oauth", "oauth/token", "openapi.json"], 6)
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


def described(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json", auth=("", "")).json()
    return found


def test_schemathesis_finds_nothing_to_say(
    serve: Callable[..., httpx.Client], tmp_path: Path
) -> None:
    """All its checks but those that contradict the contract, with the same requests each time."""
    client = serve(people=24)
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, "utf-8")
    command = (
        *(
            sys.executable,
            "-m",
            "schemathesis.cli",
            "run",
            str(client.base_url.join("/openapi.json")),
        ),
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


def test_schemathesis_can_read_the_description(client: httpx.Client) -> None:
    schema = schemathesis.openapi.from_dict(described(client))
    schema.validate()
    assert len(list(schema.get_all_operations())) == len(described(client)["paths"]) + 3


def test_the_description_names_every_operation_in_every_format(client: httpx.Client) -> None:
    paths = described(client)["paths"]
    assert set(ABOUT) == set(OPERATIONS)
    assert set(paths) == {
        *(f"/v1/{name}.{format_name}" for name in OPERATIONS for format_name in FORMATS),
        *("/oauth", "/oauth/token", "/openapi.json"),
    }
    for name, operation in OPERATIONS.items():
        for format_name in FORMATS:
            methods = {method.upper() for method in paths[f"/v1/{name}.{format_name}"]}
            assert methods == operation.methods


def test_every_operation_has_the_five_statuses_in_its_format_and_both_ways_to_sign_in(
    client: httpx.Client,
) -> None:
    for path, methods in described(client)["paths"].items():
        for operation in methods.values() if path.startswith("/v1/") else ():
            kind = FORMATS[path.rpartition(".")[2]].media_type.partition(";")[0]
            assert set(operation["responses"]) == {"200", "400", "401", "404", "500"}
            assert all(list(one["content"]) == [kind] for one in operation["responses"].values())
            assert operation["security"] == [{"apiKey": []}, {"accessToken": ["ManagePeople"]}]


def test_the_description_says_how_to_sign_in(client: httpx.Client) -> None:
    description = described(client)
    schemes = description["components"]["securitySchemes"]
    assert schemes["apiKey"]["scheme"] == "basic"
    assert set(schemes["accessToken"]["flows"]) == {"implicit", "authorizationCode"}
    for flow in schemes["accessToken"]["flows"].values():
        assert set(flow["scopes"]) == set(Permission)
    asked = description["paths"]["/oauth"]["get"]["parameters"]
    assert {one["name"] for one in asked if one.get("required")} == {
        *("type", "client_id", "redirect_uri", "scope"),
    }
    (form,) = description["paths"]["/oauth/token"]["post"]["requestBody"]["content"].items()
    assert form[0] == "application/x-www-form-urlencoded"
    assert {name for grant in form[1]["schema"]["oneOf"] for name in grant["required"]} == {
        *("grant_type", "client_id", "client_secret", "code", "redirect_uri", "refresh_token"),
    }
