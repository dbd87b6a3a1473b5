"""The calls that read: a repository and the arguments of a request in, a command's answer out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from memoir.answers import read as shapes
from memoir.answers import recall, sources, trace
from memoir.answers.answer import Answer
from memoir.errors import InvalidInput
from memoir.recall.query import QueryFields
from memoir.recall.timeline import DEFAULT_LIMIT as MOST_MOMENTS
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import DEFAULT_NAMESPACE as DEFAULT

if TYPE_CHECKING:
    from memoir.records.record import Record
    from memoir.taxonomy.paths import Address

Names = list[str] | None


def get(
    repository: Repository, keys: list[str], prefix: bool = False, namespace: str = DEFAULT, at: str | None = None
) -> Answer:
    """Read memories by path or glob, or all under a prefix."""
    items = repository.get_many(keys, namespace=namespace, prefix=prefix, at=at)
    return shapes.get(items, lambda key: repository.hint(key, at=at), exit_code=False, both=repository.user is not None)


def ls(
    repository: Repository, prefix: str | None = None, long: bool = False, expired: bool = False,
    namespace: Names = None, limit: int | None = None, after: str | None = None, at: str | None = None,
) -> Answer:  # fmt: skip
    """List the paths under a prefix; with `long`, what is there."""
    expiry = repository.expiry_marks(
        repository.keys(namespaces=namespace or (), prefix=prefix, after=after, at=at), at=at
    )
    addresses = expiry.addresses(expired_only=expired)
    checks = shapes.Checks(repository.staleness(at=at), expiry.is_expired)

    def records(places: "Iterable[Address]") -> "Iterator[tuple[Address, Record]]":
        return repository.records(places, at=at)

    return shapes.ls(addresses, checks, prefix, limit, records if long else None)


def grep(
    repository: Repository, pattern: str, fixed: bool = False, ignore_case: bool | None = None, context: int = 0,
    names_only: bool = False, keys: Names = None, sources: str = "yes", namespace: Names = None, at: str | None = None,
) -> Answer:  # fmt: skip
    """Find the lines of memories, and of what was said in sources, that match a pattern."""
    matches = repository.grep(
        pattern, globs=keys or (), namespaces=namespace or (), fixed=fixed, ignore_case=ignore_case, context=context,
        sources=sources, at=at,
    )  # fmt: skip
    return shapes.grep(matches, pattern, names_only=names_only)


def summarize(
    repository: Repository, depth: int | None = None, keys: Names = None, limit: int | None = None,
    after: str | None = None, namespace: Names = None, at: str | None = None,
) -> Answer:  # fmt: skip
    """Show what is stored, as counts and keys."""
    survey = repository.summarize(namespace or (), depth=depth, globs=keys or (), limit=limit, after=after, at=at)
    return shapes.summarize(survey, depth)


def ask(
    repository: Repository, query: str, path: str | None = None, trace: bool = False, timings: bool = False,
    return_prompts: bool = False, **fields: Unpack[QueryFields],
) -> Answer:  # fmt: skip
    """Find the memories that answer a question, best first.

    Clients of memoir-ai send the folder of the store as `path`; one of another store is refused.
    """
    folders = (repository.path.parent.resolve(), repository.path.resolve())
    if path is not None and ("\0" in path or Path(path).resolve() not in folders):
        raise InvalidInput("this server serves another store", "leave out path")
    return recall.recall(repository.recall(query, **fields), recall.Display(timings, return_prompts, trace))


def explain(repository: Repository, query: str, key: str, **fields: Unpack[QueryFields]) -> Answer:
    """Show why a memory ranks where it does for a question."""
    return trace.explain(repository.explain(query, key, **fields))


def timeline(
    repository: Repository, around: str | None = None, since: str | None = None, until: str | None = None,
    limit: int = MOST_MOMENTS, namespace: Names = None, at: str | None = None,
) -> Answer:  # fmt: skip
    """Show memories by the time they were learnt, newest first."""
    found = repository.timeline(
        around=around, since=since, until=until, limit=limit, namespaces=namespace or (), at=at
    )  # fmt: skip
    return recall.timeline(found)


def list_sources(repository: Repository, namespace: Names = None, at: str | None = None) -> Answer:
    """List the sources that were ingested."""
    return sources.sources(repository.sources.list(namespace or (), at=at))
