"""`Repository`, the library's front door."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from credential_samples import credentials

import memoir
from memoir import InvalidInput, MemoirError, Memory, Repository, WriteOptions


def test_a_session_with_the_library(tmp_path: Path) -> None:
    with Repository.init(tmp_path / "one") as repository:
        first = repository.remember(
            Memory.of("Use pytest"), "preferences.coding.testing", "user:alice:tools.testing"
        ).commit
        repository.remember(Memory.of("Use tox"), "preferences.coding.testing", policy="append")

        record = repository.get("preferences.coding.testing")
        assert record
        assert [facet.content for facet in record] == ["Use pytest", "Use tox"]
        assert [place.full_key for place in repository.keys(["*testing"])] == [
            "default:preferences.coding.testing",
            "user:alice:tools.testing",
        ]
        assert repository.summarize(depth=1).prefixes["default"] == {"preferences": 1}
        assert first
        assert [each.operation for each in repository.diff(str(first.id)).differences] == ["modified"]
        assert [item.record is None for item in repository.get_many(["preferences.coding.testing", "no"])] == [
            False,
            True,
        ]
        repository.forget("preferences.coding.testing")
        assert [version.operation for version in repository.blame("preferences.coding.testing")] == [
            "removed",
            "modified",
            "added",
        ]


def test_a_text_is_remembered_at_a_path(repository: Repository) -> None:
    repository.remember("Use pytest.", "preferences.testing")
    repository.remember("Use vim.", "user:alice:tools.editor", policy="append")

    assert repository.content("preferences.testing") == "Use pytest."
    assert repository.content("user:alice:tools.editor") == "Use vim."
    with pytest.raises(MemoirError, match="must not be blank"):
        repository.remember(" ", "preferences.testing")
    with pytest.raises(MemoirError, match="needs a text"):
        Memory.of(5)


def test_children_are_those_of_the_namespace_that_the_prefix_names(repository: Repository) -> None:
    repository.remember("Use vim.", "user:alice:tools.editor")
    repository.remember("Use make.", "tools.build")

    assert [child.address.full_key for child in repository.children("user:alice:tools").children] == [
        "user:alice:tools.editor"
    ]


@pytest.mark.parametrize("new", [7, b"x", None])
def test_a_memory_that_is_no_text_is_refused(repository: Repository, new: Any) -> None:
    with pytest.raises(InvalidInput, match="needs a text"):
        repository.remember(new, "a.b")
    with pytest.raises(InvalidInput, match=r"memory 1 of the list: .* needs a text"):
        repository.remember_many([(new, "a.b")])


def test_no_branch_tag_or_remote_is_named_like_a_credential(repository: Repository) -> None:
    """Logs and the messages of merges would hold it, and remotes get it."""
    repository.remember("x", "a")
    token = credentials()["github-classic"]
    for name in (token, f"agents/{token}"):
        for create in (
            repository.branches.create,
            repository.branches.rename,
            partial(repository.branches.checkout, create=True),
            repository.tags.create,
            partial(repository.remotes.add, url="https://example.com/m.git"),
        ):
            with pytest.raises(InvalidInput, match="the name looks like a credential"):
                create(name)
    for name in ("feature/rotate-tokens-2", "agent-0b8ce5f4-9d1f-4a35-8f0e-6a3c2b1d7e90", "v1.2.0-rc.1"):
        repository.branches.create(name)

    assert [ref.name for ref in repository.branches.list()][-1] == "v1.2.0-rc.1" and not repository.tags.list()


def test_opening_and_cloning(tmp_path: Path) -> None:
    with Repository.init(tmp_path / "one") as one:
        one.remember(Memory.of("x"), "a")
    with Repository.clone(str(tmp_path / "one"), tmp_path / "two") as two, Repository.open(tmp_path / "two") as again:
        assert two.get("a") == again.get("a") is not None


def test_questions_are_answered_explained_and_answered_line_by_line(repository: Repository) -> None:
    repository.remember(Memory.of("Use pytest"), "preferences.testing")
    repository.remember(Memory.of("Use vim"), "preferences.editor")
    lines = BytesIO(b'{"query": "pytest"}\n{"query": 1}\n')

    answer = repository.recall("pytest", limit=1)
    explanation = repository.explain("pytest", "preferences.testing")
    outcomes = list(repository.recall_lines(lines, limit=1))

    assert [memory.path for memory in answer.memories] == ["preferences.testing"]
    assert [(each.rank, each.target.path) for each in explanation.memories] == [(1, "preferences.testing")]
    assert outcomes[0].answer and outcomes[0].answer.memories == answer.memories
    assert outcomes[1].error and outcomes[1].error.details["line"] == 2


def test_links_lead_from_a_memory_to_what_it_came_from(repository: Repository) -> None:
    repository.remember(Memory.of("The runner is slow"), "debugging.ci")
    repository.remember(Memory.of("Give CI an hour"), "settings.ci", links=["derives_from=debugging.ci"])

    (link,) = repository.why("settings.ci").links

    assert (link.edge, link.address.path) == ("derives_from", "debugging.ci")
    with pytest.raises(MemoirError, match="not a link"):
        repository.remember(Memory.of("x"), "a", links=["leads_to=b"])


def test_the_timeline_has_the_newest_first(repository: Repository) -> None:
    for day in ("2026-01-03", "2026-01-01", "2026-01-02"):
        repository.remember(Memory.of(day, timestamp=day), f"days.on-{day}")

    assert [moment.memory.content for moment in repository.timeline(limit=2).moments] == ["2026-01-03", "2026-01-02"]
    (near,) = repository.timeline(around="days.on-2026-01-01", until="2026-01-01").moments
    assert near.here


def test_a_folder_without_a_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MemoirError, match="no memoir store"):
        Repository.open(tmp_path)


def test_the_nearest_store_above_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Repository.init(tmp_path).close()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)

    with Repository.open() as repository:
        assert repository.store.git_dir == tmp_path / ".memoir"


def test_there_are_no_other_public_names() -> None:
    with pytest.raises(AttributeError):
        memoir.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("key", [["a.b"], ("a.b", "c.d"), None, 7])
def test_a_key_that_is_no_text_is_refused_with_a_hint(repository: Repository, key: Any) -> None:
    with pytest.raises(InvalidInput, match="a key has to be a text") as error:
        repository.remember("x", key)

    assert error.value.hint == 'give each key by itself: "a.b", "c.d"'


def test_an_empty_name_is_no_branch(repository: Repository) -> None:
    nameless = WriteOptions(branch="")
    repository.remember("Deploy on Tuesdays", "deploy")
    uses: list[Callable[[], object]] = [
        lambda: Repository.open(repository.path, branch=""),
        lambda: repository.remember("Deploy on Fridays", "deploy", options=nameless),
        lambda: repository.forget("deploy", options=nameless),
        lambda: repository.import_lines([b'{"key": "a.b", "content": "c"}'], options=nameless),
        lambda: repository.merge("main", options=nameless),
        lambda: repository.undo(branch=""),
        lambda: repository.redo(branch=""),
        lambda: repository.remotes.push(branch=""),
        lambda: repository.remotes.pull(branch=""),
    ]

    for use in uses:
        with pytest.raises(InvalidInput, match="an empty name is no branch"):
            use()

    assert len(list(repository.log())) == 1
