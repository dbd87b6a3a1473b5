"""The answers of `log`, `show`, `blame`, `why`, `revert`, `undo`, `redo` and `reflog`.

The HTTP API offers the functions that take a repository or a history, without their keyword-only parameters.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from memoir.answers.answer import Answer, Line, line, lines, local, one_line, rows_of
from memoir.answers.parts import (
    changed_fields,
    commit_fields,
    id_field,
    nothing,
    record_lines,
    short,
    signature,
    signature_line,
    target,
    value,
)
from memoir.program import runnable
from memoir.records.origins import AGENT, author_of, voucher_note, vouchers
from memoir.records.record import ABOUT, Record, active_facets, projection
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, from_key, only
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.answers.contract import history as types
    from memoir.answers.contract import shapes
    from memoir.git.objects import Oid
    from memoir.git.ssh_signatures import SignatureCheck
    from memoir.memory.provenance import LinkNode
    from memoir.memory.revisions import Difference
    from memoir.memory.versions import MemoryVersion
    from memoir.repository.past import History
    from memoir.repository.repository import Repository
    from memoir.store.commit import ChangeList, Commit
    from memoir.store.rewind import HistoryStep, ReflogEntry
    from memoir.taxonomy.paths import MemoryAddress

Signatures = Mapping["Oid", "SignatureCheck"]
"""The checked signatures by commit; empty if they were not checked."""
_UNCHECKED: Signatures = {}


def commit(commit: "Commit", signatures: Signatures = _UNCHECKED) -> "types.LoggedCommit":
    """A commit's fields; `paths`, its changes, is null if memoir did not make the commit."""
    paths = _paths(commit.changes) if commit.changes else None
    return {**_without_changes(commit), "paths": paths, **_signed(commit, signatures)}


def _signed(commit: "Commit", signatures: Signatures) -> "types.Signed":
    return {"signature": signature(signatures[commit.id])} if signatures else {}


def _without_changes(commit: "Commit") -> "shapes.CommitFields":
    return {
        "commit": str(commit.id),
        "parents": list(map(str, commit.parents)),
        "author": commit.author.name,
        "email": commit.author.email,
        "date": from_epoch(commit.author.time),
        "message": commit.message,
    }


def _paths(changes: "ChangeList") -> "shapes.Paths":
    full = [[from_key(key).full_key for key in keys] for keys in (changes.put, changes.forget)]
    moves: list[shapes.Move] = [
        {"old": from_key(old).full_key, "new": from_key(new).full_key} for old, new in changes.moves
    ]
    count = changes.bulk if changes.bulk is not None else len(changes.put) + len(changes.forget)
    return {"put": full[0], "forget": full[1], "moves": moves, "count": count}


def log(
    past: "History", key: str | None = None, without: str | None = None, author: str = "", since: str | None = None,
    until: str | None = None, limit: int | None = None, signatures: bool = False, namespace: list[str] | None = None,
    at: str | None = None, *, oneline: bool = False, json_lines: bool = False,
) -> Answer:  # fmt: skip
    """Show the commits, or those that changed one path or prefix, newest first; with `signatures`, who signed each."""
    from memoir.repository.door import check_counts

    check_counts(limit=limit)
    names = namespace or []
    found = past.log(key, namespaces=names, without=without, author=author, since=since, until=until, at=at)
    if json_lines:
        return _log_stream(islice(found, limit))
    commits = list(islice(found, limit))
    is_narrowed = any((key, names, without, author, since, until))
    checks = past.signatures([each.id for each in commits]) if signatures else _UNCHECKED
    data: types.Log = {
        "key": past.address_of(key, namespace=only(names), at=at).place.full_key if key else None,
        "commits": [commit(each, checks) for each in commits],
        "count": len(commits),
    }
    return Answer(
        data,
        lambda: _log_lines(commits, oneline=oneline, signatures=checks),
        paged=True,
        notes=lambda: nothing(commits, "no commit matches" if is_narrowed else "no commits yet"),
    )


