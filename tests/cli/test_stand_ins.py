"""What stands in for a deferred module is what that module has."""

import ast
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
