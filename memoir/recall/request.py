"""What is asked of recall, checked once."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.settings import RERANK
from memoir.taxonomy.globs import matcher
from memoir.taxonomy.paths import check_namespace

MAX_QUERY = 100_000
"""How many characters a question may have."""

BoostFn = Callable[[str, str, str], float]
"""Given a memory's namespace, path and content: the factor its score is multiplied by."""


class Boost(NamedTuple):
    """A factor for the memories whose paths match a glob."""

    glob: str
    factor: float


class Request(NamedTuple):
    """One question and everything that decides its answer.

    Times are seconds since 1970; `now` is what relative dates count from. `limit` and `tau` (days; 0 for no
    decay) are the settings' where None.
    """

    query: str
    now: float
    namespaces: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    person: str | None = None
    since: float | None = None
    until: float | None = None
    limit: int | None = None
    threshold: float = 0.0
    max_chars: int | None = None
    boosts: tuple[Boost, ...] = ()
    boost_fn: BoostFn | None = None
    tau: float | None = None
    rerank: str | None = None
    cache: bool = True

    def factor(self, namespace: str, path: str, content: str) -> float:
        """What the boosts make of a memory, all multiplied."""
        product = 1.0
        for boost in self.boosts:
            if matcher([boost.glob])(path):
                product *= boost.factor
        return product * (self.boost_fn(namespace, path, content) if self.boost_fn else 1.0)


def checked(query: Any, *, now: datetime, namespaces: Sequence[str] = (), **options: Any) -> Request:
    """A request from untrusted values.

    Raises:
        InvalidInput: one is of the wrong type or range, naming it.
    """
    if not isinstance(query, str):
        raise InvalidInput(f"query must be a text, not {query!r:.80}" if query is not None else "no query given")
    if len(query) > MAX_QUERY:
        raise InvalidInput(f"a query may have {MAX_QUERY:,} characters, not {len(query):,}", "ask in fewer words")
    if not query.strip():
        raise InvalidInput("nothing to recall: the query is blank", "ask in your own words, or list with 'memoir ls'")
    request = Request(query, now.timestamp(), tuple(sorted({check_namespace(name) for name in namespaces})), **options)
    _whole("limit", request.limit)
    _whole("max-chars", request.max_chars)
    if request.tau is not None and not 0 <= request.tau < float("inf"):
        raise InvalidInput(f"tau must be a number of days from 0 up, not {request.tau!r}")
    if not 0 <= request.threshold <= 1:
        raise InvalidInput(f"threshold must be a number from 0 to 1, not {request.threshold!r}")
    if request.rerank is not None:
        RERANK.parse(request.rerank, "rerank")
    if request.since is not None and request.until is not None and request.since > request.until:
        raise InvalidInput("nothing happened since then and yet before: --since is later than --until")
    return request


def _whole(name: str, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InvalidInput(f"{name} must be a whole number from 1 up, not {value!r}")


def boost(text: str) -> Boost:
    """Read `GLOB=FACTOR`.

    Raises:
        InvalidInput: it is not that, or the factor is no number from 0 up.
    """
    glob, equals, factor = text.rpartition("=")
    try:
        value = float(factor) if equals and glob else -1.0
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InvalidInput(f"not a boost: {text!r}", "write it as 'preferences.*=1.5'")
    return Boost(glob, value)
