"""`static`: how texts are cut, what its table is, and that texts of the same meaning are near."""

import math
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import Contents, MemoryStore, find, hash_embedder, holdings, memory

from memoir.embedders import static
from memoir.embedders.embedder import Embedder, Vector
from memoir.embedders.static import (
    FILE,
    HEADER,
    LONGEST_WORD,
    MAGIC,
    StaticEmbedder,
    Table,
    cut,
    open_table,
    words,
)
from memoir.errors import EmbedderUnavailable
from memoir.index.vectors import unit

DIMENSIONS = 128
NOTHING = array("f", [0.0] * DIMENSIONS)
VECTORS_ALONE = {"pool": 1000, "weights": {"bm25": 0.0}}


def embed(text: str) -> Vector:
    return StaticEmbedder().embed([text])[0]


def embed_query(text: str, **idf: float) -> Vector:
    return StaticEmbedder().embed_query(text, lambda word: idf.get(word, 1.0))


def cosine(one: Vector, other: Vector) -> float:
    return sum(x * y for x, y in zip(unit(one), unit(other), strict=True))


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("car", "automobile", "banana"),
        ("the doctor saw a patient", "a physician at the hospital", "guitars and drums"),
        ("our database is slow", "queries take seconds in Postgres", "she paints landscapes"),
        ("fix the bug", "an error was repaired", "a walk on the beach"),
    ],
)
def test_texts_of_the_same_meaning_are_nearer(text: str, near: str, far: str) -> None:
    assert cosine(embed(text), embed(near)) > 0.1 + cosine(embed(text), embed(far))


@pytest.mark.parametrize("text", ["", " \n", "the of and", "?!… → €", "x" * 200, "\ud800"])
def test_a_text_without_a_known_word_is_zeros(text: str) -> None:
    assert embed(text) == NOTHING == embed_query(text)


@given(st.text() | st.text("aZ é東‍\u0301\x00#_[]'👍", max_size=60))
def test_any_text_has_the_same_finite_vector_every_time(text: str) -> None:
    vector = embed(text)

    assert len(vector) == DIMENSIONS and all(map(math.isfinite, vector))
    assert embed(text) == vector
    assert array("f", [1024 * x for x in vector]) == embed_query(text)


@pytest.mark.parametrize("text", ["a" * 20_000, "zebra " * 20_000, "é" * 20_000, "東" * 20_000, "[CLS] " * 5000])
def test_a_long_text_fits(text: str) -> None:
    """The largest possible sums fit into their lanes."""
    (document,), query = StaticEmbedder().embed([text]), embed_query(text)

    assert all(map(math.isfinite, document))
    if any(document):
        assert cosine(document, query) == pytest.approx(1.0, abs=1e-5)


def test_vectors_do_not_change_between_releases() -> None:
    """Vectors of one name are compared: if these numbers change, the name must change."""
    assert StaticEmbedder.name == "static-1"
    assert list(unit(embed("We moved the build to uv.")))[:4] == pytest.approx(EXPECTED_START, abs=1e-6)


EXPECTED_START = [-0.1655985713, -0.1743176579, -0.2204293162, 0.0066677220]


def test_a_rare_word_of_a_query_counts_more() -> None:
    zebra, both = embed("zebra"), "zebra crossing"

    assert (
        cosine(embed_query(both, zebra=5.0), zebra)
        > cosine(embed_query(both), zebra)
        > cosine(embed_query(both, zebra=0.2), zebra)
    )
    assert cosine(embed_query(both, crossing=0.0), zebra) == pytest.approx(1.0, abs=1e-5)


def test_only_words_that_count_are_looked_up() -> None:
    words: list[str] = []

    def idf(word: str) -> float:
        words.append(word)
        return 1.0

    StaticEmbedder().embed_query("Where is the Café, the café?", idf)

    assert words == ["cafe"]


