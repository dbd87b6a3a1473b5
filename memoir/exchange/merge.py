"""Merges a revision into a branch, and reverts a commit."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import Conflict
from memoir.exchange.merge_choices import Choices, Rivals, check_strategy
from memoir.exchange.merge_records import Resolver, rivals
from memoir.exchange.moves import follow
from memoir.exchange.same_commits import common_commits, refuse_brought
from memoir.exchange.trails import Trails
from memoir.exchange.united import united
from memoir.git.lock import writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import REMOTES
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.damage import past_record
from memoir.records.record import Record, projection
from memoir.repair.foreign_commit import check_tips
from memoir.store import ancestry
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, TreeMerge, merge_trees, older_tree
from memoir.store.transaction import Change, lock_and_advance, normalise, write
from memoir.taxonomy.paths import Address, from_key
from memoir.tree.tree import diff

if TYPE_CHECKING:
    from memoir.error_fields import ConflictingMemory, ConflictingPath


def begin_branch(store: Store, name: str, start: Commit) -> Commit:
    """Create a branch at a commit; if its tree is not in memoir's shape, add a commit that repairs it."""
    problem = check_tips(store, start, store.head().tree)
    with writer_lock(store.git_dir):
        store.refs.create("branch", name, start.id)
    return (normalise(store, name) if problem else None) or start


_TRIES = 5


class MergeResult(NamedTuple):
    """The result of a merge."""

    outcome: str
    """`up_to_date`, `fast_forward` or `merged`."""
    commit: Commit | None
    """The branch's commit after the merge."""
    changed: int
    """The number of changed paths."""
    united: Sequence[Address] = ()
    """The paths at which memories of both sides hold now, although a new one there takes the place of the old."""


def merge(
    store: Store,
    revision: str,
    *,
    strategy: str | None = None,
    choices: Iterable[str] = (),
    options: WriteOptions = DEFAULTS,
) -> MergeResult:
    """Merge a revision into a branch (the current one by default); `choices` are KEY=STRATEGY or KEY#id=STRATEGY.

    Raises:
        Conflict: both sides changed a path and there is no strategy; each is listed with base, ours and theirs, and
            nothing was changed. NotFound: a choice names a path or memory without a conflict.
    """
    check_message(options)
    if strategy is not None:
        check_strategy(strategy)
    choices = list(choices)
    Choices(choices)
    theirs = store.commit(revision)
    name = revision.removeprefix(REMOTES)
    for _ in range(_TRIES):
        ours = store.head(options.branch)
        if ours.commit and ancestry.is_ancestor(store, theirs.id, ours.commit.id):
            return MergeResult("up_to_date", ours.commit, 0)
        if not _can_fast_forward(store, ours, theirs):
            return _merge_commit(store, theirs, strategy, choices, name, options)
        done = _fast_forward(store, ours, theirs, name, options)
        if done:
            return done
    raise Conflict(f"branch {store.branch(options.branch)!r} kept changing during the merge", "try again")


def merge_each(store: Store, revisions: Sequence[str], *, strategy: str | None = None) -> MergeResult:
    """Merge one or more revisions into the current branch, in turn; return the total."""
    results = [merge(store, revision, strategy=strategy) for revision in revisions]
    merges = [result for result in results if result.outcome != "up_to_date"]
    last = (merges or results)[-1]
    paths = sorted({address for result in merges for address in result.united})
    return last._replace(changed=sum(result.changed for result in merges), united=paths)


def _can_fast_forward(store: Store, ours: Snapshot, theirs: Commit) -> bool:
    """Whether the branch can move to their commit; a malformed tree, as of a hosted merge, needs a new commit."""
    problem = check_tips(store, theirs, ours.tree)
    return problem is None and (ours.commit is None or ancestry.is_ancestor(store, ours.commit.id, theirs.id))


def _fast_forward(store: Store, ours: Snapshot, theirs: Commit, name: str, options: WriteOptions) -> MergeResult | None:
    """Move the branch to their commit; None if another process moved the branch meanwhile."""
    changed = sum(1 for _ in diff(ours.tree, store.of(theirs.id).tree))
    branch, reason = store.branch(options.branch), f"merge {name}: fast-forward"
    if not options.dry_run and not lock_and_advance(store, branch, theirs.id, ours, reason):
        return None
    return MergeResult("fast_forward", theirs, changed)


