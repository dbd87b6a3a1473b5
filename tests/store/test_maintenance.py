"""Packing never takes anything that undo reaches, whatever the settings and whoever made the store."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from support import contents, write

from memoir.errors import GitError
from memoir.git.lock import held, removing_half_packs
from memoir.git.pack_writer import PackWriter
from memoir.store import rewind
from memoir.store.maintenance import REPACK_LOCK, gc, repack_if_needed
from memoir.store.store import Store


@pytest.fixture
def plain_clone(store: Store, tmp_path: Path) -> Store:
    """A clone by plain git, which sets nothing of what memoir's own stores say; one write, taken back long ago."""
    write(store, {"default=a": "1"})
    subprocess.run(["git", "clone", "-q", "--bare", str(store.git_dir), str(tmp_path / "plain.git")], check=True)
    plain = Store(tmp_path / "plain.git")
    write(plain, {"default=b": "2"})
    rewind.undo(plain)
    for log in plain.git_dir.glob("logs/**/main"):
        log.write_text(log.read_text().replace(" 17", " 10"))  # years ago
    return plain


@pytest.mark.parametrize(
    "setting", ["gc.reflogExpireUnreachable", "gc.refs/heads/*.reflogExpireUnreachable", "gc.reflogExpire"]
)
def test_gc_keeps_what_redo_reaches(plain_clone: Store, setting: str) -> None:
    plain_clone.git.run("config", setting, "now")

    gc(plain_clone)

    with plain_clone:
        rewind.redo(plain_clone)
        assert contents(plain_clone) == {"default=a": "1", "default=b": "2"}


def test_gc_packs_everything_into_one_pack_and_one_file_of_refs(store: Store) -> None:
    for number in range(5):
        commit = write(store, {f"default=k{number}": "v"}).id
        store.refs.create("branch", f"b{number}", commit)

    gc(store)

    assert len(list(store.git_dir.glob("objects/pack/*.pack"))) == 1
    assert not list(store.git_dir.glob("refs/heads/*"))
    assert len(contents(store)) == 5


def test_what_fails_takes_its_own_half_packs_along_and_nothing_else(store: Store) -> None:
    packs = store.git_dir / "objects" / "pack"
    packs.mkdir(exist_ok=True)
    (packs / "tmp_pack_before").touch()
    opened = list[IO[str]]()

    def fail() -> None:
        with removing_half_packs(store.git_dir):
            (packs / "tmp_pack_left").touch()
            (packs / "pack-of-a-writer.pack").touch()
            opened.append((packs / "tmp_pack_of_a_fetch").open("w"))
            raise EOFError

    with pytest.raises(EOFError):
        fail()

    names = sorted(path.name for path in packs.iterdir())
    assert names == ["pack-of-a-writer.pack", "tmp_pack_before", "tmp_pack_of_a_fetch"]
    opened[0].close()


@pytest.mark.parametrize("failures", [2, 100])
def test_gc_tries_again_where_another_git_has_taken_a_pack_away(
    store: Store, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    write(store, {"default=a": "1"})
    run, words = store.git.try_run, [b"fatal: could not find pack 'pack-1.pack'\n"] * failures

    def beside_another(*args: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(args, 128, b"", words.pop()) if "repack" in args and words else run(*args)

    monkeypatch.setattr(store.git, "try_run", beside_another)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    if failures == 2:
        gc(store)
    else:
        with pytest.raises(GitError, match="could not find pack") as refusal:
            gc(store)
        assert refusal.value.hint == "another git packs the store: try again when it is done"

    assert len(words) in (0, 88)
    assert contents(store) == {"default=a": "1"}


@pytest.mark.parametrize(("limit", "starts"), [("0", False), ("3", False), ("2", True)])
def test_a_store_is_repacked_from_a_number_of_packs_on_and_with_0_never(store: Store, limit: str, starts: bool) -> None:
    for number in range(3):
        write(store, {f"default=k{number}": "v"})
    store.git.run("config", "memoir.repackAt", limit)

    with Store(store.git_dir) as again:
        assert repack_if_needed(again) is starts
    with held(store.git_dir / REPACK_LOCK):  # it ends with the repack
        pass


def repack(store: Store) -> None:
    store.git.run("config", "memoir.repackAt", "1")
    with Store(store.git_dir) as again:
        assert repack_if_needed(again)
    with held(store.git_dir / REPACK_LOCK):  # it ends with the repack
        pass


def users_gc(store: Store) -> None:
    subprocess.run(["git", "--git-dir", str(store.git_dir), "gc", "--quiet", "--prune=now"], check=True)


@pytest.mark.parametrize("pack_up", [repack, gc, users_gc])
def test_what_a_writer_has_too_that_gives_up_is_not_lost(store: Store, pack_up: Callable[[Store], object]) -> None:
    for number in range(6):
        write(store, {f"default=k{number}": f"v{number}"})
    writer = PackWriter(store.git, store.hash)
    for number in range(6):
        writer.add("blob", f"v{number}".encode())
    writer.flush()

    pack_up(store)
    writer.discard()

    with Store(store.git_dir) as again:
        assert contents(again) == {f"default=k{number}": f"v{number}" for number in range(6)}
    store.git.run("fsck", "--strict", "--no-dangling")
