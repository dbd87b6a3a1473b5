"""SQL and its library are known in `memoir.index` alone: everybody else reads an index through its `View`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import memoir

PACKAGE = Path(memoir.__path__[0])
OUTSIDE = sorted(file for file in PACKAGE.rglob("*.py") if PACKAGE / "index" not in file.parents)
_STATEMENT = re.compile(
    r"\bSELECT\b.+\bFROM\b|\bINSERT (OR \w+ )?INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b"
    r"|\bCREATE (\w+ )?TABLE\b|\bPRAGMA\b",
    re.DOTALL,
)
_HINT = re.compile(r"SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|apsw|sqlite3")


def imports(tree: ast.AST) -> Iterator[str]:
    """The packages that a module imports anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def statements(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that are SQL."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _STATEMENT.search(node.value):
            yield node.value


def knows_sql(file: Path) -> bool:
    """Whether a module holds a statement, or imports what runs one."""
    text = file.read_text("utf-8")
    if not _HINT.search(text):  # most modules, and to parse them all takes long
        return False
    tree = ast.parse(text)
    return bool({"apsw", "sqlite3"} & set(imports(tree))) or any(statements(tree))


@pytest.mark.slow
def test_no_module_outside_knows_sql() -> None:
    assert [str(file.relative_to(PACKAGE)) for file in OUTSIDE if knows_sql(file)] == []


def test_sql_is_recognised() -> None:
    modules = {file.stem for file in (PACKAGE / "index").glob("*.py") if knows_sql(file)}

    assert {"documents", "filters", "lexical", "selection", "vectors", "view"} <= modules
    assert "allowance" not in modules
