"""Words: any text can be a query, and the words that distinguish memories are searched."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from index.indexing import MemoryStore, find, hash_embedder, memory, memory_store, name, ranking

from memoir.index import lexical
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.selection import condition
from memoir.recall.clues import find_people
from memoir.store.snapshot import Snapshot

CONTENTS = {
    "drinks": [memory("A naïve barista pours café crème")],
    "tools": [memory("The build runs with ninja and make")],
    "japan": [memory("日本語 を勉強する")],
    "party": [memory("We danced 🎉 until midnight")],
    "people.ada_lovelace": [memory("wrote the first program", person="Ada Lovelace")],
    "notes.a": [memory("nothing in particular")],
}


def _terms(index: Index, snapshot: Snapshot, query: str) -> list[str]:
    return [term.word for term in index.read(snapshot, lambda view: view.words(query)).terms]


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("naive", "drinks"), ("NAÏVE", "drinks"), ("creme", "drinks"), ("cafés", "drinks"), ("run", "tools"),
        ("building", "tools"), ("日本語", "japan"), ("勉強", "japan"), ("dancing 🎉", "party"), ("ninja?!", "tools"),
        ("lovelace", "people.ada_lovelace"), ("programs", "people.ada_lovelace"),
    ],
)  # fmt: skip
def test_a_word_finds_its_other_forms(memories: MemoryStore, query: str, key: str) -> None:
    """Whatever its case, accents and English inflection, in the content, the path or a person's name."""
    assert find(memories.index(), memories.snapshot(CONTENTS), query) == [f"default:{key}"]


def test_a_stop_word_is_searched_for_where_it_is_a_name(memories: MemoryStore) -> None:
    """ "just" runs commands, too."""
    contents = {"tools.tasks": [memory("Use just for tasks")], "tools.lint": [memory("ruff just lints the tasks")]}
    snapshot = memories.snapshot(CONTENTS | contents)
    assert "just" in _terms(memories.index(), snapshot, "what do we use just for?")
    assert "just" not in _terms(memories.index(), snapshot, "did ruff just lint the tasks?")


SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)
SPECIAL = st.sampled_from(
    ['"', "'", "*", "^", "NEAR(", "AND", "OR", "NOT", "content:", "{a b}:", "-", "\0", "(", "col:*"]
)
ANY_TEXT = st.lists(st.text() | SURROGATES | SPECIAL, min_size=1).map(" ".join)


@given(ANY_TEXT)
@example('"unbalanced')
@example("naive AND NOT (make OR NEAR(ninja drinks, 2)) content:x* ^first -second + {path}:c")
@example("\ud800")
@example("Ada\udcff's \0 program")
def test_any_text_can_be_a_query(query: str) -> None:
    with memory_store() as store:
        index = store.index(hash_embedder())
        snapshot = store.snapshot(CONTENTS)

        for candidate in ranking(index, snapshot, query).candidates:
            assert 0 <= candidate.relevance <= 1
        index.read(snapshot, lambda view: find_people(view, query, ("default",)))
        index.close()


@given(ANY_TEXT)
def test_any_remembered_text_is_found_by_itself(content: str) -> None:
    content = "zebra " + content.encode("utf-8", "replace").decode()
    with memory_store() as store:
        index = store.index(hash_embedder())
        snapshot = store.snapshot({"a": [memory(content)], "b": [memory("lion")], "c": [memory("owl")]})

        assert find(index, snapshot, content)[0] == "default:a"
        index.close()


def test_operators_are_ordinary_words(memories: MemoryStore) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)

    assert find(index, snapshot, "ninja NOT make") == ["default:tools"]
    assert find(index, snapshot, "path:ninja") == ["default:tools"]
    assert find(index, snapshot, "nin*") == []


def test_stop_words_are_ignored_if_there_are_other_words(memories: MemoryStore) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)

    assert _terms(index, snapshot, "what did the ninja make of it?") == ["make", "ninja"]


def test_a_query_of_only_stop_words_is_searched(memories: MemoryStore) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)

    assert _terms(index, snapshot, "We until") == ["until", "we"]
    assert find(index, snapshot, "we until") == ["default:party"]


def test_words_of_most_memories_are_ignored(memories: MemoryStore) -> None:
    contents = {name(number): [memory(f"common word{number}")] for number in range(120)}

    assert _terms(memories.index(), memories.snapshot(contents), "common word3 absent") == ["word3"]


def test_in_a_small_store_no_word_is_common(memories: MemoryStore) -> None:
    """Five memories that all hold a word say nothing of how common it is."""
    index, contents = memories.index(), {name(number): [memory("common")] for number in range(5)}

    candidates = ranking(index, memories.snapshot(contents), "common").candidates

    assert [c.document.address.path for c in candidates] == sorted(contents)
    assert all(candidate.relevance > 0.5 for candidate in candidates)


def test_a_long_query_is_searched_by_its_rarest_words(memories: MemoryStore) -> None:
    contents = {name(number): [memory(f"often rare{number}")] for number in range(90)}
    query = "often " + " ".join(f"rare{number}" for number in range(60))

    words = _terms(memories.index(), memories.snapshot(contents), query)

    assert len(words) == lexical.MAX_TERMS
    assert "often" not in words


@pytest.mark.slow
def test_a_very_long_query_is_answered(memories: MemoryStore) -> None:
    book = " ".join(f"word{number}" for number in range(8_000)) + " ninja " + "x" * 200_000

    assert find(memories.index(hash_embedder()), memories.snapshot(CONTENTS), book)[0] == "default:tools"


