"""The six ways an authorisation can fail (api-spec, OAuth exchange errors)."""

from enum import StrEnum

from app.demo.redirects import WayBack


class ErrorValue(StrEnum):
    """The error values of the contract."""

    INVALID_REQUEST = "invalid_request"
    UNKNOWN_CLIENT = "unknown_client"
    INVALID_REDIRECT_URI = "invalid_redirect_uri"
    SERVER_ERROR = "server_error"
    UNKNOWN_SCOPE = "unknown_scope"
    ACCESS_DENIED = "access_denied"


class Refusal(Exception):
    """An authorisation that ends here.

    `way_back` is where the program waits for the answer, None where no address may be trusted with
    it: then the person is told on a page.
    """

    def __init__(self, value: ErrorValue, message: str, way_back: WayBack | None = None) -> None:
        super().__init__(message)
        self.value = value
        self.message = message
        self.way_back = way_back
