"""An inventory and a model for the tests of pickers, and a stub of the API to end at."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from messages_api import MessagesApi

from memoir.errors import LlmUnavailable
from memoir.index.selection import SAMPLE_CHARACTERS
from memoir.llm import anthropic
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import MAX_TOKENS, Model, ModelReply, Prompt
from memoir.llm.usage import Usage
from memoir.recall.inventory import Inventory, InventoryEntry, prefix_of
from memoir.taxonomy.paths import Address, address

USAGE = Usage(1, 100, 10, 1000, 500)
Picker = Callable[[Inventory, str, ModelConversation], Sequence[Address]]


class PlainInventory(Inventory):
    """An inventory of the contents at each key (`path` or `namespace:path`).

    Without a model it knows only the keys in `best`, in that order.
    """

    def __init__(self, memories: Mapping[str, Sequence[str]], best: Sequence[str] = ()) -> None:
        places = {address(key): list(contents) for key, contents in memories.items()}
        self._memories = dict(sorted(places.items()))
        self._best = [address(key) for key in best]
        self.namespaces = sorted({place.namespace for place in self._memories})

    def prefixes(self, depth: int, under: Sequence[Address] = ()) -> dict[Address, int]:
        counts = Counter(prefix_of(place, depth) for place in self._memories if _below(place, under))
        return dict(sorted(counts.items()))

    def entries(self, under: Sequence[Address] = (), limit: int | None = None) -> list[InventoryEntry]:
        return self.describe([place for place in self._memories if _below(place, under)][:limit])

    def describe(self, paths: Sequence[Address]) -> list[InventoryEntry]:
        return [
            InventoryEntry(place, len(contents), contents[0][:SAMPLE_CHARACTERS])
            for place, contents in sorted(self._memories.items())
            if place in set(paths)
        ]

    def rank(self, under: Sequence[Address], limit: int, *, quickly: bool = False) -> list[Address]:
        return [place for place in self._best if _below(place, under)][:limit]


def _below(place: Address, under: Sequence[Address]) -> bool:
    return not under or any(prefix_of(place, prefix.path.count(".") + 1) == prefix for prefix in under)


class Answers:
    """A model that gives these answers in turn, and fails when there are no more."""

    name = "answers"

    def __init__(self, *answers: str) -> None:
        self.prompts: list[Prompt] = []
        self._answers = deque(answers)

    def preload(self) -> None:
        """There is nothing to prepare."""

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        self.prompts.append(prompt)
        if not self._answers:
            raise LlmUnavailable("nothing more to say")
        return ModelReply(self._answers.popleft(), USAGE)


class Picks(NamedTuple):
    """The picks in a conversation, and its record."""

    addresses: tuple[Address, ...]
    usage: Usage
    degraded: tuple[str, ...]
    timings: Mapping[str, float]
    prompts: Mapping[str, str]


def picks_of(pick: Picker, inventory: Inventory, query: str, model: Model) -> Picks:
    """Let a picker pick in a conversation of its own."""
    talk = ModelConversation(model)
    addresses = tuple(pick(inventory, query, talk))
    return Picks(addresses, talk.usage, tuple(talk.degraded), talk.stopwatch.timings, talk.prompts)


def keys(picks: Picks) -> list[str]:
    """The picks: paths in the namespace `default`, full keys elsewhere."""
    return [place.path if place.namespace == "default" else place.full_key for place in picks.addresses]


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, *answers: str) -> Iterator[MessagesApi]:
    """A stub of the Messages API that the environment points at."""
    with MessagesApi(answers) as api:
        for name, value in api.env().items():
            monkeypatch.setenv(name, value)
        anthropic._connect.cache_clear()
        yield api
