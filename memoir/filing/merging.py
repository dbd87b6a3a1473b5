"""`llm_merge`: on an occupied path, a model writes one memory out of what is there and what is new.

The consolidated memory names its sources in `metadata.derived_from`, and they stay beside it as superseded. The
model is asked before anything is locked; if the path changes meanwhile, it is asked again, and in the end the
new memory is appended, as it is where there is no model.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from memoir.errors import LlmUnavailable
from memoir.filing.by_model import PROMPTS
from memoir.llm.model import Model, Prompt
from memoir.llm.prompts import quoted
from memoir.memory.options import DEFAULTS, WriteOptions
from memoir.memory.policy import LLM_MERGE, Outcome
from memoir.memory.read import records
from memoir.memory.record import Memory, Record, in_force, trimmed
from memoir.memory.secrets import find, redacted
from memoir.memory.write import Remembered, remember
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

_TRIES = 3


class Merged(NamedTuple):
    """What was remembered, and why it was only appended (None: it was merged)."""

    result: Remembered
    degraded: str | None


class _ChangedError(Exception):
    """A path is no longer what the model was shown."""


def remember_merged(
    store: Store,
    model: Model | None,
    new: Memory,
    places: Sequence[Address],
    options: WriteOptions = DEFAULTS,
) -> Merged:
    """Remember a memory with the policy `llm_merge`; without a model's help it is appended, and that is said.

    A dry run asks the model too, and writes nothing.
    """
    keep = partial(remember, store, new, places, options=options)
    reason = "there is no model to merge with"
    for _ in range(_TRIES if model else 0):
        try:
            before = records(store.head(options.branch), places)
            merged = {place: _merge(model, record, new) for place, record in before.items()} if model else {}
            return Merged(keep(outcome=_outcomes(new, before, merged)), None)
        except LlmUnavailable as error:
            reason = error.message
            break
        except _ChangedError:
            reason = "the path kept changing while the model wrote"
    appended = keep(policy="append")
    met = any(outcome.policy for outcome in appended.outcomes.values())
    return Merged(appended, f"{LLM_MERGE}: {reason}; appended instead" if met else None)


def _merge(model: Model | None, record: Record, new: Memory) -> Memory:
    assert model is not None
    sources = [*in_force(record), new]
    notes = "\n".join(f"{number}. {quoted(redacted(source.content))}" for number, source in enumerate(sources, 1))
    text = model.complete(Prompt("", PROMPTS.filled("merge", notes=notes))).text.strip()
    derived = [{"content": source.content, "timestamp": source.timestamp} for source in sources]
    if not _usable(text, sources):
        raise LlmUnavailable("the model's answer is no text that could stand for its sources")
    metadata: dict[str, object] = {}
    for source in sources:
        metadata |= source.metadata
    sure = min(source.confidence for source in sources)
    return Memory.of(text, confidence=sure, timestamp=new.timestamp, metadata={**metadata, "derived_from": derived})


def _usable(text: str, sources: Sequence[Memory]) -> bool:
    """Whether an answer may be a memory: plain text, no refusal, no credential, not far longer than its sources."""
    plain = bool(text) and text[0] not in "{[`" and text.strip(".").casefold() not in ("none", "null")
    longest = 2 * sum(len(source.content) for source in sources) + 200
    return plain and len(text) <= longest and find(text) is None


def _outcomes(
    new: Memory, before: Mapping[Address, Record], merged: Mapping[Address, Memory]
) -> Callable[[Address, Record | None], Outcome]:
    """What becomes of each path, if it is still as the model was shown it."""

    def outcome(place: Address, record: Record | None) -> Outcome:
        if record != before.get(place):
            raise _ChangedError
        if record is None:
            return Outcome((new,), None, ())
        lost = tuple(facet for facet in in_force(record) if facet.active)
        kept = (*(facet.superseded() for facet in record), new.superseded(), merged[place])
        return Outcome(trimmed(kept), LLM_MERGE, (*lost, new))

    return outcome
