"""Identifiers taken apart, and text without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.word_forms import LONGEST, finest, forms, wholes


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
