"""Word pieces: as the published tokenizer of all-MiniLM-L6-v2 cuts them, without punctuation and symbols."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.index.embedders.static import FILE, LONGEST_WORD, cut, open_table, words

TABLE = open_table(FILE)
VOCABULARY = TABLE.pieces


def pieces(text: str) -> list[str]:
    return [VOCABULARY[place].decode() for word in words(text) for place in cut(word, VOCABULARY)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \t\n", ""),
        ("Café NAÏVE résumé", "cafe naive resume"),
        ("İstanbul ΟΔΟΣ", "istanbul ο ##δ ##ο ##σ"),
        ("unaffable embeddings", "una ##ffa ##ble em ##bed ##ding ##s"),
        ("Kubernetes zzqxv", "ku ##ber ##net ##es z ##z ##q ##x ##v"),
        ("snake_case camelCase", "snake case camel ##case"),
        ("don't stop-it, e.g. v2.0.1!", "don t stop it e g v ##2 0 1"),
        ("東京 2026年", "東 京 202 ##6 年"),
        ("日本語テスト", "日 本 語 テ ##ス ##ト"),
        ("السلام", "ا ##ل ##س ##ل ##ا ##م"),
        ("भाषा", "भ ##ा ##ष ##ा"),
        ("ﬁne", "ﬁ ##ne"),
        ("a\x00b c\u200bd", "ab cd"),
        ("##ing", "ing"),
        ("\ud800x", "x"),
        ("x" * LONGEST_WORD, "xx" + " ##xx" * 49),
        ("x" * (LONGEST_WORD + 1), ""),
    ],
)
def test_pieces_are_those_of_the_published_tokenizer(text: str, expected: str) -> None:
    assert pieces(text) == expected.split()


def test_symbols_separate_words_and_unknown_words_are_skipped() -> None:
    assert pieces("great\N{THUMBS UP SIGN} 5€ Ⅳ fine") == ["great", "5", "fine"]


@given(st.sets(st.text("ab#", min_size=1, max_size=4)), st.text("ab", min_size=1, max_size=8))
def test_the_longest_piece_comes_first(vocabulary: set[str], word: str) -> None:
    """As the slow way finds them: each time the longest of all pieces that fit."""
    expected: list[str] = []
    rest, mark = word, ""
    while rest and (fits := [piece for piece in vocabulary if (mark + rest).startswith(piece) and piece != mark]):
        longest = max((piece for piece in fits if len(piece) > len(mark)), key=len, default="")
        if not longest:
            break
        expected.append(longest)
        rest, mark = rest[len(longest) - len(mark) :], "##"
    table = sorted(piece.encode() for piece in vocabulary)

    assert [table[place].decode() for place in cut(word, table)] == ([] if rest else expected)


@given(st.text("abegnrs#", min_size=1, max_size=12))
def test_looking_beginnings_up_finds_the_same_pieces(word: str) -> None:
    assert cut(word, VOCABULARY, TABLE.places) == cut(word, VOCABULARY)
