"""The categories of a store: added, loaded, reset, and never changed by a dry run."""

import shlex

import pytest
from support import Memoir

from memoir import Repository, WriteOptions
from memoir.errors import InvalidInput

TOML = b"""
[cooking]
about = "Recipes and kitchens."
"""


def test_categories_are_added_loaded_and_reset(repository: Repository) -> None:
    taxonomy = repository.taxonomy

    assert taxonomy.list().source == "default"
    assert taxonomy.add("cooking", "Recipes.", examples=["Salt the water."], cues=["salt"])
    assert "cooking" in taxonomy.list().catalogue
    assert taxonomy.load(TOML).total == 1
    assert (list(taxonomy.list().catalogue), taxonomy.list().source) == (["cooking"], "replaced")
    assert taxonomy.list(at="HEAD~1").source == "extended"
    assert taxonomy.reset()
    assert taxonomy.reset() is None


def test_a_dry_run_or_a_bad_category_changes_nothing(repository: Repository) -> None:
    taxonomy = repository.taxonomy

    taxonomy.add("cooking", "Recipes.", options=WriteOptions(dry_run=True))
    assert taxonomy.load(TOML, options=WriteOptions(dry_run=True)).total == 1
    for path, why in (
        ("cooking.bread", "no first level"), ("preferences.coding.style", "more than two levels"),
        ("inbox", "reserved|inbox"), ("no path", "path"), ("user:alice:name", "':' cannot be in a segment"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match=why):
            taxonomy.add(path, "Nothing.")
    with pytest.raises(InvalidInput):
        taxonomy.load(b"")

    assert taxonomy.list().source == "default"
    taxonomy.load(TOML)
    taxonomy.reset(WriteOptions(dry_run=True))
    assert taxonomy.list().source == "replaced"


def test_a_category_takes_the_place_of_no_memory(repository: Repository) -> None:
    repository.remember("Alice Adams", "user:alice:name")

    with pytest.raises(InvalidInput, match="':' cannot be in a segment"):
        repository.taxonomy.add("user:alice:name", "Names.", options=WriteOptions(allow_secrets=True))
    assert repository.content("user:alice:name") == "Alice Adams"


def test_the_hint_of_a_second_level_is_a_command_that_works(memoir: Memoir) -> None:
    memoir.ok("init")
    hint = memoir.run("taxonomy", "add", "cooking.bread", "--about", "Bread.").err.splitlines()[1]

    _, *words = shlex.split(hint.partition("hint: add it first: ")[2])
    assert memoir.run(*words).status == 0
    assert memoir.run("taxonomy", "add", "cooking.bread", "--about", "Bread.").status == 0
