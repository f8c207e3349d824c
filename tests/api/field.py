"""Rows of what services of this kind are seen to do, each with the check that the client copes."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import pytest

from app.api.errors import ApiError

if TYPE_CHECKING:
    from app.api.resources import PeopleFlows
    from app.model.person import Person
    from tests.api.conftest import ScriptedService

Check = Callable[["ScriptedService"], Awaitable[None]]


class Rows(dict[str, Check]):
    """Checks by the words of their row, in order."""

    def row(self, words: str) -> Callable[[Check], Check]:
        """The check is the one of the row with these words."""

        def take(check: Check) -> Check:
            assert words not in self
            self[words] = check
            return check

        return take


async def people(service: "ScriptedService", value: object) -> "list[Person]":
    """Who is read from a page object, or from whatever else stands under `people`."""
    service.answers(service.tree({"status": "ok", "people": value}), service.fail(404, 404))
    async with service.client() as client:
        return [person async for person in client.people()]


async def flows(service: "ScriptedService", *found: object) -> "PeopleFlows":
    """The flows as read."""
    service.answers(service.tree({"status": "ok", "people_flows": {"people_flow": list(found)}}))
    async with service.client() as client:
        return await client.people_flows()


async def added(service: "ScriptedService", answer: object) -> "Person":
    """What a create makes of an answer."""
    service.answers(service.tree(answer))
    async with service.client() as client:
        return await client.create_person("Ada", "Lovelace", "ada@x.org")


async def refused(service: "ScriptedService", status: int, answer: object) -> ApiError:
    """The error that a create makes of an answer."""
    service.answers(service.tree(answer, status))
    async with service.client() as client:
        with pytest.raises(ApiError) as caught:
            await client.create_person("Ada", "", "")
    return caught.value


def fail(code: object, status: str = "fail", message: str = "No.") -> object:
    """A failure in the envelope."""
    return {"status": status, "error": {"code": code, "message": message}}
