"""What a vault has of an account, without the address that stands in front of it."""

from app.accounts.vault import SecretKind, Vault, apart


async def kept_secret(
    vault: Vault, account_id: str, part: SecretKind = SecretKind.CREDENTIAL
) -> str | None:
    """The bare secret."""
    read = apart(await vault.read(account_id, part) or "")
    return read and read[1]