def _log_stream(commits: Iterable["Commit"]) -> Answer:
    import orjson

    return Answer({}, stream=(orjson.dumps(commit(each)) + b"\n" for each in commits))


def _log_lines(commits: Sequence["Commit"], *, oneline: bool, signatures: Signatures = _UNCHECKED) -> Iterator[Line]:
    for position, each in enumerate(commits):
        subject, _, rest = each.message.partition("\n")
        if oneline:
            note = [("  ", ""), *signature_line(signatures[each.id])] if signatures else []
            yield line((each.id.short, "yellow"), " ", subject, *note)
            continue
        if position:
            yield line()
        yield from _heading(each, signatures)
        yield from (line("    " + text) for text in [subject, *rest.strip().split("\n")] if text or rest)


def _heading(commit: "Commit", signatures: Signatures) -> Iterator[Line]:
    yield line((f"commit {commit.id}", "yellow"))
    if len(commit.parents) > 1:
        yield line("Merge:  " + " ".join(parent.short for parent in commit.parents))
    yield line(f"Author: {commit.author.name} <{commit.author.email}>")
    yield line("Date:   " + local(from_epoch(commit.author.time)))
    if signatures:
        yield signature_line(signatures[commit.id])
    yield line()


def blame(
    past: "History", key: str, limit: int | None = None, signatures: bool = False, namespace: str = DEFAULT_NAMESPACE,
    at: str | None = None,
) -> Answer:  # fmt: skip
    """Show every version of a path, newest first; with `signatures`, who signed each."""
    versions = past.blame(key, namespace=namespace, limit=limit, at=at)
    checks = past.signatures([each.commit.id for each in versions]) if signatures else _UNCHECKED
    address = past.address_of(key, namespace=namespace, at=at).place
    data: types.Blame = {
        "key": address.path,
        "namespace": address.namespace,
        "entries": [blame_entry(version, checks) for version in versions],
        "count": len(versions),
    }
    return Answer(
        data, lambda: (each for version in versions for each in _blame_lines(version, address, checks)), paged=True
    )


def blame_entry(version: "MemoryVersion", signatures: Signatures = _UNCHECKED) -> "types.BlameEntry":
    """A version of a path."""
    commit, before, record = version.commit, version.before, version.record
    return {
        **_signed(commit, signatures),
        "commit": str(commit.id),
        "author": commit.author.name,
        "date": from_epoch(commit.author.time),
        "message": commit.message,
        "operation": version.operation,
        "content": projection(record) if record else None,
        "key": version.address.path,
        "fields": changed_fields(version.address, before, record) if before and record else [],
        "origin": _vouchers(version),
    }


def _blame_lines(version: "MemoryVersion", address: Address, signatures: Signatures) -> Iterator[Line]:
    from memoir.answers.differences import SIGNS

    commit, words = version.commit, _vouchers(version)
    note = f" as {version.address.path}" if version.address != address else ""
    yield line(
        (commit.id.short, "yellow"),
        f"  {local(from_epoch(commit.author.time))}  {commit.author.name}  ",
        (version.operation + note, SIGNS[version.operation][1]),
        ("" if words in ([], [AGENT]) else f"  ({', '.join(words)})", "dim"),
    )
    if signatures:
        yield [("    ", ""), *signature_line(signatures[commit.id])]
    yield from _version_lines(version.record or (), version.before or ())


def _vouchers(version: "MemoryVersion") -> list[str]:
    """The origins of the memories that a version added; none for a move or a removal."""
    brought = (each for each in version.record or () if each.active and each not in (version.before or ()))
    return list(dict.fromkeys(word for each in brought for word in vouchers(version.address.namespace, each.metadata)))


def _version_lines(record: Record, before: Record) -> Iterator[Line]:
    """A version's content; if the path has several memories, only those that the commit changed."""
    from memoir.answers.differences import change_lines, record_changes
    from memoir.memory.speaker import spoken

    if before and record and max(map(len, map(active_facets, (before, record)))) > 1:
        yield from ([("    ", ""), *each] for each in record_changes(before, record))
        return
    for text in rows_of(spoken(record)) if record else ():
        yield line("    " + text)
    if before and record and projection(before) == projection(record):
        yield from change_lines(before, record, "      ")


