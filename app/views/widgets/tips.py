"""Tooltips that show what the account sends as it is: Qt would read some of it as markup."""

from html import escape


def plain_tip(text: str) -> str:
    """`text` as a tooltip shows it letter for letter, wrapped when it is long; blank stays so."""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if text else ""
