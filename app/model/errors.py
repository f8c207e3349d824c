"""Errors that are part of the day: they end in one clear sentence for the person."""


class ExpectedError(Exception):
    """Something that can happen to anybody, said so that the person knows what to do next.

    `title` is a few words, `message` one sentence; both are in the person's language.
    """

    def __init__(self, title: str, message: str, *, details: str = "") -> None:
        """`details` is for an administrator and sits behind "Copy details"; it holds no secret."""
        super().__init__(message)
        self.title = title
        self.message = message
        self.details = details
