"""The people that memories are about, found by a word of their names."""

from collections.abc import Sequence

import apsw


def names(
    database: apsw.Connection, part: str | None = None, namespaces: Sequence[str] = (), *, prefix: bool = False
) -> list[str]:
    """The names of people in some namespaces (in all without any), as they are written.

    Args:
        database: The index.
        part: A case-folded word that a name must have; None for any.
        namespaces: Where the memories are.
        prefix: Whether a word that only begins with `part` is enough.
    """
    conditions, values = ["1"], list[str]()
    if part is not None:
        conditions.append("part BETWEEN ? AND ?")
        values += [part, f"{part}\U0010ffff" if prefix else part]
    if namespaces:
        conditions.append(f"namespace IN ({','.join('?' * len(namespaces))})")
        values += namespaces
    rows = database.execute(f"SELECT DISTINCT name FROM person WHERE {' AND '.join(conditions)}", tuple(values))
    return [str(name) for (name,) in rows]
