"""`repository.taxonomy`: the categories of a store through the library."""

import pytest

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
    for path in ("cooking.bread", "a.b.c", "inbox", "no path"):
        with pytest.raises(InvalidInput):
            taxonomy.add(path, "Nothing.")
    with pytest.raises(InvalidInput):
        taxonomy.load(b"")

    assert taxonomy.list().source == "default"
