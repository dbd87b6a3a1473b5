"""Writing: one commit, computed from the head it stands on."""

from collections.abc import Callable, Iterable, Iterator
from subprocess import CompletedProcess
from typing import Any

import pytest
from support import contents, write

from memoir.errors import Conflict, GitError, InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter, PreparedBlobs
from memoir.git.ref_names import BRANCHES
from memoir.store import rewind, transaction
from memoir.store.chain import write_chain
from memoir.store.commit import ChangeList
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change


def test_a_write_is_one_commit_with_its_parent(store: Store) -> None:
    first = write(store, {"default=a": "1"})
    second = write(store, {"default=a": "2", "default=b": "3"})

    assert second.parents == (first.id,)
    assert contents(store) == {"default=a": "2", "default=b": "3"}
    assert contents(store, str(first.id)) == {"default=a": "1"}


def test_a_write_that_changes_nothing_makes_no_commit(store: Store) -> None:
    first = write(store, {"default=a": "1"})

    again = transaction.write(store, lambda head: Change([(b"default=a", b"1")], "again"), reason="again")

    assert again is None
    assert store.head().commit == first


def test_the_change_list_is_the_actual_difference(store: Store) -> None:
    write(store, {"default=a": "1", "default=b": "1"})

    commit = write(store, {"default=a": "1", "default=b": "2", "default=c": "3", "default=no": None})

    assert commit.changes is not None
    assert commit.changes.put == (b"default=b", b"default=c")
    assert commit.changes.forget == ()


def test_a_change_is_computed_again_if_the_branch_moved(store: Store) -> None:
    """A foreign git does not take memoir's lock; compare-and-swap still loses nothing."""
    write(store, {"default=log": "start"})
    pushes = iter([True, False])

    def append(head: Snapshot) -> Change:
        before = head.read([b"default=log"])[b"default=log"]
        if next(pushes):
            foreign_push(store, "default=other", "pushed")
        return Change([(b"default=log", before + b" +1")], "append")

    transaction.write(store, append, reason="append")

    assert contents(store) == {"default=log": "start +1", "default=other": "pushed"}


@pytest.mark.parametrize("key", ["default=other", "default=log"])
def test_others_write_while_a_large_value_is_compressed(
    store: Store, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """The writer lock is free then; and what is written meanwhile is not lost, at the same key neither."""
    write(store, {"default=log": "start"})
    monkeypatch.setattr(transaction, "LARGE", 100)

    class Slow(PreparedBlobs):
        def add(self, blobs: Iterable[bytes]) -> None:
            write(store, {key: "meanwhile"})
            super().add(blobs)

    def append(head: Snapshot) -> Change:
        before = head.read([b"default=log"])[b"default=log"]
        return Change([(b"default=log", before + b"!" * 100)], "append")

    monkeypatch.setattr(transaction, "PreparedBlobs", Slow)
    transaction.write(store, append, reason="append")

    before = "start" if key == "default=other" else "meanwhile"
    assert contents(store) == {key: "meanwhile", "default=log": before + "!" * 100}


def foreign_push(store: Store, key: str, value: str) -> None:
    """Move main as a push from elsewhere would: without the writer lock."""
    head = store.head().commit
    assert head
    store.refs.create("branch", "elsewhere", head.id)
    tip = object_only_write(store, key, value)
    assert store.refs.update(BRANCHES + "main", tip, head.id, "push")


def object_only_write(store: Store, key: str, value: str) -> Oid:
    from memoir.tree.edit import apply

    head = store.head()
    pack = PackWriter(store.git, store.hash)
    root = apply(head.tree, {key.encode(): pack.add("blob", value.encode())}, pack)
    assert head.commit
    commit = transaction._write_commit(
        store, pack, root, (head.commit.id,), Change((), "pushed"), ChangeList(head.tree.root)
    )
    pack.flush()
    pack.release()
    return commit.id


def test_a_branch_that_never_holds_still_is_given_up_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, {"default=a": "1"})
    monkeypatch.setattr(store.refs, "update", lambda *args: False)

    with pytest.raises(Conflict, match="kept moving"):
        write(store, {"default=a": "2"})


@pytest.mark.parametrize(
    "deed",
    [
        rewind.undo,
        rewind.redo,
        lambda store: rewind.rename(store, "main", "new"),
        lambda store: store.refs.delete("branch", "main"),
        lambda store: write_chain(store, lambda head: [Change([(b"default=a", b"3")], "chain")], reason="chain"),
    ],
    ids=["undo", "redo", "rename", "delete", "chain"],
)
def test_whoever_finds_a_branch_moved_says_so_and_leaves_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, deed: Callable[[Store], object]
) -> None:
    for value in "123":
        write(store, {"default=a": value})
    rewind.undo(store)
    before, update = store.refs.branches(), store.refs.update

    def find_moved(ref: str, *args: Any) -> bool:
        return ref != BRANCHES + "main" and update(ref, *args)

    monkeypatch.setattr(store.refs, "update", find_moved)
    with pytest.raises(Conflict, match=r"moved meanwhile|moved while|kept moving"):
        deed(store)

    assert store.refs.branches().items() >= before.items()


