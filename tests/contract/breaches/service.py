"""How the demo service breaks a rule: what it answers otherwise than the document says.

Each function stands in for one of `app/demo/`; its name says what goes on then.
"""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.demo import (
    authorisation_attempts,
    credentials,
    envelope,
    flows,
    oauth,
    operations,
    parameters,
    people,
    server,
    service,
)
from app.demo.authorisation_attempts import Attempt, ErrorValue, ExpiringValues, Refusal, WayBack
from app.demo.credentials import IssuedTokens, Permission
from app.demo.envelope import CallError, Result
from app.demo.formats import php, writers, xml
from app.demo.oauth import TokenEndpoint
from app.demo.operations import DemoAccount
from app.demo.options import DemoOptions
from app.demo.parameters import Parameters
from app.demo.people import People
from tests.contract.stand_ins import StandIn, Was, instead_of

Fields = dict[str, Any]
Head = Mapping[str, object]

# Addresses and formats


@instead_of(service._nothing_there)
async def an_unknown_address_is_plain_text(_was: Was, *_given: object) -> Response:
    return PlainTextResponse("Not Found", 404)


@instead_of(service.Calls._result)
async def any_format_is_taken(was: Was, self: object, request: Request) -> Result:
    request.path_params["call"] = f"{request.path_params['call'].rpartition('.')[0]}.json"
    result: Result = await was(self, request)
    return result


@instead_of(writers.format_of)
def every_answer_is_json(_was: Was, _path: str) -> str:
    return writers.DEFAULT


@instead_of(service.Calls._result)
async def people_are_not_listed_by_get(was: Was, self: object, request: Request) -> Result:
    if request.method == "GET" and request.path_params["call"].startswith("people/getAll"):
        raise envelope.unknown_method()
    result: Result = await was(self, request)
    return result


def _by_get_as_well(operation: str) -> StandIn:
    @instead_of(service.Calls._result)
    async def taken(was: Was, self: object, request: Request) -> Result:
        if request.path_params["call"].startswith(operation):
            request.scope["method"] = "POST"
        result: Result = await was(self, request)
        return result

    return taken


somebody_is_added_by_get = _by_get_as_well("people/create")
flows_are_listed_by_get = _by_get_as_well("peopleFlows/getAll")


def _routed_by_get_as_well(routes: Callable[..., list[Route]], path: str) -> StandIn:
    @instead_of(routes)
    def routed(was: Was, self: object) -> list[Route]:
        return [
            Route(path, route.endpoint, methods=["GET", "POST"]) if route.path == path else route
            for route in was(self)
        ]

    return routed


tokens_are_given_by_get = _routed_by_get_as_well(TokenEndpoint.routes, "/oauth/token")
authorising_begins_by_post = _routed_by_get_as_well(oauth.SignIn.routes, "/oauth")

# The envelope


@instead_of(writers._json_envelope, php.envelope)
def the_time_is_a_number(was: Was, head: Head, *others: Any) -> bytes:
    written: bytes = was({**head, "generated_in": float(str(head["generated_in"]))}, *others)
    return written


@instead_of(writers._json_envelope)
def a_success_has_an_error(was: Was, head: Head, *others: Any) -> bytes:
    blank = {"error": ""} if head["status"] == "ok" else {}
    written: bytes = was({**head, **blank}, *others)
    return written


@instead_of(envelope.failed)
def a_failure_is_200(was: Was, error: CallError, **named: Any) -> Response:
    answer: Response = was(error, **named | {"status": named.get("status") or 200})
    return answer


@instead_of(envelope.failed)
def a_code_is_text(was: Was, error: CallError, **named: Any) -> Response:
    code: Any = str(error.code)
    answer: Response = was(CallError(error.status, code, error.message), **named)
    return answer


@instead_of(envelope.unhandled)
def a_defect_is_an_unknown_method(_was: Was) -> CallError:
    return envelope.unknown_method()


@instead_of(php._text)
def php_counts_characters(_was: Was, value: str) -> str:
    return f's:{len(value)}:"{value}";'


@instead_of(xml.envelope)
def the_root_of_xml_has_no_time(was: Was, head: Head, *others: Any) -> bytes:
    written: bytes = was({"status": head["status"]}, *others)
    return written


# What is sent


