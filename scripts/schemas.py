"""JSON Schemas, from the types in `memoir.answers.contract`.

A type gives its schema, a docstring its description: a class's own, or the one below a field or an alias.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache, reduce
from importlib import import_module
from itertools import pairwise
from operator import or_
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from memoir.answers.contract import shapes
from memoir.answers.contract.failure import Envelope, Failure
from memoir.answers.contract.read import Staleness
from memoir.cli.families import COMMANDS, FAMILIES

Json = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_VERSION = {"$ref": "envelope.json#/$defs/schema_version"}
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_WIDTH = 118
LAST = (Staleness, shapes.CommitMade, shapes.Written)
"""What these give to an answer or a shape stands behind its own fields."""


def schemas() -> Iterator[tuple[str, str]]:
    """The name and text of every generated schema."""
    yield "envelope", _text(_envelope())
    yield "shapes", _text({"$schema": _DIALECT, "title": "Shapes that several answers share", "$defs": _shapes()})
    version = {"schema_version": _VERSION}
    yield "error", _text({"$schema": _DIALECT, "title": "A failure", **_object(Failure, version)})
    for family in FAMILIES:
        module = _module(family)
        for command in FAMILIES[family]:
            labels = {label: form for label, form in forms(family).items() if command_of(label) == command}
            yield command, _text(_answer(command, labels))
        for name, line in getattr(module, "LINES", {}).items():
            head = {"$schema": _DIALECT, "title": f"A line of memoir {name.removesuffix('-line')}"}
            yield name, _text({**head, **_object(line, {})})


def forms(family: str) -> dict[str, type]:
    """The forms of a family's answers, by their labels, in the order of its commands; `embed install` is a label."""
    order = list(FAMILIES[family])
    return dict(sorted(_module(family).ANSWERS.items(), key=lambda form: order.index(command_of(form[0]))))


def command_of(label: str) -> str:
    """The command that a label of an answer begins with."""
    return label.partition(" ")[0].strip(",")


def fields_of(shape: type) -> dict[str, Any]:
    """The types of a shape's fields by their names, in the order of the answers: what `LAST` gives comes last."""
    bases = _docs(shape.__module__).bases.get(shape.__name__, [])
    ends = [get_type_hints(end) for end in LAST if end in bases]
    hints = get_type_hints(shape, include_extras=True)
    return dict(sorted(hints.items(), key=lambda field: any(field[0] in end for end in ends)))


def meaning(shape: type, field: str) -> str:
    """The description of a field."""
    return " ".join(_docs(shape.__module__).text(shape.__name__, field).split())


def _module(family: str) -> ModuleType:
    return import_module(f"memoir.answers.contract.{family}")


def _envelope() -> Json:
    """The schema that every answer satisfies; other schemas refer to its `schema_version`."""
    whole = _object(Envelope, {})
    fields = whole["properties"]
    condition = {"if": {"properties": {"success": {"const": False}}}, "then": {"$ref": "error.json"}}
    return {
        "$schema": _DIALECT,
        "title": "The envelope of every answer",
        "description": whole["description"],
        "type": "object",
        "properties": {**fields, "schema_version": {"$ref": "#/$defs/schema_version"}},
        "required": whole["required"],
        **condition,
        "$defs": {"schema_version": fields["schema_version"]},
    }


def _answer(command: str, forms: dict[str, type]) -> Json:
    first = {
        "schema_version": _VERSION,
        "command": {"const": command},
        "success": {"const": True},
    }
    head = {"$schema": _DIALECT, "title": f"memoir {command}"}
    if len(forms) == 1:
        return {**head, **_object(next(iter(forms.values())), first)}
    variants = {_snake(answer.__name__): {"title": label, **_object(answer, first)} for label, answer in forms.items()}
    choice = [{"$ref": f"#/$defs/{name}"} for name in variants]
    return {**head, "description": COMMANDS[command], "oneOf": choice, "$defs": variants}


def _shapes() -> Json:
    return {
        _snake(name): _object(shape, {}, "")
        if is_typeddict(shape)
        else {**_description(name), **_schema(shape, "", top=True)}
        for name, shape in _shapes_by_name().items()
    }


@cache
def _shapes_by_name() -> dict[str, Any]:
    """The shapes by name, in the order of their module."""
    return {name: getattr(shapes, name) for name in _docs(shapes.__name__).names}


def _object(shape: type, first: Json, file: str = "shapes.json") -> Json:
    hints = fields_of(shape)
    properties = {
        name: {**_description(shape.__name__, shape.__module__, name), **_schema(hint, file)}
        for name, hint in hints.items()
    }
    required = [name for name in hints if name in shape.__required_keys__]  # type: ignore[attr-defined]
    return {
        **_description(shape.__name__, shape.__module__),
        "type": "object",
        "properties": {**first, **properties},
        "required": [*first, *required],
        "additionalProperties": False,
    }


