"""The answers of `init`, `status`, `config`, `index`, `embed`, `fsck`, `gc` and `version`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memoir.errors import ExitCode
from memoir.output.answer import Answer, Line, line, lines
from memoir.output.branches import choice_lines
from memoir.output.shared import id_field, short
from memoir.output.sizes import size
from memoir.output.text import plural

if TYPE_CHECKING:
    from memoir.index.complete import Completed
    from memoir.index.status import IndexStatus
    from memoir.memory.look_alikes import Confusable
    from memoir.memory.status import Status
    from memoir.output.contract import store as types
    from memoir.repository.machine import Installed, Versions
    from memoir.repository.upkeep import Checked
    from memoir.store.config import Entry
    from memoir.store.repair import Loss, Repair


def init(path: str, branch: str, *, new: bool, hidden: "Path | None" = None) -> Answer:
    """`init`: where the store is, and whether it is new; `hidden` is the store that commands there used before."""
    data: types.Init = {"path": path, "branch": branch, "initialized": True, "created": new}
    return Answer(
        data,
        lines(f"created a memoir store in {path}" if new else f"{path} is a memoir store already"),
        optional=True,
        notes=lines(f"until now, commands here used the store in {hidden}; from now on they use the new one")
        if hidden
        else tuple,
    )


def status(found: "Status", *, short: bool = False) -> Answer:
    """`status`: where the store is, what it holds, and how it differs from its remotes."""
    data: types.Status = {
        "path": found.path,
        "exists": True,
        "initialized": True,
        "branch": found.branch,
        "commit": str(found.commit.id) if found.commit else None,
        "commit_count": found.commit_count,
        "memory_count": found.memories,
        "namespaces": found.namespaces,
        "remotes": [
            {"name": remote.name, "url": remote.url, "ahead": remote.ahead, "behind": remote.behind}
            for remote in found.remotes
        ],
        "root": id_field(found.root),
        "head": found.chosen.head,
        "selected_by": found.chosen.by,
        "capture": found.captures,
    }
    return Answer(data, lambda: [_status_line(found)] if short else _status_lines(found))


def _status_line(found: "Status") -> Line:
    """The branch, how many memories it holds, and how far each remote is away."""
    total = plural(found.memories, "memory", "memories")
    far = [f"{each.name} +{each.ahead} -{each.behind}" for each in found.remotes if each.ahead or each.behind]
    return line((found.branch or "(none)", "bold green"), ", ".join([f": {total}", *far]))


def _status_lines(found: "Status") -> Iterator[Line]:
    at = short(found.commit) if found.commit else "no commits yet"
    yield line("On branch ", (found.branch or "(none)", "bold green"), f" ({at})")
    yield from choice_lines(found.chosen)
    yield line(f"{found.path}")
    total = found.memories
    commits = plural(found.commit_count, "commit")
    yield line(
        (plural(total, "memory", "memories"), "bold"), f" in {plural(len(found.namespaces), 'namespace')}, {commits}"
    )
    for name, count in found.namespaces.items():
        yield line((f"{count:>8,}  ", "green"), name)
    if found.captures:
        yield line(
            ("capture is on", "yellow"), ": prompts and answers of sessions are kept for 'memoir capture review'"
        )
    for remote in found.remotes:
        yield line(
            f"remote {remote.name}: ", (_distance(remote.ahead, remote.behind), "yellow"), (f"  {remote.url}", "dim")
        )


def _distance(ahead: int | None, behind: int | None) -> str:
    if ahead is None or behind is None:
        return "never fetched"
    parts = [f"{ahead} ahead"] * bool(ahead) + [f"{behind} behind"] * bool(behind)
    return ", ".join(parts) or "up to date"


def settings(found: Sequence["Entry"], *, origin: bool) -> Answer:
    """`config --list`: the values of every setting, the active one last, and whether one is ignored."""
    data: types.Config = {
        "settings": [
            {"key": each.key, "value": each.value, "origin": each.origin, "ignored": each.ignored} for each in found
        ],
        "count": len(found),
    }
    return Answer(data, lambda: [_setting_line(each, origin=origin) for each in found])


def _setting_line(setting: "Entry", *, origin: bool) -> Line:
    """`KEY=VALUE  (ORIGIN)`, or the origin first as git prints it."""
    source = "not set" if setting.value is None else setting.origin
    before, after = (f"{source}\t", "") if origin else ("", f"  ({source})")
    ignored = "  (ignored: only you may set it, not a store)" if setting.ignored else ""
    value = "" if setting.value is None else f"={setting.value}"
    return line((before, "dim"), f"{setting.key}{value}", (after, "dim"), (ignored, "yellow"))


def setting(key: str, value: str | None, origin: str | None, action: 'Literal["read", "set", "removed"]') -> Answer:
    """`config KEY [VALUE]`: one setting."""
    data: types.ConfigChange = {"key": key, "value": value, "origin": origin, "action": action}
    return Answer(data, lines(value or "") if action == "read" else lines(f"{action} {key}"), optional=action != "read")


def index(done: "Completed", *, rebuilt: bool) -> Answer:
    """`index`: what the index holds now."""
    data: types.Index = {
        "memories": done.paths,
        "documents": done.documents,
        "embedder": done.embedder,
        "rebuilt": rebuilt,
        "bytes": done.size,
        "degraded": "; ".join(done.degraded) or None,
    }
    what = f"indexed {plural(done.paths, 'memory', 'memories')} ({done.size / 1e6:.1f} MB)"
    return Answer(data, lines(what), optional=True)


def embedder(found: "IndexStatus") -> Answer:
    """`embed status`."""
    data: types.EmbedStatus = {
        "embedder": found.embedder,
        "minilm_installed": found.minilm_installed,
        "minilm_folder": found.minilm_folder,
        "documents": found.documents,
        "embedded": found.embedded,
    }
    installed = f"installed in {found.minilm_folder}" if found.minilm_installed else "not installed"
    indexed = "not built yet; the first recall builds it"
    if found.documents is not None:
        indexed = f"{plural(found.documents, 'memory', 'memories')}, {found.embedded:,} with a vector"
    return Answer(data, lines(f"embedder  {found.embedder}", f"minilm    {installed}", f"index     {indexed}"))


def embed_install(done: "Installed") -> Answer:
    """`embed install`: the embedder, and where its weights are now."""
    data: types.EmbedInstalled = {"embedder": done.name, "folder": str(done.folder), "bytes": done.size}
    return Answer(data, lines(f"installed {done.name} in {done.folder} ({done.size / 1e6:.0f} MB)"), optional=True)


def fsck(found: "Checked", restored: Sequence[str], *, accepted: bool) -> Answer:
    """`fsck`: what was checked, every problem, and what was repaired; exit 7 if there is a problem.

    `restored` says which files were rewritten before the check; `accepted` whether losses were.
    """
    report, shaped, repair, confusables = found
    done = [*restored, *repair.done]
    data: types.Fsck = {
        "commits": report.commits,
        "values": report.values,
        "problems": report.problems,
        "repaired": shaped,
        "ok": not report.problems,
        "restored": done,
        "losses": [_loss(loss, accepted) for loss in repair.losses],
        "look_alikes": [
            {"key": place.path, "namespace": place.namespace, "reason": reason, "branches": branches}
            for place, reason, branches in confusables
        ],
    }

    status = ExitCode.DAMAGED if report.problems else ExitCode.OK
    return Answer(data, lambda: _fsck_lines(found, done, accepted), status, optional=not report.problems)


def _fsck_lines(found: "Checked", done: Sequence[str], accepted: bool) -> Iterator[Line]:
    report, shaped, repair, confusables = found
    yield from (line(f"branch {name}: corrected by a new commit") for name in shaped)
    yield from (line(text) for text in done)
    for loss in repair.losses:
        yield from _loss_lines(loss, accepted)
    yield from (line((problem, "red")) for problem in report.problems)
    seen = f"{plural(report.commits, 'commit')}, {plural(report.values, 'stored value')} checked"
    yield line(f"{seen}: {plural(len(report.problems), 'problem') if report.problems else 'no problems'}")
    if report.problems:
        yield line(_next_step(repair, accepted))
    yield from _look_alike_lines(confusables)


def _loss(loss: "Loss", accepted: bool) -> "types.Loss":
    old, new = id_field(loss.old), id_field(loss.new)
    return {"ref": loss.ref, "old": old, "new": new, "changes": list(loss.changes), "accepted": accepted}


def _loss_lines(loss: "Loss", accepted: bool) -> Iterator[Line]:
    name = loss.ref.removeprefix("refs/").removeprefix("heads/")
    where = f"set back to {loss.new:.12}" if loss.new else "removed"
    yield line(
        (f"{name} {'was' if accepted else 'could be'} {where}, its newest undamaged state; this loses:", "yellow")
    )
    yield from (line(f"  {text}") for text in loss.changes)


def _look_alike_lines(found: "Sequence[Confusable]") -> Iterator[Line]:
    for place, reason, branches in found:
        yield line(f"to know: {place.short_key!r} on {', '.join(branches)} could be taken for another path: {reason}")
    if found:
        yield line("that is no damage; 'memoir mv KEY NEW' gives a memory another path")


def _next_step(repair: "Repair", accepted: bool) -> str:
    if repair.losses and not accepted:
        return "'memoir fsck --repair --yes' accepts that; docs/recovery.md has other ways to get them back"
    return "'memoir fsck --repair' repairs what it can; docs/recovery.md describes the rest"


def gc(before: int, after: int, index: int) -> Answer:
    """`gc`: bytes on disk before and after, and the bytes of the index, which is not packed."""
    data: types.Gc = {"bytes_before": before, "bytes_after": after, "index_bytes": index}
    packed = f"store: {size(before - index)} before, {size(after - index)} after"
    return Answer(data, lines(packed, *([f"index: {size(index)}"] if index else [])), optional=True)


def version(found: "Versions") -> Answer:
    """`version`: memoir, Python, git and the store format."""
    data: types.Version = {
        "memoir": found.memoir,
        "python": found.python,
        "git": found.git,
        "format": found.format,
    }
    return Answer(data, lambda: [line(f"{name} {number}") for name, number in data.items()])
