"""People in a query: found by any part of their names, and memories about them come first."""

import pytest
from index.indexing import MemoryStore, find, hash_embedder, memory, ranking

from memoir.recall.clues import find_people

CONTENTS = {
    "a": [memory("plays the cello", person="Melanie")],
    "b": [memory("wrote a program", person="Ada Lovelace")],
    "c": [memory("sails boats", person=["Grace Hopper", "Ada Lovelace"])],
    "d": [memory("Melanie plays with the dog", person="Bo")],
    "user:e": [memory("cooks", person="Zoë")],
}


def _people_and_rest(store: MemoryStore, query: str, *namespaces: str) -> tuple[frozenset[str], str]:
    return store.index().read(store.snapshot(CONTENTS), lambda view: find_people(view, query, namespaces))


@pytest.mark.parametrize(
    ("query", "people", "rest"),
    [
        ("What does Melanie play?", {"melanie"}, "What does play?"),
        ("what does melanie play", {"melanie"}, "what does play"),
        ("What does Mel play?", {"melanie"}, "What does play?"),
        ("a mel of sound", set(), "a mel of sound"),
        ("Me too", set(), "Me too"),
        ("Ada's program", {"ada lovelace"}, "program"),
        ("Ada’s program", {"ada lovelace"}, "program"),
        ("who is Lovelace?", {"ada lovelace"}, "who is"),
        ("Grace and (Ada)!", {"grace hopper", "ada lovelace"}, "and"),
        ("ZOË", {"zoë"}, ""),
        ("Nobody's program", set(), "Nobody's program"),
        ("", set(), ""),
    ],
)
def test_names_are_found_in_a_query(memories: MemoryStore, query: str, people: set[str], rest: str) -> None:
    assert _people_and_rest(memories, query) == (frozenset(people), rest)


def test_people_of_other_namespaces_do_not_match(memories: MemoryStore) -> None:
    assert _people_and_rest(memories, "Zoë", "default") == (frozenset(), "Zoë")
    assert _people_and_rest(memories, "Zoë", "default", "user")[0] == {"zoë"}


def test_a_person_without_active_memories_does_not_match(memories: MemoryStore) -> None:
    index = memories.index()
    for contents, people in ((CONTENTS, {"bo"}), (CONTENTS | {"d": []}, set()), (CONTENTS, {"bo"})):
        snapshot = memories.snapshot(contents)
        assert index.read(snapshot, lambda view: find_people(view, "Bo", ()))[0] == people


def test_memories_about_a_person_come_before_those_that_mention_them(memories: MemoryStore) -> None:
    candidates = ranking(memories.index(hash_embedder()), memories.snapshot(CONTENTS), "What does Mel play?").candidates

    assert [c.document.address.path for c in candidates[:2]] == ["a", "d"]
    assert candidates[0].numbers()["person"] == pytest.approx(0.3)
    assert candidates[1].numbers()["person"] == 0
    assert candidates[0].score == pytest.approx(candidates[0].base.fused + 0.3)


def test_the_boost_of_people_is_a_setting(memories: MemoryStore) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)

    (most, *_) = ranking(index, snapshot, "Melanie plays", {"weights": {"person": 2.0}}).candidates
    none = ranking(index, snapshot, "Melanie plays", {"weights": {"person": 0.0}}).candidates

    assert most.numbers()["person"] == 2.0
    assert {candidate.numbers()["person"] for candidate in none} == {0.0}


def test_a_name_alone_finds_its_person(memories: MemoryStore) -> None:
    assert set(find(memories.index(), memories.snapshot(CONTENTS), "Ada")) == {"default:b", "default:c"}
    assert find(memories.index(), memories.snapshot(CONTENTS), "Grace?") == ["default:c"]


def test_only_memories_about_a_person_pass_the_filter(memories: MemoryStore) -> None:
    assert find(memories.index(hash_embedder()), memories.snapshot(CONTENTS), "plays", person="melanie") == [
        "default:a"
    ]
    assert find(memories.index(hash_embedder()), memories.snapshot(CONTENTS), "plays", person="Mel") == []


def test_a_memory_that_only_its_text_tells_to_be_of_a_person_is_found_by_the_name(memories: MemoryStore) -> None:
    contents = {"talk": [memory("isn't it nice?", person="Emi Tanaka")], "job": [memory("Emi is a nurse")]}

    found = ranking(memories.index(hash_embedder()), memories.snapshot(contents), "What does Emi do for a living?")

    shares = {c.document.address.path: c.numbers()["person"] for c in found.candidates}
    assert shares == {"talk": pytest.approx(0.3), "job": pytest.approx(0.3)}
