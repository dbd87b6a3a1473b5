"""The answers of `entities`, `related`, `threads`, `thread` and `insights`."""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from memoir.output.answer import Answer, Line, line
from memoir.output.dates import local
from memoir.output.shared import commit_fields, cost, nothing, place, short, usage
from memoir.output.shared import memory as fields_of
from memoir.output.text import one_line, plural

if TYPE_CHECKING:
    from memoir.layers.entities import Entity, Named
    from memoir.layers.insights import Built, Insight, Tree
    from memoir.layers.placed import Placed
    from memoir.layers.related import Relative, Relatives
    from memoir.layers.threads import Listing, Story, Thread
    from memoir.output.contract import layers as types

_DAY = len("2026-01-31")


def threads(found: "Listing") -> Answer:
    """`threads`: the topics that memories came back to."""
    data: types.Threads = {
        "threads": [_thread(each) for each in found.threads],
        "count": len(found.threads),
        "dormant": found.dormant,
        "omitted": found.omitted,
    }
    return Answer(data, lambda: _list(found), paged=True, notes=lambda: _notes(found))


def thread(found: "Story") -> Answer:
    """`thread`: one thread as a story."""
    data: types.Story = {**_thread(found.thread), "memories": [_place_and_memory(each) for each in found.memories]}
    return Answer(data, lambda: _story(found), paged=True)


def entities(found: "Named") -> Answer:
    """`entities`: the people and things that memories name."""
    memories = None if found.memories is None else [_place_and_memory(each) for each in found.memories]
    data: types.Entities = {
        "entities": [_entity(each) for each in found.entities],
        "count": len(found.entities),
        "more": found.more,
        "memories": memories,
        "degraded": "; ".join(found.degraded) or None,
    }
    return Answer(data, lambda: _entities(found), paged=True, notes=lambda: _more(found))


def relatives(found: "Relatives") -> Answer:
    """`related`: the memories related to one, and why."""
    data: types.Related = {
        **place(found.address),
        "related": [_relative(each) for each in found.relatives],
        "count": len(found.relatives),
        "omitted": found.omitted,
        "degraded": "; ".join(found.degraded) or None,
    }
    return Answer(data, lambda: _relatives(found), paged=True, notes=lambda: _relatives_note(found))


def insights(found: "Tree") -> Answer:
    """`insights`: what memories mean as a whole."""
    shown: list[types.Insight] = [
        {**place(each.address), **_insight(each), "stale": each.is_stale} for each in found.insights
    ]
    data: types.Insights = {
        "insights": shown,
        "count": len(shown),
        "missing": found.missing,
        "built": None,
        "unchanged": 0,
        "usage": None,
        "cost": None,
        "degraded": None,
        **commit_fields(None),
        "dry_run": False,
    }
    return Answer(data, lambda: _insights(found), paged=True, notes=lambda: _update_note(found))


def insights_build(done: "Built", *, dry_run: bool) -> Answer:
    """`insights build`: what was written and removed."""
    changed: list[types.BuiltInsight] = [
        {**place(each.address), **_insight(each), "change": change} for change, each in done.changes
    ]
    data: types.Insights = {
        "insights": [],
        "count": 0,
        "missing": 0,
        "built": changed,
        "unchanged": done.unchanged,
        "usage": usage(done.usage),
        "cost": cost(done.cost),
        "degraded": "; ".join(done.degraded) or None,
        **commit_fields(done.commit),
        "dry_run": dry_run,
    }
    return Answer(data, lambda: _build_lines(done), paged=True, optional=not dry_run)


def _insight(found: "Insight") -> "types.InsightFields":
    return {
        "level": found.level,
        "content": found.memory.content,
        "by": found.by,
        "terms": found.terms,
        "size": found.size,
        "sources": [source.full_key for source in found.sources],
        "timestamp": found.memory.timestamp,
    }


_INDENTS = {"root": "", "branch": "  ", "leaf": "    "}


def _insights(found: "Tree") -> Iterable[Line]:
    for each in found.insights:
        indent = _INDENTS.get(each.level, "")
        notes = [plural(each.size, "memory", "memories"), each.by, *(["stale"] if each.is_stale else [])]
        style = "yellow" if each.is_stale else "bold cyan"
        yield line(indent, (each.address.path, style), (f"  ({', '.join(notes)})", "dim"))
        yield line(indent, "  ", one_line(each.memory.content))
    if len(found.insights) == 1:
        yield from (line("    ", (source.short_key, "cyan")) for source in found.insights[0].sources)


