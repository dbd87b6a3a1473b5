"""Misspelt words of a query are read as words that memories hold, and nothing else is."""

import pytest
from index.indexing import MemoryStore, find, memory

from memoir.embedders import static
from memoir.errors import EmbedderUnavailable

CONTENTS = {
    "db.backups": [memory("The database is copied to another region every night")],
    "web.season": [memory("The reasons of the outage, and a uvulite release")],
    "team.Martha": [memory("Likes kubernetes", person="Martha")],
}


def _correct(memories: MemoryStore, text: str) -> str:
    return memories.index().read(memories.snapshot(CONTENTS), lambda view: view.correct(text))


@pytest.mark.parametrize(
    ("text", "correction"),
    [
        ("databse", "database"),
        ("is the datbaase copied?", "is the database copied?"),
        ("'databasee' and (kuberntes)", "'database' and (kubernetes)"),
        ("where do regiosn go", "where do region go"),
    ],
)
def test_a_misspelt_word_is_replaced(memories: MemoryStore, text: str, correction: str) -> None:
    assert _correct(memories, text) == correction


@pytest.mark.parametrize(
    "text",
    [
        "seasons",  # a word, although no memory holds it
        "datbaze",  # two edits away
        "nigt",  # too short
        "Databse databse.py databse-copy x:databse",  # names and identifiers
        "",
    ],
)
def test_anything_else_is_left_alone(memories: MemoryStore, text: str) -> None:
    assert _correct(memories, text) == text


def test_recall_finds_by_a_misspelt_word(memories: MemoryStore) -> None:
    assert find(memories.index(), memories.snapshot(CONTENTS), "databse") == ["default:db.backups"]


def test_without_a_vocabulary_nothing_is_corrected(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_damaged(word: str) -> bool:
        raise EmbedderUnavailable("the table of the embedder static cannot be used")

    monkeypatch.setattr(static, "is_word", is_damaged)

    assert _correct(memories, "databse") == "databse"
