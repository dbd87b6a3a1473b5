"""Change a stored memory without its content: the files that it is about, and its expiry."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from memoir.anchors.tie import AUTO, find_named, tie, tie_again
from memoir.anchors.working_tree import WorkingTree, working_tree
from memoir.errors import InvalidInput
from memoir.memory.write import WriteResult, edit
from memoir.memory.write_options import WriteOptions
from memoir.records.anchor import anchors_of, with_anchors
from memoir.records.metadata import CONFIRMATION, Metadata, read_expiry, until, with_expiry
from memoir.records.record import ABOUT, Memory, Record, fits, without
from memoir.store.store import Store
from memoir.taxonomy.paths import MemoryAddress
from memoir.times import from_epoch, now


def with_files(store: Store, memory: Memory, files: Sequence[str]) -> Memory:
    """Tie a memory to files, each `FILE[:L1[-L2]]` in its present state; `auto` means the files that its text names.

    Raises:
        NotFound: there is no such file. InvalidInput: no project, a file outside of it, or too many files.
    """
    with working_tree(store) or nullcontext() as tree:
        metadata = with_anchors(memory.metadata, tie(tree, files, memory.content))
    if not fits(metadata):
        raise InvalidInput("a memory cannot be about so many files", "name fewer files")
    return memory._replace(metadata=metadata)


def files_named(store: Store, memory: Memory) -> list[str]:
    """The files of the project that a memory names, as `FILE[:L1[-L2]]`; none if it is tied to files already."""
    if ABOUT in memory.metadata:
        return []
    with working_tree(store) or nullcontext() as tree:
        return find_named(tree, memory.content)


@contextmanager
def qualifying(store: Store, about: str | None, expires: str | None) -> Iterator[Callable[[Memory], Memory]]:
    """Yield a function that gives imported memories an expiry and ties them to the files that they name.

    A memory that has an expiry or files already keeps them.

    Raises:
        InvalidInput: `about` is not `auto`, there is no project, or `expires` is neither a date nor a span.
    """
    end = read_expiry(expires) if expires else None
    if about not in (None, AUTO):
        raise InvalidInput(f"--about of an import must be auto, not {about}", "write --about auto")
    with (working_tree(store) if about else None) or nullcontext() as tree:
        if about and not tree:
            raise InvalidInput("this store lies in no project, so its memories are about no file", "leave out --about")
        yield lambda memory: _with_named(until(memory, end), tree)


def _with_named(memory: Memory, tree: WorkingTree | None) -> Memory:
    if tree is None or ABOUT in memory.metadata:
        return memory
    metadata = with_anchors(memory.metadata, tie(tree, [AUTO], memory.content))
    return memory._replace(metadata=metadata) if fits(metadata) else memory


def annotate(
    store: Store, target: MemoryAddress, about: Sequence[str], expires: str | None, options: WriteOptions
) -> WriteResult:
    """Tie a memory to files, if any are given, or set its expiry."""

    def change(memory: Memory) -> Metadata:
        if expires is not None:
            memory = memory._replace(metadata=with_expiry(memory.metadata, read_expiry(expires)))
        return with_files(store, memory, about).metadata if about else memory.metadata

    return _annotate(store, target, "edit", change, options)


def confirm(store: Store, target: MemoryAddress, files: Sequence[str], options: WriteOptions) -> WriteResult:
    """Confirm a memory for the present state of its code, found again by its text, or for other files."""
    with working_tree(store) or nullcontext() as tree:
        return _annotate(store, target, "confirm", lambda memory: _confirmed(memory, tree, files), options)


def _confirmed(memory: Memory, tree: WorkingTree | None, files: Sequence[str]) -> Metadata:
    when = from_epoch(int(now().timestamp()))
    if files:
        rest = without(memory.metadata, (ABOUT,))
        return {**with_anchors(rest, tie(tree, files, memory.content)), CONFIRMATION: when}
    if not anchors_of(memory.metadata):
        raise InvalidInput("the memory is about no file", "name one with --about FILE[:L1[-L2]]")
    return {**tie_again(tree, memory.metadata), CONFIRMATION: when}


def _annotate(
    store: Store, target: MemoryAddress, deed: str, change: Callable[[Memory], Metadata], options: WriteOptions
) -> WriteResult:
    """Change the metadata of the only active memory at an address, in one commit; `deed` begins its message."""

    def revise(record: Record) -> Sequence[Memory]:
        active = [memory for memory in record if memory.active]
        if len(active) != 1:
            what = "several memories" if active else "only superseded memories"
            raise InvalidInput(f"{target.short_key} has {what}", f"'memoir get {target.short_key}' shows each KEY#id")
        (memory,) = active
        metadata = change(memory)
        if not fits(metadata):
            raise InvalidInput("the memory's metadata would be too large", "store less metadata")
        return [memory._replace(metadata=metadata) if each is memory else each for each in record]

    named = options if options.message else options._replace(message=f"{deed} {target.label}")
    return edit(store, target, revise, named)
