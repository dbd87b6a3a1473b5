"""fsck's own half: shape, counts, change lists, values."""

import pytest
from objects import Objects
from support import write

from memoir.repair.fsck import fsck
from memoir.store.store import Store
from memoir.tree.chunking import level
from memoir.tree.edit import apply
from memoir.tree.node import encode_internal, encode_leaf
from memoir.tree.shape import shape_problems
from memoir.tree.tree import Tree

CONTENTS = {b"default=k%d" % number: b"v" for number in range(5000)}


def copy_with_fault(objects: Objects, tree: Tree, fault: str) -> Tree:
    """A copy of a tree with one fault in its root."""
    top, marker = tree.top, objects.add("blob", b"")
    assert top.counts is not None
    rows = list(zip(top.keys, top.ids, top.counts, strict=True))
    key, oid, count = rows[1]
    child = tree.node(oid)
    if fault == "count":
        rows[1] = (key, oid, count + 1)
    elif fault == "first key":
        rows[1] = (key + b"x", oid, count)
    elif fault == "missing child":
        del rows[1]
        rows[0] = (*rows[0][:2], rows[0][2] + count)
    elif fault == "key out of order":
        ids = [*child.ids[:-1], child.ids[-1]]
        leaf = encode_leaf(zip([*child.keys[:-1], b"default=~"], ids, strict=True), None)
        rows[1] = (key, objects.add("tree", leaf), count)
    elif fault == "cut elsewhere":
        first = tree.node(rows[0][1])
        whole = encode_leaf(zip([*first.keys, *child.keys], [*first.ids, *child.ids], strict=True), None)
        rows[0:2] = [(rows[0][0], objects.add("tree", whole), rows[0][2] + count)]
    return objects.tree(objects.add("tree", encode_internal(rows, marker)))


def test_a_tree_that_memoir_built_has_no_problems() -> None:
    objects = Objects()

    assert list(shape_problems(objects.build(CONTENTS), objects.tree(None))) == []


@pytest.mark.parametrize("fault", ["count", "first key", "missing child", "key out of order", "cut elsewhere"])
def test_every_kind_of_fault_is_found(fault: str) -> None:
    objects = Objects()
    tree = objects.build(CONTENTS)

    assert list(shape_problems(copy_with_fault(objects, tree, fault), objects.tree(None)))
    assert list(shape_problems(copy_with_fault(objects, tree, fault), tree)), "and against a trusted tree"


def test_a_node_that_now_reaches_beyond_its_bound_is_found() -> None:
    """A leaf that is shared as it is, though another one begins amid its keys."""
    objects = Objects()
    tree = objects.build({b"default=k%d" % number: b"v" for number in range(500)})
    top, marker = tree.top, objects.add("blob", b"")
    assert tree.height == 1 and top.counts
    rows = list(zip(top.keys, top.ids, top.counts, strict=True))
    shared = tree.node(rows[1][1])
    begins = next(key for n in range(10**6) if level(key := b"%s.%d" % (shared.keys[0], n)) == 1)
    assert shared.keys[0] < begins < shared.keys[-1]
    rows.insert(2, (begins, objects.add("tree", encode_leaf([(begins, shared.ids[0])], None)), 1))
    wrong = objects.add("tree", encode_internal(rows, marker))

    assert list(shape_problems(objects.tree(wrong), tree))


def test_a_trusted_tree_vouches_for_no_node_at_another_height() -> None:
    """There its keys would not belong."""
    objects = Objects()
    tree = objects.build({b"default=k%d" % number: b"v" for number in range(20_000)})
    top, marker = tree.top, objects.add("blob", b"")
    assert tree.height == 2 and top.counts
    inner = tree.node(top.ids[0])
    assert inner.counts
    rows = [(top.keys[0], top.ids[0], top.counts[0]), (inner.keys[1], inner.ids[1], inner.counts[1])]
    mixed = objects.add("tree", encode_internal(rows, marker))

    assert list(shape_problems(objects.tree(mixed), tree))


@pytest.mark.slow
def test_only_new_nodes_are_checked_against_a_trusted_tree() -> None:
    objects = Objects()
    old = objects.build({b"default=k%d" % number: b"v" for number in range(50_000)})
    new = objects.edit(old, {b"default=knew": b"v"})
    objects.reads = 0

    assert list(shape_problems(objects.tree(new.root), objects.tree(old.root))) == []
    assert objects.reads < 30


def test_a_commit_with_wrong_trailers_is_named(store: Store) -> None:
    write(store, {"default=a": "1"})
    commit = write(store, {"default=b": "2"})
    raw = store.reader.read([commit.id], "commit")[0]
    lie = raw.replace(b"Memoir-Put: default:b", b"Memoir-Put: default:other")
    forgery = store.git.run("hash-object", "-t", "commit", "-w", "--stdin", stdin=lie).decode().strip()
    store.git.run("update-ref", "refs/heads/main", forgery)

    problems = fsck(store, lambda key, value: None).problems

    assert problems == [f"commit {forgery[:12]}: its trailers do not name the keys it changed"]


def test_a_value_that_is_wrong_is_named_with_its_key(store: Store) -> None:
    write(store, {"default=a": "good", "default=b": "bad"})

    report = fsck(store, lambda key, value: "it is bad" if value == b"bad" else None)

    assert [problem.partition(": ")[2] for problem in report.problems] == ["'default:b': it is bad"]
    assert (report.commits, report.values) == (1, 2)


def test_what_only_a_reflog_reaches_is_checked_too(store: Store) -> None:
    first = write(store, {"default=a": "1"})
    second = write(store, {"default=a": "2"})
    store.refs.update("refs/heads/main", first.id, second.id, "back")

    assert fsck(store, lambda key, value: None).commits == 2


def test_edits_below_use_the_real_apply() -> None:
    """The fault maker above must not be what makes a healthy tree look broken."""
    objects = Objects()
    tree = objects.build(CONTENTS)

    assert apply(objects.tree(tree.root), {}, objects) == tree.root


def test_what_git_says_twice_is_one_problem(store: Store) -> None:
    write(store, {"default=a": "1"})
    write(store, {"default=a": "2"})
    for file in (store.git_dir / "objects" / "pack").glob("*.idx"):
        file.unlink()

    with Store(store.git_dir) as bad_store:
        problems = fsck(bad_store, lambda key, value: None).problems

    assert any("invalid reflog entry" in problem for problem in problems)
    assert len(problems) == len(set(problems))


def test_git_looks_again_if_a_repack_took_packs_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, {"default=a": "1"})
    folder = store.git_dir / "objects" / "pack"
    answers = [["git: error: packfile pack-1.pack index not opened"], []]

    def repack(_: Store) -> list[str]:
        (folder / f"pack-of-another-{len(answers)}.pack").touch()
        return answers.pop(0)

    monkeypatch.setattr("memoir.repair.fsck._run_git_fsck", repack)

    assert fsck(store, lambda key, value: None).problems == []
    assert answers == []