def _merge_commit(
    store: Store, theirs: Commit, strategy: str | None, choices: Sequence[str], name: str, options: WriteOptions
) -> MergeResult:
    changed = 0
    text = options.message or f"merge {name} into {store.branch(options.branch)}"

    def change(head: Snapshot) -> Change:
        nonlocal changed
        chosen = Choices(choices)
        result = join(store, head, theirs.id, Resolver(strategy, chosen))
        refuse(result.clashes, "", choice_hint(name, options.branch), chosen)
        chosen.refuse_unused()
        changed = len(result.edits)
        return Change(result.edits.items(), text, further_parents=(theirs.id,))

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"merge {name}")
    return MergeResult("merged", commit, changed, united(store, commit.parents, commit.id) if commit else [])


def choice_hint(name: str, branch: str | None = None) -> str:
    """The hint for a conflict with another branch, also after commands other than `merge`."""
    into = f" --into {branch}" if branch else ""
    merge = f"memoir merge {name}{into} --choose KEY#id=STRATEGY"
    return f"give --strategy ours, theirs, append or newest; or, for each memory, '{merge}'"


def join(store: Store, head: Snapshot, theirs: Oid, resolver: Resolver) -> TreeMerge:
    """Merge their commit into a snapshot; return the edits."""
    bases = common_commits(store, head.id, theirs) if head.id else []
    trees = [store.of(base).tree for base in bases]
    result = merge_trees(store, head, store.of(theirs).tree, trees, resolver, older_tree(store, bases))
    ours = [head.id] if head.id else []
    trails = Trails.beyond(store, ours, [theirs]), Trails.beyond(store, [theirs], ours)
    return follow(result, head, store.of(theirs), resolver, trails)


def refuse(clashes: list[Clash], what: str, hint: str, choices: Choices | None = None) -> None:
    """Refuse paths that need a strategy; the error has the three sides of each undecided memory.

    Raises:
        Conflict: there is such a path.
    """
    if not clashes:
        return
    rows = [_sides(clash, choices or Choices()) for clash in sorted(clashes)]
    paths = "1 path" if len(rows) == 1 else f"{len(rows)} paths"
    raise Conflict(f"{what}both sides changed {paths} differently; nothing was changed", hint, conflicts=rows)


def _sides(clash: Clash, choices: Choices) -> "ConflictingPath":
    address = from_key(clash.key)
    base, ours, theirs = (None if value is None else past_record(value) for value in clash[1:4])
    sides = (base or (), ours or (), theirs or ())
    memories = [_memory_sides(each) for each in rivals(address, sides, choices, clash.matches)]
    return {
        "key": address.path, "namespace": address.namespace,
        "base": _text(base), "ours": _text(ours), "theirs": _text(theirs), "memories": memories,
    }  # fmt: skip


def _memory_sides(each: Rivals) -> "ConflictingMemory":
    base, ours, theirs = map(_text, (each.base, each.ours, each.theirs))
    metadata = _differing(each) if ours == theirs else {}
    return {"id": each.id, "base": base, "ours": ours, "theirs": theirs, "metadata": metadata}


def _differing(each: Rivals) -> dict[str, dict[str, Any]]:
    """The fields of metadata in which memories with the same words differ, with the values of all sides."""
    sides = {"base": each.base, "ours": each.ours, "theirs": each.theirs}
    fields = {side: dict(record[-1].metadata) if record else {} for side, record in sides.items()}
    names = sorted(fields["ours"].keys() | fields["theirs"].keys())
    values = {name: {side: its.get(name) for side, its in fields.items()} for name in names}
    return {name: its for name, its in values.items() if its["ours"] != its["theirs"]}


def _text(record: Record | None) -> str | None:
    return projection(record) if record else None


def revert(store: Store, revision: str, options: WriteOptions = DEFAULTS) -> Commit | None:
    """Undo the changes of a commit relative to its first parent, in a new commit."""
    check_message(options)
    target = store.commit(revision)
    before = store.before(target).tree

    def change(head: Snapshot) -> Change:
        result = merge_trees(store, head, before, [store.of(target.id).tree], Resolver(None))
        refuse_brought(store, result.edits)
        refuse(result.clashes, f"revert {revision}: ", "restore or edit those paths one by one")
        subject = target.message.split("\n")[0]
        text = options.message or f"revert: {subject}\n\nThis reverts commit {target.id}."
        return Change(result.edits.items(), text, sources=(target.id,))

    return write(store, change, branch=options.branch, dry_run=options.dry_run, reason=f"revert {target.id:.12}")
