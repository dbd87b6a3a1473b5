"""The answers of `remember`, `edit`, `replace`, `mv`, `forget`, `restore`, `pin` and `unpin`.

The HTTP API offers the functions that take a repository, without their keyword-only parameters.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memoir.answers.answer import COMMAND, Answer, Line, line, one_line, plural
from memoir.answers.parts import commit_fields, led, short, target, written
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.program import NAME
from memoir.records.record import Memory
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from memoir.answers.contract import shapes
    from memoir.answers.contract import write as types
    from memoir.repository.repository import Repository
    from memoir.types import Address, Commit, MemoryAddress, Outcome, RememberResult, SimilarMemory

_MOST_SIMILAR = 3
"""How many similar memories are shown to people."""
_LONGEST = 100
"""The most characters of each."""


def remember(
    repository: "Repository", content: str, keys: list[str] | None = None, namespace: str = DEFAULT_NAMESPACE,
    confidence: float = 1.0, timestamp: str | None = None, metadata: dict[str, Any] | None = None,
    links: list[str] | None = None, kind: str | None = None, policy: str | None = None, classifier: str | None = None,
    replace_similar: bool = False, about: list[str] | None = None, expires: str | None = None, dry_run: bool = False,
    message: str | None = None, allow_secret: bool = False, *, word: str = NAME,
) -> Answer:  # fmt: skip
    """Store a memory at one or more paths, or let memoir find the path.

    `word` begins the commands that the answer offers: `memoir`, with the options that lead to this store and branch.
    """
    from memoir.answers.filing import decision, decision_lines, offer_lines

    new = Memory.of(content, confidence=confidence, timestamp=timestamp, metadata=metadata)
    result = repository.remember(
        new, *keys or (), namespace=namespace, policy=policy, classifier=classifier, links=links or (), kind=kind,
        replace_similar=replace_similar, about=about or (), expires=expires,
        options=WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret),
    )  # fmt: skip
    addresses, filing, degraded = list(result.outcomes), result.decision, result.degraded
    data: types.Remember = {
        "key": addresses[0].path,
        "keys": [address.path for address in addresses],
        "full_key": addresses[0].full_key,
        "confidence": new.confidence,
        **commit_fields(result.commit),
        "namespace": addresses[0].namespace,
        "content": new.content,
        "conflicts": [
            {
                **target(_target(address, outcome)),
                "policy": outcome.policy,
                "superseded": [facet.content for facet in outcome.superseded],
                "beside": next(reversed((neighbours := result.neighbours(outcome)).values()), None),
                "beside_more": max(len(neighbours) - 1, 0),
            }
            for address, outcome in result.outcomes.items()
            if outcome.policy
        ],
        "filing": decision(filing) if filing else None,
        "similar": [similar(each, word) for each in result.similar],
        "moved_from": target(result.moved_from) if result.moved_from else None,
        "named": [{"file": file, "command": _tie(file, addresses[0], word)} for file in result.named],
        "degraded": degraded,
        "dry_run": dry_run,
    }

    def human() -> Iterable[Line]:
        yield from decision_lines(filing) if filing else ()
        yield from _remember_lines(result, "would go to" if dry_run else short(result.commit))
        yield from _about_lines(result) if about else ()
        yield from offer_lines(filing, addresses[0].short_key) if filing and not dry_run else ()
        yield from similar_lines(result.similar, "would be added" if dry_run else "added", word)
        for each in () if dry_run else data["named"]:
            yield line((f"    (names {each['file']}; {each['command']} ties it to that code)", "dim"))

    return Answer(data, human, optional=not dry_run)


def _tie(file: str, address: "Address", word: str) -> str:
    import shlex

    return led(f"memoir edit {shlex.join((address.short_key, '--about', file))}", word)


def _remember_lines(result: "RememberResult", first: str) -> Iterable[Line]:
    from memoir.records.metadata import has_expired
    from memoir.times import now

    for address, outcome in result.outcomes.items():
        change = f"  ({_change(outcome)})" if outcome.policy else ""
        yield line((first, "yellow"), "  ", (_target(address, outcome).short_key, "bold"), (change, "dim"))
        if has_expired(outcome.record[outcome.at].metadata, now()):
            yield line(("    it has expired already, so recall and the primer leave it out", "yellow"))
        if not outcome.new_is_active:
            yield line(
                ("    the old memory has a higher confidence and stays active; yours is stored as superseded", "dim")
            )
        for facet in outcome.superseded if outcome.new_is_active else ():
            yield line(("    superseded: " + one_line(facet.content), "dim"))
        yield from _neighbour_lines(result.neighbours(outcome))
    if result.moved_from:
        yield line(("    moved from " + result.moved_from.short_key, "dim"))


def _about_lines(result: "RememberResult") -> Iterable[Line]:
    """The files that a memory was tied to; with `--about auto` there may be none."""
    from memoir.records.anchor import anchors_of

    outcome = next(iter(result.outcomes.values()))
    files = ", ".join(anchor.spec for anchor in anchors_of(outcome.record[outcome.at].metadata))
    yield line(
        ("    about " + one_line(files) if files else "    about no file: the text names none of the project", "dim")
    )


def _neighbour_lines(neighbours: Mapping[str, str]) -> Iterable[Line]:
    """The newest other memory at the path, and how many more there are."""
    for identity, newest in [*neighbours.items()][-1:]:
        more = f" (and {len(neighbours) - 1} more)" if len(neighbours) > 1 else ""
        yield line((f"    beside #{identity}: {one_line(newest)}{more}", "dim"))


def _target(address: "Address", outcome: "Outcome") -> "MemoryAddress":
    """The address of what was remembered at a path, with an id if several memories are there now."""
    from memoir.memory.facets import id_at
    from memoir.taxonomy.paths import MemoryAddress

    return MemoryAddress(address, id_at(outcome.record, outcome.at))


def similar(each: "SimilarMemory", word: str) -> "shapes.SimilarMemory":
    """The fields of a memory that the new one may be meant to replace."""
    memory = each.facet.memory
    return {
        **target(each.facet.target),
        "content": memory.content,
        "timestamp": memory.timestamp,
        "relation": each.relation,
        "newer": each.is_newer,
        "command": led(each.command, word),
    }


def similar_lines(all_similar: Sequence["SimilarMemory"], what: str, word: str) -> Iterable[Line]:
    """Similar memories that stay active, each with the command that makes one the successor of the other."""
    for each in all_similar[:_MOST_SIMILAR]:
        key, text = each.facet.target.short_key, one_line(each.facet.memory.content, _LONGEST)
        beside, effect = (f"the newer {key}", "that its") if each.is_newer else (key, "the new one its")
        yield line(
            (f'    ({what} beside {beside}: "{text}"; ', "dim"), (led(each.command, word), COMMAND),
            (f" makes {effect} successor)", "dim"),
        )  # fmt: skip
    if len(all_similar) > _MOST_SIMILAR:
        yield line((f"    (and {len(all_similar) - _MOST_SIMILAR} more like these)", "dim"))


def replace(
    repository: "Repository", old: str, new: str | None = None, namespace: str = DEFAULT_NAMESPACE,
    dry_run: bool = False, message: str | None = None,
) -> Answer:  # fmt: skip
    """Let a newer memory take the place of an older one."""
    done = repository.replace(old, new, namespace=namespace, options=WriteOptions(message, dry_run=dry_run))
    contents = [memory.content for memory in done.outcome.superseded]
    data: types.Replace = {
        **target(_target(done.old.place, done.outcome)),
        "content": done.outcome.record[-1].content,
        "superseded": contents,
        "old": target(done.old),
        "new": target(done.new),
        **written(done.commit, dry_run=dry_run),
    }

    def human() -> Iterable[Line]:
        what = "would go to" if dry_run else short(done.commit)
        key = _target(done.old.place, done.outcome).short_key
        yield line((what, "yellow"), "  ", (key, "bold"), ("  (replaced)", "dim"))
        yield line("    " + one_line(done.outcome.record[-1].content))
        for content in contents:
            yield line(("    superseded: " + one_line(content), "dim"))
        if done.new.place != done.old.place:
            yield line(("    moved from " + done.new.short_key, "dim"))

    return Answer(data, human, optional=not dry_run)


def _change(outcome: "Outcome") -> str:
    """The effect of a write at a path that held a memory, in one word."""
    if not outcome.new_is_active:
        return "kept"
    return {"append": "added", "confirmed": "confirmed", "llm_merge": "merged"}.get(outcome.policy or "", "replaced")


def edit(
    repository: "Repository", key: str, content: str | None = None, about: list[str] | None = None,
    expires: str | None = None, namespace: str = DEFAULT_NAMESPACE, message: str | None = None,
    allow_secret: bool = False,
) -> Answer:  # fmt: skip
    """Change a memory's content; or the files that it is about, or its expiry.

    The id of `KEY#id` changes with the content, so an edit of an older version fails.
    """
    from memoir.memory.write import reword

    options = WriteOptions(message, allow_secrets=allow_secret)
    if (content is None) != bool(about or expires):
        raise InvalidInput("give either content, or about and expires", "change the content by itself")
    if content is None:
        done = repository.annotate(key, about=about or (), expires=expires, namespace=namespace, options=options)
    else:
        done = repository.edit(key, partial(reword, content=content), namespace=namespace, options=options)
    return write(*done, "edited")


def forget(
    repository: "Repository", keys: list[str], prefix: bool = False, namespace: str = DEFAULT_NAMESPACE,
    dry_run: bool = False, message: str | None = None,
) -> Answer:  # fmt: skip
    """Remove memories; history keeps them."""
    options = WriteOptions(message, dry_run=dry_run)
    done = repository.forget(*keys, prefix=prefix, namespace=namespace, options=options)
    return write(*done, "forgotten", dry_run=dry_run)


def restore(
    repository: "Repository", keys: list[str], at: str, namespace: str = DEFAULT_NAMESPACE, message: str | None = None
) -> Answer:
    """Bring memories back as they were at a revision."""
    return write(*repository.restore(*keys, at=at, namespace=namespace, options=WriteOptions(message)), "restored")


def pin(
    repository: "Repository", keys: list[str], namespace: str = DEFAULT_NAMESPACE, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """Pin memories: every agent's session begins with them."""
    options = WriteOptions(message, dry_run=dry_run)
    return write(*repository.agents.pin(*keys, namespace=namespace, options=options), "pinned", dry_run=dry_run)


