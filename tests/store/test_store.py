"""What an open store keeps and starts."""

from memoir.memory.record import Memory
from memoir.repository import Repository
from memoir.store.store import Store


def test_settings_are_read_ahead_and_are_the_same(repository: Repository) -> None:
    ahead, plain = Store(repository.store.git_dir), Store(repository.store.git_dir)
    ahead.expect_config()

    assert ahead.config == plain.config
    assert "core.repositoryformatversion" in plain.config


def test_settings_that_nobody_asked_for_leave_no_process_behind(repository: Repository) -> None:
    store = Store(repository.store.git_dir)
    store.expect_config()
    reader = store._settings_reader
    store.close()

    assert reader and reader.returncode is not None


def test_a_tree_that_is_asked_for_again_knows_what_it_has_read(repository: Repository) -> None:
    repository.remember(Memory.of("one"), "a.b")
    head = repository.store.head()

    assert repository.store.head().tree is head.tree
    assert repository.store.tree(head.tree.root) is head.tree


def test_settings_changed_after_they_were_expected_are_the_new_ones(repository: Repository) -> None:
    store = Store(repository.store.git_dir)
    store.expect_config()
    store.expect_config()
    store.git.run("config", "--local", "memoir.recall.k", "9")
    store.reload()

    assert store.config["memoir.recall.k"] == ["9"]
    store.close()
