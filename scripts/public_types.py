"""The classes that a caller of the library meets: what public methods take, return or yield, and what is in that."""

import ast
import inspect
import re
import typing
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any

import memoir
from memoir import types

ROOTS = tuple(
    member for name in memoir.__all__ if isinstance(member := getattr(memoir, name), type) and name != "MemoirError"
)
"""The classes that a caller begins with."""
_INTERNAL = {"Store", "StoreOwner", "Engine"}
"""Classes in signatures that a caller never writes out: a repository stands for the first two."""


def exported() -> dict[str, Any]:
    """What can be imported from `memoir` or from `memoir.types`, by name."""
    names = dict.fromkeys(memoir.__all__, memoir) | dict.fromkeys(types.__all__, types)
    return {name: getattr(module, name) for name, module in names.items()}


@cache
def of_module() -> dict[str, tuple[Any, str]]:
    """What `memoir.types` exports, by name, each with its description."""
    return {name: (value := getattr(types, name), _description(name, value)) for name in types.__all__}


def reachable() -> dict[type[Any], str]:
    """Each class of memoir that the roots lead to, with a place that names it."""
    found: dict[type[Any], str] = {}
    waiting = [(root, "memoir") for root in ROOTS]
    while waiting:
        owner, place = waiting.pop()
        if owner not in found:
            found[owner] = place
            waiting += [(each, f"{owner.__name__}.{name}") for name, each in _neighbours(owner)]
    return found


def _neighbours(owner: type[Any]) -> Iterator[tuple[str, type[Any]]]:
    for name, annotation, module in _annotations(owner):
        for each in _classes(annotation, module):
            if each.__module__.startswith("memoir.") and each.__name__ not in _INTERNAL:
                yield name, each


def _annotations(owner: type[Any]) -> Iterator[tuple[str, object, str]]:
    """The annotations of a class's public fields, properties and methods, each with the module that it is in."""
    for part in inspect.getmro(owner):
        if not part.__module__.startswith("memoir.") or part.__name__ in _INTERNAL:
            continue
        members: Mapping[str, object] = {**inspect.get_annotations(part), **vars(part)}
        for name in filter(is_public, members):
            if name in inspect.get_annotations(part):
                yield name, inspect.get_annotations(part)[name], part.__module__
            elif function := function_of(members[name]):
                annotations = inspect.get_annotations(function)
                if issubclass(part, tuple):  # a value, whose methods matter for what they return
                    annotations = {"return": annotations.get("return", Any)}
                yield from ((name, each, function.__module__) for each in annotations.values())


def is_public(name: str) -> bool:
    """Whether callers may use a member of this name; `store` is for memoir's own modules."""
    return not name.startswith("_") and name not in ("store", "is_new")


def function_of(member: Any) -> Any:
    """The function behind a method or a property; None if a member is neither."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    if isinstance(member, classmethod | staticmethod):
        return member.__func__
    return member if inspect.isfunction(member) else None


def _classes(annotation: Any, module: str) -> Iterator[type[Any]]:
    """The classes that an annotation names, in whatever it is wrapped."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        annotation = eval(annotation, dict(_scope(module)))  # noqa: S307 - memoir's own sources
    parts: Iterable[Any] = typing.get_args(annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return
    if isinstance(annotation, type) and not parts:
        yield annotation
    for part in parts:
        yield from _classes(part, module) if not isinstance(part, list) else _all_classes(part, module)


def _all_classes(annotations: Iterable[Any], module: str) -> Iterator[type[Any]]:
    for annotation in annotations:
        yield from _classes(annotation, module)


@cache
def _scope(module: str) -> dict[str, Any]:
    """The names of a module, also those that it imports for type checkers alone."""
    loaded = import_module(module)
    names = {"array": list, **vars(loaded)}  # an alias of another module has it, which no subscript fits in 3.11
    for node in ast.parse(inspect.getsource(loaded)).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module, "exec"), names)  # noqa: S102
    return names


def fields(owner: type[Any]) -> Iterator[tuple[str, str, str]]:
    """The fields and properties of a class: the name, the type, and the meaning if it has a line of its own."""
    meanings = _strings_below(owner)
    for name, annotation in _field_types(owner):
        yield name, annotation, meanings.get(name, "")
    for name, member in vars(owner).items():
        if is_public(name) and isinstance(member, property | cached_property):
            result = inspect.get_annotations(function_of(member)).get("return", Any)
            yield name, written(result), (inspect.getdoc(member) or "").partition("\n\n")[0]


def _strings_below(owner: type[Any]) -> dict[str, str]:
    """The strings below the fields of a class."""
    definition = _class_definitions(owner.__module__)[owner.__name__]
    return {
        ast.unparse(node.target): str(ast.literal_eval(after.value))
        for node, after in pairwise(definition.body)
        if isinstance(node, ast.AnnAssign) and isinstance(after, ast.Expr)
    }


@cache
def _class_definitions(module: str) -> dict[str, ast.ClassDef]:
    nodes = ast.parse(inspect.getsource(import_module(module))).body
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


def _field_types(owner: type[Any]) -> Iterator[tuple[str, str]]:
    for name, annotation in inspect.get_annotations(owner).items():
        if is_public(name) and not hasattr(annotation, "__metadata__"):
            yield name, written(annotation)


def _description(name: str, value: Any) -> str:
    """What the docstring of a class says before its fields; of an alias, what it stands for and means."""
    if isinstance(value, type):
        return inspect.getdoc(value) or ""
    meaning = _below(name, types.HOMES[name])
    return f"`{written(value)}`. {meaning}".removesuffix(" ")


def _below(name: str, module: str) -> str:
    """The string below the definition of a name."""
    nodes = ast.parse(inspect.getsource(import_module(module))).body
    for node, after in pairwise(nodes):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name and isinstance(after, ast.Expr):
            return str(ast.literal_eval(after.value))
    return ""


def written(annotation: Any) -> str:
    """A type as its sources name it, without the module of a class."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", text)
    return re.sub(r"\b([A-Za-z_]\w*\.)+(?=\w)", "", text)
