"""docs/library.md: its examples run as printed, and it describes what `memoir.__all__` names."""

import doctest
import re
from typing import Any

import pytest
from support import PROJECT

import memoir
from memoir import Repository

PAGE = (PROJECT / "docs/library.md").read_text("utf-8")
GROUPS = (
    "branches",
    "tags",
    "remotes",
    "config",
    "taxonomy",
    "lexicon",
    "sources",
    "layers",
    "upkeep",
    "agents",
    "captures",
)


def test_the_examples_run_as_printed() -> None:
    examples = doctest.DocTestParser().get_doctest(PAGE, {}, "docs/library.md", "docs/library.md", 0)

    assert doctest.DocTestRunner().run(examples).failed == 0


def test_every_public_name_is_there_and_described() -> None:
    assert all(getattr(memoir, name) for name in memoir.__all__)
    assert [name for name in memoir.__all__ if f"| `{name}` |" not in PAGE] == ["__version__"]


def public(owner: object) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


def test_every_public_method_of_a_repository_is_described(repository: Repository) -> None:
    names = set(re.findall(r"^\* `[Rr]epository\.(\w+)", PAGE, re.MULTILINE))

    assert names - set(GROUPS) == public(repository) - set(GROUPS) - {"store", "is_new", "origin"}
    for group in GROUPS:
        methods: Any = set(re.findall(rf"^\* `repository\.{group}\.(\w+)", PAGE, re.MULTILINE))
        assert methods == public(getattr(repository, group)), group


def test_what_is_taken_by_keyword_alone_has_its_stars() -> None:
    assert "**fields: Unpack[QueryFields]" in PAGE and not re.search(r"(?<!\*\*)\bfields: Unpack", PAGE)


def test_nothing_else_is_exported() -> None:
    code = "from memoir import *; names = set(globals())"
    scope: dict[str, Any] = {}
    exec(code, scope)

    assert set(memoir.__all__) <= scope["names"]
    with pytest.raises(AttributeError, match="has no attribute 'store_of'"):
        memoir.store_of  # type: ignore[attr-defined]  # noqa: B018
