"""Making commits again on top of others, as git's rebase does, without moving a ref."""

from collections.abc import Callable, Sequence

from memoir.exchange.merge import refuse, refuse_brought
from memoir.exchange.merge_records import Resolver
from memoir.git.objects import Oid
from memoir.store.chain import replay
from memoir.store.commit import Commit
from memoir.store.signing import foreign_signatures
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, merge_trees
from memoir.store.transaction import Change

OTHER_SIDE = {"ours": "theirs", "theirs": "ours"}


def replay_onto(store: Store, ours: Oid, theirs: Oid, strategy: str | None) -> tuple[Oid, list[Oid]]:
    """Make the commits of a line that another commit lacks again on top of that; no ref moves.

    Returns the last of them, and those whose signatures, by other keys, the new ones do not have.

    Raises:
        Conflict: both changed the same memory, and there is no strategy.
    """
    commits = _commits_to_send(store, ours, theirs)
    new = _beyond(store, theirs, [parent for each in commits for parent in each.parents[1:]])
    tip = replay(store, theirs, (_again(store, each, new, strategy) for each in commits), together=True) or theirs
    return tip, foreign_signatures(store, [each.id for each in commits], tip)


def count(store: Store, new: Oid, *old: Oid | None) -> int:
    """How many commits one commit contains and some others (None: no commit) do not."""
    return int(store.git.read("rev-list", "--count", str(new), *(f"^{each}" for each in old if each), "--"))


def _commits_to_send(store: Store, ours: Oid, theirs: Oid) -> list[Commit]:
    """The commits of the branch's own line that the remote does not have, the oldest first."""
    ids = store.git.read("rev-list", "--first-parent", "--reverse", str(ours), f"^{theirs}", "--").decode().split()
    return store.commits([Oid.fromhex(each) for each in ids])


def _beyond(store: Store, theirs: Oid, commits: Sequence[Oid]) -> set[Oid]:
    """Those of some commits that another does not contain."""
    if not commits:
        return set()
    lines = store.git.read("rev-list", *map(str, commits), f"^{theirs}", "--").decode().split()
    return {*commits}.intersection(map(Oid.fromhex, lines))


def _again(store: Store, commit: Commit, new: set[Oid], strategy: str | None) -> Callable[[Snapshot], Change | None]:
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
