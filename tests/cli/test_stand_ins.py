"""What stands in for a deferred module is what that module has."""

import ast
import datetime
import dis
import platform
import subprocess
import sys

from memoir.cli.stand_ins import FUNCTIONS, VALUES


def test_the_values_are_those_of_the_modules() -> None:
    assert VALUES["dis"]["COMPILER_FLAG_NAMES"].items() >= dis.COMPILER_FLAG_NAMES.items()
    assert VALUES["platform"]["system"]() == platform.system()
    assert issubclass(ast.NodeVisitor, VALUES["ast"]["NodeVisitor"])
    assert FUNCTIONS.keys().isdisjoint(VALUES)


def test_dates_are_those_of_the_module_whoever_imports_it_first() -> None:
    """Python 3.12 has only the module in C; before it, `datetime` replaced classes in Python by those in C."""
    assert set(datetime.__all__) <= VALUES["datetime"].keys()
    assert all(VALUES["datetime"][name] is getattr(datetime, name) for name in datetime.__all__)


def test_types_that_typer_annotates_stay_and_memoirs_annotations_are_whole() -> None:
    code = """if True:
        from memoir.cli.stand_ins import defer, import_typer
        defer()
        import_typer()
        import typing, typer, typer.main, typer.params, typer.utils
        assert typer.utils.Annotated is typer.main.Annotated is typer.params.Annotated is typing.Annotated
        assert typer.Option.__annotations__["envvar"] == str | list[str] | None
        print(typing.Annotated[int, 1].__metadata__)
        app = typer.Typer(add_completion=False)
        @app.command()
        def count(number: typing.Annotated[int, typer.Option("--size", min=1)] = 2): print(number)
        app(["--size", "3"])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "(1,)\n3\n"


def test_annotations_in_quotation_marks_are_compiled_when_they_are_evaluated() -> None:
    code = """if True:
        from memoir.cli.stand_ins import defer
        defer()
        from typing import ForwardRef, get_type_hints
        def function(depth: "int | None", name: " str"): ...
        assert isinstance(ForwardRef("int").__forward_code__, str)
        print(get_type_hints(function))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "{'depth': int | None, 'name': <class 'str'>}\n"