def unpin(
    repository: "Repository", keys: list[str], namespace: str = DEFAULT_NAMESPACE, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """Unpin memories."""
    options = WriteOptions(message, dry_run=dry_run)
    return write(*repository.agents.unpin(*keys, namespace=namespace, options=options), "unpinned", dry_run=dry_run)


def write(addresses: Sequence["MemoryAddress"], commit: "Commit | None", verb: str, *, dry_run: bool = False) -> Answer:
    """The keys that were written, and the commit."""
    data: types.KeyWrite = {
        "keys": [target(address) for address in addresses],
        "count": len(addresses),
        **written(commit, dry_run=dry_run),
    }

    def human() -> Iterable[Line]:
        if not commit and not dry_run:
            yield line("nothing changed")
            return
        for address in addresses:
            yield line((f"would be {verb}" if dry_run else verb, "yellow"), "  ", (address.short_key, "bold"))
        if commit:
            yield line((short(commit), "yellow"), f"  {plural(len({each.place for each in addresses}), 'path')}")

    return Answer(data, human, optional=not dry_run)


def mv(
    repository: "Repository", old: str, new: str, prefix: bool = False, append: bool = False,
    namespace: str = DEFAULT_NAMESPACE, dry_run: bool = False, message: str | None = None, *,
    allow_secret: bool = False,
) -> Answer:  # fmt: skip
    """Move a memory, or a whole prefix, to another path."""
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    commit, pairs = repository.move(old, new, prefix=prefix, append=append, namespace=namespace, options=options)
    data: types.Mv = {
        "moves": [
            {"old": old.place.full_key, "new": new.place.full_key, "id": old.id or None, "new_id": new.id or None}
            for old, new in pairs
        ],
        "count": len(pairs),
        **written(commit, dry_run=dry_run),
    }
    return Answer(
        data,
        lambda: [
            line((short(commit) if commit else "would move", "yellow"), f"  {o.short_key} -> {n.short_key}")
            for o, n in pairs
        ],
        optional=not dry_run,
    )
