"""The shapes of whole stores: `init`, `status`, `fsck`, `gc`, transfer, remotes, settings, versions."""

from collections.abc import Iterator, Sequence
from typing import Any

from memoir.errors import ExitCode
from memoir.memory.integrate import Integrated
from memoir.memory.status import Status
from memoir.memory.transfer import Imported
from memoir.output.answer import Answer, Line, line, lines
from memoir.output.items import commit_fields, short
from memoir.output.refs import choice_lines
from memoir.output.sizes import size
from memoir.output.text import plural
from memoir.store.config import Setting
from memoir.store.fsck import Report
from memoir.store.layout import BESIDE, Place
from memoir.store.remote import Fetched
from memoir.store.remotes import shown
from memoir.store.repair import Loss, Repair


def created(path: str, branch: str, *, new: bool) -> Answer:
    """`init`: where the store is, and whether it is new."""
    data = {"path": path, "branch": branch, "initialized": True, "created": new}
    return Answer(
        data,
        lines(f"created a memoir store in {path}" if new else f"there is a memoir store in {path} already"),
        optional=True,
    )


def cloned(path: str, branch: str, memories: int) -> Answer:
    """`clone`: where the new store is, and how many paths its current branch holds."""
    data = {"path": path, "branch": branch, "initialized": True, "memory_count": memories}
    return Answer(data, lines(f"cloned {plural(memories, 'memory', 'memories')} into {path}"), optional=True)


def status(found: Status) -> Answer:
    """`status`: where the store is, what it holds, how it stands to its remotes."""
    data = {
        "path": found.path,
        "exists": True,
        "initialized": True,
        "branch": found.branch,
        "commit": found.commit.id if found.commit else None,
        "commit_count": found.commit_count,
        "memory_count": sum(found.namespaces.values()),
        "namespaces": found.namespaces,
        "remotes": [remote._asdict() for remote in found.remotes],
        "root": found.root,
        "head": found.chosen.head,
        "selected_by": found.chosen.by,
    }
    return Answer(data, lambda: _status_lines(found))


def _status_lines(found: Status) -> Iterator[Line]:
    at = short(found.commit) if found.commit else "no commits yet"
    yield line("On branch ", (found.branch or "(none)", "bold green"), f" ({at})")
    yield from choice_lines(found.chosen)
    yield line(f"{found.path}")
    total = sum(found.namespaces.values())
    commits = plural(found.commit_count, "commit")
    yield line(
        (plural(total, "memory", "memories"), "bold"), f" in {plural(len(found.namespaces), 'namespace')}, {commits}"
    )
    for name, count in found.namespaces.items():
        yield line((f"{count:>8,}  ", "green"), name)
    for remote in found.remotes:
        yield line(
            f"remote {remote.name}: ", (_distance(remote.ahead, remote.behind), "yellow"), (f"  {remote.url}", "dim")
        )


def _distance(ahead: int | None, behind: int | None) -> str:
    if ahead is None or behind is None:
        return "never fetched"
    parts = [f"{ahead} ahead"] * bool(ahead) + [f"{behind} behind"] * bool(behind)
    return ", ".join(parts) or "up to date"


def fsck(report: Report, shaped: Sequence[str], repair: Repair, *, accepted: bool) -> Answer:
    """`fsck`: what was looked at, every problem found, and what was repaired; exit 7 if there is a problem.

    `shaped` are the branches put into shape; `repair` is the rest, `accepted` whether its losses were.
    """
    data = {
        "commits": report.commits,
        "values": report.values,
        "problems": report.problems,
        "repaired": list(shaped),
        "ok": not report.problems,
        "restored": repair.done,
        "losses": [{**loss._asdict(), "accepted": accepted} for loss in repair.losses],
    }

    def human() -> Iterator[Line]:
        yield from (line(f"branch {name}: put into memoir's shape by a new commit") for name in shaped)
        yield from (line(text) for text in repair.done)
        for loss in repair.losses:
            yield from _loss_lines(loss, accepted)
        yield from (line((problem, "red")) for problem in report.problems)
        seen = f"{plural(report.commits, 'commit')}, {plural(report.values, 'stored value')} checked"
        yield line(f"{seen}: {plural(len(report.problems), 'problem') if report.problems else 'no problems'}")
        if report.problems:
            yield line(_next_step(repair, accepted))

    return Answer(data, human, ExitCode.DAMAGED if report.problems else ExitCode.OK, optional=not report.problems)


def _loss_lines(loss: Loss, accepted: bool) -> Iterator[Line]:
    name = loss.ref.removeprefix("refs/").removeprefix("heads/")
    where = f"set back to {loss.new[:12]}" if loss.new else "removed"
    yield line((f"{name} {'was' if accepted else 'could be'} {where}, its newest sound state; that costs:", "yellow"))
    changes = loss.changes or [f"what it was: {loss.old or 'unknown'}"]
    yield from (line(f"  {text}") for text in changes)


def _next_step(repair: Repair, accepted: bool) -> str:
    if repair.losses and not accepted:
        return "'memoir fsck --repair --yes' accepts that; first see docs/recovery.md for other ways back"
    return "'memoir fsck --repair' repairs what it can; docs/recovery.md says what else can be done"


