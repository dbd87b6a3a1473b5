"""What stands in for a deferred module is what that module has."""

import ast
import datetime
import dis
import platform
import re
import subprocess
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


@pytest.mark.parametrize("text", ["", "[1,\n 2,]", '{"a": 01}', "\n\nwords", "[" * 2000])
def test_orjson_says_of_bad_json_what_it_says_with_the_module_json(text: str) -> None:
    script = """
import sys
if sys.argv[1] == "deferred":
    from memoir.cli.deferral import load_orjson
    load_orjson()
import orjson
assert ("json.decoder" in sys.modules) == (sys.argv[1] != "deferred")
try:
    orjson.loads(sys.argv[2])
except orjson.JSONDecodeError as error:
    print(isinstance(error, ValueError), error, error.msg, error.pos, error.lineno, error.colno)
    print(error.doc == sys.argv[2])
import json, dataclasses
print(json.loads("[1]"), dataclasses.field)
"""
    said = {
        subprocess.run([sys.executable, "-c", script, how, text], capture_output=True, text=True, check=True).stdout
        for how in ("deferred", "plain")
    }

    assert len({re.sub(" at 0x[0-9a-f]+", "", each) for each in said}) == 1
    assert "True" in said.pop()


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