@instead_of(parameters._from_json)
def no_json_is_taken(_was: Was, _body: bytes) -> Fields:
    raise envelope.invalid_input("The request's content type is not known.")


@instead_of(parameters._from_json)
def what_is_no_utf_8_is_replaced(was: Was, body: bytes) -> Fields:
    found: Fields = was(body.decode("utf-8-sig", "replace").encode())
    return found


@instead_of(parameters.read_parameters)
async def the_query_is_passed_over(was: Was, request: Request) -> Parameters:
    bare = Request({**request.scope, "query_string": b""}, request.receive)
    found: Parameters = await was(bare)
    return found


# People


def _listed_otherwise(change: Callable[[Fields, Parameters, People], Fields]) -> StandIn:
    """A page of which `change` gives other fields, from those it has and from what was asked."""

    @instead_of(operations.list_people)
    def listed(was: Was, account: DemoAccount, options: object, asked: Parameters) -> Result:
        page = was(account, options, asked).value
        return Result("people", page | change(page, asked, account.people))

    return listed


a_page_counts_its_room = _listed_otherwise(
    lambda page, _asked, _everybody: {"on_this_page": page["per_page"]}
)
the_size_is_the_one_asked_for = _listed_otherwise(
    lambda _page, asked, _everybody: {"per_page": asked.number("page_size", 50, low=10, high=1000)}
)
the_total_is_of_the_page = _listed_otherwise(
    lambda page, _asked, _everybody: {"total": page["on_this_page"]}
)
the_total_is_of_everybody = _listed_otherwise(
    lambda _page, _asked, everybody: {"total": everybody.total()}
)


@instead_of(operations.list_people)
def a_page_has_no_counts(was: Was, *given: Any) -> Result:
    return Result("people", {"person": was(*given).value["person"]})


@instead_of(operations.list_people)
def no_page_is_capped(was: Was, account: object, options: DemoOptions, asked: object) -> Result:
    result: Result = was(account, replace(options, page_size_max=None), asked)
    return result


@instead_of(People.page)
def pages_count_from_zero(
    was: Was, self: object, start: int, size: int, **named: Any
) -> list[people.Person]:
    found: list[people.Person] = was(self, start + size, size, **named)
    return found


@instead_of(Parameters.number)
def the_second_page_comes_first(
    was: Was, self: object, name: str, default: int, **bounds: int
) -> int:
    number: int = was(self, name, 2 if name == "page" else default, **bounds)
    return number


@instead_of(operations._with_further)
def fields_take_the_others_away(was: Was, person: Fields, fields: object) -> Fields:
    whole: Fields = was(person, fields)
    return {name: whole[name] for name in whole if name not in person} or person


@instead_of(operations.create_person)
def a_new_person_has_no_phone(was: Was, *given: Any) -> Result:
    return Result("person", was(*given).value | {"phone": None})


@instead_of(operations.create_person)
def both_names_are_needed(was: Was, account: object, options: object, asked: Parameters) -> Result:
    if not (asked.text("firstname").strip() and asked.text("lastname").strip()):
        raise envelope.invalid_input("Please give a first name and a last name.")
    result: Result = was(account, options, asked)
    return result


@instead_of(People.add)
def an_id_is_a_number(was: Was, self: People, *given: str) -> Fields:
    person: Fields = was(self, *given)
    person["id"] = str(len(self._added))
    return person


@instead_of(People.add)
def nobody_new_has_a_phone(was: Was, *given: Any) -> Fields:
    person: Fields = was(*given)
    del person["phone"]
    return person


@instead_of(People.add)
def somebody_new_has_a_field_more(was: Was, *given: Any) -> Fields:
    person: Fields = was(*given)
    person["suspended"] = "0"
    return person


@instead_of(people.invent)
def no_mobile_is_null(was: Was, number: int) -> Fields:
    person: Fields = was(number)
    return person | {"mobile": person["mobile"] or None}


@instead_of(people._flag)
def a_flag_is_a_word(_was: Was, *, is_true: bool) -> str:
    return "true" if is_true else "false"


@instead_of(people._written)
def nobody_is_archived(was: Was, *given: Any) -> Fields:
    person: Fields = was(*given)
    return person | {"archived": "0"}


# People flows