def gc(before: int, after: int, index: int) -> Answer:
    """`gc`: bytes on disk before and after, and how many of those are the index's, which is not packed."""
    data = {"bytes_before": before, "bytes_after": after, "index_bytes": index}
    packed = f"store: {size(before - index)} before, {size(after - index)} after"
    return Answer(data, lines(packed, *([f"index: {size(index)}"] if index else [])), optional=True)


def imported(result: Imported) -> Answer:
    """`import`: how many lines and paths, and the commit."""
    data = {"imported": result.lines, "paths": result.paths, **commit_fields(result.commit)}
    total = f"{plural(result.lines, 'memory', 'memories')} at {plural(result.paths, 'path')}"
    return Answer(
        data,
        lines(
            f"{short(result.commit)}  imported {total}"
            if result.commit
            else f"nothing changed: {total} are there already"
        ),
        optional=True,
    )


def exported(path: str, count: int) -> Answer:
    """`export -o FILE`: how many lines were written."""
    return Answer(
        {"path": path, "exported": count},
        lines(f"exported {plural(count, 'memory', 'memories')} to {path}"),
        optional=True,
    )


def remotes(found: dict[str, str]) -> Answer:
    """`remote list`: names and URLs."""
    rows = {name: shown(url) for name, url in found.items()}
    data = {"remotes": [{"name": name, "url": url} for name, url in rows.items()], "count": len(rows)}
    return Answer(data, lambda: [line((name, "bold"), f"\t{url}") for name, url in rows.items()])


def remote_changed(name: str, url: str | None, action: str) -> Answer:
    """`remote add`, `set-url`, `remove`: one remote and what became of it."""
    url = url and shown(url)
    return Answer(
        {"name": name, "url": url, "action": action},
        lines(f"{action} remote {name}" + (f": {url}" if url else "")),
        optional=True,
    )


def _place_lines(there: Place) -> Iterator[Line]:
    """Where a remote keeps memory, said when it was chosen."""
    if there.is_new and there.layout == BESIDE:
        yield line(f"{there.remote} is for code: its memory lies beside that, under refs/memoir/")
        if there.strays:
            yield line(f"{there.remote} also has memory in plain branches, which stay: {', '.join(there.strays)}")
    elif there.is_new:
        yield line(f"{there.remote} is for memory: it lies in plain branches")


def pushed(there: Place, results: Sequence[tuple[str, str]]) -> Answer:
    """`push`: each ref and what became of it on the remote, and where that keeps memory."""
    data = {
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


def fetched_fields(found: Sequence[Fetched]) -> list[dict[str, Any]]:
    """The branches that moved; `foreign` is what is wrong with a tree that memoir did not write, or null."""
    return [{"branch": each.name, "old": each.old, "new": each.new, "foreign": each.foreign} for each in found]


def _fetched_lines(found: Sequence[Fetched]) -> Iterator[Line]:
    for each in found:
        moved = f"{(each.old or 'new')[:8]} -> {(each.new or 'deleted')[:8]}"
        yield line(
            (each.name, "bold"),
            f"  {moved}",
            (f"  not memoir's own tree: {each.foreign}" if each.foreign else "", "yellow"),
        )


def fetched(there: Place, found: Sequence[Fetched]) -> Answer:
    """`fetch`: the branches that moved, and where the remote keeps memory."""
    data = {
        "remote": there.remote,
        "updated": fetched_fields(found),
        "count": len(found),
        "layout": there.layout.name,
    }
    moved = list(_fetched_lines(found)) or [line(f"{there.remote}: nothing new")]
    return Answer(data, lambda: [*_place_lines(there), *moved], optional=True)


def pulled(there: Place, branch: str, found: Sequence[Fetched], result: Integrated) -> Answer:
    """`pull`: what was fetched and how it merged, and where the remote keeps memory."""
    data = {
        "remote": there.remote,
        "branch": branch,
        "updated": fetched_fields(found),
        "outcome": result.outcome,
        "changed": result.changed,
        **commit_fields(result.commit),
        "layout": there.layout.name,
    }
    said = f"{branch}: {result.outcome.replace('_', ' ')}, {plural(result.changed, 'path')} changed"
    return Answer(data, lambda: [*_place_lines(there), *_fetched_lines(found), line(said)], optional=True)


def settings(found: Sequence[Setting], *, origin: bool) -> Answer:
    """`config --list`: every setting, weakest first, and whether it counts."""
    data = {"settings": [setting._asdict() for setting in found], "count": len(found)}
    return Answer(data, lambda: [_setting_line(each, origin=origin) for each in found])


def _setting_line(setting: Setting, *, origin: bool) -> Line:
    where = f"{setting.origin}\t" if origin else ""
    ignored = "  (ignored: only your own configuration may set it)" if setting.ignored else ""
    return line((where, "dim"), f"{setting.key}={setting.value}", (ignored, "yellow"))


def setting(key: str, value: str | None, origin: str | None, action: str) -> Answer:
    """`config KEY [VALUE]`: one setting."""
    data = {"key": key, "value": value, "origin": origin, "action": action}
    return Answer(data, lines(value or "") if action == "read" else lines(f"{action} {key}"), optional=action != "read")


def version(found: dict[str, str]) -> Answer:
    """`version`: memoir, Python, git and the store format."""
    return Answer(dict(found), lambda: [line(f"{name} {number}") for name, number in found.items()])
