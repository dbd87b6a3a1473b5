"""What stands in for a deferred module is what that module has."""

import ast
import datetime
import dis
import platform
import re
import sys

import pytest
from support import PROJECT

from memoir.cli.deferral import FUNCTIONS, VALUES, defer


def test_the_values_are_those_of_the_modules() -> None:
    assert VALUES["dis"]["COMPILER_FLAG_NAMES"].items() >= dis.COMPILER_FLAG_NAMES.items()
    assert VALUES["platform"]["system"]() == platform.system()
    assert issubclass(ast.NodeVisitor, VALUES["ast"]["NodeVisitor"])
    assert FUNCTIONS.keys().isdisjoint(VALUES)


def test_dates_are_those_of_the_module_whoever_imports_it_first() -> None:
    """Python 3.12 has only the module in C; before it, `datetime` replaced classes in Python by those in C."""
    assert set(datetime.__all__) <= VALUES["datetime"].keys()
    assert all(VALUES["datetime"][name] is getattr(datetime, name) for name in datetime.__all__)


def test_nothing_is_deferred_where_python_has_lazy_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    monkeypatch.delitem(sys.modules, "bz2", raising=False)

    defer()

    assert "bz2" not in sys.modules


def test_typer_is_used_by_its_public_names() -> None:
    sources = {file.name: file.read_text("utf-8") for file in (PROJECT / "memoir").rglob("*.py")}

    assert not {
        name for name, text in sources.items() if re.search(r"\b(?:from|import) (?:typer[\w.]*\._|click)", text)
    }
    assert not {name for name, text in sources.items() if re.search(r"from typer[\w.]* import .*\b_\w", text)}
