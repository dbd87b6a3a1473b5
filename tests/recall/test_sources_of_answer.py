"""The insights, captions and items linked to an answer's memories, as a user of the library sees them."""

import pytest
from support import built_once
from written_insights import write_insights

from memoir import Memory, Repository
from memoir.recall.answer import RecallAnswer

TALK = """\
Ada: We always deploy Apollo on Fridays with the blue pipeline.
Ben: Good to know, and who watches the deploy of Apollo?
"""


@built_once
def full_store(repository: Repository) -> None:
    """Memories of a talk and beside it, and their insights."""
    repository.sources.ingest_text(TALK, name="talk")
    repository.remember(Memory.of("The deploy of Apollo takes an hour."), "project.apollo.hour")
    repository.remember(Memory.of("We deploy Apollo by hand if the pipeline is red."), "project.apollo.hand")
    write_insights(repository)


def ask(repository: Repository, **fields: object) -> RecallAnswer:
    return repository.recall("How do we deploy Apollo?", **{"layers": True, **fields})  # type: ignore[arg-type]


def test_without_layers_an_answer_has_neither_insights_nor_captions(full_store: Repository) -> None:
    answer = ask(full_store, layers=False)

    assert (answer.layered, answer.insights, answer.raw_data) == (False, (), ())
    assert {memory.layer for memory in answer.memories} == {None, "raw"}


@pytest.mark.parametrize("fields", [{}, {"mode": "deep", "layers": False}])
def test_insights_and_captions_come_with_layers_and_in_the_mode_deep(
    full_store: Repository, fields: dict[str, object]
) -> None:
    answer = ask(full_store, **fields)

    assert {each.address.namespace for each in answer.insights} == {"default:insights"}
    assert all("Apollo" in each.content and not each.stale and each.sources for each in answer.insights)
    (caption,) = answer.raw_data
    assert (caption.address.full_key, bool(caption.text)) == ("default:raw:sources.talk.0001", True)
    assert set(caption.items) <= {memory.path for memory in answer.memories}
    assert {memory.namespace for memory in answer.memories} == {"default", "default:raw"}


def test_an_insight_whose_source_is_gone_says_that_it_is_stale(full_store: Repository) -> None:
    full_store.forget("project.apollo.hour")

    assert any(each.stale for each in ask(full_store).insights)


def test_the_settings_limit_each_part(full_store: Repository) -> None:
    full_store.config.set("memoir.recall.insights", "1")
    full_store.config.set("memoir.recall.rawData", "0")

    answer = ask(full_store)

    assert (len(answer.insights), answer.raw_data) == (1, ())


def test_the_parts_share_the_characters_and_memories_come_first(full_store: Repository) -> None:
    whole = ask(full_store)
    first = sum(len(memory.content) for memory in whole.memories)

    answer = ask(full_store, max_chars=first + len(whole.insights[0].content))

    assert [memory.path for memory in answer.memories] == [memory.path for memory in whole.memories]
    assert answer.insights == whole.insights[:1]
    assert answer.raw_data == ()
    assert answer.omitted == len(whole.insights) - 1 + len(whole.raw_data)


def test_a_namespace_keeps_to_its_own_layers(full_store: Repository) -> None:
    full_store.remember(Memory.of("Apollo is a god."), "user:bob:topics.gods.apollo")

    answer = ask(full_store, namespace="user:bob")

    assert [memory.path for memory in answer.memories] == ["topics.gods.apollo"]
    assert (answer.insights, answer.raw_data) == ((), ())
