"""Making commits again on top of others, as git's rebase does, without moving a ref."""

from collections.abc import Callable, Collection, Mapping

from memoir.exchange.merge import refuse, refuse_brought
from memoir.exchange.merge_records import Resolver
from memoir.git.objects import Oid
from memoir.store.beyond import beyond
from memoir.store.chain import replay
from memoir.store.commit import Commit
from memoir.store.signing import foreign_signatures
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, merge_trees
from memoir.store.transaction import Change
from memoir.store.walk import count_commits

OTHER_SIDE = {"ours": "theirs", "theirs": "ours"}


def replay_onto(store: Store, ours: Oid, theirs: Oid, strategy: str | None) -> tuple[Oid, list[Oid]]:
    """Make the commits of a line that another commit lacks again on top of that; no ref moves.

    Returns the last of them, and those whose signatures, by other keys, the new ones do not have.

    Raises:
        Conflict: both changed the same memory, and there is no strategy.
    """
    new = beyond(store, [ours], [theirs])
    commits = store.commits(_line(ours, new))
    tip = replay(store, theirs, (_again(store, each, new, strategy) for each in commits), together=True) or theirs
    return tip, foreign_signatures(store, [each.id for each in commits], tip)


def count(store: Store, new: Oid, *old: Oid | None) -> int:
    """How many commits one commit contains and some others (None: no commit) do not."""
    bases = [each for each in old if each]
    return len(beyond(store, [new], bases)) if bases else count_commits(store, new)


def _line(ours: Oid, rows: Mapping[Oid, list[Oid]]) -> list[Oid]:
    """The commits of a branch's own line among some with their parents, the oldest first."""
    line = []
    parents = [ours]
    while parents and parents[0] in rows:
        line.append(parents[0])
        parents = rows[parents[0]]
    return line[::-1]


def _again(
    store: Store, commit: Commit, new: Collection[Oid], strategy: str | None
) -> Callable[[Snapshot], Change | None]:
    """The change of a commit, as a function of a snapshot; a merge of what the remote has is not made again.

    The commit plays the part of theirs in the merge, but to people it is ours. Of its further parents the `new` stay.
    """
    before = store.of(next(iter(commit.parents), None)).tree
    further_parents = tuple(each for each in commit.parents[1:] if each in new)

    def change(head: Snapshot) -> Change | None:
        resolver = Resolver(OTHER_SIDE.get(strategy or "", strategy))
        result = merge_trees(store, head, store.of(commit.id).tree, [before], resolver)
        refuse_brought(store, result.edits)
        clashes = [Clash(each.key, each.base, each.theirs, each.ours) for each in result.clashes]
        refuse(clashes, "", "give --strategy ours, theirs, append or newest")
        moves = commit.changes.moves if commit.changes else ()
        return Change(result.edits.items(), commit.message, moves, further_parents, commit.author)

    return change
