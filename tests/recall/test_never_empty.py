"""An answer has the nearest memories, even weak ones, unless it is strict."""

from typing import Any

import pytest
from support import Memoir, built_once

from memoir import Memory, Repository
from memoir.recall.ranking import FEWEST
from memoir.recall.relevance import fits

FACTS = ["Crates are stacked by hand.", "Barges are painted red.", "Ferries are never late.", "Quays are swept.",
         "Cranes are oiled.", "Lanterns are lit.", "Nets are mended."]  # fmt: skip


@built_once
def harbour(repository: Repository) -> None:
    """Seven memories unrelated to the questions of these tests."""
    for number, fact in enumerate(FACTS):
        repository.remember(Memory.of(fact), f"harbour.fact_{number}x")


def paths(repository: Repository, question: str = "xylophone", **fields: Any) -> list[str]:
    return [each.path for each in repository.recall(question, **fields).memories]


@pytest.mark.parametrize("mode", ["simple", "deep", "agent"])
def test_the_nearest_five_come_whatever_they_are_worth(harbour: Repository, mode: str) -> None:
    assert len(paths(harbour, mode=mode)) == FEWEST
    assert paths(harbour, mode=mode, strict=True) == []


def test_a_limit_is_kept_and_filled(harbour: Repository) -> None:
    assert len(paths(harbour, limit=2)) == 2
    assert len(paths(harbour, limit=7)) == 7


def test_a_filter_holds(harbour: Repository) -> None:
    harbour.remember(Memory.of("Gulls are fed."), "birds.gull", namespace="user")

    assert paths(harbour, namespace="user") == ["birds.gull"]
    assert paths(harbour, keys="harbour.fact_1x") == ["harbour.fact_1x"]
    assert paths(harbour, keys="nothing.*") == []


def test_what_a_boost_of_0_or_a_threshold_keeps_out_stays_out(harbour: Repository) -> None:
    assert paths(harbour, boost="harbour.*=0") == []
    assert paths(harbour, threshold=0.99) == []


def test_what_has_evidence_comes_before_what_has_none(harbour: Repository) -> None:
    found = paths(harbour, "who paints barges?")

    assert found[0] == "harbour.fact_1x" and len(found) == FEWEST
    assert paths(harbour, "who paints barges?", strict=True)[0] == "harbour.fact_1x"


@pytest.mark.parametrize("mode", ["deep", "agent"])
def test_no_name_in_what_has_no_evidence_is_followed(repository: Repository, mode: str) -> None:
    for number, fact in enumerate(("Zeus runs on Helm.", "Helm needs Atlas.", "Atlas was Zeus before.")):
        repository.remember(Memory.of(fact), f"system.fact_{number}x")
    fields: dict[str, Any] = {"mode": mode, **({"strategy": "chain"} if mode == "agent" else {})}

    found = repository.recall("xylophone", **fields)

    assert len(found.memories) == 3 and all("lead" not in each.ranking for each in found.memories)


@pytest.mark.parametrize("strict", [True, False])
def test_a_list_has_its_own_measure(harbour: Repository, strict: bool) -> None:
    assert paths(harbour, gather=True, strict=strict) == []


def test_explain_gives_the_place_in_the_answer(harbour: Repository) -> None:
    found = paths(harbour, mode="simple")

    ranks = [memory.rank for path in found for memory in harbour.explain("xylophone", path).memories]
    (strictly,) = harbour.explain("xylophone", found[0], strict=True).memories

    assert (ranks, strictly.rank) == ([1, 2, 3, 4, 5], None)


def test_people_are_told_that_nothing_fits_and_the_status_is_the_same(memoir: Memoir) -> None:
    memoir.remember("harbour.barges", FACTS[1])

    nearest, strict = memoir.run("recall", "xylophone"), memoir.run("recall", "xylophone", "--strict")

    assert (nearest.status, strict.status) == (0, 0)
    assert FACTS[1] in nearest.out and "nothing fits well; the nearest:" in nearest.err
    assert strict.out == "" and "nothing found" in strict.err and "nothing fits well" not in strict.err
    for mode in ("simple", "deep", "agent"):
        assert memoir.json("recall", "xylophone", "--mode", mode)["metadata"]["weak"] is True
        assert "weak" not in memoir.json("recall", "what do the barges carry?", "--mode", mode)["metadata"]
    assert "weak" not in memoir.json("recall", "xylophone", "--strict")["metadata"]


def test_a_store_that_holds_nothing_has_no_answer(memoir: Memoir) -> None:
    done = memoir.run("recall", "xylophone")

    assert done == (0, "", "nothing found: the store is empty; 'memoir remember TEXT' stores something\n")


def test_what_is_only_spelt_alike_does_not_fit(repository: Repository) -> None:
    repository.remember(Memory.of("Yay!"), "talk.cheers")
    repository.remember(Memory.of("The children are at school."), "talk.children")

    nonsense, known = (repository.recall(text, mode="simple") for text in ("xyzzy", "kids"))

    assert (nonsense.memories[0].ranking["cosine"] or 0) > 0.7
    assert (fits(nonsense), fits(known)) == (False, True)


TALK = ["Jon opened a dance studio in the old mill.", "Gina bought a violin for her niece.", "The fence is old.",
        "Jon forgot the grocery order.", "The lessons are cheap.", "The neighbours repaired the fence."]  # fmt: skip


def test_words_of_a_question_that_no_memory_has_together_do_not_fit(repository: Repository) -> None:
    for number, text in enumerate(TALK):
        repository.remember(Memory.of(text), f"talk.line_{number}x")

    scattered, together = (
        repository.recall(text, mode="simple")
        for text in ("Did the neighbours order a violin for the mill?", "Who bought a violin for a niece?")
    )

    assert (fits(scattered), fits(together)) == (False, True)


@pytest.mark.parametrize(("question", "fit"), [("illumination", True), ("boxes", True), ("piling up boxes", False)])
def test_a_hit_fits_rather_if_it_is_nearer_than_the_others(harbour: Repository, question: str, fit: bool) -> None:
    assert fits(harbour.recall(question, mode="simple")) == fit


@pytest.mark.parametrize(
    ("question", "fit"),
    [
        ("what is due in March 2027?", True),
        ("what is due in May 2027?", False),
        ("who won the football cup in March 2027?", False),
    ],
)
def test_a_hit_that_gives_a_date_of_the_time_fits_a_question_for_hardly_more(
    harbour: Repository, question: str, fit: bool
) -> None:
    harbour.remember(Memory.of("The lease of the quay ends on 12.03.2027"), "harbour.lease")

    assert fits(harbour.recall(question)) == fit


@pytest.mark.parametrize(("question", "fit"), [("???", False), ("in May", True)])
def test_marks_alone_ask_for_nothing(harbour: Repository, question: str, fit: bool) -> None:
    """An embedder that reads letter by letter finds something near to them, too."""
    answer = harbour.recall("xylophone", mode="simple")
    assert answer.ranking and answer.ranking.clues.words
    clues = answer.ranking.clues._replace(words=answer.ranking.clues.words._replace(terms=(), absent=()))
    query = answer.ranking.query._replace(text=question)

    assert fits(answer._replace(ranking=answer.ranking._replace(clues=clues, query=query))) == fit
