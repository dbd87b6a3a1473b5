"""A memory that came from a remote is shown with the author of its commit."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import Memoir, copied_together, git

from memoir.mcp.client_store import StorePlace
from memoir.mcp.service import BY_NAME, Service
from memoir.records.origins import author_of
from memoir.repository.repository import Repository

ADA = "Ada <ada@example.org>"


@contextmanager
def as_ada() -> Iterator[None]:
    """What is written meanwhile is Ada's; the rest is Tess's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMOIR_AUTHOR", ADA)
        yield


def make(folder: Path) -> None:
    """Tess's clone of a store to which Ada has written, with what Tess wrote since."""
    with as_ada(), Repository.init(folder / "ada") as ada:
        ada.by("user").remember("Use tabs.", "rules.tabs")
        ada.by("user").remember("The hub is down.", "events.hub")
    with Repository.clone(str(folder / "ada"), folder / "copy") as copy:
        copy.by("user").remember("Use pytest.", "rules.tests")
        copy.by("user").remember("The hub is up.", "events.hub", policy="append")


@pytest.fixture
def clone(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    copied_together(tmp_path, tmp_path_factory.getbasetemp() / "authors", make)
    with Repository.open(tmp_path / "copy") as clone:
        yield clone


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


def test_who_vouches_for_what_was_there_is_named(clone: Repository, tmp_path: Path) -> None:
    clone.remotes.push()
    with as_ada(), Repository.open(tmp_path / "ada") as ada:
        ada.remember("Use pytest.", "rules.tests")
    clone.remotes.pull()

    assert authors(clone, "rules.tests") == [ADA]


def test_recall_why_and_the_primer_name_the_author(clone: Repository) -> None:
    (found, *_) = clone.recall("tabs").memories
    assert (found.path, author_of(found.metadata)) == ("rules.tabs", ADA)
    tree = clone.why("rules.tabs")
    assert tree.record and author_of(tree.record[0].metadata) == ADA
    primer = clone.agents.prime().text
    assert '- rules.tabs: "Use tabs." (user by Ada, ' in primer and '"Use pytest." (user, ' in primer


def make_postgres(folder: Path) -> None:
    """Tess's clone of what Ada remembered of PostgreSQL and of a file, which Tess has changed."""
    with as_ada(), Repository.init(folder / "ada") as ada:
        (folder / "ada/pool.py").write_text("SIZE = 5\n")
        for number, text in enumerate(("has a pool of 5", "pool is too small", "pool of 9 was better")):
            ada.by("user").remember(f"The PostgreSQL {text}.", f"stack.db.pool{number}", about=["pool.py"])
    with Repository.clone(str(folder / "ada"), folder / "copy") as copy:
        (folder / "copy/pool.py").write_text("SIZE = 9\n")
        copy.remember("The PostgreSQL pool of 7 is mine.", "stack.db.pool7")


@pytest.fixture
def postgres(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    copied_together(tmp_path, tmp_path_factory.getbasetemp() / "postgres", make_postgres)
    with Repository.open(tmp_path / "copy") as clone:
        yield clone


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


def test_the_review_of_a_change_names_the_author_of_what_it_leaves_stale(postgres: Repository) -> None:
    project = postgres.path.parent
    file = project / "pool.py"
    file.write_text("SIZE = 5\n")
    git("-C", str(project), "init", "-q")
    git("-C", str(project), "add", "pool.py")
    git("-C", str(project), "-c", "user.name=Tess", "-c", "user.email=tess@example.org", "commit", "-qm", "The pool")
    file.write_text("SIZE = 9\n")

    stale = postgres.code.review("HEAD..HEAD", since="HEAD").stale

    assert [author_of(each.facet.memory.metadata) for each in stale] == [ADA] * 3


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
