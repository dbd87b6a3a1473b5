"""The merge policy `llm_merge`: a model writes one memory from those at an occupied path and the new one.

The merged memory names its sources in `metadata.derived_from`, and they stay in the record as superseded. The model is
asked before the store is locked. If the path changes meanwhile, the model is asked again; if it keeps changing, or
there is no model, the new memory is appended.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from memoir.errors import LlmUnavailable
from memoir.filing.file_by_model import PROMPTS
from memoir.llm.conversation import ModelConversation
from memoir.llm.prompts import quote
from memoir.llm.step import Step
from memoir.memory.read import records
from memoir.memory.write import CommitResult, remember
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.records.policy import LLM_MERGE, Outcome
from memoir.records.record import Memory, Record, active_facets, trim
from memoir.secrets.secrets import find, redact
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

_MERGING = Step("filing.merge", PROMPTS)
_TRIES = 3
"""How often a model is asked about a path that keeps changing."""
_LONGER = 200
"""How many characters a merged memory may have more than twice the characters of its sources."""


class LlmMergeResult(NamedTuple):
    """What was remembered, and why it was only appended (None: it was merged)."""

    result: CommitResult
    degraded: str | None


class _ChangedError(Exception):
    """A path has changed since the model was shown it."""


def remember_merged(
    store: Store,
    talk: ModelConversation | None,
    new: Memory,
    places: Sequence[Address],
    options: WriteOptions = DEFAULTS,
) -> LlmMergeResult:
    """Remember a memory with the policy `llm_merge`; without a model's help it is appended, and `degraded` says so.

    A dry run asks the model too, and writes nothing.
    """
    write = partial(remember, store, new, places, options=options)
    reason = "there is no model to merge with"
    try:
        if talk:
            for _ in range(_TRIES):
                before = records(store.head(options.branch), places)
                merges = {place: _merge(talk, record, new) for place, record in before.items()}
                with suppress(_ChangedError):
                    return LlmMergeResult(write(outcome=_outcomes(new, before, merges)), None)
            reason = "the path kept changing while the model wrote"
    except LlmUnavailable as error:
        reason = error.message
    result = write(policy="append")
    was_occupied = any(outcome.policy for outcome in result.outcomes.values())
    return LlmMergeResult(result, f"{LLM_MERGE}: {reason}; appended instead" if was_occupied else None)


def _merge(talk: ModelConversation, record: Record, new: Memory) -> Memory:
    sources = [*active_facets(record), new]
    notes = "\n".join(f"{number}. {quote(redact(source.content))}" for number, source in enumerate(sources, 1))
    text = talk.ask(_MERGING, f"The notes:\n{notes}", lambda answer: answer if _is_usable(answer, sources) else None)
    origins = [{"content": source.content, "timestamp": source.timestamp} for source in sources]
    if not text:
        raise LlmUnavailable("the model's answer cannot replace its sources")
    metadata: dict[str, object] = {}
    for source in sources:
        metadata |= source.metadata
    confidence = min(source.confidence for source in sources)
    return Memory.of(
        text, confidence=confidence, timestamp=new.timestamp, metadata={**metadata, "derived_from": origins}
    )


def _is_usable(text: str, sources: Sequence[Memory]) -> bool:
    """Whether an answer can be a memory: plain text, not a refusal, no credentials, not far longer than its sources."""
    plain = bool(text) and text[0] not in "{[`" and text.strip(".").casefold() not in ("none", "null")
    longest = 2 * sum(len(source.content) for source in sources) + _LONGER
    return plain and len(text) <= longest and find(text) is None


def _outcomes(
    new: Memory, before: Mapping[Address, Record], merges: Mapping[Address, Memory]
) -> Callable[[Address, Record | None], Outcome]:
    """A function that gives the outcome at a path, if the path is still as the model was shown it."""

    def outcome(place: Address, record: Record | None) -> Outcome:
        if record != before.get(place):
            raise _ChangedError
        if record is None:
            return Outcome((new,), None, ())
        old_facets = tuple(facet for facet in active_facets(record) if facet.active)
        facets = (*(facet.superseded() for facet in record), new.superseded(), merges[place])
        return Outcome(trim(facets), LLM_MERGE, (*old_facets, new))

    return outcome
