"""Replays commits on top of others, like git's rebase, or merges them, without moving a ref."""

from collections.abc import Callable, Collection, Iterator
from functools import partial

from memoir.exchange.merge import join, refuse
from memoir.exchange.merge_records import Resolver
from memoir.exchange.moves import follow
from memoir.exchange.same_commits import line, only_here, refuse_brought
from memoir.exchange.trails import ReplayTrails, Trails
from memoir.git.objects import Oid
from memoir.records.damage import read_or_empty
from memoir.records.record import name_of
from memoir.store.ancestry import beyond
from memoir.store.chain import replay
from memoir.store.commit import Commit
from memoir.store.signing import foreign_signatures
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, merge_bases, merge_deltas
from memoir.store.transaction import Change
from memoir.tree.tree import diff

STRATEGY_HINT = "give --strategy ours, theirs, append or newest"


def swap_sides(strategy: str | None) -> str | None:
    """A strategy from the other side's view: `ours` and `theirs` exchanged."""
    return {"ours": "theirs", "theirs": "ours"}.get(strategy or "", strategy)


def replay_onto(
    store: Store, ours: Oid, theirs: Oid, strategy: str | None, hint: str = STRATEGY_HINT
) -> tuple[Oid, list[Oid]]:
    """Replay the commits of a line that another commit lacks on top of that commit; no ref moves.

    A line that has merged from the other since it began is merged with it instead: their history records earlier
    decisions and removals, and replaying the commits would ask for these again.

    Return the last commit, and the old commits whose signatures, by other keys, were lost.
    """
    new = beyond(store, [ours], [theirs])
    own = line(store, ours, new)
    if [each.id for each in merge_bases(store, ours, theirs)] not in ([], [*own[0].parents[:1]]):
        return replay(store, ours, [partial(_merge, store, theirs, strategy, hint)], together=True) or ours, []
    commits = only_here(store, own, theirs)
    trails = Trails(store, commits, backwards=True), Trails.beyond(store, [theirs], [ours])
    every = partial(_clashes, store, ours, theirs)
    changes = (
        _replayed_change(store, each, new, strategy, partial(ReplayTrails, *trails, len(commits) - number), every, hint)
        for number, each in enumerate(commits)
    )
    tip = replay(store, theirs, changes, together=True) or theirs
    return tip, foreign_signatures(store, [each.id for each in commits], tip)


def _merge(store: Store, theirs: Oid, strategy: str | None, hint: str, head: Snapshot) -> Change:
    result = join(store, head, theirs, Resolver(strategy))
    refuse(result.clashes, "", hint)
    return Change(result.edits.items(), f"merge {theirs:.12}", further_parents=(theirs,))


def _clashes(store: Store, ours: Oid, theirs: Oid) -> list[Clash]:
    """All conflicts between two lines, which a strategy would decide together."""
    return join(store, store.of(ours), theirs, Resolver(None)).clashes


def _replayed_change(
    store: Store,
    commit: Commit,
    new: Collection[Oid],
    strategy: str | None,
    trails: Callable[[Snapshot], ReplayTrails],
    every: Callable[[], list[Clash]],
    hint: str,
) -> Callable[[Snapshot], Change]:
    """The change of a commit as a function of the snapshot to replay it on; further parents are kept if `new`.

    `trails` lead to that snapshot, and `every` returns all conflicts of the two lines. In the merge the commit is
    theirs, but in messages it is ours.
    """
    first, others = next(iter(commit.parents), None), commit.parents[1:]
    deltas = [*diff(store.of(first).tree, store.of(commit.id).tree)]
    moves = commit.changes.moves if commit.changes else ()

    def change(head: Snapshot) -> Change:
        resolver = Resolver(swap_sides(strategy))
        result = merge_deltas(head, deltas, resolver)
        sides = trails(head), Trails(store, [commit])
        result = follow(result, head, store.of(commit.id), resolver, sides, moved_only=False)
        refuse_brought(store, result.edits)
        clashes = [each.swapped() for each in result.clashes]
        keys = {each.key for each in clashes}
        refuse([*clashes, *(each for each in (every() if keys else ()) if each.key not in keys)], "", hint)
        further_parents = tuple(each for each in others if each in new)
        gone = {key for key, value in result.edits.items() if value is None}
        made = tuple(_moves_from_now(moves, store.of(commit.id), head, gone))
        return Change(result.edits.items(), commit.message, made, further_parents, commit.author, sources=(commit.id,))

    return change


def _moves_from_now(
    moves: Collection[tuple[bytes, bytes]], brought: Snapshot, head: Snapshot, gone: Collection[bytes]
) -> Iterator[tuple[bytes, bytes]]:
    """The moves of a replayed commit, from the paths to which the other side moved memories that are `gone`."""
    values = brought.read([new for old, new in moves if old not in gone])
    left = head.read(gone if values else ()).items()
    homes = {name_of(memory): key for key, value in left for memory in read_or_empty(value)}
    for old, new in moves:
        taken = (homes.get(name_of(memory)) for memory in read_or_empty(values.get(new)))
        yield next(filter(None, taken), old), new
