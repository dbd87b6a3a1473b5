"""Changing what a stored memory is about."""

from collections.abc import Sequence
from contextlib import nullcontext

from memoir.anchors.tie import find_named, tie, tie_again
from memoir.anchors.working_tree import WorkingTree, working_tree
from memoir.errors import InvalidInput
from memoir.memory.write import WriteResult, edit
from memoir.memory.write_options import WriteOptions
from memoir.records.anchor import anchors_of, with_anchors
from memoir.records.metadata import CONFIRMATION, Metadata
from memoir.records.record import ABOUT, Memory, Record, fits
from memoir.store.store import Store
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.times import from_epoch, now


def with_files(store: Store, memory: Memory, files: Sequence[str]) -> Memory:
    """A memory that is about some files, each `FILE[:L1[-L2]]` as it is now; `auto` means those that its text names.

    Raises:
        NotFound: there is no such file. InvalidInput: there is no project, a file is outside of it, or they are many.
    """
    with working_tree(store) or nullcontext() as tree:
        metadata = with_anchors(memory.metadata, tie(tree, files, memory.content))
    _require_fit(metadata)
    return memory._replace(metadata=metadata)


def files_named(store: Store, memory: Memory) -> list[str]:
    """The files of the project that a memory names, as `FILE[:L1[-L2]]`; none if it is about some already."""
    if ABOUT in memory.metadata:
        return []
    with working_tree(store) or nullcontext() as tree:
        return find_named(tree, memory.content)


def _require_fit(metadata: Metadata) -> None:
    if not fits(metadata):
        raise InvalidInput("a memory cannot be about so many files", "name fewer files")


def tie_memory(
    store: Store, target: MemoryAddress, files: Sequence[str], *, confirm: bool, options: WriteOptions
) -> WriteResult:
    """Note that a memory is about some more files; with `confirm`, that it holds for its code as that is now.

    Raises:
        NotFound: there is no such memory or file. InvalidInput: as in `memoir.repository.code.Code.tie`.
    """
    deed = "confirm" if confirm else "tie"
    named = options if options.message else options._replace(message=f"{deed} {target.label}")
    with working_tree(store) or nullcontext() as tree:
        return edit(store, target, lambda record: _tied(record, target, tree, files, confirm=confirm), named)


def _tied(
    record: Record, target: MemoryAddress, tree: WorkingTree | None, files: Sequence[str], *, confirm: bool
) -> Sequence[Memory]:
    active = [memory for memory in record if memory.active]
    if len(active) != 1:
        what = "several memories" if active else "only superseded memories"
        raise InvalidInput(f"{target.short_key} has {what}", f"'memoir get {target.short_key}' shows the id of each")
    (memory,) = active
    fresh = with_anchors(_base(memory, tree, files, confirm=confirm), tie(tree, files, memory.content))
    if confirm:
        fresh[CONFIRMATION] = from_epoch(int(now().timestamp()))
    _require_fit(fresh)
    return [memory._replace(metadata=fresh) if each is memory else each for each in record]


def _base(memory: Memory, tree: WorkingTree | None, files: Sequence[str], *, confirm: bool) -> Metadata:
    """The metadata that the anchors at some files are added to."""
    if not confirm:
        return memory.metadata
    if files:
        return {name: value for name, value in memory.metadata.items() if name != ABOUT}
    if not anchors_of(memory.metadata):
        raise InvalidInput("the memory is about no file", "name one with --about FILE[:L1[-L2]]")
    return tie_again(tree, memory.metadata)
