"""Every answer has a type of the contract, so that mypy checks its fields."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import memoir.answers
from memoir.cli.families import FAMILIES

FOLDER = Path(memoir.answers.__file__).parent
NOT_CHECKED = {
    "answer.py": 2,  # an iterator in place of a list, a function in place of its value
    "recall.py": 3,  # a memory's own metadata, the columns that channels add, and lines in place of memories
    "trace.py": 1,  # those columns
}
"""How many casts a module needs, because no type can name these fields."""


def functions(module: Path) -> Iterator[ast.FunctionDef]:
    """The functions of a module, those within others included."""
    return (node for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.FunctionDef))


def names_with_type(function: ast.FunctionDef) -> set[str]:
    """The variables and parameters of a function whose type is one of the contract."""
    variables = [(node.target, node.annotation) for node in ast.walk(function) if isinstance(node, ast.AnnAssign)]
    parameters = [(argument.arg, argument.annotation) for argument in function.args.args]
    pairs = [
        (ast.unparse(name) if isinstance(name, ast.expr) else name, kind) for name, kind in [*variables, *parameters]
    ]
    return {name for name, kind in pairs if kind and ast.unparse(kind).strip("'").startswith("types.")}


@pytest.mark.parametrize("family", FAMILIES)
def test_an_answer_is_made_of_a_typed_value(family: str) -> None:
    for function in functions(FOLDER / f"{family}.py"):
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Name) and call.func.id == "Answer":
                (first, *_) = call.args
                stream = ast.unparse(first) == "{}" and any(each.arg == "stream" for each in call.keywords)
                assert stream or ast.unparse(first) in names_with_type(function), ast.unparse(call)


def test_no_cast_hides_an_answer() -> None:
    casts = {str(path.relative_to(FOLDER)): path.read_text("utf-8").count(" cast(") for path in FOLDER.rglob("*.py")}

    assert {name: count for name, count in casts.items() if count} == NOT_CHECKED
