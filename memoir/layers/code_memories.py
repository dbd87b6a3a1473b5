"""`repository.code`: memories about the project's files: what became of their code, and how a change affects them."""

from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from difflib import unified_diff
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from memoir.anchors.mark import AnchorState, Checker, Limits
from memoir.anchors.shown import signed
from memoir.anchors.tie import require_file
from memoir.anchors.working_tree import MOST_BYTES, TooLarge, WorkingTree, working_tree
from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.index.documents import Place
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.active import Dispute, Facet, facets
from memoir.memory.facets import address_of
from memoir.memory.read import records
from memoir.memory.revisions import Difference, compare
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.progress import Progress, tell_nobody
from memoir.recall.mark_disputes import disputes_of
from memoir.records.anchor import anchors_of, read_spec, split_lines
from memoir.store.snapshot import Snapshot
from memoir.store.store import Part, Store
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, address

if TYPE_CHECKING:
    from memoir.memory.write import WriteResult


_ALL = Limits(files=100_000, size=1 << 30)
"""The limits for a full check, which may take long."""
_MOST_LINES = 5_000
"""The most lines of a file that are compared."""
_AROUND = 2
"""The lines of context around a change."""


class CodeMemory(NamedTuple):
    """A memory about code, and the state of each of its files."""

    facet: Facet
    """The memory with its place."""
    states: tuple[AnchorState, ...]
    """The states of its anchors."""
    diffs: tuple[str, ...] = ()
    """The differences of the changed code, one for each state; empty unless asked for."""


def about(
    index: Index, snapshot: Snapshot, tree: WorkingTree | None, file: str | None, namespaces: Sequence[str] = ()
) -> list[CodeMemory]:
    """The memories about a file, or files below a folder, sorted by key; None means any file.

    Memories about a file's former names in git are included.
    """
    places = index.read(snapshot, lambda view: _places(view, tree, file))
    wanted = [place for place in places if not namespaces or place[0].namespace in namespaces]
    checker = Checker(tree, _ALL)
    found = (
        CodeMemory(facet, tuple(checker.check(facet.memory.metadata)))
        for facet in _read(snapshot, wanted)
        if file is None or _may_be_about(facet, tree, file)
    )
    return [each for each in found if file is None or any(_is_in(n, file) for s in each.states for n in _names(s))]


def _places(view: View, tree: WorkingTree | None, file: str | None) -> Sequence[Place]:
    """The places of memories about a file, or about vanished files, which git may have renamed to it."""
    lost = (name for name in view.files() if tree.stamp(name) is None) if tree and file is not None else ()
    return sorted({*view.about(file), *(place for name in lost for place in view.about(name))})


def _may_be_about(facet: Facet, tree: WorkingTree | None, file: str) -> bool:
    """Whether a memory is about a file, or about one that git may have renamed to it."""
    anchors = anchors_of(facet.memory.metadata)
    return any(_is_in(each.file, file) or (tree and tree.may_have_become(each, file)) for each in anchors)


def _is_in(name: str, file: str) -> bool:
    return name == file or name.startswith(f"{file}/")


def _names(state: AnchorState) -> set[str]:
    """The former and the current name of an anchor's file."""
    anchor, now = state.anchor, state.now or state.anchor.spec
    return {anchor.file, read_spec(now)[0] if anchor.lines else now}


def _read(snapshot: Snapshot, places: Sequence[tuple[Address, int]]) -> Iterator[Facet]:
    found = records(snapshot, dict.fromkeys(at for at, _ in places), listed=True)
    for at, group in groupby(places, lambda place: place[0]):
        ordinals = {ordinal for _, ordinal in group}
        yield from (each for each in facets(at, found.get(at, ())) if each.ordinal in ordinals)


def stale(
    index: Index,
    snapshot: Snapshot,
    tree: WorkingTree | None,
    *,
    prefix: Address | None = None,
    since: str | None = None,
    diffs: bool = False,
) -> list[CodeMemory]:
    """The memories whose code has changed or is gone, sorted by key, each with only its stale states.

    `prefix` restricts to paths at or below it, `since` to files that differ between that revision of the project and
    its working tree; `diffs` adds the differences.

    Raises:
        InvalidInput: there is no project. NotFound: the project has no such revision.
    """
    if tree is None:
        raise InvalidInput("this store lies in no project, so there is no code to compare with")
    files = None if since is None else tree.changed_since(since)
    if since is not None and files is None:
        raise NotFound(f"the project has no revision {since!r}", "name one of the project's git repository")
    found = []
    for each in about(index, snapshot, tree, None):
        if prefix is None or each.facet.address.is_under(prefix):
            states = tuple(state for state in each.states if state.is_stale and _concerns(state, files))
            shown = tuple(_diff(tree, state) for state in states) if diffs else ()
            found += [CodeMemory(each.facet, states, shown)] if states else []
    return found


def _concerns(state: AnchorState, files: set[str] | None) -> bool:
    return files is None or not files.isdisjoint(_names(state))


