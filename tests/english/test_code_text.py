"""Telling programs from prose."""

import pytest

from memoir.english.code_text import is_code, is_mostly_code


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
