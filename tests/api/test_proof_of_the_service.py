"""Signing in needs proof: a stranger's answer is no account, and the service's own always is."""

import json
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ApiError, NotFound, UnreadableAnswer
from app.demo.server import DemoServer

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

ADA = {"id": "1", "firstname": "Ada", "lastname": "Lovelace"}
TIMED = {"generated_in": "0.012", "status": "ok"}
NO_PEOPLE = {"code": 404, "message": "No people match your criteria."}

STRANGERS: list[tuple[int, object]] = [
    (404, {"code": 404, "message": "Not Found"}),
    (404, {"code": 404, "message": "No people match your criteria."}),
    (404, {"status": 404, "error": "Not Found", "path": "/v1/people/getAll.json"}),
    (
        404,
        {"statusCode": 404, "message": "Cannot GET /v1/people/getAll.json", "error": "Not Found"},
    ),
    (404, {"error": {"code": 404, "message": "Not Found", "status": "NOT_FOUND"}}),
    (404, {"status": "fail", "error": {"code": 404, "message": "Not Found"}}),
    (404, {"status": "error", "code": 404, "message": "people not found"}),
    (404, {"status": "fail", "error": NO_PEOPLE}),
    (200, {"status": "fail", "error": {"code": 404, "message": "Not Found"}}),
    (404, {"generated_in": "0.01", "status": "fail", "error": {"code": 404, "message": "No such"}}),
    (404, {"generated_in": "soon", "status": "fail", "error": NO_PEOPLE}),
    (404, {"detail": "Not Found"}),
    (404, []),
    (200, {"status": "ok"}),
    (200, {"status": "OK", "uptime": 12}),
    (200, {"status": "ok", "generated_in": ""}),
    (200, {"status": "ok", "generated_in": True}),
    (200, {"generated_in": "0.01", "status": "ok"}),
    (200, {"status": "ok", "data": []}),
    (200, {"status": "ok", "people": []}),
    (200, {"status": "ok", "people": ""}),
    (200, {"status": "ok", "people": None}),
    (200, {"status": "ok", "people": {"person": []}}),
    (200, {"status": "ok", "people": {"total": 0}}),
    (200, {"status": "ok", "people": [{"id": 7, "name": "Grace", "role": "admin"}]}),
    (200, {"status": "ok", "people": {"total": 1, "data": [{"id": 7, "name": "Grace"}]}}),
    (200, {"status": "ok", "people": {"list": [{"id": 7, "name": "Grace"}]}}),
    (200, {"people": []}),
    (200, {"people": {"total": 0, "page": 1, "person": []}}),
    (200, {"people": [ADA]}),
    (200, {}),
    (200, []),
    (200, "ok"),
    (200, None),
]

OWN: list[tuple[int, object]] = [
    (200, TIMED | {"people": {"on_this_page": 0, "page": 1, "per_page": 50, "total": 0}}),
    (200, TIMED | {"people": {"total": "0", "person": ""}}),
    (200, TIMED | {"people": []}),
    (200, {"status": "ok", "people": {"page": "1", "per_page": "50", "total": "0"}}),
    (200, {"status": "ok", "people": {"total": 0, "person": []}}),
    (200, {"status": "ok", "people": {"total": 1, "person": [{"id": "1"}]}}),
    (200, {"status": "OK ", "people": {"person": [ADA]}}),
    (200, {"status": "ok", "people": {"person": ADA}}),
    (200, {"status": "ok", "people": {"person": {"0": ADA}}}),
    (200, {"status": "ok", "people": [ADA]}),
    (200, {"status": "ok", "people": ADA}),
    (200, {"status": "ok", "person": [ADA]}),
    (200, TIMED | {"people": [{"id": 7}]}),
    (200, {"generated_in": 0.01, "status": "ok", "people": {"person": [{"id": 7}, None]}}),
    (404, {"generated_in": "0.01", "status": "fail", "error": NO_PEOPLE}),
    (404, {"generated_in": 0, "status": "error", "error": [NO_PEOPLE | {"code": "404"}]}),
    (200, {"generated_in": "0.01", "status": "fail", "error": NO_PEOPLE}),
]


@pytest.mark.parametrize(("status", "answer"), STRANGERS, ids=lambda value: json.dumps(value)[:60])
async def test_the_answer_of_a_stranger_signs_nobody_in(
    service: "ScriptedService", status: int, answer: object
) -> None:
    service.answers(service.tree(answer, status))
    async with service.client() as client:
        with pytest.raises((NotFound, UnreadableAnswer)) as caught:
            await client.check()
    assert not caught.value.transient


@pytest.mark.parametrize(("status", "answer"), OWN, ids=lambda value: json.dumps(value)[:60])
async def test_the_service_is_known_in_every_shape_it_is_seen_in(
    service: "ScriptedService", status: int, answer: object
) -> None:
    service.answers(service.tree(answer, status))
    async with service.client() as client:
        await client.check()


@pytest.mark.parametrize(
    ("body", "proven"),
    [
        (b'<rsp generated_in="0.01" status="ok"><people><total>0</total></people></rsp>', True),
        (b'<rsp generated_in="0.01" status="ok"><people/></rsp>', True),
        (b'<rsp status="ok"><people total="1"><person id="1"/></people></rsp>', True),
        (b'<rsp status="ok"><person id="1"><firstname>Ada</firstname></person></rsp>', True),
        (b'<rsp generated_in="0.01" status="ok"/>', False),
        (b'<rsp status="ok"/>', False),
        (b"<status>ok</status>", False),
        (b'<rsp status="ok"><people/></rsp>', False),
    ],
)
async def test_xml_proves_the_service_by_the_same_signs(
    service: "ScriptedService", body: bytes, proven: bool
) -> None:
    service.answers(service.body(body, media="text/xml"))
    async with ServiceClient(service.base_url, ApiKey("k"), "xml") as client:
        if proven:
            await client.check()
        else:
            with pytest.raises(UnreadableAnswer):
                await client.check()


async def test_a_path_beside_the_service_is_no_empty_account() -> None:
    demo = DemoServer()
    access = demo.start()
    try:
        for path in ("/wrong-path", "/v2", "/people/list.html"):
            async with ServiceClient(access.base_url + path, ApiKey(access.api_key)) as client:
                with pytest.raises(NotFound):
                    await client.check()
    finally:
        demo.stop()


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (404, {"generated_in": "0.1", "status": "fail", "error": {"code": 404, "message": "No."}}),
        (200, {"people": []}),
        (200, {"people": {"total": 0, "person": []}}),
    ],
)
async def test_nobody_is_on_the_list_only_where_the_service_says_so(
    service: "ScriptedService", status: int, answer: object
) -> None:
    service.answers(service.tree(answer, status))
    async with service.client() as client:
        listing = client.people()
        with pytest.raises(ApiError):
            await anext(listing)
        assert not listing.complete


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (404, {"code": 404, "message": "Not Found"}),
        (404, {"status": "fail", "error": {"code": 404, "message": "Not Found"}}),
        (404, {"error": {"code": "404", "message": "No people"}}),
        (200, {"status": "ok"}),
        (200, {"status": "ok", "version": "2.1"}),
    ],
)
async def test_a_strangers_answer_is_no_list_of_none(
    service: "ScriptedService", status: int, answer: object
) -> None:
    service.answers(service.tree(answer, status))
    async with service.client() as client:
        listing = client.people()
        with pytest.raises(ApiError):
            await anext(listing)
        assert not listing.complete
        with pytest.raises(ApiError):
            await client.people_flows()
