"""Word lists and patterns of phrases stand in `memoir.english` alone: everybody else imports what they tell."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import memoir

PACKAGE = Path(memoir.__path__[0])
ENGLISH = PACKAGE / "english"
OUTSIDE = sorted(file for file in PACKAGE.rglob("*.py") if ENGLISH not in file.parents)
FEWEST = 24
"""The fewest words of a list, all small and without a mark; a message is shorter."""
BUILDERS = "memoir.english.patterns"


def is_list(text: str) -> bool:
    words = text.split()
    return len(words) >= FEWEST and all(word.replace("'", "").isalpha() and word.islower() for word in words)


def word_lists(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that are lists of words, and the imports of what makes sets and patterns of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_list(node.value):
            yield node.value
        elif isinstance(node, ast.ImportFrom) and node.module == BUILDERS:
            yield BUILDERS


def has_word_list(file: Path) -> bool:
    return any(word_lists(ast.parse(file.read_bytes())))


@pytest.mark.slow
def test_no_module_outside_has_a_word_list() -> None:
    assert [str(file.relative_to(PACKAGE)) for file in OUTSIDE if has_word_list(file)] == []


def test_word_lists_are_recognised() -> None:
    modules = {file.stem for file in ENGLISH.glob("*.py") if has_word_list(file)}

    assert {"claim_words", "grammar", "nouns", "session_phrases", "statements", "stopwords"} <= modules
    assert "dates" not in modules


@pytest.mark.slow
def test_sets_and_alternatives_are_made_of_texts_in_one_place() -> None:
    definitions = [
        (file.name, node.name)
        for file in PACKAGE.rglob("*.py")
        if re.search(r"def _*(alternatives|word_set)\b", file.read_text("utf-8"))
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") in ("alternatives", "word_set")
    ]

    assert definitions == [("patterns.py", "word_set"), ("patterns.py", "alternatives")]
