"""Changing what is said of a memory and not its words: its metadata alone."""

from collections.abc import Callable, Sequence

from memoir.errors import InvalidInput
from memoir.memory.write import WriteResult, edit
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import Metadata
from memoir.records.record import Memory, Record, fits
from memoir.store.store import Store
from memoir.taxonomy.memory_address import MemoryAddress


def annotate(
    store: Store, target: MemoryAddress, deed: str, change: Callable[[Memory], Metadata], options: WriteOptions
) -> WriteResult:
    """Give the one active memory at an address other metadata, as one commit whose message begins with the deed.

    Raises:
        NotFound: there is no such memory. Conflict: another process changed it meanwhile.
        InvalidInput: the address has several memories and names none of them, or the metadata become too large.
    """

    def revise(record: Record) -> Sequence[Memory]:
        active = [memory for memory in record if memory.active]
        if len(active) != 1:
            what = "several memories" if active else "only superseded memories"
            raise InvalidInput(f"{target.short_key} has {what}", f"'memoir get {target.short_key}' shows each KEY#id")
        (memory,) = active
        metadata = change(memory)
        if not fits(metadata):
            raise InvalidInput("the metadata of the memory become too large", "say less of it")
        return [memory._replace(metadata=metadata) if each is memory else each for each in record]

    named = options if options.message else options._replace(message=f"{deed} {target.label}")
    return edit(store, target, revise, named)
