"""The shapes of branches, tags and joined histories."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from memoir.memory.integrate import Integrated
from memoir.memory.status import Choice
from memoir.output.answer import Answer, Line, line, lines
from memoir.output.items import commit_fields, short
from memoir.output.text import plural
from memoir.store.commit import Commit
from memoir.store.refs import Ref
from memoir.store.rewind import Entry, Stepped
from memoir.times import format_instant


def branches(found: Sequence[Ref], chosen: Choice) -> Answer:
    """`branch`: the branches' names, and which one is current (it may have no commit yet)."""
    data = {
        "branches": [ref.name for ref in found],
        "current": chosen.branch,
        "commits": {ref.name: ref.commit for ref in found},
        "head": chosen.head,
        "selected_by": chosen.by,
    }
    return Answer(data, lambda: [*(_branch_line(ref, chosen.branch) for ref in found), *choice_lines(chosen)])


def choice_lines(chosen: Choice) -> list[Line]:
    """What somebody should know whose commands do not follow HEAD."""
    if chosen.by == "HEAD":
        return []
    if chosen.begun:
        return [line(f"{chosen.by} chooses {chosen.branch}; HEAD is {chosen.head or '(none)'}")]
    return [
        line(
            f"{chosen.by} chooses {chosen.branch}, which does not exist yet: the first write begins it at {chosen.head}"
        )
    ]


def _branch_line(ref: Ref, current: str | None) -> Line:
    mine = ref.name == current
    return line(
        ("* " if mine else "  ", "green"), (ref.name, "bold green" if mine else ""), (f"  {ref.commit[:8]}", "yellow")
    )


def tags(found: Sequence[Ref]) -> Answer:
    """`tag`: the tags and their commits."""
    data = {"tags": [{"name": ref.name, "commit": ref.commit} for ref in found], "count": len(found)}
    return Answer(data, lambda: [line(ref.name, (f"  {ref.commit[:8]}", "yellow")) for ref in found])


def ref_changed(kind: str, name: str, action: str, commit: str | None, old: str | None = None) -> Answer:
    """`branch NAME`, `-d`, `-m`, `tag NAME`, `-d`: one ref and what became of it."""
    data = {kind: name, "action": action, "commit": commit, "old": old}
    before = f" (was {old})" if old and action == "renamed" else ""
    at = f" at {commit[:8]}" if commit else ""
    return Answer(data, lines(f"{action} {kind} {name}{before}{at}"), optional=True)


def checkout(name: str, chosen: Choice, *, created: bool, commit: Commit | None) -> Answer:
    """`checkout`: the branch that HEAD names now, and the one that commands work on."""
    data = {
        "target": name, "current_branch": chosen.branch, "created": created, "commit": commit.id if commit else None,
        "selected_by": chosen.by,
    }  # fmt: skip
    switched = line(f"switched to {'a new ' if created else ''}branch {name}")
    return Answer(data, lambda: [switched, *choice_lines(chosen)], optional=True)


def merge(result: Integrated, source: str, target: str, strategy: str | None, *, dry_run: bool) -> Answer:
    """`merge`: how it went; `changed` counts the paths that differ on the target."""
    data = {
        "source_branch": source,
        "target_branch": target,
        "outcome": result.outcome,
        "changed": result.changed,
        **commit_fields(result.commit),
        "strategy": strategy,
        "conflicts": [],
        "dry_run": dry_run,
    }
    return Answer(data, lines(_merge_text(result, source, target, dry_run)), optional=not dry_run)


def _merge_text(result: Integrated, source: str, target: str, dry_run: bool) -> str:
    if result.outcome == "up_to_date":
        return f"{target} already holds everything in {source}"
    verb = "would be " if dry_run else ""
    how = {"fast_forward": "fast-forwarded to", "merged": "merged with"}[result.outcome]
    at = f" ({short(result.commit)})" if result.commit else ""
    return f"{target} {verb}{how} {source}{at}: {plural(result.changed, 'path')} changed"


def reverted(target: Commit, commit: Commit | None) -> Answer:
    """`revert`: the commit undone and the one that undoes it."""
    data = {"reverted": target.id, **commit_fields(commit)}
    said = f"{short(commit)}  reverts {target.id[:8]}" if commit else "nothing to revert: its changes are gone already"
    return Answer(data, lines(said), optional=True)


def stepped(result: Stepped, verb: str, branch: str) -> Answer:
    """`undo` and `redo`: what was taken back or brought back, and where the branch is now."""
    data: dict[str, Any] = {"branch": branch, "action": result.reason, "from": result.old, "to": result.new}
    return Answer(data, lines(f"{verb}: {result.reason}  ({branch} is at {result.new[:8]})"), optional=True)


def reflog(branch: str, found: Sequence[Entry]) -> Answer:
    """`reflog`: the states that undo can return to."""
    rows = [
        {"number": entry.number, "commit": entry.commit, "date": _date(entry), "reason": entry.reason or None}
        for entry in found
    ]
    data = {"branch": branch, "entries": rows, "count": len(rows)}
    return Answer(data, lambda: [_entry_line(entry) for entry in found], paged=True)


def _date(entry: Entry) -> str | None:
    return None if entry.time is None else format_instant(datetime.fromtimestamp(entry.time, UTC))


def _entry_line(entry: Entry) -> Line:
    at = entry.commit[:8] if entry.commit else "empty   "
    reason = entry.reason or ("before the first change" if entry.commit is None else "the beginning of the log")
    return line(f"{entry.number:>4}  ", (at, "yellow"), f"  {_date(entry) or '':20}  {reason}")
