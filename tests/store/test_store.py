"""What an open store keeps and starts."""

from collections.abc import Sequence
from subprocess import Popen
from typing import Any

import pytest
from support import write

from memoir.errors import DamagedStore
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.setting_rules import Entry
from memoir.store import config
from memoir.store import snapshot as snapshot_module
from memoir.store.snapshot import parent_of
from memoir.store.store import Store


def test_settings_are_read_ahead_and_are_the_same(repository: Repository) -> None:
    ahead, plain = Store(repository.store.git_dir), Store(repository.store.git_dir)
    ahead.expect_config()

    assert ahead.config == plain.config
    assert "core.repositoryformatversion" in plain.config


def test_unused_settings_leave_no_process_behind(repository: Repository) -> None:
    store = Store(repository.store.git_dir)
    store.expect_config()
    reader = store.git_settings._process
    store.close()

    assert reader and reader.returncode is not None


def test_a_tree_is_read_only_once(repository: Repository) -> None:
    repository.remember(Memory.of("one"), "a.b")
    head = repository.store.head()

    assert repository.store.head().tree is head.tree
    assert repository.store.tree(head.tree.root) is head.tree


def test_settings_changed_after_the_preload_are_read_again(repository: Repository) -> None:
    store = Store(repository.store.git_dir)
    store.expect_config()
    store.expect_config()
    store.git.run("config", "--local", "memoir.recall.k", "9")
    store.reload()

    assert store.config["memoir.recall.k"] == ["9"]
    store.close()


def test_after_a_change_of_the_stores_own_config_nothing_else_is_read_again(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows() -> list[Entry]:
        with Store(repository.store.git_dir) as opened:
            return sorted(opened.git_settings._all)

    with Store(repository.store.git_dir) as store:
        before = store.config
        monkeypatch.setattr(store.git, "start", None)
        config.put(store, "memoir.recall.limit", "9")
        config.put(store, "memoir.writer", "x")

        assert store.config == before | {"memoir.recall.limit": ["9"], "memoir.writer": ["x"]}
        assert sorted(store.git_settings._all) == rows()


def test_values_are_read_a_few_bytes_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {f"n=k{number}".encode(): bytes([97 + number]) * 1000 for number in range(9)}
    write(store, {key.decode(): value.decode() for key, value in expected.items()})
    monkeypatch.setattr(snapshot_module, "_BATCH_BYTES", 2500)
    sizes: list[int] = []
    read_some = ObjectReader.read_some

    def measure(reader: ObjectReader, ids: Sequence[Oid], kind: str, most_bytes: int) -> list[bytes]:
        contents = read_some(reader, ids, kind, most_bytes)
        sizes.append(len(contents))
        return contents

    monkeypatch.setattr(ObjectReader, "read_some", measure)

    assert dict(store.head().scan()) == expected
    assert sizes == [3, 3, 3]


def test_a_snapshot_tells_its_commit_and_the_first_parent_without_the_parsed_commit(store: Store) -> None:
    assert (store.at(None).id, store.at(None).parent) == (None, None)
    first = write(store, {"d=a": "1"})
    second = write(store, {"d=a": "2"})

    assert (store.of(first.id).id, store.of(first.id).parent) == (first.id, None)
    assert (store.at(None).id, store.at(None).parent) == (second.id, first.id)


def test_a_parent_that_is_no_id_is_damage() -> None:
    with pytest.raises(DamagedStore, match="cannot be read"):
        parent_of(b"tree 00\nparent HEAD~1\n\nmessage")


def test_no_git_goes_on_when_a_store_is_closed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write(store, {"default=a": "1"})
    started, start = list["Popen[bytes]"](), store.git.start

    def note(*args: str, **pipes: Any) -> "Popen[bytes]":
        started.append(start(*args, **pipes))
        return started[-1]

    monkeypatch.setattr(store.git, "start", note)
    store.reader.close()
    store.reload()
    store.expect_config()
    store.head().read([b"default=a"])
    store.close()

    assert len(started) == 2 and all(process.poll() is not None for process in started)