def _schema(hint: Any, file: str, *, top: bool = False) -> Json:
    """The schema of a type; one in `shapes` is referred to, unless it is itself the `top`."""
    if not top and (name := _shape_name(hint)):
        return {"$ref": f"{file}#/$defs/{_snake(name)}"}
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        inner = Annotated[tuple(args[:-1])] if len(args) > 2 else args[0]  # what is nested comes flattened
        return {**_schema(inner, file), **args[-1].keywords}
    if origin is NotRequired:
        return _schema(args[0], file)
    if origin in (Union, UnionType):
        return _union(args, file)
    if origin is Literal:
        return {"const": args[0]} if len(args) == 1 else {"enum": list(args)}
    if origin is list:
        return {"type": "array", "items": _schema(args[0], file)}
    if origin is dict:
        return {"type": "object"} | ({} if args[1] is Any else {"additionalProperties": _schema(args[1], file)})
    return _object(hint, {}, file) if is_typeddict(hint) else {} if hint is Any else {"type": _PLAIN[hint]}


def _union(args: tuple[Any, ...], file: str) -> Json:
    """`X | None` is one schema that takes null too, where that can be said so."""
    rest = tuple(arg for arg in args if arg is not NoneType)
    if len(rest) == len(args):
        return {"oneOf": [_schema(arg, file) for arg in args]}
    whole = _schema(reduce(or_, rest), file)
    if "enum" in whole:
        return {"enum": [*whole["enum"], None]}
    return {**whole, "type": [whole["type"], "null"]} if "type" in whole else {"oneOf": [whole, {"type": "null"}]}


def _shape_name(hint: Any) -> str | None:
    """The name of a shape; an alias is known by its `Schema`, which equals no other."""
    return next((name for name, shape in _shapes_by_name().items() if shape == hint), None)


def _description(shape: str, module: str = shapes.__name__, field: str = "") -> Json:
    text = _docs(module).text(shape, field)
    return {"description": " ".join(text.split())} if text else {}


class _Docs:
    """The docstrings of a module, those below its aliases and fields included."""

    def __init__(self, module: ModuleType) -> None:
        body = ast.parse(Path(str(module.__file__)).read_text("utf-8")).body
        classes = [node for node in body if isinstance(node, ast.ClassDef)]
        self._module = module
        self.names = [name for node in body if (name := _name(node))]
        self._shapes = dict(_below(body)) | {node.name: ast.get_docstring(node) or "" for node in classes}
        self._fields = {node.name: dict(_below(node.body)) for node in classes}
        self.bases = {node.name: [_resolve(base, module) for base in node.bases] for node in classes}

    def text(self, shape: str, field: str) -> str:
        """What is said of a shape, or of a field that it or a base of it declares."""
        home = getattr(getattr(self._module, shape), "__module__", "")
        if home.startswith("memoir.") and home != self._module.__name__:
            return _docs(home).text(shape, field)
        if not field:
            return self._shapes.get(shape, "")
        bases = (base for base in self.bases.get(shape, ()) if base is not TypedDict)
        texts = (_docs(base.__module__).text(base.__name__, field) for base in bases)
        return self._fields.get(shape, {}).get(field) or next(filter(None, texts), "")


@cache
def _docs(module: str) -> _Docs:
    return _Docs(import_module(module))


def _below(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Each name that is assigned or declared, with the string below it."""
    for node, after in pairwise(body):
        if (name := _name(node)) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield name, str(after.value.value)


def _resolve(name: ast.expr, module: ModuleType) -> Any:
    """What a name stands for in a module, such as `shapes.Place`."""
    return reduce(getattr, ast.unparse(name).split("."), cast(Any, module))


def _name(node: ast.stmt) -> str:
    """What a statement defines."""
    if isinstance(node, ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return "".join(target.id for target in targets if isinstance(target, ast.Name))


def _snake(name: str) -> str:
    return re.sub("(?<!^)(?=[A-Z])", "_", name).lower()


def _text(schema: Json) -> str:
    return _lines(schema, "") + "\n"


def _lines(value: Any, indent: str) -> str:
    """JSON, each part on one line if it fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= _WIDTH or not isinstance(value, dict | list):
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(deeper + _lines(part, deeper) for part in value) + f"\n{indent}]"
    parts = (f"{deeper}{json.dumps(key)}: {_lines(part, deeper)}" for key, part in value.items())
    return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
