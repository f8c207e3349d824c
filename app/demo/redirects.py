"""Where a browser may be sent: only to addresses that begin with the registered one."""

from urllib.parse import quote, unquote, urlencode, urlsplit

_FORBIDDEN = frozenset('\\#<>"^`{|} ')


def is_allowed(address: str, registered: str) -> bool:
    """Whether `address` begins with `registered` (api-spec, OAuth exchange errors) and stays there.

    Beginning alone is not enough: what follows must not change the host or leave the path.
    """
    if not address.startswith(registered) or not _is_plain(address):
        return False
    try:
        asked, known = urlsplit(address), urlsplit(registered)
        same_place = asked.scheme == known.scheme and asked.netloc == known.netloc
    except ValueError:
        return False
    segments = unquote(unquote(asked.path)).replace("\\", "/").split("/")
    return same_place and not {".", ".."} & set(segments)


def with_hash(address: str, answer: dict[str, str]) -> str:
    """The address with the answer in its hash, where the user_agent type has it."""
    return f"{address}#{urlencode(answer, quote_via=quote)}"


def _is_plain(address: str) -> bool:
    """No character that browsers drop or read as another one, and no hash before ours."""
    return address.isascii() and address.isprintable() and not _FORBIDDEN & set(address)
