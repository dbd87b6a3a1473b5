"""Merge policies: how a new memory is added to a path that holds one.

No policy loses anything: a replaced memory stays in the record as superseded, and history keeps every version. Only
`reject` refuses. A memory that replaces a pinned one is pinned, unless it comes from a source.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.records.metadata import CONFIRMATION, EXPIRES, PIN, Metadata, agree, has_expired, join_metadata, latest
from memoir.records.origins import DOCUMENT, best_of
from memoir.records.record import ABOUT, Memory, Record, active_facets, fits, projection, trim, without
from memoir.taxonomy.kinds import ITEM_KIND, has_happened

Policy = Callable[[Record, Record], Record]
"""Joins the record at a path and new memories into one record."""


def _append(record: Record, new: Record) -> Record:
    return (*record, *new)


def _replace(record: Record, new: Record) -> Record:
    return (*(facet.superseded() for facet in record), *new)


def _confidence_gated(record: Record, new: Record) -> Record:
    """Keep the memories with the highest confidence active, the newer if equal; events always stay active."""
    rivals = tuple(facet for facet in record if not has_happened(facet.metadata.get(ITEM_KIND)))
    if _highest_confidence(new) >= _highest_confidence(rivals):
        facets = (facet.superseded() if facet in rivals else facet for facet in record)
        return (*facets, *new)
    return (*record[:-1], *(facet.superseded() for facet in new), record[-1])


def _highest_confidence(record: Record) -> float:
    return max((facet.confidence for facet in record if facet.active), default=0.0)


def _reject(record: Record, new: Record) -> Record:
    raise Conflict(
        "the path already holds a memory, and the policy is 'reject'",
        "choose another path, or --merge-policy append, replace or confidence_gated",
        existing=projection(record),
    )


POLICIES: dict[str, Policy] = {
    "append": _append,
    "replace": _replace,
    "confidence_gated": _confidence_gated,
    "reject": _reject,
}


class Outcome(NamedTuple):
    """The result for a memory at a path."""

    record: Record
    """The resulting record."""
    policy: str | None
    """The policy that was applied; None on a free path."""
    superseded: tuple[Memory, ...]
    """The superseded memories; the new one may be among them."""
    new_is_active: bool = True
    """Whether the new memory is active."""
    at: int = -1
    """The index in the record of the new memory, or the one it confirms; below 0, counted from the end."""


def check_policy(name: str) -> str:
    """Return the name of a policy.

    Raises:
        InvalidInput: there is no such policy.
    """
    if name not in POLICIES:
        raise InvalidInput(f"no merge policy named {name!r}", f"there are: {', '.join((*POLICIES, LLM_MERGE))}")
    return name


def combine(policy: str, record: Record | None, new: Memory) -> Outcome:
    """Add a new memory to the record at a path (None: the path is free) by a policy."""
    if record is None:
        return Outcome((new,), None, ())
    result = POLICIES[policy](record, (new,))
    active = [facet for facet in active_facets(record) if facet.active]
    ids = {id(facet) for facet in result}  # a policy keeps a memory object or replaces it by a superseded copy
    losers = [facet for facet in active if id(facet) not in ids]
    if result[-1] is not new:
        return Outcome(trim(result), policy, (*losers, new), new_is_active=False, at=-2)
    return Outcome(trim((*result[:-1], _successor(new, losers))), policy, tuple(losers))


def _successor(new: Memory, losers: Sequence[Memory]) -> Memory:
    """The new memory, pinned if one that it replaces is pinned, so that sessions still start with it.

    A memory from a source is never pinned here: only a person may pin text that was read in.
    """
    if best_of(new.metadata) == DOCUMENT:
        return new
    pinned = {**new.metadata, PIN: True}
    is_pinned = PIN not in new.metadata and any(loser.metadata.get(PIN) is True for loser in losers) and fits(pinned)
    return new._replace(metadata=pinned) if is_pinned else new


def combine_records(policy: str, record: Record, new: Record) -> Record:
    """Add the memories of another record to the record at a path; adding the same ones twice changes nothing."""
    if policy == "append":
        new = tuple(facet for facet in new if facet not in record)
    elif new in (record, active_facets(record)):
        return record
    return trim(POLICIES[policy](record, new))


LLM_MERGE = "llm_merge"
"""The policy that asks a model, so it is not in `POLICIES`; see `memoir.filing.with_model`."""
CONFIRMED_POLICY = "confirmed"
"""The policy of an outcome that confirmed a memory already there."""


def repeats(one: Memory, other: Memory) -> bool:
    """Whether two memories say the same, so that only the first need be kept.

    Only white space may differ: "Ship it?" and "Ship it.", or "Go" and "go", can be different facts. Their metadata
    must not contradict each other.
    """
    from memoir.english.words import same_as_written  # needed only at an occupied path

    return same_as_written(one.content, other.content) and agree(one.metadata, other.metadata)


def confirm(record: Record, new: Memory) -> Outcome | None:
    """Confirm the memory of a record that the new one repeats; None if it repeats none.

    The memory keeps its words and its time, and gets the higher confidence. Metadata of the new one are added, and
    `last_confirmed` becomes the later time. A new memory with an earlier time repeats none.
    """
    for at, facet in enumerate(record):
        if facet.active and repeats(facet, new) and new.instant >= facet.instant:
            metadata = join_metadata(_without_renewed(facet.metadata, new), new.metadata)
            metadata[CONFIRMATION] = latest((metadata.get(CONFIRMATION), facet.timestamp, new.timestamp))
            if not fits(metadata):
                continue
            memory = facet._replace(metadata=metadata, confidence=max(facet.confidence, new.confidence))
            return Outcome((*record[:at], memory, *record[at + 1 :]), CONFIRMED_POLICY, (), at=at)
    return None


def said_again(memory: Memory, new: Memory) -> Memory:
    """The memory as confirmed by an identical new one; unchanged if the new one does not repeat it."""
    outcome = confirm((memory,), new)
    return outcome.record[0] if outcome else memory


def _without_renewed(old: Metadata, new: Memory) -> Metadata:
    """The metadata of a memory without the expiry and the anchors that its confirmation renews.

    An expired memory becomes valid again, forever if the new one has no expiry.
    """
    if EXPIRES in old and (EXPIRES in new.metadata or has_expired(old, new.instant)):
        old = without(old, (EXPIRES,))
    if ABOUT not in old or ABOUT not in new.metadata:
        return old
    from memoir.records.anchor import anchors_of, without_targets

    return without_targets(old, anchors_of(new.metadata))


def replace_one(record: Record, old: Memory, new: Memory) -> Outcome:
    """Replace one memory of a record, which stays as superseded; the others stay active.

    Raises:
        Conflict: the record no longer has the old memory.
    """
    if old not in record:
        raise Conflict("the memory to replace has changed meanwhile", "repeat the command")
    at = record.index(old)
    others = (*record[:at], old.superseded(), *record[at + 1 :])
    return Outcome(trim((*others, _successor(new, [old]))), "replace", (old,))


def confirm_or_combine(policy: str, record: Record | None, new: Memory) -> Outcome:
    """Confirm the memory if the record has it already; otherwise add it by a policy."""
    return (confirm(record, new) if record else None) or combine(policy, record, new)
