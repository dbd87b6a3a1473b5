"""How objects are compressed, and stored though another git prunes meanwhile."""

import random
import zlib
from subprocess import CompletedProcess
from typing import Any

import pytest
from support import contents, write

from memoir.errors import GitError
from memoir.git.pack_writer import PackWriter, _deflate
from memoir.store.store import Store


@pytest.mark.parametrize("size", [0, 1, 40, 127, 128, 300, 1000, 4095, 4096, 4097])
def test_a_small_window_makes_no_object_larger(size: int) -> None:
    dice = random.Random(size)
    data = "".join(dice.choices("etaoinshrdlu etaoin cmfwyp", k=size)).encode()

    assert zlib.decompress(_deflate(data)) == data
    assert len(_deflate(data)) <= len(zlib.compress(data)) + 16


@pytest.mark.parametrize("failures", [1, 3, 4])
def test_a_pack_that_git_could_not_store_is_tried_again_and_leaves_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """What a fetch that runs beside it has begun is not its own."""
    run, folder, tries = store.git.try_run, store.git_dir / "objects" / "pack", list[int]()

    def fail(*args: str, **more: Any) -> "CompletedProcess[bytes]":
        if args[0] != "index-pack" or len(tries) >= failures:
            return run(*args, **more)
        tries.append(len(more["stdin"]))
        (folder / f"tmp_pack_{len(tries)}").write_bytes(more["stdin"][:20])
        (folder / f"tmp_idx_{len(tries)}").touch()
        (folder / "tmp_pack_of_a_fetch").write_bytes(b"PACK of others")
        return CompletedProcess(args, 128, b"", b"fatal: the disk is full")

    monkeypatch.setattr(store.git, "try_run", fail)
    if failures < 4:
        write(store, {"default=a": "1"})
    else:
        with pytest.raises(GitError, match="the disk is full"):
            write(store, {"default=a": "1"})

    assert [path.name for path in folder.glob("tmp_*")] == ["tmp_pack_of_a_fetch"]
    assert contents(store) == ({"default=a": "1"} if failures < 4 else {})


@pytest.mark.parametrize(("limit", "packs"), [("MAX_OBJECTS", 3), ("MAX_BYTES", 5)])
def test_a_large_write_is_several_packs_that_are_kept_until_they_are_released(
    store: Store, monkeypatch: pytest.MonkeyPatch, limit: str, packs: int
) -> None:
    """Not more than one pack is in memory, and no `git gc` meanwhile takes one that nothing needs yet."""
    monkeypatch.setattr(PackWriter, limit, 2)
    writer, values = PackWriter(store.git, store.hash), [b"value %d" % number for number in range(5)]

    ids = [writer.add("blob", value) for value in values]
    writer.flush()

    folder = store.git_dir / "objects" / "pack"
    assert len([*folder.glob("*.pack")]) == len([*folder.glob("*.keep")]) == packs
    store.git.run("gc", "--quiet", "--prune=now")
    assert store.reader.read(ids, "blob") == values
    writer.release()
    assert not [*folder.glob("*.keep")]
