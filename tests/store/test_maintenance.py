"""Packing never takes anything that undo reaches, whatever the settings and whoever made the store."""

import subprocess
from pathlib import Path

import pytest
from support import contents, write

from memoir.store import rewind
from memoir.store.maintenance import gc
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
