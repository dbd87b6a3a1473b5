"""The shapes of history: `log`, `show`, `blame`, `diff`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memoir.errors import ExitCode
from memoir.memory.compare import Change, changes
from memoir.memory.record import Record, projection
from memoir.memory.versions import Difference, Version
from memoir.output.answer import Answer, Line, Span, line
from memoir.output.dates import local
from memoir.output.items import nothing, place, shown, value
from memoir.output.text import one_line, plural
from memoir.store.commit import ChangeList, Commit
from memoir.taxonomy.paths import Address, from_key
from memoir.times import from_epoch

_SIGNS = {
    "added": ("+", "green"),
    "removed": ("-", "red"),
    "modified": ("~", "yellow"),
    "moved": (">", "cyan"),
    "merged": ("*", "cyan"),
}

_WORDS = r"\w[\w\u200c\u200d]*|\s|[^\w\s](?:[\ufe0e\ufe0f\u200d]+[^\w\s]?)*"
"""Words, blanks and marks; a joiner stays with what it joins."""
_MOST_COMPARISONS = 4_000_000
"""Of words; about a second's worth."""


def commit(made: Commit) -> dict[str, Any]:
    """A commit's fields; `paths`, what it changed, is null where memoir did not write it."""
    return {
        "commit": made.id,
        "parents": list(made.parents),
        "author": made.author.name,
        "email": made.author.email,
        "date": from_epoch(made.author.time),
        "message": made.message,
        "paths": _paths(made.changes) if made.changes else None,
    }


def _paths(listed: ChangeList) -> dict[str, Any]:
    full = [[from_key(key).full_key for key in keys] for keys in (listed.put, listed.forget)]
    moves = [{"old": from_key(old).full_key, "new": from_key(new).full_key} for old, new in listed.moves]
    count = listed.bulk if listed.bulk is not None else len(listed.put) + len(listed.forget)
    return {"put": full[0], "forget": full[1], "moves": moves, "count": count}


def log(commits: Sequence[Commit], key: Address | None, *, oneline: bool) -> Answer:
    """`log`: commits, newest first."""
    data = {"key": key.full_key if key else None, "commits": [commit(made) for made in commits], "count": len(commits)}
    return Answer(
        data,
        lambda: _log_lines(commits, oneline=oneline),
        paged=True,
        notes=lambda: nothing(commits, "no commit matches"),
    )


def log_stream(commits: Iterable[Commit]) -> Answer:
    """`log --json-lines`: one commit a line."""
    import orjson

    return Answer({}, stream=(orjson.dumps(commit(made)) + b"\n" for made in commits))


def _log_lines(commits: Sequence[Commit], *, oneline: bool) -> Iterator[Line]:
    for position, made in enumerate(commits):
        subject, _, rest = made.message.partition("\n")
        if oneline:
            yield line((made.id[:8], "yellow"), " ", subject)
            continue
        if position:
            yield line()
        yield from _heading(made)
        yield from (line("    " + text) for text in [subject, *rest.strip().split("\n")] if text or rest)


def _heading(made: Commit) -> Iterator[Line]:
    yield line(("commit " + made.id, "yellow"))
    if len(made.parents) > 1:
        yield line("Merge:  " + " ".join(parent[:8] for parent in made.parents))
    yield line(f"Author: {made.author.name} <{made.author.email}>")
    yield line("Date:   " + local(from_epoch(made.author.time)))
    yield line()


def blame(versions: Sequence[Version], address: Address) -> Answer:
    """`blame`: every version of a path, newest first."""
    data = {
        "key": address.path,
        "namespace": address.namespace,
        "entries": [
            {
                "commit": version.commit.id,
                "author": version.commit.author.name,
                "date": from_epoch(version.commit.author.time),
                "message": version.commit.message,
                "operation": version.operation,
                "content": projection(version.record) if version.record else None,
                "key": version.address.path,
                "fields": _differing(version.before, version.record) if version.before and version.record else [],
            }
            for version in versions
        ],
        "count": len(versions),
    }

    def human() -> Iterator[Line]:
        for version in versions:
            made, sign = version.commit, _SIGNS[version.operation]
            moved = f" as {version.address.path}" if version.address != address else ""
            yield line(
                (made.id[:8], "yellow"),
                f"  {local(from_epoch(made.author.time))}  {made.author.name}  ",
                (version.operation + moved, sign[1]),
            )
            for text in projection(version.record).split("\n") if version.record else ():
                yield line("    " + text)
            if version.before and version.record and projection(version.before) == projection(version.record):
                yield from _change_lines(version.before, version.record, "      ")

    return Answer(data, human, paged=True)


def difference(found: Difference) -> dict[str, Any]:
    """One changed path; `old` and `new` are contents, `fields` names what differs in a modified one."""
    return {
        "namespace": found.address.namespace,
        "key": found.address.path,
        "operation": found.operation,
        "old": projection(found.old) if found.old else None,
        "new": projection(found.new) if found.new else None,
        "fields": _differing(found.old, found.new) if found.old and found.new else [],
    }


