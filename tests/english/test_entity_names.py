"""Titles, and the forms of a name."""

import pytest

from memoir.english.proper_names import forms_of, key_of, titles


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('She read "Becoming Nicole" and “Charlotte’s Web.” last week', ["Becoming Nicole", "Charlotte’s Web"]),
        ('Pass "--no-index" and "Name", "not a title"', []),
        ('a quote " that never ends, Or Does It', []),
        ('"' * 1000, []),
    ],
)
def test_a_quoted_title_has_two_words_and_begins_with_a_capital(text: str, expected: list[str]) -> None:
    assert list(titles(text)) == expected


@pytest.mark.parametrize(
    ("key", "forms"),
    [
        ("api", "API APIs api"),
        ("library", "Library libraries"),
        ("box", "Box boxes"),
        ("style guide", "Style Guide, style guides"),
        ("redi", "Redis redis"),
        ("class", "Class classes"),
    ],
)
def test_forms_of_a_name_share_a_key(key: str, forms: str) -> None:
    separator = ", " if "," in forms else " " if " " not in key else None
    assert {key_of(form) for form in forms.split(separator)} == {key}
    assert key in forms_of(key)


def test_no_name_is_the_name_of_nothing() -> None:
    assert key_of("  ") == ""
