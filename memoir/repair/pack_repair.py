"""Repairing packs: an index is made from its pack; of a pack that is itself broken, what can be read is kept."""

from pathlib import Path

from memoir.git.fsync import sync
from memoir.store.store import Store


def rebuild_indexes(store: Store) -> list[str]:
    """Make anew each index that is missing or damaged, of a pack that is whole."""
    done = []
    for pack in _packs(store):
        if _has_index(store, pack):
            continue
        index = pack.with_suffix(".idx")
        aside = index.with_suffix(".idx-damaged")
        if index.exists():
            index.rename(aside)
        if store.git.try_run("index-pack", "--threads=1", str(pack)).returncode == 0:
            done.append(f"rebuilt the index of {pack.name}")
            sync(pack.parent)
            aside.unlink(missing_ok=True)
        elif aside.exists():
            aside.rename(index)
    store.reader.close()
    return done


def salvage(store: Store) -> list[str]:
    """Take out of each pack that git cannot open the objects that stand before the damage."""
    done = []
    for pack in _packs(store):
        if _has_index(store, pack):
            continue
        before = _loose(store)
        store.git.try_run("unpack-objects", "-r", "-q", stdin=pack.read_bytes())
        if count := _loose(store) - before:
            done.append(f"recovered {count} objects from {pack.name}, which is damaged")
    store.reader.close()
    return done


def replace_broken(store: Store) -> list[str]:
    """Pack everything that refs and logs reach anew, and set packs that are damaged aside, under names git ignores."""
    bad_packs = [pack for pack in _packs(store) if not _is_whole(store, pack)]
    orphans = [index for index in _folder(store).glob("*.idx") if not index.with_suffix(".pack").exists()]
    for index in orphans:
        index.rename(index.with_suffix(".idx-damaged"))
    if not bad_packs:
        return []
    copies = [pack.with_suffix(".pack-damaged") for pack in bad_packs]
    for pack, copy in zip(bad_packs, copies, strict=True):
        copy.unlink(missing_ok=True)
        copy.hardlink_to(pack)
    done = store.git.try_run("-c", "repack.writeBitmaps=false", "repack", "-a", "-d", "-f", "-q")
    store.reader.close()
    if done.returncode:  # something that a ref reaches is missing still; nothing was removed
        for copy in copies:
            copy.unlink()
        return []
    return [f"renamed the damaged {pack.name} to {copy.name}" for pack, copy in zip(bad_packs, copies, strict=True)]


def _folder(store: Store) -> Path:
    return store.git_dir / "objects" / "pack"


def _packs(store: Store) -> list[Path]:
    return sorted(_folder(store).glob("pack-*.pack"))


def _loose(store: Store) -> int:
    return sum(1 for _ in (store.git_dir / "objects").glob("[0-9a-f][0-9a-f]/*"))


def _has_index(store: Store, pack: Path) -> bool:
    """Whether a pack's index is whole and this pack's: it ends with the pack's digest and with its own."""
    size = store.id_size
    try:
        index, data = pack.with_suffix(".idx").read_bytes(), pack.read_bytes()
    except OSError:
        return False
    return index[-size:] == store.hash(index[:-size]) and index[-2 * size : -size] == data[-size:]


def _is_whole(store: Store, pack: Path) -> bool:
    data = pack.read_bytes()
    return _has_index(store, pack) and data[-store.id_size :] == store.hash(data[: -store.id_size])
