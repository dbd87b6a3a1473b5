"""Defer standard modules that Typer and orjson import and that a command seldom uses.

Importing them takes a quarter of a command's whole time. A stand-in in `sys.modules` satisfies the `import`
statement; the first access to an attribute loads the real module. From Python 3.15 on, lazy imports (PEP 810)
do this, and nothing is deferred here. Only
the command line's own process does this, never a program that uses memoir as a library.
"""

import _thread
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

NAMES = (
    "bz2", "ipaddress", "linecache", "locale", "lzma", "ntpath",
    "shellingham", "signal", "textwrap", "token", "tokenize", "zlib",
)  # fmt: skip
FUNCTIONS = {
    "gettext": "gettext", "selectors": "PollSelector",
    "shutil": "get_terminal_size", "typer.completion": "get_completion_inspect_parameters",
    "urllib.parse": "quote_from_bytes",
}  # fmt: skip
"""Modules from which Typer imports only one function or class, which few commands call."""
_FLAGS = {
    1: "OPTIMIZED", 2: "NEWLOCALS", 4: "VARARGS", 8: "VARKEYWORDS", 16: "NESTED", 32: "GENERATOR",
    64: "NOFREE", 128: "COROUTINE", 256: "ITERABLE_COROUTINE", 512: "ASYNC_GENERATOR",
    0x4000000: "HAS_DOCSTRING", 0x8000000: "METHOD",
}  # fmt: skip


def _public(module: str) -> Mapping[str, Any]:
    return {name: value for name, value in vars(import_module(module)).items() if not name.startswith("__")}


def _close_matches(word: str, *others: Any, **options: Any) -> list[str]:
    """The words similar to a word; none for a short option such as `-p`, for which Click ignores the result."""
    if len(word) == len("-p") and word[0] == "-":
        return []
    matches: list[str] = _call_later("difflib", "get_close_matches")(word, *others, **options)
    return matches


VALUES: Mapping[str, Mapping[str, Any]] = {
    "difflib": {"get_close_matches": _close_matches},
    "platform": {"system": lambda: os.uname().sysname},  # used by `uuid`; same value as from `platform`
    "ast": {"NodeVisitor": object},  # base of a class in `inspect` that searches source code
    "dis": {"COMPILER_FLAG_NAMES": _FLAGS},  # `inspect` makes constants of these
    "datetime": _public("_datetime"),  # only its classes in C, as in Python 3.12
    "threading": {"local": _thread._local, "Lock": _thread.allocate_lock, "RLock": _thread.RLock},  # Python's own
    "traceback": {"FrameSummary": None, "StackSummary": None},  # taken for Typer's own tracebacks, which are off
}
"""The names that other modules import while they load, with substitutes; no command reads source code."""


class _JSONDecodeError(ValueError):
    """The base class of orjson's error, with the message and attributes of `json.JSONDecodeError`."""

    def __init__(self, msg: str, doc: str, pos: int) -> None:
        before = doc[:pos]
        self.msg, self.doc, self.pos = msg, doc, pos
        self.lineno, self.colno = before.count("\n") + 1, pos - before.rfind("\n")
        super().__init__(f"{msg}: line {self.lineno} column {self.colno} (char {pos})")


FOR_ORJSON: Mapping[str, Mapping[str, Any]] = {
    "json": {"JSONDecodeError": _JSONDecodeError},
    "dataclasses": {"_FIELD": None},  # marks a field; memoir writes no data class as JSON
}
"""Modules from which orjson imports one name each, and which load six times slower than orjson itself."""


class DeferredModule(ModuleType):
    """A stand-in for a module until an attribute of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # `from module import name` asks for it; none of these is a package
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            sys.modules.pop(self.__name__, None)  # two threads may come here at once
        module = import_module(self.__name__)
        vars(self).update(vars(module))
        return getattr(module, name)


def defer(*more: str) -> None:
    """Put a stand-in in the place of each listed module that is not loaded yet, and of `more` modules."""
    if sys.version_info >= (3, 15):
        return
    for name in (*NAMES, *more):
        _stand_in(name, {})
    for name, function in FUNCTIONS.items():
        _stand_in(name, {function: _call_later(name, function)})
    for name, values in VALUES.items():
        _stand_in(name, values)


def load_orjson() -> None:
    """Import orjson without the modules that it hardly uses; later imports of them get the real ones."""
    if sys.version_info < (3, 15):
        for name, values in FOR_ORJSON.items():
            _stand_in(name, values)
    import orjson  # noqa: F401

    for name in FOR_ORJSON:
        if isinstance(sys.modules.get(name), DeferredModule):
            del sys.modules[name]


def _stand_in(name: str, values: Mapping[str, Any]) -> None:
    if name in sys.modules:
        return
    module = sys.modules[name] = DeferredModule(name)
    vars(module).update(values)
    package, _, leaf = name.rpartition(".")
    if package in sys.stdlib_module_names:  # `import package.leaf` looks there; Typer's is found by its full name
        setattr(import_module(package), leaf, module)


def _call_later(name: str, function: str) -> Callable[..., Any]:
    """A function that loads its module when it is called."""

    def call(*args: Any, **options: Any) -> Any:
        if isinstance(sys.modules.get(name), DeferredModule):
            del sys.modules[name]
        return getattr(import_module(name), function)(*args, **options)

    return call
