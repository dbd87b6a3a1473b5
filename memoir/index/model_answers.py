"""A cache of models' answers in the index; the least recently used ones are deleted."""

import time
from typing import Any

import apsw

from memoir.git.objects import sha1

MOST_ANSWERS = 1000


def key(*parts: Any) -> bytes:
    """The key of an answer: a digest of everything that the answer depends on."""
    import json

    return sha1(json.dumps(parts, ensure_ascii=True).encode())


def find(database: apsw.Connection, answer: bytes) -> Any:
    """The kept answer, or None. Call it in a write transaction, because it notes the use."""
    value: bytes | None = database.execute("SELECT value FROM answer WHERE id = ?", (answer,)).get
    if value is None:
        return None
    import json

    database.execute("UPDATE answer SET used = ? WHERE id = ?", (time.time(), answer))
    return json.loads(value)


def keep(database: apsw.Connection, answer: bytes, value: Any) -> None:
    """Keep an answer; beyond `MOST_ANSWERS` the least recently used one is deleted."""
    import json

    data = json.dumps(value).encode()
    database.execute("INSERT OR REPLACE INTO answer VALUES(?, ?, ?)", (answer, time.time(), data))
    database.execute(
        "DELETE FROM answer WHERE id IN (SELECT id FROM answer ORDER BY used DESC LIMIT -1 OFFSET ?)", (MOST_ANSWERS,)
    )
