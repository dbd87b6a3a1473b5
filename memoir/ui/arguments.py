"""The arguments of a request, read as the parameters of the function that answers it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter as Python
from inspect import signature
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints, is_typeddict

from memoir.errors import InvalidInput
from memoir.setting import check_size

_TRUE, _FALSE = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")
_NAMES = {str: "a string", int: "a whole number", float: "a number", bool: "true or false", dict: "an object"}


class Parameter(NamedTuple):
    """A parameter of a call."""

    name: str
    kind: type
    """The type of its value, or of each of its values."""
    repeats: bool
    """Whether it takes a list: a URL or a form repeats the name for each value."""
    required: bool
    """Whether it has to be given."""
    default: Any
    """Its value if it is not given."""


@cache
def parameters(call: Callable[..., object]) -> Mapping[str, Parameter]:
    """The parameters of a function beside its first, which is the repository, by their names in a request.

    The name `from` is `from_` in Python. The fields of a TypedDict behind `**` are parameters as well. Keyword-only
    parameters are left out: they are for the command line.
    """
    found = []
    for each in list(signature(call).parameters.values())[1:]:
        if each.kind is Python.VAR_KEYWORD:
            fields = get_args(each.annotation)[0]
            assert is_typeddict(fields)
            found += [
                _parameter(name, kind, None) for name, kind in get_type_hints(fields).items() if name != "prompts"
            ]
        elif each.kind is not Python.KEYWORD_ONLY:
            found.append(_parameter(each.name, each.annotation, each.default))
    return {each.name.rstrip("_"): each for each in found}


def _parameter(name: str, hint: Any, default: object) -> Parameter:
    """A parameter from its type hint; of a union of types, a list comes first."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = [kind for kind in choices if kind is not NoneType]
    lists = [kind for kind in kinds if get_origin(kind) is list]
    kind = get_args(lists[0])[0] if lists else get_origin(kinds[0]) or kinds[0]
    is_required = default is Python.empty
    return Parameter(name, kind, bool(lists), is_required, None if is_required else default)


def from_texts(call: Callable[..., object], pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The arguments of a call from the texts of a URL or a form; an empty value counts as none."""
    known = parameters(call)
    values: dict[str, Any] = {}
    for name, text in pairs:
        parameter = _known(known, name)
        if text == "" and parameter.kind is not bool and not parameter.required:
            continue
        value = _parse(parameter, name, text)
        if parameter.repeats:
            values.setdefault(name, []).append(value)
        elif name in values:
            raise InvalidInput(f"{name} is given twice")
        else:
            values[name] = value
    return _complete(known, values)


def from_json(call: Callable[..., object], fields: object) -> dict[str, Any]:
    """The arguments of a call from a JSON object."""
    if not isinstance(fields, dict):
        raise InvalidInput("the body is not a JSON object")
    known = parameters(call)
    for name, value in fields.items():
        _require_type(_known(known, name), name, value)
    return _complete(known, {name: value for name, value in fields.items() if value is not None})


def _known(known: Mapping[str, Parameter], name: str) -> Parameter:
    if name not in known:
        raise InvalidInput(f"there is no parameter {name!r}", f"there are: {', '.join(known) or 'none'}")
    return known[name]


def _complete(known: Mapping[str, Parameter], values: dict[str, Any]) -> dict[str, Any]:
    """The values by their names in Python, once all required ones are present."""
    for name, parameter in known.items():
        if parameter.required and name not in values:
            raise InvalidInput(f"{name} is missing", f"add {name}")
    return {known[name].name: value for name, value in values.items()}


def _parse(parameter: Parameter, name: str, text: str) -> Any:
    try:
        if parameter.kind is bool:
            return _TRUE.index(text.lower()) >= 0 if text.lower() not in _FALSE else False
        value = parameter.kind(text)
    except ValueError as error:
        raise InvalidInput(f"{name} must be {_NAMES[parameter.kind]}, not {text[:40]!r}") from error
    check_size(value, name)
    return value


def _require_type(parameter: Parameter, name: str, value: object) -> None:
    values = value if parameter.repeats and isinstance(value, list) else [value]
    takes = (int, float) if parameter.kind is float else parameter.kind
    fits = all(isinstance(each, takes) and (parameter.kind is bool or not isinstance(each, bool)) for each in values)
    if value is not None and not (fits and (isinstance(value, list) or not parameter.repeats)):
        what = f"a list, each {_NAMES[parameter.kind]}" if parameter.repeats else _NAMES[parameter.kind]
        raise InvalidInput(f"{name} must be {what}")
    for each in values:
        check_size(each, name)
