"""The kind of a memory, named by whoever remembers it or inferred by rules."""

from memoir.errors import InvalidInput
from memoir.records.record import Memory
from memoir.taxonomy.kinds import ITEM_KIND, ITEM_KINDS

AUTO = "auto"
"""The name by which rules are asked for the kind."""


def with_kind(memory: Memory, kind: str) -> Memory:
    """A memory with its kind in its metadata; with `auto` rules infer it.

    Raises:
        InvalidInput: there is no such kind, or the metadata become too large.
    """
    if kind != AUTO and kind not in ITEM_KINDS:
        raise InvalidInput(f"no kind named {kind!r}", f"there are: {', '.join((*ITEM_KINDS, AUTO))}")
    if kind == AUTO:
        from memoir.layers.sentence_kind import likeliest_kind

        kind = likeliest_kind(memory.content)
    return Memory.of(**{**memory.as_dict(), "metadata": {**memory.metadata, ITEM_KIND: kind}})
