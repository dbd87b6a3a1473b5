"""docs/library.md and docs/library/: the examples run as printed, and all that is public is described once."""

import doctest
import re
from typing import Any

import pytest
from support import PROJECT

import memoir
from memoir import Repository, types

GUIDE = (PROJECT / "docs/library.md").read_text("utf-8")
REFERENCE = "\n".join(page.read_text("utf-8") for page in (PROJECT / "docs/library").glob("*.md"))
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
    "code",
)


def test_the_examples_run_as_printed() -> None:
    examples = doctest.DocTestParser().get_doctest(GUIDE, {}, "docs/library.md", "docs/library.md", 0)

    assert doctest.DocTestRunner().run(examples).failed == 0


def test_every_public_name_is_there_and_described() -> None:
    assert all(getattr(memoir, name) for name in memoir.__all__)
    assert [name for name in memoir.__all__ if f"| `{name}` |" not in GUIDE] == ["__version__"]


def public(owner: object) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


def test_every_public_method_of_a_repository_is_described(repository: Repository) -> None:
    names = set(re.findall(r"^\* `[Rr]epository\.(\w+)", REFERENCE, re.MULTILINE))

    assert names - set(GROUPS) == public(repository) - set(GROUPS) - {"store", "is_new", "origin"}
    for group in GROUPS:
        methods: Any = set(re.findall(rf"^\* `repository\.{group}\.(\w+)", REFERENCE, re.MULTILINE))
        assert methods == public(getattr(repository, group)), group


def test_what_is_taken_by_keyword_alone_has_its_stars() -> None:
    assert "**fields: Unpack[QueryFields]" in REFERENCE and not re.search(r"(?<!\*\*)\bfields: Unpack", REFERENCE)


def test_nothing_else_is_exported() -> None:
    code = "from memoir import *; names = set(globals())"
    scope: dict[str, Any] = {}
    exec(code, scope)

    assert set(memoir.__all__) <= scope["names"]
    with pytest.raises(AttributeError, match="has no attribute 'store_of'"):
        memoir.store_of  # type: ignore[attr-defined]  # noqa: B018


def test_a_class_is_described_beside_the_methods_that_take_or_return_it() -> None:
    pages = {page.stem: page.read_text("utf-8") for page in (PROJECT / "docs/library").glob("*.md")}
    homes = {name: [page for page, text in pages.items() if f"\n* `{name}`  \n" in text] for name in types.__all__}

    assert [name for name, found in homes.items() if len(found) != 1] == []
    expected = {"RecallAnswer": "recall", "PathRecord": "memories", "SyncResult": "remotes", "Code": "agents"}
    assert {name: homes[name] for name in expected} == {name: [page] for name, page in expected.items()}
    assert [page for page, text in pages.items() if text.count("\n") > 700] == []


def test_the_index_names_the_page_of_each_class() -> None:
    rows = re.findall(r"^\| \[[^]]+\]\((library/\w+\.md)\) \| [^|]+ \| (.+) \|$", GUIDE, re.MULTILINE)
    listed = {name: page for page, names in rows for name in re.findall(r"`(\w+)`", names)}

    assert listed.keys() == set(types.__all__)
    assert all(f"\n* `{name}`  \n" in (PROJECT / "docs" / page).read_text("utf-8") for name, page in listed.items())
