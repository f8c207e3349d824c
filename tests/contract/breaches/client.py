"""How the client breaks a rule: what it asks, sends and reads otherwise than the document says.

Each function stands in for one of `app/api/`; its name says what goes on then.
"""

import base64
import json
from collections.abc import Generator
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from msgspec.structs import replace

from app.api import (
    auth,
    client,
    envelope,
    error_responses,
    requests,
    resources,
    transport,
)
from app.api.errors import (
    ApiError,
    AuthorisationFailed,
    InputRefused,
    NotAuthorised,
    ServiceFault,
    TokenExpired,
)
from app.api.formats import php, xml
from app.api.formats.tree import Tree
from app.api.pagination import page_plan, people_pages
from app.api.requests import Request
from app.api.sign_in import oauth, redirect_response, token_endpoint, token_refresh
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from tests.contract.stand_ins import Was, instead_of

# What is sent


@instead_of(transport.Transport.__init__)
def no_credential_is_sent(
    was: Was, self: object, base_url: str, _auth: object, *others: Any
) -> None:
    was(self, base_url, httpx.Auth(), *others)


@instead_of(auth.ApiKey.auth_flow)
def the_key_is_the_password(
    _was: Was, self: auth.ApiKey, request: httpx.Request
) -> Generator[httpx.Request, httpx.Response, None]:
    pair = base64.b64encode(f":{self._key}".encode()).decode("ascii")
    request.headers["Authorization"] = f"Basic {pair}"
    yield request


@instead_of(transport.Transport._url)
def every_address_ends_in_json(was: Was, self: transport.Transport, request: Request) -> str:
    address: str = was(self, request)
    return f"{address.removesuffix(self._format)}json"


@instead_of(client.ServiceClient.__init__)
def xml_is_asked_for_where_nothing_is_said(
    was: Was, self: object, base_url: str, auth: object, format_name: str = "xml", **named: Any
) -> None:
    was(self, base_url, auth, **{"format": format_name} | named)


@instead_of(transport.Transport._exchange)
async def no_query_is_sent(was: Was, self: object, context: Any, *others: Any) -> Any:
    bare = replace(context, request=replace(context.request, query=""))
    return await was(self, bare, *others)


@instead_of(page_plan.PagingMode.after)
def pages_count_from_nothing(was: Was, self: object, reach: int) -> page_plan.PageRequest:
    asked: page_plan.PageRequest = was(self, reach)
    return replace(asked, number=asked.number - 1)


@instead_of(requests.plain_people_page)
def the_first_page_has_a_number(_was: Was, page: int) -> Request:
    return requests._listing({"page": page}, "query")


@instead_of(people_pages.PeoplePages.page)
async def nobody_asks_without_parameters(
    _was: Was, self: people_pages.PeoplePages, number: int, size: int
) -> page_plan.PeoplePage:
    return await self._fetch(number, size)


@instead_of(people_pages._holds)
def what_comes_with_further_fields_is_taken(
    _was: Was, _more: page_plan.PeoplePage, _page: page_plan.PeoplePage
) -> bool:
    return True


@instead_of(requests.all_flows)
def flows_are_asked_for_with_a_body(was: Was) -> Request:
    request: Request = was()
    return replace(request, body=b"{}", media=requests._JSON)


@instead_of(requests._body)
def json_is_called_a_form(was: Was, sent: Any, send_as: str) -> tuple[bytes, str]:
    body, media = was(sent, send_as)
    return body, requests._FORM if send_as == "json" else media


@instead_of(requests._body)
def a_form_is_called_json(was: Was, sent: Any, send_as: str) -> tuple[bytes, str]:
    body, media = was(sent, send_as)
    return body, requests._JSON if send_as == "form" else media


@instead_of(requests._body)
def half_a_character_is_sent_escaped(was: Was, sent: Any, send_as: str) -> tuple[bytes, str]:
    return (json.dumps(sent).encode(), requests._JSON) if send_as == "json" else was(sent, send_as)


@instead_of(requests._body)
def what_is_sent_is_no_json(_was: Was, sent: Any, _send_as: str) -> tuple[bytes, str]:
    return str(dict(sent)).encode(), requests._JSON


@instead_of(requests._pairs)
def marks_stay_as_they_are(was: Was, sent: Any) -> str:
    encoded: str = was(sent)
    return encoded.replace("%26", "&").replace("%2B", "+").replace("%25", "%")


