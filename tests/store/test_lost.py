"""What a power cut takes away is damage: never an empty store, fewer branches, or no store."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support import built_once, contents, write

from memoir.errors import Conflict, DamagedStore, NotFound
from memoir.repository.repository import Repository
from memoir.store.create import create
from memoir.store.locate import discover, find, locate
from memoir.store.store import Store


@built_once
def two_branches(store: Store) -> None:
    """A store with the branches `main` and `side` and the tag `v1`, all in `packed-refs`."""
    write(store, {"default=a": "1"})
    commit = write(store, {"default=b": "2"}).id
    store.refs.create("branch", "side", commit)
    store.refs.create("tag", "v1", commit)
    store.git.run("pack-refs", "--all")


def empty_refs(git_dir: Path) -> None:
    (git_dir / "packed-refs").write_bytes(b"")


def zero_refs(git_dir: Path) -> None:
    (git_dir / "packed-refs").write_bytes(bytes(200))


def remove_refs(git_dir: Path) -> None:
    (git_dir / "packed-refs").unlink()


@pytest.mark.parametrize("lose", [empty_refs, zero_refs, remove_refs])
def test_a_lost_branch_is_not_an_empty_one(two_branches: Store, lose: Callable[[Path], None]) -> None:
    commit = two_branches.head().commit
    assert commit
    lose(two_branches.git_dir)

    reads: list[Callable[[Store], object]] = [
        lambda store: store.head(),
        lambda store: store.at(None),
        lambda store: store.head("side"),
        lambda store: store.at("side"),
        lambda store: store.at("v1~1"),
        lambda store: store.at("main@{0}"),
        lambda store: write(store, {"default=c": "3"}),
        lambda store: write(store, {"default=c": "3"}, branch="side"),
        lambda store: store.refs.branches(),
        lambda store: store.refs.create("branch", "side", commit.id),
    ]
    with Store(two_branches.git_dir) as fresh_store:
        for read in reads:
            with pytest.raises(DamagedStore) as refusal:
                read(fresh_store)
            if lose is not zero_refs:
                assert str(commit.id) in refusal.value.message
            assert refusal.value.hint and "fsck" in refusal.value.hint


def test_a_branch_that_was_deleted_or_never_was_is_just_absent(two_branches: Store) -> None:
    two_branches.refs.delete("branch", "side")
    two_branches.refs.delete("tag", "v1")

    for name in ("side", "v1", "none", "main/inner"):
        with pytest.raises(NotFound):
            two_branches.at(name)
    assert list(two_branches.refs.branches()) == ["main"]


def ways_to_open(folder: Path, inside: Path) -> list[Callable[[], object]]:
    """Each way by which somebody in a folder, or in one inside it, comes to the store of the folder."""
    return [
        lambda: Store(locate(folder)),
        lambda: Store(discover(inside)),
        lambda: create(folder),
        lambda: Repository.init(folder),
    ]


@pytest.mark.parametrize("name", ["HEAD", "config"])
@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")], ids=["gone", "empty"])
def test_a_store_without_head_or_config_is_damaged(
    two_branches: Store, name: str, lose: Callable[[Path], None]
) -> None:
    folder, commit = two_branches.git_dir.parent, two_branches.head().commit
    assert commit
    lose(two_branches.git_dir / name)
    inside = folder / "inner"
    inside.mkdir()

    for open_ in ways_to_open(folder, inside):
        with pytest.raises(DamagedStore, match=f"{name!r}.*{commit.id}") as refusal:
            open_()
        assert refusal.value.hint and "fsck --repair" in refusal.value.hint


def test_a_store_without_its_objects_is_damaged_and_not_passed_over(two_branches: Store, tmp_path: Path) -> None:
    folder = two_branches.git_dir.parent
    shutil.rmtree(two_branches.git_dir / "objects")
    inside = folder / "inner"
    inside.mkdir()

    for open_ in ways_to_open(folder, inside):
        with pytest.raises(DamagedStore, match="'objects' is missing") as refusal:
            open_()
        assert refusal.value.hint and f"memoir clone URL {folder}" in refusal.value.hint
    assert find(inside) == two_branches.git_dir, "who asks only whether there is one, as 'setup' does, is told"
    Repository.init(inside).close()  # a new store below it needs none of it


def test_an_empty_folder_becomes_a_store_and_another_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "new" / ".memoir").mkdir(parents=True)
    (tmp_path / "old" / ".memoir").mkdir(parents=True)
    (tmp_path / "old" / ".memoir" / "notes").write_text("mine")

    create(tmp_path / "new").close()
    with pytest.raises(Conflict, match="is no memoir store"):
        create(tmp_path / "old")

    assert locate(tmp_path / "new") == tmp_path / "new" / ".memoir"
    assert [each.name for each in (tmp_path / "old" / ".memoir").iterdir()] == ["notes"]


def test_a_folder_with_only_objects_is_not_a_store(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()

    with Repository.init(tmp_path) as repository:
        assert contents(repository.store) == {}