def show(past: "History", revision: str = "HEAD", key: str | None = None, namespace: str = DEFAULT_NAMESPACE) -> Answer:
    """Show a commit and what it changed, or a memory as it was there."""
    content = past.show(revision, key, namespace=namespace)
    assert content.commit
    if content.target:
        return _show_memory(content.commit, content.target, content.record)
    return _show_commit(content.commit, content.differences)


def _show_commit(commit: "Commit", differences: Sequence["Difference"]) -> Answer:
    """A commit and its changes against its first parent."""
    from memoir.answers.differences import diff_lines, difference

    data: types.ShowCommit = {
        **_without_changes(commit),
        "changes": [difference(each) for each in differences],
        "count": len(differences),
    }

    def human() -> Iterator[Line]:
        yield from _log_lines([commit], oneline=False)
        yield line()
        yield from diff_lines(differences)

    return Answer(data, human, paged=True)


def _show_memory(commit: "Commit", key: "MemoryAddress", record: Record) -> Answer:
    data: types.ShowMemory = {"commit": str(commit.id), **target(key), "value": value(record, key.place)}
    return Answer(data, lambda: record_lines(key.short_key, record), paged=True)


def subject(commit: "Commit") -> str:
    """A commit for people, on one line."""
    return f"{commit.id.short} {one_line(commit.message, 72)}"


def revert(repository: "Repository", revision: str, message: str | None = None) -> Answer:
    """Undo one commit in a new one; later changes to other paths stay."""
    from memoir.memory.write_options import WriteOptions

    target, commit = repository.revert(revision, WriteOptions(message))
    data: types.Revert = {"reverted": str(target.id), **commit_fields(commit)}
    text = f"{short(commit)}  reverts {target.id.short}" if commit else "nothing to revert: none of its changes is left"
    return Answer(data, lines(text), optional=True)


def undo(repository: "Repository", steps: int = 1) -> Answer:
    """Take back the branch's last change, or its last N."""
    return _step(repository.undo(steps), "undo", repository.branch, steps)


def redo(repository: "Repository") -> Answer:
    """Reverse the last undo."""
    return _step(repository.redo(), "redo", repository.branch)


def _step(result: "HistoryStep", verb: str, branch: str, steps: int = 1) -> Answer:
    """The change that was undone or redone, and the branch's commit now."""
    data: types.Step = {
        "branch": branch, "action": result.reason, "from": str(result.old), "to": str(result.new),
        "remote": result.remote, "returns": result.returns,
    }  # fmt: skip
    what = result.reason if steps == 1 else f"{steps:,} changes, the oldest: {result.reason}"
    rows = [f"{verb}: {what}  ({branch} is at {result.new.short})"]
    if result.remote and result.returns:
        rows += [f"{result.remote} still has it, and the next sync brings it back; to take a commit back for all,"]
        rows += [runnable("'memoir redo', then 'memoir revert COMMIT'")]
    elif result.remote:
        takes = runnable(f"'memoir sync {result.remote}' takes it there")
        rows += [f"{result.remote} has it, so this is a commit; {takes}"]
    return Answer(data, lines(*rows), optional=True)


def reflog(repository: "Repository", limit: int | None = None) -> Answer:
    """List the states that undo can reach, newest first."""
    from memoir.repository.door import check_counts

    check_counts(limit=limit)
    entries = list(islice(repository.reflog(), limit))
    rows: list[types.ReflogEntry] = [
        {"number": entry.number, "commit": id_field(entry.commit), "date": _date(entry), "reason": entry.reason or None}
        for entry in entries
    ]
    data: types.Reflog = {"branch": repository.branch, "entries": rows, "count": len(rows)}
    notes = nothing(entries, "nothing to undo")
    return Answer(data, lambda: [_entry_line(entry) for entry in entries], paged=True, notes=lambda: notes)


