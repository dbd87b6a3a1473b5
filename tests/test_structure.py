"""The structure of the package: imports point down, and no modules import each other in a circle."""

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from support import PROJECT

ROWS = re.findall(r"^\| `memoir/(\w+)(?:/|\.py)` \|", (PROJECT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
"""The folders and modules of the package, from the top down, as CONTRIBUTING.md lists them."""

IMPORT = re.compile(r"^ *from (memoir[.\w]*) import (?:\(([^)]*)\)|([^#\n]+))", re.MULTILINE)
"""An import as ruff lays it out; to parse every module would take ten times as long."""


@cache
def imports() -> dict[str, set[str]]:
    """The modules of memoir, each with those that it imports: at its top, in a function, or for its types alone."""
    files = {name(file): file for file in PROJECT.glob("memoir/**/*.py")}
    return {module: set(imports_of(file, files)) - {module} for module, file in files.items()}


def name(file: Path) -> str:
    return ".".join(file.relative_to(PROJECT).with_suffix("").parts)


def imports_of(file: Path, modules: Collection[str]) -> Iterator[str]:
    """What a module imports of some modules; `from memoir.store import git` imports the module `git`."""
    for module, several, single in IMPORT.findall(file.read_text("utf-8")):
        for each in (several or single).replace("\n", " ").rstrip(", ").split(","):
            candidates = (f"{module}.{each.split()[0]}", module, f"{module}.__init__")
            yield next(candidate for candidate in candidates if candidate in modules)


def row(module: str) -> int:
    return ROWS.index(module.split(".")[1])


def test_every_folder_has_a_row() -> None:
    assert {module.split(".")[1] for module in imports()} == set(ROWS)


def test_imports_point_down() -> None:
    upwards = [
        f"{module} imports {other}"
        for module, others in imports().items()
        for other in others
        if row(other) < row(module)
    ]

    assert not upwards


def test_no_modules_import_each_other_in_a_circle() -> None:
    TopologicalSorter(imports()).prepare()


DOORS = ("cli", "ui", "mcp", "hosts")
"""The folders by which a memory comes into a store."""
OPENING = {"Repository", "Repository.open", "Repository.open_user", "Repository.init", "Repository.clone"}


def test_every_door_says_who_vouches_for_what_comes_by_it() -> None:
    openings = [
        (f"{file.relative_to(PROJECT)}:{node.lineno}", any(each.arg == "origin" for each in node.keywords))
        for door in DOORS
        for file in (PROJECT / "memoir" / door).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in OPENING
    ]

    assert len(openings) > len(DOORS)
    assert not [place for place, says_it in openings if not says_it]


def test_no_module_has_more_than_400_lines() -> None:
    long = [name(file) for file in PROJECT.glob("memoir/**/*.py") if file.read_bytes().count(b"\n") > 400]

    assert not long
