"""The tables that conversations are kept in."""

from app.core.database import Schema

CHATS = Schema(
    one="chat",
    many="chats",
    migrations=(
        (
            """CREATE TABLE conversations (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                title TEXT NOT NULL,
                created REAL NOT NULL,
                updated REAL NOT NULL,
                leaf INTEGER REFERENCES messages(id),
                deleted REAL
            )""",
            # A message may be followed by several: versions of an answer, branches of a conversation.
            """CREATE TABLE messages (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
                parent INTEGER REFERENCES messages(id),
                role TEXT NOT NULL,
                text TEXT NOT NULL,
                created REAL NOT NULL
            )""",
            """CREATE TABLE answers (
                message INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
                state TEXT NOT NULL,
                target TEXT NOT NULL,
                draft TEXT,
                problem TEXT NOT NULL,
                stats TEXT,
                spans TEXT NOT NULL
            )""",
            "CREATE INDEX messages_by_conversation ON messages(conversation)",
            "CREATE INDEX messages_by_parent ON messages(parent)",
            "CREATE INDEX conversations_by_leaf ON conversations(leaf)",
        ),
    ),
)
