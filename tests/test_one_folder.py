"""What stands in one folder alone: word lists and patterns of phrases in `english`, SQL and its library in `index`.

Everybody else imports what these lists tell, and reads an index through its `View`.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import memoir

PACKAGE = Path(memoir.__path__[0])
FEWEST = 24
"""The fewest words of a list, all small and without a mark; a message is shorter."""
BUILDERS = "memoir.english.patterns"
_STATEMENT = re.compile(
    r"\bSELECT\b.+\bFROM\b|\bINSERT (OR \w+ )?INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b"
    r"|\bCREATE (\w+ )?TABLE\b|\bPRAGMA\b",
    re.DOTALL,
)
_HINT = re.compile(r"SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|apsw|sqlite3")


def strings_and_imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """The strings of a module, and the modules that it imports anywhere in it, with whether each is an import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, False
        elif isinstance(node, ast.Import):
            yield from ((alias.name, True) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, True


def is_list(text: str) -> bool:
    words = text.split()
    return len(words) >= FEWEST and all(word.replace("'", "").isalpha() and word.islower() for word in words)


def has_word_list(file: Path) -> bool:
    """Whether a module holds a list of words, or imports what makes sets and patterns of them."""
    found = strings_and_imports(ast.parse(file.read_bytes()))
    return any(text == BUILDERS if is_import else is_list(text) for text, is_import in found)


def knows_sql(file: Path) -> bool:
    """Whether a module holds a statement, or imports what runs one."""
    text = file.read_text("utf-8")
    if not _HINT.search(text):  # most modules, and to parse them all takes long
        return False
    return any(
        text.partition(".")[0] in ("apsw", "sqlite3") if is_import else _STATEMENT.search(text)
        for text, is_import in strings_and_imports(ast.parse(text))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "is_of_it"), [("english", has_word_list), ("index", knows_sql)])
def test_no_module_outside_has_any(folder: str, is_of_it: Callable[[Path], bool]) -> None:
    outside = sorted(file for file in PACKAGE.rglob("*.py") if PACKAGE / folder not in file.parents)

    assert [str(file.relative_to(PACKAGE)) for file in outside if is_of_it(file)] == []


def test_word_lists_are_recognised() -> None:
    modules = {file.stem for file in (PACKAGE / "english").rglob("*.py") if has_word_list(file)}

    assert {"claim_words", "grammar", "nouns", "session_phrases", "statements", "stopwords"} <= modules
    assert "dates" not in modules


def test_sql_is_recognised() -> None:
    modules = {file.stem for file in (PACKAGE / "index").glob("*.py") if knows_sql(file)}

    assert {"documents", "filters", "lexical", "selection", "vectors", "view"} <= modules
    assert "allowance" not in modules


@pytest.mark.slow
def test_sets_and_alternatives_are_made_of_texts_in_one_place() -> None:
    definitions = [
        (file.name, name)
        for file in sorted(PACKAGE.rglob("*.py"))
        for name in re.findall(r"^ *def _*(alternatives|word_set)\b", file.read_text("utf-8"), re.MULTILINE)
    ]

    assert definitions == [("patterns.py", "word_set"), ("patterns.py", "alternatives")]
