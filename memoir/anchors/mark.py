"""Marking memories that are about to be shown with what became of the code that they are about.

The anchors in the metadata of a memory that is shown have the fields `state` and, where they apply, `changed` and
`now`; nothing of that is stored.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from memoir.anchors.check import CHANGED, FRESH, GONE, MOVED, STALE, UNKNOWN, AnchorState, Checker
from memoir.anchors.working_tree import working_tree
from memoir.records.anchor import anchors_of
from memoir.records.record import ABOUT

if TYPE_CHECKING:
    from memoir.records.record import Memory
    from memoir.store.store import Store

Metadata = Mapping[str, Any]


def mark(store: "Store", memories: "Iterable[Memory]") -> "list[Memory]":
    """Some memories, those with anchors marked with the state of these now."""
    memories = list(memories)
    marked = mark_metadata(store, [memory.metadata for memory in memories])
    return [
        memory if metadata is memory.metadata else memory._replace(metadata=metadata)
        for memory, metadata in zip(memories, marked, strict=True)
    ]


def mark_metadata(store: "Store", all_metadata: Sequence[Metadata]) -> list[Metadata]:
    """The metadata of some memories, with the state of each anchor now. Metadata without anchors are as they were."""
    if not any(ABOUT in metadata for metadata in all_metadata):
        return list(all_metadata)
    with working_tree(store) or nullcontext() as tree:
        checker = Checker(tree)
        return [_marked(metadata, checker) for metadata in all_metadata]


def _marked(metadata: Metadata, checker: Checker) -> Metadata:
    states = checker.check(metadata) if ABOUT in metadata else []
    return {**metadata, ABOUT: [fields_of_state(each) for each in states]} if states else metadata


def fields_of_state(of: AnchorState) -> dict[str, Any]:
    """An anchor as it is stored, and what became of it."""
    fields = {**of.anchor.as_dict(), "state": of.state}
    if of.changed is not None:
        fields["changed"] = of.changed
    return {**fields, "now": of.now} if of.now else fields


def marked_anchors(metadata: Metadata) -> list[Metadata]:
    """The anchors of marked metadata, each with its state."""
    return [fields for _, _, fields in _states(metadata)]


def is_stale(metadata: Metadata) -> bool:
    """Whether marked metadata have an anchor whose code has changed or is gone."""
    return any(state in STALE for _, state, _ in _states(metadata))


def notes(metadata: Metadata) -> list[str]:
    """What marked metadata say of the code that a memory is about, a phrase for each anchor."""
    return [_phrase(*each, str) for each in _states(metadata)]


def note(of: AnchorState) -> str:
    """What became of an anchor, for people."""
    return _phrase(of.anchor.spec, of.state, fields_of_state(of), str)


def warnings(metadata: Metadata, quote: Callable[[str], str] = str) -> list[str]:
    """Those of the notes that tell of code which is not as it was, or not where it was; `quote` writes its name."""
    return [_phrase(*each, quote) for each in _states(metadata) if each[1] not in (FRESH, UNKNOWN)]


def _states(metadata: Metadata) -> Iterator[tuple[str, str, Metadata]]:
    """Each anchor of marked metadata as people write it, with its state and its fields."""
    entries = metadata.get(ABOUT)
    for fields in entries if isinstance(entries, list) else ():
        for anchor in anchors_of({ABOUT: [fields]}):
            yield anchor.spec, str(fields.get("state", UNKNOWN)), fields


def _phrase(spec: str, state: str, fields: Metadata, quote: Callable[[str], str]) -> str:
    name, there = quote(spec), fields.get("now")
    now = f", now {quote(there)}" if isinstance(there, str) else ""
    share = fields.get("changed")
    words = {
        MOVED: f"{name} has moved{now}",
        GONE: f"{name} is gone",
        CHANGED: f"{name} has changed{f' by {share:.0%}' if isinstance(share, float) else ''}{now}",
    }
    return words.get(state, name)
