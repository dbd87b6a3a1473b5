"""History: the commits of the branches as a graph, one commit, two revisions side by side, and merging; the timeline.

The timeline groups memories by day, by the first level of their paths, by author, or by source.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge as merge_sorted
from itertools import islice
from typing import TYPE_CHECKING, Any

from memoir.answers.answer import local
from memoir.answers.terminal import fields_of
from memoir.errors import Conflict, MemoirError
from memoir.memory.authors import find_authors
from memoir.memory.revisions import Difference
from memoir.memory.speaker import source
from memoir.memory.write_options import WriteOptions
from memoir.recall.timeline import Moment
from memoir.records.record import Memory, Record
from memoir.store.commit import Commit
from memoir.ui.pages.screen import Screen, Shortened, changed_lines, shorten
from memoir.ui.pictures import ROW, commit_graph

if TYPE_CHECKING:
    from memoir.error_fields import ConflictingMemory, ConflictingPath

_PAGE = 40
_MOST_PAGES = 5_000
_MOST_BRANCHES = 12
"""How many branches' commits are drawn: the current one's, then the newest ones'."""
_MOST_CHANGES = 50
_LONGEST = 2_000


def history(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The commits, newest first: of all branches, or those that match a filter."""
    number = screen.number("page", 1, _MOST_PAGES)
    key = screen.text("key")
    filters = {name: screen.text(name) for name in ("key", "author", "since", "until")}
    is_filtered = any(filters.values()) or bool(screen.view.namespace)
    commits: Iterator[Commit] = iter(())
    has_commits = screen.repository.store.head().commit is not None
    if has_commits:
        commits = _log(screen, filters) if is_filtered or screen.view.at else _all_branches(screen)
    start = (number - 1) * _PAGE
    page = list(islice(commits, start, start + _PAGE + 1))
    refs: dict[str, list[str]] = {}
    for ref in screen.repository.branches.list():
        refs.setdefault(str(ref.commit), []).append(ref.name)
    tags: dict[str, list[str]] = {}
    for ref in screen.repository.tags.list():
        tags.setdefault(str(ref.commit), []).append(ref.name)
    return "history.html", {
        "rows": commit_graph(page[:_PAGE]),
        "signatures": screen.signatures(page[:_PAGE]),
        "row_height": ROW,
        "is_filtered": is_filtered,
        "filters": filters,
        "number": number,
        "has_more": len(page) > _PAGE,
        "refs": refs,
        "tag_names": tags,
        "key": key,
        "states": list(islice(screen.repository.reflog(), 2)) if has_commits else [],
    }


def _log(screen: Screen, filters: dict[str, str | None]) -> Iterator[Commit]:
    return screen.repository.log(
        filters["key"],
        namespaces=() if filters["key"] else screen.view.namespaces,
        author=filters["author"] or "",
        since=filters["since"],
        until=filters["until"],
        at=screen.view.at,
    )


def _all_branches(screen: Screen) -> Iterator[Commit]:
    """The commits of the branches by time, each once; the page's own branch is always included."""
    names = [ref.name for ref in screen.repository.branches.list()]
    current = screen.repository.branch
    chosen = [current, *(name for name in names if name != current)][:_MOST_BRANCHES]
    logs: list[Iterable[Commit]] = []
    for name in chosen:
        try:
            logs.append(screen.repository.log(at=None if name == current else f"refs/heads/{name}"))
        except MemoirError:  # a branch without a commit
            continue
    seen = set()
    for commit in merge_sorted(*logs, key=lambda each: -each.committer.time):
        if commit.id not in seen:
            seen.add(commit.id)
            yield commit


def commit(screen: Screen) -> tuple[str, dict[str, Any]]:
    """One commit and what it changed."""
    revision = screen.text("revision") or "HEAD"
    found = screen.repository.diff(None, revision)
    shown = screen.repository.store.commit(revision)
    return "commit.html", {
        "commit": shown,
        "signature": screen.repository.signatures([shown.id])[shown.id],
        "most": _MOST_CHANGES,
        **_changes(found.differences),
    }


def compare(screen: Screen) -> tuple[str, dict[str, Any]]:
    """Two revisions side by side."""
    old, new, key = screen.text("from"), screen.text("to"), screen.text("key")
    values: dict[str, Any] = {"old": old, "new": new, "key": key, "changes": None, "most": _MOST_CHANGES}
    if old or new:
        found = screen.repository.diff(
            old, new, namespaces=() if key else screen.view.namespaces, under=[key] if key else ()
        )
        values |= _changes(found.differences)
    return "compare.html", values


def _changes(differences: Iterable[Difference]) -> dict[str, Any]:
    """The first changes, each with its two sides and the changed words, and whether there are more."""
    found = list(islice(differences, _MOST_CHANGES + 1))
    rows = [
        {"change": each, "old": _texts(each.old), "new": _texts(each.new), "lines": changed_lines(each.old, each.new)}
        for each in found[:_MOST_CHANGES]
    ]
    return {"changes": rows, "has_more": len(found) > _MOST_CHANGES}


def _texts(record: Record | None) -> list[tuple[Memory, Shortened]]:
    return [(memory, shorten(memory.content, _LONGEST)) for memory in (record or ())[:20]]


def merging(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The branches, and the result of merging one; for conflicts, the choices."""
    source = screen.text("source")
    values: dict[str, Any] = {
        "source": source,
        "result": None,
        "conflicts": [],
        "refs": screen.repository.branches.list()[:200],
        "target": screen.repository.branch,
    }
    if source:
        try:
            values["result"] = screen.repository.merge(source, options=WriteOptions(dry_run=True))
        except Conflict as error:
            values["conflicts"] = [_conflict(each) for each in error.details.get("conflicts", ())]
    return "merge.html", values


def _conflict(path: "ConflictingPath") -> dict[str, Any]:
    """A path in conflict, with each of its memories that needs a choice."""
    full_key = f"{path['namespace']}:{path['key']}"
    memories = [_rivals(full_key, each) for each in path["memories"]]
    return {"full_key": full_key, "memories": memories, "count": len(memories)}


def _rivals(full_key: str, memory: "ConflictingMemory") -> dict[str, Any]:
    sides = {"base": memory["base"], "ours": memory["ours"], "theirs": memory["theirs"]}
    texts = {
        side: None if text is None else shorten(text + fields_of(memory, side), _LONGEST)
        for side, text in sides.items()
    }
    return {"key": f"{full_key}#{memory['id']}", **texts}


_MOMENTS, _MOST_MOMENTS = 100, 500
_LONGEST_MOMENT = 300
GROUPS = ("day", "level", "agent", "source")
_DAY = len("2026-01-31")
_UNKNOWN = "an older commit"


def timeline(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The memories of a window, the newest first, in groups."""
    by = screen.text("by") if screen.text("by") in GROUPS else "day"
    found = screen.repository.timeline(
        since=screen.text("since"),
        until=screen.text("until"),
        limit=screen.number("limit", _MOMENTS, _MOST_MOMENTS),
        namespaces=screen.view.namespaces,
        at=screen.view.at,
    )
    authors = _authors(screen, found.moments) if by == "agent" else {}
    days = Counter(_day(each) for each in found.moments)
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in found.moments:
        row = {
            "moment": each,
            "text": shorten(each.memory.content, _LONGEST_MOMENT),
            "source": source(each.memory.metadata),
        }
        name = authors.get(each.target.full_key, _UNKNOWN) if by == "agent" else _group(each, str(by))
        groups.setdefault(name, []).append(row)
    return "timeline.html", {
        "by": by,
        "groups": groups,
        "group_names": GROUPS,
        "days": sorted(days.items())[-60:],
        "busiest": max(days.values(), default=1),
        "omitted": found.omitted,
        "oldest": _day(found.moments[-1]) if found.moments else None,
        "degraded_words": "; ".join(found.degraded),
        "since": screen.text("since"),
        "until": screen.text("until"),
    }


def _authors(screen: Screen, moments: Sequence[Moment]) -> dict[str, str]:
    """The authors of memories by key, as far as they can be found quickly."""
    store, placed = screen.repository.store, [(each.address, each.memory) for each in moments]
    names = find_authors(store, store.at(screen.view.at), placed, hurried=True)
    found = zip(moments, names, strict=True)
    return {each.target.full_key: name.rpartition(" <")[0] for each, name in found if name}


def _day(moment: Moment) -> str:
    return local(moment.memory.timestamp)[:_DAY]


def _group(moment: Moment, by: str) -> str:
    if by == "level":
        return moment.address.path.partition(".")[0]
    return (source(moment.memory.metadata) or "remembered by hand") if by == "source" else _day(moment)
