"""Measuring how well recall finds the expected memories."""

import json
from typing import Any

import pytest
from support import built_once

from memoir import Memory, Repository
from memoir.errors import InvalidInput
from memoir.recall.evaluate import Evaluation

FACTS = {
    "ops.database": "PostgreSQL 16 runs in production",
    "ops.deploy": "Deployments go out on Thursdays",
    "team.lunch": "The team eats at noon",
}


@built_once
def facts(repository: Repository) -> None:
    for key, text in FACTS.items():
        repository.remember(text, key)


def evaluate(repository: Repository, *questions: tuple[str, list[str]], **fields: Any) -> Evaluation:
    lines = [json.dumps({"query": query, "expected": expected}).encode() for query, expected in questions]
    return repository.evaluate(lines, **{"modes": ["simple"], **fields})


def test_what_comes_first_scores_1_everywhere(facts: Repository) -> None:
    (score,) = evaluate(facts, ("PostgreSQL in production", ["ops.database"])).scores

    assert (score.at_1, score.at_5, score.at_10, score.mrr, score.evidence) == (1, 1, 1, 1, 1)
    assert (score.mode, score.embedder) == ("simple", "static-1")


def test_what_comes_second_scores_half_a_rank(facts: Repository) -> None:
    (score,) = evaluate(facts, ("PostgreSQL in production", ["ops.deploy", "team.lunch"])).scores

    assert score.at_1 == 0
    assert score.mrr == 0.5
    assert score.at_5 == 1


def test_means_are_of_all_questions(facts: Repository) -> None:
    found = evaluate(
        facts, ("PostgreSQL in production", ["ops.database"]), ("PostgreSQL in production", ["a.none", "b.none"])
    )

    assert found.scores[0].at_1 == 0.5
    assert found.missing == ("default:a.none", "default:b.none")


def test_evidence_has_to_fit_into_the_budget(facts: Repository) -> None:
    question = ("PostgreSQL in production", ["ops.database"])

    assert evaluate(facts, question, budget=16).scores[0].evidence == 1
    assert evaluate(facts, question, budget=15).scores[0].evidence == 0
    assert evaluate(facts, question, budget=8).scores[0].evidence == 0


def test_one_of_several_memories_is_named_by_its_id(repository: Repository) -> None:
    repository.remember(Memory.of("We met in Rome"), "experience.trips")
    repository.remember(Memory.of("We sailed to Malta"), "experience.trips")
    (entry,) = repository.get_many(["experience.trips"])
    assert entry.record
    from memoir.memory.facets import ids_of

    rome, malta = (f"experience.trips#{identity}" for identity in ids_of(entry.record))

    assert evaluate(repository, ("who sailed to Malta?", [malta])).scores[0].at_1 == 1
    assert evaluate(repository, ("who sailed to Malta?", [rome])).scores[0].at_1 == 0


def test_the_best_is_the_one_that_finds_most(facts: Repository) -> None:
    found = evaluate(
        facts, ("PostgreSQL in production", ["ops.database"]), modes=["simple", "deep"], embedders=["static", "hash"]
    )

    assert [(each.mode, each.embedder) for each in found.scores][:3:2] == [("simple", "static-1"), ("simple", "hash-1")]
    assert found.best in found.scores
    assert found.best.at_5 == max(each.at_5 for each in found.scores)


def test_lines_to_fill_in_are_the_same_each_time_and_count_as_blank(facts: Repository) -> None:
    lines = list(facts.questions_to_fill(2))

    assert lines == list(facts.questions_to_fill(2))
    assert all(json.loads(line)["expected"][0].removeprefix("default:") in FACTS for line in lines)
    with pytest.raises(InvalidInput, match="no question"):
        facts.evaluate(lines)
    filled = json.dumps({**json.loads(lines[0]), "query": "what runs?"}).encode()
    assert (facts.evaluate([filled, lines[1]]).questions, facts.evaluate([filled, lines[1]]).blank) == (1, 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"no json", "line 1 is not JSON"), (b"[]", "line 1 has no query"), (b'{"query": 7}', "line 1 has no query"),
        (b'{"query": "x"}', "names no memories"), (b'{"query": "x", "expected": []}', "names no memories"),
        (b'{"query": "x", "expected": ["a..b"]}', "line 1: "), (b'{"query": "x", "expected": "a.b"}', "names no mem"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_named(facts: Repository, line: bytes, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        facts.evaluate([line])


def test_modes_that_need_a_model_are_refused(facts: Repository) -> None:
    with pytest.raises(InvalidInput, match="mode"):
        evaluate(facts, ("x", ["a.b"]), modes=["tiered"])
