"""Writing memories, and bringing back what was written: one commit each, or none."""

from typing import Any

import pytest
from support import built_once, commits

from memoir import Conflict, Memory, NotFound, Repository
from memoir.memory import write
from memoir.memory.facets import ids_of
from memoir.memory.read import get
from memoir.memory.write_options import subject
from memoir.records.record import Record, projection
from memoir.store.store import Store
from memoir.taxonomy.paths import address, memory_address


def remember(store: Store, path: str, content: str, **options: Any) -> write.CommitResult:
    return write.remember(store, Memory.of(content), [address(path)], **options)


def content(store: Store, path: str, at: str | None = None) -> str | None:
    record = get(store.at(at), [address(path)])[address(path)]
    return projection(record) if record else None


def test_one_memory_at_several_paths_is_one_commit(store: Store) -> None:
    result = write.remember(store, Memory.of("x"), [address("a.b"), address("c.d", "user:alice")])

    assert commits(store) == 1
    assert [place.full_key for place in result.outcomes] == ["default:a.b", "user:alice:c.d"]
    assert content(store, "user:alice:c.d") == "x"


@pytest.mark.parametrize(
    ("path", "expected"), [("experience.x", "one\ntwo"), ("context.x", "two"), ("preferences.x", "two")]
)
def test_the_kind_of_memory_decides_what_an_occupied_path_does(store: Store, path: str, expected: str) -> None:
    remember(store, path, "one")
    remember(store, path, "two")

    assert content(store, path) == expected


@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("event", "preferences.x", "one\ntwo"),
        ("resolution", "context.x", "one\ntwo"),
        ("fact", "experience.x", "two"),
        ("mine", "experience.x", "one\ntwo"),
    ],
)
def test_a_kind_of_its_own_decides_before_the_path(store: Store, kind: str, path: str, expected: str) -> None:
    for text in ("one", "two"):
        write.remember(store, Memory.of(text, metadata={"item_kind": kind}), [address(path)])

    assert content(store, path) == expected


def test_a_rejected_memory_changes_nothing(store: Store) -> None:
    remember(store, "a", "one")

    with pytest.raises(Conflict):
        write.remember(store, Memory.of("two"), [address("free"), address("a")], policy="reject")

    assert commits(store) == 1
    assert content(store, "free") is None


def test_forgetting_is_all_or_nothing(store: Store) -> None:
    remember(store, "preferences.testing", "one")

    with pytest.raises(NotFound) as error:
        write.forget(store, [memory_address("preferences.testing"), memory_address("preferences.tasting")])

    assert error.value.hint == "did you mean 'preferences.testing'?"
    assert error.value.details == {"keys": ["default:preferences.tasting"]}
    assert commits(store) == 1


def test_a_forgotten_memory_stays_in_history(store: Store) -> None:
    first = remember(store, "a", "one").commit
    write.forget(store, [memory_address("a")])

    assert first
    assert content(store, "a") is None
    assert content(store, "a", str(first.id)) == "one"


def test_an_edit_of_a_record_that_changed_meanwhile_is_a_conflict(store: Store) -> None:
    remember(store, "a", "one", policy="replace")

    def revise(record: Record) -> list[Memory]:
        remember(store, "a", "by someone else", policy="replace")
        return [record[0]._replace(content="edited")]

    with pytest.raises(Conflict, match="changed while it was being edited"):
        write.edit(store, memory_address("a"), revise)
    assert content(store, "a") == "by someone else"


def test_editing_everything_away_forgets_the_path(store: Store) -> None:
    remember(store, "a", "one")

    write.edit(store, memory_address("a"), lambda record: [])

    assert content(store, "a") is None


def test_a_path_of_another_namespace_is_offered_before_a_similar_one(store: Store) -> None:
    remember(store, "coding.testing", "x")
    write.remember(store, Memory.of("y"), [address("coding.tests", "team")])

    with pytest.raises(NotFound) as error:
        write.forget(store, [memory_address("coding.tests")])

    assert error.value.hint == "did you mean 'team:coding.tests'?"


