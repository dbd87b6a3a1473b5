"""Words that are near in meaning."""

from pathlib import Path

import pytest

from memoir.english import word_forms as module
from memoir.english.stopwords import STOP_WORDS
from memoir.english.word_forms import FILE, synonyms
from memoir.errors import MemoirError

ENTRIES = {word: others for word, *others in map(str.split, FILE.read_text().splitlines())}
WORDS = list(ENTRIES)


@pytest.mark.parametrize(("word", "other"), [("kids", "children"), ("doctor", "physician"), ("error", "exception")])
def test_a_word_has_synonyms(word: str, other: str) -> None:
    assert other in synonyms(word)


def test_every_word_of_the_list_is_found() -> None:
    for word in [*WORDS[:3], *WORDS[:: len(WORDS) // 50], *WORDS[-3:]]:
        assert synonyms(word) == ENTRIES[word]


@pytest.mark.parametrize("word", ["", "a", "the", "kid s", "zzzz", "~", "数据", "\udcff"])
def test_what_is_not_in_the_list_has_none(word: str) -> None:
    assert synonyms(word) == []


def test_the_list_is_sorted_for_a_binary_search() -> None:
    assert sorted(line.encode() for line in FILE.read_text().splitlines()) == FILE.read_bytes().splitlines()


def test_no_stop_word_is_a_synonym() -> None:
    assert not STOP_WORDS.intersection(word for word, others in ENTRIES.items() for word in (word, *others))


@pytest.mark.parametrize("content", [None, ""])
def test_without_the_list_memoir_has_to_be_installed_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None
) -> None:
    file = tmp_path / "synonyms.txt"
    if content is not None:
        file.write_text(content)
    monkeypatch.setattr(module, "FILE", file)

    with pytest.raises(MemoirError, match="list of synonyms") as error:
        synonyms("kids")

    assert error.value.hint == "install memoir again"
