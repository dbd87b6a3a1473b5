"""No sequence of filings, failures and policies loses the content of a memory."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir.errors import Conflict, LlmUnavailable
from memoir.filing.consolidate import find_matches, supersede
from memoir.filing.filer import Filer
from memoir.filing.inbox import sort_inbox
from memoir.filing.with_model import remember_merged
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import MAX_TOKENS, ModelReply, Prompt
from memoir.llm.usage import Usage
from memoir.memory.export import export_lines
from memoir.memory.write import remember
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import address

CONTENTS = [
    "I prefer tabs over spaces in Go code.",
    "My manager reviews every release on Fridays.",
    "The staging server runs on port 8080.",
    "CI failed because the cache was cold.",
    "zxqv blorp",
    "We deploy with a blue and a green cluster.",
    "I am learning Rust this winter.",
    "Our goal is to ship version 2 before May.",
    # Twins, which only a letter, a sign or a name tells apart.
    "We use the R language.",
    "We use the C language.",
    "I always clean up with rm -r on host db-a.internal.",
    "I always clean up with rm -f on host db-b.internal.",
]
PATHS = ["preferences.coding.tabs", "experience.work.log", "context.task.now"]
ANSWERS = [
    "no idea",
    "{}",
    '{"memory": false, "reason": "noise"}',
    *(json.dumps({"memory": True, "paths": [{"path": path, "confidence": 0.9}], "reason": "so"}) for path in PATHS),
    json.dumps({"paths": [{"path": PATHS[0], "confidence": 0.9}, {"path": PATHS[1], "confidence": 0.9}]}),
    None,
]


class Moody:
    """A model that gives one answer for ever, or fails."""

    name = "moody"

    def __init__(self, answer: str | None) -> None:
        self._answer = answer

    def preload(self) -> None:
        """There is nothing to prepare."""

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        if self._answer is None:
            raise LlmUnavailable("not today")
        return ModelReply(self._answer, Usage(1))


STEPS = st.one_of(
    st.tuples(st.just("rules"), st.sampled_from(CONTENTS), st.none()),
    st.tuples(st.just("model"), st.sampled_from(CONTENTS), st.sampled_from(ANSWERS)),
    st.tuples(st.just("merge"), st.sampled_from(CONTENTS), st.sampled_from(["One text for all.", None])),
    st.tuples(
        st.just("policy"),
        st.sampled_from(CONTENTS),
        st.sampled_from(["append", "replace", "confidence_gated", "reject", None]),
    ),
    st.tuples(st.just("classify"), st.just(""), st.sampled_from(ANSWERS)),
    st.tuples(st.just("consolidate"), st.just(""), st.none()),
)


def take(repository: Repository, step: tuple[str, str, Any]) -> str | None:
    """Do a step; the content that it was to store, if it succeeded."""
    what, content, how = step
    store = repository.store
    if what == "consolidate":
        matches = find_matches(store.head(), Filer(store, classifier="rules").index(), threshold=0.8)
        supersede(store, matches, matches.candidates)
        return None
    if what == "classify":
        sort_inbox(Filer(store, classifier="model", model=Moody(how)))
        return None
    memory = Memory.of(content)
    if what == "policy":
        try:
            remember(store, memory, [address(PATHS[0])], policy=how)
        except Conflict:
            return None
    elif what == "merge":
        remember_merged(store, ModelConversation(Moody(how)), memory, [address(PATHS[0])])
    else:
        filer = Filer(store, classifier=what, model=Moody(how) if what == "model" else None)
        filer.remember(memory, filer.decide(content, "default"), "default")
    return content


def contents(repository: Repository, revision: str | None = None) -> set[str]:
    return {json.loads(line)["content"] for line in export_lines(repository.store.at(revision), (), ())}


@given(st.lists(STEPS, min_size=1, max_size=7))
@settings(max_examples=examples(15))
def test_every_content_is_in_the_store_or_in_its_history(steps: list[tuple[str, str, Any]]) -> None:
    with TemporaryDirectory() as folder, Repository.init(Path(folder)) as repository:
        texts = {content for step in steps if (content := take(repository, step))}

        assert texts <= contents(repository), "nothing yields so often here that it is left to history"