def test_writing_to_a_branch_does_not_switch_to_it(store: Store) -> None:
    first = write(store, {"default=a": "1"})
    store.refs.create("branch", "side", first.id)

    write(store, {"default=a": "2"}, branch="side")

    assert contents(store) == {"default=a": "1"}
    assert contents(store, "side") == {"default=a": "2"}
    assert store.branch() == "main"


def test_a_branch_that_does_not_exist_is_named_with_its_nearest(store: Store) -> None:
    write(store, {"default=a": "1"})

    with pytest.raises(NotFound) as error:
        write(store, {"default=a": "2"}, branch="mian")

    assert error.value.hint == "did you mean 'main'? ('memoir branch mian' creates it)"


@pytest.mark.parametrize(
    ("author", "name", "email"),
    [
        ("Ada L <ada@example.org>", "Ada L", "ada@example.org"),
        ("agent-7", "agent-7", "memoir@localhost"),
    ],
)
def test_the_author_comes_from_the_environment(
    store: Store, monkeypatch: pytest.MonkeyPatch, author: str, name: str, email: str
) -> None:
    monkeypatch.setenv("MEMOIR_AUTHOR", author)

    commit = write(store, {"default=a": "1"})

    assert (commit.author.name, commit.author.email) == (name, email)


def test_a_bulk_commit_carries_a_count_instead_of_a_list(store: Store) -> None:
    commit = write(store, {f"default=k{number}": "v" for number in range(1001)})

    assert commit.changes is not None
    assert (commit.changes.bulk, commit.changes.put) == (1001, ())


def test_nothing_that_protects_new_packs_is_left_behind(store: Store) -> None:
    write(store, {"default=a": "1"})

    assert list((store.git_dir / "objects" / "pack").glob("*.keep")) == []


def files(store: Store) -> set[str]:
    return {path.name for path in store.git_dir.glob("objects/pack/*")}


def test_a_write_that_fails_leaves_no_pack_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import's first packs are stored before its last; none of them stays if it is given up."""
    write(store, {"default=a": "1"})
    before = files(store)
    monkeypatch.setattr(PackWriter, "MAX_OBJECTS", 10)

    def edits() -> Iterator[tuple[bytes, bytes]]:
        for number in range(25):
            yield b"default=n%d" % number, b"%d" % number
        assert files(store) > before
        raise InvalidInput("line 26 is malformed")

    with pytest.raises(InvalidInput):
        transaction.write(store, lambda head: Change(edits(), "import"), reason="import")
    assert files(store) == before


def test_a_full_disk_leaves_no_temporary_pack_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, {"default=a": "1"})
    before = files(store)
    really = store.git.try_run
    tries = 0

    def fail(*args: str, **options: Any) -> Any:
        nonlocal tries
        if args[0] != "index-pack":
            return really(*args, **options)
        tries += 1
        folder = store.git_dir / "objects/pack"
        (folder / f"tmp_pack_our{tries}").write_bytes(options["stdin"][:30])
        (folder / f"tmp_idx_our{tries}").write_bytes(b"half an index")
        (folder / "tmp_pack_fetch").write_bytes(b"PACK of a fetch that runs beside")
        return CompletedProcess([], 128, b"", b"fatal: write error: No space left on device")

    monkeypatch.setattr(store.git, "try_run", fail)
    with pytest.raises(GitError, match="No space left"):
        write(store, {"default=b": "2"})
    assert tries == PackWriter.TRIES
    assert files(store) == before | {"tmp_pack_fetch"}


def test_a_write_interrupted_after_the_move_keeps_its_pack(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    really = store.refs.update

    def interrupt(*args: Any) -> bool:
        really(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(store.refs, "update", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(store, {"default=a": "1"})
    assert contents(store) == {"default=a": "1"}


def test_a_pack_that_was_there_before_is_not_discarded(store: Store) -> None:
    """The same objects give the same pack: an earlier write's, which a branch needs."""
    write(store, {"default=a": "1"})
    first, second = PackWriter(store.git, store.hash), PackWriter(store.git, store.hash)
    for pack in (first, second):
        pack.add("blob", b"the same")
        pack.flush()
    before = files(store)
    first.release()

    second.discard()

    assert files(store) == {name for name in before if not name.endswith(".keep")}
