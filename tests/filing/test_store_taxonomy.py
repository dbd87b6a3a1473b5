"""The categories of a store: added, loaded, reset, and never changed by a dry run."""

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
    assert taxonomy.load(TOML, options=WriteOptions(dry_run=True)).total == 1
    for path, why in (
        ("cooking.bread", "no first level"), ("preferences.coding.style", "more than two levels"),
        ("inbox", "reserved|inbox"), ("no path", "path"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match=why):
            taxonomy.add(path, "Nothing.")
    with pytest.raises(InvalidInput):
        taxonomy.load(b"")

    assert taxonomy.list().source == "default"
    taxonomy.load(TOML)
    taxonomy.reset(WriteOptions(dry_run=True))
    assert taxonomy.list().source == "replaced"
