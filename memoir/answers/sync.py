"""The answers of `clone`, `remote`, `push`, `fetch`, `pull`, `sync`, `fold`, `import` and `export`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from memoir.answers.answer import Answer, Line, hint_line, line, lines, plural
from memoir.answers.parts import commit_fields, id_field, later, place, short, united_lines
from memoir.exchange.layout import BESIDE, RemotePlace
from memoir.exchange.remotes import without_credentials
from memoir.exchange.writers.writer_refs import ref_of

if TYPE_CHECKING:
    from memoir.answers.contract import shapes
    from memoir.answers.contract import sync as types
    from memoir.error_fields import BadLine
    from memoir.exchange.fetch import FetchedBranch
    from memoir.exchange.merge import MergeResult
    from memoir.exchange.sync import SyncResult
    from memoir.formats.bring import ForeignImport
    from memoir.formats.give import GivenBack
    from memoir.git.objects import Oid
    from memoir.memory.export import ExportCount
    from memoir.memory.import_ import ImportResult

_MOST_SKIPPED, _MOST_GONE = 10, 5
"""How many skipped lines are shown to people, and how many memories that a source no longer has."""
_CARRY_OVER = "'memoir export -o FILE' in the other store and 'memoir import FILE' here carry its memories over"


def clone(path: str, branch: str, paths: int, own: int, *, is_indexed_later: bool, is_checked_later: bool) -> Answer:
    """`clone`: the new store, its number of paths (`own` of them hold memories), and what goes on in the background."""
    others = f" (and {paths - own:,} of sources, layers and categories)" if paths > own else ""
    data: types.Clone = {
        "path": path, "branch": branch, "initialized": True, "memory_count": paths, "path_count": paths,
        "indexing": is_indexed_later, "checking": is_checked_later,
    }  # fmt: skip
    more = ["its index is being built in the background; recall shows the progress"] if is_indexed_later else []
    if is_checked_later:
        more.append("most records are checked in the background, or when they are read; a push waits for that")
    return Answer(data, lines(f"cloned {plural(own, 'path')}{others} into {path}", *more), optional=True)


def remotes(urls: dict[str, str]) -> Answer:
    """`remote list`: names and URLs."""
    rows = {name: without_credentials(url) for name, url in urls.items()}
    data: types.Remotes = {"remotes": [{"name": name, "url": url} for name, url in rows.items()], "count": len(rows)}
    return Answer(data, lambda: [line((name, "bold"), f"\t{url}") for name, url in rows.items()])


def remote_change(name: str, url: str | None, action: 'Literal["added", "removed", "changed"]') -> Answer:
    """`remote add`, `set-url`, `remove`: the remote that changed."""
    url = url and without_credentials(url)
    data: types.RemoteChanged = {"name": name, "url": url, "action": action}
    return Answer(data, lines(f"{action} remote {name}" + (f": {url}" if url else "")), optional=True)


def _place_lines(there: RemotePlace) -> Iterator[Line]:
    """Where a remote keeps memory; printed once, when memoir has decided it."""
    if there.is_new and there.layout == BESIDE:
        yield line(f"{there.remote} holds code; memories are kept under refs/memoir/")
        if there.strays:
            yield line(
                f"{there.remote} also has memory in plain branches, which stay as they are: {', '.join(there.strays)}"
            )
    elif there.is_new:
        yield line(f"{there.remote} holds no code; memories are kept in plain branches")


def push(there: RemotePlace, results: Sequence[tuple[str, str]]) -> Answer:
    """`push`: each ref, what happened to it on the remote, and where the remote keeps memory."""
    data: types.Push = {
        "remote": there.remote,
        "refs": [{"ref": ref, "result": result} for ref, result in results],
        "layout": there.layout.name,
    }
    rows = [(ref.removeprefix(there.layout.heads), result) for ref, result in results]
    return Answer(
        data,
        lambda: [*_place_lines(there), *(line(f"{there.remote}: {ref} ", (result, "green")) for ref, result in rows)],
        optional=True,
    )


def fetch_fields(branches: Sequence["FetchedBranch"]) -> "list[shapes.FetchedBranch]":
    """The branches that moved; `foreign` is the problem in a tree that memoir did not write, or null."""
    return [
        {"branch": each.name, "old": id_field(each.old), "new": id_field(each.new), "foreign": each.foreign}
        for each in branches
    ]


def _fetch_lines(branches: Sequence["FetchedBranch"]) -> Iterator[Line]:
    for each in branches:
        move = f"{each.old.short if each.old else 'new'} -> {each.new.short if each.new else 'deleted'}"
        yield line(
            (each.name, "bold"),
            f"  {move}",
            (f"  memoir did not write its tree: {each.foreign}" if each.foreign else "", "yellow"),
        )


def fetch(there: RemotePlace, branches: Sequence["FetchedBranch"]) -> Answer:
    """`fetch`: the branches that moved, and where the remote keeps memory."""
    data: types.Fetch = {
        "remote": there.remote,
        "updated": fetch_fields(branches),
        "count": len(branches),
        "layout": there.layout.name,
    }
    rows = list(_fetch_lines(branches)) or [line(f"{there.remote}: nothing new")]
    return Answer(data, lambda: [*_place_lines(there), *rows], optional=True)


def pull(there: RemotePlace, branch: str, branches: Sequence["FetchedBranch"], result: "MergeResult") -> Answer:
    """`pull`: what was fetched and how it merged, and where the remote keeps memory."""
    data: types.Pull = {
        "remote": there.remote,
        "branch": branch,
        "updated": fetch_fields(branches),
        "outcome": result.outcome,
        "changed": result.changed,
        **commit_fields(result.commit),
        "layout": there.layout.name,
        "united": [*map(place, result.united)],
    }
    text = f"{branch}: {result.outcome.replace('_', ' ')}, {plural(result.changed, 'path')} changed"
    return Answer(
        data,
        lambda: [*_place_lines(there), *_fetch_lines(branches), line(text)],
        optional=True,
        notes=lambda: united_lines(result.united),
    )


def sync(result: "SyncResult") -> Answer:
    """`sync`: how the branch and its remote came to the same commit."""
    data: types.Sync = {
        "remote": result.place.remote,
        "branch": result.branch,
        "updated": fetch_fields(result.moves),
        "outcome": result.outcome,
        "sent": result.sent,
        "tries": result.tries,
        **commit_fields(result.commit),
        "layout": result.place.layout.name,
        "writers": "own" if result.gathering and result.gathering.own else "shared",
        "folded": result.gathering.folded if result.gathering else 0,
        "unfolded": _unfolded(result),
        "refused": result.gathering.refused if result.gathering else None,
        "signatures_lost": list(map(str, result.unsigned)),
        "united": [*map(place, result.united)],
    }
    note = f", {plural(result.sent, 'commit')} sent" if result.sent else ""
    text = f"{result.branch}: {result.outcome.replace('_', ' ')}{note}"
    if result.outcome == "sent":
        what = f"{plural(result.sent, 'commit')} sent; nothing was fetched, as many stores write at once"
        text = f"{result.branch}: {what} ('memoir pull' fetches now)"
    heads = [*_place_lines(result.place), *_fetch_lines(result.moves)]
    return Answer(
        data,
        lambda: [*heads, line(text), *_gathering_lines(result)],
        optional=True,
        notes=lambda: [*united_lines(result.united), *_lost_signatures(result.unsigned)],
    )


def _unfolded(result: "SyncResult") -> "list[types.Unfolded]":
    return [
        {"writer": each.writer, "commit_hash": str(each.commit), "conflicts": each.conflicts, "problem": each.problem}
        for each in (result.gathering.left if result.gathering else ())
    ]


def _gathering_lines(result: "SyncResult") -> Iterator[Line]:
    if result.relief:
        yield line(result.relief)
    if not result.gathering:
        return
    if result.gathering.refused:
        what = "refs were not removed" if result.gathering.moved else "sent to a ref of this store only"
        yield line((f"{what}: {result.gathering.refused}", "yellow"))
    for each in result.gathering.left:
        way_out = f"'git push URL :{ref_of(each.writer, result.branch)}' removes its ref"
        why = f"{each.problem}; {way_out}" if each.problem else f"{plural(each.conflicts, 'contradiction')} to others"
        yield line((f"not folded: {each.writer}, ", "yellow"), why)
    if any(each.conflicts for each in result.gathering.left):
        yield line("the writer's own next sync says which; 'memoir fold --strategy newest' settles them")


def fold(result: "SyncResult") -> Answer:
    """`fold`: how many writers' refs are in the branch now, which were removed, and which were not folded."""
    gathering = result.gathering
    data: types.Fold = {
        "remote": result.place.remote,
        "branch": result.branch,
        "outcome": result.outcome,
        "folded": gathering.folded if gathering else 0,
        "removed": sorted(gathering.removed) if gathering else [],
        "unfolded": _unfolded(result),
        "refused": gathering.refused if gathering else None,
        "tries": result.tries,
        **commit_fields(result.commit),
        "layout": result.place.layout.name,
        "signatures_lost": list(map(str, result.unsigned)),
        "united": [*map(place, result.united)],
    }
    text = f"{result.branch}: {plural(data['folded'], 'writer')} folded, {plural(len(data['removed']), 'ref')} removed"
    return Answer(
        data,
        lambda: [line(text), *_gathering_lines(result)],
        optional=True,
        notes=lambda: [*united_lines(result.united), *_lost_signatures(result.unsigned)],
    )


