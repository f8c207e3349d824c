"""Every failure the document names, and those seen in the field, as one typed error."""

import pytest

from app.api.envelope import open_envelope
from app.api.error_responses import plain_words
from app.api.errors import (
    ApiError,
    InputRefused,
    NotAuthorised,
    NotFound,
    NotPermitted,
    ServiceFault,
    TokenExpired,
    TooManyRequests,
    UnreadableAnswer,
)
from app.api.requests import Request, RequestContext, all_flows, create_person
from app.api.responses import Response
from app.model.cause import Cause, CauseKind
from app.runtime.secrets import remember_secret

PAGE = b"<!DOCTYPE html><html><body>Welcome to our hotel, Ada</body></html>"


def failure(status: int, body: bytes, call: Request, media: str = "application/json") -> ApiError:
    """What the envelope makes of an answer to `call`."""
    context = RequestContext.now(call, "x.org", "https://x.org/v1/a/b.json")
    with pytest.raises(ApiError) as caught:
        open_envelope(Response(status, media, body), context, "json", "people")
    return caught.value


def envelope(error: str, status: str = "fail") -> bytes:
    """A failure in the document's envelope."""
    return f'{{"generated_in": "0.01", "status": "{status}", "error": {error}}}'.encode()


@pytest.mark.parametrize(
    ("status", "error", "kind", "code"),
    [
        (401, '{"code": 102, "message": "Invalid API Key."}', NotAuthorised, 102),
        (400, '{"code": 250, "message": "No search parameters."}', InputRefused, 250),
        (404, '{"code": 404, "message": "No people match."}', NotFound, 404),
        (500, '{"code": 500, "message": "Sorry."}', ServiceFault, 500),
        (401, '{"code": "50"}', NotAuthorised, 50),
        (401, '{"code": 100}', NotAuthorised, 100),
        (401, '{"code": "121"}', TokenExpired, 121),
        (401, '{"message": "no code"}', NotAuthorised, None),
        (401, '{"code": 404, "message": "Invalid ID."}', InputRefused, 404),
        (401, '{"code": 33, "message": "Invalid ID."}', InputRefused, 33),
        (403, '{"code": 7}', NotPermitted, 7),
        (404, '{"code": 7}', NotFound, 7),
        (409, '{"code": 7}', InputRefused, 7),
        (429, '{"code": 429}', TooManyRequests, 429),
        (502, '{"code": 121}', ServiceFault, 121),
        (200, '{"code": "102"}', NotAuthorised, 102),
        (200, '{"code": 121}', TokenExpired, 121),
        (200, '{"code": 250}', InputRefused, 250),
        (200, '{"code": 404}', NotFound, 404),
        (200, '{"code": 500}', ServiceFault, 500),
        (200, '{"code": 429}', TooManyRequests, 429),
        (200, '{"code": 77}', InputRefused, 77),
        (200, '"Something is wrong"', InputRefused, None),
        (200, "null", InputRefused, None),
    ],
)
@pytest.mark.parametrize("word", ["fail", "error", "FAIL"])
def test_status_and_code_decide_the_kind(
    status: int, error: str, kind: type[ApiError], code: int | None, word: str
) -> None:
    found = failure(status, envelope(error, word), all_flows())
    assert type(found) is kind
    assert (found.status, found.code) == (status, code)
    assert not found.outcome_unknown


@pytest.mark.parametrize(
    ("status", "error", "unknown"),
    [
        (400, '{"code": 250}', False),
        (401, '{"code": 121}', False),
        (403, '{"code": 1}', False),
        (404, '{"code": 404}', False),
        (429, '{"code": 429}', False),
        (500, '{"code": 500}', True),
        (503, '{"code": 250}', True),
        (200, '{"code": 250}', False),
        (200, '{"code": 500}', True),
    ],
)
def test_after_a_create_only_a_definite_no_leaves_no_doubt(
    status: int, error: str, unknown: bool
) -> None:
    found = failure(status, envelope(error), create_person("Ada", "", ""))
    assert found.outcome_unknown is unknown


@pytest.mark.parametrize(
    ("status", "body", "media", "kind", "unknown"),
    [
        (200, PAGE, "text/html", UnreadableAnswer, True),
        (200, PAGE, "application/json", UnreadableAnswer, True),
        (200, b"<p>Hello</p>", "text/html", UnreadableAnswer, True),
        (200, b"", "application/json", UnreadableAnswer, True),
        (204, b"", "", UnreadableAnswer, True),
        (200, b'{"status": "ok", "people": {"person": [{"id"', "", UnreadableAnswer, True),
        (302, b"", "", UnreadableAnswer, True),
        (511, PAGE, "text/html", UnreadableAnswer, True),
        (404, PAGE, "text/html", UnreadableAnswer, False),
        (403, PAGE, "text/html", UnreadableAnswer, False),
        (401, PAGE, "text/html", NotAuthorised, False),
        (429, PAGE, "text/html", TooManyRequests, False),
        (502, PAGE, "text/html", ServiceFault, True),
        (500, b"", "", ServiceFault, True),
        (400, b"", "", InputRefused, False),
        (400, b"{", "", InputRefused, False),
        (404, b"[]", "", NotFound, False),
        (403, b'{"message": "Forbidden"}', "", NotPermitted, False),
    ],
)
def test_answers_of_others_than_the_service_are_told_apart(
    status: int, body: bytes, media: str, kind: type[ApiError], unknown: bool
) -> None:
    found = failure(status, body, create_person("Ada", "", ""), media)
    assert type(found) is kind
    assert (found.status, found.code, found.outcome_unknown) == (status, None, unknown)
    assert not failure(status, body, all_flows(), media).outcome_unknown
    assert "hotel" not in found.message + found.details