# The envelope


@instead_of(envelope.is_timed)
def any_answer_is_the_services(_was: Was, _envelope: Tree) -> bool:
    return True


@instead_of(envelope._says_failed)
def a_blank_error_is_a_failure(was: Was, fields: dict[str, Tree], key: str) -> bool:
    told = {"error": fields["error"] or "told"} if "error" in fields else {}
    failed: bool = was({**fields, **told}, key)
    return failed


@instead_of(envelope.open_envelope)
def no_status_is_a_failure(was: Was, response: Any, *others: Any) -> Any:
    failed = error_responses.is_failure(response.status)
    return was(replace(response, status=200) if failed else response, *others)


@instead_of(envelope._failure)
def the_code_inside_an_error_is_passed_over(
    was: Was, response: object, context: object, fields: dict[str, Tree]
) -> ApiError:
    error = fields.get("error")
    if isinstance(error, dict):
        fields = fields | {"error": {name: error[name] for name in error if name != "code"}}
    failure: ApiError = was(response, context, fields)
    return failure


@instead_of(envelope._says_none)
def nothing_says_that_none_match(_was: Was, _envelope: Tree, _code: Tree) -> bool:
    return False


@instead_of(envelope._says_none)
def every_code_says_that_none_match(_was: Was, _envelope: Tree, code: Tree) -> bool:
    return code is not None


# Failures


@instead_of(error_responses.is_success)
def two_hundred_is_no_success(was: Was, number: int | None) -> bool:
    return number != error_responses._SUCCESS and was(number)


@instead_of(error_responses.refusal)
def words_beside_a_code_are_passed_over(was: Was, *given: Any, **told: Any) -> ApiError:
    failure: ApiError = was(*given, **told | {"words": "" if told.get("code") else told["words"]})
    return failure


@instead_of(error_responses.refusal)
def only_code_250_is_shown_in_words(was: Was, *given: Any, **told: Any) -> ApiError:
    said = told.get("words", "") if told.get("code") == 250 else ""
    failure: ApiError = was(*given, **told | {"words": said})
    return failure


@instead_of(error_responses._kind)
def what_is_refused_is_a_fault(was: Was, status: int, code: int | None) -> type[ApiError]:
    kind: type[ApiError] = was(status, code)
    return ServiceFault if kind is InputRefused else kind


@instead_of(error_responses._kind)
def every_401_asks_for_a_sign_in(was: Was, status: int, code: int | None) -> type[ApiError]:
    kind: type[ApiError] = was(status, code)
    return NotAuthorised if status == 401 and kind is not TokenExpired else kind


@instead_of(error_responses._kind)
def a_code_outweighs_500(was: Was, status: int, code: int | None) -> type[ApiError]:
    by_code: type[ApiError] = was(400, code)
    kind: type[ApiError] = was(status, code)
    return by_code if by_code in {TokenExpired, NotAuthorised} else kind


@instead_of(error_responses._kind)
def code_500_is_no_fault(was: Was, status: int, code: int | None) -> type[ApiError]:
    kind: type[ApiError] = was(status, code)
    return kind if error_responses.is_fault(status) or kind is not ServiceFault else InputRefused


# Lists, people and flows


@instead_of(resources.read_list)
def the_size_of_a_page_is_lost(was: Was, *given: Any) -> resources.ListResult | None:
    found: resources.ListResult | None = was(*given)
    return found and replace(found, per_page=None)


@instead_of(resources.read_list)
def the_count_is_lost(was: Was, *given: Any) -> resources.ListResult | None:
    found: resources.ListResult | None = was(*given)
    return found and replace(found, total=None)


@instead_of(resources.read_list)
def the_items_are_lost(was: Was, *given: Any) -> resources.ListResult | None:
    found: resources.ListResult | None = was(*given)
    return found and replace(found, items=[])


@instead_of(resources.read_person)
def nobody_is_without_an_email(was: Was, value: Tree) -> Person | None:
    person: Person | None = was(value)
    return person if isinstance(value, dict) and "email" in value else None


@instead_of(resources.read_person)
def an_unknown_field_costs_the_person(was: Was, value: Tree) -> Person | None:
    person: Person | None = was(value)
    known = isinstance(value, dict) and set(value) <= set(Person.__struct_fields__)
    return person if known else None