@instead_of(operations.list_flows)
def flows_need_a_parameter(was: Was, account: object, options: object, asked: Parameters) -> Result:
    if not asked:
        raise envelope.nothing_given()
    result: Result = was(account, options, asked)
    return result


@instead_of(writers.CachedValue.__init__)
def one_flow_is_counted(was: Was, self: object, key: str, page: Fields) -> None:
    was(self, key, page | {"on_this_page": 1})


@instead_of(flows._flow)
def everybody_has_access_to_a_flow(was: Was, *given: Any, **named: Any) -> Fields:
    flow: Fields = was(*given, **named)
    return flow | {"access": flow["access"] or "everybody"}


@instead_of(flows._flow)
def a_flow_has_no_demographics(was: Was, *given: Any, **named: Any) -> Fields:
    flow: Fields = was(*given, **named)
    del flow["demographics"]
    return flow


@instead_of(flows._admins)
def administrators_are_names(_was: Was, names: str, _ids: object) -> list[str]:
    return [name for name in names.split(", ") if name]


@instead_of(flows._steps)
def the_last_step_comes_first(was: Was, *given: Any, **named: Any) -> Iterator[Fields]:
    yield from reversed(tuple(was(*given, **named)))


@instead_of(flows._steps)
def steps_hold_steps_unasked(was: Was, *given: Any, **named: Any) -> Iterator[Fields]:
    yield from was(*given, **named | {"nested_steps": True})


def _steps_otherwise(change: Callable[[Fields], Fields]) -> StandIn:
    """Steps of which `change` gives other fields, from those each has."""

    @instead_of(flows._steps)
    def changed(was: Was, *given: Any, **named: Any) -> Iterator[Fields]:
        yield from (step | change(step) for step in was(*given, **named))

    return changed


an_entry_point_is_a_truth_value = _steps_otherwise(
    lambda step: {"entry_point": bool(step["entry_point"])}
)
no_administrators_are_null = _steps_otherwise(lambda step: {"admins": step["admins"] or None})
a_step_has_the_access_of_a_flow = _steps_otherwise(lambda _step: {"access": ""})
a_step_has_a_description = _steps_otherwise(lambda _step: {"description": ""})

# Who calls


@instead_of(credentials.permissions_of)
def anybody_may_do_everything(was: Was, *given: Any) -> frozenset[Permission]:
    try:
        permitted: frozenset[Permission] = was(*given)
    except CallError:
        return frozenset(Permission)
    return permitted


@instead_of(credentials.permissions_of)
def any_permission_is_enough(was: Was, *given: Any) -> frozenset[Permission]:
    return frozenset(Permission) if was(*given) else frozenset()


@instead_of(credentials._basic_user)
def the_password_belongs_to_the_key(_was: Was, encoded: str) -> str:
    return base64.b64decode(f"{encoded}==").decode("utf-8", "replace").removesuffix(":")


@instead_of(credentials._basic_user)
def a_password_is_utf_8(_was: Was, encoded: str) -> str:
    return base64.b64decode(f"{encoded}==").decode().partition(":")[0]


@instead_of(IssuedTokens.issue)
def access_never_ends(was: Was, self: IssuedTokens, permitted: object) -> str:
    token: str = was(IssuedTokens(10**12, self._clock), permitted)
    return token


@instead_of(IssuedTokens.read)
def access_holds_a_thousand_times_as_long(
    was: Was, self: IssuedTokens, token: str
) -> frozenset[Permission]:
    slow = IssuedTokens(self.lifetime, lambda: self._clock() / 1000)
    permitted: frozenset[Permission] = was(slow, token)
    return permitted


@instead_of(credentials._sign)
def every_token_is_for_everything(was: Was, _purpose: bytes, content: bytes) -> bytes:
    signature: bytes = was(b"token", content)
    return signature


@instead_of(server.DemoServer._access)
def no_client_secret_is_told(was: Was, self: object) -> server.DemoAccess:
    access: server.DemoAccess = was(self)
    return replace(access, client_secret="")


@instead_of(server.DemoServer._access)
def another_key_is_told(was: Was, self: object) -> server.DemoAccess:
    access: server.DemoAccess = was(self)
    return replace(access, api_key=credentials.CLIENT_SECRET)


# Signing in on the account's page


