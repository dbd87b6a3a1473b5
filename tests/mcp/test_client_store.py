"""Which store a server opens: what it is told, then the project's, then the client's roots; never by accident."""

import shutil
from pathlib import Path

import pytest

from memoir.errors import NoStore
from memoir.mcp.client_store import PROJECT, StorePlace
from memoir.mcp.service import BY_NAME, Service
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def make(folder: Path, content: str) -> Path:
    with Repository.init(folder) as repository:
        repository.remember(Memory.of(content), "which.store")
    return folder


def read(place: StorePlace) -> str:
    return place.repository().content("which.store")


def test_an_order_of_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choice, project, root = (make(tmp_path / name, name) for name in ("told", "pro ject", "root"))
    (project / "deep").mkdir()
    monkeypatch.chdir(make(tmp_path / "here", "here"))

    place = StorePlace()
    assert place.asks_client
    with pytest.raises(NoStore, match="the store is unknown") as refusal:
        place.repository()
    assert refusal.value.hint == f"start the server with 'memoir mcp --store {tmp_path / 'here'}'"
    place.roots = ["https://example.org/x", "file:///nowhere/at/all", root.as_uri()]
    assert not place.asks_client and read(place) == "root"
    monkeypatch.setenv(PROJECT, str(project / "deep"))
    assert not StorePlace().asks_client
    assert read(place) == "pro ject" and read(StorePlace(str(choice))) == "told"
    with pytest.raises(NoStore):
        StorePlace(str(tmp_path)).repository()


def test_the_users_own_store_is_read_beside_the_projects_and_alone(tmp_path: Path) -> None:
    make(Path.home(), "mine")
    project = make(tmp_path, "ours")
    with Repository.open(project) as repository:
        repository.forget("which.store")
    service = Service(StorePlace(str(project)))

    item = service.answer(BY_NAME["get"], {"keys": ["which.store"]}).fields["items"][0]
    assert (item["content"], item["store"]) == ("mine", "user")
    memory = service.answer(BY_NAME["recall"], {"query": "mine"}).fields["memories"][0]
    assert memory.endswith(" mine  which.store  (in your own store)")
    survey = service.answer(BY_NAME["summarize"], {}).fields
    assert survey["user"]["path_count"] == 1 and survey["found"] == [{"prefix": "which", "store": "user", "count": 1}]
    alone = Service(StorePlace())
    assert read(alone.place) == "mine"
    refusal = alone.answer(BY_NAME["remember"], {"content": "x", "key": "a.b"})
    assert refusal.failed and refusal.fields["error"]["code"] == "no_store"


def test_a_root_with_a_blank_is_found(tmp_path: Path) -> None:
    place = StorePlace()
    place.roots = [make(tmp_path / "a b%20c", "blank").as_uri()]

    assert read(place) == "blank"


def test_a_relative_project_is_not_the_folder_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(make(tmp_path, "here"))
    monkeypatch.setenv(PROJECT, ".")

    with pytest.raises(NoStore):
        StorePlace().repository()


def test_changes_of_others_are_seen_even_if_they_replace_the_store(tmp_path: Path) -> None:
    place = StorePlace(str(make(tmp_path, "first")))
    assert read(place) == "first"
    with Repository.open(tmp_path) as other:
        other.remember(Memory.of("second"), "which.store", policy="replace")
    assert read(place) == "second"
    shutil.rmtree(tmp_path / ".memoir")
    with pytest.raises(NoStore):
        read(place)
    make(tmp_path, "third")
    assert read(place) == "third"
