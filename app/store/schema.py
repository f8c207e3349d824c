"""The tables of the cache, version by version, and what the one row per person looks like.

A version that was released is never edited: the next one is added below it.
"""

MIGRATIONS = (
    (
        # A row number is never given twice: a window may still hold one of somebody who is gone.
        """
        CREATE TABLE people (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            firstname TEXT,
            lastname TEXT,
            email TEXT,
            phone TEXT,
            mobile TEXT,
            date_added INTEGER,
            date_modified INTEGER,
            admin INTEGER,
            archived INTEGER,
            volunteer INTEGER,
            last_key TEXT NOT NULL,
            first_key TEXT NOT NULL,
            email_key TEXT NOT NULL,
            phone_key TEXT NOT NULL,
            mobile_key TEXT NOT NULL,
            unspaced_key TEXT NOT NULL
        )
        """,
        "CREATE TABLE flows (place INTEGER PRIMARY KEY, flow TEXT NOT NULL)",
        "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    ),
)
