"""The vector of a short question is turned towards those of the facts that answer such questions."""

import json
from array import array
from math import hypot
from operator import mul

import fit_short_questions
import pytest
from filing_facts import SHORT

from memoir import Repository
from memoir.embedders.embedder import MINILM_DIMENSION, Vector
from memoir.embedders.minilm import MiniLm
from memoir.embedders.static import StaticEmbedder
from memoir.english.lexicon.own_words import NONE
from memoir.english.lexicon.spotting import with_classes
from memoir.index.vectors import unit
from memoir.recall import towards_answers
from memoir.recall.towards_answers import CONSTANT, DIGEST_BYTES, FILE, QuestionMap, question_map, turn

PLAIN = unit(array("f", range(1, MINILM_DIMENSION + 1)))


def test_a_short_question_is_turned_and_keeps_its_length() -> None:
    vector = turn(PLAIN, "who looks after the boiler when it leaks again?")

    assert vector != PLAIN
    assert hypot(*vector) == pytest.approx(1)


def test_a_question_of_ten_words_stays_as_it_is() -> None:
    assert turn(PLAIN, "and who looks after the boiler when it leaks again?") == PLAIN


@pytest.mark.parametrize(
    ("is_minilm", "sources", "asked"), [(True, "no", ["our zebra"]), (True, "yes", []), (False, "no", [])]
)
def test_only_minilm_turns_and_no_question_where_sources_are_searched(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, is_minilm: bool, sources: str, asked: list[str]
) -> None:
    def note(vector: Vector, question: str) -> Vector:
        questions.append(question)
        return vector

    questions = list[str]()
    repository.sources.ingest_text("Ada: My zebra finch sings.", name="talk")
    monkeypatch.setattr(StaticEmbedder, "is_minilm", is_minilm)
    monkeypatch.setattr(towards_answers, "turn", note)
    repository.recall("our zebra", mode="simple", sources=sources)

    assert questions == asked


def test_no_question_that_names_a_person_of_the_store_is_turned(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(vector: Vector, question: str) -> Vector:
        questions.append(question)
        return vector

    questions = list[str]()
    line = {"path": "talk.birds", "content": "I feed the zebra finch.", "metadata": {"person": "Ada"}}
    repository.import_lines([json.dumps(line).encode()])
    monkeypatch.setattr(StaticEmbedder, "is_minilm", True)
    monkeypatch.setattr(towards_answers, "turn", note)
    for question in ("what does Ada feed?", "what does Ben feed?"):
        repository.recall(question, mode="simple")

    assert questions == ["what does Ben feed?"]


def test_a_map_adds_what_a_vector_has_of_each_feature_times_its_scale() -> None:
    of_first_number, of_constant = array("b", [2, 0, 0]), array("b", [0, 0, 4])
    to_second, to_both = array("b", [0, 1]), array("b", [3, 1])
    rows = [array("b", pair) for pair in zip(to_second, to_both, strict=True)]

    vector = QuestionMap(array("f", [0.5, 1]), [of_first_number, of_constant], rows).turn(array("f", [1, 0]))

    feature, constant = 0.5 * 2, 1 * 4 * CONSTANT
    assert list(vector) == pytest.approx(list(unit(array("f", [1 + 3 * constant, feature + constant]))))


def test_the_map_that_is_shipped_has_a_row_for_each_number_of_a_vector() -> None:
    scales, features, additions = question_map()

    assert {len(row) for row in features} == {MINILM_DIMENSION + 1}
    assert [len(row) for row in additions] == [len(scales)] * MINILM_DIMENSION == [len(features)] * MINILM_DIMENSION


def test_the_map_is_fitted_to_the_questions_of_today() -> None:
    assert FILE.read_bytes()[:DIGEST_BYTES] == fit_short_questions.digest(), "run scripts/fit_short_questions.py"


@pytest.mark.slow
def test_more_questions_of_a_world_that_nothing_is_fitted_to_have_their_fact_first() -> None:
    def lines(what: str) -> list[dict[str, str]]:
        return [json.loads(line) for line in (SHORT / f"rental.{what}.jsonl").open()]

    def nearest(vector: Vector) -> str:
        return max(facts, key=lambda key: sum(map(mul, vector, facts[key])))

    minilm = MiniLm()
    facts = {fact["key"]: unit(minilm.embed([with_classes(fact["content"], NONE)])[0]) for fact in lines("facts")}
    asked = [(question, unit(minilm.embed([question["question"]])[0])) for question in lines("questions")]
    plain = sum(nearest(vector) in question["evidence"] for question, vector in asked)
    after = sum(nearest(question_map().turn(vector)) in question["evidence"] for question, vector in asked)

    assert "rental" in fit_short_questions.JUDGES
    assert after > plain
