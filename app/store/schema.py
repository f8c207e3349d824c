"""The tables of the cache and of the outbox, version by version.

A version that was released is never edited: the next one is added below it. `database` brings a
file up to the last one, and refuses one that is newer (`StoreTooNew`).
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
    (
        # What was kept before fields had limits (`model.field_limits`), with the keys made of it: a
        # megabyte in a field was held in memory, sorted by and looked through at each key press.
        """
        UPDATE people SET
            firstname = substr(firstname, 1, 200), lastname = substr(lastname, 1, 200),
            email = substr(email, 1, 1000), phone = substr(phone, 1, 1000),
            mobile = substr(mobile, 1, 1000), last_key = substr(last_key, 1, 1000),
            first_key = substr(first_key, 1, 1000), email_key = substr(email_key, 1, 1000),
            phone_key = substr(phone_key, 1, 2001), mobile_key = substr(mobile_key, 1, 2001),
            unspaced_key = substr(unspaced_key, 1, 2000)
        WHERE length(CAST(
            ifnull(firstname, '') || ifnull(lastname, '') || ifnull(email, '')
            || ifnull(phone, '') || ifnull(mobile, '') || last_key || first_key || email_key
            || phone_key || mobile_key || unspaced_key AS BLOB
        )) > 400
        """,
        """
        UPDATE people SET date_added = NULL
        WHERE date_added NOT BETWEEN -62135510400 AND 253402214399
        """,
        """
        UPDATE people SET date_modified = NULL
        WHERE date_modified NOT BETWEEN -62135510400 AND 253402214399
        """,
    ),
    (
        # Beyond the document's fields; `others` is a JSON array of pairs, name and text.
        "ALTER TABLE people ADD COLUMN preferred_name TEXT",
        "ALTER TABLE people ADD COLUMN deceased INTEGER",
        "ALTER TABLE people ADD COLUMN others TEXT",
        "ALTER TABLE people ADD COLUMN others_key TEXT NOT NULL DEFAULT ''",
    ),
    (
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
        # Of those that are too many to be kept one by one: how many, by the quarter of an hour.
        """
        CREATE TABLE cut_changes (
            quarter INTEGER NOT NULL,
            kind TEXT NOT NULL,
            n INTEGER NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (quarter, kind)
        ) WITHOUT ROWID
        """,
        # Who was read whole by an older version is known: the next reading can bring news.
        """
        INSERT INTO facts (name, value)
        SELECT 'people first whole', value FROM facts WHERE name = 'people as of'
        AND EXISTS (SELECT 1 FROM facts WHERE name = 'people whole' AND value = 1)
        """,
    ),
    (
        # How many of them nobody has seen: somebody may look in the middle of a quarter.
        "ALTER TABLE cut_changes ADD COLUMN unseen INTEGER NOT NULL DEFAULT 0",
    ),
    (
        # The list in order as it was sorted last: `rows` has four bytes a person, `flags` one. Who
        # was moved up to which serial number is in it; the others have to be put in their place.
        """
        CREATE TABLE orders (
            sort_key TEXT PRIMARY KEY,
            rows BLOB NOT NULL,
            flags BLOB NOT NULL,
            moved INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
        "CREATE TABLE moved (serial INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL)",
    ),
    (
        # The same with `flags` by row number, as memory has them, and a checksum over both: putting
        # each flag in its place took longer than all else of a start. What was kept is sorted anew.
        "DROP TABLE orders",
        "DELETE FROM moved",
        """
        CREATE TABLE orders (
            sort_key TEXT PRIMARY KEY,
            rows BLOB NOT NULL,
            flags BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            moved INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
    ),
    (
        # Their keys have the word of the language that was spoken when they were kept; folding is
        # no matter of SQLite's, so they are mended when the file is opened.
        """
        INSERT INTO facts (name, value)
        SELECT 'keys of a language', 1 WHERE EXISTS (SELECT 1 FROM people WHERE deceased IS 1)
        """,
    ),
    (
        # The flags tell who has a number from here on. What was kept is sorted anew.
        "DELETE FROM orders",
        "DELETE FROM moved",
    ),
)

# What is read out of the bytes of a damaged outbox is each row's id, and its last column for the
# whole of it (`store/outbox/damaged_file.py`): a column that is added later stands before that one.
OUTBOX_MIGRATIONS = (
    (
        # `entry` is the whole of it, made to be found without the table around it; the columns
        # beside it are for looking things up.
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
    ),
    (
        # Over the rows: a version that changes rows blanks it, and it is worked out with that.
        "INSERT INTO facts VALUES ('sum', '')",
        "UPDATE facts SET value = '2' WHERE name = 'version'",
    ),
    (
        # Lists of people taken together: `rows` has a hundred rows of one. The people in it are
        # entries like all others, under ids that begin with the batch's.
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
        "UPDATE facts SET value = '3' WHERE name = 'version'",
    ),
    (
        # Lists that are looked over: how each stands, which is small and written often, and apart
        # from it the list as it was read, written once under an id that begins with the review's.
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
        "UPDATE facts SET value = '4' WHERE name = 'version'",
    ),
)
