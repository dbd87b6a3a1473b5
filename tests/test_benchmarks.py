"""The measures that benchmarks count with: what makes a turn or a passage found."""

import pytest

from benchmarks import documents
from benchmarks.evidence_score import Evidence, within
from benchmarks.evidence_sets import Conversation, Turn

LONG = "I moved to Lisbon in the spring of last year, because of the light there."
TURNS = {
    "move": Turn(
        "move", "Ada", f"Yes! {LONG}\nAnd you, are you still where you have always been?", "2024-03-15", "one"
    ),
    "city": Turn("city", "Ben", "Oslo", "2024-03-15", "one"),
    "thanks": Turn("thanks", "Ben", "Great, thanks", "2024-03-15", "one"),
    "echo": Turn("echo", "Ada", "And you, are you still where you have always been?", "2024-03-16", "two"),
    "code": Turn("code", "Ada", "```\nprint(1)\n```", "2024-03-16", "two"),
}


def found(turn: str, *printed: str, loose: bool = False) -> bool:
    evidence = Evidence(Conversation("talk", tuple(TURNS.values()), ()), loose=loose)
    return bool(evidence.found(frozenset([turn]), printed))


@pytest.mark.parametrize(
    ("turn", "printed"),
    [
        ("move", f"Ada (2024-03-15): Yes! {LONG}"),
        ("move", f"Ada (2024-03-15): {LONG}"),
        ("move", "Ada: I moved to Lisbon in the spring of last year, because"),
        ("move", "Ada: I moved   to Lisbon in the spring\nof last year, because of the light there."),
        ("city", "Ben (2024-03-15): Oslo\nGreat, thanks"),
        ("thanks", "Ben (2024-03-15): Oslo Great, thanks"),
    ],
)
def test_a_turn_is_found_by_a_part_of_it_with_a_header_or_beside_other_turns(turn: str, printed: str) -> None:
    assert found(turn, printed)


@pytest.mark.parametrize(
    ("turn", "printed"),
    [
        ("move", "Ada (2024-03-15): I moved to Lisbon"),
        ("move", "Ada (2024-03-16): And you, are you still where you have always been?"),
        ("city", "Ben: Oslonian"),
        ("code", "```\nprint(2)\n```"),
    ],
)
def test_a_turn_is_not_found_by_a_few_words_or_by_what_others_say_too(turn: str, printed: str) -> None:
    assert not found(turn, printed)


def test_loosely_a_line_that_others_say_too_counts() -> None:
    assert found("move", "Ada (2024-03-16): And you, are you still where you have always been?", loose=True)


def test_a_budget_cuts_the_content_that_passes_it_and_prints_nothing_after_it() -> None:
    assert within(["a" * 400, "b" * 400, "c"], 8 + 100 + 8 + 4) == ["a" * 400, "b" * 16]
    assert within(["a" * 400, "b"], 8) == []


def test_every_question_about_the_documents_of_this_project_has_its_passage_there() -> None:
    files = documents.bodies(None)["memoir"]
    assert len([*documents.questions("memoir", files)]) == 24


def test_a_passage_counts_with_or_without_its_marks() -> None:
    question = documents.Question(
        "memoir", "docs/security.md", "hooks?", documents.plain("`hook.*.command`, files in `hooks/`")
    )
    assert documents.answered(
        question, ["| run a hook | `core.hooksPath`, `hook.*.command`, files in `hooks/` | refused |"]
    )
    assert not documents.answered(question, ["files in other folders"])
