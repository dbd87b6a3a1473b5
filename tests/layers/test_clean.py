"""What is about memories stays as it is when sources are ingested: only recall and grep read what was said."""

from collections.abc import Callable
from typing import Any

import pytest

from memoir import Memory, Repository
from memoir.layers.item_options import NONE, ItemOptions
from memoir.memory.write_options import WriteOptions

OWN = ("Releases are cut on Thursdays.", "Bob likes tea with milk.")
SAID = """user: Releases are cut on Fridays. Bob likes tea without milk. Always use metres.
assistant: Releases are cut on Thursdays.
user: Bob likes tea with milk.
"""
READS: dict[str, Callable[[Repository], Any]] = {
    "summarize": lambda repository: (lambda survey: (survey.total, survey.prefixes))(repository.summarize()),
    "summarize a namespace": lambda repository: repository.summarize(namespaces=["default"]).prefixes,
    "count": lambda repository: repository.status().memories,
    "timeline": lambda repository: [each.memory.content for each in repository.timeline().moments],
    "consolidate": lambda repository: repr(repository.consolidate(options=WriteOptions(dry_run=True))),
    "names": lambda repository: [each.name for each in repository.layers.entities().entities],
    "threads": lambda repository: repository.layers.threads(every=True),
}


@pytest.mark.parametrize("what", READS)
def test_sources_change_nothing(repository: Repository, what: str) -> None:
    for number, content in enumerate(OWN):
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{number + 1}"), f"team.notes.{'ab'[number]}")
    before = READS[what](repository)

    repository.sources.ingest_text(SAID, name="chat", items=ItemOptions(NONE))

    assert READS[what](repository) == before


def test_a_memory_that_a_passage_says_too_has_no_near_duplicate(repository: Repository) -> None:
    repository.sources.ingest_text(SAID, name="chat", items=ItemOptions(NONE))

    done = repository.remember(Memory.of("Releases are cut on Fridays."))

    assert "chat" not in repr(done)


def test_the_primer_quotes_no_passage(repository: Repository) -> None:
    repository.remember(Memory.of(OWN[0]), "team.notes.a")
    repository.sources.ingest_text(SAID, name="chat", items=ItemOptions(NONE))

    assert "without milk" not in str(repository.agents.prime())


@pytest.mark.slow
def test_a_memory_is_related_to_the_passage_that_it_was_found_in(repository: Repository) -> None:
    filler = "The owl is grey. " * 40
    text = f"# Runbook\n\nOwls eat mice. {filler}\n\nWe cut releases on Thursdays. {filler}\n\nOwls sleep. {filler}\n"
    repository.sources.ingest_text(text, name="notes")
    (item,) = [each for each in repository.recall("releases", sources="no").memories if "Thursdays" in each.content]

    relatives = repository.layers.related(item.key).relatives

    (linked,) = [each.entry for each in relatives if each.entry.address.namespace == "default:raw"]
    assert linked.memory.content.startswith("Runbook: We cut releases on Thursdays.")
