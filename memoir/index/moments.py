"""When memories were learnt: all of them in the order of time, the superseded ones too."""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memoir.taxonomy.paths import Address


class LearntAt(NamedTuple):
    """When a memory was learnt (seconds since 1970), and where it is; moments are in this order."""

    learnt: float
    namespace: str
    path: str
    ordinal: int

    @property
    def address(self) -> Address:
        """The path of the memory, with its namespace."""
        return Address(self.namespace, self.path)


class Moments:
    """The moments of some namespaces (of all without any, but the hidden ones), from one time to another, inclusive.

    Those of segments are among them only with `sources`; then all moments of the namespaces are put in order.
    """

    def __init__(
        self,
        database: apsw.Connection,
        namespaces: Sequence[str],
        since: float | None,
        until: float | None,
        layers: Sequence[str] = (),
        *,
        sources: bool = False,
    ) -> None:
        self._database = database
        self._conditions, self._values = ["1" if sources else "NOT source"], list[object]()
        if namespaces:
            self._conditions.append(f"namespace IN ({','.join('?' * len(namespaces))})")
            self._values += namespaces
        if layers:
            self._conditions.append(f"namespace NOT IN ({','.join('?' * len(layers))})")
            self._values += layers
        for bound, sign in ((since, ">="), (until, "<=")):
            if bound is not None:
                self._conditions.append(f"learnt {sign} ?")
                self._values.append(bound)

    def count(self) -> int:
        """How many moments there are."""
        sql = f"SELECT count(*) FROM moment WHERE {' AND '.join(self._conditions)}"
        return int(self._database.execute(sql, tuple(self._values)).get)

    def newest(self, limit: int, until: LearntAt | None = None) -> list[LearntAt]:
        """The newest moments, newest first; with `until`, only that one and those before it."""
        return self._rows(limit, "DESC", "<=", until)

    def oldest(self, limit: int, after: LearntAt) -> list[LearntAt]:
        """The oldest moments after another one, oldest first."""
        return self._rows(limit, "ASC", ">", after)

    def _rows(self, limit: int, order: str, sign: str, bound: LearntAt | None) -> list[LearntAt]:
        conditions, values = list(self._conditions), list(self._values)
        if bound:
            conditions.append(f"({', '.join(LearntAt._fields)}) {sign} (?, ?, ?, ?)")
            values += bound
        sort_key = ", ".join(f"{column} {order}" for column in LearntAt._fields)
        sql = (
            f"SELECT {', '.join(LearntAt._fields)} FROM moment"
            f" WHERE {' AND '.join(conditions)} ORDER BY {sort_key} LIMIT ?"
        )
        return [LearntAt(*row) for row in self._database.execute(sql, (*values, limit))]
