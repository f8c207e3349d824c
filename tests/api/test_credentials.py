"""Keys and tokens: kept to themselves, and never in a header that could break."""

import pytest

from app.api.auth import ApiKey, BearerToken
from app.api.errors import NotAuthorised
from app.runtime.secrets import redact

SECRET = "canary-of-the-credentials"


@pytest.mark.parametrize("credential", [ApiKey(SECRET), BearerToken(SECRET)])
def test_a_credential_shows_nothing_of_itself(credential: ApiKey | BearerToken) -> None:
    assert SECRET not in repr(credential)
    assert SECRET not in f"{credential} {[credential]}"


def test_a_credential_is_taken_out_of_every_log_line() -> None:
    BearerToken("canary-token-for-the-log")
    assert "canary-token" not in redact("sent canary-token-for-the-log away")


@pytest.mark.parametrize("token", ["", " ", "two words", "line\nend", "käse", "\x00"])
def test_a_token_no_header_can_carry_asks_to_sign_in_again(token: str) -> None:
    with pytest.raises(NotAuthorised):
        BearerToken(token)