def _diff(tree: WorkingTree, state: AnchorState) -> str:
    """The difference between a memory's old and current lines, in the format of `diff -u`."""
    anchor = state.anchor
    file, span = read_spec(state.now or anchor.spec)
    old = tree.old_text(anchor.blob)
    if old is None:
        return f"the old text of {anchor.spec} is not in the project's history\n"
    try:
        new = tree.read(file, MOST_BYTES) or b""
    except TooLarge:
        return f"{file} is too large to compare\n"
    before = _cited(old, anchor.lines and anchor.lines[:2])
    after = _cited(new, span)
    if max(len(before), len(after)) > _MOST_LINES:
        return f"{file} is too long to compare line by line\n"
    lines = unified_diff(before, after, f"a/{anchor.file}", f"b/{file}", n=_AROUND, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _cited(text: bytes, span: tuple[int, int] | None) -> list[str]:
    lines = [line.decode("utf-8", "replace") for line in split_lines(text)] if text else []
    return lines if span is None else lines[span[0] - 1 : span[1]]


class ChangeReview(NamedTuple):
    """The effects of a change on memory."""

    old: Oid | None
    """The commit of the store before; None for a store before its first."""
    new: Oid | None
    """The commit of the store after."""
    since: str | None
    """The revision of the project that its working tree is compared with; None if it was not."""
    differences: Sequence[Difference]
    """The paths whose memories differ."""
    stale: Sequence[CodeMemory]
    """The memories (after the change) whose code the change made stale."""
    disputes: Sequence[Dispute]
    """The contradicting pairs of memories (after the change) with a changed one in them."""
    complete: bool
    """Whether all memories were compared."""


class Code(Part):
    """Methods for memories about code. The project is the git checkout or folder that contains the store."""

    def about(
        self, file: str, *, namespaces: Sequence[str] = (), at: str | None = None, progress: Progress = tell_nobody
    ) -> list[CodeMemory]:
        """Return the memories about a file, or the files of a folder, each with the state of its code.

        Args:
            file: A file or folder of the project, named from the current directory or from the project's root; it
                may be gone.
            namespaces: Where to look; everywhere without any.
            at: A revision of the store.
            progress: Is called while the index is completed.

        Raises:
            InvalidInput: it lies outside of the project. NotFound: there is no such revision.
        """
        with working_tree(self._store) or nullcontext() as tree, self._index(progress) as index:
            snapshot = self._store.at(at)
            found = about(index, snapshot, tree, require_file(tree, file), namespaces)
        return signed_memories(self._store, snapshot, found)

    def stale(
        self,
        prefix: str | None = None,
        *,
        since: str | None = None,
        diffs: bool = False,
        namespace: str = DEFAULT_NAMESPACE,
        at: str | None = None,
        progress: Progress = tell_nobody,
    ) -> list[CodeMemory]:
        """Return the memories whose code has changed or is gone, optionally below a path.

        `since` is a revision of the project: only files that differ between it and the working tree count. `diffs` adds
        the difference of each memory's lines.

        Raises:
            InvalidInput: the path is malformed, or there is no project.
            NotFound: there is no such revision, of the store or of the project.
        """
        below = address(prefix.removesuffix("."), namespace) if prefix else None
        with working_tree(self._store) or nullcontext() as tree, self._index(progress) as index:
            snapshot = self._store.at(at)
            found = stale(index, snapshot, tree, prefix=below, since=since, diffs=diffs)
        return signed_memories(self._store, snapshot, found)

    def confirm(
        self,
        key: str,
        about: Sequence[str] = (),
        *,
        namespace: str = DEFAULT_NAMESPACE,
        options: WriteOptions = DEFAULTS,
    ) -> "WriteResult":
        """Confirm that a memory holds for its current code: where its text is now, or at the files in `about`.

        Raises:
            NotFound: the key holds nothing, or there is no such file.
            InvalidInput: the path has several memories and the key names none of them, there is no project, a file is
                outside of it, or the memory is about no file.
        """
        from memoir.anchors.change import confirm

        target = address_of(lambda: self._store.head(options.branch), key, namespace)
        return confirm(self._store, target, about, options)

    def review(self, revisions: str, *, since: str | None = None, progress: Progress = tell_nobody) -> ChangeReview:
        """Return a change's effects on memory: paths that differ, and memories that became stale or contradict others.

        Args:
            revisions: `BASE..HEAD`, two revisions of the store.
            since: The revision of the project before the change; by default `origin/BASE` or `BASE`, if it has one.
            progress: Is called while the index is completed.

        Raises:
            NotFound: there is no such revision, of the store or of the project.
            InvalidInput: it is not `BASE..HEAD`, or `since` is given and there is no project.
        """
        store, (base, head) = self._store, _split_range(revisions)
        with working_tree(store) or nullcontext() as tree, self._index(progress) as index:
            comparison = compare(store, base, head, (), [], [])
            differences, snapshot = comparison.differences, store.at(head)
            changed = {difference.address for difference in differences}
            found = disputes_of(index, snapshot)
            pairs = [
                pair for pair in found.disputes if not changed.isdisjoint((pair.newer.address, pair.older.address))
            ]
            revision = since or _of_project(tree, base)
            left_behind = stale(index, snapshot, tree, since=revision) if revision else []
        left_behind = signed_memories(store, snapshot, left_behind)
        return ChangeReview(comparison.old, comparison.new, revision, differences, left_behind, pairs, found.complete)

    def _index(self, progress: Progress) -> closing[Index]:
        return closing(Index(self._store, progress=progress, wait=True))


def signed_memories(
    store: Store, snapshot: Snapshot, found: Sequence[CodeMemory], *, hurried: bool = False
) -> list[CodeMemory]:
    """Add the authors of memories that came from a remote."""
    facets = signed(store, snapshot, (each.facet for each in found), hurried=hurried)
    return [each._replace(facet=facet) for each, facet in zip(found, facets, strict=True)]


def _split_range(text: str) -> tuple[str, str]:
    """The two revisions of `BASE..HEAD`; the second defaults to HEAD."""
    base, dots, head = text.partition("..")
    if not base or not dots or head.startswith("."):
        raise InvalidInput(f"not BASE..HEAD: {text!r}", "write main..feature")
    return base, head or "HEAD"


def _of_project(tree: WorkingTree | None, name: str) -> str | None:
    if tree is None:
        return None
    try:
        return next((each for each in (f"origin/{name}", name) if tree.changed_since(each) is not None), None)
    except (InvalidInput, NotFound):
        return None
