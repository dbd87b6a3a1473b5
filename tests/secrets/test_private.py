"""Text in `<private>` is never stored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import without_endless_work

from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.secrets.secrets import strip_private
from memoir.store.store import Store

PIECES = st.sampled_from(
    ["<private>", "</private>", "<PRIVATE >", "< /Private\n>", "a", "\n", "<", ">", "\\<private\\>"]
)


@pytest.mark.parametrize(
    ("text", "rest", "lines"),
    [
        ("Public. <private>Mine.</private> Public.", "Public. … Public.", [(1, True)]),
        ("One\n<PRIVATE>\nMine.\n</Private>\nTwo", "One\n…\nTwo", [(2, True)]),
        ("a <private>b <private>c</private> d</private> e", "a … e", [(1, True)]),
        ("a\n\nb <private>c\nd", "a\n\nb …", [(3, False)]),
        ("a <private\n reason='x'>b</private\n> c", "a … c", [(1, True)]),
        (r"a \<private\>b\</private\> c", "a … c", [(1, True)]),
        ("a</private> b", "a</private> b", []),
        ("x <private>1</private> y\n<private>2</private>", "x … y\n…", [(1, True), (2, True)]),
        ("A private matter, List<privateer>, x < private.", "A private matter, List<privateer>, x < private.", []),
    ],
)
def test_private_passages_are_left_out_and_named(text: str, rest: str, lines: list[tuple[int, bool]]) -> None:
    assert strip_private(text) == (rest, lines)


@given(st.lists(PIECES).map("".join))
def test_what_is_left_has_nothing_private(text: str) -> None:
    rest, passages = strip_private(text)

    assert strip_private(rest) == (rest, [])
    assert rest.count("…") == len(passages)


@pytest.mark.parametrize("text", ["<private>" * 50_000, "<" + " " * 400_000, "< " * 200_000, "<private " * 50_000])
def test_no_text_takes_long(text: str) -> None:
    with without_endless_work():
        rest, passages = strip_private(text)
    assert rest.count("…") == len(passages)


def test_a_memory_with_a_private_passage_is_refused_everywhere(store: Store) -> None:
    repository = Repository(store)
    repository.remember(Memory.of("Public."), "a.b")
    before = store.head().stored_root
    memory = Memory.of("Public. <private>Mine.</private>")
    of_metadata = Memory.of("Public.", metadata={"notes": [{"more": "<private>Mine."}]})
    of_name = Memory.of("Public.", metadata={"<private>Mine.</private>": 1})
    line = json.dumps({"path": "a.c", "content": memory.content}).encode()

    for options in (WriteOptions(), WriteOptions(allow_secrets=True)):
        for each in (memory, of_metadata, of_name):
            with pytest.raises(InvalidInput, match="never stored"):
                repository.remember(each, "a.c", options=options)
            with pytest.raises(InvalidInput, match="never stored"):
                repository.remember(each, options=options)
        with pytest.raises(InvalidInput, match="never stored"):
            repository.edit("a.b", lambda record: [memory], options=options)
        with pytest.raises(InvalidInput) as error:
            repository.import_lines([line], options=options)
        assert "never stored" in error.value.details["lines"][0]["message"]
    assert store.head().stored_root == before
