"""The tables that experiments are kept in."""

from app.core.database import Schema

COMPARISONS = Schema(
    one="comparison",
    many="comparisons",
    migrations=(
        (
            """CREATE TABLE experiments (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                created REAL NOT NULL,
                kind TEXT NOT NULL,
                target TEXT NOT NULL,
                drafts TEXT NOT NULL,
                prompt TEXT NOT NULL,
                speedup REAL,
                sameness TEXT,
                is_complete INTEGER NOT NULL,
                prompts INTEGER NOT NULL,
                looks_up INTEGER NOT NULL,
                gain TEXT,
                is_sure INTEGER NOT NULL,
                runs INTEGER NOT NULL,
                may_change INTEGER NOT NULL,
                format INTEGER NOT NULL,
                is_deleted INTEGER NOT NULL DEFAULT 0
            )""",
            # Compressed JSON, apart from the list, which needs none of it.
            """CREATE TABLE contents (
                experiment INTEGER PRIMARY KEY REFERENCES experiments(id) ON DELETE CASCADE,
                content BLOB NOT NULL
            )""",
        ),
    ),
)
