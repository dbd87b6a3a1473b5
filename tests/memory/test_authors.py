"""A memory that came from a remote is shown with the author of its commit."""

from pathlib import Path

import pytest
from support import Memoir

from memoir.mcp.client_store import StorePlace
from memoir.mcp.service import BY_NAME, Service
from memoir.records.origins import author_of
from memoir.repository.repository import Repository

ADA, TESS = "Ada <ada@example.org>", "Tess Ter <tess@example.org>"


@pytest.fixture
def clone(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Tess's clone of a store to which Ada has written, with what Tess wrote since."""
    monkeypatch.setenv("MEMOIR_AUTHOR", ADA)
    repository.by("user").remember("Use tabs.", "rules.tabs")
    repository.by("user").remember("The hub is down.", "events.hub")
    monkeypatch.setenv("MEMOIR_AUTHOR", TESS)
    copy = Repository.clone(str(repository.path.parent), tmp_path / "copy")
    copy.by("user").remember("Use pytest.", "rules.tests")
    copy.by("user").remember("The hub is up.", "events.hub", policy="append")
    return copy


def authors(repository: Repository, key: str) -> list[str | None]:
    (entry,) = repository.get_many([key])
    return [author_of(memory.metadata) for memory in entry.record or ()]


def test_only_what_another_wrote_is_marked_also_beside_ones_own(clone: Repository) -> None:
    assert authors(clone, "rules.tabs") == [ADA]
    assert authors(clone, "rules.tests") == [None]
    assert authors(clone, "events.hub") == [ADA, None]


def test_a_move_and_a_note_leave_the_author_and_an_edit_of_the_words_takes_over(clone: Repository) -> None:
    clone.move("rules.tabs", "rules.go.tabs")
    clone.annotate("rules.go.tabs", expires="30d")
    clone.agents.pin("rules.go.tabs")
    assert authors(clone, "rules.go.tabs") == [ADA]

    clone.edit("rules.go.tabs", lambda record: [record[0]._replace(content="Use spaces.")])
    assert authors(clone, "rules.go.tabs") == [None]


def test_who_vouches_for_what_was_there_is_named(
    clone: Repository, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.remotes.push()
    monkeypatch.setenv("MEMOIR_AUTHOR", ADA)
    repository.remember("Use pytest.", "rules.tests")
    monkeypatch.setenv("MEMOIR_AUTHOR", TESS)
    clone.remotes.pull()

    assert authors(clone, "rules.tests") == [ADA]


def test_recall_why_and_the_primer_name_the_author(clone: Repository) -> None:
    (found, *_) = clone.recall("tabs").memories
    assert (found.path, author_of(found.metadata)) == ("rules.tabs", ADA)
    tree = clone.why("rules.tabs")
    assert tree.record and author_of(tree.record[0].metadata) == ADA
    primer = clone.agents.prime().text
    assert '- rules.tabs: "Use tabs." (user by Ada, ' in primer and '"Use pytest." (user, ' in primer


@pytest.fixture
def postgres(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Tess's clone of what Ada remembered of PostgreSQL and of a file, which Tess has changed."""
    monkeypatch.setenv("MEMOIR_AUTHOR", ADA)
    (repository.path.parent / "pool.py").write_text("SIZE = 5\n")
    for number, text in enumerate(("has a pool of 5", "pool is too small", "pool of 9 was better")):
        repository.by("user").remember(f"The PostgreSQL {text}.", f"stack.db.pool{number}", about=["pool.py"])
    monkeypatch.setenv("MEMOIR_AUTHOR", TESS)
    copy = Repository.clone(str(repository.path.parent), tmp_path / "copy")
    (tmp_path / "copy/pool.py").write_text("SIZE = 9\n")
    copy.remember("The PostgreSQL pool of 7 is mine.", "stack.db.pool7")
    return copy


LISTS = {
    "timeline": ["timeline"],
    "thread": ["thread", "stack.db.pool0"],
    "entities": ["entities", "PostgreSQL"],
    "related": ["related", "stack.db.pool7"],
    "about": ["about", "pool.py"],
    "stale": ["stale"],
}


@pytest.mark.parametrize("name", LISTS)
def test_every_list_names_who_vouches_and_the_author(postgres: Repository, memoir: Memoir, name: str) -> None:
    folder = postgres.path.parent
    answer = memoir.json("-s", str(folder), *LISTS[name])
    said = memoir.ok("-s", str(folder), *LISTS[name])

    rows = answer[{"timeline": "moments", "related": "related"}.get(name, "memories")]
    found = {row["key"]: (row["origin"], row.get("author")) for row in rows}
    mine = found.pop("stack.db.pool7", None)
    assert mine in (None, (["agent"], None))
    assert found == {f"stack.db.pool{number}": (["user"], ADA) for number in range(3)}
    assert "stack.db.pool0  (user by Ada)" in said and "pool7  (" not in said


def test_the_tool_history_names_the_author_on_a_timeline(postgres: Repository) -> None:
    service = Service(StorePlace(str(postgres.path.parent)))
    rows = service.answer(BY_NAME["history"], {"what": "timeline"}).fields["memories"]

    assert {row["key"]: row["origin"] for row in rows}["stack.db.pool0"] == "user by Ada"


def test_a_store_without_remotes_marks_nothing(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.remember("Use tabs.", "rules.tabs")
    monkeypatch.setenv("MEMOIR_AUTHOR", ADA)

    assert authors(repository, "rules.tabs") == [None]


def test_a_stored_field_of_that_name_is_nobody(repository: Repository) -> None:
    repository.import_lines(
        [b'{"path":"a.b","content":"x","metadata":{"origin_author":"Tess Ter <tess@example.org>"}}']
    )

    assert authors(repository, "a.b") == [None]


def test_the_command_line_shows_the_author(clone: Repository, memoir: Memoir) -> None:
    (item,) = memoir.json("-s", str(clone.path.parent), "get", "rules.tabs")["items"]

    assert (item["value"]["author"], item["value"]["metadata"]) == (ADA, {})
