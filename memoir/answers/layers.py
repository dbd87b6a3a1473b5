"""The answers of `entities`, `related`, `threads`, `thread` and `insights`.

The HTTP API offers the functions that take a repository, without their keyword-only parameters.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from memoir.answers.answer import Answer, Line, Span, line, local, one_line, plural, rows_of
from memoir.answers.parts import DAY, cost, nothing, omitted_note, place, short, target, usage, voucher, written
from memoir.answers.parts import memory as fields_of
from memoir.layers.entity_list import DEFAULT_LIMIT as MOST_ENTITIES
from memoir.layers.relations import DEFAULT_LIMIT as MOST_RELATIONS
from memoir.layers.threads import DEFAULT_LIMIT as MOST_THREADS
from memoir.program import runnable
from memoir.progress import Progress, tell_nobody
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from memoir.answers.contract import layers as types
    from memoir.layers.entity_list import EntityList
    from memoir.layers.insights import Build, Insight, InsightTree
    from memoir.layers.relations import Relative, Relatives
    from memoir.layers.threads import Listing, Story, Thread
    from memoir.memory.active import Facet
    from memoir.repository.repository import Repository


def threads(
    repository: "Repository", every: bool = False, limit: int = MOST_THREADS, now: str | None = None,
    namespace: list[str] | None = None, at: str | None = None, *, progress: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """List the topics that memories came back to over time."""
    listing = repository.layers.threads(
        every=every, limit=limit, namespaces=namespace or (), now=now, at=at, progress=progress
    )
    data: types.Threads = {
        "threads": [_thread(each) for each in listing.threads],
        "count": len(listing.threads),
        "dormant": listing.dormant,
        "vague": listing.vague,
        "omitted": listing.omitted,
    }
    return Answer(data, lambda: _list(listing), paged=True, notes=lambda: _notes(listing))


def thread(
    repository: "Repository", thread: str, now: str | None = None, namespace: list[str] | None = None,
    at: str | None = None, *, progress: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """Show one thread: its memories by date, the oldest first."""
    story = repository.layers.thread(thread, namespaces=namespace or (), now=now, at=at, progress=progress)
    data: types.Story = {**_thread(story.thread), "memories": [_place_and_memory(each) for each in story.memories]}
    return Answer(data, lambda: _story(story), paged=True)


def entities(
    repository: "Repository", name: str | None = None, limit: int = MOST_ENTITIES, namespace: list[str] | None = None,
    at: str | None = None, *, progress: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """List the people and things that memories name, or the memories that name one."""
    names = repository.layers.entities(name, limit=limit, namespaces=namespace or (), at=at, progress=progress)
    memories = None if names.memories is None else [_place_and_memory(each) for each in names.memories]
    data: types.Entities = {
        "entities": [
            {"name": each.name, "aliases": list(each.aliases), "kind": each.kind, "size": each.size}
            for each in names.entities
        ],
        "count": len(names.entities),
        "more": names.more,
        "memories": memories,
        "degraded": "; ".join(names.degraded) or None,
    }
    return Answer(data, lambda: _entities(names), paged=True, notes=lambda: _more_note(names))


def related(
    repository: "Repository", key: str, limit: int = MOST_RELATIONS, namespace: str = DEFAULT_NAMESPACE,
    at: str | None = None, *, progress: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """Show the memories related to one, the nearest first, and why."""
    relatives = repository.layers.related(key, limit=limit, namespace=namespace, at=at, progress=progress)
    data: types.RelatedMemories = {
        **place(relatives.address),
        "related": [_relative(each) for each in relatives.relatives],
        "count": len(relatives.relatives),
        "omitted": relatives.omitted,
        "degraded": "; ".join(relatives.degraded) or None,
    }
    return Answer(data, lambda: _relatives(relatives), paged=True, notes=lambda: _relatives_note(relatives))


def insights(
    repository: "Repository", path: str | None = None, namespace: str = DEFAULT_NAMESPACE, at: str | None = None,
    *, progress: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """Show what memories mean as a whole."""
    tree = repository.layers.insights(path, namespace=namespace, at=at, progress=progress)
    rows: list[types.Insight] = [
        {**place(each.address), **_insight(each), "stale": each.is_stale} for each in tree.insights
    ]
    data: types.Insights = {
        "insights": rows,
        "count": len(rows),
        "missing": tree.missing,
        "built": None,
        "unchanged": 0,
        "usage": None,
        "cost": None,
        "degraded": None,
        **written(None, dry_run=False),
    }
    return Answer(data, lambda: _insights(tree), paged=True, notes=lambda: _update_note(tree))


def insights_build(build: "Build", *, dry_run: bool) -> Answer:
    """`insights build`: what was written and removed."""
    rows: list[types.BuiltInsight] = [
        {**place(each.address), **_insight(each), "change": change} for change, each in build.changes
    ]
    data: types.Insights = {
        "insights": [],
        "count": 0,
        "missing": build.missing,
        "built": rows,
        "unchanged": build.unchanged,
        "usage": usage(build.usage),
        "cost": cost(build.cost),
        "degraded": "; ".join(build.degraded) or None,
        **written(build.commit, dry_run=dry_run),
    }
    return Answer(data, lambda: _build_lines(build, dry_run), optional=not dry_run)


def _insight(insight: "Insight") -> "types.InsightFields":
    return {
        "level": insight.level,
        "content": insight.memory.content,
        "by": insight.by,
        "terms": insight.terms,
        "size": insight.size,
        "sources": [source.full_key for source in insight.sources],
        "timestamp": insight.memory.timestamp,
    }


_INDENTS = {"root": "", "branch": "  ", "leaf": "    "}


def _insights(tree: "InsightTree") -> Iterable[Line]:
    for each in tree.insights:
        indent = _INDENTS.get(each.level, "")
        notes = [plural(each.size, "memory", "memories"), each.by, *(["stale"] if each.is_stale else [])]
        style = "yellow" if each.is_stale else "bold cyan"
        yield line(indent, (each.address.path, style), (f"  ({', '.join(notes)})", "dim"))
        yield line(indent, "  ", one_line(each.memory.content))
    if len(tree.insights) == 1:
        yield from (line("    ", (source.short_key, "cyan")) for source in tree.insights[0].sources)


def _update_note(tree: "InsightTree") -> Iterable[Line]:
    stale = sum(each.is_stale for each in tree.insights)
    if not tree.insights and not tree.missing:
        yield from nothing(0, "no insights: no memories belong together")
    elif stale or tree.missing:
        what = [f"{stale:,} stale"] * bool(stale) + [f"{tree.missing:,} missing"] * bool(tree.missing)
        text = f"{', '.join(what)}: a model writes them, 'memoir insights build --by model'"
        yield line((runnable(text), "yellow"))


def _build_lines(build: "Build", dry_run: bool) -> Iterable[Line]:
    for change, each in build.changes:
        yield line(f"{change:<8} ", (each.address.path, "cyan"), "  ", one_line(each.memory.content))
    if build.cost:
        calls, tokens = plural(build.cost.calls, "call"), f"{build.cost.input_tokens:,}"
        yield line(("a model would write them", "bold"), f" in {calls}, with about {tokens} tokens")
    verb, commit = ("would change", "") if dry_run else ("changed", "  " + short(build.commit))
    yield line(f"{plural(len(build.changes), 'insight')} {verb}, {build.unchanged:,} up to date", (commit, "dim"))


def _place_and_memory(memory: "Facet") -> "types.PlacedMemory":
    return {**target(memory.target), **fields_of(memory.memory)}


def _key(memory: "Facet") -> tuple[Span, Span]:
    """The key of a memory, and its origin."""
    return (memory.target.short_key, "cyan"), voucher(memory.address.namespace, memory.memory.metadata)


def _relative(relative: "Relative") -> "types.Relative":
    relations: list[types.Relation] = [
        {"kind": each.kind, "why": each.why, "weight": round(each.weight, 4)} for each in relative.relations
    ]
    return {**_place_and_memory(relative.entry), "score": round(relative.score, 4), "relations": relations}


def _entities(names: "EntityList") -> Iterable[Line]:
    for each in names.entities:
        also = f"  also {', '.join(each.aliases)}" if each.aliases else ""
        yield line((f"{each.size:6,}", "bold"), "  ", (each.name, "cyan"), (f"  ({each.kind}){also}", "dim"))
    for memory in names.memories or ():
        yield line("  ", *_key(memory), "  ", one_line(_text(memory)))


def _more_note(names: "EntityList") -> Iterable[Line]:
    yield from nothing(names.entities, "no entities: no memory names anybody or anything")
    if names.more:
        yield line(("there are more; -l N shows more of them", "yellow"))


def _relatives(relatives: "Relatives") -> Iterable[Line]:
    for each in relatives.relatives:
        yield line((f"{each.score:.2f}", "bold"), "  ", *_key(each.entry))
        yield line("      ", one_line(_text(each.entry)))
        for relation in each.relations:
            yield line((f"      {relation.why}", "dim"))


def _relatives_note(relatives: "Relatives") -> Iterable[Line]:
    yield from nothing(relatives.relatives, "no memory is related to it")
    yield from omitted_note(len(relatives.relatives), relatives.omitted, "memory", "memories")


def _thread(thread: "Thread") -> "types.Thread":
    return {
        "id": thread.id,
        "title": thread.title,
        "about": thread.words,
        "size": thread.size,
        "first": thread.first.memory.timestamp,
        "last": thread.last.memory.timestamp,
        "dormant": thread.is_dormant,
        "founder": {**place(thread.first.address), "content": thread.first.memory.content},
    }


def _list(listing: "Listing") -> Iterable[Line]:
    for each in listing.threads:
        yield _headline(each)
        yield line("    ", (", ".join(each.words), "dim"))


def _headline(thread: "Thread") -> Line:
    style = "dim" if thread.is_dormant else "bold cyan"
    notes = [plural(thread.size, "memory", "memories"), _span(thread), *(["dormant"] if thread.is_dormant else [])]
    title = thread.title or one_line(thread.first.memory.content)
    return line((thread.id, style), "  ", title, "  ", (f"({', '.join(notes)})", "dim"))


def _span(thread: "Thread") -> str:
    first, last = _day(thread.first), _day(thread.last)
    return first if first == last else f"{first} to {last}"


def _day(memory: "Facet") -> str:
    return local(memory.memory.timestamp)[:DAY]


def _notes(listing: "Listing") -> Iterable[Line]:
    if not listing.threads and not listing.vague:
        yield from nothing(0, "no threads: no two memories are about the same thing")
    elif not listing.threads:
        yield from nothing(0, "no threads with a subject")
    rest = [f"{listing.dormant:,} dormant"] * bool(listing.dormant)
    rest += [f"{listing.vague:,} without a sentence that names a subject"] * bool(listing.vague)
    if rest:
        yield line((f"left out: {', '.join(rest)}; --all shows them", "yellow"))
    yield from omitted_note(len(listing.threads), listing.omitted, "thread")


def _story(story: "Story") -> Iterable[Line]:
    yield _headline(story.thread)
    for day, memories in groupby(story.memories, _day):
        yield line("")
        yield line((day, "bold"))
        for each in memories:
            yield line("  ", *_key(each))
            for text in rows_of(_text(each)):
                yield line("    ", text)


def _text(memory: "Facet") -> str:
    from memoir.memory.speaker import said

    return said(memory.memory.content, memory.memory.metadata)
