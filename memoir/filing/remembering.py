"""Remembering with a classifier or a model: finding the path, or merging at it."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.filing.decision import Decision
from memoir.filing.filing import Filer
from memoir.memory.policy import LLM_MERGE
from memoir.memory.record import Memory
from memoir.memory.write import Remembered
from memoir.settings import note
from memoir.store.store import Store
from memoir.taxonomy.paths import Address


class Filed(NamedTuple):
    """What was remembered where, who decided it (None: the caller), and what fell back."""

    result: Remembered
    decision: Decision | None
    degraded: str | None


def remember_filed(
    store: Store,
    new: Memory,
    places: Sequence[Address],
    namespace: str,
    *,
    classifier: str | None = None,
    policy: str | None = None,
    message: str | None = None,
    branch: str | None = None,
    dry_run: bool = False,
) -> Filed:
    """Remember a memory at some places, or where a classifier finds that it belongs.

    Raises:
        InvalidInput: no such classifier. LlmUnavailable: the classifier `model` without one configured.
    """
    filer = Filer(store, classifier=classifier)
    decision = None if places else filer.decide(new.content, namespace, branch)
    where = [*places] or (decision.addresses(new.content, namespace) if decision else [])
    notes = note(store.ignored_settings, "remember")
    notes += [decision.degraded] if decision and decision.degraded else []
    if policy == LLM_MERGE:
        from memoir.filing.merging import remember_merged

        marked = filer.marked(new, decision) if decision else new
        result, fell_back = remember_merged(
            store, filer.model(), marked, where, message=message, branch=branch, dry_run=dry_run
        )
        notes += [fell_back] if fell_back else []
    else:
        assert decision is not None
        result = filer.remember(
            new, decision, namespace, policy=policy, message=message, branch=branch, dry_run=dry_run
        )
    return Filed(result, decision, "; ".join(notes) or None)
