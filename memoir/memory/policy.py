"""Merge policies: what happens when a memory is remembered at a path that holds one.

No policy loses anything: what yields stays beside the winner as a superseded facet, and history
keeps every version. Only `reject` refuses.
"""

from collections.abc import Callable
from typing import NamedTuple

from memoir.english.wording import same_as_written
from memoir.errors import Conflict, InvalidInput
from memoir.memory.metadata import CONFIRMATION, agree, joined, latest
from memoir.memory.record import Memory, Record, active_facets, fits, projection, trimmed

Policy = Callable[[Record, Record], Record]
"""Makes one record of the memories at a path and new ones."""


def _append(record: Record, new: Record) -> Record:
    return (*record, *new)


def _replace(record: Record, new: Record) -> Record:
    return (*(facet.superseded() for facet in record), *new)


def _confidence_gated(record: Record, new: Record) -> Record:
    """The memories with the highest confidence stay active; the newer ones if both are equal."""
    if _highest_confidence(new) >= _highest_confidence(record):
        return _replace(record, new)
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
    """The record that results, the policy it met (None on a free path), what yielded, whether it stands itself."""

    record: Record
    policy: str | None
    superseded: tuple[Memory, ...]
    stands: bool = True


def check_policy(name: str) -> str:
    """Return the name of a policy.

    Raises:
        InvalidInput: there is no such policy.
    """
    if name not in POLICIES:
        raise InvalidInput(f"no merge policy named {name!r}", f"there are: {', '.join((*POLICIES, LLM_MERGE))}")
    return name


def combine(policy: str, record: Record | None, new: Memory) -> Outcome:
    """Bring a new memory to a path's record (None: the path is free).

    Raises:
        Conflict: the policy is `reject` and the path is occupied.
    """
    if record is None:
        return Outcome((new,), None, ())
    combined = POLICIES[policy](record, (new,))
    was_active = [facet for facet in active_facets(record) if facet.active]
    kept = {id(facet) for facet in combined}  # a policy keeps a memory as it is or makes another of it
    lost = [facet for facet in was_active if id(facet) not in kept]
    stands = combined[-1] is new
    return Outcome(trimmed(combined), policy, tuple(lost if stands else [*lost, new]), stands)


def combine_records(policy: str, record: Record, new: Record) -> Record:
    """Bring the memories of another record to a path's record; bringing the same ones twice changes nothing.

    Raises:
        Conflict: the policy is `reject`, and the path holds other memories.
    """
    if policy == "append":
        new = tuple(facet for facet in new if facet not in record)
    elif new in (record, active_facets(record)):
        return record
    return trimmed(POLICIES[policy](record, new))


LLM_MERGE = "llm_merge"
"""The policy that needs a model, and so is no function of the two memories; see `memoir.filing.llm_merge`."""
CONFIRMED = "confirmed"
"""What an outcome's policy says where a memory was there already."""


def repeats(one: Memory, other: Memory) -> bool:
    """Whether two memories say the same, and nothing of the second is lost if only the first is kept.

    Their words must be the same with the same marks and capitals; only white space may differ. "Ship it?" and "Ship
    it.", "Go" and "go" tell facts apart, and no measure of likeness may decide that. Of the metadata none may
    contradict.
    """
    return same_as_written(one.content, other.content) and agree(one.metadata, other.metadata)


def confirm(record: Record, new: Memory) -> Outcome | None:
    """The record with one of its memories confirmed by a new one that repeats it; None if none is.

    The memory keeps its words and its time, and is as sure as the surer of the two. What the new one's metadata
    adds is added, and `last_confirmed` moves, never backwards. One that holds since an earlier time is no repetition.
    """
    for at, facet in enumerate(record):
        if facet.active and repeats(facet, new) and new.instant >= facet.instant:
            metadata = joined(facet.metadata, new.metadata)
            metadata[CONFIRMATION] = latest((metadata.get(CONFIRMATION), facet.timestamp, new.timestamp))
            if not fits(metadata):
                continue
            sure = max(facet.confidence, new.confidence)
            confirmed = facet._replace(metadata=metadata, confidence=sure)
            return Outcome((*record[:at], confirmed, *record[at + 1 :]), CONFIRMED, ())
    return None


def confirmed_or(policy: str, record: Record | None, new: Memory) -> Outcome:
    """A new memory that is there already is confirmed; any other one meets a policy."""
    return (confirm(record, new) if record else None) or combine(policy, record, new)