def _update_note(found: "Tree") -> Iterable[Line]:
    stale = sum(each.is_stale for each in found.insights)
    if not found.insights and not found.missing:
        yield from nothing(0, "no insights: no memories belong together")
    elif stale or found.missing:
        what = [f"{stale:,} stale"] * bool(stale) + [f"{found.missing:,} missing"] * bool(found.missing)
        yield line((f"{', '.join(what)}; 'memoir insights build' brings them up to date", "yellow"))


def _build_lines(done: "Built") -> Iterable[Line]:
    for change, each in done.changes:
        yield line(f"{change:<8} ", (each.address.path, "cyan"), "  ", one_line(each.memory.content))
    if done.cost:
        calls, tokens = plural(done.cost.calls, "call"), f"{done.cost.input_tokens:,}"
        yield line(("a model would write them", "bold"), f" in {calls}, with about {tokens} tokens")
    yield line(
        f"{plural(len(done.changes), 'insight')} changed, {done.unchanged:,} up to date  ", (short(done.commit), "dim")
    )


def _place_and_memory(found: "Placed") -> "types.PlacedMemory":
    return {**place(found.address), **fields_of(found.memory)}


def _entity(found: "Entity") -> "types.Entity":
    return {"name": found.name, "aliases": list(found.aliases), "kind": found.kind, "size": found.size}


def _relative(found: "Relative") -> "types.Relative":
    relations: list[types.Relation] = [
        {"kind": each.kind, "why": each.why, "weight": round(each.weight, 4)} for each in found.relations
    ]
    return {**_place_and_memory(found.placed), "score": round(found.score, 4), "relations": relations}


def _entities(found: "Named") -> Iterable[Line]:
    for each in found.entities:
        also = f"  also {', '.join(each.aliases)}" if each.aliases else ""
        yield line((f"{each.size:6,}", "bold"), "  ", (each.name, "cyan"), (f"  ({each.kind}){also}", "dim"))
    for memory in found.memories or ():
        yield line("  ", (memory.address.short_key, "cyan"), "  ", one_line(memory.memory.content))


def _more(found: "Named") -> Iterable[Line]:
    yield from nothing(found.entities, "no entities: no memory names anybody or anything")
    if found.more:
        yield line(("there are more; -l N shows more of them", "yellow"))


def _relatives(found: "Relatives") -> Iterable[Line]:
    for each in found.relatives:
        yield line((f"{each.score:.2f}", "bold"), "  ", (each.placed.address.short_key, "bold cyan"))
        yield line("      ", one_line(each.placed.memory.content))
        for relation in each.relations:
            yield line((f"      {relation.why}", "dim"))


def _relatives_note(found: "Relatives") -> Iterable[Line]:
    yield from nothing(found.relatives, "no memory is related to it")
    if found.omitted:
        total = len(found.relatives) + found.omitted
        more = plural(found.omitted, "more memory", "more memories")
        yield line((f"{more} left out; --limit {total} shows all", "yellow"))


def _thread(found: "Thread") -> "types.Thread":
    return {
        "id": found.id,
        "about": found.words,
        "size": found.size,
        "first": found.first.memory.timestamp,
        "last": found.last.memory.timestamp,
        "dormant": found.is_dormant,
        "founder": {**place(found.first.address), "content": found.first.memory.content},
    }


def _list(found: "Listing") -> Iterable[Line]:
    for each in found.threads:
        yield _headline(each)
        yield line("    ", one_line(each.first.memory.content))


def _headline(found: "Thread") -> Line:
    style = "dim" if found.is_dormant else "bold cyan"
    notes = [plural(found.size, "memory", "memories"), _span(found), *(["dormant"] if found.is_dormant else [])]
    return line((found.id, style), "  ", ", ".join(found.words), "  ", (f"({', '.join(notes)})", "dim"))


def _span(found: "Thread") -> str:
    first, last = _day(found.first), _day(found.last)
    return first if first == last else f"{first} to {last}"


def _day(placed: "Placed") -> str:
    return local(placed.memory.timestamp)[:_DAY]


def _notes(found: "Listing") -> Iterable[Line]:
    yield from nothing(len(found.threads) + found.dormant, "no threads: no two memories are about the same thing")
    if found.dormant:
        yield line((f"{plural(found.dormant, 'dormant thread')} left out; --all shows them", "yellow"))
    if found.omitted:
        total = len(found.threads) + found.omitted
        yield line((f"{plural(found.omitted, 'more thread')} left out; --limit {total} shows all", "yellow"))


def _story(found: "Story") -> Iterable[Line]:
    yield _headline(found.thread)
    for day, memories in groupby(found.memories, _day):
        yield line("")
        yield line((day, "bold"))
        for each in memories:
            yield line("  ", (each.address.short_key, "cyan"))
            for text in each.memory.content.split("\n"):
                yield line("    ", text)
