"""Sizes have units."""

import pytest

from memoir.answers.store import size


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (19_700_000, "19.7 MB"), (999_949_999, "999.9 MB"),
     (999_950_000, "1.0 GB"), (5 * 10**15, "5000.0 TB")],
)  # fmt: skip
def test_a_size_has_a_unit_and_three_digits_at_most(count: int, text: str) -> None:
    assert size(count) == text
