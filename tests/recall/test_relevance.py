"""Recall for prompts that did not ask memoir: silent, unless a memory is relevant."""

import pytest
from support import built_once

from memoir import Memory, Repository

FACTS = {
    "system.servers.staging": "The staging server is db-2.example, behind the VPN.",
    "preferences.coding.testing": "Use pytest with plain asserts, not unittest.",
    "workflow.release.signing": "Releases are signed with the key of the build machine.",
    "debugging.ci.timeouts": "CI runs out of time when the browser cache is cold.",
}


@built_once
def full_store(repository: Repository) -> None:
    for path, content in FACTS.items():
        repository.remember(Memory.of(content), path)


def relevant(repository: Repository, prompt: str) -> list[str]:
    return [each.path for each in repository.agents.relevant(prompt, seconds=5)]


@pytest.mark.parametrize("prompt", ["", " \n"])
def test_a_blank_prompt_finds_nothing(prompt: str, full_store: Repository) -> None:
    assert relevant(full_store, prompt) == []


@pytest.mark.parametrize(
    ("prompt", "path"),
    [
        ("deploy this branch to the staging server and tell me its address", "system.servers.staging"),
        ("add unittest or pytest cases for the cart, with plain asserts", "preferences.coding.testing"),
        ("CI timeouts again, was the browser cache cold?", "debugging.ci.timeouts"),
    ],
)
@pytest.mark.parametrize("provider", ["static", "http"])
def test_what_has_to_do_with_a_prompt_is_found_with_and_without_vectors(
    full_store: Repository, monkeypatch: pytest.MonkeyPatch, prompt: str, path: str, provider: str
) -> None:
    """An http embedder is never asked: there is no server in this test."""
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", provider)

    assert relevant(full_store, prompt)[:1] == [path]


@pytest.mark.parametrize(
    "prompt",
    [
        "how do I center a div", "rename the variable foo", "translate the readme to German", "the the of and",
        "x" * 5_000, "release the lock in the worker thread", "!?", "日本語で答えてください",
    ],
)  # fmt: skip
def test_what_has_nothing_to_do_with_the_memories_is_answered_with_none(full_store: Repository, prompt: str) -> None:
    assert relevant(full_store, prompt) == []


def test_an_empty_store_has_nothing_relevant(repository: Repository) -> None:
    assert relevant(repository, "deploy to the staging server") == []


@pytest.mark.slow
def test_indexing_ends_in_time_and_goes_on_with_the_next_prompt(repository: Repository) -> None:
    lines = (b'{"path": "facts.n%d", "content": "Number %d is a number."}' % (n, n) for n in range(1_100))
    repository.import_lines([*lines, b'{"path": "a.b", "content": "The staging server is db-2."}'])
    batches = [repository.agents.relevant("the staging server db-2", seconds=0) for _ in range(5)]

    assert not batches[0] and batches[-1]
