"""Whether the address of an account leads to its service, asked while somebody signs in.

The looking itself is the client's; it is imported then, for it loads the network library.
"""

from typing import Protocol

from app.api.sign_in.oauth import SignInRequest


class AddressCheck(Protocol):
    """What signing in wants to know of an address. None asks with a credential."""

    async def before_page(self, request: SignInRequest) -> str | None:
        """None where the account's page may be shown, in doubt too. Else the address that was
        probably meant, blank where none is known. Raises NotEncrypted where nobody speaks https.
        """

    async def shorter(self, base_url: str) -> str | None:
        """The address of the service where `base_url` only says too much; None elsewhere."""

    async def unencrypted(self, base_url: str) -> str | None:
        """The same address with http:// where the service is there, on this computer; else None."""


class ServiceAddressCheck:
    """Asks the address itself, and what it says too much."""

    async def before_page(self, request: SignInRequest) -> str | None:
        """As in `AddressCheck`; takes a few seconds at the most."""
        from app.api.sign_in import discovery  # noqa: PLC0415 - httpx is not for the first paint

        there = await discovery.encrypted_presence_at(request.base_url)
        if there is not discovery.Presence.SOMETHING_ELSE:
            return None
        meant = await discovery.shorter_address(request.base_url)
        if meant is None and await discovery.has_no_page(request):
            return ""
        return meant

    async def shorter(self, base_url: str) -> str | None:
        """As in `AddressCheck`."""
        from app.api.sign_in import discovery  # noqa: PLC0415

        return await discovery.shorter_address(base_url)

    async def unencrypted(self, base_url: str) -> str | None:
        """As in `AddressCheck`."""
        from app.api.sign_in import discovery  # noqa: PLC0415

        return await discovery.unencrypted_address(base_url)