@instead_of(credentials.parse_scope)
def permissions_are_separated_by_blanks(was: Was, scope: str) -> tuple[Permission, ...]:
    if "," in scope:
        raise ValueError(scope)
    found: tuple[Permission, ...] = was(",".join(scope.split()))
    return found


@instead_of(authorisation_attempts.is_allowed)
def any_path_of_the_host_is_allowed(was: Was, address: str, registered: str) -> bool:
    parts = urlsplit(registered)
    allowed: bool = was(address, f"{parts.scheme}://{parts.netloc}")
    return allowed


@instead_of(authorisation_attempts.is_allowed)
def only_the_registered_address_is_allowed(_was: Was, address: str, registered: str) -> bool:
    return address == registered


@instead_of(WayBack.with_answer)
def a_state_loses_its_blanks(was: Was, self: WayBack, answer: object) -> str:
    address: str = was(replace(self, state=self.state and self.state.strip()), answer)
    return address


@instead_of(WayBack.with_answer)
def a_blank_state_is_dropped(was: Was, self: WayBack, answer: object) -> str:
    address: str = was(replace(self, state=self.state or None), answer)
    return address


@instead_of(WayBack.with_answer)
def a_state_stands_in_the_hash(was: Was, self: WayBack, answer: Mapping[str, str]) -> str:
    state = {"state": self.state or ""} if self.in_hash else {}
    address: str = was(self, {**answer, **state})
    return address


@instead_of(oauth.SignIn._checked)
def any_type_is_taken(was: Was, self: object, asked: Mapping[str, str]) -> Attempt:
    other = asked.get("type") not in {None, oauth.USER_AGENT}
    attempt: Attempt = was(self, {**asked, "type": oauth.WEB_SERVER} if other else asked)
    return attempt


@instead_of(oauth.SignIn._checked)
def nobody_has_to_say_who_asks(was: Was, self: object, asked: Mapping[str, str]) -> Attempt:
    attempt: Attempt = was(self, {"client_id": credentials.CLIENT_ID, **asked})
    return attempt


@instead_of(oauth.SignIn._checked)
def a_code_stands_in_the_hash(was: Was, self: object, asked: object) -> Attempt:
    attempt: Attempt = was(self, asked)
    return replace(attempt, way_back=replace(attempt.way_back, in_hash=True))


@instead_of(oauth.SignIn._checked)
def an_unknown_program_is_told(was: Was, self: object, asked: Mapping[str, str]) -> Attempt:
    try:
        attempt: Attempt = was(self, asked)
    except Refusal as refusal:
        if refusal.value is not ErrorValue.UNKNOWN_CLIENT:
            raise
        way_back = WayBack(asked["redirect_uri"])
        raise Refusal(refusal.value, refusal.message, way_back) from None
    return attempt


@instead_of(oauth._permissions)
def no_permission_has_to_be_asked_for(
    was: Was, scope: str, way_back: WayBack
) -> tuple[Permission, ...]:
    found: tuple[Permission, ...] = was(scope, way_back) if scope.strip(" ,") else ()
    return found


@instead_of(oauth._texts)
def every_decision_is_to_allow(was: Was, pairs: bytes) -> dict[str, str]:
    texts: dict[str, str] = was(pairs)
    return texts | {"decision": "allow"}


@instead_of(oauth.SignIn._granted)
def a_user_agent_gets_a_refresh_token(
    was: Was, self: oauth.SignIn, attempt: Attempt
) -> dict[str, str]:
    granted: dict[str, str] = was(self, attempt)
    further = {"refresh_token": self._tokens.issue_refresh(attempt.permissions)}
    return granted if attempt.wants_code else granted | further


@instead_of(oauth.SignIn._granted)
def access_is_said_to_hold_a_week(was: Was, self: object, attempt: Attempt) -> dict[str, str]:
    granted: dict[str, str] = was(self, attempt)
    return granted if attempt.wants_code else granted | {"expires_in": "604800"}


@instead_of(oauth.SignIn.begin)
async def nobody_stays_signed_in(was: Was, self: oauth.SignIn, request: Request) -> Response:
    self._sessions = ExpiringValues(authorisation_attempts.SESSION_SECONDS)
    response: Response = await was(self, request)
    return response


