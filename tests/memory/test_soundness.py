"""What is wrong with a stored key, or with the record there."""

import pytest
from hostile import BAD_KEYS, BAD_RECORDS, RECORD

from memoir.memory.soundness import fault


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_a_bad_record_has_a_fault(name: str) -> None:
    assert fault(b"default=a.b", BAD_RECORDS[name])


@pytest.mark.parametrize("key", BAD_KEYS)
def test_a_bad_key_has_a_fault_with_or_without_its_record(key: bytes) -> None:
    assert fault(key, RECORD)
    assert fault(key, None)


def test_a_sound_record_has_none() -> None:
    assert fault(b"default=a.b", RECORD) is None
