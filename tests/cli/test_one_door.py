"""Commands parse, call `memoir.Repository` once, and answer; they know nothing of the rooms behind that door."""

import ast
from collections.abc import Iterator
from pathlib import Path

import memoir.cli.commands

COMMANDS = sorted(Path(memoir.cli.commands.__path__[0]).glob("*.py"))
CLOSED_MODULES = ("memoir.store", "memoir.memory.write", "memoir.index")


def modules(file: Path) -> Iterator[str]:
    """The modules that a file imports anywhere in it."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_closed(module: str) -> bool:
    """Whether a module is behind the door."""
    return any(module == room or module.startswith(f"{room}.") for room in CLOSED_MODULES)


def test_commands_import_nothing_behind_the_door() -> None:
    assert [(file.stem, module) for file in COMMANDS for module in modules(file) if is_closed(module)] == []


def test_commands_use_the_repository_and_not_its_store() -> None:
    nodes = [(file.stem, node) for file in COMMANDS for node in ast.walk(ast.parse(file.read_bytes()))]

    assert [
        (name, node.lineno) for name, node in nodes if isinstance(node, ast.Attribute) and node.attr == "store"
    ] == []