def _lost_signatures(commits: "Sequence[Oid]") -> Iterator[Line]:
    if commits:
        text = f"{plural(len(commits), 'rewritten commit')} lost the signature of another key: "
        yield line((text, "yellow"), " ".join(commit.short for commit in commits))


def import_(result: "ImportResult", *, dry_run: bool, learns: bool) -> Answer:
    """`import`: the number of lines and paths, the skipped lines, and the commit."""
    skips = list(result.skipped)
    data: types.Import = {
        "imported": result.lines,
        "paths": result.paths,
        "skipped": skips,
        "newer_replaced": result.newer_replaced,
        "dry_run": dry_run,
        **commit_fields(result.commit),
    }
    total = f"{plural(result.lines, 'memory', 'memories')} at {plural(result.paths, 'path')}"
    done = f"{short(result.commit)}  imported {total}"
    if result.commit is None:
        done = f"would import {total}" if dry_run else f"nothing changed: the store has {total} already"
        done = done if result.lines else "nothing to import: no memory is in it"
    return Answer(
        data,
        lines(done),
        optional=True,
        notes=lambda: [
            *_skipped_lines(skips),
            *_newer_lines(result.newer_replaced),
            *([later()] if learns and result.commit else ()),
        ],
    )


def _skipped_lines(skips: "Sequence[BadLine]") -> Iterator[Line]:
    if skips:
        yield line(("skipped: ", "yellow"), plural(len(skips), "line"))
    for bad in skips[:_MOST_SKIPPED]:
        yield line(f"  line {bad['line']}: {bad['message']}")
    if len(skips) > _MOST_SKIPPED:
        yield line(f"  and {len(skips) - _MOST_SKIPPED:,} more, which --report FILE names")