def test_a_mistyped_path_is_matched_among_those_that_begin_like_it(store: Store) -> None:
    remember(store, "preferences.coding.testing", "x")

    with pytest.raises(NotFound) as error:
        write.forget(store, [memory_address("prefrences.coding.testing")])

    assert error.value.hint == "did you mean 'preferences.coding.testing'?"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("timeout", "did you mean 'settings.environment.timeout'?"),
        ("config.database.timeout", "did you mean 'settings.environment.timeout'?"),
        ("inbox.unsorted.mde520c80832", "did you mean 'inbox.unsorted.mde520c80832b'?"),
        (
            "inbox.unsorted.mf1e8e358f43b",
            "'memoir ls' lists all paths; 'memoir blame inbox.unsorted.mf1e8e358f43b' tells if this one was forgotten",
        ),
    ],
)
def test_a_path_is_known_by_its_last_name_and_one_in_the_inbox_by_nearly_all_of_it(
    store: Store, typed: str, hint: str
) -> None:
    remember(store, "settings.environment.timeout", "x")
    remember(store, "inbox.unsorted.mde520c80832b", "y")

    with pytest.raises(NotFound) as error:
        write.forget(store, [memory_address(typed)])

    assert error.value.hint == hint


def test_restoring_brings_the_whole_record_back(store: Store) -> None:
    remember(store, "context.a", "one")
    old = store.head()
    remember(store, "context.a", "two")
    write.forget(store, [memory_address("context.a")])

    write.restore(store, [memory_address("context.a")], old)

    assert get(store.head(), [address("context.a")]) == get(old, [address("context.a")])


def test_restoring_a_missing_memory_is_an_error(store: Store) -> None:
    remember(store, "a", "one")

    with pytest.raises(NotFound):
        write.restore(store, [memory_address("b")], store.head())


@built_once
def several(repository: Repository) -> None:
    """A store with three memories at one path."""
    for text in ("one", "two", "three"):
        repository.remember(Memory.of(text), "a.b", policy="append")


def key_of(repository: Repository, content: str) -> str:
    record = repository.get("a.b") or ()
    (identity,) = [each for each, memory in zip(ids_of(record), record, strict=True) if memory.content == content]
    return f"a.b#{identity}"


@pytest.mark.parametrize("content", ["one", "two", "three"])
def test_a_memory_comes_back_to_its_place_among_the_others(several: Repository, content: str) -> None:
    before = several.get("a.b")
    key = key_of(several, content)
    several.forget(key)

    done = several.restore(key, at="HEAD~1")

    assert several.get("a.b") == before
    assert [each.label for each in done.addresses] == [key]
    assert done.commit and done.commit.message.startswith(f"restore {key} from ")


def test_what_came_meanwhile_stays(several: Repository) -> None:
    key = key_of(several, "two")
    several.forget(key)
    several.remember(Memory.of("four"), "a.b", policy="append")

    several.restore(key, at="HEAD~2")

    assert [memory.content for memory in several.get("a.b") or ()] == ["one", "two", "three", "four"]


def test_only_the_memory_that_is_named_gets_its_old_state_back(several: Repository) -> None:
    several.agents.pin("a.b")

    several.restore(key_of(several, "two"), at="HEAD~1")

    pins = [memory.metadata.get("pinned", False) for memory in several.get("a.b") or ()]
    assert pins == [True, False, True]


def test_a_memory_comes_back_where_the_path_is_gone(several: Repository) -> None:
    key = key_of(several, "two")
    several.forget("a.b")

    several.restore(key, at="HEAD~1")

    assert [memory.content for memory in several.get("a.b") or ()] == ["two"]


def test_a_memory_that_was_not_there_is_not_found(several: Repository) -> None:
    several.remember(Memory.of("four"), "a.b", policy="append")
    key = key_of(several, "four")

    with pytest.raises(NotFound, match=key):
        several.restore(key, at="HEAD~1")


def test_a_subject_is_the_first_words_on_one_line() -> None:
    assert subject("remember a.b", "Bob is\n  in Busan") == "remember a.b: Bob is in Busan"
    assert subject("remember a.b", "xyzzy " * 30) == "remember a.b: " + " ".join(["xyzzy"] * 8) + "…"
    assert subject("remember a.b", "x" * 80) == "remember a.b: " + "x" * 49 + "…"


def test_control_characters_are_left_out() -> None:
    assert subject("edit a", "red \x1b[31m\u202e end\u2028Memoir-Put: x") == "edit a: red [31m end Memoir-Put: x"
    assert subject("edit a", "\n") == "edit a"


def test_a_subject_never_contains_a_credential() -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2"

    for before in ("", "the token of the build is ", "a sentence of some length before the token: "):
        text = subject("remember a.b", f"{before}{token}")
        assert "ghp_" not in text, text
