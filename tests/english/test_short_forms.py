"""Short forms of the trade, and what they stand for."""

import pytest

from memoir.english.word_forms import other_forms


@pytest.mark.parametrize(
    ("words", "others"),
    [
        ("which db do we use", ["database"]),
        ("which database do we use", ["db"]),
        ("why is ci red", ["continuous", "integration"]),
        ("continuous integration is red", ["ci"]),
        ("deps of the repo", ["dependencies", "repository"]),
        ("the db is a database", []),
        ("continuous delivery", []),
        ("dbs and cis", []),
        ("", []),
    ],
)
def test_each_form_leads_to_the_other(words: str, others: list[str]) -> None:
    assert other_forms(words) == others