def _differing(old: Record, new: Record) -> list[str]:
    before, after = value(old), value(new)
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def diff(found: Sequence[Difference], old: str | None, new: str | None, *, stat: bool, exit_code: bool) -> Answer:
    """`diff`: the paths that differ, by namespace and key."""
    data = {
        "from": old,
        "to": new,
        "changes": [difference(each) for each in found],
        "count": len(found),
        "stat": tally(found),
    }
    status = ExitCode.FAILURE if exit_code and found else ExitCode.OK
    return Answer(
        data, lambda: stat_lines(found) if stat else diff_lines(found), status, paged=True, optional=exit_code
    )


def tally(found: Sequence[Difference]) -> dict[str, int]:
    """How many paths were added, modified and removed."""
    return {name: sum(each.operation == name for each in found) for name in ("added", "modified", "removed")}


def stat_lines(found: Sequence[Difference]) -> Iterator[Line]:
    """A line a path, and the totals."""
    for each in found:
        sign, style = _SIGNS[each.operation]
        yield line((sign + " ", style), each.address.short_key)
    totals = ", ".join(f"{count} {name}" for name, count in tally(found).items() if count)
    yield line((plural(len(found), "path") + " changed" + (f": {totals}" if totals else ""), "dim"))


def diff_lines(found: Iterable[Difference]) -> Iterator[Line]:
    """Each path with its old and new content, changed words marked."""
    for position, each in enumerate(found):
        if position:
            yield line()
        yield line((each.operation, _SIGNS[each.operation][1]), " ", (each.address.short_key, "bold"))
        old, new = (projection(record) if record else None for record in (each.old, each.new))
        if old is not None and new is not None and old != new:
            yield from _word_diff(old, new)
        elif old is not None and new is not None:
            yield from _change_lines(each.old or (), each.new or (), "  ")
        else:
            sign, style = _SIGNS[each.operation]
            whole = (old or "") if new is None else new
            yield from (line((f"{sign} {text}", style)) for text in whole.split("\n"))


def _change_lines(old: Record, new: Record, indent: str) -> Iterator[Line]:
    """What changed where the words in force did not."""
    several = len({memory.content for memory in (*old, *new)}) > 1
    for change in changes(old, new):
        about = f"“{one_line(change.memory.content, 60)}” " if several else ""
        yield line((indent + about + _change(change), "dim"))


def _change(change: Change) -> str:
    if change.field == "status" and change.old is None:
        return f"stored as {change.new} (confidence {change.memory.confidence:g})"
    if change.field == "status":
        return change.new or "gone"
    old, new = (_field(value) for value in (change.old, change.new))
    return f"{change.field} {new}" if change.old is None else f"{change.field} {old} -> {new}"


def _field(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else one_line(local(shown(value)), 60)


def _word_diff(old: str, new: str) -> Iterator[Line]:
    """Old and new as lines, with the words that differ in bold; texts too long for that are shown whole."""
    import re
    from difflib import SequenceMatcher

    left, right = (re.findall(_WORDS, text) for text in (old, new))
    if len(left) * len(right) > _MOST_COMPARISONS:
        opcodes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(left), 0, len(right))]
    else:
        opcodes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    removed: list[Span] = []
    added: list[Span] = []
    for tag, a, b, c, d in opcodes:
        strong = "" if tag == "equal" or len(opcodes) == 1 else "bold reverse "
        removed += [(word, strong + "red") for word in left[a:b]]
        added += [(word, strong + "green") for word in right[c:d]]
    yield from _split_lines(removed, ("- ", "red"))
    yield from _split_lines(added, ("+ ", "green"))


def _split_lines(words: Sequence[Span], first: Span) -> Iterator[Line]:
    current: Line = [first]
    for word, style in words:
        if word == "\n":
            yield current
            current = [first]
        else:
            current.append((word, style))
    yield current


def show_commit(made: Commit, found: Sequence[Difference]) -> Answer:
    """`show REV`: a commit and what it changed against its first parent."""
    about = {name: field for name, field in commit(made).items() if name != "paths"}
    data = {**about, "changes": [difference(each) for each in found], "count": len(found)}

    def human() -> Iterator[Line]:
        yield from _log_lines([made], oneline=False)
        yield line()
        yield from diff_lines(found)

    return Answer(data, human, paged=True)


def show_memory(made: Commit | None, address: Address, record: Record) -> Answer:
    """`show REV:KEY`: a memory as it was."""
    from memoir.output.items import record_lines

    data = {"commit": made.id if made else None, **place(address), "value": value(record)}
    return Answer(data, lambda: record_lines(address, record), paged=True)


def subject(made: Commit) -> str:
    """A commit for people, on one line."""
    return f"{made.id[:8]} {one_line(made.message, 72)}"
