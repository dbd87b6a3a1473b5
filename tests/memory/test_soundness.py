"""What is wrong with a stored key, or with the record there."""

import pytest
from hostile import BAD_KEYS, BAD_RECORDS, RECORD
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.memory.soundness import are_plain, fault
from memoir.taxonomy.paths import check_namespace, check_path


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
