"""Names of one thing that no rule tells from their spelling: New York and NYC, PostgreSQL and Postgres.

`same_names.txt` has the names of a thing on each line. A short form that is a word too, such as LA or US, is not there.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from memoir.english.proper_names import key_of


def same_names(key: str) -> tuple[str, ...]:
    """The keys of the names of one thing, the commonest first, by the key of any of them; mostly that one alone."""
    return _same_names().get(key, (key,))


@cache
def _same_names() -> Mapping[str, tuple[str, ...]]:
    lines = Path(__file__).with_name("same_names.txt").read_text("utf-8").splitlines()
    groups = [tuple(dict.fromkeys(key_of(name) for name in line.split(", "))) for line in lines]
    return {key: group for group in groups for key in group}
