"""`memoir.types`: every class of a signature can be imported, and docs/library/ describes it."""

import builtins
import copy
import pickle
import re
import subprocess
import sys
import typing
from collections import abc
from collections.abc import Callable, Iterator
from typing import Any

import public_types
import pytest
from support import PROJECT

import memoir
from memoir import Memory, Repository, types
from memoir.types import Branches, Oid, PathRecord, QueryFields, RecallAnswer, Record

PAGE = "\n".join(page.read_text("utf-8") for page in (PROJECT / "docs/library").glob("*.md"))
OF_PYTHON = {*vars(builtins), *vars(typing), *vars(abc), "BinaryIO", "Event", "Path", "PathLike", "datetime", "array"}
"""Names in signatures that are not memoir's."""


def test_each_class_that_the_library_takes_or_returns_can_be_imported() -> None:
    exports = {id(value) for value in public_types.exported().values()}

    missing = {place: each.__qualname__ for each, place in public_types.reachable().items() if id(each) not in exports}

    assert not missing, "add these to memoir/types.py"


def test_fields_of_what_is_returned_are_followed() -> None:
    names = {each.__name__ for each in public_types.reachable()}

    assert {"RecallAnswer", "IntelligentSearchResult", "Commit", "Signature", "QueryFields", "Category"} <= names


def test_no_name_has_two_places() -> None:
    assert not set(types.__all__) & set(memoir.__all__)


def test_each_type_is_imported_and_described() -> None:
    assert all(getattr(types, name) for name in types.__all__)
    assert [name for name in types.__all__ if f"\n* `{name}`  \n" not in PAGE] == []


def test_signatures_name_only_what_can_be_imported() -> None:
    """Also aliases, of which nothing is left in a class."""
    signatures = re.findall(r"^ *\* `([^`]*[:>][^`]*)`", PAGE, re.MULTILINE)
    names = {name for each in signatures for name in re.findall(r"(?<![\w'.])[A-Z]\w*", re.sub(r"'[^']*'", "", each))}

    assert len(signatures) > 500
    assert names - OF_PYTHON - set(types.__all__) - set(memoir.__all__) == set()


def test_every_error_that_a_method_raises_can_be_caught_by_its_name() -> None:
    lines = re.findall(r"^ *Raises (.*)$", PAGE, re.MULTILINE)
    names = {
        name for line in lines for name in re.findall(r"(?:^|[.,] |or |and )([A-Z][A-Za-z]+)(?=:|,| or | and )", line)
    }

    assert {"NotFound", "Conflict"} <= names
    assert names - {*vars(builtins)} - {*memoir.__all__} == set()


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        types.Nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("line", ["import memoir", "from memoir import types", "import memoir; memoir.types"])
def test_no_type_is_imported_before_it_is_used(line: str) -> None:
    code = f"{line}; import sys; print(*sorted(name for name in sys.modules if name.startswith('memoir')))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set(done.stdout.split()) <= {"memoir", "memoir.types"}


FIELDS = {
    name: kind._field_defaults for name in types.__all__ if hasattr(kind := getattr(types, name), "_field_defaults")
}


@pytest.mark.parametrize("name", FIELDS)
def test_what_a_class_has_by_default_can_be_sent_to_another_process(name: str) -> None:
    assert pickle.loads(pickle.dumps(FIELDS[name])) == FIELDS[name]


def _answers(repository: Repository) -> Iterator[Any]:
    """What some methods of each kind return."""
    repository.remember(Memory.of("The barn is red."), "a.barn")
    yield repository.remember(Memory.of("Tea is at four."), "a.tea")
    yield repository.recall("barn", mode="simple")
    yield repository.explain("barn", "a.barn")
    yield repository.timeline()
    yield repository.diff()
    yield repository.diff(under=["a.tea"])
    yield repository.show("HEAD")
    yield repository.blame("a.tea")
    yield list(repository.log())
    yield repository.summarize()
    yield repository.status()
    yield repository.taxonomy.list()
    yield repository.captures.review()
    yield repository.captures.accept(every=True)
    yield repository.undo()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_what_methods_return_can_be_copied_and_compared(repository: Repository, again: Callable[[Any], Any]) -> None:
    for answer in _answers(repository):
        assert again(answer) == answer
        assert " at 0x" not in repr(answer)


def test_the_parts_of_a_repository_say_whose_they_are(repository: Repository) -> None:
    assert repr(repository.tags) == f"<Tags of {repository!r}>"


def check_types(repository: Repository, fields: QueryFields, oid: Oid) -> None:
    """What mypy finds wrong here shows that none of these types is an `Any`: an ignored error must be one."""
    answer: RecallAnswer = repository.recall("what?", **fields)
    answer.memories = []  # type: ignore[misc]
    branches: Branches = repository.branches
    ref: memoir.types.Ref = branches.list()[0]
    ref.name = 1  # type: ignore[misc, assignment]
    number: int = oid.short  # type: ignore[assignment]
    types.Nonsense  # type: ignore[attr-defined]  # noqa: B018
    memoir.Nonsense  # type: ignore[attr-defined]  # noqa: B018
    entries: list[PathRecord] = repository.get_many([], at=number)  # type: ignore[arg-type]
    record: Record = entries[0].record  # type: ignore[assignment]
    assert record
