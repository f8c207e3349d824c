"""Somebody signed in to a service, for an outbox that has no session above it."""

from dataclasses import dataclass

from app.api.service import Service


@dataclass
class SignedInTo:
    """None: nobody is signed in."""

    service: Service | None