def _newer_lines(count: int) -> Iterator[Line]:
    if count:
        yield line(("replaced by older ones: ", "yellow"), plural(count, "memory", "memories"))
        yield hint_line("--merge-policy append keeps both; 'memoir undo' takes an import back")


def import_from(result: "ForeignImport", *, dry_run: bool, learns: bool) -> Answer:
    """`import --from`: what was read, what became of it, and where it goes."""
    data: types.ImportFrom = {
        "kind": result.kind,
        "reason": result.reason,
        "read": result.read,
        "imported": result.imported,
        "unchanged": result.unchanged,
        "absent": result.absent,
        "refused": [{"where": each.where, "message": each.message} for each in result.refused],
        "gone": result.gone,
        "gone_keys": list(result.gone_keys),
        "conversations": result.talks,
        "targets": [{"key": key, "count": count} for key, count in result.targets.items()],
        "dry_run": dry_run,
        **commit_fields(result.commit),
    }
    return Answer(
        data,
        lambda: _foreign_lines(result, dry_run=dry_run),
        optional=True,
        notes=lambda: [
            *_refused_lines(result),
            *([hint_line(_CARRY_OVER)] if result.absent else ()),
            *([later()] if learns and result.commit else ()),
        ],
    )


def _foreign_lines(result: "ForeignImport", *, dry_run: bool) -> Iterator[Line]:
    if result.reason:
        yield line((f"recognized as {result.kind}: {result.reason}", "dim"))
    word = "would import" if dry_run else "imported"
    begin = f"{short(result.commit)}  " if result.commit else ""
    talks = f", {plural(result.talks, 'conversation')} among them" if result.talks else ""
    counts = f"{result.read:,} read, {result.imported:,} {word}{talks}, {result.unchanged:,} unchanged"
    yield line(f"{begin}{counts}, {len(result.refused):,} refused" if result.read else "nothing to import was found")
    if dry_run:
        yield from (line(f"  {count:>5,}  ", (key, "bold")) for key, count in result.targets.items())
    if result.absent:
        what = plural(result.absent, "unchanged memory is", "unchanged memories are")
        yield line(f"{what} not in this store: forgotten or moved here, or written in another store")
    if result.gone:
        there = "is no longer in these files and stays" if result.gone == 1 else "are no longer in these files and stay"
        names = ", ".join(result.gone_keys[:_MOST_GONE])
        more = f" and {result.gone - _MOST_GONE:,} more, which --json names" if result.gone > _MOST_GONE else ""
        yield line(f"{plural(result.gone, 'memory', 'memories')} of an earlier import {there} here: {names}{more}")


def _refused_lines(result: "ForeignImport") -> Iterator[Line]:
    for each in result.refused[:_MOST_SKIPPED]:
        yield line(("refused: ", "yellow"), f"{each.where}: {each.message}")
    if (more := len(result.refused) - _MOST_SKIPPED) > 0:
        yield line(f"  and {more:,} more, which --report FILE names")


def export(path: str, count: "ExportCount") -> Answer:
    """`export -o FILE`: how many lines were written, of how many paths, and what they are."""
    from memoir.memory.survey import describe_size

    size = count.size
    data: types.Export = {
        "path": path,
        "exported": count.memories,
        "paths": count.paths,
        "memories": size.memories or 0,
        "memory_paths": size.paths,
        "superseded": size.superseded or 0,
        "segments": size.segments,
        "others": size.others,
    }
    return Answer(data, lines(f"exported {describe_size(size)} to {path}"), optional=True, whole=True)


def export_to(given: "GivenBack") -> Answer:
    """`export --to`: how many memories were written for another tool, and where."""
    data: types.ExportTo = {
        "kind": given.kind,
        "path": str(given.path),
        "memories": given.memories,
        "left_out": given.left_out,
        "changed": given.changed,
    }
    count = plural(given.memories, "memory", "memories")
    done = f"wrote {count} to {given.path}" if given.changed else f"nothing changed: {given.path} has {count}"
    rest = f"; {given.left_out:,} did not fit" if given.left_out else ""
    return Answer(data, lines(done + rest), optional=True, whole=True)
