"""A folder that is watched is ingested when something in it changes."""

from pathlib import Path
from threading import Event

import pytest

from memoir.errors import InvalidInput
from memoir.repository.repository import Repository
from memoir.store.store import Store


def test_what_changes_in_a_folder_is_ingested(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    repository, folder, stop = Repository(store), tmp_path_factory.mktemp("notes"), Event()
    (folder / "one.md").write_text("One.\n")
    (folder / "two.md").write_text("Two.\n")

    reports = repository.sources.watch(folder, stop=stop)
    first = next(reports)
    (folder / "one.md").write_text("One, and more.\n")
    second = next(reports)
    (folder / "two.md").unlink()
    third = next(reports)
    stop.set()

    assert len(first.sources) == 2
    assert [source.origin for source in second.sources] == [f"{folder.name}/one.md"]
    assert [each.origin for each in third.missing] == [f"{folder.name}/two.md"]
    assert list(reports) == []


def test_only_a_folder_is_watched(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is not a folder"):
        next(Repository(store).sources.watch(tmp_path / "nothing"))