@pytest.mark.parametrize(
    "body",
    [
        b'{"status": "ok", "people": {}}',
        b'{"status": "OK"}',
        b'{"people": []}',
        b'{"status": "ok", "error": null, "people": ""}',
        b'{"status": 1, "people": [], "error": []}',
    ],
)
def test_a_success_is_given_on(body: bytes) -> None:
    context = RequestContext.now(all_flows(), "x.org", "https://x.org")
    assert isinstance(
        open_envelope(Response(200, "text/html", body), context, "json", "people"), dict
    )


def test_an_error_the_document_does_not_know_is_shown_in_the_services_words() -> None:
    told = envelope('{"code": 77, "message": "<b>Plan</b> ended\\u0000\\n &amp; so on\\u202e"}')
    message = failure(400, told, all_flows()).message
    assert message.endswith("It says: <b>Plan</b> ended &amp; so on")


def test_a_known_error_keeps_to_our_words() -> None:
    told = envelope('{"code": 102, "message": "Invalid API Key."}')
    assert "Invalid API Key" not in failure(401, told, all_flows()).message


def test_the_service_s_own_words_are_kept_where_they_are_not_said() -> None:
    told = envelope('{"code": 500, "message": "Sorry, we\'ve run into  a problem."}')
    fault = failure(500, told, create_person("Ada", "", ""))
    assert fault.service_words == "Sorry, we've run into a problem."
    assert fault.service_words not in fault.message + fault.details
    assert failure(500, b"", create_person("Ada", "", "")).service_words == ""


def test_the_services_words_are_short_and_hold_no_secret() -> None:
    remember_secret("a-secret-of-this-test")
    words = plain_words("key a-secret-of-this-test " + "Zürich-Ost" * 50)
    assert "a-secret" not in words
    assert len(words) == 200


def test_a_doubtful_outcome_is_said_to_the_person() -> None:
    sure = failure(500, b"", all_flows())
    unsure = failure(500, b"", create_person("Ada", "", ""))
    assert unsure.message.startswith(sure.message)
    assert "may or may not" in unsure.message


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (b'{"status": "fail", "error": "Plan & <i>price</i>"}', None, "Plan & <i>price</i>"),
        (b'{"status": "fail", "error": [{"code": 9, "message": "Listed"}]}', 9, "Listed"),
        (b'{"status": "error", "code": "9", "message": "Beside"}', 9, "Beside"),
        (b'{"status": "fail", "error": {"code": 9, "message": 42}}', 9, "42"),
        (b'{"status": "ok", "error": {"code": 9, "message": "Odd"}}', 9, "Odd"),
    ],
)
def test_code_and_words_are_found_where_services_put_them(
    body: bytes, code: int | None, words: str
) -> None:
    found = failure(200, body, all_flows())
    assert (type(found), found.code) == (InputRefused, code)
    assert found.message.endswith(f"It says: {words}")


def test_a_result_outweighs_an_error_beside_it() -> None:
    body = b'{"status": "ok", "error": {"code": 9}, "people": []}'
    context = RequestContext.now(all_flows(), "x.org", "https://x.org")
    assert open_envelope(Response(200, "", body), context, "json", "people")["people"] == []


@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
@pytest.mark.parametrize("status", [200, 403, 404])
def test_a_web_page_is_named_in_every_format(format_name: str, status: int) -> None:
    page = b"<html><head><title>Welcome</title></head><body><p>Sign in</p></body></html>"
    context = RequestContext.now(all_flows(), "x.org", "https://x.org")
    with pytest.raises(UnreadableAnswer) as caught:
        open_envelope(Response(status, "text/html", page), context, format_name, "people_flows")
    assert "web page" in caught.value.message
    assert caught.value.cause == Cause(CauseKind.WEB_PAGE, host="x.org")


@pytest.mark.parametrize(
    ("format_name", "body"),
    [
        ("json", b'{"status": "ok", "people": {"person": [{"id": "1", "first'),
        ("xml", b'<rsp status="ok"><people><person id="1"><first'),
        ("php", b'a:2:{s:6:"status";s:2:"ok";s:6:"people";a:1:{'),
    ],
)
def test_half_an_answer_is_named_and_may_be_asked_for_again(format_name: str, body: bytes) -> None:
    context = RequestContext.now(all_flows(), "x.org", "https://x.org")
    with pytest.raises(UnreadableAnswer) as caught:
        open_envelope(Response(200, "", body), context, format_name, "people")
    assert "broke off" in caught.value.message
    assert caught.value.transient


@pytest.mark.parametrize("status", [304, 600, 799, 999, 100])
def test_a_status_that_is_none_is_never_a_success(status: int) -> None:
    body = b'{"status": "ok", "people": []}'
    assert type(failure(status, body, all_flows())) is UnreadableAnswer
