"""Ranked recall without a model: the order depends only on the numbers that are shown."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from index.indexing import (
    Contents,
    How,
    MemoryStore,
    Stub,
    find,
    hash_embedder,
    memory,
    memory_store,
    name,
    ranking,
    traces,
)

from memoir.recall.query import Boost
from memoir.recall.ranking import RankedCandidate

PLAIN: How = {}

NOTES: Contents = {
    "coding.style": [memory("Prefer short functions and plain names", "2025-12-01T00:00:00Z")],
    "coding.testing": [memory("Tests run with pytest before every commit", "2026-01-01T03:04:05Z")],
    "food.lunch": [memory("Noodles at the corner place", occurred_at="2025-12-24")],
    "travel.lisbon": [memory("Took the tram in Lisbon", occurred_at="2023-06-10")],
    "travel.oslo": [memory("Saw the fjord near Oslo by tram", "2025-06-01T00:00:00Z")],
}


def _rank(query: str, settings: How = PLAIN, contents: Contents = NOTES, **options: Any) -> tuple[RankedCandidate, ...]:
    with memory_store() as store:
        index = store.index(hash_embedder())
        candidates = ranking(index, store.snapshot(contents), query, settings, **options).candidates
        index.close()
        return candidates


def _numbers(candidate: RankedCandidate) -> dict[str, float]:
    return {name: value or 0.0 for name, value in candidate.numbers().items()}


def _paths(candidates: Sequence[RankedCandidate]) -> list[str]:
    return [candidate.document.address.path for candidate in candidates]


def test_the_best_match_is_first_with_all_its_numbers() -> None:
    best, *_ = _rank("Which tests run before a commit?")

    assert best.document.address.path == "coding.testing"
    numbers = best.numbers()
    assert [numbers[name] for name in ("bm25_rank", "vector_rank", "recency", "boost")] == [1, 1, 1.0, 1.0]
    assert numbers["bm25"] and numbers["cosine"] and numbers["fused"] == pytest.approx(1.0)
    assert set(best.fields()) == {"bm25_rank", "vector_rank", "cosine", "concept_rank", "recency", "score"}


@pytest.mark.parametrize("fusion", ["blend", "rrf"])
def test_a_score_is_made_of_its_parts(fusion: str) -> None:
    boosts = (Boost("travel.*", 3.0),)

    for c in _rank("the tram in Lisbon in June 2023 or last week", {"fusion": fusion}, tau=30.0, boosts=boosts):
        n = _numbers(c)
        factors = n["recency"] * n["question"] * n["boost"]
        assert c.score == pytest.approx((n["fused"] + n["person"] + n["time"]) * factors)


def test_reciprocal_rank_scores_match_a_worked_example() -> None:
    candidates = _rank("tram run noodles", {"fusion": "rrf", "tau": 7.0})

    assert len(candidates) == 4
    for c in candidates:
        ranks = ((1, c.numbers()["bm25_rank"]), (1.25, c.numbers()["vector_rank"]))
        by_hand = sum(weight / (60 + rank) for weight, rank in ranks if rank)
        assert c.score == pytest.approx(by_hand * c.base.recency)
        assert c.score == max(other.score for other in candidates[candidates.index(c) :])


def test_a_memory_with_one_word_of_many_is_no_full_match() -> None:
    words = {"weights": {"vector": 0.0}}
    (full, *_), (poor, *_) = _rank("the tram in Lisbon", words), _rank("a tram for zebras or giraffes", words)

    assert full.base.fused == 1.0
    assert 0.3 < poor.base.fused < 0.6


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("zebra", "word"),
        ("zebra quick brown", "meaning"),
        ("zebra ccccccc hhhh quick brown brownie quu qiii qcc qkkk qbb qrrr qoo qwww", "word"),
    ],
)
def test_one_or_two_words_count_less_if_no_memory_has_the_others(memories: MemoryStore, query: str, best: str) -> None:
    contents: Contents = {
        "word": [memory("zebra bbbbbbbb ccccccc dddddd hhhh")],
        "meaning": [memory("nworbkciuq")],  # the letters of the second query
    }

    assert find(memories.index(Stub()), memories.snapshot(contents), query)[0] == f"default:{best}"


def test_the_only_memory_with_the_name_of_one_thing_leads_those_with_more_of_the_other_words() -> None:
    contents: Contents = {
        "build.old": [memory("The build still imports distutils, which Python 3.12 removed")],
        "build.guide": [memory("The Python packaging guide is our reference for the standard library's build tools")],
        "build.c": [
            memory("Packaging: Python modules are compiled with Cython, the compiler's flags are in setup.cfg")
        ],
    }

    first, *_ = _rank("how do we package Python modules without distutils in the standard library", contents=contents)

    assert first.document.address.path == "build.old"


def test_a_common_word_of_the_trade_is_no_name_though_one_memory_alone_has_it() -> None:
    contents: Contents = {
        "rust.merge": [memory("Rust forbids merge commits in pull requests: rebase instead")],
        "python.push": [memory("Somebody who looked at a Python pull request wants no force-push to it")],
    }

    first, *_ = _rank("May I rebase my Python pull request once somebody has looked at it?", contents=contents)

    assert first.document.address.path == "python.push"


@pytest.mark.parametrize(
    ("text", "factor"), [("When do zebras graze?", 0.4), ("The zebras of the zoo graze. When do they?", 0.9)]
)
def test_a_memory_that_asks_counts_less_above_all_one_that_only_asks(text: str, factor: float) -> None:
    both = {"asks": [memory(text)], "says": [memory("Zebras graze when it rains.")]}

    says, asks = _rank("When do zebras graze?", contents=both)

    assert (_paths([says, asks]), says.base.question, asks.base.question) == (["says", "asks"], 1.0, factor)


def test_a_memory_without_a_time_counts_a_little_less_where_the_query_asks_for_one() -> None:
    both = {"a": [memory("Ada went to Oslo by train with Bo")], "b": [memory("Ada went to Oslo by train in June")]}
    factors = {
        query: [each.base.question for each in sorted(_rank(query, contents=both), key=lambda each: each.document.id)]
        for query in ("When did Ada go to Oslo?", "Who went to Oslo?", "When did Ada go to Oslo in June?")
    }

    assert list(factors.values()) == [[0.95, 1.0], [1.0, 1.0], [1.0, 1.0]]
    assert _paths(_rank("When did Ada go to Oslo?", contents=both)) == ["b", "a"]
    without = {"weights": {"time": 0.0}}
    assert [each.base.question for each in _rank("When did Ada go to Oslo?", without, both)] == [1.0, 1.0]


def test_a_day_old_memory_counts_087_at_a_tau_of_seven_days() -> None:
    best, *_ = _rank("pytest", tau=7.0)

    assert best.base.recency == pytest.approx(0.8669, abs=1e-4)
    assert best.score == pytest.approx(best.base.recency)


def test_age_counts_only_with_decay() -> None:
    twins = {"old": [memory("zebra", "2020-01-01T00:00:00Z")], "young": [memory("zebra")]}

    assert _paths(_rank("zebra", contents=twins)) == ["old", "young"]
    assert _paths(_rank("zebra", {"tau": 7.0}, contents=twins)) == ["young", "old"]
    assert _paths(_rank("zebra", {"tau": 7.0}, contents=twins, tau=0.0)) == ["old", "young"]


def test_a_memory_from_the_future_does_not_decay() -> None:
    (only,) = _rank("zebra", contents={"a": [memory("zebra", "2030-01-01T00:00:00Z")]}, tau=7.0)

    assert only.base.recency == 1.0


def test_a_leg_of_weight_zero_is_switched_off() -> None:
    words = _rank("tram", {"weights": {"vector": 0.0}})
    vectors = _rank("trams and fjords", {"weights": {"bm25": 0.0}})

    assert set(_paths(words)) == {"travel.lisbon", "travel.oslo"}
    assert all(c.numbers()["vector_rank"] is None and c.numbers()["cosine"] is None for c in words)
    assert "travel.oslo" in _paths(vectors)
    assert all(c.numbers()["bm25_rank"] is None and c.numbers()["bm25"] is None for c in vectors)
    assert _rank("tram", {"weights": {"bm25": 0.0, "vector": 0.0}}) == ()


def test_boosts_reorder_and_a_boost_of_zero_removes() -> None:
    assert _paths(_rank("tram"))[0] == "travel.lisbon"
    assert _paths(_rank("tram", boosts=(Boost("*.oslo", 5.0),)))[0] == "travel.oslo"
    assert _paths(_rank("tram", boosts=(Boost("*.lisbon", 0.0),))) == ["travel.oslo"]


def test_a_library_caller_can_weigh_each_memory() -> None:
    calls: list[tuple[str, str, str]] = []

    def weigh(namespace: str, path: str, content: str) -> float:
        calls.append((namespace, path, content))
        return 5.0 if "fjord" in content else 1.0

    assert _paths(_rank("tram", boost_fn=weigh))[0] == "travel.oslo"
    assert ("default", "travel.lisbon", "Took the tram in Lisbon") in calls


def test_a_time_in_the_query_adds_and_never_excludes() -> None:
    """Not even when all that was found is of another time."""
    with_time, without = _rank("tram in June 2023"), _rank("tram")

    assert set(_paths(without)) <= set(_paths(with_time))
    by_path = {c.document.address.path: c for c in with_time}
    assert by_path["travel.lisbon"].numbers()["time"] == pytest.approx(0.3)
    assert by_path["travel.oslo"].numbers()["time"] == 0
    assert _paths(_rank("tram yesterday"))[:2] == _paths(without)


def test_a_time_alone_finds_what_happened_then() -> None:
    assert _paths(_rank("what happened at Christmas, on 24 December 2025?", {"weights": {"vector": 0.0}})) == [
        "food.lunch"
    ]


@pytest.mark.parametrize("query", ["job on 2023-03-04", "2023-03-04", "which job ran on 4 March 2023?"])
def test_a_memory_that_gives_the_date_is_of_that_time_whenever_it_was_learnt(query: str) -> None:
    """The words of a time leave the query, so that nothing led to a date that a memory gives in its text."""
    jobs = [(month, day) for month in range(1, 5) for day in range(1, 8)]
    contents = {
        f"log.m{month}d{day}": [memory(f"The job of 2023-{month:02}-{day:02} took {day} minutes")]
        for month, day in jobs
    }

    assert _paths(_rank(query, contents=contents))[0] == "log.m3d4"


@pytest.mark.parametrize("form", ["{day:02}.{month:02}.2023", "{month}/{day}/23", "{day} {name} 2023"])
def test_a_memory_that_gives_the_date_in_another_form_is_of_that_time(form: str) -> None:
    names = ("", "January", "February", "March", "April")
    contents = {
        f"log.m{month}d{day}": [memory(f"The job of {form.format(day=day, month=month, name=names[month])} was late")]
        for month in range(1, 5)
        for day in range(13, 28)
    }

    assert _paths(_rank("which job ran on 2023-03-14?", contents=contents))[0] == "log.m3d14"


def test_a_memory_that_gives_the_day_comes_before_one_that_was_only_learnt_then() -> None:
    contents = {
        "notes.given": [memory("The fair in Hanover opens on 2023-03-12, halls 4 to 7", "2023-01-02T10:00:00Z")],
        "notes.learnt": [memory("The fair opens", "2023-03-12T10:00:00Z")],
    }

    assert _paths(_rank("which fair opens on 12 March 2023?", contents=contents))[0] == "notes.given"
    assert _paths(_rank("which fair opens in spring?", contents=contents))[0] == "notes.learnt"


def test_in_a_log_the_entry_of_the_day_comes_first() -> None:
    """The other words of the question are in an entry of another day."""
    entries = {f"log.d{day}": [memory(f"2023-03-{day}: paid invoice {day * 7}")] for day in range(10, 31)}
    entries["log.d9"] = [memory("2023-03-09: what happened on call happened twice")]

    assert _paths(_rank("what happened on 14 March 2023?", contents=entries))[0] == "log.d14"


def test_a_date_late_in_a_long_memory_counts_as_one_at_its_beginning() -> None:
    """What says that a hit fits the question has read so far as well."""
    preamble = "Minutes of the harbour board, as they were taken down and agreed by everybody. " * 60
    contents = {
        f"minutes.m{day}": [memory(f"{preamble}The crane was inspected on {day} March 2023.")] for day in range(10, 31)
    }

    assert _paths(_rank("what happened on 14 March 2023?", contents=contents))[0] == "minutes.m14"


def test_the_share_of_a_time_is_a_setting() -> None:
    lisbon, *_ = _rank("tram in June 2023", {"weights": {"time": 2.0}})

    assert lisbon.numbers()["time"] == pytest.approx(2.0)
    assert {c.numbers()["time"] for c in _rank("tram in June 2023", {"weights": {"time": 0.0}})} == {0.0}


def test_relevance_says_how_good_the_best_is() -> None:
    good, fair, nonsense = (_rank(query) for query in ("tests run with pytest", "tests of boats", "qwxv zzkj"))

    assert good[0].relevance > 0.7
    assert good[0].relevance > fair[0].relevance
    assert all(c.relevance < 0.3 for c in nonsense)


def test_equal_memories_are_in_the_order_of_their_addresses() -> None:
    contents = {key: [memory("zebra")] for key in ("b", "user:a", "a", "B", "a.b")}

    candidates = _rank("zebra", {"weights": {"bm25": 0.0}}, contents)

    assert [c.document.address.full_key for c in candidates] == [
        *(f"default:{path}" for path in ("B", "a", "a.b", "b")), "user:a"
    ]  # fmt: skip


def test_the_pool_bounds_each_leg() -> None:
    contents = {name(number): [memory(f"zebra number {number}")] for number in range(30)}

    candidates = _rank("zebra", {"pool": 4}, contents)

    assert len(candidates) <= 8
    assert sorted(rank for c in candidates if (rank := c.numbers()["bm25_rank"])) == [1, 2, 3, 4]
    assert sorted(rank for c in candidates if (rank := c.numbers()["vector_rank"])) == [1, 2, 3, 4]
    assert all(c.numbers()["bm25"] is not None and c.numbers()["cosine"] is not None for c in candidates)


NAMES = ["zebra", "lion", "tram", "June", "2023", "Ada", "pytest", "noodles", "qq", "the", "yesterday"]
WORDS = st.lists(st.sampled_from(NAMES), min_size=1)
CONTENTS = st.dictionaries(
    st.sampled_from(["a", "b", "c.t1", "c.t2", "c.t3", "user:a"]),
    WORDS.map(lambda words: [memory(" ".join(words), person="Ada" if "Ada" in words else None)]),
)


@example({"a": [memory("zebra")]}, "lion yesterday", "blend", 0.0, False)  # the best cosine is below 0
@given(CONTENTS, WORDS.map(" ".join), st.sampled_from(["blend", "rrf"]), st.sampled_from([0.0, 7.0]), st.booleans())
def test_relevance_is_between_zero_and_one_and_falls_with_rank(
    contents: Contents, query: str, fusion: str, tau: float, learned: bool
) -> None:
    with memory_store() as store:
        index = store.index(Stub() if learned else hash_embedder())
        settings = {"fusion": fusion, "tau": tau}
        candidates = ranking(index, store.snapshot(contents), query, settings, boosts=(Boost("c.*", 7.0),)).candidates
        index.close()

    relevances = [c.relevance for c in candidates]
    assert relevances == sorted(relevances, reverse=True)
    assert all(0 <= relevance <= 1 for relevance in relevances)
    assert [c.score for c in candidates] == sorted((c.score for c in candidates), reverse=True)


@pytest.mark.slow
def test_relevance_is_comparable_between_stores(memories: MemoryStore) -> None:
    """What answers well among five memories answers well among a thousand."""
    others: Contents = {name(number): [memory(f"entry {number} of the ledger")] for number in range(1000)}

    few, many = _rank("fjord near Oslo"), _rank("fjord near Oslo", contents={**others, **NOTES})

    assert few[0].document == many[0].document._replace(id=few[0].document.id)
    assert few[0].relevance == pytest.approx(many[0].relevance, abs=0.25)


def test_the_same_question_has_the_same_answer(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(NOTES)

    assert traces(index, snapshot, "tram tests") == traces(memories.index(hash_embedder()), snapshot, "tram tests")
    assert find(index, snapshot, "tram") == ["default:travel.lisbon", "default:travel.oslo"]


def test_a_memory_that_one_leg_alone_finds_stands_beside_those_that_both_find(memories: MemoryStore) -> None:
    contents: Contents = {
        "both": [memory("the deployment of the tram service")],
        "words": [memory("tram " + "xyzzy plugh " * 20)],
        "vectors": [memory("redeployments, predeployed")],
    }
    result = ranking(memories.index(hash_embedder()), memories.snapshot(contents), "deployment of the tram service")

    legs = {each.document.address.path: each.numbers() for each in result.candidates}
    assert set(legs) == set(contents) and legs["vectors"]["bm25_rank"] is None


def test_the_words_of_a_question_need_not_stand_side_by_side(memories: MemoryStore) -> None:
    contents: Contents = {"a": [memory("the tram, said Ada, is late")], "b": [memory("nothing of that kind")]}

    assert find(memories.index(None), memories.snapshot(contents), "late tram Ada") == ["default:a"]