CONTENTS: Contents = {
    "a.car": [memory("The car needs new tyres.")],
    "a.cook": [memory("She cooks pasta.")],
    "a.code": [memory("Tests run in parallel.")],
}


def test_recall_finds_a_memory_that_shares_no_word(memories: MemoryStore) -> None:
    index = memories.index(StaticEmbedder())

    assert find(index, memories.snapshot(CONTENTS), "automobile maintenance", VECTORS_ALONE)[0] == "default:a.car"
    assert index.degraded == []


def test_vectors_of_hash_and_static_never_mix(memories: MemoryStore) -> None:
    snapshot, sizes = memories.snapshot(CONTENTS), []
    embedders: list[Embedder] = [hash_embedder(), StaticEmbedder(), hash_embedder(), StaticEmbedder()]
    for embedder in embedders:
        index = memories.index(embedder)
        sizes.append({len(row[3]) for row in holdings(index, snapshot)["embedding"]})
        index.close()

    assert sizes == [{256}, {DIMENSIONS}] * 2


@pytest.fixture
def bad_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The table's first half, and no word looked up before."""
    half = tmp_path / "static.bin"
    half.write_bytes(static.FILE.read_bytes()[:2_000_000])
    monkeypatch.setattr(static, "FILE", half)
    static._table.cache_clear()
    static._of_word.cache_clear()
    yield
    static._table.cache_clear()


@pytest.mark.usefixtures("bad_table")
def test_without_its_table_words_alone_rank(memories: MemoryStore) -> None:
    index = memories.index(StaticEmbedder())

    assert find(index, memories.snapshot(CONTENTS), "pasta") == ["default:a.cook"]
    (reason,) = index.degraded
    assert "the table of the embedder static cannot be used" in reason and "ranked by words alone" in reason
    with pytest.raises(EmbedderUnavailable):
        embed("pasta")


def test_the_table_is_mapped_at_the_first_text() -> None:
    code = "from memoir.embedders import static; static.StaticEmbedder(); assert not static._table.cache_info()[3]"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


PIECES = [b"ab", b"b", b"c"]
ROWS = [[1, -1], [127, -127], [0, 5]]
WEIGHTS = [1, 10, 1 << 22]


def table_file(magic: bytes = MAGIC, count: int = 3) -> bytes:
    text, bounds = b"".join(PIECES), (0, 2, 3, 4)
    rows = bytes(number + 128 for row in ROWS for number in row)
    return HEADER.pack(magic, count, 2, len(text)) + pack("<3I", *WEIGHTS) + pack("<4I", *bounds) + text + rows


def test_pieces_and_rows_are_read_in_place() -> None:
    table = Table(table_file())

    assert list(table.pieces) == PIECES
    for place, (row, weight) in enumerate(zip(ROWS, WEIGHTS, strict=True)):
        assert table.vector(table.row(place)) == array("f", [weight * number for number in row])


def test_sums_and_multiples_of_rows_are_those_of_every_component() -> None:
    table = Table(table_file())

    assert table.vector(3 * table.row(0) + 2 * table.row(1)) == array("f", [3 + 2540, -3 - 2540])
    assert table.vector(20_000 * 16_384 * table.row(2)) == array("f", [0, 5 * 20_000 * 16_384 * (1 << 22)])
    assert table.vector(0) == array("f", [0, 0])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cannot mmap an empty file"),
        (b"memoir", "too short"),
        (table_file(b"memoir static 2\n"), "its header is wrong"),
        (table_file()[:-1], "its size differs"),
        (table_file() + b"x", "its size differs"),
        (table_file(count=4), "its size differs"),
        (table_file(count=(1 << 32) - 1), "its size differs"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "static.bin"
    file.write_bytes(content)

    with pytest.raises(EmbedderUnavailable, match=reason) as failure:
        open_table(file)
    assert failure.value.hint == "install memoir again"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"No such file .*static\.bin"):
        open_table(tmp_path / "static.bin")


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
