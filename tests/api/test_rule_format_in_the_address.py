"""The address says which format the answer is to have, and JSON is what is asked for by default."""

from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

ANSWERS = {
    "json": b'{"status": "ok", "people_flows": {"people_flow": [{"id": "f"}]}}',
    "xml": b'<rsp status="ok"><people_flows><people_flow><id>f</id></people_flow></people_flows>'
    b"</rsp>",
    "php": b'O:8:"stdClass":2:{s:6:"status";s:2:"ok";s:12:"people_flows";a:1:{s:11:"people_flow";'
    b'a:1:{i:0;O:8:"stdClass":1:{s:2:"id";s:1:"f";}}}}',
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_the_address_ends_in_the_format_that_is_read(
    service: "ScriptedService", name: str
) -> None:
    service.answers(service.body(ANSWERS[name], media="text/plain"))
    async with ServiceClient(service.base_url, ApiKey("k"), name) as client:
        assert [flow.id for flow in await client.people_flows()] == ["f"]
    assert service.asked[0].target == f"/v1/peopleFlows/getAll.{name}"


async def test_without_a_word_about_it_the_format_is_json(service: "ScriptedService") -> None:
    service.answers(service.body(ANSWERS["json"]))
    async with ServiceClient(service.base_url, ApiKey("k")) as client:
        await client.people_flows()
    assert service.asked[0].target == "/v1/peopleFlows/getAll.json"