def _date(entry: "ReflogEntry") -> str | None:
    return None if entry.time is None else from_epoch(entry.time)


def _entry_line(entry: "ReflogEntry") -> Line:
    at = entry.commit.short if entry.commit else "empty   "
    reason = entry.reason or ("before the first change" if entry.commit is None else "the beginning of the log")
    return line(f"{entry.number:>4}  ", (at, "yellow"), f"  {local(_date(entry) or ''):16}  {reason}")


def why(past: "History", key: str, depth: int = 5, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> Answer:
    """Show what led to a memory, by its links."""
    root = past.why(key, depth=depth, namespace=namespace, at=at)
    data: types.Why = {**target(root.target), "depth": depth, "tree": link(root)}
    return Answer(data, lambda: _tree(root, "", ""), paged=True)


def link(node: "LinkNode") -> "shapes.Node":
    """A memory with those that it links to."""
    return {
        "edge": node.edge,
        **target(node.target),
        **_of_source(node),
        "found": node.record is not None,
        "content": projection(node.record) if node.record else None,
        "again": node.again,
        "cut": node.cut,
        "stale": node.stale,
        **_about_field(node),
        "links": [link(child) for child in node.links],
    }


def _of_source(node: "LinkNode") -> "shapes.FromSource":
    """The source of a segment or passage; for memories, their origins, and the authors of those from a remote."""
    if node.source:
        return {"source": node.source, "origin": node.origin}
    fields, namespace = _metadata(node), node.address.namespace
    origins = dict.fromkeys(each for its in fields for each in vouchers(namespace, its))
    authors = dict.fromkeys(name for its in fields if (name := author_of(its)))
    found: shapes.FromSource = {"origin": list(origins)} if origins else {}
    return {**found, "author": ", ".join(authors)} if authors else found


def _metadata(node: "LinkNode") -> list[Mapping[str, Any]]:
    return [memory.metadata for memory in active_facets(node.record)] if node.record else []


def _about_field(node: "LinkNode") -> "shapes.OfCode":
    """The field `about` of memories that are tied to files of the project."""
    active = active_facets(node.record) if node.record else ()
    from memoir.anchors.mark import marked_anchors

    entries = [cast("shapes.AnchorState", each) for memory in active for each in marked_anchors(memory.metadata)]
    return {"about": entries} if entries else {}


def _code_notes(node: "LinkNode") -> str:
    """The changes of the code that memories are about; empty if there are none."""
    from memoir.anchors.mark import warnings

    found = [text for memory in node.record or () if ABOUT in memory.metadata for text in warnings(memory.metadata)]
    return f"  ({'; '.join(found)})" if found else ""


def _source_note(node: "LinkNode") -> str:
    """The source of a segment and the file it was read from, if any; for memories, their origins."""
    if not node.source:
        notes = dict.fromkeys(voucher_note(node.address.namespace, its) for its in _metadata(node))
        return f"  ({'; '.join(notes)})" if any(notes) else ""
    file = f", from {node.origin}" if node.origin not in (None, "-") else ""
    return f"  (source {node.source}{file})"


def _tree(node: "LinkNode", first: str, rest: str) -> Iterable[Line]:
    from memoir.memory.speaker import spoken

    edge = f"{node.edge.replace('_', ' ')} " if node.edge else ""
    what = " / ".join(one_line(spoken((each,)), 80) for each in active_facets(node.record)) if node.record else ""
    note = (
        ("  dangling: no memory at this path", "red")
        if node.record is None
        else ("  (again)", "dim")
        if node.again
        else ("  (deeper)", "dim")
        if node.cut
        else ("", "")
    )
    source = "" if node.target.names_passage else _source_note(node)  # the segment below it names the same source
    key, stale = (node.target.short_key, "bold cyan"), ("  (stale)" if node.stale else "", "yellow")
    what = f"  {what}" if what else ""
    yield line(first, (edge, "yellow"), key, stale, note, (source, "dim"), what, (_code_notes(node), "dim"))
    for number, child in enumerate(node.links, 1):
        last = number == len(node.links)
        yield from _tree(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
