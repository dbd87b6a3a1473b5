"""Making commits again on top of others, as git's rebase does, without moving a ref."""

from collections.abc import Callable, Collection

from memoir.exchange.deeds import line, only_here
from memoir.exchange.merge import refuse, refuse_brought
from memoir.exchange.merge_records import Resolver
from memoir.git.objects import Oid
from memoir.store.beyond import beyond
from memoir.store.chain import replay
from memoir.store.commit import Commit
from memoir.store.signing import foreign_signatures
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, merge_bases, merge_deltas
from memoir.store.transaction import Change
from memoir.store.walk import count_commits
from memoir.tree.diff import Delta, diff

OTHER_SIDE = {"ours": "theirs", "theirs": "ours"}


def replay_onto(store: Store, ours: Oid, theirs: Oid, strategy: str | None) -> tuple[Oid, list[Oid]]:
    """Make the commits of a line that another commit lacks again on top of that; no ref moves.

    Returns the last of them, and those whose signatures, by other keys, the new ones do not have.

    Raises:
        Conflict: both changed the same memory, and there is no strategy.
    """
    new = beyond(store, [ours], [theirs])
    commits = only_here(store, line(store, ours, new), theirs)
    tip = (
        replay(store, theirs, (_again(store, each, theirs, new, strategy) for each in commits), together=True) or theirs
    )
    return tip, foreign_signatures(store, [each.id for each in commits], tip)


def count(store: Store, new: Oid, *old: Oid | None) -> int:
    """How many commits one commit contains and some others (None: no commit) do not."""
    bases = [each for each in old if each]
    return len(beyond(store, [new], bases)) if bases else count_commits(store, new)


def _again(
    store: Store, commit: Commit, theirs: Oid, new: Collection[Oid], strategy: str | None
) -> Callable[[Snapshot], Change | None]:
    """The change of a commit, as a function of a snapshot; a merge of what the remote has is not made again.

    The commit plays the part of theirs in the merge, but to people it is ours. Of its further parents the `new` stay.
    """
    first, others = next(iter(commit.parents), None), commit.parents[1:]
    deltas = {each.key: each for each in diff(store.of(first).tree, store.of(commit.id).tree)}
    for other in others:
        for base in merge_bases(store, theirs, other):
            _subtract(store, deltas, commit, base.id)
    further_parents = tuple(each for each in others if each in new)

    def change(head: Snapshot) -> Change | None:
        resolver = Resolver(OTHER_SIDE.get(strategy or "", strategy))
        result = merge_deltas(head, deltas.values(), resolver)
        refuse_brought(store, result.edits)
        clashes = [Clash(each.key, each.base, each.theirs, each.ours) for each in result.clashes]
        refuse(clashes, "", "give --strategy ours, theirs, append or newest")
        moves = commit.changes.moves if commit.changes else ()
        return Change(result.edits.items(), commit.message, moves, further_parents, commit.author)

    return change


def _subtract(store: Store, deltas: dict[bytes, Delta], merge: Commit, base: Oid) -> None:
    """Take out of a merge's changes what it took over from a commit that the remote has, however that went on there.

    Else what the remote has forgotten since would come back with the merge.
    """
    first, after = merge.parents[0], store.of(base).tree
    for older in merge_bases(store, first, base):
        taken = {each.key: each for each in diff(store.of(older.id).tree, after)}
        mine, merged = store.of(first).tree.get(taken), store.of(merge.id).tree.get(taken)
        for key, came in taken.items():
            if mine.get(key) == came.old:
                deltas.pop(key, None)  # another base may have had it, too
                if merged.get(key) != came.new:
                    deltas[key] = Delta(key, came.new, merged.get(key))
