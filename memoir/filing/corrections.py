"""Corrections: memories that memoir filed and somebody moved, from which the next ones are filed better."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.filing.classifier import Placement, Verdict
from memoir.filing.decision import INBOX
from memoir.filing.voters import Neighbour
from memoir.memory.correction import first_place
from memoir.memory.read import records
from memoir.store.snapshot import Snapshot

SURE = 0.6
"""The relevance from which a memory is filed where a similar one was moved, whatever else is known. Of 46 pairs of
facts with this relevance (`tests/filing/facts.jsonl`, `static`) 44 share a first level; from 0.45 to 0.6 half do."""
LIKELY = 0.4
"""The relevance that is enough if the memory would go where the similar one was taken away from."""


class Correction(NamedTuple):
    """Where a similar memory was moved, the path that memoir had filed it at, and its relevance (0 to 1)."""

    path: str
    before: str
    relevance: float


def find_corrections(snapshot: Snapshot, neighbours: Sequence[Neighbour]) -> list[Correction]:
    """The corrections among the most similar memories."""
    moves = [near for near in neighbours if near.moved and near.relevance >= LIKELY]
    by_address = records(snapshot, (near.place[0] for near in moves), listed=True) if moves else {}
    corrections = []
    for near in moves:
        address, ordinal = near.place
        record = by_address.get(address, ())
        before = first_place(record[ordinal].metadata) if ordinal < len(record) else None
        if before and not near.path.startswith(f"{INBOX}."):
            corrections.append(Correction(near.path, before, near.relevance))
    return corrections


def apply_corrections(verdict: Verdict, corrections: Sequence[Correction], threshold: float) -> Verdict:
    """File a memory where the most similar one of those was moved that can teach it; the verdict is the runner-up.

    Args:
        verdict: What the rules make of the memory.
        corrections: The corrections among its neighbours.
        threshold: The confidence below which the memory would go to the inbox.
    """
    best = next((each for each in verdict.paths if each.confidence >= threshold), None)
    would_go = _category(best.path if best else INBOX)
    lessons = [each for each in corrections if each.relevance >= SURE or _category(each.before) == would_go]
    if not lessons:
        return verdict
    lesson = max(lessons, key=lambda each: each.relevance)
    reason = f"a similar memory was moved there from {lesson.before} (relevance {lesson.relevance:.2f})"
    others = [each for each in (*verdict.paths, verdict.runner_up) if each and each.path != lesson.path]
    rest = 1 - lesson.relevance
    runner_up = others[0]._replace(confidence=min(others[0].confidence, rest)) if others else None
    return Verdict((Placement(lesson.path, lesson.relevance),), runner_up, reason)


def _category(path: str) -> str:
    return ".".join(path.split(".")[:2])
