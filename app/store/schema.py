"""The tables of the cache and of the outbox; `database` refuses a file of another version."""

VERSION = 1
"""SQLite's own number of the version of a file, for both of them."""

CACHE_TABLES = (
    # A row number is never given twice: a window may still hold one of somebody who is gone. Behind
    # the fields of the document, `others` is a JSON array of pairs, name and text.
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
        preferred_name TEXT,
        deceased INTEGER,
        others TEXT,
        last_key TEXT NOT NULL,
        first_key TEXT NOT NULL,
        email_key TEXT NOT NULL,
        phone_key TEXT NOT NULL,
        mobile_key TEXT NOT NULL,
        unspaced_key TEXT NOT NULL,
        others_key TEXT NOT NULL
    )
    """,
    "CREATE TABLE flows (place INTEGER PRIMARY KEY, flow TEXT NOT NULL)",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # What the readings have changed: `change` is the whole of it. A place is never given twice,
    # because it says up to where somebody has looked.
    """
    CREATE TABLE changes (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        change TEXT NOT NULL
    )
    """,
    "CREATE INDEX changes_of_subject ON changes (subject)",
    # Of those that are too many to be kept one by one: how many, by the quarter of an hour, and how
    # many of them nobody has seen, for somebody may look in the middle of a quarter.
    """
    CREATE TABLE cut_changes (
        quarter INTEGER NOT NULL,
        kind TEXT NOT NULL,
        n INTEGER NOT NULL,
        place INTEGER NOT NULL,
        unseen INTEGER NOT NULL,
        PRIMARY KEY (quarter, kind)
    ) WITHOUT ROWID
    """,
    # The list in order as it was sorted last: `rows` has four bytes a person, `flags` one by row
    # number, as memory has them. Who was moved up to which serial number is in it; the others have
    # to be put in their place.
    """
    CREATE TABLE orders (
        sort_key TEXT PRIMARY KEY,
        rows BLOB NOT NULL,
        flags BLOB NOT NULL,
        checksum INTEGER NOT NULL,
        moved INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE TABLE moved (serial INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL)",
)

# What is read out of the bytes of a damaged outbox is each row's id, and its last column for the
# whole of it (`store/outbox/damaged_file.py`).
OUTBOX_TABLES = (
    # `entry` is the whole of it, made to be found without the table around it; the columns beside
    # it are for looking things up.
    """
    CREATE TABLE entries (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        revision INTEGER NOT NULL,
        state TEXT NOT NULL,
        entry TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE history (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        revision INTEGER NOT NULL,
        state TEXT NOT NULL,
        person_id TEXT,
        entry TEXT NOT NULL
    )
    """,
    "CREATE INDEX history_of_person ON history (person_id)",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # Beside SQLite's own number of the version: one damaged byte must not pass for a newer one.
    "INSERT INTO facts VALUES ('version', '1')",
    # Lists of people taken together: `rows` has a hundred rows of one. The people in it are entries
    # like all others, under ids that begin with the batch's.
    """
    CREATE TABLE batches (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        batch TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE batch_rows (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        rows TEXT NOT NULL
    )
    """,
    # Lists that are looked over: how each stands, which is small and written often, and apart from
    # it the list as it was read, written once under an id that begins with the review's.
    """
    CREATE TABLE reviews (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        review TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE review_sources (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL
    )
    """,
)
