"""Code is told from prose, and the distinctive words of an error are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.code_text import LONGEST, is_code, is_mostly_code, words_of_failure


@pytest.mark.parametrize(
    "line", ["const zebra = load('hay');", "return {hay: 3}", "</div>", "if (zebra) {", "```python", "import hay"]
)
def test_a_line_of_a_program_is_code(line: str) -> None:
    assert is_code(line) is (line != "import hay")  # as in "import duties are high": two words tell nothing


@pytest.mark.parametrize(
    "line",
    [
        "Ada (who keeps the zebras) asked for hay, didn't she?",
        "The area is \\( A = \\frac{1}{2} b h \\).",
        "Return the books by Friday; the library closes then.",
        "- **Parser**: it reads the logs (all of them).",
    ],
)
def test_prose_and_mathematics_are_no_code(line: str) -> None:
    assert not is_code(line)


def test_what_stands_between_fences_is_code_whatever_it_looks_like() -> None:
    assert is_mostly_code("Look:\n```yaml\nsteps of the build\nfirst the parser, then the rest\n```")
    assert not is_mostly_code("We load the parser first and then all the rest of it:\n```\nload parser\n```")


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
