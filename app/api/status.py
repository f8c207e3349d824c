"""What the first digit of an HTTP status says; the rest is the document's."""

_SUCCESS, _ELSEWHERE, _REFUSAL, _FAULT, _END = 200, 300, 400, 500, 600


def is_success(number: int | None) -> bool:
    """Whether the call was processed (2xx); the document's own is 200."""
    return number is not None and _SUCCESS <= number < _ELSEWHERE


def is_elsewhere(number: int | None) -> bool:
    """Whether the answer sends the caller to another address (3xx)."""
    return number is not None and _ELSEWHERE <= number < _REFUSAL


def is_refusal(number: int | None) -> bool:
    """Whether the request was refused, so that nothing was done (4xx)."""
    return number is not None and _REFUSAL <= number < _FAULT


def is_fault(number: int | None) -> bool:
    """Whether the other side failed, so that something may have been done (5xx)."""
    return number is not None and _FAULT <= number < _END


def is_failure(number: int | None) -> bool:
    """Whether the status alone says that the call did not succeed."""
    return is_refusal(number) or is_fault(number)