@instead_of(oauth.SignIn._sign_in_page)
def a_wrong_password_ends_it(was: Was, self: oauth.SignIn, key: str, **named: Any) -> Response:
    attempt = self._attempts.find(key)
    if named.get("is_wrong") and attempt:
        raise Refusal(ErrorValue.ACCESS_DENIED, "No.", attempt.way_back)
    response: Response = was(self, key, **named)
    return response


@instead_of(oauth.Pages.render)
def what_is_missing_is_not_said(was: Was, self: object, page: str, **values: Any) -> Response:
    nothing: dict[str, object] = {"missing": []} if "missing" in values else {}
    response: Response = was(self, page, **values | nothing)
    return response


@instead_of(oauth.SignIn.refuse)
def no_error_goes_to_the_program(was: Was, self: object, refusal: Refusal) -> Response:
    response: Response = was(self, Refusal(refusal.value, refusal.message))
    return response


def _told_as(value: ErrorValue, another: ErrorValue) -> StandIn:
    """An error value that is told as another one."""

    @instead_of(oauth.SignIn.refuse)
    def told(was: Was, self: object, refusal: Refusal) -> Response:
        given = another if refusal.value is value else refusal.value
        response: Response = was(self, Refusal(given, refusal.message, refusal.way_back))
        return response

    return told


an_invalid_request_is_an_unknown_scope = _told_as(
    ErrorValue.INVALID_REQUEST, ErrorValue.UNKNOWN_SCOPE
)
an_unknown_client_is_an_invalid_request = _told_as(
    ErrorValue.UNKNOWN_CLIENT, ErrorValue.INVALID_REQUEST
)
a_wrong_redirect_address_is_an_invalid_request = _told_as(
    ErrorValue.INVALID_REDIRECT_URI, ErrorValue.INVALID_REQUEST
)
a_server_error_is_an_invalid_request = _told_as(ErrorValue.SERVER_ERROR, ErrorValue.INVALID_REQUEST)
an_unknown_scope_is_access_denied = _told_as(ErrorValue.UNKNOWN_SCOPE, ErrorValue.ACCESS_DENIED)
access_denied_is_an_invalid_request = _told_as(ErrorValue.ACCESS_DENIED, ErrorValue.INVALID_REQUEST)

# Tokens


@instead_of(oauth._read_form)
async def what_is_sent_need_not_be_called_a_form(_was: Was, request: Request) -> oauth._Form:
    body = await parameters.read_body(request)
    return oauth._Form(parameters.parse_pairs(body))


@instead_of(ExpiringValues.take)
def a_code_stays_good(_was: Was, self: ExpiringValues[Any], key: str) -> Any:
    return self.find(key)


def _with_field(form: oauth._Form, **values: str) -> oauth._Form:
    return oauth._Form({**form._values, **{name: [values[name]] for name in values}})


@instead_of(TokenEndpoint._exchange)
def any_client_secret_is_good(was: Was, self: object, form: oauth._Form) -> Fields:
    form.required("client_secret")
    answer: Fields = was(self, _with_field(form, client_secret=credentials.CLIENT_SECRET))
    return answer


@instead_of(TokenEndpoint._exchange)
def a_code_is_good_from_anywhere(was: Was, self: TokenEndpoint, form: oauth._Form) -> Fields:
    allowed = self._codes.find(form.required("code"))
    form.required("redirect_uri")
    answer: Fields = was(
        self, _with_field(form, redirect_uri=allowed.redirect_uri) if allowed else form
    )
    return answer


@instead_of(TokenEndpoint._access)
def the_life_of_access_is_text(was: Was, self: object, permitted: Iterable[Permission]) -> Fields:
    answer: Fields = was(self, permitted)
    return answer | {"expires_in": str(answer["expires_in"])}


@instead_of(TokenEndpoint._refresh)
def a_refresh_needs_the_client_id(was: Was, self: object, form: oauth._Form) -> Fields:
    form.required("client_id")
    answer: Fields = was(self, form)
    return answer


@instead_of(TokenEndpoint.__init__)
def a_refresh_token_is_renewed_the_other_way_round(
    was: Was, self: object, *given: Any, renews_refresh_token: bool = True
) -> None:
    was(self, *given, renews_refresh_token=not renews_refresh_token)
