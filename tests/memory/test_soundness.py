"""What is wrong with a stored key or with the record there; paths that could be taken for others have no fault."""

import pytest
from hostile import BAD_KEYS, BAD_RECORDS, RECORD, Forge
from hypothesis import given
from hypothesis import strategies as st

from memoir import Memory, Repository
from memoir.answers.store import fsck
from memoir.errors import InvalidInput
from memoir.git.objects import Oid
from memoir.memory.soundness import are_plain, fault
from memoir.taxonomy.paths import check_namespace, check_path
from memoir.tree.edit import apply


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_a_bad_record_has_a_fault(name: str) -> None:
    assert fault(b"default=a.b", BAD_RECORDS[name])


@pytest.mark.parametrize("key", BAD_KEYS)
def test_a_bad_key_has_a_fault_with_or_without_its_record(key: bytes) -> None:
    assert fault(key, RECORD)
    assert fault(key, None)


def test_a_sound_record_has_none() -> None:
    assert fault(b"default=a.b", RECORD) is None


@given(st.text("aZ9_-:@.é\n ", max_size=6), st.text("aZ9_-:@.é\n =", max_size=20))
def test_a_key_has_a_fault_if_its_namespace_or_path_has(namespace: str, path: str) -> None:
    try:
        check_namespace(namespace)
        check_path(path)
        is_sound = True
    except InvalidInput:
        is_sound = False

    assert (fault(f"{namespace}={path}".encode(), None) is None) == is_sound


@pytest.mark.parametrize("key", [*BAD_KEYS, b"memoir:layers=a"])
def test_keys_are_not_plain_if_one_is_bad_or_of_memoirs_own(key: bytes) -> None:
    others = [b"default=a.b", b"team:x@y=a-b.c_d"]

    assert are_plain(others)
    assert not any(are_plain(keys) for keys in ([key], [key, *others], [*others, key]))


KEY = st.builds("{}={}".format, st.text("aZ9_-:@.é\n", max_size=3), st.text("aZ9_-:@.é\n =", max_size=8))


@given(st.lists(KEY, max_size=3))
def test_plain_keys_have_no_fault(texts: list[str]) -> None:
    keys = [text.encode() for text in texts]

    assert not are_plain(keys) or not any(fault(key, None) for key in keys)


def _with(repository: Repository, *paths: str) -> Oid:
    """A commit of another program's that adds some paths."""
    forge = Forge(repository.store)
    head = repository.store.head().tree
    rows = dict(head.scan()) | {f"default={path}".encode(): forge.blob() for path in paths}
    return forge.commit(apply(repository.store.tree(None), rows, forge.pack), lies=False)


def test_a_path_that_could_be_taken_for_another_is_listed_and_is_no_problem(repository: Repository) -> None:
    """One that no branch has any more is not, nor is one in another script."""
    repository.remember(Memory.of("text"), "люди.боб")
    repository.store.refs.create("branch", "aside", _with(repository, "\u0430.b"))
    _with(repository, "\uff41.c")
    repository.forget("\uff41.c")

    result = repository.upkeep.fsck()

    (only,) = result.confusables
    assert (only.place.full_key, only.branches) == ("default:\u0430.b", ["aside", "main"])
    assert "cyrillic" in only.reason
    assert result.report.problems == []


def test_the_answer_names_it_and_keeps_status_0(repository: Repository) -> None:
    _with(repository, "\u0430.b")

    answer = fsck(repository.upkeep.fsck(), [], accepted=False)

    assert answer.exit_code == 0
    text = "\n".join("".join(piece for piece, _ in line) for line in answer.human())
    assert "'\u0430.b' on main could be taken for another path" in text and "'memoir mv KEY NEW'" in text


def test_it_can_be_moved_to_another_path(repository: Repository) -> None:
    _with(repository, "\u0430.b")

    repository.move("\u0430.b", "a.b")

    assert repository.upkeep.fsck().confusables == []
