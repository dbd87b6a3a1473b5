"""`NamedTuple`: classes as `typing.NamedTuple` makes them, in a sixth of the time.

A command defines some sixty of them before it answers. `typing` compiles a constructor for each, and every annotation
in quotation marks. Here classes with equally many fields share one compiled constructor, under the names of their own
fields, and annotations stay as they are written. To type checkers, and from Python 3.14 on, which compiles annotations
when they are asked for, it is `typing.NamedTuple` itself.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 14):
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter
    from functools import cache
    from types import CodeType, FunctionType

    _NAMES = {"__builtins__": {}, "_new": tuple.__new__}
    """All that a constructor can name."""

    class _Maker(type):
        """Turns the annotations of a class right below `NamedTuple` into fields."""

        def __new__(meta, name: str, bases: tuple, body: dict) -> type:
            if bases[0] is not tuple and bases[0].__base__ is tuple:
                body |= _fields(name, body)
            return type.__new__(meta, name, bases, body)

    def _fields(name: str, body: dict) -> dict:
        """The members that a class with fields gets besides those of its body."""
        annotations = body.get("__annotations__", {})
        if bad_fields := [field for field in annotations if field.startswith("_")]:
            raise ValueError(f"a field of {name} begins with '_': {bad_fields[0]}")
        fields = tuple(annotations)
        defaults = {field: body[field] for field in fields if field in body}
        new = _constructor(f"{name}.__new__", fields, tuple(defaults.values()))
        new.__annotations__ = annotations
        own = {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
        return {**own, "__new__": new, **{field: _reader(place) for place, field in enumerate(fields)}}

    def _constructor(full_name: str, fields: tuple, defaults: tuple) -> FunctionType:
        code = _code_for(len(fields)).replace(co_varnames=("_cls", *fields), co_name="__new__")
        new = FunctionType(code, _NAMES, "__new__", defaults)
        new.__qualname__ = full_name
        return new

    @cache
    def _code_for(count: int) -> CodeType:
        """The code that makes a tuple of so many arguments."""
        arguments = "".join(f" a{number}," for number in range(count))
        # `compile` would first make the classes of the syntax tree, which takes as long as 70 of ours.
        return eval(f"lambda _cls,{arguments}: _new(_cls, ({arguments}))", _NAMES).__code__  # noqa: S307

    @cache
    def _reader(place: int) -> object:
        """The property that reads the value at a place."""
        return _tuplegetter(place, f"The value at place {place}.")

    class NamedTuple(tuple, metaclass=_Maker):
        """The base of classes whose annotations are the fields of a tuple."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            """The tuple of some values, in the order of the fields."""
            new = tuple.__new__(cls, values)
            if len(new) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(new)}")
            return new

        def _replace(self, /, **changes):
            """The tuple with other values of some fields."""
            new = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"{type(self).__name__} has no field {', '.join(changes)}")
            return new

        def _asdict(self):
            """The values by their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self):
            return tuple(self)