def test_equal_matches_are_sorted_by_address(memories: MemoryStore) -> None:
    keys = ["b", "user:a", "a", "ab", "c"]
    index = memories.index()
    for count in range(1, len(keys) + 1):
        contents = {key: [memory("zebra")] for key in keys[:count]} | {f"x{n}": [memory("lion")] for n in range(9)}
        order = find(index, memories.snapshot(contents), "zebra")

    assert order == ["default:a", "default:ab", "default:b", "default:c", "user:a"]


PLACES = {
    "a.x": [memory("zebra", occurred_at="2025-06-01", person=["Ada", "Bo"])],
    "a.y": [memory("zebra", "2025-07-01T00:00:00Z", person="ada")],
    "b.x": [memory("zebra", occurred_at="2025-08-01T10:00:00Z")],
    "user:a.x": [memory("zebra", "2025-09-01T00:00:00Z", person="Bo", occurred_at="some day")],
}
JULY, AUGUST = 1_751_328_000.0, 1_754_006_400.0


@pytest.mark.parametrize(
    ("where", "keys"),
    [
        ({}, ["default:a.x", "default:a.y", "default:b.x", "user:a.x"]),
        ({"namespaces": ("user",)}, ["user:a.x"]),
        ({"namespaces": ("nobody",)}, []),
        ({"globs": ("a.*",)}, ["default:a.x", "default:a.y", "user:a.x"]),
        ({"globs": ("b*", "*.y")}, ["default:a.y", "default:b.x"]),
        ({"person": "ADA"}, ["default:a.x", "default:a.y"]),
        ({"person": "Bo"}, ["default:a.x", "user:a.x"]),
        ({"person": "B"}, []),
        ({"since": JULY}, ["default:a.y", "default:b.x", "user:a.x"]),
        ({"until": JULY}, ["default:a.x", "default:a.y"]),
        ({"since": JULY, "until": AUGUST}, ["default:a.y"]),
        ({"since": JULY, "globs": ("a.*",), "person": "bo"}, ["user:a.x"]),
    ],
)
def test_filters_limit_what_is_found(memories: MemoryStore, where: dict[str, Any], keys: list[str]) -> None:
    """By namespace, path, person, and when it happened: `occurred_at` where it is a date, else when it was learnt."""
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(PLACES)

    assert sorted(find(index, snapshot, "zebra", **where)) == keys


def test_an_empty_filter_is_recognised(memories: MemoryStore) -> None:
    assert Filter().everything
    assert not Filter(since=0.0).everything
    where = memories.index().read(memories.snapshot({}), lambda view: condition(view.database, Filter()))
    assert where.is_met_by_all


@pytest.mark.parametrize("namespaces", [("default", "user"), ("default", "nobody", "user"), ("user", "default")])
def test_all_namespaces_are_no_filter(memories: MemoryStore, namespaces: tuple[str, ...]) -> None:
    """Words and vectors are then compared without a look at each document, which takes twice the time."""
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(PLACES)

    where = index.read(snapshot, lambda view: condition(view.database, Filter(namespaces=namespaces)))

    assert where.is_met_by_all


def test_a_match_that_passes_a_filter_is_found_behind_many_that_do_not(memories: MemoryStore) -> None:
    """The best matches are put through the filter first; equal ones keep the order of their addresses."""
    others = {f"other:{name(number)}": [memory("zebra zebra zebra")] for number in range(40)}
    mine = {f"mine:{name(number)}": [memory("zebra and a lion in the desert")] for number in range(5)}
    index, snapshot = memories.index(), memories.snapshot(others | mine)

    found = [find(index, snapshot, "zebra", pool=pool, namespaces=("mine",)) for pool in (1, 2, 3, 9)]

    assert found == [[f"mine:{name(number)}" for number in range(count)] for count in (1, 2, 3, 5)]


CODE = {
    "cache": [memory("Set cacheDir to share what was built")],
    "error": [memory("E0308 says that two types differ")],
    "return": [memory("TS7030 wants a return in every branch")],
    "table": [memory("The roots are in src/table/roots.rs")],
    "retries": [memory("max_retries is three")],
    "china": [memory("我们使用数据库")],
    "style": [memory("Return early")],
}


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("cache_dir", "cache"), ("CacheDir", "cache"), ("the cache", "cache"), ("E 0308", "error"), ("0308", "error"),
        ("ts-7030", "return"), ("roots.rs", "table"), ("maxRetries", "retries"), ("max-retries", "retries"),
        ("数据", "china"), ("库", "china"), ("数据在哪里", "china"),
    ],
)  # fmt: skip
def test_an_identifier_is_found_in_any_spelling_and_by_its_parts(memories: MemoryStore, query: str, key: str) -> None:
    assert find(memories.index(), memories.snapshot(CODE), query)[0] == f"default:{key}"


def test_nobody_misses_an_identifier_whose_parts_are_there(memories: MemoryStore) -> None:
    """A question is answered in full by a memory that spells it in parts."""
    words = memories.index().read(
        memories.snapshot({"a": [memory("the cache dir")]}), lambda view: view.words("cacheDir")
    )

    assert [term.word for term in words.terms] == ["cache", "dir"]
    assert words.absent == ()


def test_a_word_that_every_memory_holds_finds_them(memories: MemoryStore) -> None:
    contents = {f"zoo.n{number}": [memory(f"zebra number {number}")] for number in range(101)}
    index, snapshot = memories.index(), memories.snapshot(contents)

    assert _terms(index, snapshot, "zebra") == ["zebra"]
    assert _terms(index, snapshot, "zebra 7") == ["7"]  # what tells them apart is enough
