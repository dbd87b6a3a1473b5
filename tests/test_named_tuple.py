"""`memoir.named_tuple` makes what `typing.NamedTuple` makes."""

import copy
import pickle
import typing
from collections.abc import Callable
from inspect import signature
from operator import itemgetter
from typing import Any, get_type_hints

import pytest

from memoir import named_tuple


class Ours(named_tuple.NamedTuple):
    """A place."""

    path: str
    depth: "int | None" = None
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last segment."""
        return self.path.rpartition(".")[2]


class Theirs(typing.NamedTuple):
    """A place."""

    path: str
    depth: "int | None" = None
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last segment."""
        return self.path.rpartition(".")[2]


class Below(Ours):
    """A class below one with fields has no more of them."""

    extra: int = 3


USES: list[Callable[[Any], object]] = [
    lambda kind: tuple(kind("a.b")),
    lambda kind: tuple(kind("a.b", tags=("x",))),
    lambda kind: kind("a.b").name,
    lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__),
    lambda kind: kind("a.b", 3)._replace(path="c")._asdict(),
    lambda kind: tuple(kind._make(["a", 1, ()])),
    lambda kind: (kind("a") == kind("a"), kind("a") == ("a", None, ()), hash(kind("a")), kind("a") < kind("b")),
    lambda kind: repr(kind("a", 1)).replace(kind.__name__, ""),
    lambda kind: [(each.name, each.default, each.kind) for each in signature(kind).parameters.values()],
    lambda kind: get_type_hints(kind),
    lambda kind: hasattr(kind("a"), "__dict__"),
    lambda kind: pickle.loads(pickle.dumps(kind("a", 1))) == kind("a", 1),
    lambda kind: type(copy.copy(kind("a"))) is kind,
    lambda kind: kind(),
    lambda kind: kind("a", 1, (), 2),
    lambda kind: kind("a", height=1),
    lambda kind: kind("a")._replace(height=1),
    lambda kind: kind._make(["a", 1]),
    lambda kind: setattr(kind("a"), "path", "b"),
    lambda kind: setattr(kind("a"), "colour", "b"),
]


@pytest.mark.parametrize("use", range(len(USES)))
def test_each_use_ends_as_with_typing(use: int) -> None:
    def end(kind: Any) -> object:
        try:
            return USES[use](kind)
        except Exception as error:
            return type(error)

    assert end(Ours) == end(Theirs)


def test_an_error_names_the_class_and_the_field() -> None:
    with pytest.raises(TypeError, match=r"Ours\.__new__\(\) missing 1 required positional argument: 'path'"):
        Ours()  # type: ignore[call-arg]


def test_the_arguments_of_two_classes_keep_their_own_names() -> None:
    class Other(named_tuple.NamedTuple):
        path: int
        width: int
        tags: int

    assert (Other(path=1, tags=3, width=2), Ours(path="a", tags=("b",), depth=2)) == ((1, 2, 3), ("a", 2, ("b",)))


def test_a_class_below_has_the_same_fields() -> None:
    assert Below("a.b")._replace(depth=1) == ("a.b", 1, ()) and type(Below("a")._replace(depth=1)) is Below
    assert itemgetter(0)(Below("a.b")) == "a.b" and Below("a.b").extra == 3


def test_a_field_with_an_underscore_is_refused() -> None:
    with pytest.raises(ValueError, match="_secret"):

        class Bad(named_tuple.NamedTuple):
            _secret: int  # type: ignore[misc]
