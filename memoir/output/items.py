"""The shapes of memories: `get`, `ls`, `grep`, and what writing them answers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from memoir.errors import ExitCode
from memoir.memory.record import Record, in_force, last_updated, projection
from memoir.output.answer import Answer, Counted, Line, Span, line
from memoir.output.dates import local
from memoir.output.text import one_line, plural
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.filing.classifier import Placement
    from memoir.filing.decision import Decision
    from memoir.memory.grep import Hit, Match
    from memoir.memory.policy import Outcome
    from memoir.memory.read import Item
    from memoir.memory.write import Remembered
    from memoir.store.commit import Commit


def place(address: Address) -> dict[str, Any]:
    """The three fields that name a path."""
    return {"key": address.path, "namespace": address.namespace, "full_key": address.full_key}


def value(record: Record) -> dict[str, Any]:
    """A record as `get` shows it: the single format, or the aggregated one if several memories are in force."""
    facets = in_force(record)
    superseded = sum(not facet.active for facet in record)
    if len(facets) == 1:
        return {**facets[0].as_dict(), "superseded": superseded}
    return {
        "content": projection(record),
        "memories": [facet.as_dict() for facet in facets],
        "count": len(facets),
        "last_updated": last_updated(record),
        "superseded": superseded,
    }


def get(items: "Sequence[Item]", hint: Callable[[Address], str], *, exit_code: bool) -> Answer:
    """`get`: every key asked for, found or not; people get a hint for one that is not."""
    data = {
        "items": [
            {
                **place(item.address),
                "found": item.record is not None,
                "value": value(item.record) if item.record else None,
                "below": item.below,
            }
            for item in items
        ],
        "count": len(items),
        "found_count": sum(item.record is not None for item in items),
    }
    missing = any(item.record is None for item in items)
    status = ExitCode.NOT_FOUND if exit_code and missing else ExitCode.OK
    return Answer(data, lambda: _item_lines(items, hint), status, paged=True)


def _item_lines(items: "Sequence[Item]", hint: Callable[[Address], str]) -> Iterable[Line]:
    for position, item in enumerate(items):
        if position:
            yield line()
        if item.record is None:
            yield line((item.address.short_key, "bold"), ("  not found", "red"), f"  ({hint(item.address)})")
        else:
            yield from record_lines(item.address, item.record)


def record_lines(address: Address, record: Record) -> Iterable[Line]:
    """A record for people: where, how sure, since when; then the contents, indented."""
    yield line((address.short_key, "bold cyan"))
    for facet in in_force(record):
        notes = [local(facet.timestamp), f"confidence {facet.confidence:g}"]
        notes += [f"{name}={shown(part)}" for name, part in sorted(facet.metadata.items())]
        yield line(("  " + "  ".join(notes), "dim"))
        for text in facet.content.split("\n"):
            yield line("    " + text)


def shown(part: Any) -> str:
    """A metadata value for people."""
    if isinstance(part, str):
        return part
    import orjson

    return orjson.dumps(part).decode()


def ls(found: Iterator[Address], prefix: str | None, limit: int | None = None) -> Answer:
    """`ls`: the keys under a prefix, as they come; `next` continues after the last one if a limit cut them."""
    page = Counted(islice(found, limit))
    data = {
        "prefix": prefix,
        "keys": map(place, page),
        "count": lambda: page.count,
        "next": lambda: page.last.full_key if page.last and next(found, None) is not None else None,
    }
    return Answer(
        data, lambda: (line(address.short_key) for address in page), paged=True,
        notes=lambda: nothing(page.count, "no memories"),
    )  # fmt: skip


def grep(found: "Iterator[Match]", pattern: str, *, names_only: bool) -> Answer:
    """`grep`: the memories that match, with their lines, as they come; exit 1 if there are none."""
    matches = Counted(found)
    data = {
        "pattern": pattern,
        "matches": (
            {**place(m.address), "lines": [{"line": hit.number, "text": hit.text} for hit in m.lines]} for m in matches
        ),
        "count": lambda: matches.count,
    }

    def human() -> Iterable[Line]:
        for match in matches:
            name = (match.address.short_key, "magenta")
            if names_only:
                yield line(name)
            else:
                yield from ([name, (":", "cyan"), *_highlighted(hit)] for hit in match.lines)

    def status() -> ExitCode:
        return ExitCode.OK if matches.count or next(matches, None) else ExitCode.FAILURE

    return Answer(data, human, paged=True, optional=True, ended=status)


def _highlighted(hit: "Hit") -> Iterable[Span]:
    """A line with what matches in it marked."""
    at = 0
    for start, end in hit.spans:
        yield hit.text[at:start], ""
        yield hit.text[start:end], "bold red"
        at = end
    yield hit.text[at:], ""


def nothing(found: Collection[object] | int, what: str = "nothing found") -> list[Line]:
    """The remark on an empty answer."""
    return [] if found else [line((what, "dim"))]


def commit_fields(commit: "Commit | None") -> dict[str, Any]:
    """The two fields that name a write's commit; null if nothing changed."""
    from memoir.times import from_epoch

    return {
        "commit_hash": commit.id if commit else None,
        "commit_date": from_epoch(commit.committer.time) if commit else None,
    }


