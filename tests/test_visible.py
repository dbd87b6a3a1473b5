"""Text that is safe to show, and JSON that is safe on a terminal."""

import json
import unicodedata

import pytest

from memoir.answers.answer import dump, pieces
from memoir.visible import escape_json, neutralise, neutralise_all

# Code points with the property Default_Ignorable_Code_Point, by hand: Python does not know it.
INVISIBLE = (
    "\xad\u034f\u115f\u17b4\u180b\u180e\u200b\u200c\u200d\u2060\u2064\u3164\ufe0f\ufeff\uffa0\U000e0001\U000e0041"
)


BLANKS = "\u2800\u3164\u115f\u1160\uffa0\U00013441\U0001d159"
"""Characters that look like a blank and are letters or signs to Python."""


@pytest.mark.parametrize("char", INVISIBLE + BLANKS)
def test_an_invisible_character_in_a_word_is_shown(char: str) -> None:
    text = neutralise(f"pass{char}word")

    assert char not in text and f"{ord(char):x}" in text
    assert neutralise(text) == text


def test_every_format_character_that_has_no_shape_is_shown() -> None:
    visible = {0x070F, 0x08E2, 0x110BD, 0x110CD, 0x06DD, 0x0890, 0x0891, *range(0x600, 0x606), *range(0x13430, 0x13440)}
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in ("Cf", "Cc", "Zl", "Zp") and code not in visible and chr(code) != "\t":
            assert chr(code) not in neutralise(f"a{chr(code)}b"), hex(code)


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a non-joiner
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala, with a joiner
        "\U0001f469\u200d\U0001f4bb",  # a woman at a computer
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # a flag
        "\u2764\ufe0f red",
        "1\ufe0f\u20e3 first",
        "\u2813\u2811\u2800\u283a\u2815",  # Braille, with a blank between two words
        "plain, \ttabbed, é, 日本",
    ],
)
def test_what_writing_needs_is_left_as_it_is(text: str) -> None:
    assert neutralise(text) == text


@pytest.mark.parametrize("text", ["… “Café” – it’s\u00a0open…", "日本 🎉 Ελλάδα"])
def test_text_of_letters_and_signs_is_shown_without_compiling_a_pattern(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoir.visible._unsafe", lambda: pytest.fail("compiled"))

    assert neutralise(text) == text
    assert escape_json(f"{text}\n") == f"{text}\n"


@pytest.mark.parametrize(
    "text",
    ["a\u200db", "\u2813\u2800\u2800\u2813", "\u2764\ufe0f\ufe0f", "\U0001f469\u200d", "x\ufe0f", "\u0645\u200c "],
)
def test_a_joiner_or_selector_that_does_nothing_is_shown(text: str) -> None:
    assert "\\u" in neutralise(text)


@pytest.mark.parametrize("terminal", [True, False])
def test_json_is_the_same_value_without_anything_to_act_on_or_to_miss(terminal: bool) -> None:
    answer = {"text": "csi \x9b31m del \x7f bidi \u202e tag \U000e0041 esc \x1b[2J line\nbreak é 日本"}

    output = dump(answer, terminal=terminal)

    assert json.loads(output) == answer
    assert b"".join(pieces({"items": iter([answer])}, terminal=terminal)).count(b"\\u") == output.count(b"\\u")
    text = output.decode()
    assert neutralise(text.replace("\n", "")) == text.replace("\n", "")
    assert "é 日本" in text


def test_every_text_in_jsons_values_is_made_safe_line_by_line() -> None:
    answer = {"a\u3164b": ["x\r\ny\n\u202ez", {"n": 1, "none": None}], "plain": "two\nlines"}

    assert neutralise_all(answer) == {
        "a\\u3164b": ["x\ny\n\\u202ez", {"n": 1, "none": None}],
        "plain": "two\nlines",
    }
