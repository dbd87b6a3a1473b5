"""Remembering: the guards, the policy that holds by default, and whoever finds the path or merges at it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memoir.memory import write
from memoir.memory.options import DEFAULTS, WriteOptions
from memoir.memory.policy import LLM_MERGE, Outcome
from memoir.memory.record import Memory
from memoir.settings import MERGE_POLICY, note
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.filing.decision import Decision


class RememberResult(NamedTuple):
    """What became of a memory.

    Attributes:
        commit: None if nothing changed.
        outcomes: What the memory met at each path.
        decision: Who chose the paths, and why; None if the caller named them.
        degraded: What fell back, and why; None if nothing did.
    """

    commit: Commit | None
    outcomes: dict[Address, Outcome]
    decision: "Decision | None" = None
    degraded: str | None = None


def remember(
    store: Store,
    new: Memory,
    places: Sequence[Address],
    namespace: str,
    *,
    classifier: str | None = None,
    policy: str | None = None,
    options: WriteOptions = DEFAULTS,
) -> RememberResult:
    """Remember a memory at some places, or where a classifier finds that it belongs.

    Without a policy, `memoir.remember.mergePolicy` holds at places that the caller names; a memory that is filed joins
    what is there.

    Raises:
        InvalidInput: no such classifier or policy, or one of the refusals of `memoir.memory.write.refuse_unfit`.
        Conflict: the policy is `reject` and a path is occupied.
        LlmUnavailable: the classifier `model` without one configured.
    """
    store.expect_config()
    write.refuse_unfit(new, places or [Address(namespace, "")], options)
    if not places:
        import memoir.filing.filing  # noqa: F401 - while git reads the settings
    usual = MERGE_POLICY.read_if_set(store.config)
    policy = policy or (usual if places or usual == LLM_MERGE else None)
    inspected = options._replace(allow_secrets=True)
    if not places or policy == LLM_MERGE:
        return _filed(store, new, places, namespace, classifier, policy, inspected)
    stored = write.remember(store, new, places, policy=policy, options=inspected)
    return RememberResult(*stored, degraded="; ".join(note(store.ignored_settings, "remember")) or None)


def _filed(
    store: Store,
    new: Memory,
    places: Sequence[Address],
    namespace: str,
    classifier: str | None,
    policy: str | None,
    options: WriteOptions,
) -> RememberResult:
    """Remember with a classifier, which finds the path, or a model, which merges at it; or both."""
    from memoir.filing.filing import Filer

    filer = Filer(store, classifier=classifier)
    decision = None if places else filer.decide(new.content, namespace, options.branch)
    notes = note(store.ignored_settings, "remember")
    notes += [decision.degraded] if decision and decision.degraded else []
    if decision and policy != LLM_MERGE:
        stored = filer.remember(new, decision, namespace, policy=policy, options=options)
    else:
        from memoir.filing.merging import remember_merged

        marked = filer.marked(new, decision) if decision else new
        where = decision.addresses(new.content, namespace) if decision else places
        stored, fell_back = remember_merged(store, filer.model(), marked, where, options)
        notes += [fell_back] if fell_back else []
    return RememberResult(*stored, decision, "; ".join(notes) or None)
