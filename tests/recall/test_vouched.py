"""Recall by the origins of memories."""

from collections.abc import Sequence

import pytest
from support import built_once

from memoir.errors import InvalidInput
from memoir.records.record import Memory, encode
from memoir.repository.repository import Repository
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import address


@built_once
def tabs(repository: Repository) -> None:
    """A store with a memory of the same fact from each origin, and an item of a document."""
    for origin in ("agent", "capture", "user"):
        memory = Memory.of("Makefiles need tabs.", timestamp="2026-01-01")
        repository.by(origin).remember(memory, f"facts.by_{origin}")
    repository.import_lines(
        [b'{"path":"facts.by_import","content":"Makefiles need tabs.","timestamp":"2026-01-01"}'],
    )
    old = encode([Memory.of("Makefiles need tabs.", timestamp="2026-01-01")])
    write(repository.store, lambda head: Change([(address("facts.by_unknown").key, old)], "older"), reason="older")
    document = repository.path.with_name("make.md")
    document.write_text("# Decisions\n\nNever commit Makefiles without tabs to the main branch of git.\n")
    repository.sources.ingest(document)


def found(repository: Repository, *origins: str) -> list[str]:
    answer = repository.recall("makefiles tabs", origin=list(origins), limit=20)
    return [memory.path.rpartition(".")[2] for memory in answer.memories]


@pytest.mark.parametrize(
    ("origins", "paths"),
    [
        (["user"], ["by_user"]),
        (["unknown"], ["by_unknown"]),
        (["import", "agent"], ["by_agent", "by_import"]),
        (["unknown", "user"], ["by_user", "by_unknown"]),
    ],
    ids=str,
)
def test_only_what_somebody_vouches_for_is_found(tabs: Repository, origins: Sequence[str], paths: list[str]) -> None:
    assert found(tabs, *origins) == paths


def test_of_a_document_its_items_are_found_and_no_passage(tabs: Repository) -> None:
    answer = tabs.recall("makefiles tabs", origin="document", limit=20)

    assert answer.memories and all(memory.layer is None for memory in answer.memories)


def test_of_equal_memories_the_one_comes_first_that_is_vouched_for_most(tabs: Repository) -> None:
    paths = [path for path in found(tabs) if path.startswith("by_")]

    assert paths == ["by_user", "by_capture", "by_agent", "by_unknown", "by_import"]


def test_a_word_that_is_no_origin_is_refused(tabs: Repository) -> None:
    with pytest.raises(InvalidInput, match="no origin named 'me'"):
        found(tabs, "me")
    with pytest.raises(InvalidInput, match="no origin named 'me'"):
        list(tabs.expiry_marks([]).addresses(origins=["me"]))


def test_a_list_can_be_cut_to_what_somebody_vouches_for(tabs: Repository) -> None:
    marks = tabs.expiry_marks(tabs.keys(namespaces=["default"], prefix="facts"))
    assert [place.path for place in marks.addresses(origins=["user", "unknown"])] == [
        "facts.by_unknown",
        "facts.by_user",
    ]


def test_explain_says_why_a_memory_is_left_out(tabs: Repository) -> None:
    explanation = tabs.explain("makefiles tabs", "facts.by_agent", origin="user")

    assert "its origin is not user" in str(explanation)


@pytest.mark.slow
def test_a_prompt_is_told_of_nothing_that_has_expired(repository: Repository) -> None:
    prompt = "when does the staging deployment key rotate?"
    for number in range(30):
        repository.remember(f"Unrelated fact number {number} about gardens.", f"facts.n{number}")
    repository.remember("The staging deployment key rotates every Tuesday night.", "workflow.staging")
    assert [each.path for each in repository.agents.relevant(prompt)] == ["workflow.staging"]

    repository.annotate("workflow.staging", expires="2020-01-01")
    assert repository.agents.relevant(prompt) == []
