"""The compiled lexicon: sorted lines, found by their first word as reading all of them would, without being loaded."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoir.english.lexicon import table
from memoir.english.sorted_lines import contents
from memoir.errors import MemoirError


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A table in another file, and nothing kept of the shipped one."""
    file = tmp_path / "table.txt"
    monkeypatch.setattr(table, "FILE", file)
    _forget()
    yield file
    _forget()


def _forget() -> None:
    for kept in (table.entries, table.related, table.version, contents):
        kept.cache_clear()


def test_the_lines_are_sorted_by_their_bytes() -> None:
    head, *lines = table.FILE.read_bytes().splitlines()

    assert lines == sorted(lines) and len(set(lines)) == len(lines)
    assert head == f"!{table.version()}".encode()


@pytest.mark.parametrize("at", [0, -1])
def test_the_first_line_and_the_last_one_are_found(own_file: Path, at: int) -> None:
    lines = ["=baking\tkitchen", "bread\tw\tbread\tbaking", "zeus\tt\tzeus\tkitchen,~baking"]
    own_file.write_text("!12345678\n" + "".join(f"{line}\n" for line in lines))

    assert table.version() == "12345678"
    assert table.related("baking") == ["kitchen"]
    assert [each.words for each in table.entries("bread")] == [("bread",)]
    assert [dict(each.concepts) for each in table.entries("zeus")] == [{"kitchen": 1.0, "baking": 0.4}]
    assert table.entries("a") == table.entries("bre") == table.entries("zz") == []
    assert table.related("kitchen") == []


def test_the_entries_of_a_word_begin_with_the_longest() -> None:
    lengths = [len(each.words) for each in table.entries("dead")]

    assert len(lengths) > 1 and lengths == sorted(lengths, reverse=True)


def test_every_concept_that_is_named_has_words_of_its_own() -> None:
    lines = table.FILE.read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    own = {name for row in rows if len(row) == 4 and row[1] == table.WORD for name in row[3].split(",")}
    mentioned = {name.lstrip("~") for row in rows for name in row[-1].split(",")}

    assert mentioned - own == set()


@pytest.mark.parametrize("content", [None, b""])
def test_a_missing_or_empty_table_says_what_to_do(own_file: Path, content: bytes | None) -> None:
    if content is not None:
        own_file.write_bytes(content)

    with pytest.raises(MemoirError, match="the lexicon cannot be read") as failure:
        table.entries("bread")
    assert failure.value.hint == "install memoir again"


@pytest.mark.parametrize("line", ["bread", "bread\tw", "bread\tw\tbread", "bread\tw\tbread\t", "bread\tw\t\xff\tx"])
def test_a_damaged_table_says_what_to_do(own_file: Path, line: str) -> None:
    own_file.write_bytes(f"!12345678\n{line}\n".encode("latin-1"))

    if line == "bread":  # it is not a line of that word
        assert table.entries("bread") == []
        return
    with pytest.raises(MemoirError, match="the lexicon cannot be read") as failure:
        table.entries("bread")
    assert failure.value.hint == "install memoir again"


def test_damaged_relations_say_so_too(own_file: Path) -> None:
    own_file.write_bytes(b"!12345678\n=bread\t\xff\n")

    with pytest.raises(MemoirError, match="the lexicon cannot be read"):
        table.related("bread")