@instead_of(resources.read_others)
def no_more_than_the_document_names_is_read(
    _was: Was, _person: dict[str, Tree]
) -> tuple[tuple[str, str], ...]:
    return ()


@instead_of(client.ServiceClient._create)
async def what_was_sent_outweighs_the_answer(
    was: Was, self: object, firstname: str, lastname: str, email: str
) -> Person:
    person: Person = await was(self, firstname, lastname, email)
    return msgspec.structs.replace(person, firstname=firstname, lastname=lastname, email=email)


@instead_of(client.ServiceClient._flows)
async def the_count_of_flows_is_lost(was: Was, self: object) -> resources.PeopleFlows:
    found: resources.PeopleFlows = await was(self)
    return resources.PeopleFlows(tuple(found), None, found.unreadable)


@instead_of(resources.read_flow)
def a_blank_access_is_none(was: Was, value: Tree) -> PeopleFlow | None:
    flow: PeopleFlow | None = was(value)
    return flow and msgspec.structs.replace(flow, access=flow.access or None)


@instead_of(resources.read_flow)
def demographics_are_lost(was: Was, value: Tree) -> PeopleFlow | None:
    flow: PeopleFlow | None = was(value)
    return flow and msgspec.structs.replace(flow, demographics=())


@instead_of(resources.read_flow)
def only_objects_are_locations(was: Was, value: Tree) -> PeopleFlow | None:
    flow: PeopleFlow | None = was(value)
    if flow is None:
        return None
    objects = tuple(one for one in flow.locations if isinstance(one, dict))
    return msgspec.structs.replace(flow, locations=objects)


@instead_of(resources._read_steps)
def steps_stand_the_other_way_round(was: Was, value: Tree) -> tuple[Step, ...] | None:
    steps: tuple[Step, ...] | None = was(value)
    return steps and steps[::-1]


@instead_of(resources._read_admins)
def administrators_are_sorted(was: Was, value: Tree) -> tuple[str, ...] | None:
    admins: tuple[str, ...] | None = was(value)
    return admins and tuple(sorted(admins))


@instead_of(resources._read_step)
def steps_inside_a_step_are_lost(was: Was, value: Tree) -> Step | None:
    step: Step | None = was(value)
    return step and msgspec.structs.replace(step, steps=())


@instead_of(resources._read_step)
def the_administrators_of_a_step_are_lost(was: Was, value: Tree) -> Step | None:
    step: Step | None = was(value)
    return step and msgspec.structs.replace(step, admins=())


@instead_of(resources._read_step)
def only_y_is_an_entry_point(was: Was, value: Tree) -> Step | None:
    step: Step | None = was(value)
    return step and msgspec.structs.replace(
        step, entry_point="y" if step.entry_point == "y" else None
    )


# The formats


@instead_of(php._Cursor._entries)
def no_array_is_a_list(was: Was, *given: Any, **kinds: Any) -> Any:
    entries = was(*given, **kinds)
    numbered = isinstance(entries, list)
    return {str(at): each for at, each in enumerate(entries)} if numbered else entries


@instead_of(php._Cursor._entries)
def an_object_of_php_is_unreadable(
    was: Was, self: php._Cursor, *given: Any, as_object: bool
) -> Tree:
    if as_object:
        raise self.unreadable("an object")
    tree: Tree = was(self, *given, as_object=False)
    return tree


@instead_of(xml._Content._fields)
def attributes_are_passed_over(was: Was, self: object, element: xml._Element) -> Tree:
    tree: Tree = was(self, replace(element, attributes={}))
    return tree


@instead_of(xml.read)
def the_root_is_a_field(was: Was, *given: Any, **named: Any) -> Tree:
    return {xml._ROOT: was(*given, **named)}


@instead_of(xml._add)
def every_element_is_an_item(was: Was, children: object, _name: str, value: Tree) -> None:
    was(children, "item", value)


@instead_of(xml._is_plain)
def no_code_is_an_attribute(was: Was, attribute: str) -> bool:
    return attribute != "code" and was(attribute)


# Signing in on the account's page


def _asked(address: str, **otherwise: str | None) -> str:
    """The address with these parameters instead of those it has, and without those of None."""
    head, _, query = address.partition("?")
    asked = dict(pair.split("=") for pair in query.split("&"))
    changed = {name: None if value is None else quote(value) for name, value in otherwise.items()}
    left = {name: value for name, value in (asked | changed).items() if value is not None}
    return f"{head}?{'&'.join(f'{name}={value}' for name, value in left.items())}"


