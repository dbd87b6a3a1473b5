"""A closed repository refuses every method and says so; `repr` tells a repository from another."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
from library import GROUPS

from memoir import MemoirError, Repository

WITHOUT_A_STORE = {
    "close",
    "open",
    "open_user",
    "init",
    "clone",
    "find",
    "restore_files",
    "install_minilm",
    "install_model",
    "verify",
    "versions",
}
PARTS = (
    "agents",
    "branches",
    "captures",
    "code",
    "config",
    "layers",
    "lexicon",
    "remotes",
    "sources",
    "tags",
    "taxonomy",
    "upkeep",
)
VALUES: dict[str, Any] = {
    "keys": ("a",),
    "globs": ("a",),
    "places": [],
    "entries": [],
    "lines": [],
    "revise": tuple,
    "toml": b"",
    "numbers": (1,),
    "count": 1,
    "revisions": "main..main",
    "error": "a timeout was reached",
}
"""Arguments by their names; any other one is a text."""


def refusal(repository: Repository, name: str) -> str:
    """What the error says that ends a call of a method."""
    *part, name = name.split(".")
    try:
        use(getattr(repository, part[0]) if part else repository, name)
    except MemoirError as error:
        return str(error)
    return ""


@pytest.fixture
def closed(repository: Repository) -> Repository:
    repository.close()
    return repository


def names() -> Iterator[str]:
    """Each public method and property of a repository and of its parts."""
    for name in sorted(set(dir(Repository)) - WITHOUT_A_STORE):
        if not name.startswith("_") and name not in PARTS:
            yield name
    for prefix, owner in GROUPS.values():
        part = prefix.removeprefix("repository.")
        for name in vars(owner) if part in PARTS else ():
            if not name.startswith("_") and not isinstance(vars(owner)[name], staticmethod):
                yield f"{part}.{name}"


def use(owner: object, name: str) -> None:
    """Read a property, or call a method with arguments that fit and read what it returns."""
    member = getattr(owner, name)
    if not callable(member):
        return
    given = [each for each in inspect.signature(member).parameters.values() if each.default is each.empty]
    positional = [each for each in given if each.kind is each.POSITIONAL_OR_KEYWORD]
    named = {each.name: VALUES.get(each.name, "a") for each in given if each.kind is each.KEYWORD_ONLY}
    more = [value for each in given if each.kind is each.VAR_POSITIONAL for value in VALUES.get(each.name, "a")]
    result = member(*[VALUES.get(each.name, "a") for each in positional], *more, **named)
    if isinstance(result, Iterator):
        list(result)


def test_every_method_is_refused(closed: Repository) -> None:
    refusals = {name: refusal(closed, name) for name in names()}

    assert len(refusals) > 100
    assert [name for name, text in refusals.items() if not re.search(r"the repository of .* is closed", text)] == []


def test_it_can_be_closed_again_and_opened_anew(closed: Repository) -> None:
    closed.close()

    with pytest.raises(MemoirError, match="is closed"), closed:
        pass
    with Repository.open(closed._behind.git_dir.parent) as again:
        again.remember("Use pytest.", "tools.testing")
        assert again.content("tools.testing") == "Use pytest."


def test_its_parts_are_refused_if_they_were_taken_before(repository: Repository) -> None:
    branches = repository.branches
    repository.close()

    with pytest.raises(MemoirError, match="is closed"):
        branches.list()


def test_repr_names_the_store_the_branch_and_whether_it_is_closed(repository: Repository) -> None:
    folder = str(repository.path)
    with Repository.open(repository.path.parent, branch="try") as other:
        assert repr(other) == f"<Repository {folder!r}, branch 'try'>"
    assert repr(repository) == f"<Repository {folder!r}, branch 'main'>"
    repository.close()
    assert repr(repository) == f"<Repository {folder!r}, closed>"


def test_repr_of_a_store_without_a_branch_says_so(repository: Repository) -> None:
    (repository.path / "HEAD").write_text("0" * 40 + "\n")

    assert "no branch is checked out" in repr(repository)
