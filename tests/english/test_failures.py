"""The words of an error that say what went wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.code_text import LONGEST, words_of_failure


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("Exit code 1", ""),
        ("bash: line 1: foo: command not found", "bash foo"),
        ('File "/srv/app/jobs/report.py", line 88, in run\nTimeoutError: QueuePool limit of size 5 overflow 10',
         "in run TimeoutError QueuePool limit of size overflow"),
        ("\x1b[31merror\x1b[0m: linking with `cc` failed: exit status: 1", "linking with cc"),
        ("HTTPSConnectionPool(host='pypi.example', port=443): see https://x.example/e?3 0x7f3a 9f86d08", None),
    ],
)  # fmt: skip
def test_what_differs_from_run_to_run_is_taken_out(error: str, words: str | None) -> None:
    found = words_of_failure(error)

    assert not any(part in found for part in ("/srv", "88", "443", "0x7f3a", "9f86d08", "\x1b"))
    if words is not None:
        assert found == words


@given(st.text(max_size=300))
def test_any_text_gives_words_without_digits_alone(error: str) -> None:
    assert not any(word.isdigit() for word in words_of_failure(error).split())


def test_the_end_of_a_long_error_is_read() -> None:
    assert "UndefinedTable" in words_of_failure("noise " * LONGEST + "UndefinedTable")