def remember(
    result: "Remembered",
    content: str,
    confidence: float,
    *,
    filing: "Decision | None" = None,
    degraded: str | None = None,
    dry_run: bool = False,
) -> Answer:
    """`remember`: where the memory went and what it met there; with `filing`, who decided that."""
    addresses = list(result.outcomes)
    data = {
        "key": addresses[0].path,
        "keys": [address.path for address in addresses],
        "full_key": addresses[0].full_key,
        "confidence": confidence,
        **commit_fields(result.commit),
        "namespace": addresses[0].namespace,
        "content": content,
        "conflicts": [
            {**place(address), "policy": outcome.policy, "superseded": [facet.content for facet in outcome.superseded]}
            for address, outcome in result.outcomes.items()
            if outcome.policy
        ],
        "filing": decision(filing) if filing else None,
        "degraded": degraded,
        "dry_run": dry_run,
    }

    def human() -> Iterable[Line]:
        yield from decision_lines(filing) if filing else ()
        yield from [line(("degraded: " + degraded, "yellow"))] if degraded else ()
        yield from _remembered_lines(result, "would go to" if dry_run else short(result.commit))

    return Answer(data, human, optional=not dry_run)


def _remembered_lines(result: "Remembered", first: str) -> Iterable[Line]:
    for address, outcome in result.outcomes.items():
        met = f"  ({_met(outcome)})" if outcome.policy else ""
        yield line((first, "yellow"), "  ", (address.short_key, "bold"), (met, "dim"))
        if not outcome.stands:
            yield line(("    kept the memory that was there (it is surer); yours is stored as superseded", "dim"))
        for facet in outcome.superseded if outcome.stands else ():
            yield line(("    superseded: " + one_line(facet.content), "dim"))


def _met(outcome: "Outcome") -> str:
    """What became of a memory on an occupied path, in a word."""
    if not outcome.stands:
        return "kept"
    return {"append": "joined", "confirmed": "confirmed", "llm_merge": "merged"}.get(outcome.policy or "", "replaced")


def decision(made: "Decision") -> dict[str, Any]:
    """How a memory was filed: who decided, how sure, why, and what else came into question."""
    return {
        "by": made.by,
        "confidence": round(made.confidence, 4),
        "reason": made.reason,
        "inbox": not made.placements,
        "paths": [_placement(placement) for placement in made.placements],
        "runner_up": _placement(made.runner_up) if made.runner_up else None,
        "usage": made.usage.as_dict(),
    }


def _placement(placement: "Placement") -> dict[str, Any]:
    return {"path": placement.path, "confidence": round(placement.confidence, 4)}


def decision_lines(made: "Decision") -> Iterable[Line]:
    """The same for people, in one line."""
    rival = f"; else {made.runner_up.path} ({made.runner_up.confidence:.2f})" if made.runner_up else ""
    where = "not sure enough, so to the inbox" if not made.placements else f"sure to {made.confidence:.2f}"
    yield line((f"filed by {made.by}, {where}: {one_line(made.reason)}{rival}", "dim"))


def short(commit: "Commit | None") -> str:
    """A commit's id for people."""
    return commit.id[:8] if commit else "unchanged"


def written(addresses: Sequence[Address], commit: "Commit | None", verb: str, *, dry_run: bool = False) -> Answer:
    """`forget`, `edit`, `restore`: the keys written and the commit."""
    data = {
        "keys": [place(address) for address in addresses],
        "count": len(addresses),
        **commit_fields(commit),
        "dry_run": dry_run,
    }

    def human() -> Iterable[Line]:
        if not commit and not dry_run:
            yield line("nothing changed")
            return
        for address in addresses:
            yield line((f"would be {verb}" if dry_run else verb, "yellow"), "  ", (address.short_key, "bold"))
        if commit:
            yield line((short(commit), "yellow"), f"  {plural(len(addresses), 'path')}")

    return Answer(data, human, optional=not dry_run)


def moved(pairs: Sequence[tuple[Address, Address]], commit: "Commit | None", *, dry_run: bool) -> Answer:
    """`mv`: each old and new key, and the commit."""
    data = {
        "moves": [{"old": old.full_key, "new": new.full_key} for old, new in pairs],
        "count": len(pairs),
        **commit_fields(commit),
        "dry_run": dry_run,
    }
    return Answer(
        data,
        lambda: [
            line((short(commit) if commit else "would move", "yellow"), f"  {o.short_key} -> {n.short_key}")
            for o, n in pairs
        ],
        optional=not dry_run,
    )
