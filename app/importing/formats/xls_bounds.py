"""What an older workbook (XLS) is before it is opened: its container holds a locked newer one, too.

How far its sheets reach the format bounds itself, and the process that reads it.
"""

from app.importing.formats.workbook_limits import locked


def check_xls(content: bytes) -> None:
    """Raises UnreadableList where it is locked with a password."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise locked()