@instead_of(oauth.AuthorisationRequest.address)
def no_redirect_address_is_asked_for(was: Was, self: object) -> str:
    return _asked(was(self), redirect_uri=None)


@instead_of(oauth.AuthorisationRequest.address)
def a_state_is_sent_without_need(was: Was, self: object) -> str:
    return _asked(was(self), state="one")


@instead_of(oauth.AuthorisationRequest.read_answer)
def access_in_the_hash_is_passed_over(was: Was, self: object, url: str, *others: Any) -> Any:
    return was(self, url.partition("#")[0], *others)


@instead_of(oauth.AuthorisationRequest.read_answer)
def a_refresh_token_in_the_hash_ends_it(was: Was, self: object, url: str, *others: Any) -> Any:
    if "refresh_token" in url:
        raise redirect_response.no_answer()
    return was(self, url, *others)


@instead_of(oauth._grant)
def access_holds_an_hour_whatever_is_told(
    was: Was, values: dict[str, str], *others: Any
) -> oauth.Grant:
    grant: oauth.Grant = was({**values, "expires_in": ""}, *others)
    return grant


@instead_of(oauth.life_of_access)
def access_holds_two_weeks(was: Was, seconds: str) -> timedelta | None:
    return was(seconds) and timedelta(days=14)


@instead_of(redirect_response.raise_error_in)
def no_refusal_is_an_error(was: Was, values: dict[str, str]) -> None:
    try:
        was(values)
    except AuthorisationFailed as error:
        if error.value != "access_denied":
            raise


@instead_of(redirect_response.raise_error_in)
def one_parameter_alone_carries_an_error(was: Was, values: dict[str, str]) -> None:
    heard = {"error", "error_description", "oauth_error"}
    was({name: values[name] for name in values if name in heard})


@instead_of(oauth.WebAuthorisationRequest.address)
def no_client_id_is_sent(was: Was, self: object) -> str:
    return _asked(was(self), client_id=None)


@instead_of(oauth.WebAuthorisationRequest.address)
def the_redirect_address_is_cut(was: Was, self: oauth.WebAuthorisationRequest) -> str:
    return _asked(was(self), redirect_uri=self.redirect_uri.rpartition("/")[0])


@instead_of(oauth.WebAuthorisationRequest.address)
def no_permission_is_asked_for(was: Was, self: object) -> str:
    return _asked(was(self), scope=None)


@instead_of(oauth.WebAuthorisationRequest.address)
def no_state_is_sent(was: Was, self: object) -> str:
    return _asked(was(self), state=None)


@instead_of(oauth.WebAuthorisationRequest._is_ours)
def any_state_is_ours(_was: Was, _self: object, _state: str) -> bool:
    return True


@instead_of(oauth.WebAuthorisationRequest.read_answer)
def the_code_is_looked_for_in_the_hash(was: Was, self: object, url: str, *others: Any) -> Any:
    head, _, in_hash = url.partition("#")
    place, _, query = head.partition("?")
    return was(self, f"{place}?{in_hash}#{query}", *others)


@instead_of(oauth.WebAuthorisationRequest.read_answer)
def an_error_in_the_hash_is_passed_over(was: Was, self: object, url: str, *others: Any) -> Any:
    return was(self, url.partition("#")[0], *others)


# Tokens


@instead_of(token_endpoint._ask)
async def no_client_secret_is_sent(
    was: Was, base_url: str, form: dict[str, str], *others: Any
) -> Any:
    return await was(base_url, _without(form, "client_secret"), *others)


@instead_of(token_endpoint._ask)
async def a_code_is_sent_without_its_address(
    was: Was, base_url: str, form: dict[str, str], *others: Any
) -> Any:
    return await was(base_url, _without(form, "redirect_uri"), *others)


def _without(form: dict[str, str], gone: str) -> dict[str, str]:
    return {name: value for name, value in form.items() if name != gone}


@instead_of(token_refresh.TokenRefresher._take)
def a_newer_refresh_token_is_passed_over(was: Was, self: object, grant: Any) -> Any:
    return was(self, replace(grant, refresh_token=None))


@instead_of(token_refresh.TokenRefresher._is_due)
def nothing_is_renewed_in_time(_was: Was, self: token_refresh.TokenRefresher) -> bool:
    return self._has_expired()
