"""A small file that tells a colleague's Front Desk where the account is; it never holds a secret.

Whether the addresses are usable is left to `app.api.addresses`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from app.api.addresses import check_base_url, check_redirect_address
from app.api.errors import AddressRefused
from app.api.sign_in.oauth import LEAST_PERMISSIONS, PERMISSIONS, in_order
from app.model.errors import ExpectedError
from app.runtime.files import open_regular, save_as
from app.runtime.words import tr

# Bytes; what goes on after that is cut off and then no JSON any more.
_LARGEST = 64 * 1024
_FOR_COLLEAGUES = 0o644
"""It holds no secret, and is saved for others to open."""
_SECRET_WORDS = ("secret", "token", "password", "passwd", "credential", "key")


class ConnectionDetails(msgspec.Struct, frozen=True, kw_only=True):
    """Where an account is. For signing in through its page, also how that knows this program, and
    which permissions to ask for.
    """

    name: str
    base_url: str
    client_id: str | None = None
    redirect_uri: str | None = None
    scope: tuple[str, ...] = LEAST_PERMISSIONS


class ConnectionFileError(ExpectedError):
    """The file cannot be used or written; the message says why and what to do."""

    def __init__(self, message: str, *, details: str = "") -> None:
        """`message` is one sentence for the person."""
        super().__init__(tr("The connection file"), message, details=details)


def read_connection(path: Path) -> ConnectionDetails:
    """The connection in a JSON file: `name`, `base_url`, `client_id`, `redirect_uri`, `scope`.

    A missing name becomes the host's; keys of other programs are left alone. Raises ExpectedError
    with a sentence: unreadable, not such a file, an address that cannot be used, or a key that
    looks like a secret, which is refused so that nobody gets used to passing secrets around.
    """
    content = _content(path)
    _refuse_secrets(content)
    base_url = _checked(content, "base_url", check_base_url)
    if base_url is None:
        raise ConnectionFileError(
            tr("The connection file does not say the address of the account.")
        )
    return ConnectionDetails(
        name=_text(content, "name") or urlsplit(base_url).hostname or base_url,
        base_url=base_url,
        client_id=_text(content, "client_id"),
        redirect_uri=_checked(content, "redirect_uri", check_redirect_address),
        scope=_scope(content),
    )


def write_connection(path: Path, connection: ConnectionDetails) -> None:
    """Save the connection so that `read_connection` gives it back.

    Raises ExpectedError when the file cannot be written.
    """
    content = {name: value for name, value in msgspec.to_builtins(connection).items() if value}
    if connection.scope == LEAST_PERMISSIONS:
        del content["scope"]
    try:
        text = msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
        save_as(path, text, new_mode=_FOR_COLLEAGUES)
    except (OSError, UnicodeError) as error:
        raise ConnectionFileError(
            tr("The connection file could not be saved there. Choose another folder."),
            details=str(error),
        ) from error


def _content(path: Path) -> dict[str, Any]:
    try:
        # A pipe or a device would be waited for, in front of everybody.
        with os.fdopen(open_regular(path, os.O_RDONLY, follow_links=True), "rb") as file:
            body = file.read(_LARGEST)
    except OSError as error:
        raise ConnectionFileError(
            tr("The connection file {file} could not be opened.", file=path.name),
            details=str(error),
        ) from error
    try:
        # Editors on Windows put a mark in front of the text.
        return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ConnectionFileError(tr("{file} is not a connection file.", file=path.name)) from error


def _refuse_secrets(content: object) -> None:
    if isinstance(content, dict):
        for key, value in content.items():
            if any(word in key.lower() for word in _SECRET_WORDS):
                raise ConnectionFileError(
                    tr(
                        "The connection file holds “{key}”, which looks like a secret. "
                        "Take it out of the file before anybody passes it on.",
                        key=key,
                    )
                )
            _refuse_secrets(value)
    elif isinstance(content, list):
        for value in content:
            _refuse_secrets(value)


def _text(content: dict[str, Any], key: str) -> str | None:
    value = content.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise ConnectionFileError(tr("“{key}” in the connection file is not a text.", key=key))
    return value.strip() or None


def _checked(content: dict[str, Any], key: str, check: Callable[[str], str]) -> str | None:
    value = _text(content, key)
    try:
        return None if value is None else check(value)
    except AddressRefused as error:
        raise ConnectionFileError(error.message) from None


def _scope(content: dict[str, Any]) -> tuple[str, ...]:
    """The permissions to ask for: what Front Desk cannot do without, and those the file names."""
    named = content.get("scope")
    if named is None:
        return LEAST_PERMISSIONS
    if not isinstance(named, list):
        raise ConnectionFileError(tr("“scope” in the connection file is not a list."))
    for value in named:
        if value not in tuple(PERMISSIONS):
            raise ConnectionFileError(
                tr(
                    "The connection file asks for “{permission}”, "
                    "which is no permission that Front Desk knows.",
                    permission=value,
                )
            )
    return in_order((*LEAST_PERMISSIONS, *named))
