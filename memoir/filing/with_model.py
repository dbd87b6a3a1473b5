"""File with one call to a model; paths in its answer that break the rules are ignored.

With the merge policy `llm_merge`, a model also merges the memories at an occupied path and the new one into one. The
merged memory names its sources in `metadata.derived_from`, and they stay in the record as superseded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from memoir.errors import InvalidInput, LlmUnavailable
from memoir.filing.classifier import Placement
from memoir.filing.decision import MODEL, Decision
from memoir.llm.answer_text import find_object
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Step, beside, quote
from memoir.llm.usage import Usage
from memoir.memory.read import records
from memoir.memory.write import CommitResult, remember
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.records.origins import join_origins
from memoir.records.policy import LLM_MERGE, Outcome
from memoir.records.record import Memory, Record, active_facets, trim
from memoir.secrets.secrets import find, redact
from memoir.setting import SHARE
from memoir.store.store import Store
from memoir.taxonomy.catalogue import Catalogue
from memoir.taxonomy.paths import Address, check_path, look_alike

PROMPTS = beside(__file__)
_FILING = Step("filing.classify", PROMPTS)
_LEVELS = 3
"""The number of segments of a path."""
_REASON = 200
"""Characters of a model's reason that are kept."""


def decide(talk: ModelConversation, text: str, catalogue: Catalogue, threshold: float, most: int = 1) -> Decision:
    """Ask a model for a memory's paths; if anything fails, the decision is the inbox, never an error.

    At most `most` paths are taken; the next one is the runner-up.
    """
    try:
        message = f"The memory, as a JSON string:\n{quote(text)}"
        answer = talk.ask(_FILING, message, _read, taxonomy=_list(catalogue))
    except LlmUnavailable as error:
        return _inbox("the model could not be reached", failure=error.message)
    usage = talk.usage
    if not answer:
        return _inbox("", failure="the model's answer is not a JSON object", usage=usage)
    if answer.get("memory") is False:
        return _inbox(f"the model says that this is not a memory: {_reason(answer)}", usage=usage)
    placements = _one_per_first_level(_placements(answer.get("paths"), catalogue))
    if not placements:
        return _inbox("", failure="the model's answer names no path that the taxonomy allows", usage=usage)
    confident = tuple(placement for placement in placements if placement.confidence >= threshold)
    others = (*confident[most:], *_placements([answer.get("runner_up")], catalogue))
    confidence = (confident or placements)[0].confidence
    runner_up = next(iter(others), None)
    return Decision(MODEL, confident[:most], confidence, _reason(answer), runner_up, None, usage)


def _read(answer: str) -> dict[str, Any] | None:
    return find_object(answer, "memory", "paths") or find_object(answer) or None


def _list(catalogue: Catalogue) -> str:
    lines = (f"{'  ' * path.count('.')}- {path}: {category.about}" for path, category in catalogue.items())
    return "\n".join(lines)


def _inbox(reason: str, failure: str | None = None, usage: Usage = Usage()) -> Decision:  # noqa: B008 - immutable
    return Decision(MODEL, (), 0.0, reason or "the answer cannot be used", None, failure, usage)


def _reason(answer: dict[str, Any]) -> str:
    reason = answer.get("reason")
    return reason[:_REASON] if isinstance(reason, str) else ""


def _placements(items: Any, catalogue: Catalogue) -> Iterator[Placement]:
    """Yield the valid paths: three levels, a known first level, a confidence from 0 to 1."""
    for item in items if isinstance(items, list) else []:
        fields: dict[str, Any] = item if isinstance(item, dict) else {}
        path = fields.get("path")
        if isinstance(path, str) and SHARE.accepts(fields.get("confidence")) and _is_allowed(path.lower(), catalogue):
            yield Placement(path.lower(), float(fields["confidence"]))


def _is_allowed(path: str, catalogue: Catalogue) -> bool:
    try:
        check_path(path)
    except InvalidInput:
        return False
    return not look_alike(path) and path.count(".") == _LEVELS - 1 and path.partition(".")[0] in catalogue.first_levels


def _one_per_first_level(placements: Iterator[Placement]) -> tuple[Placement, ...]:
    """The first path of each first level."""
    by_first: dict[str, Placement] = {}
    for placement in placements:
        by_first.setdefault(placement.path.partition(".")[0], placement)
    return tuple(by_first.values())


_MERGING = Step("filing.merge", PROMPTS)
_TRIES = 3
"""The most attempts at a path that keeps changing."""
_LONGER = 200
"""A merged memory may have this many characters more than twice those of its sources."""


class LlmMergeResult(NamedTuple):
    """The result, and why the memory was only appended (None: it was merged)."""

    result: CommitResult
    degraded: str | None


class _ChangedError(Exception):
    """A path has changed since the model saw it."""


def remember_merged(
    store: Store,
    talk: ModelConversation | None,
    new: Memory,
    addresses: Sequence[Address],
    options: WriteOptions = DEFAULTS,
    *,
    filed: bool = False,
) -> LlmMergeResult:
    """Remember a memory with the policy `llm_merge`; if the model fails it is appended, and `degraded` says so.

    The model is asked before the store is locked, and again if the path changes meanwhile, `_TRIES` times at most. A
    dry run also asks the model, but writes nothing.
    """
    write = partial(remember, store, new, addresses, filed=filed, options=options)
    reason = "there is no model to merge with"
    try:
        if talk:
            for _ in range(_TRIES):
                before = records(store.head(options.branch), addresses)
                merges = {address: _merge(talk, record, new) for address, record in before.items()}
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
        metadata = join_origins(metadata, {**metadata, **source.metadata})
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
    """A function for the outcome at a path; it raises `_ChangedError` if the path differs from what the model saw."""

    def outcome(address: Address, record: Record | None) -> Outcome:
        if record != before.get(address):
            raise _ChangedError
        if record is None:
            return Outcome((new,), None, ())
        old_facets = tuple(facet for facet in active_facets(record) if facet.active)
        facets = (*(facet.superseded() for facet in record), new.superseded(), merges[address])
        return Outcome(trim(facets), LLM_MERGE, (*old_facets, new))

    return outcome
