"""Other forms of words: identifiers taken apart, text without spaces, short forms, and words near in meaning."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english import word_forms as module
from memoir.english.stopwords import STOP_WORDS
from memoir.english.word_forms import FILE, LONGEST, finest, forms, other_forms, synonyms, wholes
from memoir.errors import MemoirError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cacheDir", "cache Dir"),
        ("parseHTTPResponse2", "parse HTTP Response"),
        ("TS7030", "TS 7030"),
        ("E0308", "0308"),
        ("k8s", ""),
        ("max_retries", "maxretries"),
        ("A-1", "A1"),
        ("v3.11.4", "v3114"),
        ("src/app/main_test.py", "srcappmaintestpy maintestpy"),
        ("std::ioError", "stdioError io Error"),
        ("数据库", "数据 据库 数 据 库"),
        ("猫", ""),
        ("vue组件", "vue 组件 组 件"),
        ("We ship on Tuesdays, as agreed.", ""),
    ],
)
def test_what_a_text_is_also_found_by(text: str, expected: str) -> None:
    assert " ".join(forms(text)) == expected


def test_the_finest_words_of_a_question() -> None:
    assert finest("where is cacheDir of E0308 in 数据库?") == "where is cache Dir of 0308 in 数据 据库?"
    assert list(wholes("does ts-7030 name src/main.rs?")) == ["ts7030", "srcmainrs", "mainrs"]


@pytest.mark.parametrize("text", ["a-" * LONGEST, "aB" * LONGEST])
def test_what_is_longer_than_any_identifier_has_no_forms(text: str) -> None:
    assert list(forms(text)) == []


@given(st.text() | st.text("aB1-_./中 ", max_size=40))
def test_every_form_is_a_word_of_the_texts_own_letters(text: str) -> None:
    own = "".join(character for character in text if character.isalnum())

    assert all(form.isalnum() and set(form) <= set(own) for form in forms(text))
    assert set(finest(text)) <= {*text, " "}


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
